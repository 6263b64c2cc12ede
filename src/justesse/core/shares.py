"""Shares and rates as people write them: 0.01 or 1%."""

import math
from collections.abc import Callable
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
        raise OptionError(
            f"{name[:1].upper()}{name[1:]} must be a number such as 0.05, or a percentage such as 5%; got {given!r}."
        ) from error


def percent_words(rate: float) -> str:
    """Write a share in percent, with no more digits than it has.

    >>> percent_words(0.01), percent_words(0.0015)
    ('1 %', '0.15 %')
    """
    return f"{100 * rate:.4g} %"


def percent_down(rate: float) -> str:
    """Write a rate in per cent, rounded down to two digits.

    >>> percent_down(0.00996), percent_down(0.0351), percent_down(0.12), percent_down(0.0000034)
    ('0.99 %', '3.5 %', '12 %', '0.00034 %')
    """
    return _percent(rate, math.floor)


def percent_up(rate: float) -> str:
    """Write a rate in per cent, rounded up to two digits.

    >>> percent_up(0.00991), percent_up(0.12)
    ('1.00 %', '12 %')
    """
    return _percent(rate, math.ceil)


def _percent(rate: float, to_whole: Callable[[float], int]) -> str:
    digits = max(0, 1 - math.floor(math.log10(100 * rate))) if rate > 0 else 0
    return f"{to_whole(round(rate * 100 * 10**digits, 9)) / 10**digits:.{digits}f} %"
