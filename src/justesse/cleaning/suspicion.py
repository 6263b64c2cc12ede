"""What a filter finds: a score for each row, whether it is flagged, the class it suggests, and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError

NO_CLASS = -1


@dataclass(frozen=True, eq=False)
class Suspicion:
    """A score from 0 to 1 for each row, the higher the more suspicious, and what follows from it.

    Parameters
    ----------
    score
        The filter's own score.
    flagged
        Whether the filter holds the label to be wrong.
    suggested
        Code of the class that the filter would give the row, -1 if it names none.
    reason
        Function of a row's number that says in a sentence why the row has its score.
    shares
        Probability, or share of votes, of each class: rows × classes; by models or neighbours other than the row.
    wrong
        Probability that the label is wrong by the filter's own model, if it has one.
    facts
        Figures about the filter, such as its thresholds.
    warnings
        What may be misread.
    """

    score: FloatArray
    flagged: Array
    suggested: Array
    reason: Callable[[int], str]
    shares: FloatArray | None = None
    wrong: FloatArray | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (self.score.shape == self.flagged.shape == self.suggested.shape) or self.score.ndim != 1:
            raise InputError("A filter must give a score, a flag and a class for each row.")
        if not np.all((self.score >= 0) & (self.score <= 1)):
            raise InputError("Scores of a filter must lie between 0 and 1.")
