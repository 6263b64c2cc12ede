"""A short, seeded check of what docs/validity.md shows in full."""

import numpy as np
import pytest
from studies.validity.coverage import (
    by_simulation,
    folds,
    mean_of_shares,
    overlapping,
    proportion,
    tails_of_means,
    tails_of_unequal_classes,
)

GRID = np.linspace(0.5, 0.99, 50)


@pytest.mark.parametrize("n", [20, 200])
def test_clopper_pearson_never_falls_below_its_level(n):
    assert min(proportion("clopper-pearson", n, p) for p in GRID) >= 0.95
    assert min(proportion("clopper-pearson", n, p, alternative="greater") for p in GRID) >= 0.95


@pytest.mark.parametrize("method", ["wilson", "agresti-coull", "jeffreys"])
@pytest.mark.parametrize("n", [20, 200])
def test_the_good_ones_are_right_on_average(method, n):
    assert np.mean([proportion(method, n, p) for p in GRID]) == pytest.approx(0.955, abs=0.015)


def test_wald_is_seen_to_fail():
    assert proportion("wald", 20, 0.95) < 0.65


@pytest.mark.parametrize("how", ["percentile", "bca", "none"])
def test_resampling_and_delta_cover_with_a_thousand_rows(how):
    found = by_simulation(how, classes=3, right=0.8, imbalance=1.5, n=1000, repetitions=300, draws=400)
    for name, one in found.items():
        assert 0.915 <= one.covered <= 0.985, name
        assert one.absent == 0


def test_bca_beats_percentile_where_the_spread_is_skewed():
    setting = {"classes": 3, "right": 0.95, "imbalance": 1.0, "n": 50, "repetitions": 400, "draws": 400}
    bca, percentile = (by_simulation(how, **setting)["cost"].covered for how in ("bca", "percentile"))
    assert bca > percentile + 0.05


def test_balanced_accuracy_with_a_rare_class():
    setting = {"right": 0.95, "rare": 0.1, "n": 200, "repetitions": 300}
    assert mean_of_shares("percentile", **setting).covered < 0.85
    assert mean_of_shares(None, **setting).covered > 0.92


def test_folds():
    normal = folds("normal", 10, repetitions=2000)
    assert normal["mean, student"].covered == pytest.approx(0.95, abs=0.015)
    assert normal["spread, chi-square"].covered == pytest.approx(0.95, abs=0.015)
    assert folds("exponential", 10, repetitions=2000)["spread, chi-square"].covered < 0.85


def test_overlapping_training_sets_need_the_correction():
    found = overlapping(repetitions=200)
    assert found["plain Student"].covered < 0.75
    assert found["Nadeau-Bengio"].covered > 0.85


@pytest.mark.parametrize(("classes", "rows", "right"), [(10, 20, 0.9), (30, 20, 0.9), (100, 10, 0.9), (100, 30, 0.7)])
def test_balanced_accuracy_of_many_classes_misses_on_both_sides_alike(classes, rows, right):
    """Shifts added up as they are miss in 14 % on one side and never on the other."""
    below, above = tails_of_means(classes, rows, right, repetitions=800)["mover"]
    assert 0.005 < below < 0.045
    assert 0.01 < above < 0.05


@pytest.mark.parametrize(
    ("rows", "recalls"),
    [((20, 1000), (1.0, 0.99)), ((20, 1000), (0.0, 0.01)), ((20, 1000), (0.95, 0.9)), ((20, 1000), (0.05, 0.1))],
)
def test_balanced_accuracy_of_a_small_and_a_large_class_misses_seldom_on_either_side(rows, recalls):
    """A shift without a floor missed in 42 % on one side if the small class had no mistake, or no hit."""
    below, above = tails_of_unequal_classes(rows, recalls, repetitions=1000)["mover"]
    assert below < 0.06
    assert above < 0.06
