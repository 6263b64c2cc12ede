"""Paired differences of rows in clusters, against brute force, statsmodels' formulas and rows that are independent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.frames.board_rows import board_counts
from justesse.intervals.cluster_summary import ClusterSummary, numeric_correlation
from justesse.measures import accuracy, averaged, f1, kappa, mcc, precision
from justesse.measures.cost import cost
from justesse.significance.clustered_difference import ClusterWorth, clustered_difference
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_measure import ClusteredGap, clustered_delta, clustered_paired_bootstrap
from justesse.significance.clustered_t import clustered_t
from justesse.significance.pair_evidence import pair_evidence
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference

AXES = ("label", "incumbent", "candidate", "cluster")


def drawn(groups, *, seed=0, alike=0.8, better=0.5):
    """Draw rows of three classes and two classifiers, in clusters that differ in how hard they are."""
    rng = np.random.default_rng(seed)
    cells = []
    for group in range(groups):
        hard = rng.normal(0, alike)
        for label in rng.choice(3, rng.integers(2, 12), p=[0.5, 0.3, 0.2]):
            right = [rng.random() < 1 / (1 + np.exp(-(base + hard))) for base in (1.2, 1.2 + better)]
            answers = [int(label if hit else (label + rng.integers(1, 3)) % 3) for hit in right]
            cells.append((int(label), *answers, group, 1))
    return Case(Tally.of(AXES, cells, classes=(0, 1, 2)))


def by_cluster(case):
    label, first, other, cluster = case.tally.codes.T
    counts = case.tally.counts
    return [
        np.bincount(cluster, counts * part)
        for part in ((first == label) & (other != label), (first != label) & (other == label), label >= 0)
    ]


def cr2_of_a_mean(values, clusters):
    """Compute the variance of an intercept by the matrices of Bell and McCaffrey, and Satterthwaite's degrees."""
    n, names = len(values), np.unique(clusters)
    ones = np.ones((n, 1))
    hat = ones @ ones.T / n
    residual = values - values.mean()
    parts, adjusted = [], []
    for name in names:
        own = clusters == name
        block = np.eye(own.sum()) - hat[np.ix_(own, own)]
        value, vector = np.linalg.eigh(block)
        root = vector @ np.diag(np.where(value > 1e-10, 1 / np.sqrt(np.maximum(value, 1e-10)), 0)) @ vector.T
        parts.append((root @ residual[own]).sum() / n)
        adjusted.append(((np.eye(n) - hat)[own].T @ root @ np.ones(own.sum())) / n)
    p = np.stack(adjusted)
    omega = p @ p.T
    return sum(part**2 for part in parts), np.trace(omega) ** 2 / (omega**2).sum()


def test_the_standard_error_is_that_of_bell_and_mccaffrey():
    case = drawn(12, seed=4)
    label, first, other, cluster = case.tally.codes.T
    gain = np.repeat((other == label).astype(float) - (first == label), case.tally.counts)
    variance, degrees = cr2_of_a_mean(gain, np.repeat(cluster, case.tally.counts))
    gap = ClusteredGap.of(case, Compared(accuracy))
    assert gap.error**2 == pytest.approx(variance, rel=1e-9)
    assert gap.degrees <= degrees * (1 + 1e-9)
    worth = ClusterWorth.of(*by_cluster(case))
    sizes = np.bincount(cluster, case.tally.counts)
    assert worth.least == pytest.approx(sizes.sum() / sizes.max() - 1)
    value = gain.mean()
    assert worth.worth == pytest.approx(min(len(gain), (np.mean(gain**2) - value**2) / variance))


def test_clusters_of_one_row_give_tangos_interval():
    rng = np.random.default_rng(1)
    kind = rng.choice(3, 400, p=[0.08, 0.14, 0.78])
    b, c, n = (kind == 0).astype(float), (kind == 1).astype(float), np.ones(400)
    robust, plain = clustered_difference(b, c, n), paired_difference(b.sum(), c.sum(), 400)
    assert robust.low[0] == pytest.approx(float(plain.low), abs=0.002)
    assert robust.high[0] == pytest.approx(float(plain.high), abs=0.002)


