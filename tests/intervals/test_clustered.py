"""Means and shares of rows in clusters: against the matrix formulas, by hand, and measured coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import fractional_matrix_power

from justesse.core.errors import OptionError
from justesse.intervals.clustered import clustered_mean, clustered_positive_mean, clustered_share


def cr2_by_matrices(y, cluster):
    """Compute CR2 and Satterthwaite's degrees of freedom of an intercept, row by row (Pustejovsky and Tipton 2018)."""
    n, design = len(y), np.ones((len(y), 1))
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    residual, rest = (np.eye(n) - hat) @ y, np.eye(n) - hat
    variance, columns = 0.0, []
    for name in np.unique(cluster):
        rows = cluster == name
        adjusted = fractional_matrix_power(np.eye(rows.sum()) - hat[np.ix_(rows, rows)], -0.5)
        weight = adjusted @ np.ones(rows.sum()) / n
        variance += (weight @ residual[rows]) ** 2
        columns.append(rest[:, rows] @ weight)
    shared = np.array(columns) @ np.array(columns).T
    return variance, np.trace(shared) ** 2 / (shared**2).sum()


def drawn(rng, sizes, rate, alike, times):
    size = (1 - alike) / alike
    return rng.binomial(sizes, rng.beta(rate * size, (1 - rate) * size, (times, len(sizes))))


def coverage(successes, sizes, rate, **options):
    ends = [clustered_share(k, sizes, **options) for k in successes]
    low, high = (np.concatenate([getattr(each, end) for each in ends]) for end in ("low", "high"))
    return np.mean((low <= rate) & (rate <= high)), np.mean(high - low)


def test_the_error_and_degrees_of_freedom_are_those_of_the_matrix_formula():
    rng = np.random.default_rng(0)
    sizes = np.array([3, 9, 5, 1, 4, 6])
    cluster = np.repeat(np.arange(6), sizes)
    y = rng.normal(size=len(cluster)) + rng.normal(size=6)[cluster]
    result = clustered_mean(np.bincount(cluster, y), sizes)
    variance, degrees = cr2_by_matrices(y, cluster)
    assert result.error**2 == pytest.approx(variance)
    squares = (np.bincount(cluster, y) - y.mean() * sizes) ** 2 / (1 - sizes / 28) / 28**2
    by_kurtosis = 2 * variance**2 / ((squares**2).sum() - variance**2 / 6)
    assert result.degrees == pytest.approx(min(degrees, by_kurtosis))
    assert degrees < 5  # clusters of unequal size


def test_by_hand():
    """y = (1, 0, 2) of n = (2, 2, 4): v = (1/12 + 3/4 + 1/2)/64 = 1/48, and 64/(24 + 104/9) = 1.8 degrees of freedom."""
    result = clustered_mean([1, 0, 2], [2, 2, 4])
    assert result.value == 0.375
    assert result.error**2 == pytest.approx(1 / 48)
    assert result.degrees == pytest.approx(1.8)


def test_clusters_of_one_size_have_as_many_degrees_of_freedom_as_clusters_less_one():
    assert clustered_mean([0, 1, 2, 3, 4], [5] * 5).degrees == pytest.approx(4)


@pytest.mark.parametrize(
    ("sizes", "rate", "alike"),
    [([150] + [5] * 30, 0.2, 0.4), ([50] + [5] * 9, 0.2, 0.4), ([20] * 30, 0.02, 0.4), ([20] * 10, 0.05, 0.4)],
    ids=["one large cluster of 31", "one large cluster of 10", "rare", "rare, 10 clusters"],
)
def test_coverage_with_unequal_clusters_and_rare_events(sizes, rate, alike):
    """600 repetitions; G - 1 degrees of freedom and the plain variance cover 72 to 87 % here."""
    sizes = np.array(sizes)
    covered, _ = coverage(drawn(np.random.default_rng(5), sizes, rate, alike, 600), sizes, rate)
    assert covered >= 0.925


def test_the_interval_is_not_needlessly_wide_for_independent_rows():
    rng, sizes = np.random.default_rng(6), np.full(30, 20)
    covered, width = coverage(rng.binomial(sizes, 0.2, (300, 30)), sizes, 0.2)
    assert covered >= 0.93
    assert width < 1.15 * 2 * 1.96 * np.sqrt(0.2 * 0.8 / 600)


def test_one_sided_ends():
    rng, sizes = np.random.default_rng(7), np.full(10, 5)
    successes = drawn(rng, sizes, 0.2, 0.3, 600)
    for side in ("greater", "less"):
        covered, _ = coverage(successes, sizes, 0.2, alternative=side)
        assert covered >= 0.92
    one = clustered_share([1, 0, 2], [5, 5, 5], alternative="greater")
    assert one.high.tolist() == [1.0]
    assert one.low[0] > clustered_share([1, 0, 2], [5, 5, 5]).low[0]


def test_no_success_counts_as_many_rows_as_there_are_clusters():
    ends = clustered_share(np.zeros(50), np.full(50, 20))
    assert ends.low.tolist() == [0.0]
    assert 0.06 < ends.high[0] < 0.09  # 50 clusters, not 1,000 rows


