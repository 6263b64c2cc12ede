"""Strengths with ties: against choix, brute force on the likelihood, and what a correction must do."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from justesse.core.errors import OptionError
from justesse.intervals.bradley_terry import APART, ENDLESS, FEW, bradley_terry

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "choix_strengths.json").read_text())
NAMES = ("a", "b", "c", "d")


def drawn(seed, n=300, right=0.8):
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 4, n)
    other = (one + rng.integers(1, 4, n)) % 4
    people = np.eye(3)[rng.integers(0, 3, n)]
    judge = np.where((rng.random(n) < right)[:, None], people, np.eye(3)[rng.integers(0, 3, n)])
    return one, other, people, judge


def values(fit):
    return np.array([item.value for item in fit.strengths])


def test_strengths_without_ties_are_those_of_choix():
    wins = np.array(ORACLE["wins"])
    fit = bradley_terry(wins[:, 0], wins[:, 1], np.tile([1.0, 0, 0], (len(wins), 1)), tuple("abcde"))
    np.testing.assert_allclose(values(fit), ORACLE["strengths"], atol=1e-6)
    assert fit.ties == 0
    assert math.isnan(fit.tuning)


def test_strengths_with_ties_maximise_the_likelihood_of_davidson():
    one, other, people, _ = drawn(1)

    def loss(parameters):
        theta, ties = np.append(parameters[:3], -parameters[:3].sum()), math.exp(parameters[3])
        parts = np.stack([np.exp(theta[one]), ties * np.exp((theta[one] + theta[other]) / 2), np.exp(theta[other])], 1)
        return -(people * np.log(parts / parts.sum(axis=1, keepdims=True))).sum()

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8})
    fit = bradley_terry(one, other, people, NAMES)
    np.testing.assert_allclose(values(fit)[:3], best.x[:3], atol=1e-5)
    assert fit.ties == pytest.approx(math.exp(best.x[3]), abs=1e-5)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_ratings_of_every_comparison_leave_the_judge_out(seed):
    one, other, people, judge = drawn(seed, 120)
    whole = bradley_terry(one, other, judge, NAMES, ratings=people)
    np.testing.assert_allclose(values(whole), values(bradley_terry(one, other, people, NAMES)), atol=1e-6)
    assert values(whole).sum() == pytest.approx(0, abs=1e-9)


def test_the_other_way_round_is_the_same():
    one, other, people, judge = drawn(3)
    known = np.where((np.arange(300) < 90)[:, None], people, np.nan)
    fit = bradley_terry(one, other, judge, NAMES, ratings=known)
    turned = bradley_terry(other, one, judge[:, ::-1], NAMES, ratings=known[:, ::-1])
    np.testing.assert_allclose(values(fit), values(turned), atol=1e-8)
    assert 0 < fit.tuning <= 1
    ends = [item.interval for item in fit.strengths]
    alone = [item.interval for item in bradley_terry(one[:90], other[:90], people[:90], NAMES).strengths]
    assert sum(end.half_width for end in ends) < sum(end.half_width for end in alone)


def test_clusters_widen_intervals():
    one, other, people, _ = drawn(4)
    thrice = [np.tile(part, (3, 1)) if part.ndim == 2 else np.tile(part, 3) for part in (one, other, people)]
    items = np.tile(np.arange(300), 3)
    single = bradley_terry(one, other, people, NAMES).strengths[0].interval
    repeated = bradley_terry(*thrice, NAMES, clusters=items).strengths[0].interval
    assert repeated.half_width == pytest.approx(single.half_width, rel=0.02)


@pytest.mark.parametrize(
    ("first", "second", "outcomes", "reason"),
    [
        ([0, 0], [1, 1], [[1, 0, 0]] * 2, ENDLESS),
        ([0, 2, 0, 2], [1, 3, 1, 3], [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], APART),
    ],
)
def test_strengths_that_do_not_exist_say_why(first, second, outcomes, reason):
    names = NAMES[: max(second) + 1]
    fit = bradley_terry(first, second, outcomes, names)
    assert {item.undefined for item in fit.strengths} == {reason}
    json.dumps(fit.to_dict(), allow_nan=False)


def test_too_few_ratings_say_so():
    fit = bradley_terry([0, 1], [1, 0], [[1, 0, 0]] * 2, ("a", "b"), ratings=np.full((2, 3), np.nan))
    assert fit.strengths[0].undefined == FEW


def test_bad_comparisons_are_refused():
    with pytest.raises(OptionError, match="itself"):
        bradley_terry([0], [0], [[1, 0, 0]], ("a", "b"))
    with pytest.raises(OptionError, match="three shares"):
        bradley_terry([0], [1], [[1, 0]], ("a", "b"))


def test_a_single_tie_leaves_strengths_defined():
    outcomes = np.repeat(np.eye(3), [15000, 1, 15000], axis=0)
    fit = bradley_terry(np.zeros(30001, dtype=int), np.ones(30001, dtype=int), outcomes, ("a", "b"))
    assert fit.strengths[0].value == pytest.approx(0, abs=1e-6)
    assert fit.strengths[0].interval.half_width == pytest.approx(1.96 / math.sqrt(30000), rel=0.02)
    ties = np.tile([0.0, 1.0, 0.0], (300, 1))
    assert math.isnan(bradley_terry(np.zeros(300, dtype=int), np.ones(300, dtype=int), ties, "ab").strengths[0].value)
