"""All tables of who was right that n rows can give, with their chances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

Array = NDArray[Any]
FAR = 8.0  # standard deviations past which a table is not waited for


@dataclass(frozen=True)
class Tables:
    """Counts of rows only the incumbent (b) or only the candidate (c) gets right, and how likely they are."""

    n: int
    b: Array
    c: Array
    chance: Array

    def share(self, where: Array) -> float:
        """Add up the chances of some of them."""
        return float(self.chance[where].sum())


def tables(n: int, *, difference: float, disagreement: float) -> Tables:
    """Enumerate the tables of n rows if the candidate is right so much more often, and exactly one is so often."""
    shares = (disagreement - difference) / 2, (disagreement + difference) / 2
    b, c = (grid.ravel() for grid in np.meshgrid(*(_likely(n, share) for share in shares)))
    b, c = b[b + c <= n], c[b + c <= n]
    rest = n - b - c
    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
    chance = np.exp(ways + xlogy(b, shares[0]) + xlogy(c, shares[1]) + xlogy(rest, 1 - disagreement))
    return Tables(n, b, c, chance / chance.sum())


def _likely(n: int, share: float) -> Array:
    spread = FAR * (n * share * (1 - share)) ** 0.5 + FAR
    return np.arange(max(0, int(n * share - spread)), min(n, int(n * share + spread)) + 1)
