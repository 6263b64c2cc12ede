"""What docs/errata.md says, item by item, where it concerns what is built."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from justesse import Tally
from justesse.intervals import wilson
from justesse.measures import f1, npv, precision, recall, specificity

ERRATA = Path(__file__).parents[2] / "docs" / "errata.md"


def test_all_eighteen_items_are_there():
    numbers = re.findall(r"^(\d+)\. \*\*", ERRATA.read_text(), flags=re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, 19))


def test_2_sensitivity_and_specificity_of_002(screening):
    tp, fn, fp, tn = 190, 10, 210, 3590
    assert precision(screening)[0] == tp / (tp + fp)
    assert recall(screening)[0] == tp / (tp + fn) != tp / (tp + fp)
    assert npv(screening)[0] == tn / (tn + fn)
    assert specificity(screening)[0] == tn / (tn + fp) != tn / (tn + fn)


def test_4_the_intervals_of_the_thesis_are_ninety_per_cent_ones():
    ends = wilson([720, 780], 1000, level=0.90)
    assert ends.low.round(3).tolist() == [0.696, 0.758]
    assert ends.high.round(3).tolist() == [0.743, 0.801]
    assert wilson(720, 1000).low.round(3) == 0.691


def test_5_f_is_the_harmonic_mean_not_a_ratio_of_means(screening):
    p, r = precision(screening)[0], recall(screening)[0]
    harmonic = 2 / (1 / p + 1 / r)
    assert f1(screening)[0] == pytest.approx(harmonic)
    assert f1(screening)[0] != pytest.approx(harmonic / ((p + r) / 2))


def test_7_uniform_noise_biases_recall():
    k, rate, right, n = 4, 0.2, 0.604, 2_000_000
    rng = np.random.default_rng(0)
    true = rng.integers(k, size=n)

    def moved(x, chance):
        return np.where(rng.random(n) < chance, (x + rng.integers(1, k, size=n)) % k, x)

    label, answer = moved(true, rate), moved(true, 1 - right)
    table = Tally.from_dense(np.bincount(k * label + answer, minlength=k * k).reshape(k, k))
    assert recall(table) == pytest.approx(np.full(k, 0.8 * 0.604 + 0.2 * 0.132), abs=0.003)
    assert precision(table) == pytest.approx(np.full(k, 0.604 - 0.0944), abs=0.003)


def test_11_the_chance_of_the_very_value_observed_says_nothing():
    assert binom.pmf(800, 1000, 0.8) == pytest.approx(0.032, abs=0.001)
    assert wilson(800, 1000).low < 0.8 < wilson(800, 1000).high
