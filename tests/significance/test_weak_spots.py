"""Checks for weak spots that an accuracy hides."""

import numpy as np
import pytest

from justesse import Tally
from justesse.significance import accepted_gap, low_recalls, majority_gap
from justesse.significance.paired_difference import paired_difference


@pytest.mark.parametrize(
    ("table", "better"),
    [
        ([[90, 5], [3, 2]], "worse"),  # 92 right, 95 by always predicting 0
        ([[93, 2], [3, 2]], "equal"),
        ([[94, 1], [3, 2]], "unclear"),
        ([[9500, 0], [460, 40]], "barely"),  # clear, but 8 % of the errors are saved
        ([[9500, 0], [100, 400]], "clearly"),
    ],
)
def test_how_much_better_than_the_most_frequent_label(table, better):
    gap = majority_gap(Tally.from_dense(table))
    assert gap.better == better
    assert gap.class_name == 0
    assert gap.majority == pytest.approx(0.95)


@pytest.mark.parametrize("table", [[[90, 5], [3, 2]], [[93, 2], [3, 2]], [[94, 1], [3, 2]], [[9500, 0], [100, 400]]])
def test_the_low_end_is_that_of_the_paired_difference(table):
    """Also if the classifier is worse; before, it was the accuracy."""
    gap = majority_gap(Tally.from_dense(table))
    n = np.sum(table)
    expected = paired_difference(table[0][1], table[1][1], n).low
    assert gap.low == pytest.approx(float(expected))
    assert gap.low <= gap.accuracy - gap.majority
    assert gap.saved == pytest.approx((table[1][1] - table[0][1]) / np.sum(table[1]))


def test_nothing_can_be_saved_where_the_majority_answer_is_always_right():
    gap = majority_gap(Tally.of(("label", "prediction"), [("a", "a", 9), ("a", "b", 1)]))
    assert gap.better == "worse"
    assert np.isnan(gap.saved)


def test_no_rows_have_no_low_recall():
    assert low_recalls(Tally.from_dense([[0, 0], [0, 0]])) == []


def test_rows_that_accept_several_classes_are_compared_by_the_interval_of_the_accuracy():
    rows = Tally.of(("label", "prediction"), [("a", "a", 800), ("b", "a", 200)])
    better = {n: accepted_gap(rows, {"a": n, "b": 1}).better for n in (900, 800, 790, 700)}
    assert better == {900: "worse", 800: "equal", 790: "unclear", 700: "clearly"}


def test_only_recalls_that_are_low_beyond_chance_are_listed():
    table = np.diag([900, 40, 20])
    table[1, 0], table[2, 0] = 60, 1
    (low,) = low_recalls(Tally.from_dense(table))
    assert (low.class_name, low.recall, low.n) == (1, 0.4, 100)
    assert low_recalls(Tally.from_dense([[85, 15], [2, 1]])) == []  # 1 of 3 rows may be chance
    assert low_recalls(Tally.from_dense([[500, 300], [900, 100]])) == []  # the accuracy does not look good
