import warnings
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.evaluate import mcnemar as mlxtend_mcnemar
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from justesse.core.errors import OptionError
from justesse.significance.mcnemar import mcnemar, mcnemar_pvalues

METHODS = ("exact", "mid-p", "chi-square")
SIDES = ("two-sided", "greater", "less")
COUNTS = st.integers(0, 60)


def summed(b: int, c: int, *, half: bool, alternative: str = "two-sided") -> float:
    """Add up the binomial chances one by one, as fractions."""
    m = b + c
    won = {"two-sided": min(b, c), "greater": b, "less": c}[alternative]
    tail = Fraction(sum(comb(m, x) for x in range(won + 1)), 2**m)
    if half:
        tail -= Fraction(comb(m, won), 2 ** (m + 1))
    return float(min(2 * tail, 1) if alternative == "two-sided" else tail)


@given(COUNTS, COUNTS, st.sampled_from(SIDES))
def test_binomial_chances_added_up_one_by_one(b, c, side):
    if b + c:
        assert mcnemar(b, c, method="exact", alternative=side).pvalue == pytest.approx(
            summed(b, c, half=False, alternative=side), rel=1e-10
        )
        assert mcnemar(b, c, alternative=side).pvalue == pytest.approx(
            summed(b, c, half=True, alternative=side), rel=1e-10
        )


@pytest.mark.parametrize(("b", "c"), [(15, 5), (5, 15), (1, 0), (7, 7), (121, 59), (3, 40)])
def test_statsmodels_agrees(b, c):
    table = [[100, b], [c, 100]]
    assert mcnemar(b, c, method="exact").pvalue == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue)
    peer = statsmodels_mcnemar(table, exact=False, correction=False)
    found = mcnemar(b, c, method="chi-square")
    assert found.pvalue == pytest.approx(peer.pvalue)
    assert found.statistic == pytest.approx(peer.statistic)
    assert found.df == (1.0,)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("side", SIDES)
def test_no_disagreement_is_no_evidence_though_mlxtend_gives_0(method, side):
    assert mcnemar(0, 0, method=method, alternative=side).pvalue == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert mlxtend_mcnemar(np.array([[10, 0], [0, 5]]))[1] == 0  # wrong, and why this test exists


@pytest.mark.parametrize("method", METHODS)
@given(st.integers(0, 500), st.integers(0, 500))
def test_the_two_can_change_places(method, b, c):
    assert mcnemar(b, c, method=method).pvalue == pytest.approx(mcnemar(c, b, method=method).pvalue)
    better, worse = (mcnemar(b, c, method=method, alternative=side).pvalue for side in ("greater", "less"))
    assert better == pytest.approx(mcnemar(c, b, method=method, alternative="less").pvalue)
    if b + c and method != "exact":
        assert better + worse == pytest.approx(1)
        assert mcnemar(b, c, method=method).pvalue == pytest.approx(2 * min(better, worse))
    assert (better < worse) == (c > b)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_mid_p_lies_below_exact_and_never_above_1(b, c):
    mid, exact = mcnemar(b, c).pvalue, mcnemar(b, c, method="exact").pvalue
    assert 0 <= mid <= exact <= 1
    if b == c:
        assert mid == pytest.approx(1)


@pytest.mark.parametrize("size", [10**5, 3 * 10**9, 10**12])
@pytest.mark.parametrize("side", SIDES)
def test_billions_of_rows_agree_with_the_normal_tail(size, side):
    apart = int(2.5 * (2 * size) ** 0.5)
    plain = mcnemar(size, size + apart, method="chi-square", alternative=side).pvalue
    for method in ("mid-p", "exact"):
        found = mcnemar(size, size + apart, method=method, alternative=side).pvalue
        assert found == pytest.approx(plain, rel=0.02, abs=1e-4)


def test_many_at_once():
    b, c = np.meshgrid(np.arange(12), np.arange(12))
    for method in METHODS:
        for side in SIDES:
            found = mcnemar_pvalues(b, c, method=method, alternative=side)
            one_by_one = [
                mcnemar(i, j, method=method, alternative=side).pvalue for i, j in zip(b.flat, c.flat, strict=True)
            ]
            np.testing.assert_allclose(found.ravel(), one_by_one)


def test_the_outcome_says_what_it_rests_on():
    found = mcnemar(5, 15, alternative="greater")
    assert (found.test, found.n, found.alternative) == ("mcnemar-mid-p", 20, "greater")
    assert found.statistic == 15
    assert "the labels are right" in found.assumptions
    assert mcnemar(5, 15, method="chi-square", alternative="greater").statistic == pytest.approx(10 / 20**0.5)


@pytest.mark.parametrize("bad", [-1, 1.5, float("nan"), float("inf")])
def test_counts_are_whole_numbers(bad):
    for counts in ((bad, 1), (1, bad)):
        with pytest.raises(OptionError, match="whole number"):
            mcnemar(*counts)


def test_unknown_words_are_refused():
    with pytest.raises(OptionError, match="'fisher'"):
        mcnemar(1, 2, method="fisher")
    with pytest.raises(OptionError, match="alternative"):
        mcnemar(1, 2, alternative="bigger")
