"""The scores of two classifiers on the same folds, and how they are to be compared."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.intervals.ends import Sides


@dataclass(frozen=True)
class FoldPair:
    """Scores of an incumbent and a candidate, higher is better, fold by fold.

    `repetitions` says which repetition each fold belongs to; `test_over_train` is n_test/n_train, `None` if the folds
    share no training rows.
    """

    incumbent: Sequence[float]
    candidate: Sequence[float]
    repetitions: Sequence[Hashable] | None = None
    test_over_train: float | None = None
    level: float = 0.95
    alternative: Alternative = "two-sided"
    seed: int = 0

    @property
    def sides(self) -> Sides:
        """Level and alternative, as keyword arguments."""
        return {"level": self.level, "alternative": self.alternative}

    def five_by_two(self) -> tuple[Array, Array]:
        """Return both as tables of five repetitions (rows) of two folds (columns).

        >>> FoldPair([0.8] * 10, [0.9] * 10, [1, 2, 3, 4, 5] * 2).five_by_two()[0].shape
        (5, 2)
        """
        codes: dict[Hashable, int] = {}
        names = () if self.repetitions is None else self.repetitions
        places = [codes.setdefault(name, len(codes)) for name in names]
        if len(self.incumbent) != 10 or np.bincount(places, minlength=1).tolist() != [2] * 5:
            raise OptionError(
                f"5x2 tests need five repetitions of two folds, ten scores of each model; got {len(self.incumbent)}."
            )
        order = np.argsort(places, kind="stable")
        tables = (np.asarray(scores, dtype=float)[order].reshape(5, 2) for scores in (self.incumbent, self.candidate))
        return next(tables), next(tables)
