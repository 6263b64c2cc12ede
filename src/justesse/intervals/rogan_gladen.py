"""The mean of people's ratings from a judge's verdicts, corrected by the judge's rates (Rogan and Gladen)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
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


@dataclass(frozen=True)
class JudgedUnits:
    """Verdicts of a judge on the units to be rated.

    Parameters
    ----------
    mean, n
        Mean verdict, and number of units.
    high, low
        How many of them people rated 1 and 0. They are among the units that the rates come from.
    """

    mean: float
    n: int
    high: int = 0
    low: int = 0


def rogan_gladen(
    units: JudgedUnits, rates: JudgeRates, *, about: About = "population", level: float = 0.95, name: str = "win_rate"
) -> Estimate:
    """Estimate the mean that people would give from the mean verdict and the judge's rates.

        π = (q̄ - m_0) / (m_1 - m_0)
        interval: all π with (q̄ - m̃_0·(1-π) - m̃_1·π)² ≤ z²·[(m̃_1-m̃_0)²·π(1-π)/N + Σ_h c_h²·V_h·f_h + 2·c_0·c_1·V_01]

    Parameters
    ----------
    units
        Mean verdict of all units.
    rates
        Mean verdicts m_1 and m_0 where people rate 1 and 0, with their variances V_h.
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
    c_1 = π, c_0 = 1-π, f_h = 1 + n_h/N_h - 2·k_h/N_h with N_h = c_h·N: k_h of the n_h units behind a rate are among the
    N units themselves, and if all are, people's ratings alone remain. The interval is Fieller's, so it carries the
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
    (0.6, '[0.4924, 0.7187]')
    """
    check_level(level)
    reason = _reason(units, rates)
    if reason is not None:
        return Estimate(name, math.nan, units.n, undefined=reason, is_share=True)
    value = min(max((units.mean - rates.low.mean) / rates.slope, 0.0), 1.0)
    low, high = _ends(units, rates, value, about, level)
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
    (0.5, '[0.2431, 0.7569]')
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
    return CANNOT_TELL if rates.slope <= 0 else None


def _ends(units: JudgedUnits, rates: JudgeRates, value: float, about: About, level: float) -> tuple[float, float]:
    """Find where the squared distance leaves what chance allows, on a fine grid with interpolation."""
    share = np.clip(GRID, 0.0, 1.0)
    # verdicts are added to what is uncertain only: if people rated every unit, nothing is
    middle = [
        rate.mean + (rate.smooth - rate.mean) * min(1.0, float(_factor(rate, among, part, units.n)))
        for rate, among, part in ((rates.high, units.high, value), (rates.low, units.low, 1 - value))
    ]
    slope = middle[0] - middle[1]
    apart = units.mean - middle[1] - slope * GRID
    variance = slope**2 * share * (1 - share) / units.n if about == "population" else np.zeros_like(share)
    factors = [
        _factor(rate, among, part, units.n)
        for rate, among, part in ((rates.high, units.high, share), (rates.low, units.low, 1 - share))
    ]
    variance = (
        variance + share**2 * rates.high.variance * factors[0] + (1 - share) ** 2 * rates.low.variance * factors[1]
    )
    together = 2 * share * (1 - share) * rates.covariance * np.sqrt(factors[0] * factors[1])
    variance = np.maximum(variance + together, 0.0)
    over = apart**2 - z_value((1 - level) / 2) ** 2 * variance
    inside = np.flatnonzero(over <= 0)
    if not len(inside):
        nearest = float(GRID[int(over.argmin())])
        return nearest, nearest
    return _crossing(over, int(inside[0]), -1), _crossing(over, int(inside[-1]), 1)


def _factor(rate: JudgeRate, among: int, part: Any, n: int) -> Array:
    """Compute how much of a rate's variance remains, since `among` of its units are units to be rated."""
    size = np.maximum(part * n, max(among, 1))
    return np.asarray(np.maximum(1 + (rate.n - 2 * among) / size, 0.0))


def _crossing(over: Array, at: int, step: int) -> float:
    beyond = at + step
    if not 0 <= beyond < len(GRID):
        return float(GRID[at])
    part = -over[at] / (over[beyond] - over[at])
    return float(GRID[at] + part * (GRID[beyond] - GRID[at]))
