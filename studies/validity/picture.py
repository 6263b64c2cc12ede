"""The pictures at the top of docs/validity.md: coverage against n, ours and what is done by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, ORANGE, styled
from studies.validity.case import NOMINAL
from studies.validity.cases import ALL, by_hand
from studies.validity.cases.by_hand import BOOTSTRAP, OURS, WALD, WORDS
from studies.validity.record import Measured, measured, read

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "validity.png"
PICTURE_OF_ALL = PICTURE.with_name("validity-all.png")
JUSTESSE, OTHERS = "justesse, any method that can be asked for", "other packages, and by hand"
TICKS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]
SIDEWAYS, GOLDEN = 0.12, 0.618034  # points of one n are spread over so much of it, evenly
NAMES = {OURS: "default of justesse", WALD: "Wald, by hand", BOOTSTRAP: "percentile bootstrap of rows, by hand"}


def points(rows: Sequence[Measured]) -> list[dict[str, Any]]:
    """Lay out one point per measure, method and n."""
    found = []
    for row in rows:
        measure, who = row.case.what.split(", ", 1)
        found.append({"measure": measure, "method": NAMES[who], "n": row.setting.n, "coverage": row.hits.share})
    return found


def all_points(rows: Sequence[Measured]) -> list[dict[str, Any]]:
    """Lay out one point per 95 % interval that was measured: ours, or that of another package or by hand."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if row.case.kind == "coverage" and row.case.wanted == NOMINAL["coverage"] and row.hits.share == row.hits.share:
            whose = OTHERS if row.case.peer else JUSTESSE
            place = row.setting.n * (1 + SIDEWAYS * ((GOLDEN * len(found)) % 1 - 0.5))
            found.append({"whose": whose, "n": place, "coverage": row.hits.share, "what": row.case.what})
    return found


def scatter(rows: Sequence[Measured]) -> vl.Chart:
    """Draw every interval against n, with a line at 95 %."""
    every = all_points(rows)
    ends = [min(point["n"] for point in every), max(point["n"] for point in every)]
    x = vl.X(
        "n:Q",
        scale=vl.Scale(type="log", domain=[0.9 * ends[0], 1.1 * ends[1]]),
        title="n: rows, folds or groups",
        axis=vl.Axis(values=[tick for tick in TICKS if tick <= ends[1]]),
    )
    y = vl.Y("coverage:Q", title="coverage", scale=vl.Scale(domain=[0.5, 1.0], clamp=True), axis=vl.Axis(format="~%"))
    colour = vl.Color(
        "whose:N",
        scale=vl.Scale(domain=[JUSTESSE, OTHERS], range=[BLUE, ORANGE]),
        legend=vl.Legend(title=None, orient="bottom", labelLimit=400, columns=2),
    )
    dots = vl.Chart(every).mark_point(filled=True, size=25, opacity=0.5).encode(x=x, y=y, color=colour)
    ours = [point["coverage"] for point in every if point["whose"] == JUSTESSE]
    near = sum(coverage >= 0.93 for coverage in ours)
    alternative = f"Coverage of {len(ours)} intervals of justesse against n: {near} are at 93 % or more."
    below = [
        "Dashed line: 95 %. Points below 50 % are drawn at 50 %. One point per 95 % interval and setting, moved a little sideways."
    ]
    return styled(
        vl.layer(_nominal(), dots).properties(width=1000, height=300),
        "Every interval measured",
        alternative,
        below=below,
    )


def _nominal() -> vl.Chart:
    line = vl.Chart([{"y": 0.95}]).mark_rule(color=INK, strokeDash=[4, 3])
    return line.encode(y=vl.Y("y:Q", scale=vl.Scale(domain=[0.5, 1.0])))


def chart(rows: Sequence[Measured]) -> vl.Chart:
    """Draw one panel per measure, with a line at 95 %."""
    every = points(rows)
    names = list(NAMES.values())
    colour = vl.Color(
        "method:N",
        scale=vl.Scale(domain=names, range=[BLUE, ORANGE, "#cc79a7"]),
        legend=vl.Legend(title=None, orient="bottom", labelLimit=400, columns=3),
    )
    panels = []
    for measure in WORDS:
        own = vl.Chart([point for point in every if point["measure"] == measure])
        x = vl.X("n:Q", scale=vl.Scale(type="log"), title="n", axis=vl.Axis(values=list(by_hand.NS)))
        y = vl.Y(
            "coverage:Q", title="coverage", scale=vl.Scale(domain=[0.5, 1.0], clamp=True), axis=vl.Axis(format="~%")
        )
        lines = own.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=colour)
        dots = own.mark_point(filled=True, size=50, opacity=1).encode(x=x, y=y, color=colour)
        panels.append(vl.layer(_nominal(), lines, dots).properties(width=210, height=200, title=measure))
    worst = {name: min(point["coverage"] for point in every if point["method"] == name) for name in names}
    alternative = "Coverage of 95 % intervals against n. Lowest: " + "; ".join(
        f"{name} {share:.1%}" for name, share in worst.items()
    )
    below = ["Dashed line: 95 %. Points below 50 % are drawn at 50 %. Settings: see the table, rows by hand."]
    return styled(
        vl.concat(*panels, columns=4, spacing=24),
        "How often 95 % intervals contain the true value",
        alternative,
        below=below,
    )


def draw(target: Path = PICTURE, target_of_all: Path = PICTURE_OF_ALL) -> None:
    """Write both pictures from the recorded figures."""
    rows = read()
    chart(list(measured(by_hand.SETTINGS, rows))).save(str(target))
    scatter(list(measured(ALL, rows))).save(str(target_of_all))