def test_rows_repeated_within_their_cluster_say_nothing_new():
    b, c, n = by_cluster(drawn(30))
    once, many = clustered_mcnemar(b, c, n), clustered_mcnemar(50 * b, 50 * c, 50 * n)
    assert many.pvalue >= once.pvalue * 0.99
    one, other = clustered_difference(b, c, n), clustered_difference(50 * b, 50 * c, 50 * n)
    assert other.low[0] <= one.low[0] + 1e-9


def test_the_test_is_close_to_obuchowskis_with_many_clusters():
    b, c, n = by_cluster(drawn(600, better=0.15))
    gain = c - b
    own = gain.sum() / np.sqrt((gain**2).sum())
    result = clustered_mcnemar(b, c, n)
    assert result.statistic == pytest.approx(own, rel=0.06)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(own)), rel=0.3)


counts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 9)), min_size=2, max_size=20)


@settings(max_examples=80, deadline=None)
@given(counts, st.sampled_from(["two-sided", "greater", "less"]))
def test_the_test_agrees_with_the_interval(rows, alternative):
    b, c, extra = (np.array(part, dtype=float) for part in zip(*rows, strict=True))
    n = b + c + extra + 1
    ends = clustered_difference(b, c, n, alternative=alternative)
    pvalue = clustered_mcnemar(b, c, n, alternative=alternative).pvalue
    assert -1 <= ends.low[0] <= (c - b).sum() / n.sum() + 1e-9
    assert (c - b).sum() / n.sum() - 1e-9 <= ends.high[0] <= 1
    if abs(pvalue - 0.05) > 1e-3:
        assert (pvalue < 0.05) == (ends.low[0] > 1e-9 or ends.high[0] < -1e-9)
    swapped = clustered_difference(c, b, n)
    both = clustered_difference(b, c, n)
    assert swapped.low[0] == pytest.approx(-both.high[0], abs=1e-8)


@pytest.mark.parametrize(
    "compared",
    [Compared(mcc), Compared(kappa), Compared(averaged(f1, "macro")), Compared(precision, 2), Compared(cost([[0, 1, 5], [1, 0, 1], [9, 1, 0]]))],
    ids=["mcc", "kappa", "macro f1", "precision", "cost"],
)  # fmt: skip
def test_other_measures_have_the_standard_error_of_a_jackknife_of_clusters(compared):
    case = drawn(250, seed=2)
    difference = measured_difference(compared)
    names = case.tally.levels[3]
    value = float(difference(case.tally))
    without = np.array([float(difference(case.tally.select(cluster=[other for other in names if other != name]))) for name in names])  # fmt: skip
    jackknife = np.sqrt((len(names) - 1) / len(names) * ((without - without.mean()) ** 2).sum())
    gap = ClusteredGap.of(case, compared)
    assert gap.value == pytest.approx(value)
    assert gap.error == pytest.approx(jackknife, rel=0.04)
    interval, result = clustered_delta(case, compared), clustered_t(case, compared)
    assert (interval.low > 0) == (result.pvalue < 0.05 and value > 0)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(value / gap.error), gap.degrees))
    for method in ("percentile", "bca"):
        resampled = clustered_paired_bootstrap(case, compared, method=method, draws=1000)
        assert resampled.high - resampled.low == pytest.approx(interval.high - interval.low, rel=0.25)


def test_nothing_apart_is_no_evidence_and_one_cluster_none_at_all():
    assert clustered_mcnemar([0, 0, 0], [0, 0, 0], [5, 5, 5]).pvalue == 1.0
    ends = clustered_difference([0, 0, 0], [0, 0, 0], [50, 50, 50])
    assert ends.high[0] > 0.5  # three equal clusters are worth three rows
    assert np.isnan(clustered_difference([1], [0], [5]).low[0])
    assert np.isnan(clustered_mcnemar([1], [0], [5]).pvalue)
    with pytest.raises(OptionError, match="at least two clusters"):
        ClusterWorth.of([1], [0], [5])


