"""Forgetting and transfer, as a reader meets them."""

import math
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.report.document import Column, Figure, Part, Section, Table, Words
from justesse.report.writing import message
from justesse.verbs.lifelong.score_transfer import NOT_BOUNDED

if TYPE_CHECKING:
    from justesse.verbs.lifelong.result import LifelongScores

APART = (
    "Items have no ids and some periods have a single time: versions count as independent there. Name the column of ids (--on), "
    "or the intervals of sums are too narrow and those of differences too wide."
)
BOUNDED = (
    "Lowest and highest value of these items over all labels that the missing ones could have; rows with the same id share "
    "one label. They have no interval: it would be wider."
)
UNREACHED = "With so many items, the lowest fall from the best version may not be reached."


def transfer_sections(result: "LifelongScores") -> list[Section]:
    """Describe what was forgotten, period by period, and all figures of forgetting and transfer."""
    parts: list[Part] = []
    drawings = result.drawings()
    if "forgetting" in drawings:
        parts.append(Figure(drawings["forgetting"]))
    if result.transfer:
        parts.append(_figures(result))
    elif result.transfer_undefined:
        parts.append(Words([message("Figures not computed: {why}.", why=result.transfer_undefined)]))
    return [Section("transfer", "Forgetting and transfer", parts)] if parts else []


def _figures(result: "LifelongScores") -> Table:
    figures = result.transfer
    with_intervals = any(figure.interval for figure in figures)
    bounded = any(figure.bounds for figure in figures)
    head: list[str | Column] = ["figure"]
    head += [Column("lowest", "value"), Column("highest", "value")] if bounded else [Column("value", "value")]
    if with_intervals:
        head.append(Column(level_name(result.level), "interval_or_dash"))
    head += [Column("by", "words"), Column("formula", "words", 1)]
    rows: list[list[Any]] = []
    for figure in figures:
        value = math.nan if figure.undefined else figure.value
        ends = [Estimate("transfer", value, 0, figure.interval, figure.undefined)] if with_intervals else []
        values = list(figure.bounds or (math.nan, math.nan)) if bounded else [value]
        rows.append([figure.name, *values, *ends, figure.source, figure.formula])
    what = "accuracy" if result.scored == "error" else "score"
    template = (
        "R[i, j]: {what} of version i in period j; T: number of versions; b: {what} before any training; J: {what} of a jointly "
        "trained model."
    )
    note = str(message(template, what=what))
    if bounded:
        note = f"{note} {BOUNDED}"
        if not all(figure.sharp for figure in figures):
            note = f"{note} {UNREACHED}"
        if any(figure.undefined == NOT_BOUNDED for figure in figures):
            note = f"{note} Undefined: {NOT_BOUNDED}."
    if with_intervals and not result.paired:
        note = f"{note} {APART}"
    caption = message("Forgetting and transfer of {what}, by whose definition", what=what)
    return Table(str(caption), head, rows, note, most=len(rows))
