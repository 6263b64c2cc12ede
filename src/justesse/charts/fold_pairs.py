"""Scores of each fold, joined by a line from one model to the next."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import COLOURS, DASHES, INK, clipped, clipped_labels, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable

HUGE = 1e15  # from here on, the axis rounds its numbers
WAYS = ("falls", "rises", "equal")  # in the order of the sides: the incumbent's, the candidate's, neither's


def fold_pair_points(scores: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """Lay out the two ends of each line from a model to the next, one line per fold, and which way it goes.

    >>> points = fold_pair_points({"incumbent": [0.5], "candidate": [0.75]})
    >>> points[0]
    {'line': '1-0', 'fold': 1, 'model': 'incumbent', 'score': 0.5, 'way': 'rises'}
    """
    folds = {len(values) for values in scores.values()}
    if len(scores) < 2 or len(folds) != 1 or not min(folds):
        got = {name: len(values) for name, values in scores.items()}
        raise OptionError(f"At least two models with scores on the same folds are required; got {got!r} scores.")
    if not all(math.isfinite(value) for values in scores.values() for value in values):
        raise OptionError(f"Fold scores must be finite numbers; got {dict(scores)!r}.")
    points = []
    for at, ((item, left), (other, right)) in enumerate(pairwise(scores.items())):
        for fold, (start, end) in enumerate(zip(left, right, strict=True), 1):
            way = "equal" if math.isclose(start, end, abs_tol=1e-12) else "rises" if end > start else "falls"
            line = {"line": f"{fold}-{at}", "fold": fold}
            points += [
                {**line, "model": printable(name), "score": score, "way": way}
                for name, score in ((item, start), (other, end))
            ]
    return points


def fold_pairs_chart(scores: Mapping[str, Sequence[float]], measure: str = "score") -> vl.Chart:
    """Draw a line per fold from each model's score to the next model's: blue up, orange and dashed down, grey equal."""
    points = fold_pair_points(scores)
    names, folds = [printable(name) for name in scores], max(point["fold"] for point in points)
    many = len(names) > 3
    axis = vl.Axis(
        title=None,
        labelExpr=clipped_labels(names),
        labelLimit=190,
        labelAngle=-40 if many else 0,
        labelFontSize=13,
        grid=True,
    )
    x = vl.X("model:N", sort=names, scale=vl.Scale(type="point", padding=0.3), axis=axis)
    huge: Any = {"axis": vl.Axis(format=".4~g")} if max(abs(point["score"]) for point in points) >= HUGE else {}
    y = vl.Y("score:Q", title=f"{clipped(measure)} per fold", scale=vl.Scale(zero=False), **huge)
    legend = vl.Legend(title=None, orient="top", symbolSize=260, symbolStrokeWidth=3, symbolOpacity=1)
    colour = vl.Color("way:N", scale=vl.Scale(domain=WAYS, range=COLOURS), legend=legend)
    dash = vl.StrokeDash("way:N", scale=vl.Scale(domain=WAYS, range=DASHES), legend=legend)
    data = vl.Chart(points)
    faint = 1.0 if folds <= 20 else 0.5
    lines = data.mark_line(strokeWidth=2, opacity=faint).encode(
        x=x, y=y, detail="line:N", color=colour, strokeDash=dash
    )
    dots = data.mark_point(filled=True, size=24, opacity=1, color=INK).encode(
        x=x, y=y, tooltip=["fold:Q", "model:N", "score:Q"]
    )
    chart = vl.layer(lines, dots).properties(width=max(300, min(480, 90 * len(names))), height=300)
    count = Counter(point["way"] for point in points[::2])
    ways = f"{count['rises']} up, {count['falls']} down, {count['equal']} equal"
    text = f"Lines join the {measure} of {' and '.join(names)} in each of {folds} folds: {ways}."
    title = f"Each fold's {clipped(measure)}{f': {ways}' if len(names) == 2 else ''}"
    return styled(chart, title, text)
