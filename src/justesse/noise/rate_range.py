"""A noise rate, or the range it lies in."""

import math

from justesse.core.errors import OptionError
from justesse.core.shares import percent_words

Rate = float | tuple[float, float]


def rate_range(rate: Rate) -> tuple[float, float]:
    """Return both ends of a range of noise rates; a single rate is both.

    >>> rate_range(0.05), rate_range((0.02, 0.08))
    ((0.05, 0.05), (0.02, 0.08))
    """
    low, high = rate if isinstance(rate, tuple) else (rate, rate)
    if not 0 <= low <= high <= 1:
        raise OptionError(
            f"A noise rate must lie between 0 and 1, and a range must start with the lower rate; got {low:g}:{high:g}."
        )
    return float(low), float(high)


def rate_words(low: float, high: float) -> str:
    """Write a range of noise rates in percent.

    >>> rate_words(0.0, 0.03), rate_words(0.01, 0.05), rate_words(0.03, 0.03)
    ('at most 3 %', '1 to 5 %', 'exactly 3 %')
    """
    if low == high:
        return f"exactly {percent_words(high)}"
    return f"{100 * low:.4g} to {percent_words(high)}" if low else f"at most {percent_words(high)}"


def row_rates(reach: float, n: int, steps: int) -> list[float]:
    """Return shares of wrong labels from 0 to `reach` that are whole rows of n, every one of them up to `steps`.

    Values at these shares are exact; between two of them no number of rows lies, unless there are more than `steps`.

    >>> row_rates(0.035, 100, 200), len(row_rates(0.5, 10_000, 200))
    ([0.0, 0.01, 0.02, 0.03, 0.04], 201)
    """
    last = min(n, math.ceil(reach * n - 1e-9))
    return [round(last * step / min(last, steps)) / n for step in range(min(last, steps) + 1)] if last else [0.0]


def whole_rows(low: float, high: float, n: int) -> tuple[int, int]:
    """Return the fewest and the most wrong labels among n rows, if their share lies in a range.

        ⌈low·n⌉ to ⌊high·n⌋, or ⌊low·n⌋ to ⌈high·n⌉ if no whole number of rows lies in the range

    >>> whole_rows(0.0, 0.03, 50), whole_rows(0.02, 0.1, 75), whole_rows(0.03, 0.03, 50)
    ((0, 1), (2, 7), (1, 2))
    """
    fewest, most = math.ceil(low * n - 1e-9), math.floor(high * n + 1e-9)
    return (fewest, most) if fewest <= most else (most, fewest)
