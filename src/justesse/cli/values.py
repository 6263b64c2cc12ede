"""How the values of options are read, the same for every command: 1% is 0.01, and 2.7 is no whole number."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cyclopts import CoercionError, Token, convert

from justesse.core.errors import OptionError
from justesse.core.shares import share


def read_value(kind: Any, tokens: Sequence[Token]) -> Any:
    """Read the value of an option of any kind, such as `float`, `int | None`, `list[float]` or `int | str`."""
    return convert(kind, tokens, converter=_read_word)


def _read_word(kind: Any, text: str) -> Any:
    """Read a float also as a percentage, an int without rounding, anything else as cyclopts does."""
    if kind is float:
        return _read_number(text)
    if kind is int:
        return _read_whole_number(text)
    if kind is Path and not text:
        raise CoercionError("a name is needed; got ''.")
    return convert(kind, [text])


# cyclopts adds the name of the option to these errors
def _read_number(text: str) -> float:
    try:
        return share(text, "it")
    except OptionError as error:
        raise CoercionError(
            f"a number such as 0.05 or a percentage such as 5% is needed; got {text!r}.", target_type=float
        ) from error


def _read_whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise CoercionError(f"a whole number is needed; got {text!r}.", target_type=int) from error
