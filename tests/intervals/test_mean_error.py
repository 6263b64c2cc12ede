"""The interval of mean errors of numeric predictions, which allows for one error larger than any seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from justesse.intervals.mean_error import mean_error


def test_the_interval_of_a_mean_error_from_textbook_formulas():
    rng = np.random.default_rng(9)
    errors = rng.exponential(size=12)
    ends = mean_error(errors, np.ones(12))

    def textbook(values):
        n, mean, spread = len(values), values.mean(), values.std(ddof=1)
        kurtosis = stats.kurtosis(values, fisher=False)
        degrees = min(2 * n / (kurtosis - 1), n - 1)
        return mean, spread / np.sqrt(n) / mean * stats.t.ppf(0.975, degrees)

    mean, far = textbook(errors)
    assert float(ends.low) == pytest.approx(mean * np.exp(-far))
    first, second, third, fourth = sorted(errors)[:-5:-1]
    mean, far = textbook(np.append(errors, first + (first + second + third) / 3 - fourth))
    assert float(ends.high) == pytest.approx(mean * np.exp(far))


def test_the_interval_of_a_known_mean_error():
    ends = mean_error(np.array([0.5, 1.0, 0.2, 3.0, 0.1, 0.4, 0.9, 2.0]), np.ones(8))
    assert (round(float(ends.low), 6), round(float(ends.high), 6)) == (0.441613, 2.987946)


@settings(max_examples=60, deadline=None)
@given(
    errors=st.lists(st.floats(0, 1e3), min_size=4, max_size=40),
    factor=st.floats(1e-6, 1e6),
    level=st.floats(0.5, 0.999),
    weight=st.floats(0.1, 10),
)
def test_intervals_of_mean_errors_contain_the_mean_and_follow_the_unit(errors, factor, level, weight):
    values = np.array(errors)
    ends = mean_error(values, np.ones(len(values)), level=level)
    if np.isnan(ends.low):
        return
    assert 0 <= ends.low <= values.mean() * (1 + 1e-12) <= ends.high * (1 + 1e-9)
    other = mean_error(values * weight * factor, np.full(len(values), weight), level=level)
    assert float(other.low) == pytest.approx(float(ends.low) * factor, rel=1e-6)
    assert float(other.high) == pytest.approx(float(ends.high) * factor, rel=1e-6)


def test_coverage_of_mse_with_thirty_skewed_errors():
    rng = np.random.default_rng(13)
    errors = (0.6 * rng.normal(size=(1000, 30)) + rng.exponential(size=(1000, 30)) - 1) ** 2
    ends = [mean_error(row, np.ones(30)) for row in errors]
    assert np.mean([each.low <= 1.36 <= each.high for each in ends]) > 0.92
    absolute = [mean_error(np.sqrt(row), np.ones(30)) for row in errors]
    truth = np.abs(0.6 * rng.normal(size=10**6) + rng.exponential(size=10**6) - 1).mean()
    assert np.mean([each.low <= truth <= each.high for each in absolute]) > 0.94


def test_one_more_row_hardly_matters_among_five_hundred():
    errors = np.abs(np.random.default_rng(3).normal(size=(1000, 500)))
    for values, truth in ((errors**2, 1.0), (errors, np.sqrt(2 / np.pi))):
        covered = np.mean([mean_error(row, np.ones(500), alternative="less").high >= truth for row in values])
        assert 0.94 < covered < 0.985