def test_coverage_of_mean_squared_errors_in_groups():
    """1,500 repetitions of 10 groups, one of them with half of the rows; Student's interval with the plain variance
    covers 74 % here."""
    rng = np.random.default_rng(8)
    group = np.repeat(np.arange(10), [50] + [5] * 9)
    sizes, hits = np.bincount(group), 0
    for _ in range(1500):
        squares = (rng.normal(size=len(group)) + 1.5 * rng.normal(size=10)[group]) ** 2
        ends = clustered_positive_mean(np.bincount(group, squares), sizes)
        hits += ends.low[0] <= 1 + 1.5**2 <= ends.high[0]
    assert hits >= 0.9 * 1500


def test_what_cannot_have_an_interval():
    assert np.isnan(clustered_positive_mean([1.0, 2.0], [5, 10]).low[0])  # the same mean in each cluster
    with pytest.raises(OptionError, match="at least two clusters"):
        clustered_mean([1], [5])


def test_clusters_that_all_have_the_same_share_count_every_row():
    from statsmodels.stats.proportion import proportion_confint

    ends = clustered_share([10] * 30, [20] * 30)
    assert ends.high[0] - ends.low[0] < 1.1 * np.diff(proportion_confint(300, 600, method="wilson"))[0]


def test_one_huge_cluster_without_failures_is_not_worth_all_clusters():
    assert clustered_share([500] + [5] * 20, [500] + [5] * 20).low[0] < 0.3


def test_no_rows_have_no_interval_and_no_warning():
    assert np.isnan(clustered_share([0], [0]).low[0])


def test_the_interval_is_not_wider_than_if_all_rows_of_a_cluster_were_equal():
    """One cluster of 32 has all the successes: about Wilson's interval of 1 in 32, not the t of two degrees."""
    ends = clustered_share([5] + [0] * 31, [5] * 32)
    assert (ends.low[0], ends.high[0]) == pytest.approx((0.0051, 0.1699), abs=0.003)


@pytest.mark.parametrize(
    ("groups", "large", "small", "big", "rate"),
    [(500, 0.02, 1, 30, 0.5), (1000, 0.01, 1, 50, 0.4), (200, 0.1, 1, 20, 0.3)],
)
def test_coverage_if_cluster_size_goes_with_the_outcome(groups, large, small, big, rate):
    """500 repetitions in which only large clusters have successes; before, 79 to 92 % of the intervals covered."""
    rng = np.random.default_rng(3)
    truth, hits = large * big * rate / (large * big + (1 - large) * small), 0
    for _ in range(500):
        is_large = rng.random(groups) < large
        successes = np.where(is_large & (rng.random(groups) < rate), big, 0)
        ends = clustered_share(successes, np.where(is_large, big, small))
        hits += bool(ends.low[0] <= truth <= ends.high[0])
    assert hits >= 0.93 * 500


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 30)), min_size=3, max_size=25))
def test_rows_are_worth_at_least_their_number_divided_by_that_of_the_largest_cluster(drawn_clusters):
    """The bound of the variance that the interval rests on, for any shares and sizes."""
    successes, extra = (np.array(part, dtype=float) for part in zip(*drawn_clusters, strict=True))
    sizes = successes + extra
    share = successes.sum() / sizes.sum()
    spread = ((successes - share * sizes) ** 2).sum()
    assert spread <= sizes.max() * sizes.sum() * share * (1 - share) + 1e-9
    assert clustered_mean(successes, sizes).least == pytest.approx(sizes.sum() / sizes.max())


def test_no_success_in_few_large_clusters_is_worth_no_more_than_clusters_of_their_size():
    """15 of 500 clusters have 30 rows, half of all: a fifth of them could fail, a tenth of the rows, and none be seen."""
    sizes = np.r_[np.ones(485), np.full(15, 30.0)]
    assert clustered_share(np.zeros(500), sizes).high[0] > 0.1


def test_one_cluster_with_most_rows_leaves_a_wide_interval():
    """Beta(1, 1) shares of clusters: before, 25 % of the intervals covered the mean of 0.5."""
    rng = np.random.default_rng(5)
    sizes = np.array([10_000] + [1] * 7)
    hits = 0
    for _ in range(300):
        ends = clustered_share(rng.binomial(sizes, rng.random(8)), sizes)
        hits += bool(ends.low[0] <= 0.5 <= ends.high[0])
    assert hits >= 0.9 * 300


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_one_sided_level_near_one_half_is_an_end(alternative):
    ends = clustered_share([1, 0, 2], [2, 2, 4], level=0.5000001, alternative=alternative)
    assert 0 <= ends.low[0] <= ends.high[0] <= 1


def test_a_cluster_without_rows_is_named():
    with pytest.raises(OptionError, match=r"cluster number 2 has size 0\. Leave it out"):
        clustered_share([1, 0, 2], [2, 0, 4])
    with pytest.raises(OptionError, match="got 1 totals and 1 sizes"):
        clustered_positive_mean([1.0], [2])
