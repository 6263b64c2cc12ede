"""The charts of a tournament, by name."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse import charts
from justesse.charts.decision_matrix import Panel, decision_cells
from justesse.core.errors import OptionError
from justesse.verbs.tournament.result import REFERENCES

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import Tournament


def names_of(found: "Tournament") -> list[str]:
    """List the charts this tournament has: rates against noise only where the labels differ in it."""
    return ["decisions", *(["rates"] if len({one.version.realised for one in found.rounds}) > 1 else [])]


def picture(found: "Tournament", name: str, *, reference: str = "overlap", measure: str | None = None) -> Any:
    """Draw one of them, for one measure (the first if none is named) and against one reference."""
    if name not in names_of(found):
        raise OptionError(f"there is no chart {name!r} of this; there are {', '.join(names_of(found))}")
    if reference not in REFERENCES:
        raise OptionError(f"the reference is one of {', '.join(REFERENCES)}; got {reference!r}")
    rounds = found.of(measure)
    if not rounds:
        raise OptionError(f"{measure!r} was not judged here; {', '.join(map(repr, found.measures))} were")
    about = {"measure": rounds[0].asked.title, "reference": REFERENCES[reference]}
    if name == "rates":
        rows = [(one.name, held.version.realised, one.rates(reference)) for held in rounds for one in held.judged]
        return charts.rates_by_noise_chart(rows, **about)
    order = rounds[0].order  # by the true classes, so the same in every version of the labels
    panels = [
        Panel(
            held.judged[at].name,
            held.version.title,
            decision_cells(held.judged[at].replaces, held.references[reference])[np.ix_(order, order)],
        )
        for at in range(len(found.judges))
        for held in rounds
    ]
    return charts.decision_matrix_chart(panels, [found.names[at] for at in order], **about)


def every_picture(found: "Tournament") -> dict[str, Any]:
    """Draw all of them; names of files say which measure, if there are several, and which reference."""
    made = {}
    for measure in found.measures:
        own = "_" + re.sub(r"\W+", "_", measure).strip("_") if len(found.measures) > 1 else ""
        for reference in REFERENCES:
            for name in names_of(found):
                made[f"{name}_{reference}{own}"] = picture(found, name, reference=reference, measure=measure)
    return made
