"""Resamples that also make the mistakes nobody has seen yet."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.resampling import resampled
from justesse.core.tally import Tally


def smoothed_resamples(tally: Tally, draws: int, seed: int = 0) -> Iterator[Tally]:
    """Draw bootstrap tallies as if two more rows had been counted: one right and one wrong, spread over the classes.

        share of a cell = (n_ij + a_ij) / (n + 2),   a_kk = 1/K,   a_kj = 1/(K·(K - 1)) for j ≠ k

    K classes have labels. A plain bootstrap takes a class without mistakes as one that never errs: with 50 rows and an
    accuracy of 0.99, 95 % intervals of MCC, kappa and macro F1 then cover the true value in 5 to 42 % of test sets, and
    these in 97 % or more. With many rows the two do not matter (docs/validity.md). Agresti and Coull (1998) do the same
    for a single share.

    Examples
    --------
    >>> next(smoothed_resamples(Tally.from_dense([[30, 0], [0, 20]]), 1000)).counts.mean(axis=0).round(1).tolist()
    [29.4, 0.5, 0.5, 19.6]
    """
    if tally.axes != ("label", "prediction"):
        raise OptionError(f"Smoothed resamples need a tally of label and prediction; got {', '.join(tally.axes)}.")
    dense, imagined = with_imagined_rows(tally)
    return resampled(dense, draws, seed, imagined=imagined)


def with_imagined_rows(tally: Tally) -> tuple[Tally, Array]:
    """Return the tally with its empty cells, and how much of the two imagined rows each cell gets."""
    size = len(tally.classes)
    codes = np.indices((size, size)).reshape(2, -1).T.astype(np.int32)
    counts = np.zeros(size * size, dtype=np.int64)
    label, prediction = tally.codes.T
    counts[label * size + prediction] = tally.counts
    labelled = np.bincount(label, tally.counts, size) > 0
    classes = np.flatnonzero(tally.judged)
    imagined = np.zeros((size, size))
    imagined[np.ix_(labelled, classes)] = 1 / max(len(classes) - 1, 1)
    imagined[np.diag_indices(size)] = labelled
    return replace(tally, codes=codes, counts=counts), imagined.ravel() / max(labelled.sum(), 1)
