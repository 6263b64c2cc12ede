import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.ends import z_value
from justesse.intervals.planning.difference import difference_n
from justesse.judges import paired
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_power import paired_n, paired_power


def exact_power(n, *, difference, disagreement, margin=0.0, level=0.95, alternative="two-sided"):
    """Add up the chances of all tables of n rows whose interval lies beyond the margin."""
    share_b, share_c = (disagreement - difference) / 2, (disagreement + difference) / 2

    def likely(share):
        spread = 7 * math.sqrt(n * share) + 7
        return np.arange(max(0, int(n * share - spread)), min(n, int(n * share + spread)) + 1)

    b, c = (grid.ravel() for grid in np.meshgrid(likely(share_b), likely(share_c)))
    b, c = b[b + c <= n], c[b + c <= n]
    rest = n - b - c
    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
    chance = np.exp(ways + xlogy(b, share_b) + xlogy(c, share_c) + xlogy(rest, 1 - disagreement))
    assert chance.sum() == pytest.approx(1, abs=1e-6)
    ends = paired_difference(b, c, n, level=level, alternative=alternative)
    return float(chance[(ends.low > margin) if difference > margin else (ends.high < margin)].sum())


@pytest.mark.parametrize(
    ("n", "difference", "disagreement", "margin"),
    [
        (600, 0.05, 0.15, 0.0),
        (600, -0.05, 0.15, 0.0),
        (600, 0.08, 0.15, 0.03),
        (1000, 0.03, 0.1, 0.01),
        (1000, 0.0, 0.1, 0.02),
        (1000, -0.01, 0.1, 0.02),
        (300, 0.1, 0.4, 0.0),
    ],
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_it_is_close_to_the_chances_added_up(n, difference, disagreement, margin, level):
    told = {"difference": difference, "disagreement": disagreement, "margin": margin, "level": level}
    assert paired_power(n, **told) == pytest.approx(exact_power(n, **told), abs=0.02)


@pytest.mark.parametrize(("difference", "side"), [(0.05, "greater"), (-0.05, "less")])
def test_one_sided(difference, side):
    told = {"difference": difference, "disagreement": 0.15, "alternative": side}
    assert paired_power(500, **told) == pytest.approx(exact_power(500, **told), abs=0.02)
    assert paired_power(500, **told) == pytest.approx(paired_power(500, **{**told, "alternative": "two-sided", "level": 0.9}))  # fmt: skip


@pytest.mark.parametrize(("difference", "side"), [(0.05, "less"), (-0.05, "greater")])
def test_the_other_side_is_never_reached(difference, side):
    told = {"difference": difference, "disagreement": 0.15, "alternative": side}
    assert paired_power(10**6, **told) == 0 == exact_power(500, **told)
    assert paired_n(**told) is None


SETTINGS = {
    "disagreement": st.floats(0.01, 0.6),
    "share": st.floats(-0.95, 0.95),
    "margin": st.sampled_from([0.0, 0.005, 0.05]),
    "level": st.sampled_from([0.8, 0.95, 0.99]),
    "power": st.sampled_from([0.5, 0.8, 0.95]),
}


@given(**SETTINGS)
def test_there_and_back(disagreement, share, margin, level, power):
    told = {"difference": share * disagreement, "disagreement": disagreement, "margin": margin, "level": level}
    if abs(told["difference"] - margin) < 1e-4:
        return
    n = paired_n(**told, power=power)
    assert paired_power(n, **told) >= power - 1e-9
    if n > 1:
        assert paired_power(n - 1, **told) < power
    assert paired_n(**told, power=min(power + 0.04, 0.99)) >= n


@pytest.mark.parametrize(("difference", "disagreement"), [(0.03, 0.1), (0.05, 0.3), (0.01, 0.05)])
def test_without_a_margin_it_agrees_with_the_plan(difference, disagreement):
    """`plan difference` adds up the chances of McNemar's mid-p test, whose power goes up and down a little."""
    exact = difference_n(difference, disagreement=disagreement)
    assert paired_n(difference=difference, disagreement=disagreement) == pytest.approx(exact, rel=0.03)


def test_nothing_settles_a_difference_that_is_the_margin():
    assert paired_n(difference=0.0, disagreement=0.1) is None
    assert paired_n(difference=0.02, disagreement=0.1, margin=0.02) is None
    assert paired_n(difference=1e-9, disagreement=0.1) is None  # more rows than anyone has


def test_always_the_only_one_right():
    assert paired_power(3, difference=1.0, disagreement=1.0) == 0
    assert paired_power(5, difference=1.0, disagreement=1.0) == 1
    assert exact_power(3, difference=1.0, disagreement=1.0) == 0
    assert exact_power(5, difference=1.0, disagreement=1.0) == pytest.approx(1)
    assert paired_n(difference=1.0, disagreement=1.0) == math.ceil(z_value(0.025) ** 2)


def test_bad_input_is_refused():
    with pytest.raises(OptionError, match="disagreement"):
        paired_power(100, difference=0.2, disagreement=0.1)
    with pytest.raises(OptionError, match="disagreement"):
        paired_n(difference=0.2, disagreement=1.1)
    with pytest.raises(OptionError, match="power"):
        paired_n(difference=0.1, disagreement=0.2, power=1)
    with pytest.raises(OptionError, match="level"):
        paired_n(difference=0.1, disagreement=0.2, level=0)


def case(b: int, c: int, n: int) -> Case:
    return Case(Tally.of(("label", "incumbent", "candidate"), [(1, 1, 1, n - b - c), (1, 1, 0, b), (1, 0, 1, c)]))


@pytest.mark.parametrize(
    ("b", "c", "n", "margin", "side"),
    [
        (10, 18, 400, 0.0, "two-sided"),
        (18, 10, 400, 0.0, "two-sided"),
        (10, 18, 400, 0.0, "greater"),
        (8, 24, 400, 0.02, "two-sided"),
        (12, 12, 400, 0.02, "two-sided"),
        (14, 12, 300, 0.02, "two-sided"),
    ],
)
def test_the_rows_a_verdict_asks_for_settle_it_four_times_out_of_five(b, c, n, margin, side):
    found = paired(case(b, c, n), margin=margin, alternative=side)
    assert found.decision == "cannot_tell"
    told = {"difference": (c - b) / n, "disagreement": (b + c) / n, "margin": margin, "alternative": side}
    assert exact_power(n + found.needed_n, **told) == pytest.approx(0.8, abs=0.03)


def test_rows_of_one_class_come_with_the_others():
    """Recall is about the rows of its class: a fifth of all here, so five times as many are needed."""
    cells = [(1, 1, 1, 72), (1, 1, 0, 10), (1, 0, 1, 18), (0, 0, 0, 400)]
    found = paired(Case(Tally.of(("label", "incumbent", "candidate"), cells)), measure="recall:1")
    assert found.decision == "cannot_tell"
    more = found.needed_n / 5
    assert exact_power(round(100 + more), difference=0.08, disagreement=0.28) == pytest.approx(0.8, abs=0.02)
