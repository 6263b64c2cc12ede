"""Rows whose numbers are nearly the same, against a comparison of every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.frames.near_rows import near_rows
from justesse.frames.sides import side

ROW = st.tuples(st.sampled_from([None, *range(6)]), st.sampled_from([0.1, 0.14, 0.2, 2.0]), st.sampled_from("ab"))


def by_pairs(test, train, tolerance):
    """Compare every test row with every training row."""
    spreads = [np.std([row[at] for row in train if row[at] is not None] or [0]) for at in (0, 1)]

    def alike(first, second, spread):
        if first is None or second is None:
            return first is second
        return first == second or abs(first - second) <= tolerance * spread * (1 + 1e-9)

    return [
        place
        for place, row in enumerate(test)
        if any(row[2] == other[2] and all(alike(row[at], other[at], spreads[at]) for at in (0, 1)) for other in train)
    ]


@given(
    test=st.lists(ROW, min_size=1, max_size=12),
    train=st.lists(ROW, min_size=1, max_size=12),
    tolerance=st.sampled_from([0.01, 0.1, 0.5, 1]),
)
def test_they_are_those_of_all_pairs(test, train, tolerance):
    tables = [
        side({name: [row[at] for row in rows] for at, name in enumerate("xyz")}, "rows") for rows in (test, train)
    ]
    result = near_rows(*tables, ["x", "y", "z"], tolerance=tolerance)
    assert result.tolist() == by_pairs(test, train, tolerance)


def test_other_columns_must_be_equal_even_if_they_are_numbers():
    test = side({"version": [1, 2], "x": [5.01, 5.01]}, "test")
    train = side({"version": [2, 2, 1], "x": [5.0, 9.0, 1.0]}, "train")
    assert near_rows(test, train, ["x"], tolerance=0.01, equal=["version"]).tolist() == [1]


def test_a_column_that_never_varies_must_be_equal():
    test = side({"x": [1.0, 1.000001, 1.1]}, "test")
    assert near_rows(test, side({"x": [1.0, 1.0]}, "train"), ["x"], tolerance=1).tolist() == [0, 1]


def test_a_difference_of_just_the_tolerance_counts():
    train = side({"x": [0.0, 2.0]}, "train")  # standard deviation 1
    assert near_rows(side({"x": [0.1, 0.1001]}, "test"), train, ["x"], tolerance=0.1).tolist() == [0]


@pytest.mark.parametrize("name", ["test", "train"])
def test_a_column_with_a_word_is_none_of_numbers(name):
    values = {"test": ["1.01", "2"], "train": ["1", "2"]}
    values[name] = [*values[name], "none"]
    sides = [side({"x": values[part]}, part) for part in ("test", "train")]
    assert 0 not in near_rows(*sides, ["x"], tolerance=0.1)
