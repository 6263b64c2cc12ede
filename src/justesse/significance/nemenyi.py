"""Nemenyi's critical difference: which classifiers can mean ranks tell apart?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.results import check_level
from justesse.significance.mean_ranks import checked_ranks, rank_error

ASSUMPTIONS = (
    "ranks come from the same independent data sets for all",
    "enough data sets for mean ranks to be close to normal, and few ties",
    "all pairs are compared, and the level holds for all of them together",
)


@dataclass(frozen=True)
class Nemenyi:
    """How far apart mean ranks must be, the p-value of every pair, and the groups that cannot be told apart.

    Positions are those of `ranks`. `groups` are the largest sets of at least two that lie closer together than the
    critical difference, best first; they may overlap, and say nothing about who is equal.
    """

    ranks: tuple[float, ...]
    n: int
    level: float
    critical_difference: float
    pvalues: tuple[tuple[float, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    test: str = "nemenyi"
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def to_dict(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "ranks": list(self.ranks),
            "n": self.n,
            "level": self.level,
            "critical_difference": self.critical_difference,
            "pvalues": [list(row) for row in self.pvalues],
            "groups": [list(group) for group in self.groups],
            "assumptions": list(self.assumptions),
        }


def nemenyi(ranks: Sequence[float], n: int, *, level: float = 0.95) -> Nemenyi:
    """Compare all pairs of L classifiers by their mean ranks over n data sets, holding the level for all pairs.

        critical difference = q_α·sqrt(L(L+1)/6n),   q_α = quantile of the studentised range / √2
        p = P(range of L standard normals ≥ √2·|R_i - R_j| / sqrt(L(L+1)/6n))

    Use it after Friedman's test; against one incumbent only, Holm's procedure (`holm_ranks`) finds more. The answer
    about two classifiers depends on which others are in the pool. Nemenyi (1963); Demšar (2006).

    Parameters
    ----------
    ranks
        Mean rank of each classifier, 1 is best.
    n
        Number of data sets.
    level
        Confidence level.

    Returns
    -------
    Nemenyi
        Critical difference, p-values of all pairs, and groups.

    Examples
    --------
    >>> result = nemenyi([3.143, 2.000, 2.893, 1.964], 14)
    >>> round(result.critical_difference, 2), result.groups
    (1.25, ((3, 1, 2, 0),))
    """
    from scipy.stats import studentized_range

    means = checked_ranks(ranks)
    many = len(means)
    error = rank_error(many, n)
    difference = float(studentized_range.ppf(check_level(level), many, math.inf)) / math.sqrt(2) * error
    pvalues = np.ones((many, many))
    above = np.triu_indices(many, 1)
    gaps = np.abs(means[above[0]] - means[above[1]])
    pvalues[above] = np.clip(studentized_range.sf(math.sqrt(2) * gaps / error, many, math.inf), 0, 1)
    return Nemenyi(
        tuple(means.tolist()),
        int(n),
        level,
        difference,
        tuple(tuple(row) for row in np.minimum(pvalues, pvalues.T).tolist()),
        tuple(_groups(means.tolist(), difference)),
    )


def _groups(means: list[float], difference: float) -> list[tuple[int, ...]]:
    """Slide along the sorted ranks: from each one as far as the critical difference reaches, if that is new ground."""
    order = sorted(range(len(means)), key=means.__getitem__)
    groups, reached = [], 0
    for start, first in enumerate(order):
        end = start + sum(means[other] - means[first] < difference for other in order[start:])
        if end > max(reached, start + 1):
            groups.append(tuple(order[start:end]))
            reached = end
    return groups
