import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.intervals import wilson
from justesse.judges import classical, paired
from justesse.judges.quantity import quantity
from justesse.significance.mcnemar import mcnemar

AXES = ("label", "incumbent", "candidate")


def case(b: int, c: int, n: int, wrong: int = 0) -> Case:
    cells = [(1, 1, 1, n - b - c - wrong), (1, 1, 0, b), (1, 0, 1, c), (0, 1, 1, wrong)]
    return Case(Tally.of(AXES, cells, classes=[0, 1]))


def thesis() -> Case:
    """The example of thesis 6.5.4: 720 and 780 right of 1000."""
    return case(20, 80, 1000, wrong=200)


def test_the_example_of_the_thesis_at_a_true_95_percent():
    """The thesis prints 90 % intervals as 95 % ones; the true ones keep its decision."""
    one, other = wilson(720, 1000), wilson(780, 1000)
    assert (float(one.low), float(one.high)) == pytest.approx((0.691, 0.747), abs=5e-4)
    assert (float(other.low), float(other.high)) == pytest.approx((0.753, 0.805), abs=5e-4)
    assert other.low > one.high
    printed = wilson([720, 780], 1000, level=0.9)
    assert printed.low.round(3).tolist() == [0.696, 0.758]
    assert printed.high.round(3).tolist() == [0.743, 0.801]


def test_a_rule_of_95_percent_draws_intervals_of_83_4_percent():
    found = classical(thesis())
    assert found.decision == "replace"
    own = 1 - 2 * norm.sf(norm.ppf(0.975) / math.sqrt(2))
    assert own == pytest.approx(0.834, abs=5e-4)
    assert found.incumbent.interval.level == pytest.approx(own)
    assert found.incumbent.interval.low == pytest.approx(float(wilson(720, 1000, level=own).low))
    assert found.candidate.interval.high == pytest.approx(float(wilson(780, 1000, level=own).high))
    assert any("83.4 %" in told for told in found.assumptions)
    assert found.difference.interval.low == pytest.approx(found.candidate.interval.low - found.incumbent.interval.high)
    assert found.difference.interval.high == pytest.approx(found.candidate.interval.high - found.incumbent.interval.low)
    assert found.difference.interval.level == 0.95
    assert "overlap" in found.difference.interval.method


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 300), st.integers(0, 40), st.sampled_from([0, 0.02]))
@settings(max_examples=50)
def test_it_replaces_where_the_intervals_do_not_overlap(b, c, right, wrong, margin):
    n = b + c + right + wrong
    found = classical(case(b, c, n, wrong), margin=margin)
    one, other = found.incumbent.interval, found.candidate.interval
    assert found.replaces == (other.low - one.high > margin)
    if margin == 0:
        assert (found.decision == "keep") == (other.high < one.low)
        assert found.decision != "equivalent"
    assert found.outcome.pvalue == mcnemar(b, c).pvalue
    error = classical(case(b, c, n, wrong), margin=margin, measure="error")
    assert error.decision == found.decision
    assert error.difference.interval.low == pytest.approx(found.difference.interval.low)
    assert error.breakdown == found.breakdown


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([400, 2000]))
@settings(max_examples=50)
def test_it_is_more_timid_than_the_paired_judge_when_they_err_together(b, c, n):
    """Classifiers that share most of their mistakes: what overlap finds the paired judge finds too."""
    judged = case(b, c, n, wrong=n // 5)
    if classical(judged).decision in ("replace", "keep"):
        assert paired(judged).decision == classical(judged).decision


def test_a_known_correlation_makes_it_as_sharp_as_the_paired_judge():
    judged = case(20, 40, 1000, wrong=200)
    assert classical(judged).decision == "cannot_tell"
    assert paired(judged).decision == "replace"
    right = np.array([[1, 1]] * 740 + [[1, 0]] * 20 + [[0, 1]] * 40 + [[0, 0]] * 200)
    told = classical(judged, correlation=float(np.corrcoef(right.T)[0, 1]), ratio=float(np.divide(*right.std(axis=0))))
    assert told.decision == "replace"
    mine, theirs = told.difference.interval, paired(judged).difference.interval
    assert mine.low == pytest.approx(theirs.low, abs=0.001)
    assert mine.high == pytest.approx(theirs.high, abs=0.001)


def test_one_sided():
    judged = case(20, 80, 1000, wrong=200)
    better, worse = classical(judged, alternative="greater"), classical(judged, alternative="less")
    narrow = classical(judged, level=0.9).difference.interval
    assert better.difference.interval.low == pytest.approx(narrow.low)
    assert better.difference.interval.high == 1
    assert worse.difference.interval.high == pytest.approx(narrow.high)
    assert worse.difference.interval.low == -1
    assert (better.decision, worse.decision) == ("replace", "cannot_tell")
    assert worse.breakdown.verdict is None


def test_margin():
    assert classical(thesis(), margin=0.02).decision == "replace"
    assert classical(thesis(), margin=0.05).decision == "cannot_tell"
    assert classical(case(1, 1, 4000, wrong=40), margin=0.02).decision == "equivalent"
    assert classical(case(80, 20, 1000, wrong=200), margin=0.01).decision == "keep"


def test_other_measures():
    for name in ("mcc", "macro-f1", "recall:1", "precision:1", "balanced accuracy"):
        found = classical(case(5, 120, 1000, wrong=100), measure=name, draws=300)
        one, other = found.incumbent.interval, found.candidate.interval
        assert found.replaces == (other.unclipped_low > one.unclipped_high), name
        assert found.breakdown.verdict is None
    asked = quantity("cost", (0, 1), costs=np.array([[0.0, 1.0], [2.0, 0.0]]))
    cheaper = classical(case(5, 120, 1000, wrong=100), measure=asked)
    assert cheaper.decision == "replace"
    assert cheaper.difference.value == pytest.approx(2 * 115 / 1000)
    assert cheaper.difference.interval.low == pytest.approx(
        cheaper.incumbent.interval.low - cheaper.candidate.interval.high
    )
