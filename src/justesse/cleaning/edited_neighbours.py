"""Edited nearest neighbours: rows whose nearest neighbours have another label."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.cleaning.votes import vote_shares, voted
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, OptionError

Vote = Literal["mode", "all"]


def nearest(features: Array, many: int) -> tuple[FloatArray, NDArray[np.int64]]:
    """Give the distances and numbers of the nearest other rows, nearest first.

    >>> nearest(np.array([[0.0], [1.0], [3.0]]), 1)[1].ravel().tolist()
    [1, 0, 1]
    """
    from sklearn.neighbors import NearestNeighbors

    values = np.asarray(features, dtype=np.float32 if len(features) > EXACT else np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise InputError("Neighbours need features that are finite numbers in every row.")
    if not 1 <= many < len(values):
        raise InputError(
            f"{len(values)} rows have at most {len(values) - 1} neighbours each; asked for {many}. Use fewer, such as "
            "edited-neighbours(neighbours=1)."
        )
    few = values.shape[1] <= FEW_COLUMNS
    search = NearestNeighbors(n_neighbors=many, algorithm="kd_tree" if few else "brute").fit(values)
    distances, rows = search.kneighbors()
    return np.asarray(distances, dtype=float), np.asarray(rows, dtype=np.int64)


EXACT = 20_000  # with more rows distances are of single precision
FEW_COLUMNS = 15  # a tree finds neighbours faster than comparing all rows


def look(evidence: LabelEvidence, *, neighbours: int = 3, vote: Vote = "mode") -> Suspicion:
    """Flag a row by the labels of its nearest other rows.

        mode   flagged if the most frequent label of the neighbours is another (of equally frequent ones the first)
        all    flagged if one neighbour has another label

    A row of a rare class is seldom among its own, and is flagged whether right or wrong. Distances mean something only
    if features are on one scale. Wilson (1972); thesis 3.4.2.

    >>> x = np.array([[0.0], [0.1], [0.2], [0.15], [5.0], [5.1], [5.2]])
    >>> look(LabelEvidence(np.array([0, 0, 0, 1, 1, 1, 1]), ("a", "b"), features=x), neighbours=2).flagged.tolist()
    [False, False, False, True, False, False, False]
    """
    if vote not in get_args(Vote):
        raise OptionError(f"vote must be one of {', '.join(get_args(Vote))}; got {vote!r}.")
    if neighbours < 1:
        raise OptionError(f"neighbours must be 1 or more; got {neighbours!r}.")
    votes = evidence.labels[nearest(evidence.features, neighbours)[1]]
    if vote == "all":
        return voted(evidence, votes, lambda against: against > 0, "neighbours")
    winner = vote_shares(votes, len(evidence.classes)).argmax(axis=1)
    return voted(evidence, votes, lambda _: winner != evidence.labels, "neighbours")


EDITED_NEIGHBOURS = Filter(
    "edited-neighbours",
    "Edited nearest neighbours",
    "Flags a row whose nearest neighbours have another label.",
    ("features",),
    look,
    "Wilson (1972)",
    "Features are on different scales, or a class is so rare that its rows have no neighbours of their own.",
    {"neighbours": "number of nearest rows", "vote": "mode (most frequent label) or all (one other label is enough)"},
)
