"""Intervals of how much of the labels' spread one model explains: RSE, R² and squared correlation."""

import math

import numpy as np

from justesse.core.results import tail_levels
from justesse.core.seeds import stream
from justesse.intervals.ends import two_sided_level
from justesse.intervals.estimate import Confidence
from justesse.intervals.symmetric_studentised import PLAIN, Scale, Studentised, symmetric_studentised
from justesse.measures.regression import ALL, Sums

MEASURES = {measure.name: measure for measure in ALL}
WIDEST = 20  # on the log scale, an end beyond so many times the value is cut off: it only shows that e is unknown
LOG = Scale(np.log, lambda value: 1 / value, np.exp)
FISHER = Scale(
    lambda value: np.arctanh(np.sqrt(np.clip(value, 0.0, 1 - 1e-12))),
    lambda value: 0.5 / np.sqrt(np.maximum(value, 1e-300)) / np.maximum(1 - value, 1e-12),
    lambda end: np.where(end > 0, np.tanh(end) ** 2, 0.0),
)


def explained_intervals(
    sums: Sums, confidence: Confidence, *, n: float | None = None
) -> dict[str, tuple[float, float]]:
    """Compute the ends of the intervals of RSE, R² and squared correlation, by name.

    `n` is the number of rows, their effective number if they are weighted. Default: the number of buckets.

        RSE: the outer ends of RSE ± q·e and RSE·exp(± q'·e/RSE),   R² = 1 - RSE
        r²: tanh²(artanh|r| ± q·e),   0 if the lower end is below 0

    Each by the symmetric studentised bootstrap (`symmetric_studentised`).

    Notes
    -----
    RSE is a ratio of two skewed means: the plain scale misses low, the log scale high. In simulations with 10, 30 and
    100 rows and normal, skewed or unequal errors, the intervals of RSE covered 94 to 95 % on average and 83 % at worst,
    those of r² 91 to 92 % and 86 %. With errors of Student's t with 3 degrees of freedom, r² covered 84 to 89 %.
    Percentiles of a bootstrap covered 80 to 88 % and 85 to 89 % on average. Fisher (1915) for the scale of r; if r is
    exactly 0, where the slope of r² is 0, the interval is tanh²(t/sqrt(n-3)).

    Examples
    --------
    >>> y, f = np.arange(20.0), np.arange(20.0) + np.tile([1.0, -2.0, 0.5, 3.0], 5)
    >>> ends = explained_intervals(Sums.of(y, f), Confidence(draws=500))
    >>> [round(end, 2) for end in ends["r2"]]
    [0.8, 0.97]
    """
    below, above = tail_levels(confidence.level, confidence.alternative)
    rse = MEASURES["rse"]
    plain, log, fisher = symmetric_studentised(
        [sums],
        [(rse, PLAIN), (rse, LOG), (MEASURES["squared_correlation"], FISHER)],
        draws=confidence.enough_draws,
        generator=stream(confidence.seed, "explained"),
        level=two_sided_level((below, above)),
    )
    low = min(plain.low, log.low)
    high = max(plain.high, min(log.high, WIDEST * float(rse(sums.total))))
    squared = float(MEASURES["squared_correlation"](sums.total))
    rows = float(len(sums.weight)) if n is None else n
    if squared == 0 and rows > 3:
        fisher = _of_no_correlation(rows, max(below, above))
    both = {
        "rse": (low, high),
        "r2": (1 - high, 1 - low),
        "squared_correlation": (min(fisher.low, squared), max(fisher.high, squared)),  # rounding next to 1
    }
    return {name: (first if below else -math.inf, last if above else math.inf) for name, (first, last) in both.items()}


def _of_no_correlation(rows: float, tail: float) -> Studentised:
    """Return Fisher's interval of r² = 0, where the slope of r² says nothing: tanh²(t/sqrt(n-3))."""
    from scipy.special import stdtrit

    far = max(float(stdtrit(rows - 2, 1 - tail)), 0.0)
    return Studentised(0.0, math.tanh(far / math.sqrt(rows - 3)) ** 2, 1 / math.sqrt(rows - 3))
