"""What scores tell, on the terminal."""

import math
from typing import TYPE_CHECKING

from justesse.cli.output import table
from justesse.core.results import Estimate
from justesse.measures.curves.calibration import ece, expected_if_calibrated
from justesse.verbs.evaluation import Evaluation
from justesse.verbs.scores import threshold_dict
from justesse.verbs.words import interval_words, number_words

if TYPE_CHECKING:
    from rich.table import Table

MOST = 20


def score_tables(found: Evaluation, level: str) -> "list[Table]":
    """Lay out the measures of scores, the calibration and the thresholds."""
    tables = [_measures(found, level), _calibration(found)]
    if found.scores and found.scores.thresholds:
        tables.append(_thresholds(found))
    return tables


def _measures(found: Evaluation, level: str) -> "Table":
    assert found.scores is not None
    shown = table("Scores", "measure", "value", level, "method")
    single = [one for one in found.scores.estimates if one.class_name is None or len(found.scores.classes) <= MOST]
    for one in single:
        ends = interval_words(one, found.confidence.alternative) if one.interval else "–"
        shown.add_row(_title(one), number_words(one), ends, one.interval.method if one.interval else "")
    return shown


def _title(one: Estimate) -> str:
    return one.title.replace("roc_auc_ovo", "roc_auc, one class against one")


def _calibration(found: Evaluation) -> "Table":
    assert found.scores is not None
    shown = table(
        "Calibration: mean distance of probability and share",
        "class",
        "ECE, equal width",
        "ECE, equal mass",
        "by chance",
    )
    for one in found.scores.classes[:MOST]:
        width, mass = one.bins("width"), one.bins("mass")
        if width is None or mass is None:
            shown.add_row(str(one.class_name), "not probabilities", "", "")
        else:
            numbers = (ece(width), ece(mass), expected_if_calibrated(mass))
            shown.add_row(str(one.class_name), *(f"{number:.4f}" for number in numbers))
    return shown


def _thresholds(found: Evaluation) -> "Table":
    assert found.scores is not None
    names = ("recall", "specificity", "precision")
    shown = table("Thresholds: from this score on, called positive", "threshold", "for", *names)
    for why, one in found.scores.thresholds:
        row = threshold_dict(why, one, found.confidence.level, found.scores.per_weight)
        cells = []
        for name in names:
            value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
            cells.append("undefined" if value is None else f"{value:.4f}  {low:.3f}–{high:.3f}")
        at = "above all" if math.isinf(one.value) else f"{one.value:.4g}"
        shown.add_row(at, "" if why == "at" else why, *cells)
    return shown
