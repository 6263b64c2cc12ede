"""The confusion table as a picture: labels down, predictions across."""

from typing import Any, Literal

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, styled
from justesse.core.levels import shown_name
from justesse.core.printable import printable
from justesse.core.tally import Tally

WRITTEN = 12  # classes up to which every cell says its number
NAMED = 40  # classes up to which every class is named
TITLES = {
    "label": "Share of each label that is predicted so",
    "prediction": "Share of each prediction that is labelled so",
    "all": "Share of all rows",
}


def confusion_points(tally: Tally, by: Literal["label", "prediction", "all"] = "label") -> list[dict[str, Any]]:
    """Lay out the cells with their counts and shares; beyond some classes only those that occur.

    >>> points = confusion_points(Tally.from_dense([[3, 1], [0, 2]], ["a", "b"]))
    >>> points[1]
    {'label': 'a', 'prediction': 'b', 'n': 1, 'share': 0.25}
    """
    table, shares = tally.dense("label", "prediction"), tally.normalise(by=by)
    names = [printable(shown_name(name)) for name in tally.classes]
    cells = np.argwhere(table > 0) if len(names) > WRITTEN else np.argwhere(np.ones_like(table, dtype=bool))
    return [
        {
            "label": names[i],
            "prediction": names[j],
            "n": table[i, j].item(),
            "share": None if np.isnan(shares[i, j]) else float(shares[i, j]),
        }
        for i, j in cells.tolist()
    ]


def confusion_chart(tally: Tally, by: Literal["label", "prediction", "all"] = "label") -> vl.Chart:
    """Colour each cell by its share; write the counts where they fit."""
    names = [printable(shown_name(name)) for name in tally.classes]
    size = max(4.0, min(46.0, 520 / max(len(names), 1)))
    named = len(names) <= NAMED
    axis = vl.Axis(labels=named, ticks=named, grid=False, labelAngle=0 if len(names) <= 6 else -60)
    # the domain gives the order: a sort of thousands of names becomes an expression too deep to be parsed
    base = vl.Chart(confusion_points(tally, by)).encode(
        x=vl.X("prediction:N", sort=None, scale=vl.Scale(domain=names), axis=axis, title="prediction"),
        y=vl.Y("label:N", sort=None, scale=vl.Scale(domain=names), axis=axis, title="label"),
    )
    legend = vl.Legend(title="share", format=".0%")
    colour = vl.Color("share:Q", scale=vl.Scale(range=["#f4f8fb", BLUE], domain=[0, 1]), legend=legend)
    tiles = base.mark_rect().encode(color=colour, tooltip=["label:N", "prediction:N", "n:Q", "share:Q"])
    layers = [tiles]
    if len(names) <= WRITTEN:
        # on a tile, so black and white whatever the page's own shade; zeros would only be clutter
        dark = vl.condition("datum.share > 0.5", vl.value("#fefefe"), vl.value("#111111"))
        written = base.transform_filter("datum.n > 0").mark_text(fontSize=11)
        layers.append(written.encode(text=vl.Text("n:Q", format=",d"), color=dark))
    chart = vl.layer(*layers).properties(width=vl.Step(size), height=vl.Step(size))
    said = f"Confusion table of {len(names)} classes, {tally.n:,} rows: labels down, predictions across."
    return styled(chart, TITLES[by], said)
