"""Bounds that hold at every look: golden values, brute force, what they promise."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.asymptotic_sequence import asymptotic_half_width
from justesse.intervals.difference_sequence import least_log_wealth, log_wealth, lower_difference
from justesse.intervals.mean_sequence import lower_mean, mean_log_wealth
from justesse.intervals.tilts import ONE_MEAN, two_mean_tilts


def events(values):
    values = np.asarray(values, dtype=float)
    return ArmSums.of_blocks(np.ones(len(values)), values, values**2)


def by_hand(first, second, a, b, tilts):
    """Multiply out what every bet pays, event by event, with plain loops."""
    total = 0.0
    for one, two, by_sums, by_spread in zip(tilts.first, tilts.second, tilts.sums, tilts.spread, strict=True):
        paid, spread = by_sums, by_spread
        for values, mean, stake in ((first, a, one), (second, b, -two)):
            n, so_far = 0, 0.0
            for x in values:
                paid *= math.exp(stake * x) / (1 - mean + mean * math.exp(stake))
                if by_spread:
                    size = abs(stake)
                    centre = (0.5 + so_far) / (1 + n)
                    spread *= math.exp(stake * (x - mean) + (math.log(1 - size) + size) * (x - centre) ** 2)
                n, so_far = n + 1, so_far + x
        total += paid + spread
    return math.log(total)


def test_wealth_is_the_product_of_what_each_event_pays():
    first, second = [1, 0, 1, 1, 0.5], [0, 0, 1, 0.25]
    tilts = two_mean_tilts(0.5)
    wealth = log_wealth(
        events(first).at(-1), np.array([0.3]), events(second).at(-1), np.array([0.6]), tilts
    )  # fmt: skip
    assert wealth[0] == pytest.approx(by_hand(first, second, 0.3, 0.6, tilts), rel=1e-9)


@pytest.mark.parametrize("share", [0.5, 0.1, 0.9])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (0.9, 0.1), (0.02, 0.6)])
def test_wealth_is_not_expected_to_grow(a, b, share):
    """Enumerate all outcomes of three events of each variant: the expected wealth is at most 1, and shares add up to 1."""
    tilts = two_mean_tilts(share)
    assert tilts.sums.sum() + tilts.spread.sum() <= 1 + 1e-12
    expected = 0.0
    for x in itertools.product((0, 1), repeat=3):
        for y in itertools.product((0, 1), repeat=3):
            chance = math.prod([a if one else 1 - a for one in x] + [b if one else 1 - b for one in y])
            wealth = log_wealth(events(x).at(-1), np.array([a]), events(y).at(-1), np.array([b]), tilts)[0]
            expected += chance * math.exp(wealth)
    assert expected <= 1 + 1e-9


def test_wealth_is_not_expected_to_grow_for_outcomes_between_the_ends():
    values = (0.0, 0.4, 1.0)
    chances = (0.2, 0.5, 0.3)
    mean = float(np.dot(values, chances))
    expected = 0.0
    for x in itertools.product(range(3), repeat=4):
        chance = math.prod(chances[at] for at in x)
        expected += chance * math.exp(mean_log_wealth(events([values[at] for at in x]).at(-1), np.array([mean]))[0])
    assert expected <= 1 + 1e-9
    assert ONE_MEAN.sums.sum() + ONE_MEAN.spread.sum() == pytest.approx(1)


def test_means_that_drift_are_covered_on_average():
    """Wealth at the average mean is at most that of the bets on each mean, which is not expected to grow."""
    means = (0.1, 0.9, 0.5)
    expected = 0.0
    for x in itertools.product((0, 1), repeat=3):
        chance = math.prod(mean if one else 1 - mean for one, mean in zip(x, means, strict=True))
        expected += chance * math.exp(mean_log_wealth(events(x).at(-1), np.array([0.5]))[0])
    assert expected <= 1


@pytest.mark.parametrize(("n", "k", "m", "j"), [(20, 15, 25, 6), (200, 120, 150, 60), (5, 5, 4, 0)])
def test_the_least_favourable_pair_is_found(n, k, m, j):
    first, second = ArmSums.of_blocks([n], [k], [k]), ArmSums.of_blocks([m], [j], [j])
    tilts = two_mean_tilts(0.5)
    for difference in (-0.5, -0.1, 0.0, 0.2):
        others = np.linspace(max(0.0, -difference), min(1.0, 1 - difference), 2001)
        least = min(
            log_wealth(first, np.array([other + difference]), second, np.array([other]), tilts)[0] for other in others
        )
        searched = least_log_wealth(first, second, np.array([difference]), tilts)[0]
        assert least - 0.02 <= searched <= least


def test_the_bound_is_where_wealth_reaches_the_limit():
    first, second = ArmSums.of_blocks([300], [180], [180]), ArmSums.of_blocks([280], [110], [110])
    bound = lower_difference(first, second, risk=0.025)
    tilts = two_mean_tilts(0.5)
    assert least_log_wealth(first, second, bound, tilts)[0] >= math.log(40)
    assert least_log_wealth(first, second, bound + 0.001, tilts)[0] < math.log(40)


def test_the_bound_does_not_depend_on_which_looks_are_computed_together():
    rng = np.random.default_rng(0)
    arms = [events(rng.random(60) < share) for share in (0.7, 0.3)]
    together = lower_difference(*arms, risk=0.025)
    for at in (5, 30, 59):
        alone = lower_difference(*(arm.at(at) for arm in arms), risk=0.025)
        assert alone[0] == pytest.approx(together[at], abs=2e-3)


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(1, 400), m=st.integers(1, 400), shares=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    share=st.sampled_from([0.1, 0.5, 0.8]),
)  # fmt: skip
def test_bounds_hold_the_estimate_and_mirror(n, m, shares, share):
    k, j = round(n * shares[0]), round(m * shares[1])
    first, second = ArmSums.of_blocks([n], [k], [k]), ArmSums.of_blocks([m], [j], [j])
    low = lower_difference(first, second, risk=0.025, share=share)[0]
    high = -lower_difference(second, first, risk=0.025, share=1 - share)[0]
    assert -1 <= low <= k / n - j / m <= high <= 1
    mirrored = lower_difference(second.mirrored, first.mirrored, risk=0.025, share=1 - share)[0]
    assert mirrored == pytest.approx(low, abs=2e-3)
    assert lower_difference(first, second, risk=0.001, share=share)[0] <= low + 1e-9


def test_more_successes_never_lower_the_bound():
    """What worst-case bounds rest on."""
    lows = [
        lower_difference(ArmSums(np.array([50.0]), np.array([float(k)]), np.array([np.inf])),
                         ArmSums(np.array([50.0]), np.array([20.0]), np.array([np.inf])), risk=0.025)[0]
        for k in range(0, 51, 5)
    ]  # fmt: skip
    assert all(later >= before - 1e-3 for before, later in itertools.pairwise(lows))


def test_a_variant_without_outcomes_bounds_nothing():
    nothing, some = ArmSums.of_blocks([0], [0], [0]), ArmSums.of_blocks([50], [50], [50])
    assert lower_difference(some, nothing, risk=0.025)[0] == pytest.approx(-0.1, abs=0.12)
    assert lower_difference(nothing, some, risk=0.025)[0] == -1
    assert lower_mean(nothing, risk=0.025)[0] == 0


def test_the_mean_of_one_arm_agrees_with_brute_force():
    arm = ArmSums.of_blocks([100], [30], [30])
    grid = np.linspace(0, 0.3, 30_001)
    wealth = np.array([mean_log_wealth(arm, np.array([mean]))[0] for mean in grid[::50]])
    refuted = grid[::50][wealth >= math.log(40)].max()
    assert lower_mean(arm, risk=0.025)[0] == pytest.approx(refuted, abs=1e-3)


def test_spread_makes_narrow_outcomes_count_more():
    narrow = ArmSums.of_blocks([50] * 40, [25] * 40, [12.6] * 40)
    wide = ArmSums.of_blocks([50] * 40, [25] * 40, [25] * 40)
    assert lower_mean(narrow, risk=0.025)[-1] > lower_mean(wide, risk=0.025)[-1] + 0.015


def test_the_asymptotic_sequence_is_the_published_formula():
    """Waudby-Smith et al. (2024), theorem 2.2 and appendix on its parameter: computed here from its terms."""
    risk, n, deviation = 0.05, 500, 0.3
    rho = math.sqrt((-2 * math.log(risk) + math.log(-2 * math.log(risk) + 1)) / 1000)
    inner = 2 * (n * rho**2 + 1) / (n**2 * rho**2) * math.log(math.sqrt(n * rho**2 + 1) / risk)
    assert asymptotic_half_width([n], deviation, risk=risk)[0] == pytest.approx(deviation * math.sqrt(inner))
    # narrowest, compared with a normal interval of the same n, near the number of values it is made for
    ratios = asymptotic_half_width(np.array([50, 1000, 50_000]), 1.0, risk=risk) * np.sqrt([50, 1000, 50_000])
    assert ratios[1] == ratios.min()
