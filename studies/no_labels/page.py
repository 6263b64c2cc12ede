"""The table and the picture of docs/explanation/no-labels.md."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, SOFT, styled
from justesse.charts.vega_lite import altair
from studies.no_labels.run import Networks, all_errors
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "no-labels.md", DOCS / "images" / "no-labels.png"


def parts(figures: Mapping[str, float]) -> dict[str, str]:
    """Make the table of all figures."""
    rows = [[name, f"{value:,.0f}" if value >= 100 else f"{value:.3g}"] for name, value in figures.items()]
    return {"figures": table(("figure", "value"), rows)}


def chart(networks: Networks) -> Any:
    """Draw the error rate that agreement gives against the true one."""
    alt = altair()
    estimated, true = all_errors(networks)
    points = [
        {"network": name, "true": float(x), "estimated": float(y)}
        for name, x, y in zip(networks.names, true, estimated, strict=True)
    ]
    dots = (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, color=BLUE, size=50, opacity=1)
        .encode(
            x=alt.X("true:Q", title="true error rate", axis=alt.Axis(format="%")),
            y=alt.Y("estimated:Q", title="error rate from agreement", axis=alt.Axis(format="%")),
        )
    )
    line = (
        alt.Chart(alt.Data(values=[{"true": 0, "estimated": 0}, {"true": 0.2, "estimated": 0.2}]))
        .mark_line(color=SOFT, strokeDash=[4, 4])
        .encode(x="true:Q", y="estimated:Q")
    )
    words = "Error rates of thirty networks from their agreement against the true ones: all lie below."
    return styled(
        alt.layer(line, dots).properties(width=420, height=300),
        "Error rates without labels are too low",
        words,
        below=["each point: one CIFAR-10 network; dashed: estimate = truth"],
    )
