import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.case import Case
from justesse.core.results import Estimate, Interval
from justesse.core.shares import percent_of
from justesse.core.tally import Tally
from justesse.core.verdict import VerdictBreakdown, decide
from justesse.judges import classical, paired
from justesse.judges.quantity import quantity
from justesse.judges.words import banner, breakdown_words, reason, rounded, title
from justesse.noise.survives import survives

AXES = ("label", "incumbent", "candidate")
COSTS = np.array([[0.0, 10.0], [1.0, 0.0]])
SIDES = ("two-sided", "greater", "less")


def case(b: int, c: int, n: int, wrong: int = 10) -> Case:
    return Case(Tally.of(AXES, [(1, 1, 1, n - b - c - wrong), (1, 1, 0, b), (1, 0, 1, c), (0, 1, 1, wrong)]))


def test_replace():
    found = paired(case(10, 40, 1000))
    assert title(found) == "Replace the incumbent with the candidate."
    assert banner(found) == (
        "The candidate makes 3.0 fewer errors per 100 cases (95 % CI 1.7 to 4.5). The whole interval of the "
        "difference lies above 0: the candidate is better. The sign of the difference survives up to 1.4 % wrong "
        "labels (14 of 1,000). The verdict survives up to 0.80 % wrong labels (8 of 1,000)."
    )


def test_replace_by_more_than_what_matters():
    said = banner(paired(case(10, 40, 1000), margin=0.01))
    assert "Margin: 1 per 100. Even the low end of the interval is above it." in said


def test_keep():
    found = paired(case(40, 10, 1000))
    assert title(found) == "Keep the incumbent."
    said = banner(found)
    assert said.startswith("The candidate makes 3.0 more errors per 100 cases (95 % CI 1.7 to 4.5). ")
    assert "the incumbent is better" in said
    assert (
        'Not replacing survives up to 2.1 % wrong labels (21 of 1,000); one more could change the verdict to "replace".'
        in said
    )


@pytest.mark.parametrize(("b", "c"), [(40, 10), (30, 20), (30, 29)])
def test_keep_with_a_margin_speaks_of_gains_whichever_way_the_interval_is_written(b, c):
    """The interval is written in errors of the worse one, so its high end is not the high end of the gain."""
    found = paired(case(b, c, 1000), margin=0.02)
    assert found.decision in ("keep", "equivalent")
    if found.decision == "keep":
        assert "Margin: 2 per 100. The interval includes no gain as large as that." in banner(found)
    assert "high end" not in banner(found)


def test_equivalent():
    found = paired(case(2, 3, 2000), margin=0.01)
    assert title(found) == "Equivalent: keep the incumbent."
    assert "Margin: 1 per 100. The whole interval is within it, either way" in banner(found)


def test_cannot_tell():
    found = paired(case(20, 22, 1000))
    assert title(found) == "Cannot tell: keep the incumbent for now."
    said = banner(found)
    assert "includes 0: it cannot tell" in said
    assert "About 81,000 more labelled cases would settle it with a probability of 80 %." in said
    assert "survives no wrong label (0 of 1,000)." in said
    assert "includes smaller gains: not enough evidence" in banner(paired(case(20, 22, 1000), margin=0.01))


def test_equally_many_errors():
    said = banner(paired(case(20, 20, 1000)))
    assert said.startswith("Both make equally many errors (95 % CI -1.3 to 1.3).")
    assert "More cases would not settle it" in said
    assert "The sign of the difference" not in said


def test_never_apart_on_few_rows_is_no_proof_that_they_are_equal():
    """Tango's interval with b = c = 0 is ±z²/(n + z²): it is within a margin of 0.01 from 381 rows on."""
    z2 = 1.959963984540054**2
    for n, decision in ((40, "cannot_tell"), (380, "cannot_tell"), (381, "equivalent")):
        found = paired(case(0, 0, n), margin=0.01)
        assert found.decision == decision
        assert found.difference.interval.high == pytest.approx(z2 / (n + z2))
        assert found.difference.interval.low == pytest.approx(-z2 / (n + z2))
        assert (found.needed_n or 0) == max(381 - n, 0)
    said = banner(paired(case(0, 0, 40), margin=0.01))
    assert "Both are right on the same rows and wrong on the same rows (n = 40)." in said
    assert "On other rows they may differ, by up to 8.8 errors per 100 cases (95 % CI -8.8 to 8.8)." in said
    assert "About 340 more labelled cases would settle it, if the two never differ there either." in said
    one_sided = banner(paired(case(0, 0, 40), margin=0.01, alternative="greater"))
    assert "On other rows they may differ (95 % lower bound -6.3)." in one_sided


def test_one_sided():
    better, worse = case(10, 40, 1000), case(40, 10, 1000)
    assert "3.0 fewer errors per 100 cases (95 % lower bound 1.9)" in banner(paired(better, alternative="greater"))
    assert "3.0 fewer errors per 100 cases (95 % upper bound 4.2)" in banner(paired(better, alternative="less"))
    # from the other side a lower bound of the gain is an upper bound of the loss
    assert "3.0 more errors per 100 cases (95 % upper bound 4.2)" in banner(paired(worse, alternative="greater"))
    assert "3.0 more errors per 100 cases (95 % lower bound 1.9)" in banner(paired(worse, alternative="less"))
    assert "does not exclude a gain as large as that" in banner(paired(better, alternative="less", margin=0.01))


def test_error_is_told_as_accuracy_is():
    for b, c in ((10, 40), (40, 10), (20, 22)):
        assert banner(paired(case(b, c, 1000), measure="error")) == banner(paired(case(b, c, 1000)))


