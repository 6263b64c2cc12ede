"""Lecture 001's examples: both parts of the excess error come out as their formulas say."""

import re
from itertools import pairwise

import pytest
from studies.excess_error.page import PAGE, tabled
from studies.excess_error.run import FEATURES, PENALTIES, PIECES, PLACES, RIDGE_NOISE, ROWS, STEP_NOISE, ridge, steps


@pytest.fixture(scope="module")
def by_steps():
    return [steps(pieces) for pieces in PIECES]


def test_simulation_agrees_with_the_formulas(by_steps):
    for one in (*by_steps, *(ridge(penalty) for penalty in PENALTIES[::4])):
        assert one.simulated_approximation == pytest.approx(one.approximation, abs=0.002)
        assert one.simulated_estimation == pytest.approx(one.estimation, rel=0.05)


def test_a_richer_family_approximates_better_and_estimates_worse(by_steps):
    for poor, rich in pairwise(by_steps):
        assert rich.approximation <= poor.approximation
        assert rich.estimation > poor.estimation
    best = min(by_steps, key=lambda one: one.total)
    assert by_steps[0] is not best is not by_steps[-1]
    assert by_steps[-1].approximation == pytest.approx(0)
    assert by_steps[3].estimation == pytest.approx(STEP_NOISE**2 * PIECES[3] / PLACES)


def test_least_squares_pays_for_every_feature_whatever_the_truth():
    almost = ridge(1e-9, sets=10)
    assert almost.approximation == pytest.approx(0, abs=1e-6)
    assert almost.estimation == pytest.approx(RIDGE_NOISE**2 * FEATURES / ROWS, rel=1e-4)
    assert min(ridge(penalty, sets=10).total for penalty in PENALTIES) < 0.25 * almost.total


def test_the_page_shows_these_numbers(by_steps):
    shown = re.search(r"<!-- steps -->\n\n(.*?)\n\n?<!-- end", PAGE.read_text(), flags=re.DOTALL)
    assert shown
    assert shown[1].strip() == tabled("steps", by_steps).strip()
