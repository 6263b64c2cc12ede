"""Curves of score against cost: by hand, by brute force, and as properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from justesse.core.errors import InputError, OptionError
from justesse.intervals.fieller import fieller
from justesse.lifelong.cost_curve import RunCurve
from justesse.lifelong.seed_curves import CostRange, SeedCurves, cost_range

NUMBERS = st.floats(0, 1)
CURVES = st.lists(st.tuples(st.integers(0, 50), NUMBERS), min_size=2, max_size=8, unique_by=lambda p: p[0]).map(
    lambda points: RunCurve(*zip(*sorted(points), strict=True))
)


def test_by_hand():
    curve = RunCurve((0, 10, 40), (0.5, 0.7, 0.8))
    assert curve.area(0, 40) == pytest.approx(10 * 0.6 + 30 * 0.75)
    # cut at 25, where the score is 0.75; begun at 5, where it is 0.6
    assert curve.area(5, 25) == pytest.approx(5 * 0.65 + 15 * 0.725)
    assert curve.mean_score(5, 25) == pytest.approx((5 * 0.65 + 15 * 0.725) / 20)
    # a run that stops keeps its score
    assert curve.area(0, 50) == pytest.approx(28.5 + 8)
    assert curve.cost_to_reach(0.6, higher_is_better=True) == pytest.approx(5)
    assert curve.cost_to_reach(0.4, higher_is_better=True) == 0
    assert math.isnan(curve.cost_to_reach(0.9, higher_is_better=True))
    errors = RunCurve((10, 20), (0.4, 0.2))
    assert errors.cost_to_reach(0.3, higher_is_better=False) == pytest.approx(15)
    assert math.isnan(float(errors.at(5)))


@given(CURVES, st.data())
def test_the_area_is_that_of_many_thin_slices(curve, data):
    start = data.draw(st.floats(curve.costs[0], curve.costs[-1]))
    budget = data.draw(st.floats(start + 0.5, start + 60))
    places = np.linspace(start, budget, 20001)
    middles = (places[1:] + places[:-1]) / 2
    assert curve.mean_score(start, budget) == pytest.approx(float(curve.at(middles).mean()), abs=1e-4)
    assert min(curve.scores) - 1e-9 <= curve.mean_score(start, budget) <= max(curve.scores) + 1e-9


@given(CURVES, NUMBERS)
def test_the_cost_to_reach_is_the_first_place_that_is_good_enough(curve, target):
    spent = curve.cost_to_reach(target, higher_is_better=True)
    if math.isnan(spent):
        assert max(curve.scores) < target
        return
    assert float(curve.at(spent)) >= target - 1e-9
    before = np.linspace(curve.costs[0], spent, 200)[:-1]
    if spent > curve.costs[0]:
        assert (curve.at(before) < target + 1e-9).all()


def test_areas_over_seeds_have_students_interval():
    scores = [0.6, 0.64, 0.59, 0.66, 0.61]
    runs = SeedCurves({str(seed): RunCurve((0, 10), (score, score)) for seed, score in enumerate(scores)})
    area = runs.area(cost_range([runs]))
    ends = stats.t.interval(0.95, 4, np.mean(scores), stats.sem(scores))
    assert (area.value, area.n) == (pytest.approx(0.62), 5)
    assert (area.interval.low, area.interval.high) == pytest.approx(ends)
    assert [point[0] for point in runs.points(CostRange(0, 10))] == [0, 10]


def test_gains_are_paired_by_seed():
    rng = np.random.default_rng(0)
    luck = rng.normal(0, 0.1, 6)
    slow = SeedCurves({str(s): RunCurve((0, 10), (0.5 + luck[s], 0.6 + luck[s])) for s in range(6)})
    fast = SeedCurves(
        {str(s): RunCurve((0, 5, 10), (0.5 + luck[s], 0.6 + luck[s], 0.61 + luck[s] + s / 1000)) for s in range(6)}
    )
    costs = cost_range([slow, fast])
    gain = fast.area_gain(slow, costs, higher_is_better=True)
    each = [fast.runs[s].mean_score(0, 10) - slow.runs[s].mean_score(0, 10) for s in slow.runs]
    assert gain.value == pytest.approx(np.mean(each))
    assert (gain.interval.low, gain.interval.high) == pytest.approx(
        stats.t.interval(0.95, 5, np.mean(each), stats.sem(each))
    )
    # unpaired, the luck of seeds would hide it
    assert fast.area(costs).interval.low < slow.area(costs).interval.high
    worse = fast.area_gain(slow, costs, higher_is_better=False)
    assert worse.value == pytest.approx(-gain.value)


def test_deficiency_by_hand():
    random = SeedCurves({"0": RunCurve((0, 10), (0.5, 0.9)), "1": RunCurve((0, 10), (0.5, 0.8))})
    quick = SeedCurves({"0": RunCurve((0, 5, 10), (0.5, 0.9, 0.9)), "1": RunCurve((0, 5, 10), (0.5, 0.8, 0.8))})
    costs = cost_range([random, quick])
    # random stays 0.2 and 0.15 behind its last score, quick 0.1 and 0.075
    assert quick.deficiency(random, costs).value == pytest.approx(0.5)
    assert random.deficiency(random, costs).value == pytest.approx(1)
    # the same for errors
    flipped = [
        SeedCurves(
            {seed: RunCurve(run.costs, [1 - score for score in run.scores]) for seed, run in system.runs.items()}
        )
        for system in (quick, random)
    ]
    assert flipped[0].deficiency(flipped[1], costs).value == pytest.approx(0.5)
    flat = SeedCurves({"0": RunCurve((0, 10), (0.5, 0.5))})
    assert "nothing to compare" in flat.deficiency(flat, costs).undefined


def test_what_has_no_interval_says_why():
    one = SeedCurves({"0": RunCurve((0, 10), (0.5, 0.9))})
    other = SeedCurves({"7": RunCurve((0, 10), (0.5, 0.8)), "8": RunCurve((0, 10), (0.5, 0.7))})
    costs = cost_range([one, other])
    assert "one seed" in one.area(costs).undefined
    assert "one seed" in one.area_gain(one, costs, higher_is_better=True).undefined
    gain = one.area_gain(other, costs, higher_is_better=True)
    assert (gain.value, gain.interval) == (pytest.approx(0.7 - 0.625), None)
    assert "in common" in gain.undefined
    assert "in common" in one.deficiency(other, costs).undefined
    assert "1 of 2 seeds never reach it" in other.cost_to_reach(0.75, higher_is_better=True).undefined
    same = SeedCurves({seed: RunCurve((0, 10), (0.5, 0.9)) for seed in "ab"})
    assert "all seeds are equal" in same.area(costs).undefined


def test_costs_without_overlap_are_refused():
    early, late = (SeedCurves({"0": RunCurve(costs, (0, 1))}) for costs in ((0, 5), (6, 9)))
    with pytest.raises(InputError, match="No costs in common"):
        cost_range([early, late])
    assert cost_range([early, late], budget=8) == CostRange(6, 8)
    with pytest.raises(InputError, match="two points or more"):
        RunCurve((1,), (1,))
    with pytest.raises(InputError, match="the costs rise"):
        RunCurve((1, 1), (0, 1))


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(4, 6)), min_size=3, max_size=9))
def test_fiellers_ends_are_where_the_t_test_of_the_ratio_just_rejects(pairs):
    x, y = (np.array(part) for part in zip(*pairs, strict=True))
    x = x + np.arange(len(x)) / 7
    ends = fieller(x, y)
    if np.isnan(ends.low[0]):
        return
    for ratio in (float(ends.low[0]), float(ends.high[0])):
        gaps = x - ratio * y
        if gaps.std() > 1e-6:
            assert stats.ttest_1samp(gaps, 0).pvalue == pytest.approx(0.05, abs=1e-6)


def test_fieller_gives_no_ends_if_the_divisor_may_be_zero():
    assert np.isnan(fieller([1, 2, 3], [0.1, -0.1, 0.05]).low[0])
    with pytest.raises(OptionError, match="two or more pairs"):
        fieller([1], [1])
