"""Bounds of error rates from agreement rates, if classifiers err together no more than stated."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.intervals.agreement_model import contrasts

STEPS = 50  # halvings of a range that is at most 1
FINE = 1e-8  # width of the last slices cut off
ROUNDING = 1e-12
SWEEPS = 2  # over all pairs; more hardly narrow the bounds


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

    **More than two classes: outer bounds.** They are those of linear programming on this condition alone
    (`product_bounds`), and hold where it does. That s is the same for all pairs is an assumption, and no more is drawn
    from it: narrower bounds can exist.

    **Two classes.** Both are wrong no less often than never and no more often than either is, 0 ≤ e₁₂ ≤ min(e₁, e₂) ::

        b₁ + b₂ ≤ 1 + c        |b₁ - b₂| ≤ 1 - c

    With three classifiers the bounds of the error rates are **sharp**: rates that fulfil all these conditions belong to
    a joint distribution of errors with the observed agreement, also that of all three. At each end, slices of abilities
    that contradict the conditions are cut off until none is left. With four or more they are outer bounds: each pair
    narrows the bounds of linear programming, but how three or more err together is not used. `lead` is always an outer
    bound.

    Examples
    --------
    >>> a = np.array([0.9 * 0.8 + 0.1 * 0.2, 0.9 * 0.7 + 0.1 * 0.3, 0.8 * 0.7 + 0.2 * 0.3])
    >>> bounds = dependence_bounds(a, ((0, 1), (0, 2), (1, 2)), dependence=0.01)
    >>> bounds.low.round(3).tolist(), bounds.high.round(3).tolist()
    ([0.027, 0.139, 0.261], [0.168, 0.253, 0.336])
    """
    outer = product_bounds(agreement, pairs, dependence=dependence, coincidence=coincidence)
    if coincidence != 1:
        return outer
    most, least = 1 - 2 * outer.low, 1 - 2 * outer.high
    product, slack = contrasts(agreement, coincidence), 4 * dependence
    for k, pair in list(enumerate(pairs)) * SWEEPS:
        for i, j in (pair, pair[::-1]):
            low, high = _partner(least[..., j], most[..., j], product[..., k], slack)
            least[..., i] = np.maximum(least[..., i], low)
            most[..., i] = np.minimum(most[..., i], high)
    if most.shape[-1] == 3:
        least, most = _cut_ends(least, most, product, pairs, slack)
    nothing = np.where((least <= most + 1e-9).all(axis=-1, keepdims=True), 0.0, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.log(most)[..., :, None] - np.log(least)[..., None, :]
    lead = np.fmin(outer.lead, apart) + nothing[..., None]
    return DependenceBounds((1 - most) / 2 + nothing, (1 - least) / 2 + nothing, lead)


def product_bounds(
    agreement: Array, pairs: tuple[tuple[int, int], ...], *, dependence: float, coincidence: float = 1.0
) -> DependenceBounds:
    """Bound the error rates by linear programming, from the products of abilities alone.

    Parameters are those of `dependence_bounds`, whose bounds are never wider.

    Notes
    -----
    In β = log b, |c - b₁b₂| ≤ (1+s)²δ bounds the sum of two unknowns, and 0 is the largest β. The tightest bounds that
    follow are shortest paths in a graph with two nodes for each classifier (Miné 2006).

    Examples
    --------
    >>> agreement, pairs = np.array([0.95, 0.95, 0.95]), ((0, 1), (0, 2), (1, 2))
    >>> product_bounds(agreement, pairs, dependence=0.03).high.round(3).tolist()
    [0.11, 0.11, 0.11]
    >>> dependence_bounds(agreement, pairs, dependence=0.03).high.round(3).tolist()
    [0.083, 0.083, 0.083]
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
    with np.errstate(over="ignore"):  # where nothing is consistent
        low, high = ((1 - np.exp(end)) / (1 + coincidence) for end in (best, worst))
    nothing = np.where(inconsistent, np.nan, 0.0)
    return DependenceBounds(low + nothing, high + nothing, path[..., :size, :size] + nothing[..., None])


def _partner(least: Array, most: Array, product: Array, slack: float) -> tuple[Array, Array]:
    """Return the least and largest ability of one of a pair, if the other's lies between two values; two classes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.fmax(np.maximum(product - slack, 0.0) / most, least - 1 + product)
        high = np.fmin((product + slack) / least, np.minimum(1 + product - least, most + 1 - product))
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _cut_ends(
    least: Array, most: Array, product: Array, pairs: tuple[tuple[int, int], ...], slack: float
) -> tuple[Array, Array]:
    """Cut off abilities of each of three classifiers that no abilities of the other two allow.

    A slice that is impossible is cut off, and the next is twice as wide. After one that may be possible, it is a
    quarter as wide. Only impossible abilities are ever cut off.
    """
    index = {frozenset(pair): k for k, pair in enumerate(pairs)}
    first, second, across = (
        product[..., [index[frozenset(((at + a) % 3, (at + b) % 3))] for at in range(3)]]
        for a, b in ((0, 1), (0, 2), (1, 2))
    )

    def possible(low: Array, high: Array) -> Array:
        others = _partner(low, high, first, slack), _partner(low, high, second, slack)
        return _pair_possible(*others, across, slack)

    ends = np.stack([least, most])
    width = np.where(possible(ends, ends), 0.0, np.maximum(most - least, 0.0) / 4)
    while (width > FINE).any():
        low = np.stack([ends[0], np.maximum(ends[1] - width[1], ends[0])])
        high = np.stack([np.minimum(ends[0] + width[0], ends[1]), ends[1]])
        keep = possible(low, high)
        ends = np.where(keep, ends, np.stack([high[0], low[1]]))
        width = np.where(keep, width / 4, np.where(ends[0] < ends[1], width * 2, 0.0))
    least, most = np.minimum(ends[0], ends[1]), np.maximum(ends[0], ends[1])
    point = possible(least, most)
    return np.where(point, least, 1.0), np.where(point, most, 0.0)


def _pair_possible(first: tuple[Array, Array], second: tuple[Array, Array], product: Array, slack: float) -> Array:
    """Return whether two classifiers with abilities in these ranges can agree as observed; two classes.

    The smallest abilities fulfil all linear conditions at once, and so do the largest but for b₁ + b₂ ≤ 1 + c. The
    product of both takes every value between its smallest and its largest.
    """
    (low, high), (other_low, other_high) = first, second
    gap, total = 1 - product, 1 + product
    low, other_low = np.maximum(low, other_low - gap), np.maximum(other_low, low - gap)
    high, other_high = np.minimum(high, other_high + gap), np.minimum(other_high, high + gap)
    middle = np.clip(total / 2, np.maximum(low, total - other_high), np.minimum(high, total - other_low))
    largest = np.where(high + other_high <= total, high * other_high, middle * (total - middle))
    fits = (low <= high + ROUNDING) & (other_low <= other_high + ROUNDING) & (low + other_low <= total + ROUNDING)
    return np.asarray(fits & (low * other_low <= product + slack + ROUNDING) & (largest >= product - slack - ROUNDING))


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
