"""What scores and probabilities add to an evaluation, as a section."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, Interval
from justesse.intervals.class_scores import ClassScores
from justesse.measures.curves.calibration import ece
from justesse.measures.curves.thresholds import threshold_words
from justesse.measures.titles import title_of
from justesse.report.document import Column, Figure, Part, Section, Table, Words
from justesse.report.writing import message, paragraph

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation

MOST_CLASSES = 20
THRESHOLD_MEASURES = ("recall", "specificity", "precision")
DRAWN = 3  # classes whose curves are drawn


def score_section(result: "Evaluation", level: str) -> list[Section]:
    """Show the measures of scores, the calibration, the thresholds and, for up to three classes, the curves."""
    scores = result.scores
    if scores is None:
        return []
    several = len(scores.classes) > 1
    overall = [estimate for estimate in scores.estimates if estimate.class_name is None or not several]
    head: list[str | Column] = [
        "measure",
        Column("value", "value"),
        Column(level, "interval_or_dash"),
        Column("method", "method", 1),
    ]
    note = "The Brier score is summed over classes: 0 is best, 2 worst." if len(scores.classes) > 2 else ""
    parts: list[Part] = [Table("Scores", head, _rows(overall), note)]
    parts += [Words([words]) for words in _worth(result)]
    more: list[Part] = [figure for scored in scores.classes[:DRAWN] for figure in _curves(scored)]
    if several:
        each = [estimate for estimate in scores.estimates if estimate.class_name is not None]
        more.append(Table("Scores of each class", head, _rows(_lowest_first(each)), "Lowest first."))
    more.append(_calibration(scores.classes))
    more += [Words([words]) for scored in scores.classes[:DRAWN] if (words := _calibrated(scored))]
    if scores.thresholds:
        parts += _thresholds(result)
    return [
        Section("scores", "Scores", parts, "summary"),
        Section("curves", "Curves and calibration", more),
    ]


def _rows(estimates: Sequence[Estimate]) -> list[list[Any]]:
    return [[title_of(item), item, item, item] for item in estimates]


def _worth(result: "Evaluation") -> list[Any]:
    """Say how many independent rows the clusters are worth for the area under the ROC curve of a single score."""
    scores = result.scores
    clustered = scores.classes[0].clustered if scores and len(scores.classes) == 1 else None
    if clustered is None:
        return []
    if math.isnan(clustered.effect):
        return ["The ROC AUC does not vary over rows: its interval counts clusters instead of rows."]
    n = len(clustered.scores)
    return [
        message(
            "For the ROC AUC, {n:count} rows in {clusters:count} clusters are worth {worth:count} independent rows: their "
            "variance is {effect:number} times that of independent rows.",
            n=n,
            clusters=len(clustered.rows.sizes),
            worth=round(min(n / clustered.effect, n)) if clustered.effect > 0 else n,
            effect=round(clustered.effect, 2),
        )
    ]


def _lowest_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Put the measures one after another, each from its lowest value up; what is undefined comes last."""
    names = list(dict.fromkeys(estimate.name for estimate in estimates))
    return sorted(estimates, key=lambda item: (names.index(item.name), math.isnan(item.value), item.value))


def _curves(scored: ClassScores) -> list[Part]:
    from justesse import charts

    data = scored.to_dict()
    share = scored.table.n_positive / scored.table.total
    drawings = [partial(charts.roc_chart, data), partial(charts.precision_recall_chart, data)]
    if data["calibration"]:
        drawings.append(partial(charts.calibration_chart, data))
    return [Figure(draw, zoom=True) for draw in (*drawings, partial(charts.cost_chart, data, share))]


def _calibration(classes: tuple[ClassScores, ...]) -> Table:
    head: list[str | Column] = [
        "class", Column("ECE, equal width", "value"), Column("ECE, equal mass", "value"), Column("by chance", "value")
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for item in classes[:MOST_CLASSES]:
        width, mass = item.bins("width"), item.bins("mass")
        figures = (ece(width), ece(mass), item.expected_ece("mass")) if width and mass else (None, None, None)
        rows.append([str(item.class_name), *figures])
    dashes = any(row[1] is None for row in rows)
    note = paragraph(
        "ECE: mean distance of probability and share of positives.",
        "A dash: the scores are not probabilities." if dashes else "",
    )
    return Table("Calibration", head, rows, note)


def _calibrated(scored: ClassScores) -> Any:
    parts, bins = scored.brier_parts, scored.bins("mass")
    if parts is None or bins is None:
        return ""
    return message(
        "Probabilities of {name:name} are off by {ece:value} on average (ECE, ten bins of equal mass); chance alone would show "
        "{chance:value}. Brier score: {reliability:value} reliability, minus {resolution:value} resolution, plus "
        "{uncertainty:value} uncertainty of the labels and {within:value} within bins.",
        name=scored.class_name, ece=ece(bins), chance=scored.expected_ece("mass"), **vars(parts),
    )  # fmt: skip


def _thresholds(result: "Evaluation") -> list[Part]:
    """List the thresholds asked for with their reasons, then those at every tenth of the rows."""
    assert result.scores is not None
    asked, tenths = [], []
    for order, (why, chosen) in enumerate(result.scores.thresholds):
        row = result.scores.threshold_row(why, chosen)
        cells = [_cell(row, name, result.confidence.level) for name in THRESHOLD_MEASURES]
        at = threshold_words(chosen, result.scores.classes[0].table)
        if order < result.scores.asked:
            asked.append([_reason(why), at, *cells])
        else:
            tenths.append([at, *cells])
    shares = [Column(name, "short_estimate") for name in THRESHOLD_MEASURES]
    note = "Scores from the threshold on are predicted positive."
    if result.confidence.alternative != "two-sided":
        note += " These intervals are two-sided."
    chosen_here = " A threshold chosen on these rows looks better here than elsewhere."
    parts: list[Part] = []
    if asked:
        parts.append(Table("Thresholds asked for", ["for", "threshold", *shares], asked, note + chosen_here))
    if tenths:
        parts.append(Table("Thresholds at every tenth of the rows", ["threshold", *shares], tenths, note))
    return parts


def _reason(why: str) -> str:
    """Write what a threshold is for.

    >>> _reason("at"), _reason("recall 0.9")
    ('your threshold', 'recall of at least 0.9')
    """
    if why == "at":
        return "your threshold"
    return why.replace(" ", " of at least ") if why.startswith(("recall", "specificity")) else why


def _cell(row: dict[str, Any], name: str, level: float) -> Estimate:
    if row[name] is None:
        return Estimate(name, math.nan, 0)
    return Estimate(name, row[name], 0, Interval(row[f"{name}_low"], row[f"{name}_high"], level, "wilson", (0.0, 1.0)))
