import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.case import Case, PairedScores
from justesse.core.errors import CostError, InputError, OptionError
from justesse.core.tally import Tally
from justesse.core.verdict import check_margin, decide
from justesse.intervals.estimate import Confidence
from justesse.judges import paired
from justesse.judges.conclude import gap_n
from justesse.judges.evidence import Rule
from justesse.judges.paired import lead, paired_interval
from justesse.judges.quantity import quantity
from justesse.measures import averaged, f1, mcc
from justesse.significance.mcnemar import mcnemar
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import STILL, Compared, paired_bootstrap, paired_delta
from justesse.significance.permutation import permutation
from justesse.significance.two_areas import two_areas

AXES = ("label", "incumbent", "candidate")
CELLS = [
    ("a", "a", "a", 300), ("a", "b", "a", 30), ("a", "a", "b", 10), ("b", "b", "b", 250), ("b", "a", "b", 20),
    ("b", "b", "a", 12), ("c", "c", "c", 90), ("c", "a", "b", 5), ("c", "c", "a", 9), ("c", "b", "b", 14),
]  # fmt: skip
CASE = Case(Tally.of(AXES, CELLS))
SWAPPED = Case(Tally.of(AXES, [(y, other, one, n) for y, one, other, n in CELLS]))
COSTS = np.array([[0.0, 2.0, 5.0], [1.0, 0.0, 1.0], [3.0, 0.5, 0.0]])
ENDS = st.floats(-1, 1) | st.just(math.nan)


def case(b: int, c: int, n: int, wrong: int = 0) -> Case:
    cells = [(1, 1, 1, n - b - c - wrong), (1, 1, 0, b), (1, 0, 1, c), (0, 1, 1, wrong)]
    return Case(Tally.of(AXES, cells, classes=[0, 1]))


def rule_of_the_issue(low: float, high: float, margin: float) -> str:
    if low > margin:
        return "replace"
    if margin > 0 and low > -margin and high < margin:
        return "equivalent"
    if high < margin or high < 0:
        return "keep"
    return "cannot_tell"


@given(ENDS, ENDS, st.just(0.0) | st.floats(0, 0.5))
def test_the_decision_is_where_the_interval_lies(low, high, margin):
    if high < low:
        low, high = high, low
    expected = "cannot_tell" if math.isnan(low) and math.isnan(high) else rule_of_the_issue(low, high, margin)
    assert decide(low, high, margin).item() == expected


@pytest.mark.parametrize(
    ("low", "high", "margin", "expected"),
    [
        (0.001, 0.1, 0, "replace"),
        (0, 0.1, 0, "cannot_tell"),
        (-0.1, 0, 0, "cannot_tell"),
        (-0.1, -0.001, 0, "keep"),
        (0, 0, 0, "cannot_tell"),
        (math.nan, math.nan, 0, "cannot_tell"),
        (math.nan, math.nan, 0.1, "cannot_tell"),
        (0.03, 0.05, 0.02, "replace"),
        (0.02, 0.05, 0.02, "cannot_tell"),
        (0.01, 0.05, 0.02, "cannot_tell"),
        (0.005, 0.015, 0.02, "equivalent"),
        (-0.01, 0.01, 0.02, "equivalent"),
        (-0.015, -0.005, 0.02, "equivalent"),
        (-0.02, 0.01, 0.02, "keep"),
        (-0.05, 0.01, 0.02, "keep"),
        (-0.05, -0.03, 0.02, "keep"),
        (-0.01, 0.02, 0.02, "cannot_tell"),
        (-0.05, 0.05, 0.02, "cannot_tell"),
    ],
)
def test_every_branch(low, high, margin, expected):
    assert decide(low, high, margin).item() == expected


def test_many_at_once():
    low, high = np.array([0.01, -0.03, -0.01, math.nan]), np.array([0.05, -0.01, 0.01, math.nan])
    assert decide(low, high).tolist() == ["replace", "keep", "cannot_tell", "cannot_tell"]


@pytest.mark.parametrize("bad", [-0.01, math.nan, math.inf])
def test_a_margin_is_a_number_from_0_up(bad):
    with pytest.raises(OptionError, match="margin"):
        check_margin(bad)
    with pytest.raises(OptionError, match="margin"):
        paired(CASE, margin=bad)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 300), st.sampled_from([0.0, 0.01, 0.1]),
       st.sampled_from(["two-sided", "greater", "less"]), st.sampled_from([0.8, 0.95]))  # fmt: skip
