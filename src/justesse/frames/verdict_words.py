"""What verdicts and ratings are worth: who won a comparison, whether an answer is right."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName

FIRST = frozenset({"1", "a", "first", "model_1", "model_a", "output_1", "left"})
SECOND = frozenset({"2", "b", "second", "model_2", "model_b", "output_2", "right"})
TIE = frozenset({"tie", "draw", "both", "equal", "same", "neither", "0.5", "c"})
RIGHT = frozenset({"1", "true", "yes", "right", "correct", "pass", "passed", "good"})
WRONG = frozenset({"0", "false", "no", "wrong", "incorrect", "fail", "failed", "bad"})
HALF = frozenset({"0.5", "partial", "partially correct", "half"})


def worth_of(names: Sequence[ClassName], *, pairs: bool) -> FloatArray:
    """Return what each different verdict is worth: 1 for the first output or a right answer, NaN if it cannot be read.

    Parameters
    ----------
    names
        Different verdicts, as text; `None` if there is none.
    pairs
        Whether verdicts name the winner of two outputs.

    >>> worth_of(["A", "tie", "2", "I cannot", None], pairs=True).tolist()
    [1.0, 0.5, 0.0, nan, nan]
    >>> worth_of(["Yes", "0", "partial"], pairs=False).tolist()
    [1.0, 0.0, 0.5]
    """
    sets = (FIRST, TIE, SECOND) if pairs else (RIGHT, HALF, WRONG)
    worth = {word: value for words, value in zip(sets, (1.0, 0.5, 0.0), strict=True) for word in words}
    texts = ["" if name is None else str(name).strip().lower() for name in names]
    return np.array([worth.get(_plain(text), np.nan) for text in texts])


def check_readable(
    names: Sequence[ClassName], worth: FloatArray, *, pairs: bool, column: str, where: str, option: str
) -> None:
    """Refuse a column whose verdicts cannot be read at all, or only in a way that may be wrong.

    Parameters
    ----------
    names, worth
        Different verdicts, and what each is worth.
    pairs
        Whether verdicts name the winner of two outputs.
    column, where
        Names of the column and of the table, for messages.
    option
        The option that names another column.
    """
    texts = {str(name).strip() for name in names if name is not None}
    if pairs and "0" in {_plain(text.lower()) for text in texts} and not any(worth == 0):
        raise InputError(
            f"Column {column!r} of {where} has 0 and 1, which may or may not count from 0. Write 1 for the first "
            "output and 2 for the second, or the name of the winning model."
        )
    if not np.isfinite(worth).any():
        expected = "1, 2 or tie, or the name of the winner" if pairs else "1 or 0, right or wrong, true or false"
        raise InputError(
            f"No value of column {column!r} of {where} can be read: "
            f"{first_names(sorted(texts), 3) or 'all are empty'}. Write {expected}, or name another with {option}."
        )


def _plain(text: str) -> str:
    """Drop the decimal of a whole number: data frames store integers with gaps as decimals."""
    return text.removesuffix(".0")
