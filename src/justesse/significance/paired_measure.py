"""The difference of any counts-based measure between two classifiers on the same rows."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.results import Alternative, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.bootstrap import BootstrapMethod, bootstrap
from justesse.intervals.delta import cell_slopes, delta_ends
from justesse.measures import Confusion, Measure
from justesse.measures.cost import Cost

STILL = "it does not vary on these rows, so its standard error is unknown"


@dataclass(frozen=True)
class Compared:
    """A measure, and the number of its class if it is per class."""

    measure: Measure
    at: int | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """How far apart two classifiers can be."""
        wide = self.measure.bounds[1] - self.measure.bounds[0]
        return -wide, wide


def measured_difference(compared: Compared) -> Callable[[Tally], Array]:
    """Return the function of a `label × incumbent × candidate` tally that says how much better the candidate is.

    It is vectorised over resamples.
    """
    measure, at = compared.measure, compared.at
    costs = measure.costs if isinstance(measure, Cost) else None

    def value(tally: Tally, side: str) -> Array:
        table = tally.marginal("label", side).renamed(**{side: "prediction"})
        values = measure.value(Confusion.of(table, costs=costs))
        return np.asarray(values if at is None else values[..., at])

    better, worse = ("incumbent", "candidate") if not measure.greater_is_better else ("candidate", "incumbent")
    return lambda tally: value(tally, better) - value(tally, worse)


def paired_bootstrap(
    tally: Tally,
    compared: Compared,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: BootstrapMethod = "percentile",
    draws: int = 2000,
    seed: int = 0,
) -> Interval | None:
    """Compute the bootstrap interval of the difference: rows are drawn again together with both answers.

    Its cost does not depend on n. `None` where no resample differs from another: the two never disagree in a way the
    measure sees. Efron and Tibshirani (1993).

    Parameters
    ----------
    tally
        Counts by label, incumbent and candidate.
    compared
        Measure to compare, and its class.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    method
        "percentile" or "bca".
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    Interval or None
        The interval; `None` if nothing varies.

    Examples
    --------
    >>> from justesse.measures import mcc
    >>> cells = [(1, 1, 1, 60), (1, 0, 1, 12), (0, 0, 0, 80), (0, 1, 0, 6), (0, 0, 1, 4), (1, 0, 0, 8)]
    >>> tally = Tally.of(("label", "incumbent", "candidate"), cells)
    >>> result = paired_bootstrap(tally, Compared(mcc))
    >>> round(result.low, 2), round(result.high, 2)
    (0.06, 0.27)
    """
    ends = bootstrap(
        tally.marginal("label", "incumbent", "candidate"),
        measured_difference(compared),
        level=level,
        alternative=alternative,
        method=method,
        draws=draws,
        seed=seed,
        vectorised=True,
    )
    return ends.intervals(bounds=compared.bounds, alternative=alternative)[0]


def paired_delta(
    case: Case,
    compared: Compared,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval | None:
    """Compute the delta-method interval of the difference, difference ± z·error.

    Parameters
    ----------
    case
        Answers of both classifiers, counted.
    compared
        Measure to compare, and its class.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Interval or None
        The interval; `None` if nothing varies.

    Examples
    --------
    >>> from justesse.measures import mcc
    >>> cells = [(1, 1, 1, 60), (1, 0, 1, 12), (0, 0, 0, 80), (0, 1, 0, 6), (0, 0, 1, 4), (1, 0, 0, 8)]
    >>> result = paired_delta(Case(Tally.of(("label", "incumbent", "candidate"), cells)), Compared(mcc))
    >>> round(result.low, 2), round(result.high, 2)
    (0.05, 0.26)
    """
    value = measured_difference(compared)(case.tally)
    error = np.asarray(paired_error(case, compared))
    tails = tail_levels(level, alternative)
    ends = delta_ends(value, error, level=level, tails=tails)
    return ends.intervals(bounds=compared.bounds, alternative=alternative)[0]


def paired_error(case: Case, compared: Compared) -> float:
    """Compute the standard error of the difference: the spread over rows of how much each moves it."""
    tally = case.tally.marginal("label", "incumbent", "candidate")
    label, first, other = tally.codes.T
    measure = compared.measure
    costs = measure.costs if isinstance(measure, Cost) else None

    def slopes(table: Tally, answers: Array) -> Array:
        return cell_slopes(measure, Confusion.of(table, costs=costs), label, answers, compared.at)

    apart = slopes(case.candidate, other) - slopes(case.incumbent, first)
    return math.sqrt(float((tally.counts * apart**2).sum()))
