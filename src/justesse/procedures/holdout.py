"""Holdout: train on one part of the rows and test on the rest, once or several times."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import check_seed
from justesse.procedures.by_time import time_blocks
from justesse.procedures.kinds import Kind, check_kind, grouped, no_groups, rows_of, strata


@dataclass(frozen=True)
class Holdout:
    """Hold out a share of the rows, `repeats` times, each time at random; scikit-learn takes it as `cv`.

    `stratified` keeps the share of each class, `grouped` keeps rows of a group on one side (pass `groups`), `by-time`
    holds out the latest rows, once (pass their times as `groups`, or rows in order). With few rows one holdout depends
    on the luck of the split: repeat it, or use folds.

    >>> [(len(train), len(test)) for train, test in Holdout().split(range(10), [0, 1] * 5)]
    [(8, 2)]
    """

    test_share: float = 0.2
    repeats: int = 1
    kind: Kind = "stratified"
    random_state: int = 0

    folds = 1

    def __post_init__(self) -> None:
        check_kind(self.kind)
        check_seed(self.random_state)
        if not 0 < self.test_share < 1 or self.repeats < 1 or (self.kind == "by-time" and self.repeats > 1):
            raise OptionError(
                "A holdout needs test_share between 0 and 1 and repeats of at least 1 (exactly 1 by time); "
                f"got test_share={self.test_share!r}, repeats={self.repeats!r}, kind={self.kind!r}."
            )

    @property
    def name(self) -> str:
        """The procedure in words."""
        often = "" if self.repeats == 1 else f"{self.repeats} times "
        return f"{often}{self.kind} holdout of {self.test_share:.0%}"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return self.repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Return the positions of training and test rows."""
        from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

        no_groups(groups, self.kind)
        rows, what = rows_of(X), "Training and test sets"
        places = np.arange(rows)
        if self.kind == "by-time":
            yield tuple(time_blocks(groups, rows, [rows - max(1, round(self.test_share * rows))]))  # type: ignore[misc]
            return
        settings: dict[str, Any] = {"test_size": self.test_share, "random_state": self.random_state}
        try:
            if self.kind == "stratified":
                y = strata(y, rows, least=2, what=what)
                yield from StratifiedShuffleSplit(self.repeats, **settings).split(places, y)
            elif self.kind == "grouped":
                groups = grouped(groups, rows, least=2, what=what)
                yield from GroupShuffleSplit(self.repeats, **settings).split(places, y, groups)
            else:
                yield from ShuffleSplit(self.repeats, **settings).split(places)
        except InputError:
            raise
        except ValueError as error:
            raise OptionError(
                f"{rows} rows cannot be split this way ({error}). Use another test_share or more rows."
            ) from error
