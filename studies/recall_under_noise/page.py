"""The table and the picture of docs/explanation/recall-under-noise.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, INK, ORANGE, SOFT, signed, styled
from justesse.charts.vega_lite import altair
from studies.recall_under_noise.run import RATES, RECALLS, ROWS, Measured, expected
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "recall-under-noise.md", DOCS / "images" / "recall-under-noise.png"
INDEPENDENT, COPIES, PREDICTED = (
    "answers independent of labels, given the class",
    "made to suit the thesis",
    "thesis (6.23)",
)


def happened(found: Sequence[Measured]) -> str:
    """Show what a fifth of wrong labels does."""
    heads = ("classifier", "true recall", "measured recall", "moved by", "(6.23) predicts", "precision moved by",
             "(6.21) predicts", "F_n", "F_r")  # fmt: skip
    lines = [
        [
            COPIES if one.copies else INDEPENDENT,
            f"{one.true:.4f}",
            f"{one.measured:.4f}",
            signed(one.recall_moved, ".4f"),
            "0",
            signed(one.precision_moved, ".4f"),
            signed(round(one.precision_predicted, 4) + 0.0, ".4f"),
            f"{one.repeated:.3f}",
            f"{one.recovered:.3f}",
        ]
        for one in found
    ]
    return table(heads, lines)


def chart(found: Sequence[Measured]) -> Any:
    """Draw measured recall against the share of wrong labels: formula, simulation and prediction of the thesis."""
    alt = altair()
    lines = [
        {"rate": 100 * rate, "recall": 100 * value, "true": f"{true:g}", "what": what}
        for true in RECALLS
        for rate in RATES
        for what, value in ((INDEPENDENT, expected(true, rate)), (PREDICTED, true))
    ]
    dots = [
        {"rate": 100 * one.rate, "recall": 100 * one.measured, "what": COPIES if one.copies else INDEPENDENT}
        for one in found
    ]
    names, colours = (INDEPENDENT, COPIES, PREDICTED), (BLUE, ORANGE, SOFT)
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=names, range=colours),
        legend=alt.Legend(
            title=None, orient="bottom", columns=1, labelLimit=400, symbolType="circle", symbolStrokeWidth=0
        ),
    )
    x = alt.X("rate:Q", title="share of wrong labels, %", scale=alt.Scale(domain=[0, 52], nice=False))
    y = alt.Y("recall:Q", title="measured recall, %", scale=alt.Scale(domain=[20, 100]))
    dash = alt.StrokeDash("what:N", scale=alt.Scale(domain=names, range=[[1, 0], [1, 0], [5, 4]]), legend=None)
    drawn = (
        alt.Chart(alt.Data(values=lines)).mark_line().encode(x=x, y=y, color=colour, strokeDash=dash, detail="true:N")
    )
    shapes = alt.Scale(domain=names, range=("circle", "square", "circle"))
    points = (
        alt.Chart(alt.Data(values=dots))
        .mark_point(filled=True, size=60, opacity=1)
        .encode(x=x, y=y, color=colour, shape=alt.Shape("what:N", scale=shapes, legend=None))
    )
    golden = [{"rate": 20, "recall": 100 * expected(0.604, 0.2), "words": "60.4 % measures 51.0 %"}]
    words = (
        alt.Chart(alt.Data(values=golden))
        .mark_text(align="left", dx=8, dy=-9, fontSize=12, color=INK)
        .encode(x=x, y=y, text="words:N")
    )
    said = (
        "Measured recall falls in straight lines as the share of wrong labels grows, for true recalls of 95, 80, 60.4 "
        "and 40 per cent; the thesis predicts flat lines. Only a classifier that repeats wrong labels as often as it "
        "finds the truth stays flat, and its recall is 40 per cent."
    )
    below = (f"Four balanced classes, uniform noise. Lines: formula; points: {ROWS:,} simulated rows each.",)
    layers = alt.layer(drawn, points, words).properties(width=520, height=330)
    return styled(layers, "Uniform noise moves recall", said, below=below)
