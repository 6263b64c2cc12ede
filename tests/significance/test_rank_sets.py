"""Ranks that hold together: against brute force, against the tests of single pairs, and on hard cases."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest, norm, studentized_range

from justesse.core.board_counts import BoardCounts
from justesse.core.errors import OptionError
from justesse.frames.board_rows import board_counts
from justesse.intervals.clustered import clustered_share
from justesse.significance.clustered_difference import ClusterWorth
from justesse.significance.pair_evidence import PairEvidence, pair_evidence, task_mean_evidence
from justesse.significance.rank_sets import largest_gaps, rank_sets


def drawn(rng, models, rows, clusters=None):
    right = (rng.random((models, rows)) < rng.uniform(0.4, 0.95, models)[:, None]).astype(np.uint8)
    groups = None if clusters is None else rng.integers(clusters, size=rows)
    return right, groups, board_counts(np.ones(rows, dtype=np.uint8), right, groups)


@pytest.mark.parametrize("seed", range(20))
def test_counts_and_pvalues_are_those_of_each_pair_alone(seed):
    right, _, counts = drawn(np.random.default_rng(seed), 5, 60)
    evidence = pair_evidence(counts)
    for i in range(5):
        for j in range(5):
            b, c = int((right[i] & ~right[j] & 1).sum()), int((right[j] & ~right[i] & 1).sum())
            assert counts.only[i, j] == b
            expected = binomtest(b, b + c).pvalue if b + c else 1.0
            assert evidence.pvalues[i, j] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(30))
def test_clustered_pvalues_agree_with_the_test_of_one_pair(seed):
    rng = np.random.default_rng(seed)
    right, groups, counts = drawn(rng, 4, 120, int(rng.integers(2, 30)))
    pvalues = pair_evidence(counts).pvalues
    sizes = counts.clusters.sizes
    for i in range(4):
        for j in range(4):
            b, c = (
                np.bincount(groups[(right[x] == 1) & (right[y] == 0)], minlength=groups.max() + 1)[
                    counts.clusters.codes
                ]
                for x, y in ((i, j), (j, i))
            )
            worth = ClusterWorth.of(np.minimum(b, sizes), c, sizes)
            for tail in (0.2, 0.05, 0.01, 0.001):
                ahead = (c - b).sum() > 0 and worth.lead(0.0, tail) > 1e-9
                if (c - b).sum() > 0 and abs(worth.lead(0.0, tail)) > 1e-6:
                    assert (pvalues[i, j] < 2 * tail) == ahead


def in_clusters(accuracy):
    """Give a model that is right on all rows of 20 clusters of ten, and one that is wrong on single rows."""
    groups = np.repeat(np.arange(20), 10)
    right = np.ones((3, 200), dtype=np.uint8)
    right[1, np.random.default_rng(0).permutation(200)[: round(200 * (1 - accuracy))]] = 0
    right[2] = 1 - right[1]
    return right, groups


@pytest.mark.parametrize("wrong", [False, True])
def test_a_model_right_on_all_rows_may_fail_in_clusters_not_seen(wrong):
    """With chance 0.9^20 = 12 %, no cluster shows that a model fails in one cluster of ten."""
    right, groups = in_clusters(0.9)
    labels = np.full(200, 0 if wrong else 1, dtype=np.uint8)
    pvalue = pair_evidence(board_counts(labels, right[:2], groups)).pvalues[0, 1]
    high = clustered_share(np.bincount(groups, right[1]), np.full(20, 10), level=1 - pvalue).high[0]
    assert 0.1 < pvalue < 1
    assert (pvalue / 2) ** (1 / 20) == pytest.approx(high, abs=1e-6)


def test_a_model_right_on_all_rows_is_told_apart_from_much_worse_ones():
    right, groups = in_clusters(0.7)
    pvalues = pair_evidence(board_counts(np.ones(200, dtype=np.uint8), right, groups)).pvalues
    assert pvalues[0, 1] < 0.05
    assert pvalues[0, 2] < 1e-4
    assert (pvalues == pvalues.T).all()


@pytest.mark.parametrize("seed", range(20))
def test_ranks_count_those_told_apart(seed):
    _, _, counts = drawn(np.random.default_rng(seed), 7, 200)
    evidence = pair_evidence(counts)
    ranks = rank_sets(evidence, draws=2000)
    order = np.argsort(-evidence.scores, kind="stable")
    for i in range(7):
        better = [
            j
            for j in range(7)
            if evidence.scores[j] > evidence.scores[i] and evidence.pvalues[i, j] <= ranks.pair_level
        ]
        worse = [
            j
            for j in range(7)
            if evidence.scores[j] < evidence.scores[i] and evidence.pvalues[i, j] <= ranks.pair_level
        ]
        assert (ranks.best[i], ranks.worst[i]) == (1 + len(better), 7 - len(worse))
        place = order.tolist().index(i) + 1
        assert ranks.best[i] <= place <= ranks.worst[i]
    assert 0.05 / 21 <= ranks.pair_level <= 0.05
    # every set is as large as it can be, none holds a pair told apart, and every model is in one
    for group in ranks.groups:
        assert not ranks.ahead[np.ix_(group, group)].any()
    assert {at for group in ranks.groups for at in group} == set(range(7))
    told = (ranks.pvalues <= 0.05) & (evidence.scores[:, None] > evidence.scores)
    assert (told != ranks.ahead).sum() <= 1  # the same rule, but for the luck of the draws at the border


def test_independent_models_are_corrected_as_by_tukey():
    gaps = largest_gaps(np.eye(10), draws=20_000)
    assert np.quantile(gaps, 0.95) == pytest.approx(studentized_range.ppf(0.95, 10, np.inf) / np.sqrt(2), abs=0.03)


def test_models_alike_are_corrected_less_and_copies_not_at_all():
    # ten copies of two models: one question, whatever their number
    right = np.repeat((np.random.default_rng(0).random((2, 300)) < 0.7).astype(np.uint8), 10, axis=0)
    ranks = rank_sets(pair_evidence(board_counts(np.ones(300, dtype=np.uint8), right)))
    assert ranks.pair_level == pytest.approx(0.05, abs=0.006)
    same = rank_sets(pair_evidence(board_counts(np.ones(300, dtype=np.uint8), right[:10])))
    assert same.draws == 0
    assert same.best.tolist() == [1] * 10
    assert same.worst.tolist() == [10] * 10
    assert len(same.groups) == 1


def test_few_degrees_of_freedom_correct_at_least_as_for_independent_models():
    """With a few large clusters the covariance is drawn from about ten numbers: its gaps are too small."""
    rng, models = np.random.default_rng(0), 30
    sizes = np.ceil(np.exp(rng.normal(2, 1.5, 40))).astype(int)
    groups = np.repeat(np.arange(40), sizes)
    right = (rng.random((models, len(groups))) < rng.beta(2, 1, (models, 40))[:, groups]).astype(np.uint8)
    evidence = pair_evidence(board_counts(np.ones(len(groups), dtype=np.uint8), right, groups))
    assert evidence.degrees < 2 * models
    tukey = 2 * norm.sf(studentized_range.ppf(0.95, models, np.inf) / np.sqrt(2))
    ranks = rank_sets(evidence)
    assert 0.05 / 435 <= ranks.pair_level <= 1.2 * tukey
    assert rank_sets(replace(evidence, degrees=np.inf)).pair_level > 2 * tukey
    told = (ranks.pvalues <= 0.05) & (evidence.scores[:, None] > evidence.scores)
    assert (told != ranks.ahead).sum() <= 1


def test_two_rows_tell_nothing():
    counts = board_counts(np.array([1, 1]), np.array([[1, 1], [0, 0], [1, 0]], dtype=np.uint8))
    ranks = rank_sets(pair_evidence(counts))
    assert ranks.best.tolist() == [1, 1, 1]
    assert ranks.worst.tolist() == [3, 3, 3]


@pytest.mark.parametrize("seed", range(10))
def test_order_of_models_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    right, _, counts = drawn(rng, 6, 150)
    turned = rng.permutation(6)
    one = pair_evidence(counts)
    other = pair_evidence(board_counts(np.ones(150, dtype=np.uint8), right[turned]))
    assert np.allclose(one.pvalues[np.ix_(turned, turned)], other.pvalues)
    best = rank_sets(PairEvidence(one.scores, one.pvalues, np.zeros((6, 6)), "x")).best
    again = rank_sets(PairEvidence(other.scores, other.pvalues, np.zeros((6, 6)), "x")).best
    assert best[turned].tolist() == again.tolist()


@pytest.mark.parametrize("clustered", [False, True])
def test_the_mean_over_tasks_against_a_loop(clustered):
    rng = np.random.default_rng(3)
    tasks, rows = [], []
    for size, offset in ((40, 0), (90, 7), (15, 14)):
        groups = rng.integers(8, size=size) + offset if clustered else None  # clusters of two tasks overlap
        right = (rng.random((4, size)) < 0.7).astype(np.uint8)
        tasks.append(board_counts(np.ones(size, dtype=np.uint8), right, groups))
        rows.append((right, groups))
    evidence = task_mean_evidence(tasks)
    for i in range(4):
        for j in range(4):
            adds = {}
            for at, (right, groups) in enumerate(rows):
                for row in range(right.shape[1]):
                    key = groups[row] if clustered else (at, row)
                    adds[key] = adds.get(key, 0) + (int(right[i, row]) - int(right[j, row])) / (3 * right.shape[1])
            parts = np.array(list(adds.values()))
            assert evidence.scores[i] - evidence.scores[j] == pytest.approx(parts.sum())
            if i != j:
                from scipy.stats import norm

                z = abs(parts.sum()) / np.sqrt((parts**2).sum())
                floor = 2.0 ** (1 - (parts**2).sum() ** 2 / (parts**4).sum())
                assert evidence.pvalues[i, j] == pytest.approx(min(1, max(2 * norm.sf(z), floor)))


def test_one_cluster_and_no_task_are_answered():
    counts = board_counts(np.ones(10, dtype=np.uint8), np.eye(2, 10, dtype=np.uint8), np.zeros(10, dtype=int))
    assert pair_evidence(counts).pvalues.tolist() == [[1, 1], [1, 1]]
    with pytest.raises(OptionError, match="at least one task"):
        task_mean_evidence([])
    with pytest.raises(OptionError, match="at least one row"):
        BoardCounts(np.zeros((2, 2)), np.zeros((2, 2)), 0)
