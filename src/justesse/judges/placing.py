"""Place at most so many wrong labels where they hurt the candidate most, in a comparison on the same rows.

Only rows on which a label decides between the two matter, so the worst placing is found from their counts. Everything
works for one pair or for many.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.all_pairs import Judgeable, PairTable
from justesse.core.arrays import Array
from justesse.core.case import Disagreement
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.judges.worst_precision import worst_precision

STEPS = 32  # number of steps at most, all of equal size: up to this many rows are tried one by one


@dataclass(frozen=True)
class Budget:
    """Largest number of wrong labels: in all, among those of the class, and among all others."""

    rows: int
    leaving: int
    joining: int

    @classmethod
    def of(cls, rows: int) -> "Budget":
        """Allow so many wrong labels of any kind."""
        return cls(rows, rows, rows)


def worst_placing(table: PairTable, measure: Judgeable, most: Budget, *, z: float = 0.0) -> PairTable:
    """Re-label at most so many rows in the way that is worst for a candidate that looks better.

    For accuracy, rows that only the candidate gets right go to the incumbent, then rows where both are wrong in
    different ways. For recall, rows that only the incumbent assigns to the class join it, rows that only the candidate
    does leave it, then any others join. Both minimise the paired score statistic wherever it is above 0, at any margin.
    For precision, the lower end, difference - z·error, is minimised (`worst_precision`). The tests compare all this
    with every possible placing on thousands of small tables.

    >>> table = OneVsRestPair(Disagreement(50, 4, 9, 2, 0), Disagreement(3, 2, 1, 29, 0))
    >>> worst = worst_placing(table, "recall", Budget.of(5))
    >>> [int(rows) for rows in (worst.labelled.only_incumbent, worst.labelled.only_candidate, worst.labelled.n)]
    [6, 6, 64]
    """
    if isinstance(table, Disagreement):
        return table.relabelled(most.rows, towards="incumbent")
    if measure == "precision":
        return worst_precision(table, most.rows, most.leaving, most.joining, z)
    joining = np.minimum(most.joining, table.others.only_incumbent)
    leaving = np.minimum(np.minimum(most.rows - joining, most.leaving), table.labelled.only_candidate)
    rest = np.minimum(most.rows - joining - leaving, most.joining - joining)
    return _neutral(_moved(table, leaving=leaving, joining=joining), rest)


def placings(table: PairTable, measure: Judgeable, most: Budget, *, z: float = 0.0) -> Iterator[PairTable]:
    """Yield the placings of one pair among which the lower end of the difference is lowest, also below 0.

    For recall the class may also be made smaller, so that rows which count against the candidate weigh more. These
    placings are arrays.
    """
    yield worst_placing(table, measure, most, z=z)
    if measure != "recall":
        return
    assert isinstance(table, OneVsRestPair)
    leaving = _steps(min(most.leaving, int(table.labelled.only_candidate)))[:, None]
    joining = np.minimum(_steps(min(most.joining, int(table.others.only_incumbent))), most.rows - leaving)
    moved, rest = _moved(table, leaving=leaving, joining=joining), most.rows - leaving - joining
    yield _neutral(moved, np.minimum(rest, most.joining - joining))
    yield _neutral(moved, -np.minimum(rest, most.leaving - leaving))


def _steps(most: int) -> Array:
    return np.unique(np.round(np.linspace(0, most, STEPS + 1)).astype(int))


def _moved(
    table: OneVsRestPair, *, leaving: Array | int = 0, joining: Array | int = 0, both: Array | int = 0
) -> OneVsRestPair:
    """Move rows that only the candidate assigns to the class out of it; rows of the incumbent, or of both, into it."""
    inside, outside = table.labelled, table.others
    return OneVsRestPair(
        replace(
            inside,
            only_candidate=inside.only_candidate - leaving,
            only_incumbent=inside.only_incumbent + joining,
            both_right=inside.both_right + both,
        ),
        replace(
            outside,
            only_candidate=outside.only_candidate + leaving,
            only_incumbent=outside.only_incumbent - joining,
            both_right=outside.both_right - both,
        ),
    )


def _neutral(table: OneVsRestPair, rows: Array | int) -> OneVsRestPair:
    """Move rows that both, or neither, assign to the class into it, or out of it if `rows` is negative."""
    parts = ("both_right", "both_wrong_alike", "both_wrong_differently")
    inside, outside, left = vars(table.labelled).copy(), vars(table.others).copy(), rows
    for part in parts:
        moved = np.clip(left, -inside[part], outside[part])
        inside[part], outside[part], left = inside[part] + moved, outside[part] - moved, left - moved
    return OneVsRestPair(Disagreement(**inside), Disagreement(**outside))