def test_other_measures():
    better, worse = case(10, 40, 1000, wrong=100), case(40, 10, 1000, wrong=100)
    for measure in ("mcc", "macro-f1", "recall:1"):
        for found, word in ((paired(better, measure=measure), "higher"), (paired(worse, measure=measure), "lower")):
            value, interval = found.difference.value, found.difference.interval
            assert banner(found).startswith(
                f"The candidate's {found.title} is {abs(value):.4f} {word} "
                f"(95 % CI {interval.low:.4f} to {interval.high:.4f})."
            )


def test_cost_is_written_from_the_side_of_the_cheaper():
    asked = quantity("cost", (0, 1), costs=COSTS)
    cheap, dear = paired(case(10, 40, 1000), measure=asked), paired(case(40, 10, 1000), measure=asked)
    assert cheap.decision == "replace"
    assert dear.decision == "keep"
    low, high = cheap.difference.interval.low, cheap.difference.interval.high
    assert f"cost is 0.0300 lower (95 % CI {low:.4f} to {high:.4f})" in banner(cheap)
    low, high = -dear.difference.interval.high, -dear.difference.interval.low
    assert 0 < low < high
    assert f"cost is 0.0300 higher (95 % CI {low:.4f} to {high:.4f})" in banner(dear)


def test_an_undefined_difference_says_why():
    cells = [("a", "a", "a", 30), ("b", "a", "b", 9)]
    found = paired(Case(Tally.of(AXES, cells, classes=["a", "b", "z"])), measure="recall:z")
    assert found.decision == "cannot_tell"
    assert banner(found).startswith("The difference of recall of 'z' is undefined: it never occurs among the labels.")


def test_two_that_never_differ():
    found = paired(Case(Tally.of(AXES, [(1, 1, 1, 30), (0, 0, 0, 20), (0, 1, 1, 5)])), measure="mcc")
    assert banner(found).startswith("Both have the same MCC. The difference has no confidence interval")


@pytest.mark.parametrize("judge", [paired, classical])
def test_no_banner_misleads(judge):
    tables = [(10, 40, 1000), (40, 10, 1000), (20, 22, 1000), (2, 2, 2000), (0, 0, 50), (0, 1, 100), (5, 12, 10**6)]
    for table, margin, side, measure in itertools.product(tables, (0, 0.01), SIDES, ("accuracy", "recall:1")):
        found = judge(case(*table), margin=margin, alternative=side, measure=measure)
        said = f"{title(found)} {banner(found)} {found.reason}"
        assert "significant" not in said
        assert not re.search(r"nan|inf\b|None", said)
        assert "up to 0.00 %" not in said
        assert banner(found).endswith(".")
        assert "  " not in said


def test_small_differences_of_large_tables_are_not_rounded_away():
    said = banner(paired(case(90, 10, 10**6)))
    assert said.startswith("The candidate makes 0.008 more errors per 100 cases (95 % CI 0.006 to 0.010).")
    assert "The sign of the difference survives up to 0.0039 % wrong labels (39 of 1,000,000)." in said


def test_one_case():
    found = paired(case(20, 22, 1000))
    object.__setattr__(found, "needed_n", 1)
    assert "About 1 more labelled case would settle it with a probability of 80 %." in banner(found)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_one_count_has_one_share(rows, others):
    n = rows + others
    percent = float(percent_of(rows, n).removesuffix(" %"))
    assert percent == pytest.approx(100 * rows / n, rel=0.051)
    assert (percent == 100) == (rows == n) or rows / n > 0.999999
    assert percent_of(rows, n) in survives(rows + 1, n)  # in whatever sentence


def test_shares_in_words():
    counts = (0, 1, 10, 199, 773, 999, 1000)
    assert [percent_of(rows, 1000) for rows in counts] == ["0 %", "0.10 %", "1.0 %", "20 %", "77 %", "99.9 %", "100 %"]
    assert (percent_of(1, 228), percent_of(773, 899)) == ("0.44 %", "86 %")


@given(st.integers(1, 10**12))
def test_large_numbers_keep_two_digits(number):
    told = int(rounded(number).replace(",", ""))
    assert told == pytest.approx(number, rel=0.05)
    assert len(str(told).rstrip("0")) <= 2


def test_survival_is_one_row_less_than_what_overturns():
    found = paired(case(10, 40, 1000))
    assert round(found.breakdown.sign * 1000) == 15
    assert round(found.breakdown.verdict * 1000) == 9
    assert breakdown_words(found.breakdown, found) == (
        "The sign of the difference survives up to 1.4 % wrong labels (14 of 1,000). "
        "The verdict survives up to 0.80 % wrong labels (8 of 1,000)."
    )
    assert breakdown_words(VerdictBreakdown(None, None), found) == ""


@given(st.floats(-0.2, 0.2), st.floats(0, 0.2), st.sampled_from([0.0, 0.05]), st.sampled_from(SIDES))
def test_a_reason_fits_its_decision(low, wide, margin, side):
    low, high = (-1.0 if side == "less" else low), (1.0 if side == "greater" else low + wide)
    decision = decide(low, high, margin).item()
    said = reason(decision, Estimate("difference", 0.0, 100, Interval(low, high, 0.95, "tango")), margin, side)
    assert said.endswith(".")
    if decision == "replace":
        assert "better" in said or "above the margin of 0.05" in said
    if decision == "keep":
        assert ("incumbent is better" in said) == (high < 0)
    if decision == "equivalent":
        assert "within ±0.05" in said
    if decision == "cannot_tell":
        assert "not" in said
    assert "significant" not in said


def test_no_interval_decides_nothing():
    said = reason("cannot_tell", Estimate("difference", math.nan, 0, None, "no row bears it"), 0.0, "two-sided")
    assert said == "The difference has no confidence interval (no row bears it): no decision."
