"""Bounds of forgetting and transfer over missing labels, against every label they could have."""

from itertools import product

import numpy as np
import pytest

from justesse.lifelong.item_patterns import NO_LABEL, NOT_TESTED, ItemPatterns
from justesse.lifelong.missing_transfer import missing_transfer
from justesse.lifelong.transfer import transfer_figures


def _drawn(seed: int, classes: int, versions: int, missing: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draws = np.random.default_rng(seed)
    n = versions * 5
    period = np.repeat(np.arange(versions), 5)
    label = draws.integers(classes, size=n)
    answers = np.where(draws.random((n, versions)) < 0.6, label[:, None], draws.integers(classes, size=(n, versions)))
    label[draws.choice(n, missing, replace=False)] = NO_LABEL
    return period, label, answers


def _by_hand(
    period: np.ndarray, label: np.ndarray, answers: np.ndarray, classes: int
) -> dict[int, tuple[float, float]]:
    """Fill in the missing labels in every way."""
    versions = answers.shape[1]
    gaps = np.flatnonzero(label == NO_LABEL)
    every = []
    for filled in product(range(classes), repeat=len(gaps)):
        truth = label.copy()
        truth[gaps] = filled
        scores = np.array(
            [
                [
                    np.mean((answers[:, i] == truth)[(period == j) & (answers[:, i] != NOT_TESTED)])
                    for j in range(versions)
                ]
                for i in range(versions)
            ]
        )
        every.append([figure.value for figure in transfer_figures(scores)])
    values = np.array(every)
    return {at: (values[:, at].min(), values[:, at].max()) for at in range(values.shape[1])}


@pytest.mark.parametrize(
    ("seed", "classes", "versions"), [(1, 2, 2), (2, 2, 3), (3, 3, 3), (4, 4, 2), (5, 3, 4), (6, 2, 4)]
)
def test_bounds_are_those_of_every_label(seed: int, classes: int, versions: int) -> None:
    missing = {2: 8, 3: 6, 4: 4}[classes]
    period, label, answers = _drawn(seed, classes, versions, missing)
    by_hand = _by_hand(period, label, answers, classes)
    patterns = ItemPatterns.of_items(period, label, answers, classes=classes, periods=versions)
    for at, bounds in enumerate(missing_transfer(patterns)):
        if np.isnan(by_hand[at][0]):
            assert np.isnan(bounds.low)
            assert np.isnan(bounds.high)
            continue
        assert (bounds.low, bounds.high) == pytest.approx(by_hand[at], abs=1e-9), bounds.name
        assert bounds.sharp


def test_rows_without_ids_are_items_of_their_own() -> None:
    period, label, answers = _drawn(7, 2, 2, 3)
    apart = np.full((2 * len(period), 2), NOT_TESTED)
    apart[: len(period), 0], apart[len(period) :, 1] = answers[:, 0], answers[:, 1]
    by_hand = _by_hand(np.tile(period, 2), np.tile(label, 2), apart, 2)
    patterns = ItemPatterns.of_items(np.tile(period, 2), np.tile(label, 2), apart, classes=2, periods=2, shared=False)
    for at, bounds in enumerate(missing_transfer(patterns)):
        if not np.isnan(by_hand[at][0]):
            assert (bounds.low, bounds.high) == pytest.approx(by_hand[at], abs=1e-9), bounds.name


def test_without_missing_labels_both_ends_are_the_value() -> None:
    period, label, answers = _drawn(8, 3, 3, 0)
    patterns = ItemPatterns.of_items(period, label, answers, classes=3, periods=3)
    figures = transfer_figures(patterns.accuracies)
    for figure, bounds in zip(figures, missing_transfer(patterns), strict=True):
        if figure.undefined is None:
            assert bounds.low == pytest.approx(figure.value)
            assert bounds.high == pytest.approx(figure.value)
