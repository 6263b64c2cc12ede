"""Canonical JSON (RFC 8785): the one sequence of bytes that a value has, whoever writes it.

Integers beyond 2**53 - 1 have no exact place in it, because other readers hold numbers as doubles. They are written as
texts under a marked key: `{"$int": "9007199254740993"}`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from justesse.core.errors import InputError

LARGEST = 2**53 - 1
INTEGER = "$int"
DEEPEST = 100
ESCAPES = {0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}
CONTROL = {code: ESCAPES.get(code, f"\\u{code:04x}") for code in [*range(0x20), 0x22, 0x5C]}
LONE = re.compile("[\ud800-\udfff]")


def canonical(value: Any) -> bytes:
    """Write a value as RFC 8785 prescribes: sorted keys, no spaces, numbers as ECMAScript writes them.

    Large integers are marked first (see `marked`). NaN and infinity are refused.

    >>> canonical({"b": [1.0, 1e-7, None, True], "a": "é\\n"}).decode()
    '{"a":"é\\\\n","b":[1,1e-7,null,true]}'
    >>> canonical({"n": 2**53}).decode()
    '{"n":{"$int":"9007199254740992"}}'
    """
    return _text(marked(value)).encode()


def marked(value: Any, depth: int = 0) -> Any:
    """Give a value in which every integer is exact in all readers: larger ones are texts under the key `$int`.

    >>> marked([1, 2**60])
    [1, {'$int': '1152921504606846976'}]
    """
    if depth > DEEPEST:
        raise InputError(f"A dossier is at most {DEEPEST} levels deep. Simplify what it records.")
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return LONE.sub("\ufffd", value)  # such as a file name that is not UTF-8
    if isinstance(value, int):
        return int(value) if abs(value) <= LARGEST else {INTEGER: str(int(value))}
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"A dossier holds finite numbers only; got {value!r}. Write null and the reason.")
        return float(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"The keys of a dossier are texts; got {key!r}.")
        return {LONE.sub("\ufffd", key): marked(item, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [marked(item, depth + 1) for item in value]
    raise InputError(f"A dossier holds texts, numbers, lists and keys; got {type(value).__name__}.")


def unmarked(value: Any) -> Any:
    """Give the integers back that `marked` wrote as texts.

    >>> unmarked({"n": {"$int": "9007199254740993"}})
    {'n': 9007199254740993}
    """
    if isinstance(value, dict):
        if value.keys() == {INTEGER} and isinstance(value[INTEGER], str) and re.fullmatch(r"-?\d{16,}", value[INTEGER]):
            return int(value[INTEGER])
        return {key: unmarked(item) for key, item in value.items()}
    return [unmarked(item) for item in value] if isinstance(value, list) else value


def _text(value: Any) -> str:
    if isinstance(value, dict):
        items = sorted(value.items(), key=lambda item: item[0].encode("utf-16-be"))
        return "{" + ",".join(f"{quoted(key)}:{_text(item)}" for key, item in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    return scalar(value)


def scalar(value: Any) -> str:
    """Write a text, a number, true, false or null.

    >>> scalar("a\\tb"), scalar(None), scalar(1e21), scalar(-0.0)
    ('"a\\\\tb"', 'null', '1e+21', '0')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return number(value) if isinstance(value, float) else quoted(value)


def quoted(text: str) -> str:
    """Write a text with the escapes that JSON demands, and no others.

    >>> quoted('say "é"'), quoted(chr(1))
    ('"say \\\\"é\\\\""', '"\\\\u0001"')
    """
    return f'"{text.translate(CONTROL)}"'


def number(value: float) -> str:
    """Write a double as ECMAScript does: the fewest digits that give it back.

    >>> [number(x) for x in (0.1, 100.0, 1e20, 1e21, 1.5e-7, 0.000001, 5e-324)]
    ['0.1', '100', '100000000000000000000', '1e+21', '1.5e-7', '0.000001', '5e-324']
    """
    if value == 0:
        return "0"
    sign, mantissa, exponent = re.fullmatch(r"(-?)([\d.]+)(?:e([+-]\d+))?", repr(value)).groups()  # type: ignore[union-attr]
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))  # 0.digits × 10^point
    digits = digits.rstrip("0")
    size = len(digits)
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if size <= point else f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = f"{digits[0]}{'.' if size > 1 else ''}{digits[1:]}e{point - 1:+d}"
    return sign + text
