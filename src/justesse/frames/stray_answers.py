"""Answers of a classifier that are no class, and rows without an answer."""

from collections.abc import Collection, Iterator

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.frames.values import Named


def stray_answers(
    name: str, column: Named, rows: Array, known: Collection[tuple[type, ClassName]]
) -> Iterator[tuple[str, ClassName, int]]:
    """Count the answers of a classifier that are no class."""
    sizes = np.bincount(column.codes[rows], minlength=len(column.names)).tolist()
    for answer, n in zip(column.names, sizes, strict=True):
        if n and answer is not None and identity(answer) not in known:
            yield name, answer, n


def blank_answers(column: Named, known: Collection[tuple[type, ClassName]], policy: AnswerPolicy) -> Array:
    """Mark the rows without an answer, or with one that counts as missing because it is no class."""
    if policy.others != "missing":
        return column.missing
    return np.isin(column.codes, [code for code, name in enumerate(column.names) if identity(name) not in known])
