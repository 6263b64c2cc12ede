"""Strengths of models from comparisons in pairs, with ties (Bradley and Terry; Davidson), corrected for a judge."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, check_level
from justesse.intervals.ends import far_value

METHOD, POWERED = "davidson, sandwich", "davidson, prediction-powered"
STEPS, CLOSE, FAR = 100, 1e-10, 9.0
TIES = (-30.0, 15.0)  # log ν between which ties can be rare or common; beyond, all or none are ties
APART = "some models were never compared with the others, not even through a third one"
ENDLESS = "a model, or a group of models, won or lost all its comparisons: no finite strength fits"
FEW = "people rated too few comparisons"


@dataclass(frozen=True)
class Strengths:
    """Strengths of models on the scale of log odds, with mean 0.

    Parameters
    ----------
    strengths
        Strength of each model with its interval; a difference of 1 means odds of e to 1, ties aside.
    ties
        ν of Davidson's model: 0 without ties.
    tuning
        Weight of the judge's verdicts: 1 is plain, 0 leaves them out; NaN without people's ratings.
    n, rated
        Number of comparisons, and of those that people rated.
    """

    strengths: tuple[Estimate, ...]
    ties: float
    tuning: float
    n: int
    rated: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "strengths": [item.to_dict() for item in self.strengths],
            "ties": self.ties if math.isfinite(self.ties) else None,
            "tuning": self.tuning if math.isfinite(self.tuning) else None,
            "n": self.n,
            "rated": self.rated,
        }


def bradley_terry(
    first: ArrayLike,
    second: ArrayLike,
    outcomes: ArrayLike,
    models: tuple[Any, ...],
    *,
    ratings: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> Strengths:
    """Fit the strengths of models to who wins each comparison, and correct them by people's ratings of some.

        P(i beats j) = e^θi/D,   P(tie) = ν·e^((θi+θj)/2)/D,   D = e^θi + e^θj + ν·e^((θi+θj)/2),   Σθ = 0
        counts:  λ·verdicts + N/n·(ratings - λ·verdicts on the rated comparisons)

    Parameters
    ----------
    first, second
        Codes of the two models of each comparison.
    outcomes
        For each comparison the shares of verdicts for the first model, for a tie and for the second.
    models
        Names of the models.
    ratings
        The same shares by people; NaN where they did not rate. Default: the outcomes are the truth.
    clusters
        Cluster of each comparison, such as its question. Default: comparisons are independent.
    level
        Confidence level.

    Returns
    -------
    Strengths
        One estimate for each model; without a value, and with the reason, where none exists.

    Notes
    -----
    This is Davidson's model, chosen over Rao and Kupper's because its likelihood is concave and its sufficient
    statistics are the points of each model (a tie is half a point) and the number of ties. So people's ratings correct
    the counts, without any assumption about the judge, as prediction-powered inference does; the rated comparisons must
    be a random sample. λ minimises the sum of the variances. Intervals are cluster-robust (sandwich), with Student's t.
    Davidson (1970); Angelopoulos, Duchi and Zrnic (2023).

    Examples
    --------
    >>> wins = [[1, 0, 0]] * 30 + [[0, 1, 0]] * 10 + [[0, 0, 1]] * 10
    >>> result = bradley_terry([0] * 50, [1] * 50, wins, ("a", "b"))
    >>> [round(item.value, 3) for item in result.strengths], str(result.strengths[0].interval)
    ([0.549, -0.549], '[0.1707, 0.9279]')
    """
    check_level(level)
    data = _Comparisons.of(first, second, outcomes, ratings, clusters, len(models))
    if data.rated.sum() < 2 and ratings is not None:
        return _undefined(models, data, FEW)
    if not _connected(data.first, data.second, len(models)):
        return _undefined(models, data, APART)
    tuning = 1.0 if ratings is not None else math.nan
    fit = _fit(data, data.counts(1.0), len(models))
    if ratings is not None and fit is not None:
        tuning = _best_tuning(data, fit)
        fit = _fit(data, data.counts(tuning), len(models))
    if fit is None:
        return _undefined(models, data, ENDLESS)
    left, change = data.scores(fit)
    variance = fit.inverse @ data.spread(left + (0.0 if math.isnan(tuning) else tuning) * change) @ fit.inverse
    degrees = max(len(np.unique(data.clusters[data.rated])) - len(models), 1)
    far = far_value((1 - level) / 2, degrees)
    strengths = []
    for at, name in enumerate(models):
        reach = far * math.sqrt(max(float(variance[at, at]), 0.0))
        value = float(fit.theta[at])
        ends = Interval(value - reach, value + reach, level, METHOD if ratings is None else POWERED)
        strengths.append(Estimate("strength", value, int(data.rated.sum()), ends, class_name=name))
    return Strengths(tuple(strengths), fit.ties, tuning, len(data.first), int(data.rated.sum()))


@dataclass(frozen=True)
class _Fit:
    theta: FloatArray
    log_ties: float  # -inf without ties
    inverse: FloatArray  # of the information, on the space of mean 0
    mixed: bool  # whether a parameter of ties was fitted

    @property
    def ties(self) -> float:
        return math.exp(self.log_ties) if self.mixed else 0.0


@dataclass(frozen=True)
class _Comparisons:
    first: Array
    second: Array
    outcomes: FloatArray
    ratings: FloatArray | None
    clusters: Array
    rated: Array
    models: int

    @classmethod
    def of(
        cls, first: ArrayLike, second: ArrayLike, outcomes: ArrayLike, ratings: ArrayLike | None,
        clusters: ArrayLike | None, models: int,
    ) -> "_Comparisons":  # fmt: skip
        left, other = np.asarray(first), np.asarray(second)
        shares = np.asarray(outcomes, dtype=float)
        if shares.shape != (len(left), 3) or len(left) != len(other) or not len(left):
            raise OptionError(
                f"Each comparison needs two models and three shares (first, tie, second); got {len(left)} and "
                f"{len(other)} models and shares of shape {shares.shape}."
            )
        if (left == other).any():
            raise OptionError(
                f"Comparison number {int(np.argmax(left == other)) + 1} compares a model with itself. Leave it out."
            )
        people = None if ratings is None else np.asarray(ratings, dtype=float)
        rated = np.ones(len(left), dtype=bool) if people is None else ~np.isnan(people).any(axis=1)
        groups = np.arange(len(left)) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
        return cls(left, other, shares, people, groups, rated, models)

    @property
    def times(self) -> float:
        return len(self.first) / max(int(self.rated.sum()), 1)

    def counts(self, tuning: float) -> FloatArray:
        """Return the corrected share of each outcome of each comparison."""
        if self.ratings is None:
            return self.outcomes
        rest = np.where(self.rated[:, None], np.nan_to_num(self.ratings) - tuning * self.outcomes, 0.0)
        return np.asarray(tuning * self.outcomes + self.times * rest)

    def chances(self, fit: "_Fit") -> FloatArray:
        return _chances(fit.theta[self.first], fit.theta[self.second], fit.log_ties)

    def scores(self, fit: "_Fit") -> tuple[FloatArray, FloatArray]:
        """Return each comparison's part of the score: with λ = 0, and what λ adds."""
        expected = self.chances(fit)
        verdicts = self._features(self.outcomes - expected, fit.mixed)
        if self.ratings is None:
            return verdicts, np.zeros_like(verdicts)
        people = self._features(np.nan_to_num(self.ratings) - expected, fit.mixed)
        on = self.rated[:, None]
        return np.where(on, self.times * people, 0.0), np.where(on, (1 - self.times) * verdicts, verdicts)

    def spread(self, scores: FloatArray, other: FloatArray | None = None) -> FloatArray:
        """Add up the products of the scores of clusters, rated and unrated ones around their own mean."""
        size = int(self.clusters.max()) + 1
        sums = [_by_cluster(part, self.clusters, size) for part in (scores, scores if other is None else other)]
        rated = np.bincount(self.clusters, self.rated, minlength=size) > 0
        result = np.zeros((scores.shape[1], scores.shape[1]))
        for own in (rated, ~rated):
            n = int(own.sum())
            if n > 1:
                left, right = (part[own] - part[own].mean(axis=0) for part in sums)
                result += n / max(n - scores.shape[1], 1) * left.T @ right
        return result

    def _features(self, shares: FloatArray, mixed: bool) -> FloatArray:
        rows = np.arange(len(self.first))
        result = np.zeros((len(rows), self.models + mixed))
        result[rows, self.first] = shares[:, 0] + shares[:, 1] / 2
        result[rows, self.second] = shares[:, 2] + shares[:, 1] / 2
        if mixed:
            result[:, -1] = shares[:, 1]
        return result


