"""Shares and rates as people write them: 0.01 or 1%."""

from decimal import Decimal, InvalidOperation
from typing import Any

from justesse.core.errors import OptionError


def share(given: Any, name: str) -> float:
    """Read a number that may be written in percent; whether it lies where it should is for the caller to check.

    >>> share("1%", "the margin"), share("0.5 %", "the margin"), share(0.25, "the margin"), share("1e-3", "the margin")
    (0.01, 0.005, 0.25, 0.001)
    """
    text = str(given).strip()
    try:
        # a decimal, as 0.3 / 100 is not 0.003
        return float(Decimal(text[:-1].strip()) / 100) if text.endswith("%") else float(text)
    except (ValueError, InvalidOperation) as error:
        raise OptionError(f"{name} is a number such as 0.05, or a percentage such as 5%; got {given!r}") from error


def percent_words(rate: float) -> str:
    """Write a share in percent, with no more digits than it has.

    >>> percent_words(0.01), percent_words(0.0015)
    ('1 %', '0.15 %')
    """
    return f"{100 * rate:.4g} %"
