"""Prediction-powered means: many rows with a pseudo-label, a few of them with the truth as well."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Interval, finite_or_none, tail_levels
from justesse.intervals.discrete_mean import mean_reach, sample_worth
from justesse.intervals.ends import z_value
from justesse.intervals.wilson import wilson

Tuning = Literal["plain", "power", "none"]
Ends = Literal["mover", "normal"]
About = Literal["population", "rows"]


@dataclass(frozen=True)
class Stratum:
    """Rows of one kind, counted by what each row adds to the mean.

    Parameters
    ----------
    proxies, rows
        Value by the pseudo-label, and how many of all rows have it.
    values, guesses, labelled
        True value, value by the pseudo-label, and how many labelled rows have both. Labelled rows are among all rows.
    bounds
        Least and greatest value that a row of the stratum can have. Default: those of all rows.
    known
        Number of rows known exactly, if rows are means of units of which only some have a label: 0 if the units of a
        row may differ in any way, half of the rows if half of the units are labelled and units of a row differ by
        chance. Default: `labelled`.
    effective
        Number of labelled rows of equal weight that tell as much, if labelled rows have weights (Kish): `labelled` then
        holds weights that add up to their number. Default: their number.
    """

    proxies: ArrayLike
    rows: ArrayLike
    values: ArrayLike
    guesses: ArrayLike
    labelled: ArrayLike
    bounds: tuple[float, float] | None = None
    known: float | None = None
    effective: float | None = None


@dataclass(frozen=True)
class PredictionPowered:
    """A mean from many pseudo-labels and few true values.

    Parameters
    ----------
    value, interval
        The mean and its interval.
    n, rows
        Number of labelled rows, and of all rows.
    tuning
        Weight of the pseudo-labels in each stratum: 1 is plain, 0 leaves them out.
    bias, bias_interval
        Mean by the pseudo-labels minus true mean, on these rows.
    alone
        Interval from the labelled rows alone.
    unseen
        Rows of strata without a labelled row.
    at_random
        Whether the labelled rows are a simple random sample. If not, `alone` is from as many drawn at random.
    always_valid
        Interval for these rows that holds whenever labelling stops, if the order of the draws is known.
    """

    value: float
    interval: Interval
    n: int
    rows: int
    tuning: tuple[float, ...]
    bias: float
    bias_interval: Interval
    alone: Interval
    unseen: int = 0
    at_random: bool = True
    always_valid: Interval | None = None

    @property
    def worth(self) -> float:
        """Number of labelled rows that alone would give an interval of this width."""
        return label_worth(self.n, self.alone, self.interval)

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "interval": self.interval.to_dict(),
            "n": self.n,
            "rows": self.rows,
            "tuning": list(self.tuning),
            "bias": {"value": self.bias, "interval": self.bias_interval.to_dict()},
            "alone": self.alone.to_dict(),
            "worth": finite_or_none(self.worth),
            "at_random": self.at_random,
            "always_valid": self.always_valid.to_dict() if self.always_valid else None,
        }


def prediction_powered(
    strata: Sequence[Stratum],
    *,
    tuning: Tuning = "power",
    ends: Ends = "mover",
    about: About = "population",
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PredictionPowered:
    """Estimate a mean from pseudo-labels of all rows and the truth of a random sample of them.

        mean = Σ_s N_s/N · (λ_s·mean of all proxies + mean over the labelled rows of (value - λ_s·proxy))

    Parameters
    ----------
    strata
        Counts of each stratum; one for a simple random sample.
    tuning
        "plain": λ = 1. "power": the λ with the least variance, cov(value, proxy)/var(proxy). "none": λ = 0.
    ends
        "mover": holds with few labelled rows. "normal": value plus or minus a multiple of its standard error; needs
        dozens of labelled rows whose value differs from the proxy.
    about
        "population": the population the rows come from; "rows": these rows only.
    bounds
        Least and greatest value that a row can have.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Notes
    -----
    Right for any pseudo-labels, good or bad; good ones make the interval narrow. "mover" has Clopper and Pearson's
    interval for the share of each difference between value and λ·proxy, corrected for the finite number of rows,
    combined with their covariance, and adds the sampling error of the rows (Wilson). The least and the greatest
    difference that is possible counts even if it was not seen. A stratum without a labelled row keeps its proxies, and
    the interval allows any values there. Where the proxy is constant in each stratum, λ does not matter: two strata of
    a proxy that is 0 or 1 are the same as power tuning. Do not use it if the labelled rows were not drawn at random.
    Angelopoulos et al. (2023), Prediction-powered inference; Angelopoulos, Duchi and Zrnic (2023), PPI++; Fisch et al.
    (2024); Zou and Donner (2008).

    Examples
    --------
    >>> rows = Stratum([1, 0], [8600, 1400], [1, 0, 0, 1], [1, 1, 0, 0], [169, 3, 19, 9])
    >>> plain = prediction_powered([rows], tuning="plain")
    >>> round(plain.value, 3), str(plain.interval), str(plain.bias_interval)
    (0.89, '[0.8522, 0.9307]', '[-0.0703, 0.0072]')
    >>> tuned = prediction_powered([rows])
    >>> round(tuned.tuning[0], 3), round(tuned.value, 3), str(tuned.interval), round(tuned.worth)
    (0.661, 0.89, '[0.8531, 0.9219]', 354)
    """
    tails = tail_levels(level, alternative)
    for word, choices, chosen in (("tuning", Tuning, tuning), ("ends", Ends, ends), ("about", About, about)):
        if chosen not in get_args(choices):
            raise OptionError(f"{word} must be one of {', '.join(get_args(choices))}; got {chosen!r}.")
    parts = [_Part.of(stratum, tuning, bounds) for stratum in strata]
    n, rows = sum(part.n for part in parts), sum(part.size for part in parts)
    if n < 2:
        raise OptionError(f"At least two rows must be labelled to compute an interval; got {n}.")

    def interval(estimated: Sequence[_Part], middle: float, about: About, limits: tuple[float, float]) -> Interval:
        spread = _normal if ends == "normal" else _mover
        down, up = (
            spread(estimated, middle, about, bounds, tail, sign) if tail else math.inf
            for tail, sign in zip(tails, (-1, 1), strict=True)
        )
        name = "prediction-powered" if ends == "mover" else "prediction-powered, normal"
        return Interval(middle - down, middle + up, level, name, limits, alternative)

    value = _mean(parts)
    whole = _Part.of(_merged(strata), "none", bounds)
    proxied = [replace(part, tuning=1.0) for part in parts]
    by_proxy, true_here = sum(part.size * part.proxy_mean for part in parts) / rows, _mean(proxied)
    here = interval(proxied, true_here, "rows", (-math.inf, math.inf))
    reach = bounds[1] - bounds[0]
    bias = Interval(
        by_proxy - here.unclipped_high, by_proxy - here.unclipped_low, level, here.method, (-reach, reach),
        {"greater": "less", "less": "greater"}.get(alternative, alternative),  # type: ignore[arg-type]
    )  # fmt: skip
    return PredictionPowered(
        value,
        interval(parts, value, about, bounds),
        n,
        rows,
        tuple(part.tuning for part in parts),
        by_proxy - true_here,
        bias,
        interval([whole], _mean([whole]), about, bounds),
        sum(part.size for part in parts if not part.n),
    )


def label_worth(n: float, alone: Interval, powered: Interval) -> float:
    """Return how many labelled rows alone would give an interval as narrow as `powered`; `n` of them give `alone`.

    Widths shrink with the square root of the number of rows.

    >>> label_worth(100, Interval(0.8, 0.9, 0.95, "wilson"), Interval(0.83, 0.88, 0.95, "recheck-kinds"))
    400.0
    """
    wide, narrow = alone.unclipped_high - alone.unclipped_low, powered.unclipped_high - powered.unclipped_low
    if not (math.isfinite(wide) and math.isfinite(narrow)):
        return math.nan
    return round(n * (wide / narrow) ** 2, 9) if narrow > 0 else math.inf


@dataclass(frozen=True)
class _Part:
    """One stratum with its weight of the pseudo-labels."""

    proxies: Array
    rows: Array
    values: Array
    guesses: Array
    labelled: Array
    tuning: float
    bounds: tuple[float, float]
    known: float | None = None
    effective: float | None = None

    @classmethod
    def of(cls, stratum: Stratum, tuning: Tuning, bounds: tuple[float, float]) -> "_Part":
        proxies, rows, values, guesses, labelled = (
            np.asarray(getattr(stratum, name), dtype=float)
            for name in ("proxies", "rows", "values", "guesses", "labelled")
        )
        if labelled.sum() > rows.sum() + 1e-6:
            raise OptionError(
                f"A stratum has {labelled.sum():g} labelled rows, but only {rows.sum():g} rows. The labelled rows must "
                "be among all rows."
            )
        own = (stratum.bounds or bounds, stratum.known, stratum.effective)
        part = cls(proxies, rows, values, guesses, labelled, 1.0, *own)
        if tuning == "plain" or not part.n:
            return part
        return replace(part, tuning=0.0 if tuning == "none" else part.best_tuning)

    @property
    def n(self) -> int:
        return round(float(self.labelled.sum()))

    @property
    def size(self) -> int:
        return round(float(self.rows.sum()))

    @property
    def shares(self) -> Array:
        return self.labelled / max(self.n, 1)

    @property
    def proxy_mean(self) -> float:
        return float(self.proxies @ self.rows) / self.size

    @property
    def mean(self) -> float:
        return self.tuning * self.proxy_mean + float(self.residuals @ self.shares)

    @property
    def residuals(self) -> Array:
        return self.values - self.tuning * self.guesses

    @property
    def best_tuning(self) -> float:
        """The weight with the least variance, at most as much as makes unlabelled rows count fully."""
        spread = float(((self.proxies - self.proxy_mean) ** 2) @ self.rows) / max(self.size - 1, 1)
        if spread == 0 or self.worth("rows") == math.inf:
            return 1.0
        mean = float(self.guesses @ self.shares)
        if self.known is not None and self.known < self.n:  # means of fewer units vary more than those of all
            spread = max(spread, float((self.guesses - mean) ** 2 @ self.shares))
        together = float((self.values * (self.guesses - mean)) @ self.shares)
        most = self.size / (self.size - self.n) if self.size > self.n else math.inf
        return min(max(together / spread, 0.0), most)

    def worth(self, about: About) -> float:
        """Number of rows of an endless supply that tell as much about these rows as the labelled ones do."""
        n = self.n if self.effective is None else self.effective
        return sample_worth(n, self.size, self.known if about == "rows" else None)

    @property
    def possible(self) -> tuple[Array, Array]:
        """All residuals seen and the two extreme ones, with their shares."""
        low, high = self.bounds
        extremes = [low - self.tuning * self.proxies.max(), high - self.tuning * self.proxies.min()]
        values, at = np.unique(np.concatenate([self.residuals, extremes]).round(12), return_inverse=True)
        return values, np.bincount(at, np.append(self.shares, [0.0, 0.0]), minlength=len(values))


def _merged(strata: Sequence[Stratum]) -> Stratum:
    names = ("proxies", "rows", "values", "guesses", "labelled")
    proxies, rows, values, guesses, labelled = (
        np.concatenate([np.asarray(getattr(part, name), dtype=float) for part in strata]) for name in names
    )
    known, effective = (
        sum(float(np.sum(part.labelled)) if getattr(part, name) is None else getattr(part, name) for part in strata)
        for name in ("known", "effective")
    )
    return Stratum(proxies, rows, values, guesses, labelled, known=known, effective=effective)


def _mean(parts: Sequence[_Part]) -> float:
    return sum(part.size * part.mean for part in parts) / sum(part.size for part in parts)


def _mover(
    parts: Sequence[_Part], value: float, about: About, bounds: tuple[float, float], tail: float, sign: int
) -> float:
    rows, total = sum(part.size for part in parts), 0.0
    for part in parts:
        residuals, shares = part.possible
        reach = max(float((sign * residuals).max()), 0.0)  # nothing seen: any value is possible
        if part.n:
            reach = mean_reach(residuals, shares, part.worth(about), tail, sign)
        total += (part.size / rows * reach) ** 2
    if about == "population":
        seen, weight = zip(*((part.values, part.size / rows * part.shares) for part in parts), strict=True)
        values, at = np.unique(np.concatenate([*seen, list(bounds)]), return_inverse=True)
        shares = np.bincount(at, np.concatenate([*weight, [0.0, 0.0]]), minlength=len(values))
        total += mean_reach(values, shares / max(shares.sum(), 1e-300), rows, tail, sign, method=wilson) ** 2
    return math.sqrt(total)


def _normal(
    parts: Sequence[_Part], value: float, about: About, bounds: tuple[float, float], tail: float, sign: int
) -> float:
    """Spread as in PPI: unlabelled proxies and labelled residuals are independent, and strata differ."""
    rows, total = sum(part.size for part in parts), 0.0
    for part in parts:
        weight, rest = part.size / rows, part.size - part.n
        if not part.n:
            raise OptionError("The normal interval needs labelled rows in every stratum. Use ends='mover'.")
        if about == "rows":
            total += weight**2 * (rest / part.size) * _variance(part.residuals, part.labelled) / part.n
            continue
        scaled = part.tuning * rest / part.size
        total += weight**2 * _variance(part.values - scaled * part.guesses, part.labelled) / part.n
        if rest:
            # all rows without the labelled ones
            proxies = np.concatenate([part.proxies, part.guesses])
            total += weight**2 * scaled**2 * _variance(proxies, np.append(part.rows, -part.labelled)) / rest
        total += weight * (part.mean - value) ** 2 / rows
    return z_value(tail) * math.sqrt(total)


def _variance(values: Array, counts: Array) -> float:
    n = float(counts.sum())
    mean = float(values @ counts) / n
    return max(float((values - mean) ** 2 @ counts) / n, 0.0)
