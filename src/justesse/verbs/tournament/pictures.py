"""The charts of a tournament, by name."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse import charts
from justesse.charts.decision_matrix import Panel, decision_cells
from justesse.core.errors import OptionError
from justesse.judges.tournament import REFERENCES
from justesse.verbs.tournament.board_pictures import board_drawings

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import Tournament


def names_of(result: "Tournament") -> list[str]:
    """List the kinds of charts this tournament has: rates against noise only if the labels differ in it."""
    if not result.rounds:
        return []
    return ["decisions", *(["rates"] if len({held.version.realised for held in result.rounds}) > 1 else [])]


def picture(result: "Tournament", name: str, *, reference: str = "overlap", measure: str | None = None) -> Any:
    """Draw one chart, for one measure (default: the first) and against one reference."""
    if (draw := board_drawings(result.leaderboards).get(name)) is not None:
        return draw()
    if name not in names_of(result):
        charts_here = [*names_of(result), *board_drawings(result.leaderboards)]
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(charts_here)}.")
    if reference not in REFERENCES:
        raise OptionError(f"The reference must be one of {', '.join(REFERENCES)}; got {reference!r}.")
    rounds = result.rounds_of(measure)
    if not rounds:
        raise OptionError(f"{measure!r} was not judged here. Measures: {', '.join(map(repr, result.measure_titles))}.")
    about = {"measure": rounds[0].asked.title, "reference": REFERENCES[reference]}
    if name == "rates":
        rows = [(judge.name, held.version.realised, judge.rates(reference)) for held in rounds for judge in held.judged]
        return charts.rates_by_noise_chart(rows, **about)
    order = rounds[0].order[::-1]  # by the true classes, so the same in every version of the labels; best first
    panels = [
        Panel(
            held.judged[at].name,
            held.version.title,
            decision_cells(held.judged[at].replaces, held.references[reference])[np.ix_(order, order)],
        )
        for at in range(len(result.judges))
        for held in rounds
    ]
    return charts.decision_matrix_chart(panels, [result.names[at] for at in order], **about)


def pictures(result: "Tournament") -> dict[str, tuple[str, dict[str, str]]]:
    """List every chart by the name of its file, which says which measure, if there are several, and which reference."""
    listed = {}
    for measure in result.measure_titles:
        suffix = "_" + re.sub(r"\W+", "_", measure).strip("_") if len(result.measure_titles) > 1 else ""
        for reference in REFERENCES:
            for name in names_of(result):
                listed[f"{name}_{reference}{suffix}"] = (name, {"reference": reference, "measure": measure})
    return listed
