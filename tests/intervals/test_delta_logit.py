"""The delta method on the scale of log odds, and the standard error of weighted rows."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from justesse import count
from justesse.intervals.delta import logit_delta_ends
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import averaged, f1, mcc

TAILS = (0.025, 0.025)


def test_shares_by_scipy():
    ends = logit_delta_ends(np.array([0.9, 0.3]), np.array([0.05, 0.02]), (0, 1), level=0.95, tails=TAILS)
    far = 1.959964 * np.array([0.05, 0.02]) / (np.array([0.9, 0.3]) * np.array([0.1, 0.7]))
    assert ends.low.tolist() == pytest.approx(expit(logit([0.9, 0.3]) - far), rel=1e-6)
    assert ends.high.tolist() == pytest.approx(expit(logit([0.9, 0.3]) + far), rel=1e-6)


def test_correlations_get_fishers_z():
    ends = logit_delta_ends(np.array([-0.2]), np.array([0.1]), (-1, 1), level=0.95, tails=TAILS)
    far = 1.959964 * 0.1 / (1 - 0.04)
    assert float(ends.low[0]) == pytest.approx(np.tanh(np.arctanh(-0.2) - far), rel=1e-6)
    assert float(ends.high[0]) == pytest.approx(np.tanh(np.arctanh(-0.2) + far), abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(value=st.floats(-1, 1), error=st.floats(0, 5), low=st.sampled_from([-1, 0]))
@example(value=2e-309, error=1.0, low=0)
def test_ends_stay_inside_the_range_around_the_value(value, error, low):
    ends = logit_delta_ends(np.array([value]), np.array([error]), (low, 1), level=0.95, tails=TAILS)
    if low < value < 1 and error > 1e-12:
        assert low <= ends.low[0] <= value + 1e-12
        assert value - 1e-12 <= ends.high[0] <= 1
    else:
        assert np.isnan(ends.low[0])
        assert np.isnan(ends.high[0])


def test_one_side_is_open():
    ends = logit_delta_ends(np.array([0.5]), np.array([0.1]), (0, 1), level=0.95, tails=(0.05, 0.0))
    assert ends.high.tolist() == [np.inf]


def weighted(rng, n, spread, by_class=1.0):
    label = rng.integers(2, size=n)
    prediction = np.where(rng.random(n) < 0.1, 1 - label, label)
    weight = np.exp(spread * rng.normal(size=n)) * np.where(label == 0, by_class, 1.0)
    return count(label=label, prediction=prediction, weight=weight)


def test_weighted_rows_are_covered_also_with_a_few_heavy_ones():
    rng = np.random.default_rng(4)
    hits = [
        [each.interval.low <= truth <= each.interval.high for each, truth in zip(results, (0.9, 0.8), strict=True)]
        for results in (estimate(weighted(rng, 200, 1.0), [averaged(f1, "macro"), mcc]) for _ in range(300))
    ]
    assert np.mean(hits, axis=0).min() > 0.93
    assert estimate(weighted(rng, 200, 1.0), [mcc])[0].interval.method == "delta-logit"


def test_weights_of_classes_alone_do_not_widen():
    tally = weighted(np.random.default_rng(5), 400, 0.0, by_class=5.0)
    plain = estimate(tally, [mcc], Confidence(method="delta"))[0].interval
    assert plain.method == "delta"
    assert estimate(tally, [mcc])[0].interval.half_width == pytest.approx(plain.half_width, rel=0.05)
