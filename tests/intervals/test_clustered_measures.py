"""Cluster-robust intervals of every measure, against a jackknife of clusters and against rows that are independent."""

import numpy as np
import pytest

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals import clustered_measures
from justesse.intervals.cluster_summary import ClusterSummary, intraclass_correlation
from justesse.intervals.clustered import clustered_share
from justesse.intervals.clustered_bootstrap import clustered_bootstrap
from justesse.intervals.clustered_measures import clustered_ends
from justesse.intervals.ends import far_value
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import Confusion, accuracy, balanced_accuracy, f1, fbeta, kappa, mcc, precision, recall
from justesse.measures.averages import averaged
from justesse.measures.cost import cost

AXES = ("label", "prediction", "cluster")
MEASURES = [accuracy, balanced_accuracy, mcc, kappa, averaged(f1, "macro"), averaged(f1, "weighted"), precision, recall, f1, fbeta(2)]  # fmt: skip


def drawn(groups, *, seed=0, size=12, alike=0.3):
    """Draw rows of three classes in clusters that differ in how often they are right."""
    rng = np.random.default_rng(seed)
    cells = []
    for group in range(groups):
        right = rng.beta(0.85 / alike, 0.15 / alike)
        label = rng.choice(3, rng.integers(2, size), p=[0.5, 0.3, 0.2])
        answer = np.where(rng.random(len(label)) < right, label, (label + rng.integers(1, 3, len(label))) % 3)
        cells += [(int(a), int(b), group, 1) for a, b in zip(label, answer, strict=True)]
    return Tally.of(AXES, cells, classes=(0, 1, 2))


def ends_of(tally, measures=MEASURES, **sides):
    return clustered_ends(tally, measures, Confusion.of(tally.marginal("label", "prediction")), **sides)


@pytest.mark.parametrize("measure", [mcc, kappa, averaged(f1, "weighted")], ids=lambda item: item.title)
def test_standard_errors_are_those_of_a_jackknife_of_clusters(measure):
    tally = drawn(400)
    value = float(measure(tally.marginal("label", "prediction")))
    names = tally.levels[2]
    without = [float(measure(tally.select(cluster=[other for other in names if other != name]).marginal("label", "prediction"))) for name in names[:400]]  # fmt: skip
    jackknife = np.sqrt((len(names) - 1) / len(names) * np.sum((np.array(without) - np.mean(without)) ** 2))
    ends = ends_of(tally, [measure])[0]
    low, high = measure.bounds
    logit = [np.log((end - low) / (high - end)) for end in (float(ends.low[0]), float(ends.high[0]))]
    slope = 1 / (value - low) + 1 / (high - value)
    error = (logit[1] - logit[0]) / slope / 2
    assert error / jackknife == pytest.approx(far_value(0.025, 300), rel=0.04)


def test_clusters_of_one_row_are_nearly_independent_rows():
    rows = drawn(1, size=1200).marginal("label", "prediction")
    cells = [
        (*names, at, 1)
        for at, names in enumerate(cell[:2] for cell in drawn(200).marginal("label", "prediction").cells() for _ in range(cell[2]))
    ]  # fmt: skip
    alone = Tally.of(AXES, cells, classes=(0, 1, 2))
    plain = estimate(alone.marginal("label", "prediction"), [accuracy, mcc, recall], Confidence(bootstrap="none"))
    for single, robust in zip(plain, estimate(alone, [accuracy, mcc, recall]), strict=True):
        assert robust.value == single.value
        assert robust.interval.low == pytest.approx(single.interval.low, abs=0.004)
        assert robust.interval.high == pytest.approx(single.interval.high, abs=0.004)
    assert rows.n


def test_shares_are_counted_in_each_cluster():
    tally = drawn(30)
    label, prediction, cluster = tally.codes.T
    for measure, rows in ((accuracy, np.ones(len(label), bool)), (recall, label == 1), (precision, prediction == 1)):
        n = np.bincount(cluster[rows], tally.counts[rows], 30)
        k = np.bincount(cluster[rows], (tally.counts * (label == prediction))[rows], 30)
        expected = clustered_share(k[n > 0], n[n > 0])
        ends = ends_of(tally, [measure])[0]
        at = 1 if measure.per_class else 0
        assert ends.low[at] == pytest.approx(float(expected.low[0]), abs=1e-12)
        assert ends.high[at] == pytest.approx(float(expected.high[0]), abs=1e-12)


