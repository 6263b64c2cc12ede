import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv
from scipy import stats

from justesse.core.errors import OptionError
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.five_by_two_t import five_by_two_t

INCUMBENT = np.array([[0.80, 0.78], [0.81, 0.79], [0.77, 0.80], [0.79, 0.80], [0.82, 0.78]])
CANDIDATE = np.array([[0.83, 0.80], [0.82, 0.82], [0.80, 0.81], [0.82, 0.81], [0.83, 0.81]])
SCORES = arrays(float, (5, 2), elements=st.floats(0, 1).map(lambda x: round(x, 3)))
TESTS = (five_by_two_t, five_by_two_f)


class Recorded:
    """An estimator that was scored already: the peer asks for the ten scores one after another."""

    def __init__(self, scores):
        self.left = iter(np.ravel(scores))

    def fit(self, x, y):
        return self


def peer(test, incumbent, candidate):
    # the peer subtracts its second from its first
    return test(
        Recorded(candidate),
        Recorded(incumbent),
        np.zeros((4, 1)),
        np.array([0, 1, 0, 1]),
        scoring=lambda estimator, x, y: next(estimator.left),
        random_seed=0,
    )


def test_mlxtend_agrees():
    t, f = five_by_two_t(INCUMBENT, CANDIDATE), five_by_two_f(INCUMBENT, CANDIDATE)
    assert (t.statistic, t.pvalue) == pytest.approx(peer(paired_ttest_5x2cv, INCUMBENT, CANDIDATE))
    assert (f.statistic, f.pvalue) == pytest.approx(peer(combined_ftest_5x2cv, INCUMBENT, CANDIDATE))
    assert (t.df, f.df) == ((5.0,), (10.0, 5.0))
    assert (t.n, f.n) == (10, 10)


def test_the_interval_is_the_first_difference_and_decides_as_the_test_does():
    found = five_by_two_t(INCUMBENT, CANDIDATE)
    assert found.difference.value == pytest.approx(0.03)
    error = 0.03 / found.statistic
    half = stats.t.isf(0.025, 5) * error
    interval = found.difference.interval
    assert (interval.low, interval.high) == pytest.approx((0.03 - half, 0.03 + half))
    border = five_by_two_t(INCUMBENT, CANDIDATE, level=1 - found.pvalue).difference.interval
    assert border.low == pytest.approx(0, abs=1e-9)


def test_one_side():
    t = five_by_two_t(INCUMBENT, CANDIDATE).statistic
    greater = five_by_two_t(INCUMBENT, CANDIDATE, alternative="greater")
    less = five_by_two_t(INCUMBENT, CANDIDATE, alternative="less")
    assert (greater.pvalue, less.pvalue) == pytest.approx((stats.t.sf(t, 5), stats.t.cdf(t, 5)))
    assert greater.difference.interval.high == np.inf
    assert less.difference.interval.low == -np.inf


def test_f_gives_the_mean_of_all_ten():
    found = five_by_two_f(INCUMBENT, CANDIDATE).difference
    assert found.value == pytest.approx((CANDIDATE - INCUMBENT).mean())
    assert found.interval is None
    assert "no interval" in found.undefined


@given(SCORES, SCORES)
def test_swapping_the_two_mirrors_the_answer(one, other):
    assume(np.ptp(other - one, axis=1).max() > 1e-6)
    t, mirrored = five_by_two_t(one, other), five_by_two_t(other, one)
    assert mirrored.statistic == pytest.approx(-t.statistic)
    assert mirrored.pvalue == pytest.approx(t.pvalue)
    assert 0 <= t.pvalue <= 1
    assert five_by_two_f(one, other).pvalue == pytest.approx(five_by_two_f(other, one).pvalue)


@given(SCORES, SCORES, st.permutations(range(5)))
def test_f_does_not_depend_on_the_order_of_the_folds(one, other, order):
    assume(np.ptp(other - one, axis=1).max() > 1e-6)
    f = five_by_two_f(one, other).statistic
    assert five_by_two_f(one[order][:, ::-1], other[order][:, ::-1]).statistic == pytest.approx(f)


def test_t_depends_on_it():
    turned = five_by_two_t(INCUMBENT[::-1], CANDIDATE[::-1])
    assert turned.statistic == pytest.approx(five_by_two_t(INCUMBENT, CANDIDATE).statistic / 3)


@pytest.mark.parametrize("test", TESTS)
def test_no_difference_at_all_is_no_evidence(test):
    found = test(INCUMBENT, INCUMBENT)
    assert (found.statistic, found.pvalue) == (0, 1)
    assert found.undefined is None


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("shift", [0.01, np.array([[0.0], [0.1], [0.2], [0.1], [0.1]])])
def test_no_spread_within_repetitions_leaves_it_undefined(test, shift):
    found = test(INCUMBENT, INCUMBENT + shift)
    assert np.isnan(found.statistic)
    assert np.isnan(found.pvalue)
    assert "spread" in found.undefined
    assert found.difference.interval is None
    assert found.to_dict()["statistic"] is None


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (INCUMBENT.T, "five repetitions .* 2 x 5"),
        (INCUMBENT[:4], "five repetitions .* 4 x 2"),
        (INCUMBENT.ravel(), "full table"),
        ([[0.8, 0.7], [0.8]], "full table"),
        (np.where(np.eye(5, 2), np.nan, INCUMBENT), "finite"),
        ([["high", "low"]] * 5, "full table"),
    ],
)
def test_wrong_shapes_are_refused(test, scores, words):
    with pytest.raises(OptionError, match=words):
        test(scores, CANDIDATE)


def test_bad_options_are_refused():
    with pytest.raises(OptionError, match="alternative"):
        five_by_two_t(INCUMBENT, CANDIDATE, alternative="better")
    with pytest.raises(OptionError, match="level"):
        five_by_two_t(INCUMBENT, CANDIDATE, level=1)
