"""A penalised score as stacked bars: after adaptation, and the price of the help (Prokopalo et al. 2020, figure 2)."""

from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, styled


def penalty_points(adapt: float, penalty: float, base: float | None = None) -> list[dict[str, Any]]:
    """Lay out the bars: before any help, if it is known, then after adaptation with the price on top.

    >>> penalty_points(0.25, 0.25)
    [{'bar': 'with help', 'part': 'after adaptation', 'from': 0.0, 'to': 0.25},
     {'bar': 'with help', 'part': 'price of the help', 'from': 0.25, 'to': 0.5}]
    """
    points = [] if base is None else [{"bar": "before any help", "part": "before any help", "from": 0.0, "to": base}]
    return [
        *points,
        {"bar": "with help", "part": "after adaptation", "from": 0.0, "to": adapt},
        {"bar": "with help", "part": "price of the help", "from": adapt, "to": adapt + penalty},
    ]


def penalty_chart(adapt: float, penalty: float, base: float | None = None) -> vl.Chart:
    """Draw the score before help beside the penalised one."""
    points = penalty_points(adapt, penalty, base)
    parts = list(dict.fromkeys(point["part"] for point in points))
    colours = {"before any help": SOFT, "after adaptation": BLUE, "price of the help": ORANGE}
    chart = (
        vl.Chart(points)
        .mark_bar()
        .encode(
            x=vl.X("from:Q", title="score"),
            x2="to:Q",
            y=vl.Y("bar:N", title=None, sort=None),
            color=vl.Color(
                "part:N", title=None, scale=vl.Scale(domain=parts, range=[colours[part] for part in parts]),
                legend=vl.Legend(orient="bottom", columns=2),
            ),
            tooltip=["part:N", "from:Q", "to:Q"],
        )
        .properties(width=420, height=vl.Step(34))
    )  # fmt: skip
    words = f"After adaptation {adapt:.4g}, price of the help {penalty:.4g}, together {adapt + penalty:.4g}."
    words += f" Before any help: {base:.4g}." if base is not None else ""
    return styled(chart, "What the help is worth", words)
