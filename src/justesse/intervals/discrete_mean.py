"""How far the mean of a value that takes a few values may be from what a sample shows."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.intervals.clopper_pearson import clopper_pearson


def mean_reach(
    values: ArrayLike,
    shares: ArrayLike,
    worth: float,
    tail: float,
    sign: int,
    *,
    method: Any = clopper_pearson,
    reference: float | None = None,
) -> float:
    """Return how far the mean of a discrete value may lie below (sign -1) or above (1) Σ value·share.

    Each share has its interval; a row has one value only, so the shares are negatively correlated (multinomial).

    Parameters
    ----------
    values
        Values that a row can have, all different.
    shares
        Share of each among the rows seen; 0 for those not seen.
    worth
        Number of rows that the shares are worth.
    tail
        Probability left out on this side.
    sign
        -1 for below, 1 for above.
    method
        Interval of a share.
    reference
        Value that the others are seen from. Default: the most frequent.

    >>> round(mean_reach([0, 1], [0.97, 0.03], 100, 0.025, 1), 4), round(mean_reach([0, 1], [1, 0], 100, 0.025, -1), 4)
    (0.0552, 0.0)
    """
    value, share = np.asarray(values, dtype=float), np.asarray(shares, dtype=float)
    if math.isinf(worth):
        return 0.0
    moves = value - (value[int(share.argmax())] if reference is None else reference)
    moves, share = moves[moves != 0], share[moves != 0]
    both = method(share * worth, worth, level=1 - 2 * tail)
    # downwards: values below the reference may be more frequent than seen, those above it less
    off = np.where(sign * moves > 0, both.high - share, share - both.low)
    part = np.abs(moves) * off
    lean = np.sign(moves) * np.sqrt(share / np.maximum(1 - share, 1e-12)) * part
    return math.sqrt(max(float((part**2).sum() + (lean**2).sum() - lean.sum() ** 2), 0.0))


def sample_worth(n: float, size: float, known: float | None = None) -> float:
    """Return how many rows of an endless supply tell as much as n of `size` rows drawn without replacement.

    If rows consist of units and only some units of a row were seen, `known` is the number of rows that these make up.

    >>> sample_worth(50, 101), sample_worth(10, 10), sample_worth(10, 10, known=5)
    (98.03921568627452, inf, 18.0)
    """
    left = size - (n if known is None else known)
    return n * (size - 1) / left if left > 0 else math.inf
