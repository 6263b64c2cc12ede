"""Intervals of how much of the labels' spread one model explains: RSE, R² and squared correlation."""

import math
from collections.abc import Callable

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import tail_levels
from justesse.core.seeds import stream
from justesse.intervals.ends import two_sided_level
from justesse.intervals.estimate import Confidence
from justesse.intervals.mean_error import mean_error
from justesse.intervals.symmetric_studentised import PLAIN, Scale, Studentised, symmetric_studentised
from justesse.measures.regression import ALL, Sums

METHOD = "bootstrap-studentised, one larger row"
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

    Each by the symmetric studentised bootstrap (`symmetric_studentised`), and never narrower than as a ratio of two
    means that allows for one larger row (`mean_error`):

        RSE = s/v,   high = RSE·exp(sqrt(a² + b² - 2ρab)),   a = log(s_high/s),   b = log(v/v_low);   low likewise

    s is the mean squared error, v the variance of the labels, and ρ the correlation of their rows, at least 0. For r²,
    s is the mean square of what a straight line through the predictions leaves of the labels, and r² = 1 - s/v.

    Notes
    -----
    RSE is a ratio of two skewed means: the plain scale misses low, the log scale high, and a bootstrap knows no error
    larger than those seen. Over nine laws of errors and 15 to 200 rows, 95 % intervals without the larger row covered
    77 to 99 % (RSE) and 77 to 99 % (r²); with errors of Student's t with 3 degrees of freedom and 200 rows 88 and 85 %,
    and these 95 and 94 %. They are 1 to 28 % wider for RSE, 5 to 38 % for r². Where the largest errors are seldom seen
    (2 % of them ten times as large, 80 rows) they still cover only 73 %. MOVER for the ratio: Zou and Donner (2008).
    Fisher (1915) for the scale of r; if r is exactly 0, where the slope of r² is 0, the interval is
    tanh²(t/sqrt(n-3)).

    Examples
    --------
    >>> y, f = np.arange(20.0), np.arange(20.0) + np.tile([1.0, -2.0, 0.5, 3.0], 5)
    >>> ends = explained_intervals(Sums.of(y, f), Confidence(draws=500))
    >>> [round(end, 2) for end in ends["r2"]]
    [0.79, 0.97]
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
    level = two_sided_level((below, above))
    around, residual = (_of_means(part, sums, level) for part in (sums.squared, _left_by_a_line(sums)))
    low = _outer(min, plain.low, log.low, around[0])
    high = _outer(max, plain.high, min(log.high, WIDEST * float(rse(sums.total))), around[1])
    squared = float(MEASURES["squared_correlation"](sums.total))
    rows = float(len(sums.weight)) if n is None else n
    if squared == 0 and rows > 3:
        fisher = _of_no_correlation(rows, max(below, above))
    both = {
        "rse": (low, high),
        "r2": (1 - high, 1 - low),
        "squared_correlation": (
            max(_outer(min, fisher.low, squared, 1 - residual[1]), 0.0),
            _outer(max, fisher.high, squared, 1 - residual[0]),
        ),
    }
    return {name: (first if below else -math.inf, last if above else math.inf) for name, (first, last) in both.items()}


def _outer(choose: Callable[..., float], end: float, *others: float) -> float:
    """Return the outermost end of those that exist; NaN if the first does not."""
    return choose(end, *(other for other in others if not math.isnan(other))) if not math.isnan(end) else math.nan


def _of_means(part: Array, sums: Sums, level: float) -> tuple[float, float]:
    """Compute the ends of the ratio of the mean of a part and the variance of the labels; NaN if there are none."""
    weight, total = sums.weight, float(sums.weight.sum())
    middle = float(sums.y.sum()) / total
    spread = np.maximum(sums.yy - 2 * middle * sums.y + middle**2 * weight, 0.0)
    means = [float(each.sum()) / total for each in (part, spread)]
    upper, lower = (mean_error(np.nan_to_num(each), weight, level=level) for each in (part, spread))
    with np.errstate(all="ignore"):
        ratio, seen = means[0] / means[1] if means[1] > 0 else math.nan, weight > 0
        together = float(np.corrcoef(part[seen] / weight[seen], spread[seen] / weight[seen])[0, 1])
        reaches = (
            np.log([means[0] / upper.low, lower.high / means[1]]),
            np.log([upper.high / means[0], means[1] / lower.low]),
        )
        alike = min(max(together, 0.0), 1.0) if math.isfinite(together) else 0.0
        far = [math.sqrt(max(float(a * a + b * b - 2 * alike * a * b), 0.0)) for a, b in reaches]
        return float(ratio * np.exp(-far[0])), float(ratio * np.exp(far[1]))


def _left_by_a_line(sums: Sums) -> Array:
    """Return, by bucket, the squares of what the best straight line through the predictions leaves of the labels."""
    total = sums.total
    middle = {name: float(getattr(total, name) / total.weight) for name in ("y", "f")}
    own = sums.yf - middle["y"] * sums.f - middle["f"] * sums.y + sums.weight * middle["y"] * middle["f"]
    of_f = sums.ff - 2 * middle["f"] * sums.f + sums.weight * middle["f"] ** 2
    of_y = sums.yy - 2 * middle["y"] * sums.y + sums.weight * middle["y"] ** 2
    slope = float(own.sum() / of_f.sum()) if of_f.sum() > 0 else 0.0
    return np.asarray(np.maximum(of_y - 2 * slope * own + slope**2 * of_f, 0.0))


def _of_no_correlation(rows: float, tail: float) -> Studentised:
    """Return Fisher's interval of r² = 0, where the slope of r² says nothing: tanh²(t/sqrt(n-3))."""
    from scipy.special import stdtrit

    far = max(float(stdtrit(rows - 2, 1 - tail)), 0.0)
    return Studentised(0.0, math.tanh(far / math.sqrt(rows - 3)) ** 2, 1 / math.sqrt(rows - 3))
