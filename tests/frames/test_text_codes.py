"""Text labels are coded by one dictionary; values of other types that equal each other stay apart."""

import numpy as np
import pytest

from justesse.frames.values import _factorised


@pytest.mark.parametrize(
    ("values", "codes", "names"),
    [
        (["b", "a", None, "b"], [0, 1, 2, 0], ["b", "a", None]),
        (["1", 1, True, "1"], [0, 1, 2, 0], ["1", 1, True]),
        ([["a"], "['a']", ["a"]], [0, 0, 0], ["['a']"]),
        ([], [], []),
    ],
)
def test_values_are_coded_in_order_of_appearance(values, codes, names):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    found_codes, found_names = _factorised(column)
    assert (found_codes.tolist(), found_names) == (codes, names)
    assert list(map(type, found_names)) == list(map(type, names))


def test_masked_text_is_missing():
    column = np.ma.array(np.array(["a", "b", "a"], dtype=object), mask=[False, False, True])
    codes, names = _factorised(column)
    assert (codes.tolist(), names) == ([0, 1, 2], ["a", "b", None])
