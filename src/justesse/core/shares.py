"""Shares and rates as people write them: 0.01 or 1%."""

import math
from typing import Any

from justesse.core.errors import OptionError


def share(given: Any, name: str) -> float:
    """Read a number that may be written in percent; whether it lies where it should is for the caller to check.

    >>> share("1%", "the margin"), share("0.5 %", "the margin"), share(0.25, "the margin"), share("1e-3", "the margin")
    (0.01, 0.005, 0.25, 0.001)
    """
    text = str(given).strip()
    hundred = text.endswith("%")
    try:
        number = float(text.removesuffix("%"))
    except ValueError as error:
        raise OptionError(f"{name} is a number such as 0.05, or a percentage such as 5%; got {given!r}") from error
    if not math.isfinite(number):
        raise OptionError(f"{name} is a finite number such as 0.05, or a percentage such as 5%; got {given!r}")
    # 0.3 / 100 is not 0.003: shift the decimal point in the text instead
    return (
        float(f"{text.removesuffix('%').strip()}e-2")
        if hundred and "e" not in text.lower()
        else (number / 100 if hundred else number)
    )


def percent_words(rate: float) -> str:
    """Write a share in percent, with no more digits than it has.

    >>> percent_words(0.01), percent_words(0.0015)
    ('1 %', '0.15 %')
    """
    return f"{100 * rate:.4g} %"