def test_many_classes_are_taken_a_chunk_at_a_time(monkeypatch):
    tally = drawn(25)
    whole = ends_of(tally)
    monkeypatch.setattr(clustered_measures, "CHUNK", 25)
    for first, other in zip(whole, ends_of(tally), strict=True):
        np.testing.assert_array_equal(first.low, other.low)
        np.testing.assert_array_equal(first.high, other.high)


def test_rows_repeated_within_their_cluster_say_nothing_new():
    tally = drawn(60)
    repeated = Tally.of(AXES, [(*cell[:3], 50 * cell[3]) for cell in tally.cells()], classes=(0, 1, 2))
    for first, other in zip(ends_of(tally, [mcc, kappa]), ends_of(repeated, [mcc, kappa]), strict=True):
        assert other.low[0] == pytest.approx(first.low[0], abs=1e-9)
    once = estimate(tally.marginal("label", "prediction"), [accuracy])[0].interval
    many = estimate(repeated, [accuracy])[0].interval
    assert many.high - many.low > once.high - once.low


def test_one_sided_bounds_leave_the_other_end_open():
    tally = drawn(30)
    both = ends_of(tally, [balanced_accuracy], level=0.9)[0]
    lower = ends_of(tally, [balanced_accuracy], level=0.95, alternative="greater")[0]
    assert lower.low[0] == pytest.approx(both.low[0], abs=1e-12)
    assert np.isinf(lower.high[0])


def test_costs_have_intervals_too():
    tally = drawn(40)
    paid = cost([[0, 1, 5], [1, 0, 1], [9, 1, 0]])
    result = estimate(tally, [paid])[0]
    label, prediction, cluster = tally.codes.T
    each = np.bincount(cluster, tally.counts * paid.costs[label, prediction])
    sizes = np.bincount(cluster, tally.counts)
    value = each.sum() / sizes.sum()
    variance = ((each - value * sizes) ** 2 / (1 - sizes / sizes.sum())).sum() / sizes.sum() ** 2
    assert result.value == pytest.approx(value)
    assert result.interval.high - result.value >= 1.96 * np.sqrt(variance)
    assert result.interval.method == "delta-logit-cr2"


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_cluster_bootstrap_draws_whole_clusters(method):
    tally = drawn(200)
    drawn_ends = clustered_bootstrap(tally, MEASURES, method=method, draws=1000)
    for measure, ends, robust in zip(MEASURES, drawn_ends, ends_of(tally), strict=True):
        widths = (ends.high - ends.low) / (robust.high - robust.low)
        assert (widths > 0.7).all(), measure.title
        assert (widths < 1.2).all(), measure.title
    rows = clustered_bootstrap(Tally.of(AXES, [("a", "a", 0, 9), ("a", "b", 1, 1)]), [accuracy], draws=500)[0]
    assert (rows.low[()], rows.high[()]) == (0.0, 1.0)  # both draws of one cluster


def test_methods_that_take_rows_as_independent_are_refused():
    with pytest.raises(OptionError, match="clopper-pearson takes rows as independent"):
        estimate(drawn(10), [accuracy], Confidence(method="clopper-pearson"))
    with pytest.raises(OptionError, match="smoothed draws single rows"):
        estimate(drawn(10), [mcc], Confidence(bootstrap="smoothed"))


def test_the_intraclass_correlation_is_that_of_its_definition():
    """Compare with pairs of rows of one cluster, which estimate the same for clusters of one size."""
    rng = np.random.default_rng(3)
    right = rng.binomial(8, rng.beta(4, 1, 4000))
    pairs = right * (right - 1) / (8 * 7)
    share = right.mean() / 8
    assert intraclass_correlation(right, np.full(4000, 8)) == pytest.approx((pairs.mean() - share**2) / (share * (1 - share)), abs=2e-3)  # fmt: skip
    assert intraclass_correlation(right, np.full(4000, 8)) == pytest.approx(1 / 6, abs=0.02)
    assert np.isnan(intraclass_correlation([1, 0, 1], [1, 1, 1]))
    with pytest.raises(OptionError, match="at least two clusters"):
        intraclass_correlation([1], [2])


def test_a_summary_of_equal_rows_is_worth_its_clusters():
    cells = [("a", "a" if group % 4 else "b", group, 10) for group in range(80)]
    summary = ClusterSummary.of(Tally.of(AXES, cells))
    assert (summary.clusters, summary.largest, summary.n) == (80, 10, 800)
    assert summary.correlation == pytest.approx(1)
    assert summary.effective_n == pytest.approx(79)
