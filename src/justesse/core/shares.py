"""Shares and rates as people write them: 0.01 or 1%."""

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from justesse.core.errors import OptionError


def share(number: Any, name: str) -> float:
    """Read a number that may be written in percent; whether it lies where it should is for the caller to check.

    >>> share("1%", "the margin"), share("0.5 %", "the margin"), share(0.25, "the margin"), share("1e-3", "the margin")
    (0.01, 0.005, 0.25, 0.001)
    """
    text = str(number).strip()
    try:
        # a decimal, as 0.3 / 100 is not 0.003
        return float(Decimal(text[:-1].strip()) / 100) if text.endswith("%") else float(text)
    except (ValueError, InvalidOperation) as error:
        raise OptionError(
            f"{name[:1].upper()}{name[1:]} must be a number such as 0.05, or a percentage such as 5%; got {number!r}."
        ) from error


def percent_words(rate: float) -> str:
    """Write a share in percent, with no more digits than it has.

    >>> percent_words(0.01), percent_words(0.0015)
    ('1 %', '0.15 %')
    """
    return f"{100 * rate:.4g} %"


def percent_of(rows: float, n: float) -> str:
    """Write a number of rows as a share of n in per cent: two digits, more where it would read 100 without being it.

    >>> percent_of(1, 228), percent_of(773, 899), percent_of(12, 100), percent_of(999, 1000), percent_of(0, 5)
    ('0.44 %', '86 %', '12 %', '99.9 %', '0 %')
    """
    percent = 100 * rows / n
    decimals = max(0, 1 - math.floor(math.log10(percent))) if percent > 0 else 0
    while decimals < 6 and rows < n and float(f"{percent:.{decimals}f}") >= 100:
        decimals += 1
    return f"{percent:.{decimals}f} %"


def shares_that_add_up(counts: Sequence[int]) -> list[float]:
    """Give the shares of counts, rounded to tenths of a percent that add up to 100 %; unrounded if one would read 0 %.

    The largest remainders are rounded up, of equal ones the first.

    >>> shares_that_add_up([1021, 979]), shares_that_add_up([1, 1, 1]), shares_that_add_up([9999, 1])
    ([0.511, 0.489], [0.334, 0.333, 0.333], [0.9999, 0.0001])
    """
    n = sum(counts)
    tenths = [1000 * count // n for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda at: -(1000 * counts[at] % n))
    for at in by_remainder[: 1000 - sum(tenths)]:
        tenths[at] += 1
    if any(count and not tenth for count, tenth in zip(counts, tenths, strict=True)):
        return [count / n for count in counts]
    return [tenth / 1000 for tenth in tenths]
