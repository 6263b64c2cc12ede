"""A short, seeded look at bounds from counted tables: they hold where the truth sits at their ends, too."""

import numpy as np
import pytest
from studies.validity.counted import NOISES, RATE, bounds_of, drawn, law

from justesse.noise.transition import Transition


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("classes", [2, 3, 10])
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


def test_bounds_hold_and_a_table_taken_as_exact_does_not():
    held, exact = [], []
    for noise in NOISES:
        for classes in (2, 10):
            chances, rng = law(noise, classes), np.random.default_rng(classes)
            for at in range(6):
                other = Transition.from_tally(drawn(chances, 100, rng))
                rows = drawn(chances, 2000, rng)
                if np.any(rows.sums("label")[other.counts.sum(axis=0) == 0]):
                    continue  # a label that was never counted is refused
                for name, bounds, truth in bounds_of(rows, other, at):
                    inside = bounds.low - 1e-9 <= truth <= bounds.high + 1e-9
                    if "exact" not in name:
                        held.append(inside)
                    elif classes == 10:
                        exact.append(inside)
    assert len(held) > 200
    assert np.mean(held) > 0.96
    assert np.mean(exact) < 0.6
