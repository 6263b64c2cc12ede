"""Scores of rows in clusters: against definitions written out, independent rows, and statsmodels."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from justesse.intervals.clustered_areas import ClusteredSpread, clustered_area
from justesse.intervals.clustered_scores import ClassClusters, RowClusters
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_clustered_scores, estimate_probabilities, estimate_scores
from justesse.measures.curves.calibration import calibration, expected_if_calibrated
from justesse.measures.curves.class_areas import class_areas
from justesse.measures.curves.placement import placement
from justesse.measures.curves.ranked import Ranked
from justesse.measures.curves.score_counts import ScoreCounts


def drawn(groups=30, shared=1.0, seed=0):
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(groups), rng.integers(2, 12, groups))
    positive = rng.random(len(cluster)) < 0.4
    level = rng.normal(0, shared, groups)[cluster]
    score = 1 / (1 + np.exp(-(1.5 * (positive - 0.5) + level + rng.normal(size=len(cluster)))))
    return score, positive, cluster


def of_class(score, positive, cluster):
    totals = np.array([positive.sum(), (~positive).sum()], dtype=float)
    areas = class_areas(score, (~positive).astype(int), None, 0, totals)
    return ClassClusters(areas, positive, score, RowClusters.of(cluster))


def by_name(estimates):
    return {item.name: item for item in estimates}


def test_values_are_those_of_scikit_learn_and_the_area_is_that_of_compare():
    score, positive, cluster = drawn()
    found = by_name(estimate_clustered_scores(score, positive, RowClusters.of(cluster), Confidence())[0])
    assert found["roc_auc"].value == pytest.approx(roc_auc_score(positive, score), abs=1e-12)
    assert found["average_precision"].value == pytest.approx(average_precision_score(positive, score), abs=1e-12)
    ends = clustered_area(positive, score, cluster)
    assert found["roc_auc"].interval.low == pytest.approx(float(ends.low), abs=1e-12)
    assert found["roc_auc"].interval.high == pytest.approx(float(ends.high), abs=1e-12)


def test_average_precision_varies_over_clusters_as_the_slopes_by_finite_differences_say():
    score, positive, cluster = drawn(groups=8)
    item = of_class(score, positive, cluster)
    value, step, sums = average_precision_score(positive, score), 1e-6, np.zeros(8)
    for row, where in enumerate(cluster):
        weights = np.ones(len(score))
        weights[row] += step
        sums[where] += (average_precision_score(positive, score, sample_weight=weights) - value) / step
    sizes = np.bincount(cluster)
    expected = (sums**2 / (1 - sizes / sizes.sum())).sum()
    assert item.rows.squares(item.areas.average_precision_slope).sum() == pytest.approx(expected, rel=1e-4)


def test_mean_losses_have_the_cr2_error_written_out_with_matrices():
    score, positive, cluster = drawn(groups=9)
    loss = (score - positive) ** 2
    ends = RowClusters.of(cluster).mean_loss(loss, level=0.95, alternative="two-sided")
    n = len(loss)
    residual, variance = loss - loss.mean(), 0.0
    design = np.ones((n, 1))
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    for group in np.unique(cluster):
        here = cluster == group
        values, vectors = np.linalg.eigh(np.eye(here.sum()) - hat[np.ix_(here, here)])
        adjusted = vectors @ np.diag(values**-0.5) @ vectors.T @ residual[here]
        variance += (adjusted.sum() / n) ** 2
    half = np.log(float(ends.high) / float(ends.low)) / 2  # t·error/mean
    from justesse.intervals.clustered import clustered_mean

    mean = clustered_mean(np.bincount(cluster, loss), np.bincount(cluster))
    assert mean.error == pytest.approx(np.sqrt(variance), rel=1e-9)
    from scipy.stats import t

    assert half == pytest.approx(t.ppf(0.975, mean.degrees) * np.sqrt(variance) / loss.mean(), rel=1e-9)


def test_with_equal_clusters_the_error_is_that_of_statsmodels():
    """CR2 of a mean is CR1 without statsmodels' (n - 1)/(n - k) factor, if all clusters have one size."""
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(25), 6)
    loss = rng.exponential(size=25)[cluster] + rng.exponential(size=150)
    fitted = api.OLS(loss, np.ones(150)).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    from justesse.intervals.clustered import clustered_mean

    mean = clustered_mean(np.bincount(cluster, loss), np.bincount(cluster))
    # statsmodels multiplies by G/(G-1)·(n-1)/(n-k), which with k = 1 is G/(G-1)
    assert mean.error == pytest.approx(float(fitted.bse[0]), rel=1e-9)


def test_clusters_of_one_row_give_nearly_the_intervals_of_independent_rows():
    score, positive, _ = drawn(groups=120)
    alone = RowClusters.of(np.arange(len(score)))
    clustered = by_name(estimate_clustered_scores(score, positive, alone, Confidence())[0])
    plain = by_name(estimate_scores(ScoreCounts.of(score, positive), Confidence()))
    for name, item in plain.items():
        assert clustered[name].value == pytest.approx(item.value, abs=1e-9)
        assert clustered[name].interval.low == pytest.approx(item.interval.low, abs=0.01)
        assert clustered[name].interval.high == pytest.approx(item.interval.high, abs=0.01)


