"""Tables of figures about all classes, and about each class."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from justesse.core.levels import identity, shown_name
from justesse.core.results import Estimate
from justesse.measures.titles import NAMED, title_of
from justesse.report.document import Column, Table, Text
from justesse.report.writing import message
from justesse.verbs.noise.noise_result import MANY


def title(figure: Any) -> str:
    """Name the measure of bounds, a bias or an estimate."""
    return title_of(
        Estimate(figure.name, math.nan, 0, class_name=figure.class_name, average=figure.average, beta=figure.beta)
    )


def overall(figures: Sequence[Any]) -> list[Any]:
    """Keep the figures about all classes together."""
    return [figure for figure in figures if figure.class_name is None]


def _heading(name: str) -> str:
    """Name a column; names that are not measures, such as F_c, stay as they are."""
    return title_of(Estimate(name, math.nan, 0)) if name in NAMED else name


def class_table(
    caption: str, figures: Sequence[Any], kind: str, *, first: Callable[[Any], float], order: str, note: Text = ""
) -> Table | None:
    """Lay out one row per class and one column per measure.

    Parameters
    ----------
    caption
        Caption of the table.
    figures
        Figures; those about all classes are left out.
    kind
        Format of the cells.
    first
        Number by which many classes are sorted, the smallest first, taken from the figure in the last column.
    order
        The same in words, for the note.
    note
        What the cells mean.
    """
    by_class: dict[Any, dict[str, Any]] = {}  # True and 1 are two classes
    for figure in figures:
        if figure.class_name is not None:
            by_class.setdefault(identity(figure.class_name), {})[figure.name] = figure
    if not by_class:
        return None
    measures = list(dict.fromkeys(figure.name for figure in figures if figure.class_name is not None))
    classes = list(by_class.values())
    if many := len(classes) > MANY:

        def place(row: dict[str, Any]) -> float:
            value = first(row[measures[-1]])
            return math.inf if math.isnan(value) else value

        classes.sort(key=place)
    head: list[str | Column] = ["class", *(Column(_heading(name), kind) for name in measures)]
    rows = [
        [shown_name(next(iter(row.values())).class_name), *(row.get(measure) for measure in measures)]
        for row in classes
    ]
    if many:
        note = message("{note} {order}." if note else "{order}.", note=note, order=order)
    return Table(caption, head, rows, note)
