"""Bounds of error rates from agreement rates, if classifiers err together no more than stated."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.intervals.agreement_model import contrasts

STEPS = 50  # halvings of a range that is at most 1


@dataclass(frozen=True, eq=False)
class DependenceBounds:
    """Lowest and highest error rate of each classifier; NaN where no error rates explain the agreement.

    `lead[i, j]` is how much larger log ability i can be than log ability j: below 0, i certainly errs more than j.
    """

    low: FloatArray
    high: FloatArray
    lead: FloatArray

    @property
    def possible(self) -> Array:
        """Whether any error rates explain the agreement."""
        return np.asarray(np.isfinite(self.low).all(axis=-1))


def check_dependence(dependence: float) -> float:
    """Return the dependence if it is one.

    >>> check_dependence(0.02)
    0.02
    """
    if not 0 <= dependence <= 0.25:
        raise OptionError(
            "dependence, how many more rows two classifiers get wrong together than if they erred independently, must "
            f"lie between 0 and 0.25; got {dependence!r}."
        )
    return dependence


def dependence_bounds(
    agreement: Array, pairs: tuple[tuple[int, int], ...], *, dependence: float, coincidence: float = 1.0
) -> DependenceBounds:
    """Bound the error rates of classifiers better than chance, from how often each pair agrees.

    Parameters
    ----------
    agreement
        Share of rows on which each pair agrees, with batch axes in front if there are several data sets.
    pairs
        The pairs of classifiers, all of them.
    dependence
        Largest |P(both wrong) - P(one wrong)·P(the other wrong)| of a pair.
    coincidence
        How often two wrong answers are the same; 1 for two classes.

    Notes
    -----
    With e₁ and e₂ known, agreement fixes how often both are wrong: a = 1 - e₁ - e₂ + (1+s)·e₁₂. So a dependence of at
    most δ means exactly ::

        |c - b₁b₂| ≤ (1+s)²δ        c = (1+s)a - s,   b = 1 - (1+s)e

    In β = log b these are bounds of sums of two unknowns, and 0 is the largest β. The tightest bounds that follow from
    all of them are shortest paths in a graph with two nodes for each classifier (Miné 2006), the same as those of
    linear programming. No narrower bounds follow from the pairs.

    Examples
    --------
    >>> a = np.array([0.9 * 0.8 + 0.1 * 0.2, 0.9 * 0.7 + 0.1 * 0.3, 0.8 * 0.7 + 0.2 * 0.3])
    >>> bounds = dependence_bounds(a, ((0, 1), (0, 2), (1, 2)), dependence=0.01)
    >>> bounds.low.round(3).tolist(), bounds.high.round(3).tolist()
    ([0.016, 0.139, 0.261], [0.168, 0.253, 0.336])
    """
    check_dependence(dependence)
    product, slack = contrasts(agreement, coincidence), (1 + coincidence) ** 2 * dependence
    size = max(map(max, pairs)) + 1
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.where(product + slack > 0, np.log(np.maximum(product + slack, 0)), -math.inf)
        below = np.where(product - slack > 0, np.log(np.maximum(product - slack, 0)), -math.inf)
    # path[a, b]: the largest value of a - b; nodes 0..size-1 are β, the others -β
    path = np.full((*product.shape[:-1], 2 * size, 2 * size), math.inf)
    for at in range(2 * size):
        path[..., at, at] = 0.0
    for at in range(size):
        path[..., at, size + at] = 0.0
    for k, (i, j) in enumerate(pairs):
        path[..., i, size + j] = path[..., j, size + i] = above[..., k]
        path[..., size + i, j] = path[..., size + j, i] = -below[..., k]
    with np.errstate(invalid="ignore"):
        for via in range(2 * size):
            through = path[..., :, via, None] + path[..., None, via, :]
            path = np.fmin(path, through)
    inconsistent = (np.diagonal(path, axis1=-2, axis2=-1) < -1e-12).any(axis=-1, keepdims=True)
    each = np.arange(size)
    best, worst = path[..., each, size + each] / 2, -path[..., size + each, each] / 2
    low, high = ((1 - np.exp(end)) / (1 + coincidence) for end in (best, worst))
    nothing = np.where(inconsistent, np.nan, 0.0)
    return DependenceBounds(low + nothing, high + nothing, path[..., :size, :size] + nothing[..., None])


def least_dependence(agreement: Array, pairs: tuple[tuple[int, int], ...], *, coincidence: float = 1.0) -> float:
    """Return the smallest dependence that explains the agreement of all pairs; 0 for three classifiers that fit.

    >>> exact = np.array([0.74, 0.74, 0.74, 0.68, 0.68, 0.68])  # errors 0.1, 0.2, 0.2, 0.2
    >>> pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    >>> round(least_dependence(exact, pairs), 6)
    0.0
    >>> round(least_dependence(exact + [0, 0, 0, 0, 0, 0.1], pairs), 4)
    0.0128
    """

    def explained(dependence: float) -> bool:
        return bool(dependence_bounds(agreement, pairs, dependence=dependence, coincidence=coincidence).possible)

    return _smallest(explained)


def order_survives(
    agreement: Array, pairs: tuple[tuple[int, int], ...], better: int, worse: int, *, coincidence: float = 1.0
) -> float:
    """Return the dependence up to which one classifier certainly errs less than another.

    >>> a = np.array([0.9 * 0.8 + 0.1 * 0.2, 0.9 * 0.7 + 0.1 * 0.3, 0.8 * 0.7 + 0.2 * 0.3])
    >>> round(order_survives(a, ((0, 1), (0, 2), (1, 2)), 0, 1), 3)
    0.01
    """

    def in_doubt(dependence: float) -> bool:
        bounds = dependence_bounds(agreement, pairs, dependence=dependence, coincidence=coincidence)
        return bool(bounds.possible) and not bool(bounds.lead[worse, better] < 0)

    return _smallest(in_doubt)


def _smallest(holds: Callable[[float], bool]) -> float:
    """Find by halving where something begins to hold."""
    low, high = 0.0, 0.25
    if holds(low):
        return 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
