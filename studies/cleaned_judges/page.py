"""The tables and the picture of docs/explanation/cleaned-judges.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from justesse.charts.paint import BLUE, GREEN, INK, ORANGE, SOFT, styled
from justesse.charts.vega_lite import altair
from studies.cleaned_judges.run import Row
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "cleaned-judges.md", DOCS / "images" / "cleaned-judges.png"
NONE = "no cleaning"
PAINTS = (ORANGE, BLUE, GREEN, INK, "#cc79a7")


def kinds(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """List the kinds of labels: the data and the noise."""
    return list(dict.fromkeys((row["data"], row["noise"]) for row in rows))


def name(row: Row) -> str:
    """Name a filter, what it looks at, and what is done with flagged rows."""
    return NONE if row["filter"] == "none" else f"{row['filter']}, {row['source']}, {row['action']}"


def means(rows: Sequence[Row], figure: str) -> dict[tuple[str, tuple[str, str]], float]:
    """Average a figure over the draws, by filter and kind of labels."""
    groups: dict[tuple[str, tuple[str, str]], list[float]] = {}
    for row in rows:
        groups.setdefault((name(row), (row["data"], row["noise"])), []).append(row[figure])
    return {key: float(np.mean(values)) for key, values in groups.items()}


def parts(rows: Sequence[Row]) -> dict[str, str]:
    """Make every table of the page."""
    return {
        "agreement": _table(rows, "agreement"),
        "paired agreement": _table(rows, "paired agreement"),
        "distance": _table(rows, "distance"),
        "filters": _filter_table(rows),
    }


def _table(rows: Sequence[Row], figure: str) -> str:
    """Show a figure without cleaning, and for each filter the change in points."""
    own, columns = means(rows, figure), kinds(rows)
    lines = []
    for filter_name in dict.fromkeys(map(name, rows)):
        cells = []
        for kind in columns:
            value, plain = own.get((filter_name, kind)), own[NONE, kind]
            if value is None:
                cells.append("–")
            else:
                cells.append(f"{100 * value:.2f} %" if filter_name == NONE else f"{100 * (value - plain):+.2f}")
        lines.append([filter_name, *cells])
    return table(("filter, evidence, action", *(f"{data}: {noise}" for data, noise in columns)), lines)


def _filter_table(rows: Sequence[Row]) -> str:
    """Show how many wrong labels each filter finds, and how many right ones it flags."""
    found, false, columns = means(rows, "detected"), means(rows, "false detected"), kinds(rows)
    lines = []
    for row_name in dict.fromkeys(name(row) for row in rows if row["action"] == "remove"):
        cells = [
            f"{100 * found[row_name, kind]:.0f} / {100 * false[row_name, kind]:.1f}"
            if (row_name, kind) in found
            else "–"
            for kind in columns
        ]
        lines.append([row_name.removesuffix(", remove"), *cells])
    return table(
        ("wrong labels found / right ones flagged (%)", *(f"{data}: {noise}" for data, noise in columns)), lines
    )


def chart(rows: Sequence[Row]) -> Any:
    """Draw the change of agreement with the reference, for each filter and kind of labels."""
    alt = altair()
    own = means(rows, "agreement")
    points: list[Row] = [
        {"name": filter_name, "kind": f"{kind[0]}: {kind[1]}", "x": 100 * (value - own[NONE, kind])}
        for (filter_name, kind), value in own.items()
        if filter_name != NONE
    ]
    order = list(dict.fromkeys(point["name"] for point in points))
    shown = list(dict.fromkeys(point["kind"] for point in points))
    better = sum(point["x"] > 0 for point in points)
    shapes = ["circle", "square", "triangle-up", "diamond", "cross"]
    dots = (
        alt.Chart(alt.Data(values=points), width=360, height=alt.Step(15))
        .mark_point(filled=True, size=55, opacity=0.9)
        .encode(
            alt.X("x:Q", title="change of agreement with the reference (points)"),
            alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=300)),
            alt.Color("kind:N", title=None, scale=alt.Scale(domain=shown, range=PAINTS[: len(shown)]),
                      legend=alt.Legend(orient="bottom", columns=2, labelLimit=260)),
            alt.Shape("kind:N", title=None, scale=alt.Scale(domain=shown, range=shapes[: len(shown)])),
        )
    )  # fmt: skip
    line = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=SOFT, strokeDash=[4, 4]).encode(x="zero:Q")
    words = (
        f"Change of the judge's agreement with the reference after each filter, against no cleaning: better in {better} of "
        f"{len(points)} cases."
    )
    return styled(alt.layer(line, dots), "Does cleaning bring a judge nearer to the truth?", words,
                  below=["judge classical; dashed: no cleaning"])  # fmt: skip
