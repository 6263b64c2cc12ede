"""Canonical JSON: golden forms of RFC 8785, the rfc8785 package as oracle, and integers that doubles do not hold."""

import json
import math
import struct

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import InputError
from justesse.dossier.canonical import LARGEST, canonical, marked, number, unmarked
from justesse.dossier.layout import laid_out, parsed

# RFC 8785, appendix B: IEEE 754 bits and their form
NUMBERS = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-LARGEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), part, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize(("bits", "form"), NUMBERS.items())
def test_numbers_have_the_forms_of_the_standard(bits, form):
    value = struct.unpack(">d", bytes.fromhex(bits))[0]
    assert number(value) == form
    assert float(form) == value


def test_the_example_of_the_standard():
    text = r"""{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]}"""
    expected = '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert canonical(json.loads(text)).decode() == expected


def test_keys_are_sorted_by_utf_16():
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    order = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(dict.fromkeys(keys, 0)))) == order


@given(values)
def test_it_agrees_with_the_package(value):
    assert canonical(value) == rfc8785.dumps(value)


@given(values)
def test_a_form_is_its_own_form_and_so_is_its_layout(value):
    record = {"dossier": 1, "value": marked(value)}
    form = canonical(record)
    assert canonical(parsed(form.decode(), "file")) == form
    assert laid_out(parsed(laid_out(record), "file")) == laid_out(record)


@given(st.integers())
def test_every_integer_comes_back_exactly(value):
    assert unmarked(json.loads(canonical({"n": [value]}))) == {"n": [value]}


def test_large_integers_are_texts_that_every_reader_keeps():
    assert canonical(2**53) == b'{"$int":"9007199254740992"}'
    assert canonical(2**53 - 1) == b"9007199254740991"
    with pytest.raises(rfc8785.IntegerDomainError):
        rfc8785.dumps(2**53)


@pytest.mark.parametrize("value", [math.nan, math.inf, {1: 2}, b"x", object()])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(InputError):
        canonical([value])


def test_a_file_name_that_is_no_text_is_written_all_the_same():
    assert marked("caf\udce9") == "caf\ufffd"


def test_endless_nesting_is_refused():
    value: list = []
    value.append(value)
    with pytest.raises(InputError, match="levels deep"):
        canonical(value)
