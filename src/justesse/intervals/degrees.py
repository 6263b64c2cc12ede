"""How well a sum of squares is known: its degrees of freedom."""

import math

from justesse.core.arrays import Array


def kurtosis_degrees(squares: Array) -> float:
    """Compute the degrees of freedom of a sum of squares from the squares themselves.

        ν = 2·(Σ_i s_i)² / (Σ_i s_i² - (Σ_i s_i)²/k)

    About k for k normal values; fewer if a few of them make most of the sum, which is then known less well than k
    suggests. Infinite if all squares are equal, so use it with an upper limit such as k - 1. O'Neill (2014).

    Examples
    --------
    >>> import numpy as np
    >>> kurtosis_degrees(np.array([9.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    2.4
    >>> kurtosis_degrees(np.ones(6))
    inf
    >>> kurtosis_degrees(np.array([9e200, 0.0, 0.0, 0.0, 0.0, 0.0]))
    2.4
    """
    largest = float(squares.max(initial=0.0))
    if not 0 < largest < math.inf:
        return math.inf
    squares = squares / largest  # their own squares could be too large for a number
    total = float(squares.sum())
    uneven = float((squares**2).sum()) - total**2 / len(squares)
    return 2 * total**2 / uneven if uneven > 1e-12 * total**2 else math.inf
