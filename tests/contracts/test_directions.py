"""Every measure knows which way is better, and a comparison goes by it: also for a measure that was just added."""

import numpy as np
import pytest

from justesse import Tally, compare
from justesse.core.case import Case
from justesse.judges import classical, paired
from justesse.judges import quantity as known
from justesse.judges.quantity import Quantity, quantity
from justesse.measures import ALL, averaged, class_weighted_error, cost, fbeta
from justesse.measures.ratio import Ratio, RatioCells

FPR = Ratio(
    "fpr",
    "every row has it as label",
    greater_is_better=False,
    numerator=RatioCells(predicted=1, hits=-1),
    denominator=RatioCells(n=1, labelled=-1),
)
# the candidate errs in one row of twenty, the incumbent in one of four
CELLS = [("a", "a", "a", 150), ("a", "b", "a", 40), ("a", "b", "b", 10)]
CELLS += [("b", "b", "b", 150), ("b", "a", "b", 40), ("b", "a", "a", 10)]
BETTER = Case(Tally.of(("label", "incumbent", "candidate"), CELLS))
WORSE = Case(
    BETTER.tally.renamed(incumbent="candidate", candidate="incumbent").marginal("label", "incumbent", "candidate")
)
WEIGHTED = class_weighted_error(np.array([1.0, 2.0]))
MEASURES = [*ALL, fbeta(2.0), cost(1 - np.eye(2)), WEIGHTED, FPR, averaged(FPR, "macro")]


def asked(measure):
    at = 0 if measure.per_class else None
    return Quantity(measure.name, measure, "a" if measure.per_class else None, at)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: f"{one.name} {one.average or ''}".strip())
@pytest.mark.parametrize("judge", [paired, classical])
def test_the_better_classifier_wins_whatever_is_measured(judge, measure):
    won, lost = (judge(case, measure=asked(measure), draws=200) for case in (BETTER, WORSE))
    assert (won.decision, lost.decision) == ("replace", "keep")
    assert won.difference.value > 0 > lost.difference.value


def test_a_new_measure_is_compared_by_its_name_and_told_in_its_own_words(monkeypatch):
    monkeypatch.setitem(known.PER_CLASS, "fpr", FPR)
    tables = {"label": [], "old": [], "new": []}
    for label, old, new, n in CELLS:
        for column, value in zip(tables, (label, old, new), strict=True):
            tables[column] += [value] * n
    found = compare(tables, incumbent="old", candidate="new", measure="fpr:a")
    assert found.verdict.decision == "replace"
    assert found.verdict.difference.value == pytest.approx(0.2)
    assert "The candidate's fpr of 'a' is 0.2000 lower" in " ".join(repr(found).split())
    back = compare(tables, incumbent="new", candidate="old", measure="fpr:a")
    assert back.verdict.decision == "keep"
    assert "0.2000 higher" in " ".join(repr(back).split())
    assert compare(tables, incumbent="old", candidate="new", measure="macro-fpr").verdict.decision == "replace"


def test_no_list_of_names_decides():
    assert quantity("auc", ["a", "b"]).sign == 1
    for measure in MEASURES:
        assert asked(measure).sign == (1 if measure.greater_is_better else -1)