def test_rows_repeated_in_their_clusters_narrow_nothing():
    score, positive, cluster = drawn(groups=25)
    once = by_name(estimate_clustered_scores(score, positive, RowClusters.of(cluster), Confidence())[0])
    many = [np.tile(part, 5) for part in (score, positive, cluster)]
    again = by_name(estimate_clustered_scores(many[0], many[1], RowClusters.of(many[2]), Confidence())[0])
    plain = by_name(estimate_scores(ScoreCounts.of(many[0], many[1]), Confidence()))
    for name, item in once.items():
        width = again[name].interval.high - again[name].interval.low
        assert width > 0.8 * (item.interval.high - item.interval.low)
        assert width > 1.5 * (plain[name].interval.high - plain[name].interval.low)


def test_shares_at_a_threshold_count_whole_clusters():
    from justesse.intervals.clustered import clustered_share

    score, positive, cluster = drawn()
    called = score >= 0.6
    low, high = of_class(score, positive, cluster).at_threshold(0.6, 0.95)["recall"]
    sizes, right = np.bincount(cluster, positive), np.bincount(cluster, positive & called)
    ends = clustered_share(right[sizes > 0], sizes[sizes > 0])
    assert (low, high) == (float(ends.low[0]), float(ends.high[0]))


def test_chance_shows_a_larger_calibration_error_with_clusters():
    score, positive, cluster = drawn(shared=2.0)
    item, bins = of_class(score, positive, cluster), calibration(ScoreCounts.of(score, positive), by="mass")
    assert item.expected_ece(bins) >= expected_if_calibrated(bins)
    # the calibration error that chance shows is doubled if every row is there four times
    many = [np.tile(part, 4) for part in (score, positive, cluster)]
    repeated = calibration(ScoreCounts.of(many[0], many[1]), by="mass")
    assert of_class(*many).expected_ece(repeated) > 1.5 * expected_if_calibrated(repeated)


def test_means_over_classes_are_wider_with_clusters_that_differ():
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(30), 8)
    label = rng.integers(0, 3, 240)
    odds = np.exp(np.eye(3)[label] + 1.5 * rng.normal(size=(30, 3))[cluster] + rng.normal(size=(240, 3)))
    scores = odds / odds.sum(1, keepdims=True)
    plain = estimate_probabilities(scores, label, (0, 1, 2), None, Confidence()).estimates
    robust = estimate_probabilities(scores, label, (0, 1, 2), None, Confidence(), RowClusters.of(cluster)).estimates
    for own, item in zip(robust, plain, strict=True):
        assert own.value == item.value
        assert own.interval.method.endswith("-cr2")
    macro = [next(x.interval for x in items if x.name == "brier") for items in (robust, plain)]
    assert macro[0].high - macro[0].low > macro[1].high - macro[1].low


def test_a_perfect_score_counts_clusters():
    _, positive, cluster = drawn(groups=12)
    perfect = positive * 0.8 + 0.1
    few = by_name(estimate_clustered_scores(perfect, positive, RowClusters.of(cluster), Confidence())[0])
    alone = by_name(estimate_scores(ScoreCounts.of(perfect, positive), Confidence()))
    for name in ("roc_auc", "average_precision"):
        assert few[name].interval.low < alone[name].interval.low


@pytest.mark.parametrize("seed", range(4))
def test_the_variance_of_an_area_is_obuchowski_s_written_out_pair_by_pair(seed):
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, 25, 160)
    positive = rng.random(160) < 0.4
    score = np.round(positive + rng.normal(size=25)[cluster] + rng.normal(size=160), 1)  # with ties
    wins = (score[positive][:, None] > score[~positive]) + 0.5 * (score[positive][:, None] == score[~positive])
    area, (m, n) = wins.mean(), wins.shape
    groups = np.unique(cluster)
    above = np.array([(wins.mean(1) - area)[cluster[positive] == g].sum() for g in groups])
    below = np.array([(wins.mean(0) - area)[cluster[~positive] == g].sum() for g in groups])
    with_positive, with_negative = (len(np.unique(cluster[rows])) for rows in (positive, ~positive))
    s10 = with_positive / ((with_positive - 1) * m) * (above**2).sum()
    s01 = with_negative / ((with_negative - 1) * n) * (below**2).sum()
    s11 = len(groups) / (len(groups) - 1) * (above * below).sum()
    placed = placement(Ranked.of(score), positive, np.ones(160))
    spread = ClusteredSpread.of(placed.influence, positive, cluster)
    assert placed.auc == pytest.approx(area)
    assert spread.variance == pytest.approx(s10 / m + s01 / n + 2 * s11 / (m * n))
