"""Training, validation and test rows: choices use the validation rows only."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.procedures.holdout import Holdout
from justesse.procedures.kinds import Kind


@dataclass(frozen=True, eq=False)
class ThreeSets:
    """The positions of the rows of each set."""

    train: Array
    validation: Array
    test: Array

    @property
    def chosen_from(self) -> Array:
        """All rows that may be used for a choice: training and validation."""
        return np.concatenate([self.train, self.validation])

    @property
    def cv(self) -> list[tuple[Array, Array]]:
        """The `cv` of a scikit-learn search that is fitted on the rows of `chosen_from`."""
        cut = len(self.train)
        return [(np.arange(cut), np.arange(cut, cut + len(self.validation)))]


def three_sets(
    y: ArrayLike,
    *,
    shares: tuple[float, float, float] = (0.6, 0.2, 0.2),
    kind: Kind = "stratified",
    groups: ArrayLike | None = None,
    seed: int = 0,
) -> ThreeSets:
    """Cut rows into training, validation and test sets.

    Stratified by default; or plain, by group or by time (the latest rows are the test, those before them the
    validation) as in `Holdout`. With few rows each set is too small: use `nested`. Lectures 001, 002 (14.1) and 003
    (2.3).

    >>> result = three_sets([0, 1] * 50)
    >>> len(result.train), len(result.validation), len(result.test)
    (60, 20, 20)
    """
    labels = np.asarray(y)
    own = None if groups is None else np.asarray(groups)
    if min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise OptionError(
            f"shares must be three numbers above 0 that add up to 1, such as (0.6, 0.2, 0.2); got {shares!r}."
        )

    def cut(rows: Array, share: float, chance: int) -> tuple[Array, Array]:
        splitter: Any = Holdout(share, kind=kind, random_state=chance)
        [(left, right)] = splitter.split(rows, labels[rows], None if own is None else own[rows])
        return rows[left], rows[right]

    rest, test = cut(np.arange(len(labels)), shares[2], seed)
    train, validation = cut(rest, shares[1] / (shares[0] + shares[1]), seed + 1)
    return ThreeSets(train, validation, test)