def _by_cluster(scores: FloatArray, clusters: Array, size: int) -> FloatArray:
    result = np.zeros((size, scores.shape[1]))
    np.add.at(result, clusters, scores)
    return result


def _chances(left: Array, other: Array, log_ties: float) -> FloatArray:
    logs = np.stack([left, (left + other) / 2 + log_ties, other], axis=-1)
    logs -= logs.max(axis=-1, keepdims=True)
    parts = np.exp(logs)
    return np.asarray(parts / parts.sum(axis=-1, keepdims=True))


def _fit(data: _Comparisons, counts: FloatArray, models: int) -> _Fit | None:
    """Maximise the concave likelihood by Newton's method on the counts of pairs; None if there is no maximum."""
    pairs, at = np.unique(np.stack([data.first, data.second]), axis=1, return_inverse=True)
    table = np.zeros((pairs.shape[1], 3))
    np.add.at(table, at.ravel(), counts)
    mixed = float(table[:, 1].sum()) > CLOSE * len(counts)
    if not mixed:  # without ties, or corrected to none: each is half a point
        table = np.stack([table[:, 0] + table[:, 1] / 2, np.zeros(len(table)), table[:, 2] + table[:, 1] / 2], axis=1)
    totals = table.sum(axis=1)
    design = _design(pairs, models, mixed)
    theta = np.zeros(models + mixed)

    def value(parameters: FloatArray) -> float:
        log_ties = float(parameters[-1]) if mixed else -math.inf
        chances = _chances(parameters[pairs[0]], parameters[pairs[1]], log_ties)
        return float((table * np.log(np.maximum(chances, 1e-300))).sum())

    inverse = np.zeros((len(theta), len(theta)))
    for _ in range(STEPS):
        log_ties = float(theta[-1]) if mixed else -math.inf
        chances = _chances(theta[pairs[0]], theta[pairs[1]], log_ties)
        gradient = np.einsum("po,pok->k", table - totals[:, None] * chances, design)
        mean = np.einsum("po,pok->pk", chances, design)
        information = np.einsum("p,po,pok,pol->kl", totals, chances, design, design) - np.einsum(
            "p,pk,pl->kl", totals, mean, mean
        )
        inverse = np.linalg.pinv(information, rcond=1e-12, hermitian=True)
        if np.abs(gradient).max() <= CLOSE * max(1.0, float(totals.sum())):
            break
        step, here, size = inverse @ gradient, value(theta), 1.0
        while size > 1e-6 and value(theta + size * step) < here - 1e-9 * abs(here):
            size /= 2
        theta = theta + size * step
        theta[:models] -= theta[:models].mean()
        if np.abs(theta[:models]).max() > FAR or (mixed and not TIES[0] < theta[-1] < TIES[1]):
            return None
    else:
        return None
    return _Fit(theta[:models], float(theta[-1]) if mixed else -math.inf, inverse, mixed)


