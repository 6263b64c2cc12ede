"""Bayesian comparisons, against baycomp."""

import json

import baycomp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from justesse.core.errors import OptionError
from justesse.significance.bayesian_signed_rank import bayesian_signed_rank
from justesse.significance.corrected_t import corrected_t
from justesse.significance.correlated_t import correlated_t

RNG = np.random.default_rng(2)
INCUMBENT = RNG.normal(0.8, 0.03, size=10)
CANDIDATE = INCUMBENT + RNG.normal(0.01, 0.02, size=10)
PAIRS = arrays(float, (2, 6), elements=st.floats(0, 1).map(lambda x: round(x, 2)))
BOTH = [lambda *pair, **options: correlated_t(*pair, test_over_train=1 / 9, **options), bayesian_signed_rank]


def three(found):
    return [found.incumbent_better, found.equivalent, found.candidate_better]


@pytest.mark.parametrize(("runs", "ratio"), [(1, 1 / 9), (2, 1 / 4), (5, 1.0)])
def test_baycomp_agrees_on_correlated_t(runs, ratio):
    for rope in (0.005, 0.02):
        peer = baycomp.CorrelatedTTest.probs(INCUMBENT, CANDIDATE, rope=rope, runs=runs)
        assert three(correlated_t(INCUMBENT, CANDIDATE, test_over_train=ratio, rope=rope)) == pytest.approx(peer)
    below, above = baycomp.CorrelatedTTest.probs(INCUMBENT, CANDIDATE, runs=runs)
    assert three(correlated_t(INCUMBENT, CANDIDATE, test_over_train=ratio)) == pytest.approx([below, 0, above])


@given(PAIRS, st.floats(0, 0.2))
def test_correlated_t_is_the_corrected_test_in_other_words(pair, rope):
    assume(np.ptp(pair[1] - pair[0]) > 0.005)
    found = correlated_t(*pair, test_over_train=0.2)
    assert found.candidate_better == pytest.approx(
        1 - corrected_t(*pair, test_over_train=0.2, alternative="greater").pvalue
    )
    assert found.equivalent == 0
    wide = correlated_t(*pair, test_over_train=0.2, rope=rope)
    assert sum(three(wide)) == pytest.approx(1)
    assert wide.candidate_better <= found.candidate_better
    mirrored = correlated_t(*pair[::-1], test_over_train=0.2, rope=rope)
    assert three(mirrored) == pytest.approx(three(wide)[::-1])


def test_equal_differences_leave_correlated_t_undefined():
    """baycomp is then certain, of a spread it cannot know."""
    assert baycomp.CorrelatedTTest.probs(np.zeros(5), np.full(5, 0.25), rope=0.01)[2] == 1
    for candidate in (INCUMBENT + 0.25, INCUMBENT):
        found = correlated_t(INCUMBENT, candidate, test_over_train=1 / 9, rope=0.01)
        assert np.all(np.isnan(three(found)))
        assert "spread" in found.undefined
        assert found.to_dict()["equivalent"] is None


@pytest.mark.parametrize("rope", [0.005, 0.02])
@pytest.mark.parametrize("prior", [0.5, 3.0])
def test_baycomp_agrees_on_signed_rank_within_chance(rope, prior):
    peer = baycomp.SignedRankTest.probs(INCUMBENT, CANDIDATE, rope=rope, nsamples=8000, prior=prior, random_state=1)
    found = bayesian_signed_rank(INCUMBENT, CANDIDATE, rope=rope, prior_strength=prior)
    assert three(found) == pytest.approx(peer, abs=0.02)
    assert min(three(found)) < 0.9


def test_baycomp_agrees_on_signed_rank_without_a_rope():
    # its helper shares out what is left between left and right
    peer = baycomp.SignedRankTest(INCUMBENT, CANDIDATE, nsamples=8000, random_state=1).probs(with_rope=False)
    found = bayesian_signed_rank(INCUMBENT, CANDIDATE)
    assert (found.incumbent_better, found.candidate_better) == pytest.approx(peer, abs=0.02)
    assert found.equivalent == 0
    assert 0.5 < found.candidate_better < 0.999