def few_large(groups, large, sizes, apart, rng):
    """Draw small clusters on which two classifiers agree, and large ones that one of the two wins as a whole."""
    is_large, first = rng.random(groups) < large, rng.random(groups) < 0.5
    differ = np.where(is_large & (rng.random(groups) < apart), sizes[1], 0)
    return differ * first, differ * ~first, np.where(is_large, sizes[1], sizes[0])


def test_five_large_clusters_to_one_are_not_significant_among_many_small_ones():
    """The exact sign test over clusters that differ has p = 0.22, Student's t with CR2 p = 0.11; before, p was 0.025."""
    sizes, b, c = np.r_[np.ones(485), np.full(15, 30.0)], np.zeros(500), np.zeros(500)
    c[485:490], b[490] = 30, 30
    assert clustered_mcnemar(b, c, sizes).pvalue > 0.1
    assert clustered_difference(b, c, sizes).low[0] < 0


@pytest.mark.parametrize(("groups", "large", "sizes", "apart"), [(500, 0.03, (1, 30), 0.5), (300, 0.1, (2, 20), 0.3)])
def test_the_size_of_the_test_if_cluster_size_goes_with_the_outcome(groups, large, sizes, apart):
    """500 repetitions; before, 9 to 17 % were rejected."""
    rng = np.random.default_rng(3)
    pvalues = [clustered_mcnemar(*few_large(groups, large, sizes, apart, rng)).pvalue for _ in range(500)]
    assert np.mean(np.array(pvalues) < 0.05) <= 0.07


def test_the_summary_is_about_the_difference():
    case = drawn(40)
    label, first, other, cluster = case.tally.codes.T
    gain = np.repeat((other == label).astype(int) - (first == label), case.tally.counts)
    group = np.repeat(cluster, case.tally.counts)
    sizes, totals, squares = (np.bincount(group, part) for part in (gain**0, gain, gain**2))
    means = totals / sizes
    between = (sizes * (means - gain.mean()) ** 2).sum() / 39
    within = ((gain - means[group]) ** 2).sum() / (len(gain) - 40)
    size = (len(gain) - (sizes**2).sum() / len(gain)) / 39
    expected = (between - within) / (between + (size - 1) * within)
    summary = ClusterSummary.of_pair(case.tally)
    assert summary.correlation == pytest.approx(expected)
    assert numeric_correlation(totals, squares, sizes) == pytest.approx(expected)
    assert (summary.clusters, summary.n) == (40, len(gain))


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("share", [0.9, 0.7])
def test_a_classifier_right_on_all_rows_may_fail_in_clusters_not_seen(share, swapped):
    """The test, the interval and the lead agree, and the leaderboard has the same p-value."""
    rng, groups, sizes = np.random.default_rng(0), np.repeat(np.arange(20), 10), np.full(20, 10)
    right = np.ones((2, 200), dtype=np.uint8)
    right[1, rng.permutation(200)[: round(200 * (1 - share))]] = 0
    right = right[::-1] if swapped else right
    b, c = (np.bincount(groups, right[i] & (1 - right[j]), minlength=20) for i, j in ((0, 1), (1, 0)))
    both = np.bincount(groups, right[0] & right[1], minlength=20)
    blind, result = clustered_mcnemar(b, c, sizes), clustered_mcnemar(b, c, sizes, both_right=both)
    assert blind.pvalue < 0.001
    assert (result.pvalue < 0.05) == (share == 0.7)
    expected = pair_evidence(board_counts(np.ones(200, dtype=np.uint8), right, groups)).pvalues[0, 1]
    assert result.pvalue == pytest.approx(expected, rel=1e-6)
    ends = clustered_difference(b, c, sizes, both_right=both, level=1 - result.pvalue)
    assert float((ends.low if swapped else ends.high)[0]) == pytest.approx(0, abs=1e-6)
    for tail in (0.2, 0.025, 0.005):
        lead = ClusterWorth.of(b, c, sizes, both).lead(0.0, tail)
        assert (lead > 0) == (swapped and result.pvalue < 2 * tail)
