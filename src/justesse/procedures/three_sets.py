"""Train, validation and test: choices are made on the second, and the third is never used for any choice."""

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
        """All rows that may take part in a choice: train and validation."""
        return np.concatenate([self.train, self.validation])

    @property
    def cv(self) -> list[tuple[Array, Array]]:
        """What a search of scikit-learn takes as `cv` when it is fitted on the rows of `chosen_from`."""
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
    """Cut rows into training, validation and test sets, stratified unless told otherwise.

    Stratified, plain, by group or by time (test the latest, validation just before) as in `Holdout`. Wrong to use on
    few rows, where each set says little: use `nested`. Lectures 001, 002 (14.1) and 003 (2.3).

    >>> found = three_sets([0, 1] * 50)
    >>> len(found.train), len(found.validation), len(found.test)
    (60, 20, 20)
    """
    labels = np.asarray(y)
    own = None if groups is None else np.asarray(groups)
    if min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise OptionError(f"three shares above 0 that add up to 1 are needed, such as (0.6, 0.2, 0.2); got {shares!r}")

    def cut(rows: Array, share: float, chance: int) -> tuple[Array, Array]:
        splitter: Any = Holdout(share, kind=kind, random_state=chance)
        [(left, right)] = splitter.split(rows, labels[rows], None if own is None else own[rows])
        return rows[left], rows[right]

    rest, test = cut(np.arange(len(labels)), shares[2], seed)
    train, validation = cut(rest, shares[1] / (shares[0] + shares[1]), seed + 1)
    return ThreeSets(train, validation, test)
