"""What a judge decided for every ordered pair, against a reference (Benjelloun 2021, figure 6.6)."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import SOFT, clipped, styled
from justesse.charts.png import png_address
from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.printable import printable

BOTH_KEEP, BOTH_REPLACE, TYPE_2, TYPE_1, NO_PAIR = range(5)
NAMES = ("both keep", "both replace", "type II: kept, should be replaced", "type I: replaced, should be kept")
DESCRIBED = ("both keep (blue)", "both replace (black)", "type II error (white)", "type I error (red)")
# the thesis' blue, black, white and red, as far apart for colour-blind readers and on grey paper as they can be;
# not quite black and white, which follow the shade of a page
PAINTS = ("#56b4e9", "#111111", "#fefefe", "#c8301a", "#9a9a9a")
ITSELF = "same classifier: no pair"
MARKS = ("", "", "II", "I")
DRAWN = 900  # cells up to which each is drawn and marked by itself, rather than as a pixel
WIDE, WIDEST = 480, 800  # pixels for up to three panels side by side, and for more
FINEST = 2  # dots to each of them, as sharp screens have
DESCRIBED_MATRICES = 6  # matrices whose type I errors the text alternative counts
ACROSS = 5  # panels in a row where there is no grid of judges and label versions


@dataclass(frozen=True)
class Panel:
    """The decisions of one judge on one version of the labels: row i incumbent, column j candidate."""

    judge: str
    version: str
    cells: Array

    @property
    def counts(self) -> list[int]:
        """Number of pairs with each of the four outcomes."""
        return np.bincount(self.cells.ravel(), minlength=NO_PAIR)[:NO_PAIR].tolist()  # type: ignore[no-any-return]


def decision_cells(replaces: Array, reference: Array) -> Array:
    """Classify each pair by decision and reference.

    >>> decision_cells(np.array([[False, True], [True, False]]), np.array([[False, True], [False, False]])).tolist()
    [[4, 1], [3, 4]]
    """
    cells = np.where(replaces, np.where(reference, BOTH_REPLACE, TYPE_1), np.where(reference, TYPE_2, BOTH_KEEP))
    np.fill_diagonal(cells, NO_PAIR)
    return cells.astype(np.uint8)


def reduced(cells: Array, most: int) -> Array:
    """Shrink a matrix to be drawn: a dot shows a type I error if it holds one, else its most frequent outcome.

    >>> reduced(np.array([[4, 0, 0, 0], [0, 4, 0, 3], [0, 1, 4, 1], [0, 0, 1, 4]]), 2).tolist()
    [[0, 3], [0, 1]]
    """
    size = len(cells)
    step = -(-size // most)
    if step == 1:
        return cells
    places = np.arange(size) // step
    blocks = int(places[-1]) + 1
    where = (places[:, None] * blocks + places[None, :]).ravel()
    counted = np.bincount(where * (NO_PAIR + 1) + cells.ravel(), minlength=blocks * blocks * (NO_PAIR + 1))
    counts = counted.reshape(blocks, blocks, NO_PAIR + 1)
    return np.where(counts[..., TYPE_1] > 0, TYPE_1, counts[..., :NO_PAIR].argmax(axis=-1)).astype(np.uint8)


def decision_matrix_chart(
    panels: Sequence[Panel], names: Sequence[object], *, measure: str, reference: str, best_first: bool = True
) -> vl.Chart:
    """Draw a matrix for each judge and version of the labels, with the classifiers from the best to the worst.

    Parameters
    ----------
    panels
        The decisions of each judge on each version of the labels.
    names
        Names of the classifiers, in the order of the rows and columns.
    measure
        What the judges compared, in words.
    reference
        What the decisions are checked against, in words.
    best_first
        Whether the classifiers go from the best to the worst, or the other way round.
    """
    if not panels or any(panel.cells.shape != (len(names), len(names)) for panel in panels):
        raise OptionError(f"Each panel needs a row and a column for each of the {len(names)} classifiers.")
    versions = list(dict.fromkeys(panel.version for panel in panels))
    across = len(versions) if len(versions) > 1 else min(ACROSS, len(panels))
    size = WIDE if len(panels) == 1 else math.floor((WIDE if across <= 3 else WIDEST) / across - 14)
    drawn = [
        _drawn(panel, names, size, alone=len(panels) == 1, best_first=best_first).properties(
            title=_heading(panel, size, versions=len(versions) > 1)
        )
        for panel in panels
    ]
    chart = drawn[0] if len(panels) == 1 else vl.concat(*drawn, columns=across, spacing=14)
    first = "best first" if best_first else "worst first"
    many = f"{len(names):,} classifiers, sorted by {measure} on the true classes, {first}"
    single = [panels[0].judge] if len(panels) == 1 else []
    about = ", ".join(filter(None, [*single, *(versions if len(versions) == 1 else [])]))
    below = [about, many, f"row: incumbent, column: candidate; reference: {reference}"]
    below += ["each dot stands for several pairs; red if any is a type I error"] if len(names) > FINEST * size else []
    counted = _counted(panels[0]) if len(panels) == 1 else _type_one_errors(panels, versions=len(versions) > 1)
    description = f"Decisions on all ordered pairs of {many}. Reference: {reference}. {counted}"
    lines = [clipped(line, 80) for line in below if line]
    return styled(chart, "Decisions on every pair, against the reference", description, below=lines)


def _counted(panel: Panel) -> str:
    counts = (f"{size:,} {name}" for size, name in zip(panel.counts, DESCRIBED, strict=True))
    return f"{panel.judge}: {', '.join(counts)}."


def _type_one_errors(panels: Sequence[Panel], *, versions: bool) -> str:
    """Count the errors that matter most, largest first; the matrices without any are only mentioned."""
    errors = {
        f"{panel.judge} at {panel.version}" if versions else panel.judge: panel.counts[TYPE_1] for panel in panels
    }
    largest = sorted((name for name in errors if errors[name]), key=lambda name: -errors[name])
    if not largest:
        return "No type I error (red)."
    named = ", ".join(f"{name} {errors[name]:,}" for name in largest[:DESCRIBED_MATRICES])
    rest = "; fewer in the others" if len(largest) > DESCRIBED_MATRICES else "; none in the others"
    return f"Type I errors (red): {named}{rest if len(errors) > min(len(largest), DESCRIBED_MATRICES) else ''}."


def _heading(panel: Panel, size: int, *, versions: bool) -> Any:
    """Name a panel, in a line more where its name is long, and its version where there are several."""
    most = max(10, size // 6)
    name, bracket, rest = panel.judge.partition(" (")
    lines = [panel.judge] if len(panel.judge) <= most or not bracket else [name, f"({rest}"]
    written = [clipped(line, most) for line in (*lines, *([panel.version] if versions else []))]
    return vl.TitleParams(written, anchor="start", fontSize=12, fontWeight="normal", offset=5)


def _drawn(panel: Panel, names: Sequence[object], size: int, *, alone: bool, best_first: bool) -> Any:
    """Draw one matrix: cell by cell if there are few and it stands alone, otherwise as a picture."""
    scale = vl.Scale(domain=[*NAMES, ITSELF], range=list(PAINTS))
    legend = vl.Legend(
        title=None, orient="top", columns=2, symbolType="square", symbolSize=130, symbolOpacity=1,
        symbolStrokeColor=SOFT, symbolStrokeWidth=1, labelLimit=260,
    )  # fmt: skip
    colour = vl.Color("outcome:N", scale=scale, legend=legend)
    if alone and panel.cells.size <= DRAWN:
        return _cells(panel, [printable(name) for name in names], size, colour, best_first=best_first)
    colours = np.array([[int(paint[at : at + 2], 16) for at in (1, 3, 5)] for paint in PAINTS], dtype=np.uint8)
    address = png_address(colours[reduced(panel.cells, FINEST * size)])
    image = (
        vl.Chart([{"picture": address}])
        .mark_image(width=size, height=size, smooth=False, aspect=False, align="left", baseline="top", aria=False)
        .encode(x=vl.XValue(0), y=vl.YValue(0), url="picture:N")
    )
    keys = (  # nothing to see: they are there for the legend
        vl.Chart([{"outcome": name} for name in (*NAMES, ITSELF)])
        .mark_square(opacity=0)
        .encode(x=vl.XValue(0), y=vl.YValue(0), color=colour)
    )
    frame = (
        vl.Chart([{}])
        .mark_rect(filled=False, stroke=SOFT, strokeWidth=1)
        .encode(x=vl.XValue(0), x2=vl.X2Value(size), y=vl.YValue(0), y2=vl.Y2Value(size))
    )
    return vl.layer(image, keys, frame).properties(width=size, height=size)


def _cells(panel: Panel, names: list[str], size: int, colour: Any, *, best_first: bool) -> Any:
    first, last = ("best", "worst") if best_first else ("worst", "best")
    places = [f"{at:04d}" for at in range(len(names))]  # names may be printed alike; their places differ
    shown = dict(zip(places, (clipped(name, 18) for name in names), strict=True))
    axis: Any = {"grid": False, "domain": False, "labelExpr": f"{json.dumps(shown)}[datum.value]"}
    points = [
        {"i": places[i], "j": places[j], "incumbent": names[i], "candidate": names[j], "outcome": NAMES[cell],
         "mark": MARKS[cell]}
        for i, row in enumerate(panel.cells.tolist())
        for j, cell in enumerate(row)
        if cell != NO_PAIR
    ]  # fmt: skip
    itself = [{"i": place, "j": place, "outcome": ITSELF} for place in places]
    where = {
        "x": vl.X("j:N", scale=vl.Scale(domain=places), title=f"candidate: {first} to {last} →",
                axis=vl.Axis(labelAngle=-60, **axis)),
        "y": vl.Y("i:N", scale=vl.Scale(domain=places), title=f"← incumbent: {last} to {first}", axis=vl.Axis(**axis)),
    }  # fmt: skip
    base = vl.Chart(points).encode(**where)
    tiles = base.mark_rect(stroke=SOFT, strokeWidth=0.5).encode(
        color=colour, tooltip=["incumbent:N", "candidate:N", "outcome:N"]
    )
    layers = [vl.Chart(itself).mark_rect(stroke=SOFT, strokeWidth=0.5).encode(color=colour, **where), tiles]
    side = (size - 80) / len(names)
    if side >= 14:  # so that the errors are told apart without colour
        ink = vl.condition("datum.mark == 'I'", vl.value("#fefefe"), vl.value("#111111"))
        layers.append(base.mark_text(fontSize=min(12, side * 0.6)).encode(text="mark:N", color=ink))
    return vl.layer(*layers).properties(width=vl.Step(side), height=vl.Step(side))
