import numpy as np
import pytest
from scipy import stats

from justesse.core.errors import OptionError
from justesse.significance.one_sample_t import one_sample_t

ERRORS = [0.18, 0.21, 0.17, 0.19, 0.20, 0.24]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_scipy_agrees(alternative):
    peer = stats.ttest_1samp(ERRORS, 0.21, alternative=alternative)
    found = one_sample_t(ERRORS, 0.21, alternative=alternative)
    assert (found.statistic, found.pvalue) == pytest.approx((peer.statistic, peer.pvalue))
    ends = peer.confidence_interval(0.95)
    interval = found.difference.interval
    assert (interval.low + 0.21, interval.high + 0.21) == pytest.approx((ends.low, ends.high))
    assert found.df == (5.0,)
    assert found.n == 6


def test_overlap_divides_the_statistic_and_silences_the_warning():
    plain, corrected = one_sample_t(ERRORS, 0.22), one_sample_t(ERRORS, 0.22, test_over_train=1 / 5)
    assert corrected.statistic == pytest.approx(plain.statistic * np.sqrt((1 / 6) / (1 / 6 + 1 / 5)))
    assert "test_over_train" in plain.warnings[0]
    assert corrected.warnings == ()
    assert "5 training rows per test row" in corrected.assumptions[0]


def test_the_criterion_printed_in_002_claims_success_when_the_error_is_the_target():
    """002 prints "error below p0 with probability 1-α if t < t_α": it needs t < -t_α."""
    k, p0 = 10, 0.2
    scores = np.random.default_rng(0).normal(p0, 0.03, size=(4000, k))
    t = np.sqrt(k) * (scores.mean(axis=1) - p0) / scores.std(axis=1, ddof=1)
    as_printed = t < stats.t.isf(0.05, k - 1)
    assert as_printed.mean() == pytest.approx(0.95, abs=0.015)
    ours = np.array([one_sample_t(row, p0, alternative="less").pvalue < 0.05 for row in scores])
    assert ours.mean() == pytest.approx(0.05, abs=0.015)
    assert np.array_equal(ours, t < -stats.t.isf(0.05, k - 1))


def test_inside_is_not_ruled_out_rather_than_equal():
    """Widely scattered scores rule out no target at all: 0.15 and 0.25 cannot both be the mean."""
    scattered = [0.05, 0.35, 0.10, 0.30, 0.20]
    assert all(one_sample_t(scattered, target).pvalue > 0.05 for target in (0.15, 0.20, 0.25))


def test_equal_scores():
    on_target, off_target = one_sample_t([0.1 + 0.2, 0.3, 0.3], 0.3), one_sample_t([0.3, 0.3, 0.3], 0.2)
    assert (on_target.statistic, on_target.pvalue) == (0, 1)
    assert np.isnan(off_target.pvalue)
    assert "spread" in off_target.undefined
    assert off_target.to_dict()["pvalue"] is None


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([0.5], {}, "at least two"),
        ([0.5, np.nan], {}, "finite"),
        ([[0.5, 0.4]], {}, "at least two"),
        (ERRORS, {"target": np.nan}, "target"),
        (ERRORS, {"test_over_train": -0.1}, "test rows divided by training rows"),
        (ERRORS, {"test_over_train": np.nan}, "test rows divided by training rows"),
        (ERRORS, {"level": 95}, "level"),
        (ERRORS, {"alternative": "better"}, "alternative"),
    ],
)
def test_bad_input_is_refused(scores, options, words):
    with pytest.raises(OptionError, match=words):
        one_sample_t(scores, **({"target": 0.2} | options))
