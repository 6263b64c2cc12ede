"""The error of every version in every period, as a heat map; the first period after each training is marked."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import clipped, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import finite_or_none

DARK = "#1a1a1a"  # on light cells, whatever the shade of the page
WRITTEN = 12  # periods up to which the cells are written out


def score_matrix_points(
    versions: Sequence[str], periods: Sequence[str], values: Sequence[Sequence[float]], next_period: Sequence[int]
) -> list[dict[str, Any]]:
    """Lay out the cells that have a value; `next` marks the first period after the training of the version.

    >>> score_matrix_points(["v1"], ["a", "b"], [[0.2, 0.3]], [0])[0]
    {'version': 'v1', 'period': 'a', 'error': 0.2, 'next': True}
    """
    return [
        {"version": printable(version), "period": printable(period), "error": value, "next": at == after}
        for version, row, after in zip(versions, values, next_period, strict=True)
        for at, (period, value) in enumerate(zip(periods, row, strict=True))
        if finite_or_none(value) is not None
    ]


def from_dark(points: Sequence[dict[str, Any]]) -> float:
    """Return the score above which a cell is dark: colours go from the lowest score to the highest.

    >>> from_dark([{"error": 0.5}, {"error": 1.0}])
    0.875
    """
    scores = [point["error"] for point in points]
    return min(scores, default=0.0) + 0.75 * (max(scores, default=0.0) - min(scores, default=0.0))


def score_matrix_chart(
    versions: Sequence[str],
    periods: Sequence[str],
    values: Sequence[Sequence[float]],
    next_period: Sequence[int],
    *,
    title: str = "Error",
    is_share: bool = True,
) -> vl.Chart:
    """Draw versions down and periods across, darker where the score is higher.

    Parameters
    ----------
    versions, periods
        Their names.
    values
        Scores, versions down, periods across.
    next_period
        First period after the training of each version.
    title
        Which score it is.
    is_share
        Whether it is read in percent.
    """
    points = score_matrix_points(versions, periods, values, next_period)
    names = [printable(name) for name in versions]
    columns = [printable(name) for name in periods]
    few = len(columns) <= WRITTEN
    form, digits, short = ("~%", ".1%", ".0%") if is_share else ("~g", ".4g", ".3g")
    x = vl.X(
        "period:N",
        sort=columns,
        title="test period",
        axis=vl.Axis(labelExpr=clipped_labels(columns), labelAngle=-45, labelLimit=90),
    )
    y = vl.Y("version:N", sort=names, title="version", axis=vl.Axis(labelExpr=clipped_labels(names), labelLimit=120))
    data = vl.Chart(points)
    middle = sum(point["error"] for point in points) / max(len(points), 1)
    cells = data.mark_rect().encode(
        x=x, y=y,
        color=vl.Color("error:Q", title=title.lower(), scale=vl.Scale(scheme="oranges"), legend=vl.Legend(format=form)),
        tooltip=["version:N", "period:N", "error:Q"],
    )  # fmt: skip
    marked = vl.Chart([point for point in points if point["next"]]).mark_rect(filled=False, stroke=DARK, strokeWidth=2)
    layers = [cells, marked.encode(x=x, y=y)]
    if few:
        text = vl.Text("error:Q", format=short)
        for dark, ink in ((False, DARK), (True, "#ffffff")):
            some = [point for point in points if (point["error"] > from_dark(points)) == dark]
            layers.append(vl.Chart(some).mark_text(fontSize=11, color=ink).encode(x=x, y=y, text=text))
    size = 40 if few else 14
    chart = vl.layer(*layers).properties(width=vl.Step(size), height=vl.Step(26 if few else 14))
    worst = max(points, key=lambda point: point["error"], default=None)
    words = f"{title} of {len(names)} versions in {len(columns)} periods, {middle:{digits}} on average."
    if worst is not None:
        words += f" Highest: version {worst['version']} in {worst['period']}, {worst['error']:{digits}}."
    return styled(
        chart,
        clipped(f"{title} of every version in every period", 60),
        words,
        below=["framed: the first period after the version's training"],
    )
