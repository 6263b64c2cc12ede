"""A measure knows itself: nobody outside its room lists measures by name, and an estimate takes its words from it."""

import ast
import math
from pathlib import Path

import pytest

import justesse
from justesse.core.results import Estimate
from justesse.measures import averaged, recall
from justesse.measures.curves import ROC_AUC
from justesse.measures.titles import NAMED, words_of

PACKAGE = Path(justesse.__file__).parent
ALLOWED = {
    "charts/overlay.py": "the axes of the precision-recall curve",
    "core/choices.py": "the shares that tables of pairs are made for, each with its own formula",
    "frames/columns.py": "the usual names of a column of scores",
    "intervals/class_scores.py": "the axes of the precision-recall curve",
    "intervals/clustered_scores.py": "the figures at a threshold",
    "intervals/explained_intervals.py": "the formulas of three measures",
    "judges/audit_payoffs.py": "the formulas of three measures, as sums over rows",
    "noise/difficulty.py": "how far annotators are trusted, not measures of a classifier",
    "verbs/annotators/inference_json.py": "the keys of an annotator: how often right, and which class too often",
    "verbs/evaluate/score_section.py": "the columns of the table of thresholds",
    "verbs/lifelong/prequential_result.py": "the keys of the figures of a stream",
}


def lists_of_measures(source: str) -> list[list[str]]:
    """Return the names of measures in every display of constants that has two or more."""
    displays = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            items = node.elts
        elif isinstance(node, ast.Dict):
            items = [key for key in node.keys if key]
        else:
            continue
        names = sorted({item.value for item in items if isinstance(item, ast.Constant) and item.value in NAMED})
        displays += [names] if len(names) > 1 else []
    return displays


def test_measures_are_listed_in_their_own_room_only():
    places = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] != "measures" and lists_of_measures(path.read_text(encoding="utf-8")):
            places.add(inside.as_posix())
    assert places - set(ALLOWED) == set()


@pytest.mark.parametrize("source", ['X = {"f1", "mcc"}', 'X = ("mae", "mse")', 'X = {"mae": abs, "mse": min}'])
def test_a_list_of_measures_is_seen(source):
    assert len(lists_of_measures(source)) == 1


@pytest.mark.parametrize("measure", NAMED.values(), ids=list(NAMED))
def test_an_estimate_is_named_and_written_as_its_measure_says(measure):
    estimate = Estimate.of(measure, 0.25, 80)
    assert estimate.title == measure.title == words_of(estimate)
    assert ("25.0 %" if measure.is_share else "0.2500") in repr(estimate)
    undefined = Estimate.of(measure, math.nan, 0, undefined="no rows", class_name="cat")
    assert repr(undefined) == f"Estimate({measure.title} of 'cat' undefined: no rows)"


def test_an_average_is_named_once():
    assert Estimate.of(averaged(recall, "macro"), 0.5, 10).title == "macro recall"
    assert Estimate.of(ROC_AUC, 0.5, 10, average="macro").title == "macro ROC AUC"
