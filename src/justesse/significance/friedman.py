"""Friedman's test: do several classifiers rank differently over data sets?"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import TestResult, finite_or_none
from justesse.core.seeds import stream
from justesse.significance.folds import score_table
from justesse.significance.mean_ranks import ranks_within

ASSUMPTIONS = (
    "all were scored on the same independent data sets (folds of one cross-validation are not)",
    "only the order of scores within a data set counts",
)

FEW = 10  # data sets
DRAWS = 20_000  # of random orders
MOST_ORDERED = 7  # classifiers whose orders are all listed
INFINITE = "F is infinite: every data set gives the same order. Its p-value is the exact probability of that."


@dataclass(frozen=True)
class Friedman(TestResult):
    """The result of Friedman's test, with the mean ranks (1 is best) that Nemenyi's and Holm's procedures use.

    `statistic` and `pvalue` are those of χ²; `f_statistic` and `f_pvalue` those of Iman and Davenport, less
    conservative.
    """

    names: tuple[str, ...] = ()
    ranks: tuple[float, ...] = ()
    f_statistic: float = math.nan
    f_pvalue: float = math.nan
    f_df: tuple[float, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            **super().to_dict(),
            "ranks": dict(zip(self.names, self.ranks, strict=True)),
            "f_statistic": finite_or_none(self.f_statistic),
            "f_degrees": list(self.f_df),
            "f_pvalue": finite_or_none(self.f_pvalue),
            "f_undefined": INFINITE if math.isinf(self.f_statistic) else None,
        }


def friedman(scores: ArrayLike, *, names: Sequence[str] | None = None, higher_is_better: bool = True) -> Friedman:
    """Test that L classifiers (columns) rank alike over N data sets (rows).

        χ² = (L-1)·Σ_j (R_j - N(L+1)/2)² / Σ_ij (r_ij - (L+1)/2)²,   L-1 degrees of freedom
        F  = (N-1)·χ² / (N(L-1) - χ²),                               L-1 and (L-1)(N-1)

    R_j adds up the ranks of classifier j; χ² allows for ties. χ² is slightly conservative. F is close to its level from
    about ten data sets on; with five it would reject in 7.6 % of cases at level 5 %. With fewer than ten, its p-value
    is therefore the share of random orders within data sets that give an F as large or larger: all of them if there are
    at most 20,000, else 20,000 drawn ones. If all data sets give the same order F is infinite, and its p-value the
    exact chance of that. Wrong over folds of one cross-validation. Friedman (1937); Iman and Davenport (1980); Demšar
    (2006).

    Parameters
    ----------
    scores
        One row per data set, one column per classifier.
    names
        Names of the classifiers.
    higher_is_better
        Whether a higher score is better.

    Returns
    -------
    Friedman
        Statistic, p-value and mean ranks.

    Examples
    --------
    >>> result = friedman([[0.80, 0.83, 0.81], [0.84, 0.86, 0.85], [0.79, 0.84, 0.85], [0.83, 0.85, 0.84]])
    >>> result.ranks, round(result.statistic, 2), round(result.pvalue, 3), round(result.f_pvalue, 3)
    ((3.0, 1.25, 1.75), 6.5, 0.039, 0.042)
    """
    from scipy.special import chdtrc, fdtrc

    table = score_table(scores)
    n, many = table.shape
    called = tuple(f"classifier {at + 1}" for at in range(many)) if names is None else tuple(names)
    if len(called) != many or len(set(called)) < many:
        raise OptionError(f"{many} different names are needed, one per column; got {names!r}.")
    ranks = ranks_within(table, higher_is_better=higher_is_better)
    apart = ranks - (many + 1) / 2
    spread = float((apart**2).sum())
    # ties everywhere: nothing tells them apart
    statistic = (many - 1) * float((apart.sum(axis=0) ** 2).sum()) / spread if spread else 0.0
    df = float(many - 1), float((many - 1) * (n - 1))
    if np.all(ranks == ranks[0]) and spread:
        f_statistic, f_pvalue = math.inf, _chance_of_one_order(ranks[0], n)
    else:
        f_statistic = (n - 1) * statistic / (n * (many - 1) - statistic)
        f_pvalue = float(fdtrc(*df, f_statistic)) if n >= FEW else _share_as_large(ranks, apart)
    return Friedman(
        "friedman",
        statistic,
        float(chdtrc(many - 1, statistic)),
        n,
        "two-sided",
        ASSUMPTIONS,
        df=df[:1],
        names=called,
        ranks=tuple(ranks.mean(axis=0).tolist()),
        f_statistic=f_statistic,
        f_pvalue=f_pvalue,
        f_df=df,
    )


def _share_as_large(ranks: Array, apart: Array) -> float:
    """Return the share of orders within data sets whose rank sums differ as much as these; the first order is fixed."""
    n, many = ranks.shape
    reached = float((apart.sum(axis=0) ** 2).sum()) - 1e-9
    apart = np.array(sorted(np.sort(apart, axis=1).tolist()))  # so that the order of rows and columns does not matter
    if many <= MOST_ORDERED and math.factorial(many) ** (n - 1) <= DRAWS:
        orders = np.array(list(itertools.permutations(range(many))))
        sums = apart[:1]
        for row in apart[1:]:
            sums = (sums[:, None] + row[orders]).reshape(-1, many)
        return float(((sums**2).sum(axis=1) >= reached).mean())
    generator = stream(0, "friedman")
    sums = sum((generator.permuted(np.tile(row, (DRAWS, 1)), axis=1) for row in apart), start=np.zeros((DRAWS, many)))
    return float(1 + ((sums**2).sum(axis=1) >= reached).sum()) / (1 + DRAWS)


def _chance_of_one_order(ranks: Array, n: int) -> float:
    """Return the chance that n random orders are the same: each but the first must hit one of L!/∏t! arrangements."""
    ties = np.unique(ranks, return_counts=True)[1].tolist()
    arrangements = math.lgamma(len(ranks) + 1) - sum(math.lgamma(tied + 1) for tied in ties)
    return math.exp(-(n - 1) * arrangements)
