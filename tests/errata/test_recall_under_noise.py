"""Item 7 of the errata: uniform noise moves recall, and the thesis' step allows an accuracy of one half at most."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from studies.recall_under_noise.page import PAGE
from studies.recall_under_noise.run import CLASSES, expected, simulate


def test_the_golden_values():
    assert expected(0.604, 0.2) == pytest.approx(0.5096)
    found = simulate(0.604, 0.2, rows=200_000)
    assert found.true == pytest.approx(0.604, abs=0.005)
    assert found.measured == pytest.approx(0.5096, abs=0.005)
    assert found.recall_moved == pytest.approx(-0.0944, abs=0.004)
    assert found.precision_moved == pytest.approx(-0.0944, abs=0.004)
    assert found.precision_predicted == pytest.approx(0, abs=1e-3)


def test_the_bias_is_that_of_accuracy_when_classes_are_balanced():
    found = simulate(0.8, 0.3, rows=200_000)
    assert found.recall_moved == pytest.approx(0.3 * (found.repeated - found.recovered), abs=0.003)


def test_a_classifier_made_to_suit_the_thesis_is_not_moved():
    found = simulate(0.4, 0.2, copies=True, rows=200_000)
    assert found.repeated == pytest.approx(0.4, abs=0.01)
    assert found.recovered == pytest.approx(0.4, abs=0.01)
    assert found.recall_moved == pytest.approx(0, abs=0.005)


def highest_accuracy(rate, *steps):
    """Give the highest accuracy of any joint law of (true, label, prediction) that keeps these steps of (6.19)."""
    k = CLASSES
    places = list(product(range(k), repeat=3))
    pairs = {(c, a): (1 - rate if a == c else rate / (k - 1)) / k for c, a in product(range(k), repeat=2)}
    rows, right = [], []

    def demand(worths, total):
        rows.append([worths(c, a, p) for c, a, p in places])
        right.append(total)

    for (c0, a0), share in pairs.items():
        demand(lambda c, a, p, c0=c0, a0=a0: float((c, a) == (c0, a0)), share)
    for one, step in product(range(k), steps):
        # P(P | wrong, class) = P(P | right, class), the class being that of the label or the true one
        def weighed(c, a, p, one=one, step=step):
            if p != one or (a if step == "label" else c) != one:
                return 0.0
            return k / rate if a != c else -k / (1 - rate)

        demand(weighed, 0.0)
    worth = [-float(c == p) for c, _, p in places]
    return -linprog(worth, A_eq=np.array(rows), b_eq=right).fun


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.4])
def test_both_steps_together_allow_one_half_at_most(rate):
    assert highest_accuracy(rate) == pytest.approx(1)
    assert highest_accuracy(rate, "true") == pytest.approx(1)
    assert highest_accuracy(rate, "label") == pytest.approx(1 - rate)
    assert highest_accuracy(rate, "label", "true") == pytest.approx(0.5)


def test_the_page_says_so():
    assert "0.8·0.604 + 0.2·0.132 = 0.5096" in PAGE.read_text()
