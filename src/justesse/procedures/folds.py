"""Cross-validation: each row is tested once by a model that did not see it; also leave-one-out and 5x2."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import check_seed, stream
from justesse.procedures.by_time import fold_cuts, time_blocks
from justesse.procedures.kinds import Kind, check_kind, grouped, no_groups, rows_of, strata


@dataclass(frozen=True)
class Folds:
    """Cut the rows into k folds at random and test on each in turn, `repeats` times; scikit-learn takes it as `cv`.

    `stratified` keeps the share of each class, `grouped` keeps rows of a group together (pass `groups`), `by-time` cuts
    k+1 blocks in the order of time, trains on all blocks before each and tests on it, once (pass times as `groups`, or
    rows in order). Rows that belong together need groups: the same case in training and test makes every figure too
    good. Stone (1974); Kohavi (1995).

    >>> [test.tolist() for _, test in Folds(3, kind="by-time").split(range(8))]
    [[2, 3], [4, 5], [6, 7]]
    """

    k: int = 10
    repeats: int = 1
    kind: Kind = "stratified"
    random_state: int = 0

    def __post_init__(self) -> None:
        check_kind(self.kind)
        check_seed(self.random_state)
        if self.k < 2:
            raise OptionError(f"The number of folds, k (--k), must be at least 2; got {self.k!r}.")
        if self.repeats < 1:
            raise OptionError(
                f"The number of repetitions, repeats (--repeats), must be at least 1; got {self.repeats!r}."
            )
        if self.kind == "by-time" and self.repeats > 1:
            raise OptionError(
                f"Folds by time have one order, so they cannot be repeated; got repeats={self.repeats!r}. Leave out "
                "repeats (--repeats)."
            )

    @property
    def folds(self) -> int:
        """Count the folds of one repetition."""
        return self.k

    @property
    def name(self) -> str:
        """The procedure in words."""
        often = "" if self.repeats == 1 else f"{self.repeats} times "
        return f"{often}{self.kind} {self.k}-fold cross-validation"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return self.k * self.repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Return the positions of training and test rows, repetition after repetition."""
        from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold

        no_groups(groups, self.kind)
        rows, what = rows_of(X), f"{self.k} folds"
        places = np.arange(rows)
        if rows < self.k:
            raise OptionError(f"{what} need at least {self.k} rows; got {rows}. Use fewer folds.")
        if self.kind == "by-time":
            blocks = time_blocks(groups, rows, fold_cuts(rows, self.k))
            yield from ((np.concatenate(blocks[:at]), blocks[at]) for at in range(1, self.k + 1))
            return
        if self.kind == "stratified":
            y = strata(y, rows, least=self.k, what=what)
        elif self.kind == "grouped":
            # one class for all rows, so that groups are distributed by their sizes only
            y, groups = np.zeros(rows, dtype=int), grouped(groups, rows, least=self.k, what=what)
        splitter = {"stratified": StratifiedKFold, "grouped": StratifiedGroupKFold, "plain": KFold}[self.kind]
        for repeat in range(self.repeats):
            chance = int(stream(self.random_state, "folds", str(repeat)).integers(1 << 31))
            yield from splitter(self.k, shuffle=True, random_state=chance).split(places, y, groups)


@dataclass(frozen=True)
class LeaveOneOut:
    """Test each row by a model trained on all others.

    Nearly unbiased, but the score varies much between samples, and it needs as many models as rows. On labels that are
    independent of the features it can be far off: a majority vote is then always wrong. Lachenbruch and Mickey (1968).

    >>> [test.tolist() for _, test in LeaveOneOut().split(range(3))]
    [[0], [1], [2]]
    """

    name = "leave-one-out"
    folds = 0  # as many as rows
    kind: Kind = "plain"

    def get_n_splits(self, X: Any, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return rows_of(X)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Return the positions of training and test rows."""
        places = np.arange(rows_of(X))
        yield from ((np.delete(places, at), places[at : at + 1]) for at in places)


def five_by_two(*, kind: Kind = "stratified", random_state: int = 0) -> Folds:
    """Return two folds, five times, as the tests of Dietterich (1998) and Alpaydin (1999) need.

    Each model is trained on half of the rows, so the score is that of smaller training sets than yours.

    >>> five_by_two().name
    '5 times stratified 2-fold cross-validation'
    """
    return Folds(2, repeats=5, kind=kind, random_state=random_state)
