"""Whether re-checked rows look like a random sample of the whole set."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.tally import Tally

WORDS = {"label": "labelled", "prediction": "predicted"}
EXPECTED = 5.0  # re-checked rows that a cell must lead one to expect to be compared on its own


def cells_of(whole: Tally, sample: Tally) -> Array:
    """Find the cell of the whole set that each cell of the sample lies in; the sample must fit into the whole.

    Both are tallies on the same axes, such as label × prediction, and the same classes.

    >>> cells_of(Tally.from_dense([[5, 1], [0, 4]]), Tally.from_dense([[0, 1], [0, 2]])).tolist()
    [1, 2]
    """
    sizes = [len(whole.classes)] * len(whole.axes)
    keys, sampled = (np.ravel_multi_index(tuple(tally.codes.T.astype(np.int64)), sizes) for tally in (whole, sample))
    at = np.minimum(np.searchsorted(keys, sampled), max(len(keys) - 1, 0))
    there = keys[at] == sampled if len(keys) else np.zeros(len(sampled), dtype=bool)
    short = ~there | (sample.counts > np.where(there, whole.counts[at], 0))
    if short.any():
        first = zip(whole.axes, sample.codes[np.flatnonzero(short)[0]], strict=True)
        cell = " and ".join(f"{WORDS.get(axis, axis)} {whole.classes[code]!r}" for axis, code in first)
        raise OptionError(f"The sample has more rows {cell} than the whole set. It must be a part of the whole set.")
    return np.asarray(at)


def sample_chance(whole: Tally, sample: Tally) -> float:
    """Return the p-value of the test that a sample was drawn at random from cells such as (label, prediction).

        Σ (n_c - n·N_c/N)² / (n·N_c/N) · (N-1)/(N-n)   against χ² with one degree of freedom less than cells

    Cells that lead one to expect fewer than 5 re-checked rows are pooled; with nothing left to compare it is 1. A high
    chance does not prove that the sample is random. Pearson (1900).

    >>> whole = Tally.from_dense([[4300, 700], [700, 4300]])
    >>> round(sample_chance(whole, Tally.from_dense([[43, 7], [7, 43]])), 3)
    1.0
    >>> sample_chance(whole, Tally.from_dense([[10, 40], [40, 10]])) < 1e-9
    True
    """
    from scipy.special import chdtrc

    n, size = sample.n, whole.n
    seen = np.zeros(len(whole.counts))
    seen[cells_of(whole, sample)] = sample.counts
    expected = whole.counts * (n / size)
    small = expected < EXPECTED
    if small.any():
        seen, expected = np.append(seen[~small], seen[small].sum()), np.append(expected[~small], expected[small].sum())
        if expected[-1] < EXPECTED and len(expected) > 1:  # still too small: joined to the smallest of the others
            at = int(expected[:-1].argmin())
            seen[at], expected[at] = seen[at] + seen[-1], expected[at] + expected[-1]
            seen, expected = seen[:-1], expected[:-1]
    if len(expected) < 2 or n >= size:
        return 1.0
    statistic = float(((seen - expected) ** 2 / expected).sum()) * (size - 1) / (size - n)
    return float(chdtrc(len(expected) - 1, statistic))
