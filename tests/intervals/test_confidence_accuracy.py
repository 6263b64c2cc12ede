"""Accuracy without labels from confidences: closed forms, other libraries, and what every world must keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from justesse.core.errors import InputError
from justesse.intervals.confidence_accuracy import checked_accuracy, confidence_accuracy, drawn_curves
from justesse.intervals.recalibration import PENALTY, Recalibration
from justesse.measures.curves.confidence_counts import GROUPS, ConfidenceCounts

RNG = np.random.default_rng(0)


def world(n=400, target=300, low=0.5, off=0.1):
    """Draw confidences that are too high by `off`."""
    ours, theirs = RNG.uniform(0.5, 1, n), RNG.uniform(low, 1, target)
    return ours, RNG.random(n) < ours - off, theirs


def test_difference_of_confidences_by_hand():
    """Reference: 3 of 4 right, mean confidence 0.8; target: mean confidence 0.7, so 0.75 - 0.1."""
    counts = ConfidenceCounts.of([0.7, 0.8, 0.8, 0.9], [0, 1, 1, 1], [0.6, 0.8])
    values = {name: item.value for name, item in confidence_accuracy(counts, draws=100).estimates.items()}
    assert values["difference_of_confidences"] == pytest.approx(0.65)
    assert values["average_confidence"] == pytest.approx(0.7)
    # a quarter of the reference is wrong, so the threshold lies above its lowest confidence, 0.7: of the target, 0.6 is below
    assert values["thresholded_confidence"] == pytest.approx(0.5)


def test_thresholded_confidence_is_that_of_its_paper():
    """Garg et al.: the threshold with as many reference rows below as are wrong; the target's share at or above it."""
    ours, right, theirs = world()
    wrong = int((~right).sum())
    threshold = np.sort(ours)[wrong]
    value = confidence_accuracy(ConfidenceCounts.of(ours, right, theirs), draws=100).estimates["thresholded_confidence"]
    below = np.sort(ours)[wrong - 1]
    assert (theirs >= threshold).mean() <= value.value <= (theirs > below).mean() + 1e-12


def test_recalibration_is_penalised_logistic_regression():
    ours, right, theirs = world()
    counts = ConfidenceCounts.of(ours, right, theirs)
    curve = Recalibration.of(counts.confidence, counts.reference)
    assert curve.basis.shape[1] == 3
    rows = np.concatenate(
        [np.repeat(np.arange(len(counts.confidence)), part.astype(int)) for part in (counts.right, counts.wrong)]
    )
    hit = np.repeat([1, 0], [int(counts.right.sum()), int(counts.wrong.sum())])
    peer = LogisticRegression(C=1 / PENALTY, tol=1e-10, max_iter=10_000).fit(curve.basis[rows, 1:], hit)
    expected = peer.predict_proba(curve.basis[:, 1:])[:, 1]
    assert curve.fitted(counts.right, counts.wrong) == pytest.approx(expected, abs=1e-4)


def test_the_spline_is_a_straight_line_beyond_its_knots():
    x = np.linspace(0.05, 0.95, 400)
    basis = Recalibration.of(x, np.ones(400)).basis
    steps = np.diff(basis[:, 2]) / np.diff(basis[:, 1])
    assert np.ptp(steps[:20]) < 1e-9
    assert np.ptp(steps[-20:]) < 1e-6
    assert np.ptp(steps) > 0.1


def test_many_resamples_at_once_are_those_one_by_one():
    ours, right, theirs = world()
    counts = ConfidenceCounts.of(ours, right, theirs)
    curve = Recalibration.of(counts.confidence, counts.reference)
    weights = RNG.standard_gamma(np.stack([counts.right, counts.wrong]), (5, 2, len(counts.confidence)))
    both = curve.fitted(weights[:, 0], weights[:, 1])
    for at in range(5):
        assert both[at] == pytest.approx(curve.fitted(weights[at, 0], weights[at, 1]), abs=1e-4)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.integers(5, 60), st.floats(0.0, 0.4))
def test_estimates_lie_in_their_intervals_range_and_fit_the_reference(seed, n, off):
    rng = np.random.default_rng(seed)
    ours = rng.uniform(0.5, 1, n)
    right = rng.random(n) < ours - off
    counts = ConfidenceCounts.of(ours, right, ours)
    result = confidence_accuracy(counts, draws=100, seed=seed)
    for item in result.estimates.values():
        assert 0 <= item.interval.low <= item.interval.high <= 1
    # without shift, recalibration gives the accuracy of the reference
    assert result.estimates["calibrated_confidence"].value == pytest.approx(right.mean(), abs=0.01)
    assert result.estimates["difference_of_confidences"].value == pytest.approx(right.mean())


def test_a_reference_without_mistakes_has_an_interval():
    counts = ConfidenceCounts.of(RNG.uniform(0.5, 1, 100), np.ones(100), RNG.uniform(0.5, 1, 100))
    interval = confidence_accuracy(counts, draws=400).estimates["calibrated_confidence"].interval
    assert 0.9 < interval.low < 0.995
    assert interval.high > 0.999


def test_a_larger_reference_and_a_larger_target_narrow_the_interval():
    def width(n, target):
        item = confidence_accuracy(ConfidenceCounts.of(*world(n, target, low=0.6)), draws=300)
        interval = item.estimates["calibrated_confidence"].interval
        return interval.high - interval.low

    assert width(2000, 300) < width(200, 300)
    assert width(2000, 2000) < width(2000, 60)


def test_many_distinct_confidences_are_counted_in_groups():
    ours, right, theirs = world(5000, 4000, low=0.55)
    counts = ConfidenceCounts.of(ours, right, theirs, theirs[:50], np.ones(50))
    assert len(counts.confidence) <= GROUPS
    assert counts.reference.sum() == 5000
    assert counts.target.sum() == 4000
    assert counts.labelled.sum() == 50
    average = confidence_accuracy(counts, draws=100).estimates["average_confidence"].value
    assert average == pytest.approx(theirs.mean(), abs=1e-4)


def test_one_confidence_only_is_the_reference_accuracy():
    counts = ConfidenceCounts.of([0.8] * 10, [1] * 7 + [0] * 3, [0.8] * 5)
    assert confidence_accuracy(counts, draws=100).estimates["calibrated_confidence"].value == pytest.approx(0.7)


def test_the_share_outside_the_reference():
    assert ConfidenceCounts.of([0.6, 0.8], [1, 1], [0.5, 0.6, 0.7, 0.9]).outside == 0.5


def test_curves_repeat_with_their_seed():
    counts = ConfidenceCounts.of(*world())
    assert (drawn_curves(counts, draws=100, seed=3) == drawn_curves(counts, draws=100, seed=3)).all()
    assert (drawn_curves(counts, draws=100, seed=3) != drawn_curves(counts, draws=100, seed=4)).any()


def test_labels_correct_a_broken_calibration():
    ours, right, theirs = world(2000, 2000, off=0.0)
    hit = RNG.random(2000) < theirs - 0.2
    counts = ConfidenceCounts.of(ours, right, theirs, theirs[:400], hit[:400])
    result = confidence_accuracy(counts, draws=100)
    powered = checked_accuracy(counts, result.fitted)
    assert powered.interval.low < hit.mean() < powered.interval.high
    assert powered.bias == pytest.approx(0.2, abs=0.06)
    assert powered.bias_interval.low > 0


@pytest.mark.parametrize("bad", [[], [1.2], [np.nan]])
def test_confidences_that_are_none_are_refused(bad):
    with pytest.raises(InputError):
        ConfidenceCounts.of(bad, [1] * len(bad), [0.5])
