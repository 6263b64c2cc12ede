"""Areas under ROC curves of rows in clusters: Obuchowski's formulas by brute force, DeLong with clusters of one row."""

import numpy as np
import pytest
from scipy.special import ndtr

from justesse.core.errors import OptionError
from justesse.intervals.area_score import area_score
from justesse.intervals.clustered import cluster_degrees
from justesse.intervals.clustered_areas import ClusteredSpread, clustered_area
from justesse.intervals.delong import delong_error
from justesse.measures.curves.placement import placement
from justesse.measures.curves.ranked import Ranked
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.significance.clustered_two_areas import clustered_two_areas


def drawn(groups=40, *, seed=0, shared=1.0, gains=(0.8, 1.4), size=None):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, groups) if size is None else np.full(groups, size)
    cluster = np.repeat(np.arange(groups), sizes)
    positive = rng.random(len(cluster)) < 0.4
    level = rng.normal(0, shared, groups)
    scores = [gain * positive + level[cluster] + rng.normal(size=len(cluster)) for gain in gains]
    return positive, *scores, cluster


def obuchowski(positive, scores, cluster):
    """Compute areas and their covariance by the sums of Obuchowski (1997), pair by pair of rows."""
    names = np.unique(cluster)
    areas, tens, ones = [], [], []
    for score in scores:
        wins = (score[positive][:, None] > score[~positive]) + 0.5 * (score[positive][:, None] == score[~positive])
        areas.append(wins.mean())
        v10, v01 = wins.mean(axis=1), wins.mean(axis=0)
        tens.append(np.array([(v10[cluster[positive] == name] - wins.mean()).sum() for name in names]))
        ones.append(np.array([(v01[cluster[~positive] == name] - wins.mean()).sum() for name in names]))
    p, n = positive.sum(), (~positive).sum()
    i10, i01 = len(np.unique(cluster[positive])), len(np.unique(cluster[~positive]))
    i = len(names)
    covariance = np.empty((len(scores), len(scores)))
    for r in range(len(scores)):
        for s in range(len(scores)):
            s10 = i10 / ((i10 - 1) * p) * (tens[r] * tens[s]).sum()
            s01 = i01 / ((i01 - 1) * n) * (ones[r] * ones[s]).sum()
            s11 = i / (i - 1) * ((tens[r] * ones[s]).sum() + (tens[s] * ones[r]).sum()) / 2
            covariance[r, s] = s10 / p + s01 / n + 2 * s11 / (p * n)
    return np.array(areas), covariance


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_variances_are_those_of_obuchowskis_sums(seed):
    positive, first, second, cluster = drawn(seed=seed)
    second = second.round(1)  # ties
    areas, covariance = obuchowski(positive, [first, second], cluster)
    placed = [placement(Ranked.of(score), positive, np.ones(len(score))) for score in (first, second)]
    assert [item.auc for item in placed] == pytest.approx(areas)
    spread = ClusteredSpread.of(placed[0].influence, positive, cluster)
    assert spread.variance == pytest.approx(covariance[0, 0])
    result = clustered_two_areas(positive, first, second, cluster)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert result.difference.value == pytest.approx(areas[1] - areas[0])
    assert result.statistic == pytest.approx((areas[1] - areas[0]) / np.sqrt(variance))


def test_clusters_of_one_row_give_delong():
    positive, first, second, _ = drawn(300, size=1)
    alone = np.arange(300)
    placed = placement(Ranked.of(first), positive, np.ones(300))
    table = ScoreCounts.of(first, positive)
    assert ClusteredSpread.of(placed.influence, positive, alone).variance ** 0.5 == pytest.approx(delong_error(table))
    robust, plain = clustered_area(positive, first, alone), area_score(table)
    assert float(robust.low) == pytest.approx(float(plain.low), abs=0.003)
    assert float(robust.high) == pytest.approx(float(plain.high), abs=0.003)
    areas, _ = obuchowski(positive, [first, second], alone)
    assert clustered_two_areas(positive, first, second, alone).difference.value == pytest.approx(areas[1] - areas[0])


@pytest.mark.parametrize("seed", range(5))
def test_large_clusters_are_corrected_by_their_size(seed):
    """If rows of one side are independent, the variance is unbiased whatever the sizes of clusters."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(9), [30, 4, 3, 5, 20, 2, 6, 3, 4])
    positive = cluster < 4
    influence = rng.normal(size=len(cluster))
    spread = ClusteredSpread.by_size(influence, positive, cluster)
    expected = 0.0
    for g in range(9):
        side = positive == (g < 4)
        expected += influence[cluster == g].sum() ** 2 / (1 - (cluster == g).sum() / side.sum())
    assert spread.variance == pytest.approx(expected)
    assert 1 <= spread.degrees <= cluster_degrees(np.array([30.0, 4, 3, 5])) < 2  # one cluster has most of the rows


def test_clusters_of_one_class_and_very_different_sizes_are_covered():
    rng, hits = np.random.default_rng(5), 0
    for _ in range(400):
        sizes = rng.permutation([40, 25, *rng.integers(2, 12, 6)])
        cluster = np.repeat(np.arange(8), sizes)
        positive = cluster < 4
        score = positive + np.sqrt(0.5) * (rng.normal(size=8)[cluster] + rng.normal(size=len(cluster)))
        ends = clustered_area(positive, score, cluster)
        hits += float(ends.low) <= ndtr(np.sqrt(0.5)) <= float(ends.high)
    assert 0.93 < hits / 400 < 0.985


def test_rows_of_one_cluster_that_are_alike_widen_the_interval():
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(60), 6)
    positive = (rng.random(60) < 0.4)[cluster]  # patients are ill or well, at every visit
    first = positive + rng.normal(0, 2, 60)[cluster] + rng.normal(size=360)
    robust, plain = clustered_area(positive, first, cluster), area_score(ScoreCounts.of(first, positive))
    assert robust.high - robust.low > plain.high - plain.low
    repeated = [np.repeat(part, 30) for part in (positive, first, cluster)]
    again = clustered_area(*repeated)
    assert float(again.high - again.low) == pytest.approx(float(robust.high - robust.low), rel=0.1)


def test_perfect_scores_equal_scores_and_one_cluster():
    positive, first, second, cluster = drawn(20)
    perfect = clustered_area(positive, positive.astype(float), cluster)
    assert 0.4 < float(perfect.low) < 0.98
    assert float(perfect.high) == 1.0
    assert clustered_two_areas(positive, first, 2 * first, cluster).pvalue == 1.0
    one = clustered_two_areas(positive, first, second, np.zeros(len(first)))
    assert np.isnan(one.pvalue)
    assert "one cluster" in one.undefined
    assert np.isnan(float(clustered_area(positive, first, np.zeros(len(first))).low))
    assert np.isnan(clustered_two_areas(np.zeros(len(first)), first, second, cluster).pvalue)
    with pytest.raises(OptionError, match="different lengths"):
        clustered_two_areas(positive, first, second, cluster[1:])


def test_one_sided_bounds_and_swapping():
    positive, first, second, cluster = drawn()
    both = clustered_two_areas(positive, first, second, cluster, level=0.9)
    lower = clustered_two_areas(positive, first, second, cluster, alternative="greater")
    assert lower.difference.interval.low == pytest.approx(both.difference.interval.low)
    swapped = clustered_two_areas(positive, second, first, cluster, level=0.9)
    assert swapped.difference.interval.low == pytest.approx(-both.difference.interval.high)
    assert swapped.pvalue == pytest.approx(both.pvalue)