def test_every_theta_is_that_of_baycomp():
    """The same weights give the same shares: draw by draw, not only on average."""
    points = np.concatenate([[0], CANDIDATE - INCUMBENT])
    weights = np.random.RandomState(7).dirichlet([0.5] + [1.0] * 10, 300)
    peer = baycomp.SignedRankTest.sample(INCUMBENT, CANDIDATE, 0.01, nsamples=300, random_state=7)
    above = (points[:, None] + points > 0.02).astype(float)
    assert np.einsum("di,ij,dj->d", weights, above, weights) == pytest.approx(peer[:, 2])


def test_two_that_never_differ():
    """baycomp lets rounding choose a winner, since its argmax knows no ties."""
    same = np.full(6, 0.5)
    peer = baycomp.SignedRankTest(same, same, nsamples=1000, random_state=1).probs(with_rope=False)
    assert peer[0] > 0.6
    assert three(bayesian_signed_rank(same, same, draws=100)) == [0.5, 0, 0.5]
    assert three(bayesian_signed_rank(same, same, rope=0.01, draws=100)) == [0, 1, 0]


def test_a_difference_on_the_border_counts_half_however_it_was_rounded():
    """All differences are the rope itself, 0.83 - 0.80 in decimals that no computer holds exactly."""
    incumbent, candidate = [0.80, 0.30, 0.10, 0.60], [0.83, 0.33, 0.13, 0.63]
    decimals = bayesian_signed_rank(incumbent, candidate, rope=0.03)
    exact = bayesian_signed_rank([0.0] * 4, [0.25] * 4, rope=0.25)
    assert three(decimals) == three(exact)
    assert 0 < exact.equivalent <= 1


@given(PAIRS)
def test_swapping_mirrors_signed_rank(pair):
    found, mirrored = (bayesian_signed_rank(*some, rope=0.05, draws=500) for some in (pair, pair[::-1]))
    assert three(mirrored) == pytest.approx(three(found)[::-1])
    assert sum(three(found)) == pytest.approx(1)


def test_the_seed_decides_and_is_kept():
    one, same, other = (bayesian_signed_rank(INCUMBENT, CANDIDATE, draws=500, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert three(one) != three(other)
    written = json.loads(json.dumps(other.to_dict()))
    assert (written["seed"], written["draws"], written["n"]) == (2, 500, 10)


def test_many_data_sets_are_drawn_in_batches():
    assert bayesian_signed_rank(np.zeros(1500), np.ones(1500), draws=3000).candidate_better == 1


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize(
    ("incumbent", "candidate", "options", "words"),
    [
        ([0.5], [0.6], {}, "at least two"),
        ([0.5, 0.6], [0.6, np.nan], {}, "finite"),
        ([0.5, 0.6], [0.6, 0.7, 0.8], {}, "one score per fold"),
        ([0.5, 0.6], [0.6, 0.8], {"rope": -0.01}, "rope"),
        ([0.5, 0.6], [0.6, 0.8], {"rope": np.nan}, "rope"),
    ],
)
def test_bad_input_is_refused(test, incumbent, candidate, options, words):
    with pytest.raises(OptionError, match=words):
        test(incumbent, candidate, **options)


def test_bad_options_of_each_are_refused():
    with pytest.raises(OptionError, match="test rows divided by training rows"):
        correlated_t(INCUMBENT, CANDIDATE, test_over_train=0)
    with pytest.raises(OptionError, match="prior_strength"):
        bayesian_signed_rank(INCUMBENT, CANDIDATE, prior_strength=0)
    with pytest.raises(OptionError, match="draws"):
        bayesian_signed_rank(INCUMBENT, CANDIDATE, draws=0)


@pytest.mark.parametrize(("many", "too_few"), [(5, True), (6, False)])
def test_fewer_than_six_data_sets_are_named(many, too_few):
    assumptions = bayesian_signed_rank(INCUMBENT[:many], CANDIDATE[:many], draws=100).assumptions
    assert any("at least 6 data sets" in words for words in assumptions) == too_few