def test_accuracy_is_judged_by_tango_with_mcnemar_beside_it(b, c, rest, margin, side, level):
    n = b + c + rest + 1
    found = paired(case(b, c, n), margin=margin, alternative=side, level=level)
    ends = paired_difference(b, c, n, level=level, alternative=side)
    interval = found.difference.interval
    assert (interval.low, interval.high) == pytest.approx((float(ends.low), float(ends.high)))
    assert interval.method == "tango"
    assert found.decision == rule_of_the_issue(interval.low, interval.high, margin)
    assert found.outcome.pvalue == mcnemar(b, c, alternative=side).pvalue
    assert found.difference.value == pytest.approx((c - b) / n)
    assert found.replaces == bool(lead(found.disagreement, Rule(margin, level, side)) > 0)
    if found.decision == "cannot_tell":
        assert found.needed_n is None or found.needed_n >= 1
    else:
        assert found.needed_n == 0
    if side == "two-sided" and found.decision == "cannot_tell" and c != b and margin == 0:
        assert found.needed_n is not None


def test_changing_places_turns_replace_into_keep():
    assert paired(CASE).decision == "replace"
    assert paired(SWAPPED).decision == "keep"
    assert paired(SWAPPED).difference.value == pytest.approx(-paired(CASE).difference.value)
    assert paired(SWAPPED).breakdown.sign == paired(CASE).breakdown.sign


def test_error_is_accuracy_with_less_being_better():
    one, other = paired(CASE), paired(CASE, measure="error")
    assert one.difference.value == pytest.approx(other.difference.value)
    assert one.difference.interval == other.difference.interval
    assert one.breakdown == other.breakdown
    assert one.incumbent.value == pytest.approx(1 - other.incumbent.value)


@pytest.mark.parametrize(("name", "label"), [("recall:c", "c"), ("recall:a", "a")])
def test_recall_is_judged_on_the_rows_of_its_class(name, label):
    b = sum(n for y, one, other, n in CELLS if y == label and one == y != other)
    c = sum(n for y, one, other, n in CELLS if y == label and other == y != one)
    n = sum(cell[3] for cell in CELLS if cell[0] == label)
    found = paired(CASE, measure=name)
    ends = paired_difference(b, c, n)
    assert found.difference.value == pytest.approx((c - b) / n)
    assert found.difference.interval.low == pytest.approx(float(ends.low))
    assert found.difference.interval.high == pytest.approx(float(ends.high))
    assert found.outcome.pvalue == pytest.approx(mcnemar(b, c).pvalue)
    assert found.difference.n == n
    assert found.class_name == label
    assert found.breakdown.verdict is None
    assert "accuracy" in found.breakdown.unknown


def test_specificity_is_judged_on_the_rows_of_the_other_classes():
    b = sum(n for y, one, other, n in CELLS if y != "a" and one != "a" and other == "a")
    c = sum(n for y, one, other, n in CELLS if y != "a" and one == "a" and other != "a")
    n = sum(cell[3] for cell in CELLS if cell[0] != "a")
    found = paired(CASE, measure="specificity:a")
    assert found.difference.value == pytest.approx((c - b) / n)
    assert found.difference.interval.low == pytest.approx(float(paired_difference(b, c, n).low))


def test_other_measures_are_resampled_and_permuted():
    macro = Compared(averaged(f1, "macro"))
    asked = {"measure": "macro-f1", "seed": 3, "draws": 500, "bootstrap": "percentile"}
    found = paired(CASE, **asked)
    assert found.difference.interval == paired_bootstrap(CASE.tally, macro, draws=500, seed=3)
    assert found.outcome.pvalue == permutation(CASE.tally, macro, draws=500, seed=3).pvalue
    assert found.seed == 3
    assert paired(CASE, **asked).to_dict() == found.to_dict()


def test_a_level_far_out_gets_the_draws_it_needs():
    """Two thousand draws have no 0.0005th quantile: with many candidates each interval is that far out."""
    rule = Rule(level=0.9995, draws=2000, bootstrap="percentile")
    found = paired_interval(CASE, quantity("mcc", CASE.tally.classes), rule)
    draws = Confidence(0.9995).enough_draws
    assert draws >= 20_000
    assert found == paired_bootstrap(CASE.tally, Compared(mcc), level=0.9995, draws=draws)


def test_other_measures_are_linearised_unless_resampling_is_asked_for():
    found = paired(CASE, measure="mcc", draws=100)
    assert found.difference.interval == paired_delta(CASE, Compared(mcc))


