"""Rogan and Gladen's correction: by hand, against Lang and Reiczigel's interval, and its limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.intervals.clustered import clustered_share
from justesse.intervals.judge_rates import judge_rates
from justesse.intervals.rogan_gladen import CANNOT_TELL, JudgedUnits, rogan_gladen, rogan_gladen_strata


def rates(high, of_high, low, of_low):
    """Rates of a judge who says 1 to `high` of `of_high` units that people rate 1, and to `low` of `of_low` rated 0."""
    verdicts = [1] * high + [0] * (of_high - high) + [1] * low + [0] * (of_low - low)
    return judge_rates(verdicts, [1] * of_high + [0] * of_low)


def lang_reiczigel(positive, n, right, of_right, specific, of_specific, z=1.959964):
    """Compute the published interval for a prevalence with estimated sensitivity and specificity (2014, formula 4)."""
    share = (positive + z**2 / 2) / (n + z**2)
    sensitivity, specificity = (right + 1) / (of_right + 2), (specific + 1) / (of_specific + 2)
    slope = sensitivity + specificity - 1
    value = (share + specificity - 1) / slope
    change = (
        2 * z**2 * (value * sensitivity * (1 - sensitivity) / (of_right + 2)
        - (1 - value) * specificity * (1 - specificity) / (of_specific + 2))
    )  # fmt: skip
    error = (
        math.sqrt(
            share * (1 - share) / (n + z**2)
            + value**2 * sensitivity * (1 - sensitivity) / (of_right + 2)
            + (1 - value) ** 2 * specificity * (1 - specificity) / (of_specific + 2)
        )
        / slope
    )
    shift = change / slope**2 / 2
    return value + shift - z * error, value + shift + z * error


def test_the_value_is_that_of_the_formula():
    result = rogan_gladen(JudgedUnits(0.62, 1000), rates(90, 100, 20, 100))
    assert result.value == pytest.approx((0.62 - 0.2) / (0.9 - 0.2))


@pytest.mark.parametrize("table", [(180, 200, 30, 150), (90, 100, 20, 100), (45, 50, 4, 40)])
def test_the_interval_is_close_to_lang_and_reiczigels(table):
    high, of_high, low, of_low = table
    units = JudgedUnits(0.55, 2000)
    ends = rogan_gladen(units, rates(*table)).interval
    theirs = lang_reiczigel(1100, 2000, high, of_high, of_low - low, of_low)
    assert ends.low == pytest.approx(theirs[0], abs=0.02)
    assert ends.high == pytest.approx(theirs[1], abs=0.02)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(0, 20), st.floats(0, 1))
def test_exchanging_one_and_zero_mirrors_the_result(right, wrong, mean):
    table = rates(right + 20, right + 30, wrong, wrong + 25)
    result = rogan_gladen(JudgedUnits(mean, 500), table)
    mirrored = judge_rates(
        [0] * (right + 20) + [1] * 10 + [0] * wrong + [1] * 25, [0] * (right + 30) + [1] * (wrong + 25)
    )
    other = rogan_gladen(JudgedUnits(1 - mean, 500), mirrored)
    if result.interval is None:
        assert other.interval is None
        return
    assert other.value == pytest.approx(1 - result.value, abs=1e-9)
    assert other.interval.low == pytest.approx(1 - result.interval.high, abs=1e-6)


def test_rating_everything_leaves_nothing_uncertain_about_these_rows():
    rng = np.random.default_rng(0)
    rating = (rng.random(200) < 0.6).astype(float)
    verdict = np.where(rng.random(200) < 0.8, rating, 1 - rating)
    units = JudgedUnits(float(verdict.mean()), 200, np.arange(200), verdict, rating)
    result = rogan_gladen(units, judge_rates(verdict, rating), about="rows")
    assert result.value == pytest.approx(rating.mean())
    assert result.interval.half_width < 0.02


def test_a_judge_that_cannot_tell_gives_no_figure():
    result = rogan_gladen(JudgedUnits(0.5, 100), rates(5, 10, 6, 10))
    assert math.isnan(result.value)
    assert result.undefined == CANNOT_TELL
    assert "rated no unit 0" in rogan_gladen(JudgedUnits(0.5, 100), judge_rates([1, 1], [1, 1])).undefined
    assert rogan_gladen(JudgedUnits(math.nan, 0), rates(9, 10, 1, 10)).undefined == "no unit"


def test_one_stratum_is_no_stratum():
    units, table = JudgedUnits(0.6, 400), rates(40, 50, 10, 50)
    alone, strata = rogan_gladen(units, table), rogan_gladen_strata([(units, table)])
    assert strata.value == pytest.approx(alone.value)
    assert strata.interval.low == pytest.approx(alone.interval.low, abs=1e-9)
    undefined = rogan_gladen_strata([(units, table), (units, rates(5, 10, 6, 10))])
    assert undefined.undefined == f"in one stratum {CANNOT_TELL}"
    with pytest.raises(OptionError, match="at least one"):
        rogan_gladen_strata([])


def test_clusters_of_equal_units_count_once():
    table = judge_rates([1, 1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 1, 0, 0, 0, 0])
    twice = judge_rates([1, 1, 0, 1, 0, 0, 1, 0] * 2, [1, 1, 1, 1, 0, 0, 0, 0] * 2, list(range(8)) * 2)
    assert twice.high.variance > 0.7 * table.high.variance
    with pytest.raises(OptionError, match="between 0 and 1"):
        judge_rates([2], [1])
    with pytest.raises(OptionError, match="a verdict and a rating"):
        judge_rates([1], [1, 0])


def seen_from_both_sides(verdicts, ratings):
    items = np.arange(len(verdicts))
    verdicts, ratings = np.asarray(verdicts, dtype=float), np.asarray(ratings, dtype=float)
    return judge_rates(np.r_[verdicts, 1 - verdicts], np.r_[ratings, 1 - ratings], np.r_[items, items])


@pytest.mark.parametrize(("wins", "mean"), [(100, 0.5), (150, 0.6), (40, 0.45)])
def test_a_pair_seen_from_both_sides_is_one_unit(wins, mean):
    rating = np.repeat([1.0, 0.0], [wins, 200 - wins])
    verdict = np.where(np.tile([1, 1, 1, 0], 50) == 1, rating, 1 - rating)
    n, rated, right = 1000, 200, 0.75
    units = JudgedUnits(mean, n, np.arange(rated), verdict, rating)
    result = rogan_gladen(units, seen_from_both_sides(verdict, rating))
    assert result.value == pytest.approx((mean - 0.25) / 0.5)

    def variance(share):  # by hand, for a judge that is right equally often whichever model is better
        uneven = 2 * share - 1
        alone = (0.25 * share * (1 - share) + right * (1 - right)) / n
        return alone + right * (1 - right) * (uneven**2 / rated - 2 * uneven * (2 * wins - rated) / (n * rated))

    for end in (result.interval.low, result.interval.high):
        reach = abs(mean - 0.25 - 0.5 * end) / math.sqrt(variance(end))
        assert reach == pytest.approx(1.96, abs=0.08)


def test_rating_every_pair_does_not_make_common_rates_exact():
    rng = np.random.default_rng(1)
    rating = (rng.random(200) < 0.5).astype(float)
    verdict = np.where(rng.random(200) < 0.75, rating, 1 - rating)
    units = JudgedUnits(float(verdict.mean()), 200, np.arange(200), verdict, rating)
    ends = rogan_gladen(units, seen_from_both_sides(verdict, rating), about="rows").interval
    assert ends.low < rating.mean() < ends.high


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 60))
def test_the_order_of_clusters_does_not_matter(seed, n):
    rng = np.random.default_rng(seed)
    rating = np.r_[1.0, 0.0, rng.integers(0, 2, n)]
    verdict = np.where(rng.random(n + 2) < 0.8, rating, 1 - rating)
    names, order = rng.permutation(n + 2), rng.permutation(n + 2)
    one = rogan_gladen(JudgedUnits(0.6, 500, names, verdict, rating), judge_rates(verdict, rating, names))
    other = rogan_gladen(
        JudgedUnits(0.6, 500, names[order], verdict[order], rating[order]), judge_rates(verdict, rating, names)
    )
    assert str(one.interval) == str(other.interval)


def test_a_judge_that_is_always_right_in_few_clusters_is_not_known_well():
    clusters = np.repeat(np.arange(4), 25)
    [ends] = clustered_share([25] * 4, [25] * 4).intervals()
    rate = judge_rates([1] * 100, [1] * 100, clusters).high
    assert (rate.interval().low, rate.interval().high) == pytest.approx((ends.low, ends.high))
    assert rate.variance == pytest.approx(5 / 6 * 1 / 6 / 6)
    one = judge_rates([1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0])
    assert rogan_gladen(JudgedUnits(0.6, 100), one).undefined == "people rated one item only"
