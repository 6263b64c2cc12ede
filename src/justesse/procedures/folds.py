"""Folds: every row is tested once by a model that did not see it; leave-one-out and 5x2 are folds too."""

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

    `stratified` keeps the share of every class, `grouped` keeps rows of a group together (pass `groups`), `by-time`
    cuts k+1 blocks one after the other and tests on each but the first what was learnt from all before it (pass times
    as `groups`, or rows in order), once. Wrong to use without groups where rows belong together: copies of a case on
    both sides flatter every figure. Stone (1974); Kohavi (1995).

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
        if self.k < 2 or self.repeats < 1 or (self.kind == "by-time" and self.repeats > 1):
            raise OptionError(
                "two folds or more and one repetition or more (just one by time) are needed; "
                f"got k={self.k!r}, repeats={self.repeats!r}, kind={self.kind!r}"
            )

    @property
    def folds(self) -> int:
        """Count the folds of one repetition."""
        return self.k

    @property
    def name(self) -> str:
        """Say it in words."""
        often = "" if self.repeats == 1 else f"{self.repeats} times "
        return f"{often}{self.kind} {self.k}-fold cross-validation"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return self.k * self.repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Give the positions of training and test rows, repetition after repetition."""
        from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold

        no_groups(groups, self.kind)
        rows, what = rows_of(X), f"{self.k} folds"
        places = np.arange(rows)
        if rows < self.k:
            raise OptionError(f"{what} need {self.k} rows or more; got {rows}: ask for fewer")
        if self.kind == "by-time":
            blocks = time_blocks(groups, rows, fold_cuts(rows, self.k))
            yield from ((np.concatenate(blocks[:at]), blocks[at]) for at in range(1, self.k + 1))
            return
        if self.kind == "stratified":
            y = strata(y, rows, least=self.k, what=what)
        elif self.kind == "grouped":
            # one class for all: then it shares out groups by their sizes alone
            y, groups = np.zeros(rows, dtype=int), grouped(groups, rows, least=self.k, what=what)
        splitter = {"stratified": StratifiedKFold, "grouped": StratifiedGroupKFold, "plain": KFold}[self.kind]
        for repeat in range(self.repeats):
            chance = int(stream(self.random_state, "folds", str(repeat)).integers(1 << 31))
            yield from splitter(self.k, shuffle=True, random_state=chance).split(places, y, groups)


@dataclass(frozen=True)
class LeaveOneOut:
    """Test each row by a model trained on all others.

    Hardly biased, but its figure varies much from sample to sample, and it needs as many models as rows. On labels that
    have nothing to do with the features it can be far off: a majority vote is then always wrong. Lachenbruch and Mickey
    (1968).

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
        """Give the positions of training and test rows."""
        places = np.arange(rows_of(X))
        yield from ((np.delete(places, at), places[at : at + 1]) for at in places)


def five_by_two(*, kind: Kind = "stratified", random_state: int = 0) -> Folds:
    """Give two folds, five times: what the tests of Dietterich (1998) and Alpaydin (1999) need.

    Half of the rows train each model, so that it speaks of smaller training sets than those you have.

    >>> five_by_two().name
    '5 times stratified 2-fold cross-validation'
    """
    return Folds(2, repeats=5, kind=kind, random_state=random_state)
