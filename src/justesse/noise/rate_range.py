"""A noise rate, or the range it lies in."""

from justesse.core.errors import OptionError

Rate = float | tuple[float, float]


def rate_range(rate: Rate) -> tuple[float, float]:
    """Give both ends of a range of noise rates; a single rate is both.

    >>> rate_range(0.05), rate_range((0.02, 0.08))
    ((0.05, 0.05), (0.02, 0.08))
    """
    low, high = rate if isinstance(rate, tuple) else (rate, rate)
    if not 0 <= low <= high <= 1:
        raise OptionError(f"a noise rate lies between 0 and 1, and a range goes upwards; got {rate!r}")
    return float(low), float(high)
