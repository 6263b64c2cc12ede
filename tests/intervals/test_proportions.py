"""Golden intervals of the sources, and statsmodels and SciPy as oracles."""

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from justesse.intervals import PROPORTION, agresti_coull, clopper_pearson, jeffreys, wald, wilson

K = np.array([0, 1, 3, 8, 17, 40, 79, 80])
N = 80


def rounded(ends, digits=3):
    return [round(float(ends.low), digits), round(float(ends.high), digits)]


def test_golden_intervals_of_the_thesis():
    assert rounded(wilson(8, 10)) == [0.490, 0.943]
    assert rounded(wilson(80, 100)) == [0.711, 0.867]


def test_the_thesis_prints_ninety_per_cent_intervals_as_five_per_cent_risk():
    assert rounded(wilson(720, 1000, level=0.90)) == [0.696, 0.743]
    assert rounded(wilson(780, 1000, level=0.90)) == [0.758, 0.801]
    assert rounded(wilson(720, 1000)) == [0.691, 0.747]
    assert rounded(wilson(780, 1000)) == [0.753, 0.805]


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(wilson, "wilson"), (clopper_pearson, "beta"), (agresti_coull, "agresti_coull"), (wald, "normal")],
)
def test_statsmodels_agrees(ours, theirs, level):
    low, high = proportion_confint(K, N, alpha=1 - level, method=theirs)
    found = ours(K, N, level=level)
    # statsmodels clips these two to [0, 1]; our ends are not clipped until they are shown
    np.testing.assert_allclose(np.clip(found.low, 0, 1), np.clip(low, 0, 1), atol=1e-9)
    np.testing.assert_allclose(np.clip(found.high, 0, 1), np.clip(high, 0, 1), atol=1e-9)


def test_statsmodels_jeffreys_agrees_inside_and_excludes_zero_where_it_should_not():
    low, high = proportion_confint(K, N, method="jeffreys")
    found = jeffreys(K, N)
    np.testing.assert_allclose(found.low[1:], low[1:], atol=1e-9)
    np.testing.assert_allclose(found.high[:-1], high[:-1], atol=1e-9)
    assert found.low[0] == 0 < low[0]
    assert found.high[-1] == 1 > high[-1]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("ours", "theirs"), [(wilson, "wilson"), (clopper_pearson, "exact")])
def test_scipy_agrees_on_one_sided_bounds_too(ours, theirs, alternative):
    for k in K:
        peer = binomtest(int(k), N, alternative=alternative).proportion_ci(0.95, method=theirs)
        found = ours(int(k), N, alternative=alternative)
        assert (float(found.low), float(found.high)) == pytest.approx((peer.low, peer.high), abs=1e-9)


def test_effective_counts_need_not_be_whole():
    for method in PROPORTION.values():
        low, high = (float(method(7.9, 10.3).low), float(method(7.9, 10.3).high))
        assert float(method(7.9, 10).high) >= high > low


def test_the_interval_of_003_has_z_squared_in_its_denominator():
    # as printed, 1 + z/N: the interval would not be centred on what the score test gives
    z, n, e = 1.959963984540054, 10, 0.8
    root = z * np.sqrt(e / n - e**2 / n + z**2 / (4 * n**2))
    printed = (e + z**2 / (2 * n) - root) / (1 + z / n)
    assert float(wilson(8, 10).low) == pytest.approx((e + z**2 / (2 * n) - root) / (1 + z**2 / n))
    assert printed > 0.56 > float(wilson(8, 10).low)
