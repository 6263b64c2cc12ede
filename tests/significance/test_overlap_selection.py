import math
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from justesse.core.errors import OptionError
from justesse.significance.normal import z_pvalue
from justesse.significance.overlap import overlap_level, overlap_z
from justesse.significance.selection import as_good_by_luck, best_by_luck, check_tried

CORRELATIONS, RATIOS = st.floats(-1, 0.9), st.floats(0.2, 5)


def test_overlap_of_two_95_percent_intervals_is_a_99_4_percent_rule():
    assert overlap_level(1.96) == pytest.approx(0.9944, abs=5e-5)
    assert overlap_level(1.3859) == pytest.approx(0.950, abs=5e-5)
    assert overlap_z(0.95) == pytest.approx(1.3859, abs=5e-5)
    assert 2 * norm.sf(overlap_z(0.95)) == pytest.approx(0.166, abs=5e-4)


@given(st.floats(0.1, 0.999), CORRELATIONS, RATIOS)
def test_there_and_back(level, correlation, ratio):
    z = overlap_z(level, correlation=correlation, ratio=ratio)
    assert overlap_level(z, correlation=correlation, ratio=ratio) == pytest.approx(level)


@given(st.floats(0, 5), CORRELATIONS, RATIOS)
def test_the_formula_of_knol(z, correlation, ratio):
    told = 2 * norm.cdf(-z * (1 + ratio) / math.sqrt(1 - 2 * correlation * ratio + ratio**2))
    assert 1 - overlap_level(z, correlation=correlation, ratio=ratio) == pytest.approx(told, abs=1e-12)
    # which of the two is the wider does not matter
    assert overlap_level(z, correlation=correlation, ratio=1 / ratio) == pytest.approx(
        overlap_level(z, correlation=correlation, ratio=ratio)
    )


def test_it_is_what_happens_to_drawn_estimates():
    rng = np.random.default_rng(0)
    correlation, ratio, z = 0.6, 1.5, 1.0
    first, other = rng.normal(size=(2, 200_000))
    second = ratio * (correlation * first + math.sqrt(1 - correlation**2) * other)
    overlapping = np.abs(second - first) < z * (1 + ratio)
    assert overlapping.mean() == pytest.approx(overlap_level(z, correlation=correlation, ratio=ratio), abs=0.002)


def test_a_positive_correlation_makes_overlap_more_timid():
    found = [overlap_level(1.3859, correlation=gamma) for gamma in (-0.5, 0, 0.5, 0.9)]
    assert found == sorted(found)
    assert overlap_z(0.95, correlation=0.8) < overlap_z(0.95)


def test_one_sided():
    assert overlap_z(0.95, alternative="greater") == pytest.approx(overlap_z(0.9))
    assert overlap_z(0.95, alternative="less") == pytest.approx(overlap_z(0.9))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"correlation": 1.1}, "correlation"),
        ({"correlation": math.nan}, "correlation"),
        ({"ratio": 0}, "ratio"),
        ({"ratio": math.inf}, "ratio"),
        ({"correlation": 1, "ratio": 1}, "difference is constant"),
    ],
)
def test_impossible_shapes_are_refused(options, words):
    for call in (lambda: overlap_level(1.96, **options), lambda: overlap_z(0.95, **options)):
        with pytest.raises(OptionError, match=words):
            call()


def test_impossible_z_and_level_are_refused():
    with pytest.raises(OptionError, match="standard deviations"):
        overlap_level(-1)
    with pytest.raises(OptionError, match="standard deviations"):
        overlap_level(math.nan)
    with pytest.raises(OptionError, match="level"):
        overlap_z(95)


def test_the_charlatan():
    """Lecture 002: an adviser is right on at least 11 of 14 days by luck alone, and the best of n such."""
    one = as_good_by_luck(11, 14)
    assert one == pytest.approx(sum(comb(14, k) for k in range(11, 15)) / 2**14)
    assert one == pytest.approx(0.02869, abs=5e-6)
    assert best_by_luck(one, 10) == pytest.approx(0.2525, abs=5e-5)
    assert best_by_luck(one, 30) == pytest.approx(0.5824, abs=5e-5)


@given(st.integers(0, 60), st.integers(0, 60), st.floats(0, 1))
def test_luck_is_a_binomial_tail(successes, more, chance):
    trials = successes + more
    assert as_good_by_luck(successes, trials, chance=chance) == pytest.approx(
        float(binom.sf(successes - 1, trials, chance)), abs=1e-12
    )


def test_luck_with_very_many_trials():
    assert as_good_by_luck(2 * 10**9, 4 * 10**9) == pytest.approx(0.5, abs=1e-4)


@given(st.floats(0, 1), st.integers(1, 50))
def test_the_best_of_many_is_luckier(pvalue, tried):
    found = best_by_luck(pvalue, tried)
    assert found == pytest.approx(1 - (1 - pvalue) ** tried, abs=1e-12)
    assert pvalue - 1e-15 <= found <= min(1.0, tried * pvalue * (1 + 1e-9) + 1e-15)


def test_tiny_chances_are_not_lost():
    assert best_by_luck(1e-18, 1000) == pytest.approx(1e-15)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_tried_is_a_number_of_candidates(bad):
    with pytest.raises(OptionError, match="whole number"):
        check_tried(bad)
    with pytest.raises(OptionError, match="whole number"):
        best_by_luck(0.1, bad)


def test_impossible_chances_are_refused():
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(OptionError, match="p-value"):
            best_by_luck(bad, 3)
        with pytest.raises(OptionError, match="probability must lie"):
            as_good_by_luck(1, 3, chance=bad)
    for bad in (-1, 4):
        with pytest.raises(OptionError, match="Successes"):
            as_good_by_luck(bad, 3)


@given(st.floats(-6, 6))
def test_tails_of_the_normal(z):
    assert z_pvalue(z) == pytest.approx(2 * norm.sf(abs(z)))
    assert z_pvalue(z, "greater") == pytest.approx(norm.sf(z))
    assert z_pvalue(z, "less") == pytest.approx(norm.cdf(z))
