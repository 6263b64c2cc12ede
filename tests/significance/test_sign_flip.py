from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from justesse.core.errors import OptionError
from justesse.significance.sign_flip import sign_flip

INCUMBENT = [0.80, 0.84, 0.79, 0.83, 0.82, 0.81, 0.90]
CANDIDATE = [0.83, 0.86, 0.84, 0.82, 0.83, 0.83, 0.88]
DIFFERENCES = st.lists(st.integers(-20, 20), min_size=2, max_size=8)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_scipy_agrees_where_all_ways_are_tried(alternative):
    peer = stats.permutation_test(
        (np.subtract(CANDIDATE, INCUMBENT),), np.mean, permutation_type="samples", alternative=alternative
    )
    found = sign_flip(INCUMBENT, CANDIDATE, alternative=alternative)
    assert (found.statistic, found.pvalue) == pytest.approx((peer.statistic, peer.pvalue))
    assert found.difference.value == found.statistic
    assert "all 128 ways" in found.assumptions[-1]


@given(DIFFERENCES, st.sampled_from(["two-sided", "greater", "less"]))
def test_brute_force_in_whole_numbers_agrees(differences, alternative):
    seen = sum(differences)
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    hit = {"two-sided": lambda x: abs(x) >= abs(seen), "greater": lambda x: x >= seen, "less": lambda x: x <= seen}[
        alternative
    ]
    found = sign_flip([0.0] * len(differences), [d / 100 for d in differences], alternative=alternative)
    assert found.pvalue == np.mean([hit(x) for x in sums])


def test_random_draws_come_close_to_all_ways_and_never_to_zero():
    rng = np.random.default_rng(3)
    differences = rng.normal(0.3, 1, size=18)
    sums = np.zeros(1)
    for one in differences:
        sums = np.concatenate([sums + one, sums - one])
    truth = np.mean(np.abs(sums) >= abs(differences.sum()) - 1e-12)
    found = sign_flip(np.zeros(18), differences, draws=20_000)
    assert found.pvalue == pytest.approx(truth, abs=4 * np.sqrt(truth * (1 - truth) / 20_000))
    assert "20000 random ways" in found.assumptions[-1]
    assert sign_flip(np.zeros(30), np.ones(30), draws=99).pvalue == 1 / 100


def test_the_seed_decides():
    pair = np.zeros(20), np.random.default_rng(0).normal(0.2, 1, size=20)
    assert sign_flip(*pair).pvalue == sign_flip(*pair, seed=0).pvalue
    assert len({sign_flip(*pair, seed=seed).pvalue for seed in range(5)}) > 1


def test_many_differences_are_drawn_in_batches():
    differences = np.full(500_000, 0.001)
    assert sign_flip(np.zeros(500_000), differences, draws=20).pvalue == 1 / 21


@pytest.mark.parametrize("k", [3, 40])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_difference_at_all(k, alternative):
    assert sign_flip([0.5] * k, [0.5] * k, alternative=alternative).pvalue == 1


def test_decimals_that_are_equal_on_paper_count_as_equal():
    """0.83 - 0.80 and 0.33 - 0.30 differ in the last bit: all six steps are 0.03, so p is 2/64."""
    incumbent = [0.80, 0.30, 0.10, 0.60, 0.55, 0.20]
    candidate = [0.83, 0.33, 0.13, 0.63, 0.58, 0.23]
    assert sign_flip(incumbent, candidate).pvalue == 2 / 64
    assert sign_flip(incumbent, candidate, alternative="less").pvalue == 1


def test_five_can_never_show_anything():
    five = sign_flip([0.1] * 5, [0.2, 0.3, 0.4, 0.5, 0.6])
    assert five.pvalue == 0.0625
    assert "0.0625" in five.warnings[0]
    assert sign_flip([0.1] * 5, [0.2, 0.3, 0.4, 0.5, 0.6], alternative="greater").warnings == ()
    assert sign_flip(INCUMBENT, CANDIDATE).warnings == ()


def test_it_says_that_folds_are_not_exchangeable():
    assert "folds" in " ".join(sign_flip(INCUMBENT, CANDIDATE).assumptions)


@pytest.mark.parametrize(
    ("incumbent", "candidate", "options", "words"),
    [
        ([0.5], [0.6], {}, "at least two"),
        ([0.5, 0.6], [0.6, 0.7, 0.8], {}, "one score per fold"),
        ([0.5, np.inf], [0.6, 0.7], {}, "finite"),
        (INCUMBENT, CANDIDATE, {"alternative": "better"}, "alternative"),
        (INCUMBENT, CANDIDATE, {"draws": 0}, "draws"),
        (INCUMBENT, CANDIDATE, {"draws": 10.5}, "draws"),
    ],
)
def test_bad_input_is_refused(incumbent, candidate, options, words):
    with pytest.raises(OptionError, match=words):
        sign_flip(incumbent, candidate, **options)
