"""What follows Friedman's test: Nemenyi's critical difference, and Holm's procedure against a control."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy import stats
from statsmodels.stats.multitest import multipletests

from justesse.core.errors import OptionError
from justesse.significance.friedman import friedman
from justesse.significance.holm_ranks import holm_ranks
from justesse.significance.nemenyi import nemenyi

# Demšar (2006): four variants of C4.5 on 14 data sets
RANKS = [3.143, 2.000, 2.893, 1.964]
SCORES = np.random.default_rng(4).normal([0.0, 0.3, 0.6, 1.2, 2.0], size=(12, 5))


def middle(many):
    return [(many + 1) / 2] * many


@pytest.mark.parametrize(
    ("many", "quantile"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (10, 3.164)]
)
def test_the_quantiles_demsar_prints(many, quantile):
    found = nemenyi(middle(many), 20).critical_difference
    assert found / np.sqrt(many * (many + 1) / (6 * 20)) == pytest.approx(quantile, abs=0.0011)


def test_the_critical_difference_demsar_prints():
    found = nemenyi(RANKS, 14)
    assert round(found.critical_difference, 2) == 1.25
    assert round(nemenyi(RANKS, 14, level=0.90).critical_difference, 2) == 1.12
    assert found.groups == ((3, 1, 2, 0),)
    assert nemenyi(RANKS, 14, level=0.90).groups == ((3, 1, 2), (2, 0))


def test_scikit_posthocs_agrees():
    found = nemenyi(friedman(SCORES).ranks, len(SCORES))
    assert np.array(found.pvalues) == pytest.approx(posthoc_nemenyi_friedman(SCORES).to_numpy(), abs=1e-9)
    assert np.diag(found.pvalues).tolist() == [1.0] * 5


def test_p_values_and_the_critical_difference_decide_alike():
    found = nemenyi(friedman(SCORES).ranks, len(SCORES))
    for one, other in combinations(range(5), 2):
        apart = abs(found.ranks[one] - found.ranks[other]) >= found.critical_difference
        assert (found.pvalues[one][other] <= 0.05) == apart
        assert apart != any({one, other} <= set(group) for group in found.groups)


@given(st.lists(st.permutations([1, 2, 3, 4, 5]), min_size=8, max_size=30))
def test_groups_are_the_largest_sets_within_reach(rows):
    ranks = np.mean(rows, axis=0)
    found = nemenyi(ranks.tolist(), len(rows))
    within = [
        set(some)
        for size in range(2, 6)
        for some in combinations(range(5), size)
        if np.ptp(ranks[list(some)]) < found.critical_difference
    ]
    largest = {frozenset(one) for one in within if not any(one < other for other in within)}
    assert {frozenset(group) for group in found.groups} == largest
    assert len(found.groups) == len(largest)


def test_all_apart_gives_no_group():
    found = nemenyi([1, 2, 3], 100)
    assert found.groups == ()
    assert json.loads(json.dumps(found.to_dict()))["groups"] == []


def test_the_contrasts_demsar_prints():
    """C4.5 is the control: z 2.416, 2.342, 0.512 and p .016, .019, .607 (from ranks he did not round)."""
    ranks = np.array([44, 28, 40.5, 27.5]) / 14
    found = holm_ranks(ranks, 14)
    assert [one.classifier for one in found.contrasts] == [1, 2, 3]
    assert [one.z for one in found.contrasts] == pytest.approx([2.342, 0.512, 2.416], abs=0.001)
    assert [one.pvalue for one in found.contrasts] == pytest.approx([0.019, 0.607, 0.016], abs=0.0015)
    assert [one.adjusted < 0.05 for one in found.contrasts] == [True, False, True]


@settings(max_examples=20)
@given(st.lists(st.permutations([1, 2, 3, 4, 5]), min_size=4, max_size=30), st.integers(0, 4))
def test_statsmodels_agrees_on_holm(rows, control):
    ranks = np.mean(rows, axis=0)
    found = holm_ranks(ranks.tolist(), len(rows), control=control)
    adjusted = multipletests([one.pvalue for one in found.contrasts], method="holm")[1]
    assert [one.adjusted for one in found.contrasts] == pytest.approx(adjusted)
    z = (ranks[control] - np.delete(ranks, control)) / np.sqrt(5 * 6 / (6 * len(rows)))
    assert [one.z for one in found.contrasts] == pytest.approx(z)
    assert [one.pvalue for one in found.contrasts] == pytest.approx(2 * stats.norm.sf(np.abs(z)))


def test_a_better_candidate_has_a_positive_z():
    better, worse = holm_ranks([2, 1, 3], 10).contrasts
    assert better.z > 0 > worse.z
    written = json.loads(json.dumps(holm_ranks([2, 1, 3], 10).to_dict()))
    assert written["contrasts"][0]["classifier"] == 1
    assert written["control_rank"] == 2


@pytest.mark.parametrize("test", [nemenyi, holm_ranks])
@pytest.mark.parametrize(
    ("ranks", "n", "words"),
    [
        ([1.0], 10, "at least two"),
        ([1, np.nan], 10, "between 1 and the number of classifiers"),
        ([0.5, 2.5], 10, "between 1 and the number of classifiers"),
        ([1, 2, 2], 10, "add up to 6"),
        ([[1, 2]], 10, "at least two"),
        ([1, 2], 1, "whole number of at least 2"),
        ([1, 2], 2.5, "whole number of at least 2"),
    ],
)
def test_what_cannot_be_mean_ranks_is_refused(test, ranks, n, words):
    with pytest.raises(OptionError, match=words):
        test(ranks, n)


@pytest.mark.parametrize("control", [3, -1, "tree"])
def test_a_control_that_is_not_there(control):
    with pytest.raises(OptionError, match="position"):
        holm_ranks([1, 2, 3], 10, control=control)


def test_bad_levels_are_refused():
    with pytest.raises(OptionError, match="level"):
        nemenyi([1, 2], 10, level=95)
