"""Symmetric studentised bootstrap: slopes by differences, coverage of paired differences with few rows."""

from dataclasses import fields, replace

import numpy as np
import pytest

from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_differences import numeric_differences
from justesse.intervals.symmetric_studentised import PLAIN, symmetric_studentised
from justesse.measures.regression import ALL, Sums
from justesse.measures.regression.slopes import SLOPES

RMSE = next(measure for measure in ALL if measure.name == "rmse")


def positive_rows(n, seed=0):
    rng = np.random.default_rng(seed)
    y = np.exp(rng.normal(size=n))
    return y, np.maximum(y + 0.3 * rng.normal(size=n), -0.5)


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
def test_slopes_are_those_of_small_steps(measure):
    sums = Sums.of(*positive_rows(30)).total
    slopes = SLOPES[measure.name](sums)
    for part in (field.name for field in fields(Sums)):
        step = 1e-6 * max(1.0, abs(float(getattr(sums, part))))
        up, down = (float(measure(replace(sums, **{part: getattr(sums, part) + end}))) for end in (step, -step))
        assert float(slopes.get(part, 0.0)) == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
def test_the_standard_error_is_that_of_the_jackknife(measure):
    rng = np.random.default_rng(1)
    y = 5 + rng.normal(size=400)
    f = y + 0.5 * rng.normal(size=400)
    (result,) = symmetric_studentised([Sums.of(y, f)], [(measure, PLAIN)], draws=50, generator=np.random.default_rng(0))
    left_out = np.array([float(measure(Sums.of(np.delete(y, row), np.delete(f, row)).total)) for row in range(400)])
    jackknife = np.sqrt(399 / 400 * ((left_out - left_out.mean()) ** 2).sum())
    assert result.error == pytest.approx(jackknife, rel=0.1)


def test_two_models_with_the_same_predictions_do_not_vary():
    sums = Sums.of(*positive_rows(30))
    (result,) = symmetric_studentised([sums, sums], [(RMSE, PLAIN)], draws=50, generator=np.random.default_rng(0))
    assert not result.error > 1e-15
    differences = numeric_differences(*(positive_rows(30)[at] for at in (0, 1, 1)), Confidence(draws=100))
    assert {each.difference.interval for each in differences} == {None}


@pytest.mark.parametrize(("n", "skewed"), [(10, False), (20, True)])
def test_coverage_of_differences_with_few_rows(n, skewed):
    """250 repetitions without a difference; percentiles of a bootstrap cover 85 to 88 % here."""
    rng = stream(3, "few rows", str(skewed))
    hits = {"rmse": 0, "r2": 0, "squared_correlation": 0}
    for seed in range(250):
        label, shared = 2 * rng.normal(size=n), 0.6 * rng.normal(size=n)
        own = rng.standard_exponential((2, n)) - 1 if skewed else rng.normal(size=(2, n))
        for result in numeric_differences(label, *(label + shared + own), Confidence(draws=300, seed=seed)):
            if result.name in hits:
                interval = result.difference.interval
                hits[result.name] += interval.low <= 0 <= interval.high
    assert min(hits.values()) >= 0.93 * 250


def test_one_sided_ends_and_directions():
    y, worse = positive_rows(40)
    better = (y + worse) / 2
    two = {each.name: each.difference for each in numeric_differences(y, worse, better, Confidence(0.9, draws=500))}
    for side, open_end in (("greater", "high"), ("less", "low")):
        one = numeric_differences(y, worse, better, Confidence(0.95, side, draws=500))
        for each in one:
            kept = "low" if open_end == "high" else "high"
            assert np.isinf(getattr(each.difference.interval, open_end))
            assert getattr(each.difference.interval, kept) == pytest.approx(getattr(two[each.name].interval, kept))
    assert two["rmse"].interval.low > 0
    assert two["r2"].interval.low > 0
    assert (two["rse"].interval.low, two["rse"].interval.high) == pytest.approx(
        (two["r2"].interval.low, two["r2"].interval.high)
    )
