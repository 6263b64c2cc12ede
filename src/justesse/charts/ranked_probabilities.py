"""Flagged rows from the most suspicious on, each with the probability that its label is wrong."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, styled

MOST = 400


def ranked_points(probabilities: Sequence[float]) -> list[dict[str, Any]]:
    """Lay out rank and probability in percent, highest first; of many rows some, evenly spaced.

    >>> ranked_points([0.25, 0.5])
    [{'rank': 1, 'probability': 50.0}, {'rank': 2, 'probability': 25.0}]
    """
    values = -np.sort(-np.asarray(probabilities, dtype=float))
    if not len(values):
        return []
    shown = np.unique(np.linspace(0, len(values) - 1, min(MOST, len(values))).astype(int))
    return [{"rank": int(at) + 1, "probability": 100 * float(values[at])} for at in shown]


def ranked_probability_chart(probabilities: Sequence[float], basis: str) -> vl.Chart:
    """Draw the probabilities as an area that falls from left to right.

    Parameters
    ----------
    probabilities
        Probability that the label is wrong, of each flagged row.
    basis
        What the probabilities rest on.
    """
    points = ranked_points(probabilities)
    area = (
        vl.Chart(points)
        .mark_line(color=BLUE, strokeWidth=2)
        .encode(
            x=vl.X("rank:Q", title="flagged rows, most suspicious first", scale=vl.Scale(zero=True)),
            y=vl.Y("probability:Q", title="probability that the label is wrong (%)", scale=vl.Scale(domain=[0, 100])),
            tooltip=["rank:Q", "probability:Q"],
        )
        .properties(width=420, height=220)
    )
    total = float(np.sum(probabilities))
    words = (
        f"{len(probabilities):,} flagged rows by the probability that their label is wrong; {total:,.0f} wrong labels "
        f"are expected among them. The probabilities rest on: {basis}."
    )
    return styled(area, "How probably flagged labels are wrong", words, below=[f"rests on: {basis}"])
