"""How confidence intervals are computed."""

from justesse.core.choices import Alternative, PairedResampling, ProportionMethod, Resampling
from justesse.core.option_group import option_group


@option_group
class ConfidenceOptions:
    """Level of intervals.

    Parameters
    ----------
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    """

    level: float = 0.95


@option_group
class SidedOptions(ConfidenceOptions):
    """Level and side of intervals.

    Parameters
    ----------
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    """

    alternative: Alternative = "two-sided"


@option_group
class SeedOptions:
    """Seed of what is random.

    Parameters
    ----------
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    """

    seed: int = 0


@option_group
class LevelOptions(SeedOptions, SidedOptions):
    """Level, side and seed of intervals."""


@option_group
class DrawOptions(LevelOptions):
    """Intervals by bootstrap.

    Parameters
    ----------
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    """

    draws: int = 2000


@option_group
class DifferenceIntervalOptions(DrawOptions):
    """Intervals of differences.

    Parameters
    ----------
    bootstrap
        Interval of differences in measures that are not shares, such as macro-f1 or cost: resampled (percentile or bca), or by
        the delta method (none). Default: none.
    """

    bootstrap: PairedResampling = "none"


@option_group
class IntervalOptions(DrawOptions):
    """Intervals of measures.

    Parameters
    ----------
    method
        Interval of proportions such as accuracy and recall. delta is the value plus or minus a multiple of its standard
        error. Default: wilson.
    bootstrap
        Interval of all other measures: resampled (smoothed, percentile or bca), or by the delta method (none). Default:
        smoothed; none for very large tables.
    half_width
        Precision you need, such as 0.01 for ±1 point: a warning says if the rows do not give it.
    """

    method: ProportionMethod = "wilson"
    bootstrap: Resampling | None = None
    half_width: float | None = None
