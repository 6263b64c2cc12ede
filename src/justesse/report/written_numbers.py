"""How a number is written: values, counts, shares, p-values; for every medium."""

import math
from typing import Any

from justesse.core.results import Estimate

HUGE = 1e15  # from here on, digits after the fourth mean nothing
UNDEFINED, INFINITE, NONE, OPEN = "undefined", "infinite", "–", "…"


def number_of(value: Any) -> float:
    return float(value.value if isinstance(value, Estimate) else value)


def count(value: Any) -> str:
    number = value.n if isinstance(value, Estimate) else value
    if number is None:
        return NONE
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def value_words(value: Any, sign: str = "") -> str:
    if value is None:
        return NONE
    number = number_of(value)
    if math.isinf(number):
        return INFINITE if number > 0 else f"minus {INFINITE}"
    return UNDEFINED if math.isnan(number) else four_decimals(number, f"{sign}z")  # z: never -0.0000


def four_decimals(number: float, sign: str = "z") -> str:
    """Write a number with four decimals; one too large for that in scientific notation.

    >>> four_decimals(0.51234), four_decimals(5.125e60, "+")
    ('0.5123', '+5.125e+60')
    >>> four_decimals(4.8e60)
    '4.800e+60'
    """
    return f"{number:{sign}.4f}" if abs(number) < HUGE else f"{number:{sign.rstrip('z')}.3e}"


def general(value: Any, sign: str = "") -> str:
    """Write a number of any size: four digits that mean something, and whole numbers in full.

    >>> general(0.123456), general(16581), general(1234567.8), general(2.5)
    ('0.1235', '16,581', '1,234,568', '2.5')
    """
    if value is None:
        return NONE
    number = number_of(value)
    if math.isnan(number):
        return UNDEFINED
    return f"{number:{sign},.0f}" if 1000 <= abs(number) < HUGE else f"{number:{sign}.4g}"


def digits(value: Any, sign: str = "") -> str:
    """Write a measured number of any size with four digits, also if the last ones are 0.

    >>> digits(3.05), digits(0.123456), digits(1234567.8), digits(0.5, "+"), digits(999.99), digits(-0.0)
    ('3.050', '0.1235', '1,234,568', '+0.5000', '1,000', '0')
    """
    if value is None:
        return NONE
    number = number_of(value)
    if math.isnan(number):
        return UNDEFINED
    if number == 0:
        return "0"
    return f"{number:{sign},.0f}" if 999.95 <= abs(number) < HUGE else f"{number:{sign}#.4g}"


def plain(value: Any, spec: str, unit: str = "", times: float = 1) -> str:
    if value is None or math.isnan(number_of(value)):
        return NONE if value is None else UNDEFINED
    return f"{times * number_of(value):{spec}}{unit}"


def share(value: Any, unit: str = " %") -> str:
    """Write a share in per cent: one decimal, more where it would read 0 or 100 without being it.

    Below 0.1 % it has two digits that mean something: one decimal could be twice the share.

    >>> share(0.0005), share(0.00045678), share(0.004), share(1), share(0.9999), share(1 - 1e-12)
    ('0.05 %', '0.046 %', '0.4 %', '100.0 %', '99.99 %', '100.0 %')
    """
    if value is None:
        return NONE
    number = 100 * number_of(value)
    if math.isnan(number):
        return UNDEFINED
    digits = 1
    if abs(number) > 99.999999:  # more decimals would be zeros, too
        number = round(number, 6)
    while digits < 6 and number not in (0.0, 100.0) and float(f"{number:.{digits}f}") in (0.0, 100.0, -100.0):
        digits += 1
    if 0 < abs(number) < 0.1 and digits < 6:
        return f"{float(f'{number:.2g}'):.6f}".rstrip("0") + unit
    return f"{number:.{digits}f}{unit}"


def rough_share(value: Any) -> str:
    """Write a share in per cent with two digits, more where it would read 100 without being it.

    >>> rough_share(0.0444), rough_share(0.005), rough_share(0.9996), rough_share(1.0)
    ('4.4 %', '0.5 %', '99.96 %', '100 %')
    """
    if value is None or math.isnan(number_of(value)):
        return NONE if value is None else UNDEFINED
    number = 100 * number_of(value)
    return f"{number:.{2 if abs(number) < 99.5 else 4}g} %"


def sized_share(value: tuple[float, float] | None) -> str:
    """Write a share and the number of rows it is of: with the digits that so many rows can carry.

    >>> sized_share((0.93333, 30)), sized_share((0.93333, 5000))
    ('93 %', '93.3 %')
    """
    if value is None:
        return NONE
    share, n = value
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"


def pvalue(value: float | None) -> str:
    """Write a p-value, never as 0.

    >>> pvalue(0.0312), pvalue(1e-9), pvalue(float("nan"))
    ('0.0312', '< 0.0001', 'undefined')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def p_words(value: float | None) -> str:
    words = pvalue(value)
    return f"p {words}" if words.startswith("<") or words == UNDEFINED else f"p = {words}"


def chance(value: float) -> str:
    """Write the chance of an accident with two digits, never as 0 or 1.

    >>> chance(0.0312), chance(1e-9), chance(0.999)
    ('3.1 %', 'less than 0.1 %', 'practically 1')
    """
    return "less than 0.1 %" if value < 0.001 else f"{100 * value:.2g} %" if value < 0.995 else "practically 1"
