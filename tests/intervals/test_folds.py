import numpy as np
import pytest
from scipy import stats

from justesse.core.errors import OptionError
from justesse.intervals import spread, student

SCORES = [0.80, 0.84, 0.79, 0.83, 0.82, 0.81]


def test_scipy_agrees_on_the_mean():
    peer = stats.ttest_1samp(SCORES, 0).confidence_interval(0.9)
    found = student(SCORES, level=0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx((peer.low, peer.high))
    one_sided = stats.ttest_1samp(SCORES, 0, alternative="greater").confidence_interval(0.95)
    assert student(SCORES, alternative="greater").interval.low == pytest.approx(one_sided.low)


def test_nadeau_and_bengio_widen_by_the_overlap():
    plain, corrected = student(SCORES), student(SCORES, test_over_train=1 / 5)
    ratio = corrected.interval.half_width / plain.interval.half_width
    assert ratio == pytest.approx(np.sqrt((1 / 6 + 1 / 5) / (1 / 6)))
    assert corrected.interval.method == "student-nadeau-bengio"


def test_the_spread_by_hand():
    s, k = np.std(SCORES, ddof=1), len(SCORES)
    found = spread(SCORES)
    assert found.interval.low == pytest.approx(np.sqrt((k - 1) * s**2 / stats.chi2.ppf(0.975, k - 1)))
    assert found.interval.high == pytest.approx(np.sqrt((k - 1) * s**2 / stats.chi2.ppf(0.025, k - 1)))
    assert spread(SCORES, alternative="less").interval.low == 0
    upper = np.sqrt((k - 1) * s**2 / stats.chi2.ppf(0.05, k - 1))
    assert spread(SCORES, alternative="less").interval.high == pytest.approx(upper)


def test_equal_scores_have_no_interval():
    assert student([0.5, 0.5]).interval is None
    assert student([0.1] * 3).interval is None
    assert spread([0.1] * 3).interval is None
    assert "equal" in spread([0.5, 0.5]).undefined


@pytest.mark.parametrize("scores", [[0.5], [], [0.5, float("nan")], [[0.5, 0.6]]])
def test_too_few_or_odd_scores_are_refused(scores):
    with pytest.raises(OptionError, match="score"):
        student(scores)


def test_the_ratio_must_be_positive():
    with pytest.raises(OptionError, match="test rows divided by training rows"):
        student(SCORES, test_over_train=0)
