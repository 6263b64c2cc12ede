"""The tables and the picture of docs/explanation/noise-ladder.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, GREEN, INK, ORANGE, signed, styled
from justesse.charts.vega_lite import altair
from studies.noise_ladder.run import OFFICIAL, VOTE, Found, Row
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "noise-ladder.md", DOCS / "images" / "noise-ladder.png"
BAND = "#cccccc"
ESTIMATES = {
    "plain": ("(a) labels taken as right", ORANGE, "square"),
    "lam_stork": ("(b) Lam and Stork", INK, "triangle-down"),
    "inversion": ("(c) table inverted", BLUE, "circle"),
    "recheck": ("(f) 400 rows re-checked", GREEN, "diamond"),
}
TITLES = {VOTE: "One person's vote as the label", OFFICIAL: "The official label"}
WAYS = {
    "sample alone": "the sample alone, labels not used",
    "none": 'all labels, `strata="none"`',
    "kinds": 'all labels, `strata="kinds"`',
    "cells": 'all labels, `strata="cells"`',
}


def parts(found: Found) -> dict[str, str]:
    """Make every table of the page."""
    made = {"trials": trial_table(found.trials)}
    for kind, name in ((VOTE, "vote"), (OFFICIAL, "official")):
        rows = [row for row in found.networks if row["labels"] == kind]
        made |= {f"{name}, what happened": happened(rows), f"{name}, what the rungs say": said(rows)}
    return made


def happened(rows: Sequence[Row]) -> str:
    """Show what the labels did to each network."""
    heads = ("network", "true accuracy", "measured", "bias", "F_c", "F_n", "F_r", "labels wrong where it is right",
             "where it is wrong")  # fmt: skip
    names = ("F_c", "F_n", "F_r", "wrong_labels_if_right", "wrong_labels_if_wrong")
    lines = [
        [
            f"`{row['network']}`",
            percent(row["true"], 2),
            percent(row["apparent"], 2),
            points(row["bias"]),
            *(percent(row[name]) for name in names),
        ]
        for row in rows
    ]
    return table(heads, lines)


def said(rows: Sequence[Row]) -> str:
    """Show what each rung says: errors in percentage points, bounds and breakdown rates in per cent."""
    heads = ("network", "true accuracy", "(a) error", "(b) error", "(c) error", "(d) from the rate",
             "(d) from the table", "(e) beats majority until", "(e) ≥ 90 % until", "(f) error",
             "(f) interval")  # fmt: skip
    lines = [
        [
            f"`{row['network']}`",
            percent(row["true"], 2),
            *(points(row[name] - row["true"]) for name in ("plain", "lam_stork", "inversion")),
            *(_span(row, name) for name in ("rate", "table")),
            percent(row["beats_majority_until"]),
            percent(row["claim_until"], 2) if row["claim_until"] else "false already",
            points(row["recheck"] - row["true"]),
            _span(row, "recheck"),
        ]
        for row in rows
    ]
    return table(heads, lines)


def trial_table(rows: Sequence[Row]) -> str:
    """Show how often a re-checked sample's interval covers, how far off it is and how wide."""
    heads = ("labels", "network", "what is used", "covers, these rows", "covers, population", "typical error", "width")
    lines = []
    for row in rows:
        if row["about"] == "rows":
            twin = next(one for one in rows if _same(one, row) and one["about"] == "population")
            lines.append(
                [
                    row["labels"],
                    f"`{row['network']}`",
                    WAYS[row["way"]],
                    percent(row["covered"]),
                    percent(twin["covered"]),
                    f"{100 * row['error']:.2f}",
                    f"{100 * row['width']:.2f}",
                ]
            )
    return table(heads, lines, words=3)


def chart(networks: Sequence[Row]) -> Any:
    """Draw how far each rung is from the truth, one row per network, one panel per kind of labels."""
    alt = altair()
    order = [row["network"] for row in networks if row["labels"] == VOTE]
    panels = [
        _panel(alt, [row for row in networks if row["labels"] == kind], order, TITLES[kind])
        for kind in (VOTE, OFFICIAL)
    ]
    said = (
        "For each of thirty networks, the error of every rung of the ladder on two kinds of labels. With one person's "
        "vote as the label the measured accuracy is two to four points too low and both corrections one to two points "
        "too high; with the official labels the corrections are about a point too high and the measured accuracy is "
        "nearly right. The bounds always hold the truth."
    )
    return styled(
        alt.hconcat(*panels, spacing=24),
        "How far each rung is from the true accuracy",
        said,
        below=(
            "Grey: bounds from the exactly known transition table. Thin lines: 95 % intervals of 400 re-checked rows.",
            "The networks are in the order of their true accuracy; the two panels have scales of their own.",
        ),
    )


def _panel(alt: Any, rows: Sequence[Row], order: list[str], title: str) -> Any:
    first = title == TITLES[VOTE]
    y = alt.Y(
        "network:N", sort=order, title=None, axis=alt.Axis(labels=first, ticks=first, labelLimit=260, labelFontSize=11)
    )
    off = [
        {
            "network": row["network"],
            "rung": label,
            "error": 100 * (row[name] - row["true"]),
        }
        for row in rows
        for name, (label, _, _) in ESTIMATES.items()
    ]
    spans = [
        {
            "network": row["network"],
            **{
                f"{name}_{end}": 100 * (row[f"{name}_{end}"] - row["true"])
                for name in ("table", "recheck")
                for end in ("low", "high")
            },
        }
        for row in rows
    ]
    labels, colours, shapes = zip(*ESTIMATES.values(), strict=True)
    signs = alt.Axis(format="+,~f", labelExpr="datum.value == 0 ? '0' : datum.label")
    x = alt.X("error:Q", title="estimate minus true accuracy, percentage points", axis=signs)
    ends = alt.Chart(alt.Data(values=spans))
    band = ends.mark_rule(color=BAND, strokeWidth=9).encode(x=alt.X("table_low:Q"), x2="table_high:Q", y=y)
    sure = ends.mark_rule(color=GREEN, strokeWidth=1.2).encode(x=alt.X("recheck_low:Q"), x2="recheck_high:Q", y=y)
    dots = (
        alt.Chart(alt.Data(values=off))
        .mark_point(filled=True, size=48, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "rung:N", scale=alt.Scale(domain=labels, range=colours), legend=alt.Legend(title=None, orient="bottom")
            ),
            shape=alt.Shape("rung:N", scale=alt.Scale(domain=labels, range=shapes)),
        )
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=INK, strokeWidth=1.2).encode(x=alt.X("zero:Q"))
    return alt.layer(band, zero, sure, dots).properties(width=330, height=alt.Step(15), title=title)


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}"


def points(difference: float) -> str:
    return signed(100 * difference)


def _span(row: Row, name: str) -> str:
    return f"{percent(row[f'{name}_low'], 2)} to {percent(row[f'{name}_high'], 2)}"


def _same(one: Row, other: Row) -> bool:
    return all(one[name] == other[name] for name in ("labels", "network", "way"))
