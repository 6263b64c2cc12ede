"""The table and the picture of docs/explanation/asking.md, and the recorded figures."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from justesse.charts.paint import BLUE, GREEN, INK, ORANGE, SOFT, styled
from justesse.charts.vega_lite import altair
from studies.asking.run import RULES, STARTS, Curve, Needed
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "asking.md", DOCS / "images" / "asking.png"
RESULTS = Path(__file__).with_name("results.csv")
COLOURS = dict(zip(RULES, (SOFT, INK, BLUE, ORANGE, GREEN), strict=True))
DASHES = dict(zip(RULES, ([2, 2], [6, 3], [1, 0], [8, 2, 2, 2], [4, 4]), strict=True))
POINTS = 40


def parts(rows: Sequence[Needed]) -> dict[str, str]:
    """Make a table for each start."""
    return {start: needed_table([row for row in rows if row.start == start]) for start in STARTS}


def needed_table(rows: Sequence[Needed]) -> str:
    """Show how many answers each rule needs, and which share of random asking's."""
    heads = ["set", "accuracy", "rule", "answers needed", "95 % CI", "of random asking's", "95 % CI"]
    lines = []
    for row in rows:
        cells = [row.crowd, f"{row.target:.1%}"] if row.rule == RULES[0] else ["", ""]
        missed = f" ({row.missed} of {row.seeds} runs never)" if row.missed else ""
        cells += [row.rule, f"{row.answers:,.0f}{missed}", f"{row.low:,.0f} to {row.high:,.0f}"]
        cells += (
            ["–", "–"]
            if row.rule == "random"
            else [f"**{row.share:.0%}**", f"{row.share_low:.0%} to {row.share_high:.0%}"]
        )
        lines.append([cell.replace("%", " %") for cell in cells])
    return table([*heads[:5], *heads[5:]], lines, words=3)


def record(rows: Sequence[Needed]) -> None:
    """Write the figures that the test compares with."""
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Needed)], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in asdict(row).items()}
            )


def recorded() -> list[dict[str, str]]:
    """Read the figures as they were written."""
    with RESULTS.open(newline="") as file:
        return list(csv.DictReader(file))


def points(curves: Sequence[Curve], start: str) -> list[dict[str, Any]]:
    """Average the curves of all seeds at the same numbers of answers."""
    result = []
    for crowd, rule in dict.fromkeys((curve.crowd, curve.rule) for curve in curves):
        mine = [curve for curve in curves if (curve.crowd, curve.rule, curve.start) == (crowd, rule, start)]
        if not mine:
            continue
        at = np.linspace(max(curve.answers[0] for curve in mine), min(curve.answers[-1] for curve in mine), POINTS)
        right = np.mean([np.interp(at, curve.answers, curve.right) for curve in mine], axis=0)
        result += [
            {"set": crowd, "rule": rule, "answers": float(x), "right": float(y)} for x, y in zip(at, right, strict=True)
        ]
    return result


def chart(curves: Sequence[Curve], rows: Sequence[Needed]) -> Any:
    """Draw the accuracy against the answers asked, a panel for each set, after the first start."""
    alt = altair()
    start = next(iter(STARTS))
    every = points(curves, start)
    crowds = list(dict.fromkeys(curve.crowd for curve in curves))
    panels = [_panel(alt, crowd, [point for point in every if point["set"] == crowd]) for crowd in crowds]
    both = alt.vconcat(*(alt.hconcat(*panels[at : at + 2], spacing=30) for at in range(0, len(panels), 2)))
    shares = ", ".join(
        f"{row.crowd} {row.share:.0%}".replace("%", " %") for row in rows if row.rule == "gain" and row.start == start
    )
    words = (
        "Panels for each set: the accuracy of the consensus rises faster with the number of answers if questions are chosen by "
        f"gain than at random or in turn. Answers that asking by gain needs, of random asking's: {shares}."
    )
    return styled(both, "Accuracy of the consensus against the number of answers", words)


def _panel(alt: Any, crowd: str, values: list[dict[str, Any]]) -> Any:
    colour = alt.Color(
        "rule:N",
        sort=list(RULES),
        scale=alt.Scale(domain=list(RULES), range=[COLOURS[rule] for rule in RULES]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    dash = alt.StrokeDash(
        "rule:N", scale=alt.Scale(domain=list(RULES), range=[DASHES[rule] for rule in RULES]), legend=None
    )
    share = alt.Y(
        "right:Q", title="right classes", scale=alt.Scale(zero=False), axis=alt.Axis(format=".0%", tickCount=6)
    )
    answers = alt.X("answers:Q", title="answers", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    lines = alt.Chart(alt.Data(values=values)).mark_line(strokeWidth=2)
    return lines.encode(x=answers, y=share, color=colour, strokeDash=dash).properties(
        width=300, height=220, title=crowd
    )
