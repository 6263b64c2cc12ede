"""An interval of a mean of areas on the logit scale."""

import math

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.degrees import kurtosis_degrees
from justesse.intervals.ends import Ends

METHOD = "logit-t"


def logit_mean(value: float, pushes: Array, *, level: float = 0.95, alternative: Alternative = "two-sided") -> Ends:
    """Compute the interval of a value between 0 and 1 from what each row adds to it.

        logit(A) ± t_ν·e / (A(1-A)),   e² = Σ_i u_i²

    Parameters
    ----------
    value
        The value A, such as a mean of areas under ROC curves.
    pushes
        What each row adds to it, u_i (its weight times the slope).
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends, NaN where the value is 0 or 1 or nothing varies.

    Notes
    -----
    Near 1 the value is skewed, so the plain delta method covers 65 to 90 %; a few rows then make most of the spread,
    so ν comes from the kurtosis of u (`kurtosis_degrees`) and is at most n - 1. For one area the logit scale is
    Pepe's (2003).

    Examples
    --------
    >>> ends = logit_mean(0.95, np.tile([0.004, -0.004], 50))
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.781, 0.99)
    """
    from scipy.special import stdtrit

    squares = np.asarray(pushes, dtype=float) ** 2
    error = math.sqrt(float(squares.sum()))
    if not 0 < value < 1 or not error > 1e-12:
        return Ends(np.asarray(math.nan), np.asarray(math.nan), level, METHOD)
    degrees = max(min(len(squares) - 1.0, kurtosis_degrees(squares)), 1.0)
    middle, spread = math.log(value / (1 - value)), error / (value * (1 - value))
    ends = [
        _expit(middle + sign * float(stdtrit(degrees, 1 - tail)) * spread) if tail else (sign + 1) / 2
        for sign, tail in zip((-1, 1), tail_levels(level, alternative), strict=True)
    ]
    return Ends(np.asarray(ends[0]), np.asarray(ends[1]), level, METHOD)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
