"""What docs/errata.md says of the chapters on wrong labels; item 7 has a file of its own, item 8 is with the injection."""

import numpy as np
import pytest

from justesse import Tally
from justesse.measures import accuracy, precision, recall
from justesse.noise.bias import accuracy_bias, bias
from justesse.noise.correct import NARROWS, corrected
from justesse.noise.profile import Profile

AXES = ("true", "label", "prediction")


def rows(classes, n=600):
    rng = np.random.default_rng(3)
    true = rng.integers(classes, size=n)
    moved = [np.where(rng.random(n) < chance, rng.integers(classes, size=n), true) for chance in (0.3, 0.4)]
    return true, *moved


def tally(*columns):
    return Tally.of(AXES, [(*map(int, row), 1) for row in zip(*columns, strict=True)])


def test_3_precision_is_of_what_was_predicted_and_recall_of_what_is_true():
    true, label, answer = rows(3)
    found = {one.name: one for one in bias(tally(true, label, answer), [precision, recall]) if one.class_name == 1}
    assert found["precision"].true == pytest.approx(np.mean(true[answer == 1] == 1))
    assert found["recall"].true == pytest.approx(np.mean(answer[true == 1] == 1))
    assert found["precision"].apparent == pytest.approx(np.mean(label[answer == 1] == 1))
    assert found["precision"].true != pytest.approx(found["recall"].true)


def test_15_agreeing_with_the_label_is_being_wrong_only_where_the_label_is_wrong():
    true, label, answer = rows(2)
    wrong = true != label
    assert np.array_equal((answer == label)[wrong], (answer != true)[wrong])
    assert np.array_equal((answer == label)[~wrong], (answer == true)[~wrong])
    counts = Profile.of(tally(true, label, answer))
    assert counts.repeated.sum() + counts.recovered.sum() == counts.wrong
    # taken for all rows it would make the apparent accuracy one minus the true one
    found = bias(tally(true, label, answer), [accuracy])[0]
    assert found.apparent != pytest.approx(1 - found.true)
    # with three classes not even there: an answer can be neither
    three = Profile.of(tally(*rows(3)))
    assert three.repeated.sum() + three.recovered.sum() < three.wrong


def test_15_the_largest_bias_of_the_example_of_6_4_2_brings_it_to_100_percent():
    largest = float(accuracy_bias(wrong=0.2, repeated=1, recovered=0))
    assert 0.8 + largest == pytest.approx(1.0)  # not the 82 % that the thesis names
    found = corrected(1999, 2000, 0.1995)
    assert found.estimate.value == pytest.approx(0.8)
    assert NARROWS in found.warnings
    width = found.estimate.interval.high - found.estimate.interval.low
    unbiased = corrected(1600, 2000, 0.0).estimate.interval
    assert width < (unbiased.high - unbiased.low) / 5
