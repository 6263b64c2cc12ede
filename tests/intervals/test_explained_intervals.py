"""RSE, R² and squared correlation of one model: coverage with few rows, and what they have in common."""

import numpy as np
import pytest

from justesse.intervals.estimate import Confidence
from justesse.intervals.explained_intervals import explained_intervals
from justesse.intervals.mean_error import mean_error
from justesse.intervals.numeric_differences import numeric_differences
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.measures.regression import Sums


def skewed_labels(rng, n):
    """Return skewed labels and predictions with errors of variance 1."""
    y = 2 * np.exp(0.8 * rng.normal(size=n))
    return y, y + rng.normal(size=n)


def normal_rows(rng, n):
    y = 2 * rng.normal(size=n)
    return y, y + rng.normal(size=n)


@pytest.mark.parametrize("drawn", [normal_rows, skewed_labels])
def test_coverage_with_few_rows(drawn):
    """250 test sets of 15 rows."""
    rng = np.random.default_rng(4)
    total = Sums.of(*drawn(rng, 1_000_000))
    truth = {each.name: each.value for each in numeric_estimates(total, 1_000_000, Confidence(draws=100))}
    hits = {"rse": 0, "r2": 0, "squared_correlation": 0}
    for seed in range(250):
        ends = explained_intervals(Sums.of(*drawn(rng, 15)), Confidence(draws=300, seed=seed))
        for name in hits:
            hits[name] += ends[name][0] <= truth[name] <= ends[name][1]
    assert hits["rse"] == hits["r2"]
    assert hits["rse"] >= 0.92 * 250
    assert hits["squared_correlation"] >= 0.88 * 250


def test_r2_mirrors_rse_and_one_side_is_open():
    sums = Sums.of(*normal_rows(np.random.default_rng(0), 40))
    two = explained_intervals(sums, Confidence(0.9, draws=500))
    assert two["r2"] == pytest.approx((1 - two["rse"][1], 1 - two["rse"][0]))
    one = explained_intervals(sums, Confidence(0.95, "greater", draws=500))
    assert one["r2"][0] == pytest.approx(two["r2"][0])
    assert np.isinf(one["r2"][1])


def test_a_useless_model_has_a_squared_correlation_of_zero_in_its_interval():
    rng = np.random.default_rng(1)
    low, high = explained_intervals(Sums.of(rng.normal(size=30), rng.normal(size=30)), Confidence())[
        "squared_correlation"
    ]
    assert low == 0
    assert high < 0.5


def test_perfect_predictions_have_no_interval():
    y = np.arange(20.0)
    for each in numeric_estimates(Sums.of(y, y), 20, Confidence(draws=200)):
        assert each.interval is None


def test_no_correlation_at_all_has_an_interval():
    y, f = np.tile([-1.0, 1.0], 10), np.repeat([-1.0, 1.0], 10)
    low, high = explained_intervals(Sums.of(y, f), Confidence(draws=200))["squared_correlation"]
    assert low == 0
    assert high == pytest.approx(np.tanh(2.10092 / np.sqrt(17)) ** 2, abs=1e-4)


def test_no_correlation_of_many_rows_has_the_interval_of_as_many_rows():
    """More than 1,000 rows are added up in 1,000 buckets."""
    y, f = np.tile([-1.0, 1.0], 2000), np.repeat([-1.0, 1.0], 2000)
    estimates = numeric_estimates(Sums.of(y, f), 4000, Confidence(draws=200))
    (squared,) = (each for each in estimates if each.name == "squared_correlation")
    assert squared.value == 0
    assert squared.interval.high == pytest.approx(np.tanh(1.96055 / np.sqrt(3997)) ** 2, rel=1e-4)


def test_the_order_of_many_rows_does_not_matter():
    rng = np.random.default_rng(42)
    y = rng.normal(size=3000)
    old, new = y + rng.normal(size=3000), y + 0.9 * rng.normal(size=3000)
    rows = rng.permutation(3000)
    confidence = Confidence(draws=200)
    one, other = (
        numeric_estimates(Sums.in_value_order_of(y[at], old[at]), 3000, confidence) for at in (np.arange(3000), rows)
    )
    assert [each.interval for each in one] == [each.interval for each in other]
    one, other = (numeric_differences(y[at], old[at], new[at], confidence) for at in (np.arange(3000), rows))
    assert [each.difference.interval for each in one] == [each.difference.interval for each in other]


def heavy_tails(rng, n):
    y = rng.normal(15, 2, n)
    return y, y + rng.standard_t(3, size=n)


def test_coverage_where_a_bootstrap_has_not_seen_the_largest_errors():
    """200 test sets of 150 rows with heavy-tailed errors; the bootstrap alone covers about 87 %."""
    rng = np.random.default_rng(8)
    truth = {"rse": 3 / 4, "r2": 1 / 4, "squared_correlation": 4 / 7}  # variances: 4 of labels, 3 of errors
    hits = dict.fromkeys(truth, 0)
    for seed in range(200):
        ends = explained_intervals(Sums.of(*heavy_tails(rng, 150)), Confidence(draws=200, seed=seed))
        for name, true in truth.items():
            hits[name] += ends[name][0] <= true <= ends[name][1]
    assert min(hits.values()) >= 0.91 * 200


def test_ends_are_at_least_as_far_as_those_of_a_ratio_of_means_with_one_larger_row():
    """A ratio of two independent means: both reaches on the log scale, added as squares."""
    y, f = heavy_tails(np.random.default_rng(2), 60)
    ends = explained_intervals(Sums.of(y, f), Confidence(draws=200))
    errors, spreads = (y - f) ** 2, (y - y.mean()) ** 2
    above, below = mean_error(errors, np.ones(60)), mean_error(spreads, np.ones(60))
    reaches = np.log(above.high / errors.mean()), np.log(spreads.mean() / below.low)
    alike = max(np.corrcoef(errors, spreads)[0, 1], 0.0)
    far = np.sqrt(reaches[0] ** 2 + reaches[1] ** 2 - 2 * alike * reaches[0] * reaches[1])
    assert ends["rse"][1] >= errors.mean() / spreads.mean() * np.exp(far) * (1 - 1e-9)


def test_three_rows_have_the_ends_of_the_bootstrap():
    """Three rows do not tell how fast the largest errors grow."""
    ends = explained_intervals(Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0]), Confidence(draws=200))
    assert ends["rse"][0] < ends["rse"][1]
