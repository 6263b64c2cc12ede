import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import gammaln, xlogy

from justesse.core.errors import OptionError
from justesse.significance.mcnemar import mcnemar
from justesse.significance.paired_difference import paired_difference, score_statistic
from justesse.significance.paired_equivalence import paired_equivalence


@st.composite
def tables(draw, most: int = 300):
    n = draw(st.integers(1, most))
    b = draw(st.integers(0, n))
    return b, draw(st.integers(0, n - b)), n


LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.999])


def likeliest(b: int, c: int, n: int, difference: float) -> float:
    """Find the likeliest share of b where the shares of c and b differ by so much: the root of the slope."""
    small, large = (b, c) if difference >= 0 else (c, b)
    gap = abs(difference)
    room = (1 - gap) / 2  # the smaller share lies between 0 and this

    def slope(at: float) -> float:
        rest = n - b - c
        return (
            (small / at if small else 0.0)
            + (large / (at + gap / room) if large else 0.0)
            - (rest / (1 - at) if rest else 0.0)
        )

    if room <= 0 or slope(1e-14) <= 0:
        share = 0.0
    elif slope(1 - 1e-14) >= 0:
        share = room
    else:
        share = room * brentq(slope, 1e-14, 1 - 1e-14, xtol=1e-300, rtol=1e-14)
    return share if difference >= 0 else share + gap


def statistic(b: int, c: int, n: int, difference: float) -> float:
    variance = n * (2 * likeliest(b, c, n, difference) + difference - difference**2)
    off = c - b - n * difference
    return off / math.sqrt(variance) if variance > 0 else 0.0 if off == 0 else math.copysign(math.inf, off)


