"""What this room asks of a tally: whole rows, on the axes it needs, with the classes it knows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, OptionError, WeightError
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.core.tally import Tally


def counted(tally: Tally, *axes: str) -> Tally:
    """Return the tally on these axes; refuse weighted rows.

    A wrong label is wrong for a whole row: weighted rows and sets of resamples are refused.

    >>> counted(Tally.from_dense([[5, 1], [0, 4]]), "label").n
    10
    """
    for axis in axes:
        tally.axis(axis)
    if tally.weighted:
        raise WeightError("Wrong labels are counted by rows, but these rows have weights. Count them without weights.")
    if tally.counts.ndim > 1:
        raise OptionError(f"One tally is needed; got {len(tally.counts)} resamples of one.")
    return tally.marginal(*axes)


def on_classes(tally: Tally, classes: Sequence[ClassName], *, what: str) -> Tally:
    """Count the same rows on another list of classes, which must name all of the tally's.

    Answers outside the classes (`Tally.others`) need not be named: they come last.

    >>> on_classes(Tally.from_dense([[5, 1], [0, 4]], ["b", "a"]), ["a", "b", "c"], what="the table").classes
    ('a', 'b', 'c')
    """
    named = {identity(name) for name in classes}
    outside = [name for name in tally.others if identity(name) not in named]
    strangers = {identity(name) for name in tally.classes} - named - {identity(name) for name in outside}
    if strangers:
        missing = [name for name in tally.classes if identity(name) in strangers]
        raise ClassError(
            f"Class {missing[0]!r} is missing from {what}, which must name every class. It names: "
            f"{', '.join(map(repr, classes[:20]))}."
        )
    coded = [(tally.codes[:, a], names) for a, names in enumerate(tally.levels)]
    recounted = Tally.from_codes(tally.axes, coded, tally.counts, classes=[*classes, *outside])
    return replace(recounted, others=tally.others)


def padded(table: NDArray[Any], size: int) -> NDArray[Any]:
    """Add empty rows and columns for answers outside the classes, which are never true and never a label.

    >>> padded(np.eye(2), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    known = table.shape[-1]
    if known == size:
        return table
    wider = np.zeros((*table.shape[:-2], size, size), dtype=table.dtype)
    wider[..., :known, :known] = table
    return wider
