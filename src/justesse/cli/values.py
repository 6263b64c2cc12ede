"""How the values of options are read, the same for every command: 1% is 0.01, and 2.7 is no whole number."""

from collections.abc import Sequence
from typing import Any, get_args

from cyclopts import Token, convert

from justesse.core.errors import OptionError
from justesse.core.shares import share


def read_value(kind: Any, tokens: Sequence[Token]) -> Any:
    """Read an option's value: a float also as a percentage, an int without rounding, anything else as cyclopts does."""
    kinds = (kind, *get_args(kind))  # of float | None, too
    if float in kinds:
        return as_share(kind, tokens)
    if int in kinds:
        return as_whole(kind, tokens)
    return convert(kind, tokens)


def as_share(_: Any, tokens: Sequence[Token]) -> float:
    """Read a number or a percentage; cyclopts adds the name of the option to the error."""
    text = tokens[0].value
    try:
        return share(text, "it")
    except OptionError as error:
        raise ValueError(f"a number such as 0.05 or a percentage such as 5% is needed; got {text!r}") from error


def as_whole(_: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(f"a whole number is needed; got {text!r}") from error
