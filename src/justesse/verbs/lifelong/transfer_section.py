"""Forgetting and transfer, as a reader meets them."""

import math
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.report.document import Column, Figure, Part, Section, Table
from justesse.report.writing import message
from justesse.verbs.lifelong.score_transfer import NO_LABELS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.result import LifelongScores

APART = (
    "Items have no ids and some periods have a single time: versions count as independent there. Name the column of ids (--on), "
    "or the intervals of sums are too narrow and those of differences too wide."
)


def transfer_sections(result: "LifelongScores") -> list[Section]:
    """Describe what was forgotten, period by period, and all figures of forgetting and transfer."""
    parts: list[Part] = []
    drawings = result.drawings()
    if "forgetting" in drawings:
        parts.append(Figure(drawings["forgetting"]))
    if result.transfer:
        parts.append(_figures(result))
    return [Section("transfer", "Forgetting and transfer", parts)] if parts else []


def _figures(result: "LifelongScores") -> Table:
    figures = result.transfer
    with_intervals = any(figure.interval for figure in figures)
    head: list[str | Column] = ["figure", Column("value", "value")]
    if with_intervals:
        head.append(Column(level_name(result.level), "interval_or_dash"))
    head += [Column("by", "words"), Column("formula", "words", 1)]
    rows: list[list[Any]] = []
    for figure in figures:
        value = math.nan if figure.undefined else figure.value
        ends = [Estimate("transfer", value, 0, figure.interval, figure.undefined)] if with_intervals else []
        rows.append([figure.name, value, *ends, figure.source, figure.formula])
    what = "accuracy" if result.scored == "error" else "score"
    template = (
        "R[i, j]: {what} of version i in period j; T: number of versions; b: {what} before any training; J: {what} of a jointly "
        "trained model."
    )
    note = str(message(template, what=what))
    if any(figure.undefined == NO_LABELS for figure in figures):
        note = f"{note} Undefined: {NO_LABELS}."
    if with_intervals and not result.paired:
        note = f"{note} {APART}"
    caption = message("Forgetting and transfer of {what}, by whose definition", what=what)
    return Table(str(caption), head, rows, note, most=len(rows))