def test_cost_less_is_better():
    asked = quantity("cost", CASE.tally.classes, costs=COSTS)
    found = paired(CASE, measure=asked)
    position = {name: at for at, name in enumerate("abc")}
    spent = [sum(n * COSTS[position[row[0]], position[row[side]]] for *row, n in CELLS) / CASE.n for side in (1, 2)]
    assert found.incumbent.value == pytest.approx(spent[0])
    assert found.difference.value == pytest.approx(spent[0] - spent[1])
    assert found.difference.value > 0
    assert found.breakdown.sign is not None


def test_areas_are_judged_by_delong():
    rng = np.random.default_rng(0)
    positive = rng.random(200) < 0.5
    one, other = rng.normal(size=200) + positive, rng.normal(size=200) + 1.8 * positive
    tally = Tally.of(AXES, [(int(y), int(a > 0.5), int(b > 0.5), 1) for y, a, b in zip(positive, one, other, strict=True)])  # fmt: skip
    judged = Case(tally, PairedScores(1, positive, one, other))
    found, oracle = paired(judged, measure="auc"), two_areas(positive, one, other)
    assert found.difference.interval == oracle.difference.interval
    assert found.outcome.pvalue == oracle.pvalue
    assert found.difference.value == pytest.approx(oracle.difference.value)
    assert found.decision == rule_of_the_issue(oracle.difference.interval.low, oracle.difference.interval.high, 0)
    with pytest.raises(InputError, match="scores of both"):
        paired(Case(tally), measure="auc")


def test_a_perfect_score_replaces_a_constant_one():
    positive = np.arange(60) >= 30
    tally = Tally.of(AXES, [(0, 0, 0, 30), (1, 0, 1, 30)])
    found = paired(Case(tally, PairedScores(1, positive, np.zeros(60), np.arange(60.0))), measure="auc")
    assert found.decision == "replace"
    assert found.to_dict()["pvalue"] < 0.01


def test_an_undefined_measure_decides_nothing():
    found = paired(Case(Tally.of(AXES, CELLS, classes=["a", "b", "c", "z"])), measure="recall:z")
    assert found.decision == "cannot_tell"
    assert found.difference.interval is None
    assert found.needed_n is None
    written = found.to_dict()
    assert written["difference"] is None
    assert "never occurs" in written["undefined"]


def test_two_that_never_differ():
    same = Case(Tally.of(AXES, [(1, 1, 1, 30), (0, 0, 0, 20), (0, 1, 1, 5)]))
    found = paired(same)
    assert found.decision == "cannot_tell"
    assert (found.outcome.pvalue, found.needed_n) == (1, None)
    assert (found.breakdown.sign, found.breakdown.verdict) == (None, None)
    assert paired(same, margin=0.2).decision == "equivalent"
    assert paired(same, measure="mcc").difference.undefined == STILL


def test_one_row():
    found = paired(case(0, 1, 1))
    assert found.decision == "cannot_tell"
    assert found.difference.value == 1


def test_what_is_written_down():
    written = paired(CASE, margin=0.001).to_dict()
    assert set(written) == {
        "verdict", "judge", "measure", "incumbent", "candidate", "difference", "interval", "undefined", "margin",
        "level", "alternative", "n", "disagreement", "pvalue", "test", "breakdown_rate", "needed_n", "assumptions",
        "reason", "warnings", "seed",
    }  # fmt: skip
    assert written["verdict"] == "replace"
    assert written["n"] == CASE.n == sum(written["disagreement"].values())
    assert set(written["breakdown_rate"]) == {"sign", "verdict", "unknown"}
    assert "the labels are right" in written["assumptions"]


@pytest.mark.parametrize(
    ("typed", "title", "at"),
    [
        ("accuracy", "accuracy", None),
        (" Accuracy ", "accuracy", None),
        ("ERROR", "error", None),
        ("MCC", "mcc", None),
        ("kappa", "kappa", None),
        ("balanced accuracy", "balanced accuracy", None),
        ("balanced-accuracy", "balanced accuracy", None),
        ("balanced_accuracy", "balanced accuracy", None),
        ("macro-f1", "macro f1", None),
        ("macro_f1", "macro f1", None),
        ("Macro F1", "macro f1", None),
        ("weighted-precision", "weighted precision", None),
        ("micro specificity", "micro specificity", None),
        ("recall:spam", "recall of 'spam'", 1),
        ("Recall: spam", "recall of 'spam'", 1),
        ("f1:a:b", "f1 of 'a:b'", 2),
        ("npv:ham", "npv of 'ham'", 0),
        ("auc", "auc", None),
        ("AUC:spam", "auc of 'spam'", None),
        ("roc_auc", "auc", None),
        ("ROC AUC", "auc", None),
    ],
)
def test_a_measure_is_found_by_what_a_user_would_call_it(typed, title, at):
    found = quantity(typed, ["ham", "spam", "a:b"])
    assert (found.title, found.at) == (title, at)
    assert quantity(found, []) is found


