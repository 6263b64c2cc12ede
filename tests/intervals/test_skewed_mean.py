"""Hall's interval of a skewed mean: by hand, its limits, and coverage of log loss and Brier score."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit

from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_probabilities, estimate_scores
from justesse.intervals.skewed_mean import skewed_mean
from justesse.measures.curves.mean_loss import MeanLoss
from justesse.measures.curves.score_counts import ScoreCounts


def test_the_ends_are_where_halls_transformation_reaches_the_t_quantile():
    """T + gT²/3 + g²T³/27 + g/6 with g the skewness over √n, solved numerically: Hall (1992), equation for g1."""
    losses = np.random.default_rng(2).exponential(size=40)
    n, error = 40, stats.sem(losses)
    g = stats.skew(losses) / np.sqrt(n)
    squares = (losses - losses.mean()) ** 2
    degrees = 2 * squares.sum() ** 2 / ((squares**2).sum() - squares.sum() ** 2 / n)
    far = stats.t.ppf(0.975, min(degrees, n - 1))

    def transformed(t):
        return t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 6

    below, above = (brentq(lambda t, end=end: transformed(t) - end, -60, 60) for end in (far, -far))
    ends = skewed_mean(MeanLoss.of(losses), n)
    assert float(ends.low) == pytest.approx(losses.mean() - below * error)
    assert float(ends.high) == pytest.approx(losses.mean() - above * error)


def test_symmetric_rows_have_student_s_interval():
    losses = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    ends = skewed_mean(MeanLoss.of(losses), 5)
    low, high = stats.t.interval(0.95, 4, 3.0, stats.sem(losses))
    assert (float(ends.low), float(ends.high)) == pytest.approx((low, high))


def test_nothing_that_varies_has_no_interval():
    assert np.isnan(skewed_mean(MeanLoss.of(np.full(9, 0.3)), 9).low)
    assert np.isnan(skewed_mean(MeanLoss.of(np.array([0.3])), 1).low)
    assert np.isnan(skewed_mean(MeanLoss.of(np.array([0.3, np.inf])), 2).low)


@pytest.mark.parametrize("level", [0.01, 0.3, 0.95])
def test_the_value_lies_in_the_interval(level):
    mean = MeanLoss.of(np.array([0.0, 0.0, 0.1, 0.0, 5.0]))
    ends = skewed_mean(mean, 5, level=level)
    assert float(ends.low) <= mean.value <= float(ends.high)


def test_probabilities_of_two_classes_have_the_losses_of_one():
    rng = np.random.default_rng(4)
    positive = rng.random(60) < 0.3
    score = np.round(expit(rng.normal(size=60) + positive), 1).clip(0.05, 0.95)
    weights = np.where(positive, 2.0, 1.0)
    for used in (None, weights):
        one = estimate_scores(ScoreCounts.of(score, positive, used), Confidence())
        two = estimate_probabilities(
            np.stack([1 - score, score], axis=1), positive.astype(int), [0, 1], used, Confidence()
        ).estimates
        for first, second in zip(one[-2:], two[-2:], strict=True):
            assert first.interval.method == second.interval.method == "hall-t"
            assert (first.interval.low, first.interval.high) == pytest.approx(
                (second.interval.low, second.interval.high)
            )


@pytest.mark.parametrize("n", [50, 200])
def test_coverage_of_losses_with_few_positive_rows(n):
    """300 test sets with 10 % positive rows; the delta method covers 81 and 89 % (log loss), 84 and 91 % (Brier)."""
    rng, rate, shift = np.random.default_rng(8), 0.1, 2.5

    def drawn(size):
        positive = rng.random(size) < rate
        return expit(
            np.log(rate / (1 - rate)) + shift * (rng.normal(size=size) + shift * positive) - shift**2 / 2
        ), positive

    truth = [each.value for each in estimate_scores(ScoreCounts.of(*drawn(1_000_000)), Confidence())[-2:]]
    hits = np.zeros(2)
    for _ in range(300):
        results = estimate_scores(ScoreCounts.of(*drawn(n)), Confidence())[-2:]
        hits += [one.interval.low <= value <= one.interval.high for one, value in zip(results, truth, strict=True)]
    assert (hits / 300).min() >= 0.93
