"""The tables and the picture of docs/explanation/realism.md."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, GREEN, ORANGE, SOFT, signed, styled
from justesse.charts.vega_lite import altair
from studies.realism.kinds import ANOTHER, PEOPLE, SIMULATED
from studies.realism.overlap import BEST_GUESS, Share
from studies.realism.repeated import GAP, LEARNT, MEAN, OF_PEOPLE, UNTAUGHT, Nearest, Repeated
from studies.realism.run import Found
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "realism.md", DOCS / "images" / "realism.png"
KINDS = (PEOPLE, ANOTHER, *SIMULATED)
MARKS = {
    "logistic": (BLUE, "circle"),
    "neighbours": (ORANGE, "square"),
    "network": (GREEN, "diamond"),
}
WITHOUT = ("rate", "also wrong", "same wrong class", "guesses the wrong class", "area", "area within classes")


def parts(found: Found) -> dict[str, str]:
    """Make every table of the page."""
    return {
        "nearest": nearest_table(found.nearest),
        "mean of the learners": mean_table(found),
        "every learner": learner_table(found.rows),
        "without training": share_table(found.shares),
    }


def nearest_table(rows: Sequence[Nearest]) -> str:
    """Say which simulated noise is nearest to people's, and by how much nearer than the next."""
    heads = ("people's labels", "compared by", "nearest", "next", "distance", "nearer than the next by", "nearest in")
    lines = [
        [
            one.whose,
            one.by,
            one.kind,
            one.next,
            percent(one.distance),
            f"{points(one.nearer_by)} ({points(one.low)} to {points(one.high)})",
            f"{one.wins} of {one.trials}",
        ]
        for one in rows
    ]
    return table(heads, lines, words=4)


def mean_table(found: Found) -> str:
    """Show F_c, F_n and F_r of each kind of noise, means over the learners, beside learners that saw clean labels."""
    whats = ("F_c", "F_r", "F_n", UNTAUGHT, LEARNT, OF_PEOPLE, GAP)
    heads = ("people's labels", "trained and tested on", *whats)
    own = {(row.whose, row.kind, row.what): row for row in (*found.rows, *found.gaps) if row.learner == MEAN}
    lines = [
        [whose, kind, *(_spanned(own.get((whose, kind, what))) for what in whats)]
        for whose in dict.fromkeys(row.whose for row in found.rows)
        for kind in KINDS
        if (whose, kind, "F_n") in own
    ]
    return table(heads, lines, words=2)


def learner_table(rows: Sequence[Repeated]) -> str:
    """Show F_n of each learner on each kind of noise."""
    names = [name for name in dict.fromkeys(row.learner for row in rows) if name != MEAN]
    own = {(row.whose, row.kind, row.learner): row for row in rows if row.what == "F_n"}
    lines = [
        [whose, kind, *(_spanned(own[whose, kind, name]) for name in names)]
        for whose in dict.fromkeys(row.whose for row in rows)
        for kind in KINDS
        if (whose, kind, MEAN) in own
    ]
    return table(("people's labels", "trained and tested on", *names), lines, words=2)


def share_table(shares: Sequence[Share]) -> str:
    """Show which instances, and which wrong classes, people and each kind of noise have in common."""
    own = {(one.whose, one.kind, one.what): one for one in shares}
    lines = [
        [whose, kind, *(_spanned(own.get((whose, kind, what))) for what in WITHOUT)]
        for whose in dict.fromkeys(one.whose for one in shares)
        for kind in (*KINDS, BEST_GUESS)
        if any((whose, kind, what) in own for what in WITHOUT)
    ]
    return table(("people's labels", "noise", *WITHOUT), lines, words=2)


def chart(rows: Sequence[Repeated]) -> Any:
    """Draw F_n of every learner on every kind of noise, one panel per set of people's labels."""
    alt = altair()
    told = [row for row in rows if row.what == "F_n" and row.learner != MEAN]
    clean = [row for row in rows if row.what == UNTAUGHT and row.learner != MEAN]
    names = list(dict.fromkeys(row.learner for row in told))
    panels = [
        _panel(
            alt, whose, [row for row in told if row.whose == whose], [row for row in clean if row.whose == whose], names
        )
        for whose in dict.fromkeys(row.whose for row in told)
    ]
    said = (
        "How often three learners repeat wrong labels on rows they have not seen. They repeat 12 to 16 per cent of people's, "
        "a little less of noise by class, 3 to 6 per cent of uniform noise, and 34 to 69 per cent of the labels of artificial "
        "annotators and of one network. One model is near people twice and far once. The tables give every number."
    )
    below = (
        "F_n, 95 % intervals of repeated splits. Small grey marks: the same learner, trained on clean labels instead.",
    )
    return styled(alt.vconcat(*panels, spacing=18), "How often learners repeat wrong labels", said, below=below)


def _panel(alt: Any, whose: str, told: Sequence[Repeated], clean: Sequence[Repeated], names: Sequence[str]) -> Any:
    y = alt.Y("kind:N", sort=list(KINDS), title=None)
    beside = alt.YOffset("learner:N", sort=names)
    x = alt.X("value:Q", title="wrong labels repeated (F_n), %", scale=alt.Scale(domain=[0, 80]))
    colours, shapes = zip(*(MARKS[name] for name in names), strict=True)
    legend = alt.Legend(title=None, orient="bottom")
    colour = alt.Color("learner:N", scale=alt.Scale(domain=names, range=colours), legend=legend)
    shape = alt.Shape("learner:N", scale=alt.Scale(domain=names, range=shapes), legend=legend)
    points = alt.Chart(alt.Data(values=[_drawn(row) for row in told]))
    lines = points.mark_rule(strokeWidth=1.4).encode(x=alt.X("low:Q"), x2="high:Q", y=y, yOffset=beside, color=colour)
    dots = points.mark_point(filled=True, size=45, opacity=1).encode(
        x=x, y=y, yOffset=beside, color=colour, shape=shape
    )
    base = alt.Chart(alt.Data(values=[_drawn(row) for row in clean]))
    ticks = base.mark_tick(color=SOFT, thickness=2, size=7).encode(x=x, y=y, yOffset=beside)
    return alt.layer(lines, ticks, dots).properties(width=480, height=alt.Step(11, **{"for": "offset"}), title=whose)


def _drawn(row: Repeated) -> dict[str, Any]:
    low, high = (row.value, row.value) if math.isnan(row.low) else (row.low, row.high)
    return {"kind": row.kind, "learner": row.learner, "value": 100 * row.value, "low": 100 * low, "high": 100 * high}


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def points(difference: float) -> str:
    return signed(100 * difference, ".1f")


def _spanned(one: Repeated | Share | None) -> str:
    if one is None:
        return ""
    return percent(one.value) + ("" if math.isnan(one.low) else f" ({percent(one.low)} to {percent(one.high)})")
