"""A short, seeded look at bounds from counted tables: they hold where the truth sits at their ends, too."""

import numpy as np
import pytest
from studies.validity import counted
from studies.validity.counted import CLASSES, NOISES, RATE, counted_coverage, law


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("classes", CLASSES)
def test_the_laws_are_what_they_are_called(noise, classes):
    chances = law(noise, classes)
    assert chances.min() >= 0
    assert chances.sum() == pytest.approx(1)
    assert 1 - np.einsum("kkio->", chances) == pytest.approx(RATE)
    assert chances.sum(axis=(1, 2, 3)) == pytest.approx(np.linspace(1.5, 0.5, classes) / classes)
    wrong = chances * (1 - np.eye(classes))[:, :, None, None]
    repeats, sees = np.einsum("caia->", wrong), np.einsum("caic->", wrong)
    assert (noise == "repeated") == (repeats == pytest.approx(RATE))
    assert (noise == "seen through") == (sees == pytest.approx(RATE))


def test_bounds_hold_and_a_table_taken_as_exact_does_not(monkeypatch):
    monkeypatch.setattr(counted, "COUNTED", (100,))
    monkeypatch.setattr(counted, "CLASSES", (2, 10))
    found = counted_coverage(repetitions=6)
    assert len(found) == 7 * len(NOISES) * 2
    exact = [one["covered"] for one in found if "exact" in one["measure"] and one["classes"] == 10]
    held = [one for one in found if "exact" not in one["measure"]]
    assert np.mean([one["covered"] for one in held]) > 0.96
    assert min(one["covered"] for one in held) >= 0.6  # binomial luck of six repetitions
    assert np.mean(exact) < 0.6
