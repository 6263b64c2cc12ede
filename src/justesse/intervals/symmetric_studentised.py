"""The symmetric studentised bootstrap of measures of numeric predictions and of their paired differences."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.degrees import kurtosis_degrees
from justesse.measures.regression.measure import NumericMeasure
from justesse.measures.regression.slopes import SLOPES
from justesse.measures.regression.sums import Sums, bucket_draws

METHOD = "bootstrap-studentised-symmetric"


@dataclass(frozen=True)
class Scale:
    """A scale to compute an interval on: there, its slope, and back."""

    there: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    back: Callable[[Array], Array]


PLAIN = Scale(lambda value: value, np.ones_like, lambda value: value)


@dataclass(frozen=True)
class Studentised:
    """The ends of an interval, and the standard error behind it on its scale; NaN if there is none."""

    low: float
    high: float
    error: float


def symmetric_studentised(
    sums: Sequence[Sums],
    scaled_measures: Sequence[tuple[NumericMeasure, Scale]],
    *,
    draws: int,
    generator: np.random.Generator,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> list[Studentised]:
    """Compute the intervals of measures of one model, or of how much more the second of two paired models has.

        θ ± q·e,   e² = B/(B-1)·Σ_b u_b²,   q the level's quantile of |θ* - θ|/e* over resamples

    Parameters
    ----------
    sums
        Sums over rows of one model, or of two models on the same rows.
    scaled_measures
        Measures, each with the scale on which its interval is symmetric.
    draws
        Number of resamples.
    generator
        Source of random numbers.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Returns
    -------
    list of Studentised
        Ends, not clipped to the bounds of the measure, and standard errors.

    Notes
    -----
    u_b is what bucket b of rows adds to θ by the measure's slopes (with at most 1,000 rows a bucket is a row), B their
    number; e* is that of the resample. q is at least Student's quantile, with degrees of freedom from the kurtosis of
    u (`kurtosis_degrees`) and at most B - 1. Hall (1988).

    Examples
    --------
    >>> from justesse.measures.regression import ALL
    >>> y, f = np.arange(20.0), np.arange(20.0) + np.tile([1.0, -2.0, 0.5, 3.0], 5)
    >>> (rmse,) = symmetric_studentised(
    ...     [Sums.of(y, f)], [(ALL[1], PLAIN)], draws=500, generator=np.random.default_rng(0)
    ... )
    >>> round(rmse.low, 2), round(rmse.high, 2)
    (1.45, 2.32)
    """
    from scipy.special import stdtrit

    buckets = len(sums[0].weight)
    tails = tail_levels(level, alternative)
    tail = max(tails)
    parts = [{name: np.nan_to_num(part) for name, part in vars(each).items()} for each in sums]
    whole = _resampled(sums, parts, scaled_measures, np.ones((1, buckets)))
    distances: list[list[Array]] = [[] for _ in scaled_measures]
    for times in bucket_draws(buckets, draws, generator) if buckets > 1 else ():
        for kept, drawn, (value, error, _) in zip(
            distances, _resampled(sums, parts, scaled_measures, times), whole, strict=True
        ):
            with np.errstate(divide="ignore", invalid="ignore"):
                kept.append(np.where(drawn[1] > 1e-9 * error, np.abs(drawn[0] - value) / drawn[1], np.nan))
    results = []
    for (_, scale), kept, (value, error, pushes) in zip(scaled_measures, distances, whole, strict=True):
        if buckets < 2 or not 0 < error[0] < math.inf:
            results.append(Studentised(math.nan, math.nan, math.nan))
            continue
        degrees = max(min(buckets - 1.0, kurtosis_degrees(pushes[0] ** 2)), 1.0)
        far, distance = float(stdtrit(degrees, 1 - tail)), np.concatenate(kept)
        distance = distance[np.isfinite(distance)]
        if len(distance):
            far = max(far, float(np.quantile(distance, 1 - 2 * tail)))
        with np.errstate(over="ignore"):
            low, high = (float(scale.back(value + sign * far * error)[0]) for sign in (-1, 1))
        results.append(Studentised(low if tails[0] else -math.inf, high if tails[1] else math.inf, float(error[0])))
    return results


def _resampled(
    sums: Sequence[Sums],
    parts: Sequence[dict[str, Array]],
    scaled_measures: Sequence[tuple[NumericMeasure, Scale]],
    times: Array,
) -> list[tuple[Array, Array, Array]]:
    """Return, per measure, its value and standard error in each draw, and what each bucket adds (draws × buckets)."""
    buckets = times.shape[1]
    signs = (1.0,) if len(sums) == 1 else (-1.0, 1.0)
    totals = [each.drawn(times) for each in sums]
    results = []
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        for measure, scale in scaled_measures:
            slopes = [SLOPES[measure.name](total) for total in totals]
            value = np.asarray(sum(sign * measure(total) for sign, total in zip(signs, totals, strict=True)))
            by_part = np.stack(
                [sign * slope for sign, each in zip(signs, slopes, strict=True) for slope in each.values()], axis=1
            )
            columns = np.stack([mine[name] for mine, each in zip(parts, slopes, strict=True) for name in each])
            pushes = (scale.slope(value)[:, None] * by_part) @ columns
            squares = np.einsum("db,db,db->d", times, pushes, pushes)
            results.append((scale.there(value), np.sqrt(buckets / max(buckets - 1, 1) * squares), pushes))
    return results
