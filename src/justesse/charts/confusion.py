"""The confusion matrix: labels down, predictions across."""

from typing import Any, Literal

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, SOFT, clipped, styled
from justesse.charts.phone import WIDTH as PHONE
from justesse.charts.png import png_address
from justesse.core.arrays import Array
from justesse.core.levels import shown_name
from justesse.core.printable import printable
from justesse.core.tally import Tally

By = Literal["label", "prediction", "all"]
COUNTED = 25  # classes up to which every cell has its count, and up to which the order is that of the classes
NAMED = 40  # classes up to which every class is named; more are drawn as a picture
ORDERED = 2000  # classes up to which confused ones are made neighbours
FINEST = 250  # dots of a picture, across and down
SIDE = 500  # pixels of a matrix
LETTER = 6.5  # pixels
SHARES = {"label": "share of the label", "prediction": "share of the prediction", "all": "share of all rows"}
TITLES = {
    "label": "Confusion matrix, by label",
    "prediction": "Confusion matrix, by prediction",
    "all": "Confusion matrix, all rows",
}


def confusion_points(tally: Tally, by: By = "label") -> list[dict[str, Any]]:
    """Lay out the cells with their counts and shares; with many classes only those that occur.

    >>> points = confusion_points(Tally.from_dense([[3, 1], [0, 2]], ["a", "b"]))
    >>> points[1]
    {'label': 'a', 'prediction': 'b', 'n': 1, 'share': 0.25}
    """
    table, shares = tally.dense("label", "prediction"), tally.normalise(by=by)
    names = _names(tally)
    cells = np.argwhere(table > 0) if len(names) > COUNTED else np.argwhere(np.ones_like(table, dtype=bool))
    return [
        {
            "label": names[i],
            "prediction": names[j],
            "n": table[i, j].item(),
            "share": None if np.isnan(shares[i, j]) else float(shares[i, j]),
        }
        for i, j in cells.tolist()
    ]


