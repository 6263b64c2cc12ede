"""Golden values, scikit-learn and brute force as oracles, properties of ranks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import calibration as sk_calibration
from sklearn import metrics

from justesse.core.errors import OptionError
from justesse.measures.curves.auc import auc, auc_error
from justesse.measures.curves.brier import brier, brier_parts
from justesse.measures.curves.calibration import calibration, ece, expected_if_calibrated
from justesse.measures.curves.class_areas import class_areas
from justesse.measures.curves.log_loss import log_loss
from justesse.measures.curves.placement import placement
from justesse.measures.curves.precision_recall import (
    average_precision,
    average_precision_bounds,
    precision_recall,
    trapezoid_area,
)
from justesse.measures.curves.ranked import Ranked
from justesse.measures.curves.roc import roc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import at, cheapest, cost_curve, for_recall, for_specificity

GOLDEN = ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0])


def cases():
    rng = np.random.default_rng(0)
    for n, digits in ((50, 1), (400, 2), (400, 12)):
        y = rng.random(n) < 0.3
        s = np.round(1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 1))), digits)
        yield y, np.clip(s, 0.01, 0.99), rng.random(n) + 0.1


CASES = list(cases())


def test_golden_curve_of_001():
    curve = roc(GOLDEN)
    assert curve.tpr == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3, 1, 1, 1])
    assert curve.fpr == pytest.approx([0, 0, 1 / 3, 1 / 3, 1 / 3, 2 / 3, 1])
    assert auc(GOLDEN) == pytest.approx(7 / 9)
    assert round(average_precision(GOLDEN), 4) == 0.8056
    assert round(trapezoid_area(GOLDEN), 4) == 0.7639


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_scikit_learn_agrees(y, s, w, weighted):
    sample = w if weighted else None
    table = ScoreCounts.of(s, y, sample)
    assert auc(table) == pytest.approx(metrics.roc_auc_score(y, s, sample_weight=sample))
    assert average_precision(table) == pytest.approx(metrics.average_precision_score(y, s, sample_weight=sample))
    assert log_loss(table).value == pytest.approx(metrics.log_loss(y, s, sample_weight=sample))
    assert brier(table).value == pytest.approx(metrics.brier_score_loss(y, s, sample_weight=sample))
    fpr, tpr, thresholds = metrics.roc_curve(y, s, sample_weight=sample, drop_intermediate=False)
    assert roc(table).tpr == pytest.approx(tpr)
    assert roc(table).fpr == pytest.approx(fpr)
    assert roc(table).threshold[1:] == pytest.approx(thresholds[1:])
    precision, recall, _ = metrics.precision_recall_curve(y, s, sample_weight=sample)
    assert precision_recall(table).precision[::-1] == pytest.approx(precision[:-1])
    assert precision_recall(table).recall[::-1] == pytest.approx(recall[:-1])


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_brute_force_over_pairs(y, s, w):
    pairs = [(a > b) + 0.5 * (a == b) for a in s[y] for b in s[~y]]
    assert auc(ScoreCounts.of(s, y)) == pytest.approx(np.mean(pairs))
    ranked = Ranked.of(s)
    assert placement(ranked, y, np.ones(len(y))).auc == pytest.approx(np.mean(pairs))
    assert placement(ranked, y, w).auc == pytest.approx(metrics.roc_auc_score(y, s, sample_weight=w))


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_what_one_row_adds(y, s, w):
    base = placement(Ranked.of(s), y, w)
    for row in (0, 7, 21):
        moved = [w.copy(), w.copy()]
        moved[0][row] += 1e-6
        moved[1][row] -= 1e-6
        areas = [metrics.roc_auc_score(y, s, sample_weight=one) for one in moved]
        assert base.influence[row] == pytest.approx((areas[0] - areas[1]) / 2e-6, abs=1e-6)


SCORES = st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=40).filter(
    lambda rows: len({positive for _, positive in rows}) == 2
)


@given(SCORES)
@settings(max_examples=80)
def test_only_the_order_of_scores_matters(rows):
    s, y = np.array([score for score, _ in rows], dtype=float), np.array([positive for _, positive in rows])
    area = auc(ScoreCounts.of(s, y))
    assert auc(ScoreCounts.of(s**3 + 5, y)) == pytest.approx(area)
    assert auc(ScoreCounts.of(-s, y)) == pytest.approx(1 - area)
    assert auc(ScoreCounts.of(s, ~y)) == pytest.approx(1 - area)
    assert average_precision(ScoreCounts.of(np.exp(s / 4), y)) == pytest.approx(average_precision(ScoreCounts.of(s, y)))
    low, high = average_precision_bounds(ScoreCounts.of(s, y))
    broken_ties = s + np.random.default_rng(0).random(len(s)) / 2
    assert low - 1e-9 <= average_precision(ScoreCounts.of(broken_ties, y)) <= high + 1e-9


@given(SCORES)
@settings(max_examples=40)
def test_all_tied_is_one_half(rows):
    y = np.array([positive for _, positive in rows])
    assert auc(ScoreCounts.of(np.zeros(len(y)), y)) == 0.5


def test_one_side_only_is_undefined():
    assert np.isnan(auc(ScoreCounts.of([0.1, 0.2], [1, 1])))
    assert np.isnan(average_precision(ScoreCounts.of([0.1, 0.2], [0, 0])))
    assert np.isnan(trapezoid_area(ScoreCounts.of([0.1, 0.2], [0, 0])))
    assert np.isinf(log_loss(ScoreCounts.of([0.0, 0.2], [1, 0])).value)


def test_calibration_agrees_with_scikit_learn_and_the_parts_add_up():
    y, s, _ = CASES[2]
    table = ScoreCounts.of(s, y)
    for by, strategy in (("width", "uniform"), ("mass", "quantile")):
        share, score = sk_calibration.calibration_curve(y, s, n_bins=10, strategy=strategy)
        bins = calibration(table, by=by)
        assert bins.share_positive == pytest.approx(share, abs=0.03 if by == "mass" else 1e-12)
        assert bins.mean_score == pytest.approx(score, abs=0.03 if by == "mass" else 1e-12)
        parts = brier_parts(table, bins)
        total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
        assert total == pytest.approx(brier(table).value)
    edges = np.minimum((s * 10).astype(int), 9)
    by_hand = sum(
        np.sum(edges == b) / len(s) * abs(s[edges == b].mean() - y[edges == b].mean()) for b in np.unique(edges)
    )
    assert ece(calibration(table)) == pytest.approx(by_hand)


def test_the_bias_of_ece_by_simulation():
    rng = np.random.default_rng(0)
    s = rng.random(500)
    found = [ece(calibration(ScoreCounts.of(s, rng.random(500) < s))) for _ in range(400)]
    expected = expected_if_calibrated(calibration(ScoreCounts.of(s, rng.random(500) < s)))
    assert np.mean(found) == pytest.approx(expected, rel=0.06)
    assert expected > 0.03


def test_decomposition_of_tied_scores_has_nothing_left_within():
    rng = np.random.default_rng(0)
    s = rng.choice([0.15, 0.45, 0.85], size=300)
    table = ScoreCounts.of(s, rng.random(300) < s)
    assert brier_parts(table, calibration(table)).within == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("y", "s", "w"), CASES)
def test_thresholds_by_brute_force(y, s, w):
    table = ScoreCounts.of(s, y)
    for wanted in (0.5, 0.8, 0.95, 1.0):
        recall = for_recall(table, wanted)
        good = [t for t in np.unique(s) if np.mean(s[y] >= t) >= wanted - 1e-12]
        assert recall.value == max(good)
        specificity = for_specificity(table, wanted)
        kept = [t for t in [*np.unique(s), np.inf] if np.mean(s[~y] < t) >= wanted - 1e-12]
        assert specificity.value == min(kept)
    paid = {t: 3 * np.sum(s[y] < t) + np.sum(s[~y] >= t) for t in [*np.unique(s), np.inf]}
    best = cheapest(table, false_negative=3, false_positive=1)
    assert 3 * best.fn + best.fp == min(paid.values())
    curve = cost_curve(table, np.array([0.25]))
    assert curve.cost[0] == pytest.approx(min(paid.values()) / 4 / len(s))
    assert 3 * curve.missed[0] + curve.alarmed[0] == pytest.approx(min(paid.values()) / len(s))
    half = at(table, 0.5)
    assert half.tally.n == len(s)
    assert (half.tp, half.fp) == (np.sum(s[y] >= 0.5), np.sum(s[~y] >= 0.5))


def test_bins_are_never_further_off_than_they_say():
    rng = np.random.default_rng(1)
    y = rng.random(5000) < 0.2
    s = np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1)
    which = np.minimum((s * 50).astype(int), 49)
    exact = ScoreCounts.of(s, y)
    p, n = np.bincount(which, y, 50)[::-1], np.bincount(which, ~y, 50)[::-1]
    binned = ScoreCounts((np.arange(50)[::-1] + 0.5) / 50, p, n, p, n, width=0.02)
    assert 0 < abs(auc(binned) - auc(exact)) <= auc_error(binned)
    low, high = average_precision_bounds(binned)
    assert low <= average_precision(exact) <= high
    assert auc_error(exact) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: for_recall(GOLDEN, 1.5),
        lambda: for_specificity(ScoreCounts.of([0.5], [1]), 0.5),
        lambda: cheapest(GOLDEN, false_negative=0, false_positive=0),
        lambda: calibration(GOLDEN, bins=1),
        lambda: calibration(GOLDEN, by="size"),
    ],
)
def test_nonsense_is_refused(call):
    with pytest.raises(OptionError):
        call()


@pytest.mark.parametrize("weighted", [False, True])
def test_one_ranking_gives_the_areas_of_all_pairs(weighted):
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=120)
    scores = np.round(rng.random(120) + 0.3 * (labels == 1), 1)
    weights = rng.random(120) + 0.1 if weighted else np.ones(120)
    totals = np.bincount(labels, weights, minlength=5)
    found = class_areas(scores, labels, weights if weighted else None, 1, totals)
    areas, slope = found.pairs, found.pair_slope
    summed = np.zeros(120)
    for code in (0, 2, 3):
        rows = np.flatnonzero((labels == 1) | (labels == code))
        placed = placement(Ranked.of(scores[rows]), labels[rows] == 1, weights[rows])
        assert areas[code] == pytest.approx(placed.auc)
        sample = weights[rows]
        assert areas[code] == pytest.approx(
            metrics.roc_auc_score(labels[rows] == 1, scores[rows], sample_weight=sample)
        )
        summed[rows] += placed.influence
    assert slope == pytest.approx(summed)
    assert np.isnan(areas[[1, 4]]).all()


@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_ranking_gives_what_the_table_of_scores_gives(weighted, digits):
    rng = np.random.default_rng(4)
    labels = rng.integers(3, size=200)
    scores = np.round(rng.random(200) + 0.3 * (labels == 1), digits)
    weights = rng.integers(0, 4, size=200).astype(float) if weighted else np.ones(200)
    found = class_areas(scores, labels, weights if weighted else None, 1, np.bincount(labels, weights))
    table = ScoreCounts.of(scores, labels == 1, weights)
    for part in ("scores", "positives", "negatives", "positive_squares", "negative_squares"):
        assert getattr(found.table, part) == pytest.approx(getattr(table, part))
    assert found.auc == pytest.approx(auc(table))
    assert found.average_precision == pytest.approx(average_precision(table))
    assert found.auc_slope == pytest.approx(placement(Ranked.of(scores), labels == 1, weights).influence)
    for row in np.flatnonzero(weights)[:20]:
        heavier = weights.copy()
        heavier[row] += 1e-6
        slope = (average_precision(ScoreCounts.of(scores, labels == 1, heavier)) - average_precision(table)) / 1e-6
        assert found.average_precision_slope[row] == pytest.approx(slope, abs=1e-5)


def test_levels_and_counts_of_scores_give_the_same_digits():
    rng = np.random.default_rng(5)
    for digits in (1, 12):
        for _ in range(50):
            scores, positive = rng.normal(size=200).round(digits), rng.random(200) < 0.4
            found = class_areas(scores, positive.astype(int), None, 1, np.bincount(positive))
            table = ScoreCounts.of(scores, positive)
            assert (found.auc, found.average_precision) == (auc(table), average_precision(table))


def test_a_class_that_does_not_occur_has_no_areas():
    found = class_areas(np.array([0.2, 0.4]), np.array([0, 0]), None, 1, np.array([2.0, 0.0]))
    assert np.isnan([found.auc, found.average_precision, *found.pairs]).all()