def test_the_positive_class_names_what_a_measure_is_about():
    assert quantity("recall", ["ham", "spam"], positive="spam").title == "recall of 'spam'"
    assert quantity("auc", [0, 1], positive=1).title == "auc of 1"
    assert quantity("precision:ham", ["ham", "spam"], positive="spam").title == "precision of 'ham'"
    assert quantity("f1:true", [False, True]).class_name is True
    assert quantity("f1:1", [0.0, 1.0]).class_name == 1.0


def test_which_way_is_better():
    assert quantity("error", [0, 1]).sign == quantity("cost", [0, 1], costs=np.eye(2)).sign == -1
    assert quantity("npv:1", [0, 1]).sign == quantity("mcc", [0, 1]).sign == 1
    assert quantity("error", [0, 1]).sign == -1
    assert [quantity(name, [0, 1]).is_share for name in ("accuracy", "recall:1", "precision:1", "macro-recall")] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("accurracy", "Unknown measure 'accurracy'"),
        ("recall", "about one class.*'ham', 'spam'"),
        ("recall:eggs", "Class 'eggs' not found.*'ham', 'spam'"),
        ("recall:", "Class '' not found"),
        ("accuracy:spam", "Unknown measure"),
        ("cost:spam", "Unknown measure"),
        ("macro-f1:spam", "Unknown measure"),
        ("macro-accuracy", "Unknown measure"),
        ("cost", "cost table"),
        ("auc:eggs", "Class 'eggs' not found"),
        ("", "Unknown measure"),
    ],
)
def test_what_is_not_a_measure_is_refused_in_words(typed, words):
    with pytest.raises(OptionError, match=words):
        quantity(typed, ["ham", "spam"])


def test_a_table_of_costs_has_one_row_per_class():
    with pytest.raises(CostError, match="each of the 3 classes; got 2"):
        quantity("cost", [0, 1, 2], costs=np.eye(2))


def test_bad_rules_are_refused():
    for options, words in (
        ({"level": 95}, "level"),
        ({"alternative": "better"}, "alternative"),
        ({"draws": 5}, "draws"),
    ):
        with pytest.raises(OptionError, match=words):
            paired(CASE, **options)


def test_rows_needed_by_a_resampled_measure_settle_it():
    """Draw tables of as many rows as were asked for: about four out of five are settled."""
    cells = [(1, 1, 1, 80), (1, 0, 1, 14), (1, 1, 0, 8), (0, 0, 0, 80), (0, 1, 0, 10), (0, 0, 1, 8)]
    small = Case(Tally.of(AXES, cells))
    asked = quantity("mcc", (0, 1))
    found = paired(small, measure=asked, draws=4000)
    assert found.decision == "cannot_tell"
    rng = np.random.default_rng(0)
    shares = small.tally.counts / small.n
    settled = 0
    for _ in range(150):
        counts = rng.multinomial(small.n + found.needed_n, shares)
        drawn = Tally.canonical(small.tally.axes, small.tally.levels, small.tally.codes, counts)
        settled += paired_delta(Case(drawn), asked.compared).low > 0
    assert settled / 150 == pytest.approx(0.8, abs=0.1)


def test_rows_needed_by_a_width_that_falls_with_the_root():
    interval = paired_delta(CASE, Compared(mcc))
    value = (interval.low + interval.high) / 2
    rule = Rule(margin=value + 0.01)
    n = CASE.n + gap_n(interval, value, CASE.n, rule)
    error = (interval.high - interval.low) / 2 / 1.959964 * math.sqrt(CASE.n / n)
    assert 0.01 / error - 1.959964 == pytest.approx(0.8416, abs=0.01)
    assert gap_n(interval, value, CASE.n, Rule(margin=value)) is None
    assert gap_n(None, value, CASE.n, rule) is None
    assert gap_n(interval, value, CASE.n, Rule(margin=value + 0.01, alternative="greater")) is None
