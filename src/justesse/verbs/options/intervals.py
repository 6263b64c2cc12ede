"""How confidence intervals are computed."""

from dataclasses import dataclass

from justesse.core.choices import Alternative, ProportionMethod, Resampling


@dataclass(frozen=True)
class LevelOptions:
    """Level and side of intervals.

    Parameters
    ----------
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    """

    level: float = 0.95
    alternative: Alternative = "two-sided"
    seed: int = 0


@dataclass(frozen=True)
class DifferenceIntervalOptions(LevelOptions):
    """Intervals of differences.

    Parameters
    ----------
    bootstrap
        Interval of differences that are not of shares, such as macro-f1 or cost: resampled (percentile or bca), or by
        the delta method (none). Default: none.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    """

    bootstrap: Resampling = "none"
    draws: int = 2000


@dataclass(frozen=True)
class IntervalOptions(LevelOptions):
    """Intervals of measures.

    Parameters
    ----------
    method
        Interval of proportions such as accuracy and recall. delta is for weights that depend on the class or on being
        right. Default: wilson.
    bootstrap
        Interval of all other measures: resampled (percentile or bca), or by the delta method (none). Default:
        percentile; none for very large tables.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    half_width
        Precision you need, such as 0.01 for ±1 point: a warning says if the rows do not give it.
    """

    method: ProportionMethod = "wilson"
    bootstrap: Resampling | None = None
    draws: int = 2000
    half_width: float | None = None
