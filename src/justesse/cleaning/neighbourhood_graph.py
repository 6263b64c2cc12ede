"""Neighbourhood graph: rows most of whose neighbours in a Gabriel or relative neighbourhood graph differ in label."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from justesse.cleaning.edited_neighbours import nearest
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.core.arrays import Array
from justesse.core.errors import OptionError

Graph = Literal["gabriel", "relative"]
BLOCK = 2_000_000  # numbers in memory at a time
WHOLE = 200  # so many rows are compared with all others


def graph_edges(features: Array, *, graph: Graph = "gabriel", neighbours: int = 20) -> NDArray[np.int64]:
    """Give the edges of the graph as pairs of rows (i < j), sorted.

        gabriel    i and j are joined if no row k has d(i,k)² + d(k,j)² < d(i,j)²
        relative   i and j are joined if no row k has max(d(i,k), d(k,j)) < d(i,j)

    A row that separates i and j is nearer to i than j is. So every edge is tested exactly; but only pairs of which one
    is among the nearest `neighbours` of the other are tested. If `neighbours` is all other rows, the graph is whole.
    Gabriel and Sokal (1969); Toussaint (1980).

    >>> graph_edges(np.array([[0.0], [1.0], [3.0]])).tolist()
    [[0, 1], [1, 2]]
    """
    if graph not in get_args(Graph):
        raise OptionError(f"graph must be one of {', '.join(get_args(Graph))}; got {graph!r}.")
    rows = len(features)
    many = min(neighbours if rows > WHOLE else rows - 1, rows - 1)
    values = np.asarray(features, dtype=float)
    distances, near = nearest(values, many)
    squares = distances**2
    kept = np.zeros((rows, many), dtype=bool)
    step = max(1, BLOCK // (many * max(values.shape[1], many)))
    for start in range(0, rows, step):
        own = slice(start, start + step)
        points = values[near[own]]
        lengths = np.einsum("rkd,rkd->rk", points, points)
        between = lengths[:, :, None] + lengths[:, None, :] - 2 * points @ points.transpose(0, 2, 1)
        # differences of large numbers: below this, two rows are the same, and none separates them
        rounding = 1e-12 * float(lengths.max(initial=0.0))
        between = np.maximum(between, 0.0)
        # [row, candidate j, separator k]
        to_k, to_j = squares[own][:, None, :], squares[own][:, :, None]
        longest = to_k + between if graph == "gabriel" else np.maximum(to_k, between)
        apart = longest < to_j * (1 - 1e-9) - rounding
        apart[:, np.arange(many), np.arange(many)] = False
        kept[own] = ~apart.any(axis=2)
    first, at = np.nonzero(kept)
    second = near[first, at]
    pairs = np.column_stack([np.minimum(first, second), np.maximum(first, second)])
    return np.asarray(np.unique(pairs, axis=0), dtype=np.int64)


def look(evidence: LabelEvidence, *, graph: Graph = "gabriel", neighbours: int = 20) -> Suspicion:
    """Flag a row if more than half of its edges lead to rows with another label.

        flagged if (neighbours with another label) / neighbours > 1/2

    Unlike a fixed number of neighbours, the graph has as many as the geometry gives. Rows of rare classes are flagged
    easily. Sánchez, Pla and Ferri (1997); Lallich, Muhlenbach and Zighed (2002); thesis 3.4.2.

    >>> x = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.4], [9, 9], [9, 8]])
    >>> look(LabelEvidence(np.array([0, 0, 0, 0, 1, 1, 1]), ("a", "b"), features=x)).flagged.tolist()
    [False, False, False, False, True, False, False]
    """
    values = np.asarray(evidence.features, dtype=float)
    edges = graph_edges(values, graph=graph, neighbours=neighbours)
    first, second = np.concatenate([edges, edges[:, ::-1]]).T
    classes = len(evidence.classes)
    votes = np.bincount(first * classes + evidence.labels[second], minlength=evidence.n * classes)
    shares = votes.reshape(evidence.n, classes) / np.bincount(first, minlength=evidence.n)[:, None]
    degrees = np.bincount(first, minlength=evidence.n)
    cut = np.bincount(first, evidence.labels[first] != evidence.labels[second], minlength=evidence.n)
    against = np.clip(1 - evidence.own(shares), 0, 1)
    flagged = against > 0.5 + 1e-9
    others = shares.copy()
    others[np.arange(evidence.n), evidence.labels] = -1.0
    rival = np.asarray(others.argmax(axis=1))

    def reason(row: int) -> str:
        label, other = evidence.classes[evidence.labels[row]], evidence.classes[rival[row]]
        return f"{cut[row]:.0f} of {degrees[row]} neighbours in the graph are not {label}; most of these are {other}."

    suggested = np.where(flagged, rival, evidence.labels)
    return Suspicion(against, flagged, suggested, reason, shares, facts={"graph": graph, "edges": len(edges)})


NEIGHBOURHOOD_GRAPH = Filter(
    "neighbourhood-graph",
    "Neighbourhood graph",
    "Flags a row most of whose neighbours in a Gabriel or relative neighbourhood graph have another label.",
    ("features",),
    look,
    "Sánchez, Pla and Ferri (1997)",
    "Features are on different scales, or a class is so rare that its rows have no neighbours of their own.",
    {"graph": "gabriel or relative", "neighbours": "nearest rows that may be joined"},
)