def confusion_order(tally: Tally) -> list[int]:
    """Order classes so that those often confused are neighbours: leaves of average linkage on the shares confused.

    >>> confusion_order(Tally.from_dense([[8, 0, 2], [0, 9, 0], [3, 0, 7]], ["a", "b", "c"]))
    [1, 2, 0]
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    shares = np.nan_to_num(tally.normalise(by="label"))
    apart = 1 - (shares + shares.T) / 2
    np.fill_diagonal(apart, 0.0)
    joined = linkage(squareform(apart, checks=False), "average", optimal_ordering=len(apart) <= 200)
    return leaves_list(joined).tolist()


def wrong_picture(tally: Tally, by: By, order: list[int]) -> Array:
    """Count what share of labels, predictions or rows is wrong in each cell, or block of cells, of a large matrix.

    >>> wrong_picture(Tally.from_dense([[3, 1], [0, 2]], ["a", "b"]), "label", [0, 1]).tolist()
    [[0.0, 0.25], [0.0, 0.0]]
    """
    label, prediction = tally.codes.T
    wrong = label != prediction
    totals = tally.sums(by)[tally.codes[:, 0 if by == "label" else 1]] if by != "all" else tally.sums("label").sum()
    shares = np.divide(tally.values, totals)[wrong]
    block = -(-len(order) // FINEST)
    place = np.empty(len(order), dtype=int)
    place[order] = np.arange(len(order)) // block
    size = int(place.max()) + 1
    where = place[label[wrong]] * size + place[prediction[wrong]]
    return np.bincount(where, weights=shares, minlength=size * size).reshape(size, size) / (block if by != "all" else 1)


def confusion_chart(tally: Tally, by: By = "label") -> vl.Chart:
    """Colour each cell by its share, with counts up to 25 classes; more than 25 are ordered by confusion."""
    names = _names(tally)
    many = len(names)
    order = confusion_order(tally) if COUNTED < many <= ORDERED else list(range(many))
    text = f"Confusion matrix of {many:,} classes, {tally.n:,} rows: labels down, predictions across."
    below = ["number: rows"] if many <= COUNTED else []
    below += [f"stronger colour: larger {SHARES[by]}"]
    below += ["classes often confused are neighbours"] if COUNTED < many <= ORDERED else []
    if many > NAMED:
        picture = wrong_picture(tally, by, order)
        title = TITLES[by].replace("Confusion matrix", "Wrong predictions")
        below = ["correct predictions are left out", *below]
        small = _picture(picture, many, PHONE - 30)
        return styled(_picture(picture, many, SIDE), title, text, below=["; ".join(below)], phone=small)
    sorted_names = [names[at] for at in order]
    points = confusion_points(tally, by)
    high = max(26.0, min(46.0, SIDE / many)) if many <= COUNTED else 16.0
    wide, slim = _column(names, high, SIDE), _column(names, min(46.0, 0.78 * PHONE / many), PHONE)
    return styled(
        _matrix(points, sorted_names, wide, high),
        TITLES[by],
        text,
        below=["; ".join(below)],
        phone=_matrix(points, sorted_names, slim, max(16.0, min(46.0, slim)), most=12),
    )


def _column(names: list[str], usual: float, room: float) -> float:
    """Give the width of a column: the usual one, or that of the longest name if all columns then fit beside the names.

    >>> _column(["malignant", "benign"], 46, 500), _column(["a", "b"], 46, 500), _column(["x" * 40, "b"], 46, 330)
    (64.5, 46, 46)
    """
    longest = LETTER * max(map(len, names)) + 6
    fits = len(names) * longest + min(longest, 12 * LETTER) + 30 <= room
    return max(usual, longest) if fits else usual


def _names(tally: Tally) -> list[str]:
    return [printable(shown_name(name)) for name in tally.classes]


def _matrix(points: list[dict[str, Any]], names: list[str], wide: float, high: float, most: int = 24) -> vl.Chart:
    """Draw the cells; names too long for a column are numbered there, and their rows have both name and number."""
    fit = all(len(name) * LETTER <= wide - 2 for name in names)
    numbers = {name: str(at) for at, name in enumerate(names, 1)}
    shown = {name: clipped(name, most) if fit else f"{clipped(name, most)}  {numbers[name]}" for name in names}
    across = names if fit else list(numbers.values())
    rows = [
        {**point, "row": shown[point["label"]], "column": point["prediction"] if fit else numbers[point["prediction"]],
         "text": _short(point["n"], wide)}
        for point in points
    ]  # fmt: skip
    axis = vl.Axis(
        ticks=False, grid=False, labelAngle=0, domainColor=SOFT, labelLimit=220, labelPadding=5, labelOverlap=not fit
    )
    # the domain gives the order: a sort of thousands of names becomes an expression too deep to be parsed
    base = vl.Chart(rows).encode(
        x=vl.X("column:N", sort=None, scale=vl.Scale(domain=across), axis=axis, title="prediction"),
        y=vl.Y("row:N", sort=None, scale=vl.Scale(domain=list(shown.values())), axis=axis, title="label"),
    )
    depth = vl.channel("share:Q", scale=vl.Scale(type="sqrt", domain=[0, 1], range=[0, 1]), legend=None)
    tiles = base.mark_rect(fill=BLUE).encode(fillOpacity=depth, tooltip=["label:N", "prediction:N", "n:Q", "share:Q"])
    layers = [tiles]
    if len(names) <= COUNTED and wide >= 20:
        light = vl.condition("datum.share > 0.3", vl.value("#fefefe"), vl.value(INK))
        counts = base.transform_filter("datum.n > 0").mark_text(fontSize=11)
        layers.append(counts.encode(text="text:N", color=light))
    return vl.layer(*layers).properties(width=vl.Step(wide), height=vl.Step(high))


def _short(n: float, wide: float) -> str:
    """Write a count so that it fits its cell.

    >>> _short(999, 26), _short(12_345, 26), _short(1_234, 46), _short(2.5, 46)
    ('999', '12k', '1234', '2.5')
    """
    text = f"{n:.0f}" if float(n).is_integer() else f"{n:.1f}"
    for unit, size in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        if size > 1:
            text = f"{n / size:.0f}{unit}"
        if len(text) * LETTER <= wide - 2:
            return text
    return text


def _picture(shares: Array, many: int, side: int) -> vl.Chart:
    """Paint a dot per cell or block: a root scale keeps rare confusions visible, and the page shines through."""
    most = shares.max() or 1.0
    depth = np.where(shares > 0, 0.15 + 0.85 * np.sqrt(shares / most), 0.0)
    pixels = np.empty((*shares.shape, 4), dtype=np.uint8)
    pixels[..., :3] = [int(BLUE[at : at + 2], 16) for at in (1, 3, 5)]
    pixels[..., 3] = np.rint(255 * depth)
    image = (
        vl.Chart([{"picture": png_address(pixels)}])
        .mark_image(width=side, height=side, smooth=False, aspect=False, align="left", baseline="top", aria=False)
        .encode(x=vl.XValue(0), y=vl.YValue(0), url="picture:N")
    )
    # an axis needs a scale: one point that is not seen
    axis = vl.Axis(labels=False, ticks=False, grid=False)
    frame = vl.Chart([{"x": 0, "y": 0}]).mark_point(opacity=0)
    frame = frame.encode(
        x=vl.X("x:Q", axis=axis, title=f"prediction: {many:,} classes", scale=vl.Scale(domain=[0, 1])),
        y=vl.Y("y:Q", axis=axis, title=f"label: {many:,} classes", scale=vl.Scale(domain=[0, 1])),
    )
    return vl.layer(image, frame).properties(width=side, height=side)