def slow_low(b: int, c: int, n: int, level: float) -> float:
    """Find the lower end by bisection of a statistic written independently."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + level) / 2)
    observed = (c - b) / n
    if observed == -1:
        return -1.0
    left, right = -1 + 1e-12, observed - 1e-13
    if statistic(b, c, n, left) < z:
        return -1.0
    return brentq(lambda at: statistic(b, c, n, at) - z, left, right, xtol=1e-14)


def test_the_published_example():
    """Airway hyper-responsiveness before and after, 21 children: Fagerland, Lydersen and Laake (2014)."""
    found = paired_difference(7, 1, 21)
    assert (float(found.low), float(found.high)) == pytest.approx((-0.517, -0.026), abs=5e-4)


@given(tables(), LEVELS)
@settings(max_examples=150)
def test_a_slow_search_finds_the_same_ends(table, level):
    b, c, n = table
    found = paired_difference(b, c, n, level=level)
    assert float(found.low) == pytest.approx(slow_low(b, c, n, level), abs=1e-9)
    assert float(found.high) == pytest.approx(-slow_low(c, b, n, level), abs=1e-9)


@given(tables(), LEVELS)
def test_mirror_image_order_and_nesting(table, level):
    b, c, n = table
    found, mirrored = paired_difference(b, c, n, level=level), paired_difference(c, b, n, level=level)
    assert float(found.low) == pytest.approx(-float(mirrored.high), abs=1e-12)
    assert -1 <= found.low <= (c - b) / n <= found.high <= 1
    wider = paired_difference(b, c, n, level=(1 + level) / 2)
    assert wider.low <= found.low + 1e-12
    assert wider.high >= found.high - 1e-12


@given(tables(), st.sampled_from([0.8, 0.9, 0.975]))
def test_one_sided_bounds_are_the_ends_at_1_minus_twice_the_risk(table, level):
    lower, upper = (paired_difference(*table, level=level, alternative=side) for side in ("greater", "less"))
    both = paired_difference(*table, level=2 * level - 1)
    assert float(lower.low) == pytest.approx(float(both.low), abs=1e-10)
    assert float(upper.high) == pytest.approx(float(both.high), abs=1e-10)
    assert lower.high == 1
    assert upper.low == -1


@pytest.mark.parametrize("n", [1, 5, 100, 10**6])
def test_no_disagreement_has_the_width_of_a_score_interval(n):
    z2 = 1.959963984540054**2
    found = paired_difference(0, 0, n)
    assert float(found.high) == pytest.approx(z2 / (n + z2), rel=1e-6)
    assert float(found.low) == pytest.approx(-z2 / (n + z2), rel=1e-6)


@pytest.mark.parametrize("n", [1, 4, 30])
def test_one_is_always_right_and_the_other_never(n):
    better, worse = paired_difference(0, n, n), paired_difference(n, 0, n)
    assert better.high == 1
    assert -1 < better.low < 1
    assert worse.low == -1
    assert float(worse.high) == pytest.approx(-float(better.low))


def test_no_rows_have_no_interval():
    found = paired_difference([0, 3], [0, 1], [0, 10])
    assert np.isnan(found.low[0])
    assert np.isnan(found.high[0])
    assert found.intervals()[0] is None
    assert not np.isnan(found.low[1])


def test_many_at_once_are_the_same_as_one_by_one():
    rng = np.random.default_rng(0)
    n = rng.integers(1, 10_000, 200)
    b = (rng.random(200) ** 3 * n).astype(int)
    c = (rng.random(200) ** 3 * (n - b)).astype(int)
    found = paired_difference(b, c, n)
    one_by_one = [paired_difference(*row) for row in zip(b, c, n, strict=True)]
    np.testing.assert_allclose(found.low, [float(one.low) for one in one_by_one], atol=1e-11)
    np.testing.assert_allclose(found.high, [float(one.high) for one in one_by_one], atol=1e-11)


@given(tables(), st.sampled_from([0.8, 0.95]), st.sampled_from([0.0, 0.01, 0.1, 0.5, 1.0]))
def test_the_statistic_decides_as_the_interval(table, level, margin):
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + level) / 2)
    low, at = float(paired_difference(*table, level=level).low), float(score_statistic(*table, margin))
    if abs(low - margin) > 1e-9:
        assert (low > margin) == (at > z)


@given(tables())
def test_at_0_its_square_is_mcnemars(table):
    b, c, n = table
    plain = mcnemar(b, c, method="chi-square")
    assert float(score_statistic(b, c, n)) ** 2 == pytest.approx(plain.statistic)
    assert mcnemar(b, c, method="chi-square", alternative="greater").statistic == pytest.approx(
        float(score_statistic(b, c, n))
    )


def test_billions_of_rows():
    b, c, n = 10**8, 10**8 + 10**5, 10**10
    found = paired_difference(b, c, n)
    error = math.sqrt((b + c) / n - ((c - b) / n) ** 2) / math.sqrt(n)
    assert float(found.low) == pytest.approx((c - b) / n - 1.959964 * error, rel=1e-5)
    assert float(found.high) == pytest.approx((c - b) / n + 1.959964 * error, rel=1e-5)


def coverage(n: int, share_b: float, share_c: float, **options: object) -> float:
    """Add up the chances of all tables of n rows whose interval holds the true difference."""
    b, c = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    b, c = b[b + c <= n], c[b + c <= n]
    rest = n - b - c
    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
    chance = np.exp(ways + xlogy(b, share_b) + xlogy(c, share_c) + xlogy(rest, 1 - share_b - share_c))
    ends, true = paired_difference(b, c, n, **options), share_c - share_b
    return float(chance[(ends.low <= true + 1e-9) & (ends.high >= true - 1e-9)].sum())


def test_exact_coverage_of_small_tables():
    shares = [(0.1, 0.1), (0.05, 0.15), (0.02, 0.3), (0.3, 0.3), (0.01, 0.05), (0.4, 0.1), (0.005, 0.005)]
    found = np.array([[coverage(n, *pair) for pair in shares] for n in (10, 25, 50)])
    assert found.min() > 0.9
    assert found.mean() == pytest.approx(0.96, abs=0.02)
    assert found[2].mean() == pytest.approx(0.955, abs=0.02)
    assert np.mean([coverage(50, *pair, level=0.8) for pair in shares[:4]]) == pytest.approx(0.81, abs=0.03)


@pytest.mark.parametrize("bad", [(-1, 0, 5), (0, -1, 5), (3, 3, 5), ([1, 9], [0, 0], 5)])
def test_impossible_counts_are_refused(bad):
    with pytest.raises(OptionError, match="at most n"):
        paired_difference(*bad)


def test_levels_and_sides_are_checked():
    with pytest.raises(OptionError, match="level"):
        paired_difference(1, 2, 9, level=95)
    with pytest.raises(OptionError, match="alternative"):
        paired_difference(1, 2, 9, alternative="bigger")


@given(tables(), st.sampled_from([0.02, 0.1, 0.4]), st.sampled_from([0.9, 0.95]))
def test_equivalence_is_found_where_the_narrower_interval_lies_within_the_margin(table, margin, level):
    found = paired_equivalence(*table, margin=margin, level=level)
    interval = found.difference.interval
    assert interval.level == pytest.approx(2 * level - 1)
    if abs(found.pvalue - (1 - level)) > 1e-9:
        assert (found.pvalue < 1 - level) == (-margin < interval.low and interval.high < margin)
    b, c, n = table
    assert paired_equivalence(c, b, n, margin=margin).pvalue == pytest.approx(found.pvalue)
    assert found.difference.value == pytest.approx((c - b) / n)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"margin": 0}, "margin"), ({"margin": 1}, "margin"), ({"margin": math.nan}, "margin"),
     ({"margin": 0.1, "level": 0.5}, "above 0.5"), ({"margin": 0.1, "level": 95}, "between 0 and 1")],
)  # fmt: skip
def test_equivalence_needs_a_margin_and_a_level(options, words):
    with pytest.raises(OptionError, match=words):
        paired_equivalence(3, 4, 100, **options)
