"""The mean of people's ratings from a judge's verdicts, corrected by the judge's rates (Rogan and Gladen)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, check_level
from justesse.intervals.ends import z_value
from justesse.intervals.judge_rates import JudgeRate, JudgeRates
from justesse.intervals.prediction_powered import About

NAME = "rogan-gladen"
STRATA = "rogan-gladen, strata"
GRID = np.linspace(-1.0, 2.0, 6001)
CANNOT_TELL = "the judge rates what people rate high no higher than what they rate low"
ONE_SIDE = "people rated no unit {side}"
NO_UNIT = "no unit"
ONE_CLUSTER = "people rated one item only"


@dataclass(frozen=True, eq=False)
class JudgedUnits:
    """Verdicts of a judge on the units to be rated.

    Parameters
    ----------
    mean, n
        Mean verdict, and number of units.
    clusters
        Of the units that people rated: cluster, labelled as for `judge_rates`. Default: people rated none of them.
    verdicts, ratings
        Mean verdict and mean rating of each of these.
    parts
        Share of each that people rated. Default: all of it.
    """

    mean: float
    n: int
    clusters: Array = field(default_factory=lambda: np.zeros(0, dtype=int))
    verdicts: FloatArray = field(default_factory=lambda: np.zeros(0))
    ratings: FloatArray = field(default_factory=lambda: np.zeros(0))
    parts: FloatArray | None = None

    @property
    def shares(self) -> FloatArray:
        return np.ones(len(self.clusters)) if self.parts is None else self.parts

    @property
    def unrated(self) -> float:
        """Number of units that people did not rate."""
        return max(self.n - float(self.shares.sum()), 0.0)


def rogan_gladen(
    units: JudgedUnits, rates: JudgeRates, *, about: About = "population", level: float = 0.95, name: str = "win_rate"
) -> Estimate:
    """Estimate the mean that people would give from the mean verdict and the judge's rates.

        π = (q̄ - m_0) / (m_1 - m_0)
        interval: all π with (q̄ - m̃_0·(1-π) - m̃_1·π)² ≤ t²·V(π)
        V(π) = (m̃_1-m̃_0)²·π(1-π)/N + G/(G-1)·Σ_g (r_g/N - π·h_g - (1-π)·l_g)² + (N-n)·[π·s_1² + (1-π)·s_0²]/N²

    Parameters
    ----------
    units
        Mean verdict of all units.
    rates
        Mean verdicts m_1 and m_0 where people rate 1 and 0.
    about
        "population": the population the units come from; "rows": these units only, which drops the first term.
    level
        Confidence level.
    name
        Name of the estimate.

    Returns
    -------
    Estimate
        π, no less than 0 and no more than 1; n is the number of units.

    Notes
    -----
    Cluster g of the G that people rated moves m_1 by h_g and m_0 by l_g, and, with r_g, the verdicts of the N units
    themselves: r_g is how far its verdict is from the rate of its rating. A pair of models seen from both sides is one
    cluster, in which both rates err together. If people rated all N units and no others, their ratings alone remain.
    s_h² is the variance of a verdict where people rate h, t has G - 1 degrees of freedom. What the added verdicts of
    `judge_rates` add to the variance counts in the share of units that people did not rate.
    The interval is Fieller's, so it carries the
    uncertainty of the rates, and is wide where the judge can hardly tell 1 from 0. Wrong if the rates differ between
    the rated units and all units, as between easy and hard questions or between models: unless the rated units are a
    random sample of these units, the rates must be constant. Where people tie, the mean verdict must lie midway
    between the rates. Rogan and Gladen (1978); Lang and Reiczigel (2014).

    Examples
    --------
    >>> from justesse.intervals.judge_rates import judge_rates
    >>> rates = judge_rates([1] * 45 + [0] * 5 + [1] * 10 + [0] * 40, [1] * 50 + [0] * 50)
    >>> result = rogan_gladen(JudgedUnits(0.62, 1000), rates)
    >>> round(result.value, 3), str(result.interval)
    (0.6, '[0.4904, 0.7204]')
    """
    check_level(level)
    reason = _reason(units, rates)
    if reason is not None:
        return Estimate(name, math.nan, units.n, undefined=reason, is_share=True)
    value = min(max((units.mean - rates.low.mean) / rates.slope, 0.0), 1.0)
    low, high = _ends(units, rates, about, level)
    return Estimate(name, value, units.n, Interval(low, high, level, NAME, (0.0, 1.0)), is_share=True)


def rogan_gladen_strata(
    strata: Sequence[tuple[JudgedUnits, JudgeRates]],
    *,
    about: About = "population",
    level: float = 0.95,
    name: str = "win_rate",
) -> Estimate:
    """Correct each stratum by its own rates, and average the strata by their size.

        π = Σ_s N_s/N·π_s;   the distances to the ends add as squares (MOVER), with those of the shares of strata

    Parameters
    ----------
    strata
        Units and rates of each stratum.
    about, level, name
        As in `rogan_gladen`.

    Notes
    -----
    Rates may differ between strata, and must be constant within each. Every stratum needs units that people rate 1 and
    units that they rate 0. Zou and Donner (2008).

    Examples
    --------
    >>> from justesse.intervals.judge_rates import judge_rates
    >>> good = judge_rates([1] * 19 + [0] + [0] * 19 + [1], [1] * 20 + [0] * 20)
    >>> poor = judge_rates([1] * 14 + [0] * 6 + [0] * 14 + [1] * 6, [1] * 20 + [0] * 20)
    >>> result = rogan_gladen_strata([(JudgedUnits(0.5, 500), good), (JudgedUnits(0.5, 500), poor)])
    >>> round(result.value, 3), str(result.interval)
    (0.5, '[0.2426, 0.7574]')
    """
    if not strata:
        raise OptionError("There must be at least one stratum.")
    total = sum(units.n for units, _ in strata)
    parts = [rogan_gladen(units, rates, about=about, level=level, name=name) for units, rates in strata]
    for part in parts:
        if part.interval is None:
            return Estimate(name, math.nan, total, undefined=f"in one stratum {part.undefined}", is_share=True)
    weights = [part.n / total for part in parts]
    value = sum(weight * part.value for weight, part in zip(weights, parts, strict=True))
    between = 0.0
    if about == "population":
        spread = sum(weight * (part.value - value) ** 2 for weight, part in zip(weights, parts, strict=True))
        between = z_value((1 - level) / 2) ** 2 * spread / total
    shares = list(zip(weights, parts, strict=True))
    below, above = (
        math.sqrt(between + sum((weight * _distance(part, side)) ** 2 for weight, part in shares)) for side in (-1, 1)
    )
    return Estimate(
        name, value, total, Interval(value - below, value + above, level, STRATA, (0.0, 1.0)), is_share=True
    )


def _distance(part: Estimate, side: int) -> float:
    assert part.interval is not None
    return part.value - part.interval.low if side < 0 else part.interval.high - part.value


def _reason(units: JudgedUnits, rates: JudgeRates) -> str | None:
    if not units.n:
        return NO_UNIT
    for rate, side in ((rates.high, "1"), (rates.low, "0")):
        if not rate.n:
            return ONE_SIDE.format(side=side)
    if len(rates.clusters) < 2:
        return ONE_CLUSTER
    return CANNOT_TELL if rates.slope <= 0 else None


def _ends(units: JudgedUnits, rates: JudgeRates, about: About, level: float) -> tuple[float, float]:
    """Find where the squared distance leaves what chance allows, on a fine grid with interpolation."""
    from scipy.special import stdtrit

    share = np.clip(GRID, 0.0, 1.0)
    # verdicts are added to what is uncertain only: if people rated every unit, nothing is
    open_part = units.unrated / units.n
    high, low = (rate.mean + (rate.smooth - rate.mean) * open_part for rate in (rates.high, rates.low))
    apart = units.mean - low - (high - low) * GRID
    variance = _moved(units, rates, share)
    variance += open_part / units.n * (share * _spread(rates.high) + (1 - share) * _spread(rates.low))
    for rate, left, part in ((rates.high, rates.left_high, share), (rates.low, rates.left_low, 1 - share)):
        variance += open_part * part**2 * max(rate.variance - _times(rates) * float(left @ left), 0.0)
    if about == "population":
        variance += (high - low) ** 2 * share * (1 - share) / units.n
    over = apart**2 - float(stdtrit(len(rates.clusters) - 1, (1 + level) / 2)) ** 2 * variance
    inside = np.flatnonzero(over <= 0)
    if not len(inside):
        nearest = float(GRID[int(over.argmin())])
        return nearest, nearest
    return _crossing(over, int(inside[0]), -1), _crossing(over, int(inside[-1]), 1)


def _moved(units: JudgedUnits, rates: JudgeRates, share: FloatArray) -> FloatArray:
    """Compute the variance by the rated clusters, which move the rates and the mean verdict together."""
    left = units.shares * (units.verdicts - rates.low.mean - rates.slope * units.ratings) / units.n
    at = np.minimum(np.searchsorted(rates.clusters, units.clusters), len(rates.clusters) - 1)
    known = rates.clusters[at] == units.clusters
    own = np.bincount(at[known], left[known], minlength=len(rates.clusters))
    if_low, change = own - rates.left_low, rates.left_high - rates.left_low
    squares = float(if_low @ if_low) - 2 * share * float(if_low @ change) + share**2 * float(change @ change)
    elsewhere = float(left[~known] @ left[~known])
    return np.asarray(_times(rates) * np.maximum(squares, 0.0) + elsewhere)


def _times(rates: JudgeRates) -> float:
    return len(rates.clusters) / (len(rates.clusters) - 1)


def _spread(rate: JudgeRate) -> float:
    """Compute the variance of a single verdict, no more than that of one that is 0 or 1."""
    return min(rate.variance * (rate.n + 2), rate.smooth * (1 - rate.smooth))


def _crossing(over: Array, at: int, step: int) -> float:
    beyond = at + step
    if not 0 <= beyond < len(GRID):
        return float(GRID[at])
    part = -over[at] / (over[beyond] - over[at])
    return float(GRID[at] + part * (GRID[beyond] - GRID[at]))
