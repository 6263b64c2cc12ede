"""The interval of the lowest cost of any threshold: its parts by brute force, its promises, and coverage by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from justesse.intervals.class_scores import MOST_THRESHOLDS
from justesse.intervals.discrete_mean import mean_reach
from justesse.intervals.lowest_cost import cross_validated_shares, lowest_cost
from justesse.intervals.wilson import wilson
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import gathered

RATIOS = np.linspace(0, 1, 21)


def drawn(rng, n, shift=1.0, rate=0.3):
    positive = rng.random(n) < rate
    return rng.normal(size=n) + shift * positive, positive


def test_lower_ends_are_movers_of_two_shares():
    scores, positive = drawn(np.random.default_rng(3), 80)
    curve, ends = lowest_cost(ScoreCounts.of(scores, positive), np.array([0.2, 0.7]))
    for at, ratio in enumerate((0.2, 0.7)):
        shares = [1 - curve.missed[at] - curve.alarmed[at], curve.missed[at], curve.alarmed[at]]
        below = mean_reach([0, 1 - ratio, ratio], shares, 80, 0.025, -1, method=wilson, reference=0.0)
        assert ends.low[at] == pytest.approx(max(curve.cost[at] - below, 0.0))


def test_cross_validated_cost_is_that_of_thresholds_of_the_other_folds():
    # a positive row lies alone above all others: without it, nobody would call anything positive at this price
    table = ScoreCounts.of([9.0, *range(8)], [1, *[0] * 8])
    missed, alarmed = cross_validated_shares(table, np.array([0.5]))
    assert (missed[0], alarmed[0]) == (pytest.approx(1 / 9), 0.0)
    assert lowest_cost(table, np.array([0.5]))[0].cost[0] == 0.0


@given(st.integers(0, 10_000), st.integers(2, 60), st.booleans())
def test_intervals_contain_the_cost_and_stay_below_that_of_no_scores(seed, n, weighted):
    rng = np.random.default_rng(seed)
    scores, positive = drawn(rng, n)
    table = ScoreCounts.of(np.round(scores, 1), positive, rng.gamma(2.0, size=n) if weighted else None)
    curve, ends = lowest_cost(table, RATIOS)
    assert (ends.low <= curve.cost + 1e-12).all()
    assert (curve.cost <= ends.high + 1e-12).all()
    assert (
        ends.high[0] == ends.high[-1] == 0.0
    )  # who may call everything positive for nothing makes no mistake that costs


def test_a_higher_level_is_wider():
    table = ScoreCounts.of(*drawn(np.random.default_rng(1), 100))
    narrow, wide = (lowest_cost(table, RATIOS, level=level)[1] for level in (0.8, 0.99))
    assert (wide.low <= narrow.low).all()
    assert (narrow.high <= wide.high).all()


def test_gathered_scores_keep_the_squares_of_weights():
    rng = np.random.default_rng(2)
    scores, positive = drawn(rng, 3 * MOST_THRESHOLDS)
    table = ScoreCounts.of(scores, positive, rng.gamma(0.5, size=len(scores)))
    light = gathered(table, MOST_THRESHOLDS)
    assert len(light.scores) <= MOST_THRESHOLDS
    assert light.effective == pytest.approx(table.effective)
    assert light.total == pytest.approx(table.total)


def test_coverage_where_the_delta_method_covers_five_in_six():
    rng, n, shift, rate, ratio = np.random.default_rng(5), 100, 1.5, 0.3, 0.25
    x = np.linspace(-6, 8, 20_001)
    true = (rate * (1 - ratio) * ndtr(x - shift) + (1 - rate) * ratio * ndtr(-x)).min()
    inside = 0
    for _ in range(300):
        ends = lowest_cost(ScoreCounts.of(*drawn(rng, n, shift, rate)), np.array([ratio]))[1]
        inside += ends.low[0] <= true <= ends.high[0]
    assert inside >= 280
