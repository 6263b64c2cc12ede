"""Shares, rates and margins on the command line: 0.01 or 1%."""

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from justesse.core.errors import OptionError
from justesse.core.shares import share


def as_share(_: Any, tokens: Sequence[Token]) -> float:
    """Read a share; cyclopts names the option in what it says."""
    try:
        return share(tokens[0].value, "it")
    except OptionError as error:
        raise ValueError(
            f"a number such as 0.05 or a percentage such as 5% is needed; got {tokens[0].value!r}"
        ) from error


Share = Annotated[float, Parameter(converter=as_share)]
MaybeShare = Annotated[float | None, Parameter(converter=as_share)]
