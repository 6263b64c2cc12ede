"""The test that calibration carries over: against a z test, its p-values, and what it must see."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.significance.carried_calibration import carried_calibration


def counts(seed, n=1500, labelled=200, shift=lambda c: c):
    rng = np.random.default_rng(seed)
    ours, theirs = rng.uniform(0.5, 1, n), rng.uniform(0.5, 0.95, labelled)
    return ConfidenceCounts.of(
        ours, rng.random(n) < ours, theirs, theirs, rng.random(labelled) < shift(theirs)
    )  # fmt: skip


def test_with_a_known_calibration_it_is_spiegelhalters_statistic_in_two_directions():
    """A huge reference leaves the binomial covariance of the labelled rows alone."""
    rng = np.random.default_rng(5)
    grid = np.linspace(0.55, 0.95, 9)
    ours = np.repeat(grid, 40_000)
    right = np.concatenate([np.arange(40_000) < c * 40_000 for c in grid])
    theirs = rng.choice(grid, 300)
    hit = rng.random(300) < theirs - 0.05
    result = carried_calibration(ConfidenceCounts.of(ours, right, theirs, theirs, hit), draws=20_000)
    lean = np.stack([np.ones(300), theirs - theirs.mean()], axis=1)
    seen = (hit - theirs) @ lean
    cover = (lean * (theirs * (1 - theirs))[:, None]).T @ lean
    expected = float(seen @ np.linalg.inv(cover) @ seen)
    assert result.statistic == pytest.approx(expected, rel=0.1)
    assert result.pvalue == pytest.approx(chi2.sf(expected, 2), rel=0.2, abs=0.01)


def test_it_rejects_about_as_often_as_it_should():
    pvalues = [carried_calibration(counts(seed, n=400, labelled=60), draws=199, seed=seed).pvalue for seed in range(60)]
    assert np.mean(np.array(pvalues) <= 0.05) <= 0.15
    assert 0.3 < np.mean(pvalues) < 0.7


@pytest.mark.parametrize(
    "shift", [lambda c: c - 0.2, lambda c: 0.75 - 0.9 * (c - 0.75)], ids=["all less often right", "turned round"]
)
def test_it_sees_a_broken_calibration(shift):
    assert carried_calibration(counts(1, labelled=400, shift=shift)).pvalue < 0.01


def test_without_labels_there_is_no_p_value():
    result = carried_calibration(ConfidenceCounts.of([0.6, 0.9], [0, 1], [0.7]))
    assert math.isnan(result.pvalue)
    assert "no row" in result.undefined


def test_one_labelled_row_is_no_evidence():
    one = ConfidenceCounts.of([0.6, 0.9] * 20, [0, 1] * 20, [0.9] * 5, [0.9], [1])
    assert carried_calibration(one).pvalue > 0.5
