"""Where at most so many wrong labels hurt the candidate most, in a comparison of two on the same rows.

Only rows on which a label decides between the two matter, so the worst placing is found from their counts. Everything
works for one pair or for many.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from justesse.core.around import AroundClass
from justesse.core.case import Array, Disagreement
from justesse.core.field import Judgeable, Table, shares
from justesse.significance.share_spreads import spreads

STEPS = 32  # as many steps at most, each of equally many rows: up to so many rows one by one


def worst_placing(table: Table, measure: Judgeable, rows: int, *, z: float = 0.0) -> Table:
    """Re-label at most so many rows in the way that most weakens the case for a candidate that looks better.

    accuracy: rows that only the candidate gets right go to the incumbent, then rows where both are wrong differently.
    recall: rows that only the incumbent calls so join the class, rows that only the candidate does leave it, then any
    others join. Both make the paired score statistic least wherever it is above 0, at any margin. precision: the lower
    end, difference - z·error, falls as steeply as it can, step by step. Compared with every placing there is on
    thousands of small tables in the tests.

    >>> found = worst_placing(AroundClass(Disagreement(50, 4, 9, 2, 0), Disagreement(3, 2, 1, 29, 0)), "recall", 5)
    >>> [int(rows) for rows in (found.labelled.only_incumbent, found.labelled.only_candidate, found.labelled.n)]
    [6, 6, 64]
    """
    if isinstance(table, Disagreement):
        return table.relabelled(rows, towards="incumbent")
    if measure == "precision":
        return _steepest(table, rows, z)
    joining = np.minimum(rows, table.others.only_incumbent)
    leaving = np.minimum(rows - joining, table.labelled.only_candidate)
    return _neutral(_moved(table, leaving=leaving, joining=joining), rows - joining - leaving)


def placings(table: Table, measure: Judgeable, rows: int, *, z: float = 0.0) -> Iterator[Table]:
    """Give the placings of one pair among which the lower end of the difference is least, also where it is below 0.

    For recall the class may also be made smaller, so that rows which count against the candidate weigh more; these
    placings come as arrays.
    """
    yield worst_placing(table, measure, rows, z=z)
    if measure != "recall":
        return
    assert isinstance(table, AroundClass)
    leaving = _steps(min(rows, int(table.labelled.only_candidate)))[:, None]
    joining = np.minimum(_steps(min(rows, int(table.others.only_incumbent))), rows - leaving)
    moved = _moved(table, leaving=leaving, joining=joining)
    for rest in (rows - leaving - joining, leaving + joining - rows):
        yield _neutral(moved, rest)


def _steps(most: int) -> Array:
    return np.unique(np.round(np.linspace(0, most, STEPS + 1)).astype(int))


def _moved(
    table: AroundClass, *, leaving: Array | int = 0, joining: Array | int = 0, both: Array | int = 0
) -> AroundClass:
    """Let rows that only the candidate calls so leave the class, those only the incumbent does, or both do, join it."""
    inside, outside = table.labelled, table.others
    return AroundClass(
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


def _neutral(table: AroundClass, rows: Array | int) -> AroundClass:
    """Let rows on which both say the class, or neither, join it (or leave it, below 0), as many as there are."""
    parts = ("both_right", "both_wrong_alike", "both_wrong_differently")
    inside, outside, left = vars(table.labelled).copy(), vars(table.others).copy(), rows
    for part in parts:
        moved = np.clip(left, -inside[part], outside[part])
        inside[part], outside[part], left = inside[part] + moved, outside[part] - moved, left - moved
    return AroundClass(Disagreement(**inside), Disagreement(**outside))


def _steepest(table: AroundClass, rows: int, z: float) -> AroundClass:
    """Re-label rows a few at a time, each time where the lower end of the difference of precision falls most a row.

    Rows that both call so move both precisions, the rarer prediction's more.
    """
    now, left, size = table, np.full(np.shape(table.n), rows), -(-rows // STEPS)
    while np.any(left > 0):
        step = np.minimum(size, left)
        moves = [
            np.minimum(step, cell)
            for cell in (
                now.labelled.only_candidate,
                now.others.only_incumbent,
                now.labelled.both_right,
                now.others.both_right,
            )
        ]
        end = _low_end(now, z)
        options = [
            _moved(now, leaving=moves[0]),
            _moved(now, joining=moves[1]),
            _moved(now, both=-moves[2]),
            _moved(now, both=moves[3]),
        ]
        falls = np.array([(end - _low_end(to, z)) / np.maximum(by, 1) for to, by in zip(options, moves, strict=True)])
        falls = np.nan_to_num(falls)
        best = falls.argmax(axis=0)
        further = falls.max(axis=0) > 0
        now = _chosen([now, *options], np.where(further, best + 1, 0))
        left = np.where(further, left - np.choose(best, moves), 0)
    return now


def _low_end(table: AroundClass, z: float) -> Array:
    return np.asarray(shares(table, "precision").difference - z * spreads(table, "precision").difference)


def _chosen(options: list[AroundClass], which: Array) -> AroundClass:
    def part(name: str) -> Disagreement:
        sides = [vars(getattr(option, name)) for option in options]
        return Disagreement(*(np.choose(which, [side[cell] for side in sides]) for cell in sides[0]))

    return AroundClass(part("labelled"), part("others"))
