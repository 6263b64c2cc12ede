"""Warn about annotators whose answers are (nearly) identical."""

from justesse.annotators.identical_answers import identical_pairs
from justesse.annotators.pairs import PairTables
from justesse.core.annotations import Annotations
from justesse.report.writing import Message, message

SHOWN = 5


def copied_warnings(notes: Annotations, tables: PairTables) -> list[Message]:
    """Name the pairs whose answers are so alike that one may have copied.

    >>> from justesse.annotators.pairs import pair_tables
    >>> lines = ["xxy", "yyx", "xxx", "yyy"] * 6
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip(["A", "B", "C"], line)]
    >>> notes = Annotations.of(rows)
    >>> print(copied_warnings(notes, pair_tables(notes))[0])
    A and B gave the same answer to 24 of 24 common items, far more than other pairs: one may have copied, or both are far better than the rest.
    """
    pairs = identical_pairs(tables)
    if not pairs:
        return []
    names = [(notes.annotators[pair.first], notes.annotators[pair.second]) for pair in pairs]
    most = pairs[0]
    first = message(
        "{who} and {other} gave the same answer to {agreed:count} of {n:count} common items, far more than other pairs: "
        "one may have copied, or both are far better than the rest.",
        who=names[0][0],
        other=names[0][1],
        agreed=most.agreed,
        n=most.n,
    )
    if len(pairs) == 1:
        return [first]
    others = [str(message("{who} with {other}", who=who, other=other)) for who, other in names[1:]]
    rest = message(
        "{n:count further pair} of annotators gave nearly the same answers: {pairs:and}.", n=len(others), pairs=others
    )
    return [first, rest]
