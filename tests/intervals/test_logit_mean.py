"""Means of areas over classes: intervals on the logit scale, with few rows per class."""

import math

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t

from justesse.intervals.estimate import Confidence
from justesse.intervals.logit_mean import logit_mean
from justesse.intervals.score_estimates import estimate_probabilities

CLASSES = ("a", "b", "c", "d", "e")


def drawn(rng, n, apart):
    labels = rng.integers(len(CLASSES), size=n)
    scores = rng.normal(size=(n, len(CLASSES)))
    scores[np.arange(n), labels] += apart
    scores = np.exp(scores)
    return scores / scores.sum(axis=1, keepdims=True), labels


def means(scores, labels):
    estimates = estimate_probabilities(scores, labels, CLASSES, None, Confidence()).estimates
    return {(each.name, each.average): each for each in estimates if each.average}


def test_by_hand():
    pushes = np.array([0.02, -0.01, 0.01, -0.02, 0.0])
    squares = pushes**2
    degrees = 2 * squares.sum() ** 2 / ((squares**2).sum() - squares.sum() ** 2 / 5)
    half = t.ppf(0.975, min(degrees, 4)) * math.sqrt(squares.sum()) / (0.9 * 0.1)
    ends = logit_mean(0.9, pushes)
    assert float(ends.low) == pytest.approx(expit(logit(0.9) - half))
    assert float(ends.high) == pytest.approx(expit(logit(0.9) + half))
    one = logit_mean(0.9, pushes, alternative="greater")
    assert float(one.high) == 1
    assert float(ends.low) < float(one.low) < 0.9


@pytest.mark.parametrize("value", [0.0, 1.0, math.nan])
def test_no_interval_at_the_ends(value):
    assert math.isnan(float(logit_mean(value, np.array([0.1, -0.1])).low))


def test_coverage_of_means_of_areas_near_one():
    """150 test sets of 50 rows and five classes; the plain delta method covers 84 to 88 %."""
    rng = np.random.default_rng(2)
    truth = {key: each.value for key, each in means(*drawn(rng, 60_000, 2.5)).items()}
    hits = dict.fromkeys(truth, 0)
    for _ in range(150):
        for key, each in means(*drawn(rng, 50, 2.5)).items():
            assert each.interval.high <= 1
            assert each.interval.method == "logit-t"
            hits[key] += each.interval.low <= truth[key] <= each.interval.high
    assert len(hits) == 5
    assert min(hits.values()) >= 0.92 * 150
