"""Whole numbers on the command line: 2.7 is refused, not rounded."""

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token


def whole(_: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number."""
    try:
        return int(tokens[0].value)
    except ValueError as error:
        raise ValueError(f"a whole number is needed; got {tokens[0].value!r}") from error


Whole = Annotated[int, Parameter(converter=whole)]
MaybeWhole = Annotated[int | None, Parameter(converter=whole)]
