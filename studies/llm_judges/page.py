"""The tables and the picture of docs/explanation/llm-judges.md."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, GREEN, ORANGE, SOFT, styled
from justesse.charts.vega_lite import altair
from justesse.verbs.llm_judge.words import TITLES
from studies.llm_judges.run import CORRECTED, RATINGS
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "llm-judges.md", DOCS / "images" / "llm-judges.png"
EXPERTS = "experts: win rate of the longer output"


def judges_in(figures: Mapping[str, float]) -> list[str]:
    """Name the judges, the least biased first."""
    names = [name.removesuffix(": naive, bias") for name in figures if name.endswith(": naive, bias")]
    return sorted(names, key=lambda name: abs(figures[f"{name}: naive, bias"]))


def parts(figures: Mapping[str, float]) -> dict[str, str]:
    """Make the tables: one row for each judge and number of ratings, and one for each method over all judges."""
    names = judges_in(figures)
    rows = []
    for name in names:
        for n in RATINGS:
            cells = []
            for method in ("people", "rogan_gladen", "prediction_powered", "prediction_powered_strata"):
                key = f"{name}: {method}, {n}"
                cells.append(f"{100 * figures[f'{key}, RMSE']:.1f} ({100 * figures[f'{key}, covered']:.0f} %)")
            rows.append([name, str(n), f"{100 * figures[f'{name}: naive, bias']:+.1f}", *cells])
    heads = ["judge", "ratings", "naive: off by", "people alone", "Rogan-Gladen", "prediction-powered", "by stratum"]
    means = []
    for method in CORRECTED:
        for n in RATINGS:
            keys = [f"{name}: {method}, {n}" for name in names]
            defined = [key for key in keys if f"{key}, RMSE" in figures]
            undefined = sum(figures[f"{key}, undefined"] for key in keys) / len(keys)

            def mean(what: str, keys: list[str] = defined) -> float:
                return sum(figures[f"{key}, {what}"] for key in keys) / len(keys)

            largest = max(abs(figures[f"{key}, bias"]) for key in defined)
            means.append(
                [TITLES[method], str(n), f"{100 * largest:.1f}", f"{100 * mean('RMSE'):.1f}", f"{100 * mean('width'):.1f}",
                 f"{100 * mean('covered'):.1f} %", f"{100 * undefined:.1f} %"]
            )  # fmt: skip
    heads_of_means = ["method", "ratings", "largest bias", "RMSE", "width of the interval", "covered", "undefined"]
    return {"judges": table(heads, rows), "methods": table(heads_of_means, means)}


def chart(figures: Mapping[str, float]) -> Any:
    """Draw the naive win rate of each judge, and corrected ones from 100 ratings with their RMSE."""
    alt = altair()
    truth, names = figures[EXPERTS], judges_in(figures)
    points = []
    for name in names:
        points.append({"judge": name, "by": "judge alone", "value": truth + figures[f"{name}: naive, bias"]})
        for method, by in (("rogan_gladen", "Rogan-Gladen"), ("prediction_powered", "prediction-powered")):
            key = f"{name}: {method}, 100"
            middle, off = truth + figures[f"{key}, bias"], figures[f"{key}, RMSE"]
            points.append(
                {
                    "judge": name,
                    "by": by,
                    "value": middle,
                    "low": max(middle - off, 0.0),
                    "high": min(middle + off, 1.0),
                }
            )
    kinds = ["judge alone", "Rogan-Gladen", "prediction-powered"]
    data = alt.Chart(alt.Data(values=points))
    y = alt.Y("judge:N", sort=names, title=None)
    offset = alt.YOffset("by:N", sort=kinds)
    colour = alt.Color("by:N", title=None, scale=alt.Scale(domain=kinds, range=[ORANGE, GREEN, BLUE]))
    shape = alt.Shape("by:N", title=None, scale=alt.Scale(domain=kinds, range=["square", "triangle-up", "circle"]))
    bars = data.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y, yOffset=offset, color=colour)
    dots = data.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("value:Q", title="win rate of the longer output", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        y=y, yOffset=offset, color=colour, shape=shape,
    )  # fmt: skip
    line = alt.Chart(alt.Data(values=[{"value": truth}])).mark_rule(color=SOFT, strokeDash=[4, 4]).encode(x="value:Q")
    words = "Win rate of the longer output by six judges, naive and corrected with 100 ratings, against the experts'."
    return styled(
        alt.layer(line, bars, dots).properties(width=420, height=alt.Step(16)),
        "Judges prefer the longer output too often; 100 ratings correct it",
        words,
        below=["dashed: the experts' win rate; line: mean plus or minus RMSE over samples of 100 ratings"],
    )
