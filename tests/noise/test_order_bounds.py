"""Wrong labels that could swap two models, and ranks they allow: against every possible set of wrong labels."""

import itertools

import numpy as np
import pytest

from justesse.core.board_counts import BoardCounts
from justesse.core.errors import OptionError
from justesse.frames.board_rows import board_counts, decisive_rows, neighbour_rows
from justesse.noise.order_bounds import order_bounds, order_breakdown

CLASSES = 3


def every_key(labels, most):
    """Give every key that differs from the labels in at most so many rows."""
    for rows in itertools.combinations(range(len(labels)), most):
        for codes in itertools.product(range(CLASSES), repeat=most):
            key = labels.copy()
            key[list(rows)] = codes
            yield key


@pytest.mark.parametrize("seed", range(60))
def test_the_breakdown_is_the_smallest_number_that_swaps(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=5)
    answers = rng.integers(CLASSES + 1, size=(2, 5))  # the last code is a missing answer
    right = (answers == labels).sum(1)
    order = np.argsort(-right, kind="stable").tolist()
    answered = np.arange(CLASSES + 1) < CLASSES
    (rows,) = neighbour_rows(labels, answers, order, answered)
    found = order_breakdown(rows.lead, rows.double, rows.single, 5).labels
    first, second = answers[order]
    brute = next(
        (
            many
            for many in range(1, 6)
            if any((key == second).sum() > (key == first).sum() for key in every_key(labels, many))
        ),
        None,
    )
    assert found == brute


@pytest.mark.parametrize("seed", range(15))
def test_bounds_hold_for_every_key(seed):
    rng = np.random.default_rng(seed)
    labels, answers = rng.integers(CLASSES, size=6), rng.integers(CLASSES, size=(4, 6))
    bounds = order_bounds([board_counts(labels, answers)], [0.34])
    assert bounds.labels == (2,)
    seen_low, seen_high = np.ones(4), np.zeros(4)
    best, worst = np.full(4, 4), np.ones(4)
    for key in every_key(labels, 2):
        score = (answers == key).mean(1)
        seen_low, seen_high = np.minimum(seen_low, score), np.maximum(seen_high, score)
        best = np.minimum(best, 1 + (score[:, None] < score).sum(1))
        worst = np.maximum(worst, 1 + (score[:, None] < score).sum(1))
    assert np.allclose(bounds.low, seen_low)
    assert np.allclose(bounds.high, seen_high)
    assert (bounds.best <= best).all()
    assert (bounds.worst >= worst).all()


@pytest.mark.parametrize("seed", range(10))
def test_a_pair_is_exact_by_task(seed):
    """With two models the ranks are exact: a strict lead of either is possible if and only if they allow it."""
    rng = np.random.default_rng(seed)
    labels, answers = rng.integers(CLASSES, size=6), rng.integers(CLASSES, size=(2, 6))
    parts = [slice(0, 3), slice(3, 6)]
    bounds = order_bounds([board_counts(labels[part], answers[:, part]) for part in parts], [0.34, 0.0])
    gaps = [(answers[0] == key).sum() - (answers[1] == key).sum() for key in every_key(labels, 1)
            if (key[3:] == labels[3:]).all()]  # fmt: skip
    assert bounds.best.tolist() == [1 + (max(gaps) < 0), 1 + (min(gaps) > 0)]
    assert bounds.worst.tolist() == [1 + (min(gaps) < 0), 1 + (max(gaps) > 0)]


@pytest.mark.parametrize("seed", range(10))
def test_bounds_hold_with_missing_answers(seed):
    rng = np.random.default_rng(seed)
    labels, answers = rng.integers(CLASSES, size=6), rng.integers(CLASSES + 1, size=(3, 6))  # the last code is missing
    bounds = order_bounds([board_counts(labels, answers)], [0.34])
    for key in every_key(labels, 2):
        score = (answers == key).mean(1)
        rank = 1 + (score[:, None] < score).sum(1)
        assert ((bounds.best <= rank) & (rank <= bounds.worst)).all()
        assert ((bounds.low <= score + 1e-9) & (score <= bounds.high + 1e-9)).all()


def test_a_tie_costs_no_rank():
    """One label of ten can make the two equal, but only two labels can put the second before the first."""
    counts = BoardCounts(np.array([[6, 4], [4, 4]]), np.zeros((2, 2)), 10)
    assert order_breakdown(2, 2, 0, 10).labels == 2
    one_label, two_labels = order_bounds([counts], [0.1]), order_bounds([counts], [0.2])
    assert one_label.best.tolist() == [1, 1]
    assert one_label.worst.tolist() == [1, 2]
    assert two_labels.worst.tolist() == [2, 2]


@pytest.mark.parametrize("seed", range(20))
def test_decisive_rows_are_those_that_move_most(seed):
    rng = np.random.default_rng(seed)
    labels, answers = rng.integers(CLASSES, size=30), rng.integers(CLASSES, size=(5, 30))
    right = (answers == labels).sum(1)
    order = np.argsort(-right, kind="stable").tolist()
    leads = np.array([right[a] - right[b] for a, b in itertools.pairwise(order)])
    weights = []
    for row in range(30):
        best = 0.0
        for code in range(CLASSES):
            change = (answers[order, row] == code).astype(int) - (answers[order, row] == labels[row])
            fall = np.maximum(change[1:] - change[:-1], 0)
            best = max(best, float(np.minimum(1, fall / (leads + 1)).sum()))
        weights.append(best)
    found = decisive_rows(labels, answers, order, np.full(CLASSES + 1, True), leads, most=4)
    assert [item.weight for item in found] == pytest.approx(sorted(weights, reverse=True)[: len(found)])
    for item in found:
        assert item.weight == pytest.approx(weights[item.row])
        assert item.right == (answers[:, item.row] == labels[item.row]).sum()
        assert 0 <= item.swaps <= item.orders


def test_a_row_that_only_the_leader_answered_is_listed():
    answered, answers = np.array([True, True, False]), np.array([[0, 1, 1], [2, 1, 2], [2, 1, 0]])
    rows = decisive_rows(np.array([0, 1, 1]), answers, [0, 1, 2], answered, np.array([2, 0]), most=3)
    by_row = {item.row: item for item in rows}
    assert sorted(by_row) == [0, 2]  # all are right on row 1
    assert by_row[0].instead is None  # any other class takes 1 off the lead of 2
    assert (by_row[0].orders, by_row[0].swaps, by_row[0].right) == (1, 0, 1)
    assert by_row[0].weight == pytest.approx(1 / 3)
    assert by_row[2].instead == 0


def test_models_that_never_differ_cannot_be_swapped():
    result = order_breakdown(0, 0, 0, 10)
    assert result.labels is None
    assert "never differ" in result.undefined
    assert result.to_dict()["rate"] is None


def test_a_rate_above_one_is_refused():
    with pytest.raises(OptionError, match="noise rate"):
        order_bounds([board_counts(np.array([0]), np.array([[0], [1]]))], [1.5])
