"""Calibrated probabilities of four real crowds: they expect as many right classes as there are."""

import pytest

import justesse


@pytest.mark.parametrize("crowd", ["bluebird", "rte", "dog", "web"])
def test_calibrated_probabilities_expect_what_is_right(data, crowd):
    """A temperature alone expected 59.8 % right on web and 77.5 % on dog, where 82.6 % and 84.3 % are."""
    folder = data / "crowd" / crowd
    result = justesse.annotators_infer(folder / "label.csv", check=folder / "truth.csv", draws=0)
    checked = result.calibration
    assert checked.expected - checked.accuracy.value > 0.05
    assert abs(checked.calibrated_expected - checked.accuracy.value) < 0.02
    assert checked.calibrated_log_loss < checked.log_loss / 2
    within = [
        each.right.interval.low - 0.02 <= each.probability <= each.right.interval.high + 0.02
        for each in checked.calibrated_bins
    ]
    assert sum(within) >= len(within) - 3
