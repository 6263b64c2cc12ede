"""The splits of a procedure, ours or scikit-learn's, with their repetition and fold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError


@dataclass(frozen=True, eq=False)
class Split:
    """Which rows train and which test, by position."""

    repetition: int
    fold: int
    train: Array
    test: Array


def split_count(procedure: Any, rows: int, y: Any = None, groups: Any = None) -> int:
    """Count all splits of a procedure."""
    if not hasattr(procedure, "split") or not hasattr(procedure, "get_n_splits"):
        raise OptionError(
            f"A procedure needs split and get_n_splits, like Folds() or a splitter of scikit-learn; got {procedure!r}."
        )
    try:
        return int(procedure.get_n_splits(np.arange(rows), y, groups))
    except InputError:
        raise
    except ValueError as error:
        raise OptionError(f"{procedure!r} cannot split these rows ({error}). Use another procedure.") from error


def splits(procedure: Any, rows: int, y: Any = None, groups: Any = None) -> Iterator[Split]:
    """Return the splits one by one, numbered from 0.

    >>> from justesse.procedures.folds import Folds
    >>> [(split.repetition, split.fold) for split in splits(Folds(2, repeats=2, kind="plain"), 6)]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    folds = _folds(procedure, split_count(procedure, rows, y, groups))
    try:
        for at, (train, test) in enumerate(procedure.split(np.arange(rows), y, groups)):
            yield Split(at // folds, at % folds, np.asarray(train), np.asarray(test))
    except InputError:
        raise
    except ValueError as error:
        raise OptionError(f"{procedure!r} cannot split these rows ({error}). Use another procedure.") from error


def _folds(procedure: Any, total: int) -> int:
    """Count the splits of one repetition: splitters of scikit-learn have `n_repeats`, or are holdouts."""
    from sklearn.model_selection import BaseShuffleSplit

    if hasattr(procedure, "folds"):
        return int(procedure.folds) or total
    return 1 if isinstance(procedure, BaseShuffleSplit) else total // int(getattr(procedure, "n_repeats", 1))


def name_of(procedure: Any) -> str:
    """Name a procedure: in words, or by its repr.

    >>> from justesse.procedures.folds import Folds
    >>> name_of(Folds(5))
    'stratified 5-fold cross-validation'
    """
    return str(getattr(procedure, "name", None) or repr(procedure))
