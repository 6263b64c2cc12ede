"""How many rows to know a proportion to ± a half-width."""

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.intervals import PROPORTION, ProportionMethod
from justesse.intervals.planning.search import smallest


def check_half_width(half_width: float) -> None:
    if not 0 < half_width < 0.5:
        raise OptionError(f"the half-width must lie between 0 and 0.5, such as 0.01 for ±1 point; got {half_width!r}")


def check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise OptionError(f"{name} must lie between 0 and 1; got {value!r}")


def half_width_at(share: float, n: float, *, level: float = 0.95, method: ProportionMethod = "wilson") -> float:
    """Give the half-width of the interval of a share observed on n rows.

    >>> round(half_width_at(0.9, 3461), 5)
    0.01
    """
    ends = PROPORTION[method](share * n, n, level=level)
    return float(ends.high - ends.low) / 2


def precision_n(
    half_width: float,
    *,
    expected: float = 0.5,
    level: float = 0.95,
    method: ProportionMethod = "wilson",
    assurance: float | None = None,
) -> int:
    """Give the smallest n whose interval has at most this half-width.

    Without `assurance`, at the share expected: about half the time the share observed will be nearer to one half
    and the interval a little wider. With it, the half-width is kept with at least that probability. The default
    share, one half, is the worst case.

    >>> precision_n(0.01, expected=0.9)
    3461
    >>> precision_n(0.01, expected=0.9, assurance=0.9)
    3656
    """
    check_half_width(half_width)
    check_share("the expected share", expected)
    check_level(level)
    if method == "wald" and expected in (0, 1):
        raise OptionError(f"Wald's interval has no width at {expected}; choose another method")
    if assurance is None:
        return smallest(lambda n: half_width_at(expected, n, level=level, method=method) <= half_width)
    if not 0 < assurance < 1:
        raise OptionError(f"the assurance is a probability between 0 and 1; got {assurance!r}")

    def reaches(n: int) -> bool:
        from scipy.special import bdtr

        spread = 9 * np.sqrt(n * expected * (1 - expected)) + 9
        counts = np.arange(max(0, int(n * expected - spread)), min(n, int(n * expected + spread)) + 1)
        ends = PROPORTION[method](counts, n, level=level)
        narrow = (ends.high - ends.low) / 2 <= half_width
        chance = bdtr(counts, n, expected) - np.where(counts > 0, bdtr(np.maximum(counts - 1, 0), n, expected), 0.0)
        return bool(chance[narrow].sum() >= assurance)

    return smallest(reaches, window=lambda n: 30)
