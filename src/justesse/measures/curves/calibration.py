"""Calibration: of the rows given a probability around s, is a share s positive?

    ECE = Σ_b (n_b/n)·|mean score of bin b - share of positives in bin b|

ECE depends on the bins and is biased upwards: even perfect probabilities miss by chance in every bin.
`expected_if_calibrated` says how much, so that an ECE can be read against it. Naeini et al. (2015), Roelofs et al.
(2022).

>>> table = ScoreCounts.of([0.9, 0.8, 0.3, 0.1], [1, 1, 1, 0])
>>> round(ece(calibration(table, bins=2)), 4)
0.225
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.measures.confusion import ratio
from justesse.measures.curves.score_counts import ScoreCounts

Binning = Literal["width", "mass"]


@dataclass(frozen=True)
class Bins:
    """The rows of each bin that has any: edges, how many, their mean score, their share of positives."""

    low: Array
    high: Array
    n: Array
    effective_n: Array
    mean_score: Array
    share_positive: Array
    spread: Array  # Σ w²·s·(1-s): what chance alone would do to the number of positives


def calibration(table: ScoreCounts, *, bins: int = 10, by: Binning = "width") -> Bins:
    """Gather rows in bins of equal width of score, or of equal mass of rows."""
    if bins < 2:
        raise OptionError(f"At least two bins are needed; got {bins!r}.")
    counted = (table.positives + table.negatives > 0)[::-1]  # rows of weight 0 fill no bin
    scores, rows = table.scores[::-1][counted], (table.positives + table.negatives)[::-1][counted]
    squares = (table.positive_squares + table.negative_squares)[::-1][counted]
    if by == "width":
        which = np.minimum((scores * bins).astype(int), bins - 1)
    elif by == "mass":
        middle = np.cumsum(rows) - rows / 2
        which = np.minimum((middle / rows.sum() * bins).astype(int), bins - 1)
    else:
        raise OptionError(f"by must be 'width' or 'mass'; got {by!r}.")
    starts = np.flatnonzero(np.diff(which, prepend=-1))

    def summed(values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, starts))

    n = summed(rows)
    ends = np.append(starts[1:], len(scores)) - 1
    return Bins(
        which[starts] / bins if by == "width" else scores[starts],
        (which[starts] + 1) / bins if by == "width" else scores[ends],
        n,
        ratio(n**2, summed(squares)),
        ratio(summed(rows * scores), n),
        ratio(summed(table.positives[::-1][counted]), n),
        summed(squares * scores * (1 - scores)),
    )


def ece(bins: Bins) -> float:
    """Compute the expected calibration error."""
    return float((bins.n * np.abs(bins.mean_score - bins.share_positive)).sum() / bins.n.sum())


def expected_if_calibrated(bins: Bins) -> float:
    """Return the ECE that chance alone would show if every probability were right (normal approximation)."""
    return float((np.sqrt(2 / np.pi) * np.sqrt(bins.spread)).sum() / bins.n.sum())
