"""Areas under curves if the scores of both classes are normal: their values, means and variances."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.area_score import model_variance
from justesse.intervals.ends import Ends
from justesse.measures.curves.score_counts import ScoreCounts

METHOD = "binormal-score"
PRIOR_ROWS = 5  # rows of the rarer side that the model's variance counts for
DISTANCES = np.linspace(-4, 9, 66)[:, None]  # between the classes, in standard deviations of negative scores
RECALLS = (np.arange(100) + 0.5) / 100


@dataclass(frozen=True)
class _Scale:
    """A scale that is bent below ½ and straight above."""

    bent: Callable[[Array], Array]
    slope: Callable[[Array], Array]

    def above(self, value: float, means: Array, steps: Array) -> Array:
        """Return how far each mean and its step lie above the value, on this scale."""
        step = self.slope(np.clip(means, 1e-300, 0.5)) * steps
        return np.asarray(self._at(means) + step - self._at(np.asarray(value)))

    def _at(self, values: Array) -> Array:
        lower = np.clip(values, 1e-300, 0.5)
        return np.asarray(self.bent(lower) + (values - lower) * self.slope(np.asarray(0.5)))


LOGS = _Scale(np.log, lambda x: 1 / x)
ROOTS = _Scale(np.sqrt, lambda x: 0.5 / np.sqrt(x))
STRAIGHT = _Scale(lambda x: x, np.ones_like)


@dataclass(frozen=True)
class Binormal:
    """An area for each distance between normal scores of two classes.

    `value` is the area in the population, `mean` that of the area over samples, `variance` its variance. The lower end
    of an interval is computed on the lower scale, the upper one on the upper scale of 1 less the area.
    """

    value: Array
    mean: Array
    variance: Array
    lower_scale: _Scale = LOGS
    upper_scale: _Scale = ROOTS

    @classmethod
    def precision(cls, table: ScoreCounts) -> "Binormal":
        """Return the family of average precision, for as many rows of both classes, and as much weight, as here."""
        positive, negative = table.effective
        width = max(0.5, round(math.sqrt(min(1.0, negative / positive)), 2))
        share, (false, place) = table.n_positive / table.total, _places(width)
        right, wrong = share * RECALLS, (1 - share) * false
        called = right + wrong
        precision = right / called
        value = precision.mean(axis=1)
        # a positive row counts itself, so with few of them precision is higher than in the population
        own = table.n_positive / positive * (1 + (positive - 1) * RECALLS)
        mean = (own / (own + table.n_negative * false)).mean(axis=1)
        tail = _tails(wrong / called**2)
        gained = precision - value[:, None] + share * (tail[:, :-1] + tail[:, 1:]) / 2
        lost = (1 - share) * np.take_along_axis(_tails(right / called**2), place, axis=1)
        return cls(value, mean, (gained**2).mean(axis=1) / positive + (lost**2).mean(axis=1) / negative)

    @classmethod
    def area(cls, table: ScoreCounts) -> "Binormal":
        """Return the family of the area under the ROC curve; its variance is that of Hanley and McNeil (1982)."""
        from scipy.special import ndtr

        positive, negative = table.effective
        value = ndtr(DISTANCES[:, 0] / math.sqrt(2))
        return cls(value, value, model_variance(value, positive, negative), STRAIGHT, STRAIGHT)

    @classmethod
    def mixed(cls, models: Sequence["Binormal"], shares: Array, *, together: bool = False) -> "Binormal":
        """Return the family of a mean of areas of classes that are equally far from the rest.

        The areas are independent or, with `together`, move as one, as those of two classes do.
        """
        value, mean = (shares @ np.stack([getattr(model, name) for model in models]) for name in ("value", "mean"))
        variances = np.stack([model.variance for model in models])
        variance = (shares @ np.sqrt(variances)) ** 2 if together else shares**2 @ variances
        return cls(value, mean, variance, models[0].lower_scale, models[0].upper_scale)

    def variance_at(self, value: float) -> float:
        """Return the variance where an area has this mean."""
        return float(np.interp(value, self.mean, self.variance))

    def ends(
        self,
        value: float,
        spread: float,
        degrees: float,
        rows: float,
        *,
        level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Ends:
        """Compute the ends of the score interval of an area.

        Parameters
        ----------
        value
            The area.
        spread
            Its variance as the rows show it; 0 or NaN if they do not.
        degrees
            Degrees of freedom of that variance.
        rows
            How many rows of the rarer class it rests on: it counts that many times, the model's variance 5 times.
        level
            Confidence level.
        alternative
            "two-sided" for an interval of both sides, "greater" or "less" for one side.
        """
        from scipy.special import stdtrit

        ratio, modelled = 1.0, self.variance_at(value)
        if spread > 1e-15 and modelled > 0:
            ratio = (PRIOR_ROWS + rows * spread / modelled) / (PRIOR_ROWS + rows)
        step = np.sqrt(ratio * self.variance)
        below, above = (
            max(float(stdtrit(degrees + PRIOR_ROWS, 1 - tail)), 0.0) * step if tail else None
            for tail in tail_levels(level, alternative)
        )
        low, high = -math.inf, math.inf
        if below is not None:
            reach = self.lower_scale.above(value, self.mean, below)
            low = min(_first(reach, self.value, float(self.value[0])), value)
        if above is not None:
            reach = self.upper_scale.above(1 - value, 1 - self.mean, above)[::-1]
            high = max(1 - _first(reach, 1 - self.value[::-1], 0.0), value)
        return Ends(np.asarray(low), np.asarray(high), level, METHOD)


@lru_cache(maxsize=64)
def _places(width: float) -> tuple[Array, Array]:
    """Compute the share of negative rows above each recall, and the place of negative rows among the recalls."""
    from scipy.special import ndtr, ndtri

    quantiles = ndtri(1 - RECALLS)
    place = np.rint(ndtr((DISTANCES - quantiles) / width) * len(RECALLS)).astype(np.intp)
    return ndtr(-(width * quantiles + DISTANCES)), place


def _tails(values: Array) -> Array:
    """Compute the mean over all recalls of the values from each recall on, and 0 past the last."""
    tails = np.zeros((len(values), values.shape[1] + 1))
    tails[:, :-1] = np.cumsum(values[:, ::-1], axis=1)[:, ::-1] / values.shape[1]
    return tails


def _first(reach: Array, values: Array, outermost: float) -> float:
    """Return the first of rising values whose reach is not below 0, between the steps; the last if none is."""
    inside = reach >= 0
    at = int(inside.argmax())
    if not inside[at]:
        return float(values[-1])
    return float(np.interp(0.0, reach[at - 1 : at + 1], values[at - 1 : at + 1])) if at else outermost
