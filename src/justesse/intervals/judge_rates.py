"""How a judge rates what people rate high and what they rate low, and how well that is known."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval
from justesse.intervals.bounded_mean import bounded_mean
from justesse.intervals.clustered import clustered_share


@dataclass(frozen=True)
class JudgeRate:
    """Mean verdict of the judge on units that people rate alike.

    Parameters
    ----------
    mean
        Mean verdict, from 0 to 1.
    smooth
        The same with one more verdict of 0 and one of 1, as Lang and Reiczigel do.
    variance
        Variance of `smooth`, that of clusters if units come in clusters.
    n
        Number of units; 0 leaves the others undefined.
    totals, sizes
        Sum of verdicts and number of units of each cluster; empty if each unit is its own cluster.
    """

    mean: float
    smooth: float
    variance: float
    n: int
    totals: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()

    def interval(self, level: float = 0.95) -> Interval | None:
        """Return the interval of the mean verdict: Wilson's, with an effective n that has the same variance."""
        if not self.n:
            return None
        if self.sizes:
            [ends] = clustered_share(self.totals, self.sizes, level=level).intervals()
            return ends
        [ends] = bounded_mean(
            self.mean, self.variance**0.5 if 0 < self.mean < 1 else 0.0, self.n, top=1.0, level=level
        ).intervals()
        return ends

    def estimate(self, name: str, level: float = 0.95, *, mirrored: bool = False) -> Estimate:
        """Give the rate as an estimate; `mirrored` counts verdicts of 0 instead of 1."""
        ends, value = self.interval(level), self.mean
        if mirrored:
            value = 1 - value
            ends = ends and Interval(1 - ends.high, 1 - ends.low, level, ends.method, (0.0, 1.0))
        reason = None if self.n else "people rate no unit so"
        return Estimate(name, value, self.n, ends, reason, is_share=True)


@dataclass(frozen=True)
class JudgeRates:
    """Rates of a judge where people rate high (1) and low (0).

    `ties` counts the units that people rate in between; they do not enter. `clusters` are the labels of the clusters of
    rated units, sorted; `left_high` and `left_low` are how far each moves the two means, Σ(v - m_h)/n_h over its units.
    """

    high: JudgeRate
    low: JudgeRate
    ties: int = 0
    clusters: Array = field(default_factory=lambda: np.zeros(0, dtype=int), repr=False, compare=False)
    left_high: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    left_low: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    @property
    def slope(self) -> float:
        """How far the mean verdicts are apart: 1 for a perfect judge, 0 for one that cannot tell (Youden's index)."""
        return self.high.mean - self.low.mean

    @property
    def n(self) -> int:
        return self.high.n + self.low.n

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        return {
            "sensitivity": self.high.estimate("sensitivity", level).to_dict(),
            "specificity": self.low.estimate("specificity", level, mirrored=True).to_dict(),
            "ties": self.ties,
        }


def judge_rates(verdicts: ArrayLike, ratings: ArrayLike, clusters: ArrayLike | None = None) -> JudgeRates:
    """Compute the rates of a judge from units that people rated too.

        m_h = mean verdict where people rate h,   m̃_h = (Σv + 1)/(n_h + 2),
        V_h = c_h·(Σ(v - m̃_h)² + m̃_h² + (1 - m̃_h)²)/(n_h + 2)²

    Parameters
    ----------
    verdicts
        Verdict of the judge on each unit, from 0 to 1. The mean of several verdicts is one verdict.
    ratings
        What people say: 1, 0, or a value in between for a tie.
    clusters
        Codes of clusters, such as the question that several models answered. Default: units are independent.

    Returns
    -------
    JudgeRates
        Mean verdict where people rate 1 (the sensitivity of a judge who says 0 or 1) and where they rate 0
        (1 - specificity).

    Notes
    -----
    c_h is the ratio of the cluster-robust variance to that of independent units, at least 1. The two added verdicts
    keep the variance positive if a judge was never wrong. Nothing then shows that units of a cluster differ, so n_h is
    replaced by n_h²/Σ_g n_g², the number of clusters if they have one size. Lang and Reiczigel (2014).

    Examples
    --------
    >>> rates = judge_rates([1, 1, 1, 0, 0, 0.5], [1, 1, 1, 1, 0, 0])
    >>> rates.high.mean, rates.low.mean, rates.slope
    (0.75, 0.25, 0.5)
    """
    value, rating = np.asarray(verdicts, dtype=float), np.asarray(ratings, dtype=float)
    if value.shape != rating.shape or value.ndim != 1:
        raise OptionError(f"Each unit needs a verdict and a rating; got {value.size} and {rating.size}.")
    if len(value) and not ((value >= 0) & (value <= 1) & (rating >= 0) & (rating <= 1)).all():
        raise OptionError("Verdicts and ratings lie between 0 and 1.")
    every = np.arange(len(value)) if clusters is None else np.asarray(clusters)
    labels, groups = np.unique(every, return_inverse=True)
    high, left_high = _rate(value, rating == 1, groups)
    low, left_low = _rate(value, rating == 0, groups)
    ties = int(((rating > 0) & (rating < 1)).sum())
    return JudgeRates(high, low, ties, labels, left_high / max(high.n, 1), left_low / max(low.n, 1))


def _rate(values: Array, chosen: Array, groups: Array) -> tuple[JudgeRate, Array]:
    """Compute one rate, and what remains of each cluster after its mean."""
    own, members = values[chosen], groups[chosen]
    size = int(groups.max()) + 1 if len(groups) else 0
    n = len(own)
    if not n:
        return JudgeRate(float("nan"), 0.5, 0.25, 0), np.zeros(size)
    mean, smooth = float(own.mean()), (float(own.sum()) + 1) / (n + 2)
    squares = float(((own - smooth) ** 2).sum()) + smooth**2 + (1 - smooth) ** 2
    left = np.bincount(members, own - mean, minlength=size)
    alone = float(((own - mean) ** 2).sum())
    sizes = np.bincount(members, minlength=size)
    several = int((sizes > 0).sum())
    if several == n:
        return JudgeRate(mean, smooth, squares / (n + 2) ** 2, n), left
    if alone > 0 and several > 1:
        variance = max(1.0, several / (several - 1) * float(left @ left) / alone) * squares / (n + 2) ** 2
    else:
        worth = n**2 / float(sizes @ sizes)
        smooth = (worth * mean + 1) / (worth + 2)
        variance = smooth * (1 - smooth) / (worth + 2)
    totals = np.bincount(members, own, minlength=size)[sizes > 0]
    return JudgeRate(mean, smooth, variance, n, tuple(totals.tolist()), tuple(sizes[sizes > 0].tolist())), left