def _design(pairs: Array, models: int, mixed: bool) -> FloatArray:
    """Lay out what each outcome of each pair adds to the parameters."""
    rows = np.arange(pairs.shape[1])
    result = np.zeros((len(rows), 3, models + mixed))
    result[rows, 0, pairs[0]] = 1.0
    result[rows, 2, pairs[1]] = 1.0
    result[rows, 1, pairs[0]] = result[rows, 1, pairs[1]] = 0.5
    if mixed:
        result[:, 1, -1] = 1.0
    return result


def _best_tuning(data: _Comparisons, fit: _Fit) -> float:
    """Find the λ with the least sum of variances of the strengths; they are quadratic in λ."""
    left, change = data.scores(fit)
    project = fit.inverse[: data.models]
    top = -float(np.trace(project @ data.spread(left, change) @ project.T))
    bottom = float(np.trace(project @ data.spread(change) @ project.T))
    return min(max(top / bottom, 0.0), 1.0) if bottom > 0 else 0.0


def _connected(first: Array, second: Array, models: int) -> bool:
    reached, grown = {int(first[0])}, True
    pairs = {(int(a), int(b)) for a, b in zip(first, second, strict=True)}
    while grown:
        near = {b for a, b in pairs if a in reached} | {a for a, b in pairs if b in reached}
        grown = not near <= reached
        reached |= near
    return len(reached) == models


def _undefined(models: tuple[Any, ...], data: _Comparisons, reason: str) -> Strengths:
    rated = int(data.rated.sum())
    empty = tuple(Estimate("strength", math.nan, rated, undefined=reason, class_name=name) for name in models)
    return Strengths(empty, math.nan, math.nan, len(data.first), rated)
