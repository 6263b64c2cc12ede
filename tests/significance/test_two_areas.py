import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.integrate import quad
from scipy.stats import norm, t
from sklearn.metrics import roc_auc_score

from justesse.core.errors import InputError, OptionError
from justesse.significance.two_areas import two_areas


def kernel(positive: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Compare every positive with every negative row: 1 if it scores higher, one half for a tie."""
    above, below = scores[positive][:, None], scores[~positive][None, :]
    return (above > below) + 0.5 * (above == below)


def expected_variance(area: float) -> float:
    """Integrate the square of a row's placement for normal scores: E[Φ(X)²] - area², X of mean √2·Φ⁻¹(area)."""
    mean = math.sqrt(2) * norm.ppf(area)
    return quad(lambda x: norm.cdf(x) ** 2 * norm.pdf(x - mean), mean - 9, mean + 9)[0] - area**2


def brute(positive: np.ndarray, incumbent: np.ndarray, candidate: np.ndarray) -> tuple[float, float, float]:
    """Return the difference of areas, its variance and degrees of freedom, from all pairs of rows."""
    both = [kernel(positive, scores) for scores in (incumbent, candidate)]
    areas = [one.mean() for one in both]
    sides = [np.array([one.mean(axis=axis) for one in both]) for axis in (1, 0)]
    pooled = sum(np.cov(side, ddof=0) for side in sides)
    alike = max(pooled[0, 1] / math.sqrt(pooled[0, 0] * pooled[1, 1]), 0) if pooled[0, 0] * pooled[1, 1] > 0 else 0
    variances, freedoms = [], []
    for side in sides:
        size = side.shape[1]
        one, other = (expected_variance((area * size + 2) / (size + 4)) for area in areas)
        squares = (side[1] - side[0] - areas[1] + areas[0]) ** 2
        variances.append((squares.sum() + one + other - 2 * alike * math.sqrt(one * other)) / size**2)
        uneven = (squares**2).sum() - squares.sum() ** 2 / size
        by_kurtosis = 2 * squares.sum() ** 2 / uneven if uneven > 1e-12 * squares.sum() ** 2 else math.inf
        by_kurtosis = by_kurtosis if squares.sum() > 1e-24 else 1
        freedoms.append(max(min(size - 1, by_kurtosis + 1), 1))
    weights = sum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return areas[1] - areas[0], sum(variances), sum(variances) ** 2 / weights


def drawn(seed: int, n: int, *, digits: int = 9) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    scores = [(positive + shared + rng.normal(size=n)).round(digits) for _ in range(2)]
    return positive, *scores


@pytest.mark.parametrize("digits", [9, 1, 0])
@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_of_rows_give_the_same(seed, digits):
    rows = drawn(seed, 60, digits=digits)
    found = two_areas(*rows)
    value, variance, degrees = brute(*rows)
    assert found.difference.value == pytest.approx(value)
    assert found.statistic == pytest.approx(value / math.sqrt(variance))
    assert found.pvalue == pytest.approx(2 * t.sf(abs(value) / math.sqrt(variance), degrees))
    interval = found.difference.interval
    assert interval.low == pytest.approx(value - t.ppf(0.975, degrees) * math.sqrt(variance))
    assert interval.high == pytest.approx(value + t.ppf(0.975, degrees) * math.sqrt(variance))
    assert found.difference.value == pytest.approx(roc_auc_score(rows[0], rows[2]) - roc_auc_score(rows[0], rows[1]))


def test_one_sided():
    rows = drawn(1, 100)
    two, better, worse = (two_areas(*rows, alternative=side) for side in ("two-sided", "greater", "less"))
    assert better.pvalue + worse.pvalue == pytest.approx(1)
    assert two.pvalue == pytest.approx(2 * min(better.pvalue, worse.pvalue))
    narrow = two_areas(*rows, level=0.9).difference.interval
    assert better.difference.interval.low == pytest.approx(narrow.low)
    assert better.difference.interval.high == 1
    assert worse.difference.interval.high == pytest.approx(narrow.high)
    assert worse.difference.interval.low == -1


ROWS = st.tuples(
    arrays(bool, 20).filter(lambda side: 0 < side.sum() < 20),
    arrays(float, 20, elements=st.integers(0, 8)),
    arrays(float, 20, elements=st.integers(0, 8)),
)


@given(ROWS)
def test_only_the_order_matters_and_the_two_can_change_places(rows):
    positive, one, other = rows
    found = two_areas(*rows)
    stretched = two_areas(positive, np.exp(one / 3), other**3 - 5)
    assert stretched.pvalue == pytest.approx(found.pvalue, nan_ok=True)
    swapped = two_areas(positive, other, one)
    assert swapped.difference.value == pytest.approx(-found.difference.value)
    assert swapped.pvalue == pytest.approx(found.pvalue, nan_ok=True)
    mirrored = two_areas(~positive, -one, -other)
    assert mirrored.pvalue == pytest.approx(found.pvalue, nan_ok=True)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_the_same_order_is_no_evidence(side):
    positive, one, _ = drawn(3, 50)
    for other in (one, np.exp(one)):
        found = two_areas(positive, one, other, alternative=side)
        assert (found.pvalue, found.difference.value, found.difference.interval) == (1, 0, None)
        assert "rank all rows alike" in found.difference.undefined


def test_one_pair_of_rows_out_of_very_many_is_not_the_same_order():
    n = 200_000
    positive, one = np.arange(n) % 2 == 1, np.arange(n, dtype=float)
    other = one.copy()
    other[[n // 2, n // 2 + 1]] = one[[n // 2 + 1, n // 2]]
    found = two_areas(positive, one, other)
    assert found.difference.interval is not None
    assert 0.3 < found.pvalue < 1


def test_a_perfect_order_beside_a_constant_score_has_an_interval():
    positive = np.arange(40) >= 20
    found = two_areas(positive, np.zeros(40), np.arange(40.0))
    assert found.difference.value == pytest.approx(0.5)
    assert found.pvalue < 0.01
    assert 0.2 < found.difference.interval.low < 0.45


@pytest.mark.parametrize("rows", [1, 2])
def test_one_or_two_positive_rows_leave_a_wide_interval(rows):
    positive = np.arange(50) < rows
    found = two_areas(positive, np.arange(50.0) % 7, -np.arange(50.0))
    assert found.difference.interval.half_width > 0.3
    assert found.pvalue > 0.05


@pytest.mark.parametrize("positive", [np.ones(5, bool), np.zeros(5, bool)])
def test_one_side_alone_leaves_it_undefined(positive):
    found = two_areas(positive, np.arange(5), np.arange(5))
    assert math.isnan(found.pvalue)
    assert math.isnan(found.difference.value)
    assert found.undefined == found.difference.undefined is not None


def test_few_rows_on_one_side_are_warned_of():
    positive, one, other = drawn(0, 200)
    assert two_areas(positive, one, other).warnings == ()
    few = np.flatnonzero(positive)[:5]  # below 10
    kept = np.concatenate([few, np.flatnonzero(~positive)])
    assert "Only 5 rows" in two_areas(positive[kept], one[kept], other[kept]).warnings[0]


def test_bad_input_is_refused():
    with pytest.raises(OptionError, match="One label and two scores"):
        two_areas([1, 0], [0.5, 0.4], [0.5])
    for bad in (np.nan, np.inf):
        with pytest.raises(InputError, match="finite"):
            two_areas([1, 0], [0.5, 0.4], [0.5, bad])
    with pytest.raises(OptionError, match="level"):
        two_areas([1, 0], [0.5, 0.4], [0.5, 0.1], level=95)


def test_equal_areas_are_seldom_found_different():
    """The size at 5 %, in a few hundred repetitions: within four standard errors."""
    pvalues = np.array([two_areas(*drawn(seed, 100)).pvalue for seed in range(600)])
    assert 0.05 - 4 * 0.0089 < np.mean(pvalues < 0.05) < 0.05 + 4 * 0.0089


def test_coverage_and_size_with_few_positives():
    """800 repetitions of 5 or 10 positive rows, areas 0.9 and 0.97: the plain z interval covers 77 to 88 %."""
    rng = np.random.default_rng(0)
    for positives in (5, 10):
        positive = np.arange(positives + 60) < positives
        for areas in ((0.9, 0.97), (0.75, 0.75)):
            shift = positive[:, None] * math.sqrt(2) * norm.ppf(areas)
            hits = []
            for _ in range(400):
                scores = math.sqrt(0.6) * rng.normal(size=(len(positive), 1)) + math.sqrt(0.4) * rng.normal(
                    size=(len(positive), 2)
                )
                difference = two_areas(positive, *(scores + shift).T).difference
                ends = (difference.interval.low, difference.interval.high) if difference.interval else (0, 0)
                hits.append(ends[0] <= areas[1] - areas[0] <= ends[1])
            assert np.mean(hits) >= 0.925, (positives, areas)
