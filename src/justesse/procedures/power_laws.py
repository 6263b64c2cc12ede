"""Power laws of training and test error: with one limit for both, or each with its own."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from justesse.procedures.kinds import Array

EXPONENTS = np.geomspace(0.05, 3.0, 24)


@dataclass(frozen=True, eq=False)
class PowerLaws:
    """E_test = limit + a·n^-alpha and E_train = train_limit - b·n^-beta, one number each for every curve fitted.

    If `shared`, both limits are the same number. `left` is the weighted sum of squares that the laws leave unexplained.
    """

    limit: Array
    a: Array
    alpha: Array
    train_limit: Array
    b: Array
    beta: Array
    left: Array
    shared: bool

    def test(self, n: float | Array) -> Array:
        """Give the test error at n training rows."""
        return np.asarray(self.limit + self.a * n**-self.alpha)

    def train(self, n: float | Array) -> Array:
        """Give the training error at n training rows."""
        return np.asarray(self.train_limit - self.b * n**-self.beta)


def fit_power_laws(sizes: Array, test: Array, train: Array, weights: Array, *, shared: bool = True) -> PowerLaws:
    """Fit both laws by weighted least squares, to one or many pairs of curves (curves × sizes).

        minimise Σ_n w_n·(E_test(n) - L - a·n^-α)² + v_n·(E_train(n) - M + b·n^-β)²,   L, M, a ≥ 0,   α, β > 0

    `shared` fits one limit, L = M, and a training error that rises to it, b ≥ 0; otherwise each curve is fitted alone,
    and the training error may fall. For given exponents the rest is linear, and the best coefficients that are not
    negative are found among the ways of setting some to 0; the exponents come from a grid, for a single curve refined
    from its best on. `weights` holds those of the test errors, then those of the training errors. Cortes et al.
    (1993); lecture 002 (14.5) asks for exponents of 1 or more, which real curves seldom have (docs/errata.md, item 9).

    >>> n = np.array([10, 20, 40, 80, 160.0])
    >>> found = fit_power_laws(n, 0.1 + 2 / n, 0.1 - 0.5 * n**-0.8, np.ones(10))
    >>> round(float(found.limit[0]), 3), round(float(found.alpha[0]), 2)
    (0.1, 1.0)
    >>> apart = fit_power_laws(n, 0.1 + 2 / n, 0.0 * n, np.ones(10), shared=False)
    >>> round(float(apart.limit[0]), 3), abs(float(apart.train_limit[0]))
    (0.1, 0.0)
    """
    test, train = np.atleast_2d(test), np.atleast_2d(train)
    if shared:
        return _together(sizes, np.concatenate([test, train], axis=1), weights)
    limit, a, alpha, left = _alone(sizes, test, weights[: len(sizes)], falls=True)
    rising = _alone(sizes, train, weights[len(sizes) :], falls=False)
    falling = _alone(sizes, train, weights[len(sizes) :], falls=True)
    rises = rising[3] <= falling[3]
    train_limit, b, beta, train_left = (np.where(rises, *pair) for pair in zip(rising, falling, strict=True))
    return PowerLaws(limit, a, alpha, train_limit, np.where(rises, b, -b), beta, left + train_left, shared=False)


def _together(sizes: Array, curves: Array, weights: Array) -> PowerLaws:
    def at(alphas: Array, betas: Array) -> PowerLaws:
        alpha, beta = (grid.ravel() for grid in np.meshgrid(alphas, betas, indexing="ij"))
        scaled = sizes / sizes.max()  # so that columns are of one size
        columns = np.zeros((len(alpha), 2 * len(sizes), 3))
        columns[:, :, 0] = 1
        columns[:, : len(sizes), 1] = scaled ** -alpha[:, None]
        columns[:, len(sizes) :, 2] = -(scaled ** -beta[:, None])
        (limit, a, b), best, left = _best(columns, curves, weights)
        largest = float(sizes.max())
        alpha, beta = alpha[best], beta[best]
        return PowerLaws(limit, a * largest**alpha, alpha, limit, b * largest**beta, beta, left, shared=True)

    found = at(EXPONENTS, EXPONENTS)
    if len(curves) > 1:
        return found
    return at(*_refined(lambda exponents: float(at(*exponents).left[0]), found.alpha, found.beta))


def _alone(sizes: Array, curves: Array, weights: Array, *, falls: bool) -> tuple[Array, Array, Array, Array]:
    """Fit one law to curves: the limit, the factor, the exponent and what is left."""
    scaled, largest = sizes / sizes.max(), float(sizes.max())

    def at(exponents: Array) -> tuple[Array, Array, Array, Array]:
        powers = scaled ** -exponents[:, None]
        columns = np.stack([np.ones_like(powers), powers if falls else -powers], axis=2)
        (limit, factor), best, left = _best(columns, curves, weights)
        return limit, factor * largest ** exponents[best], exponents[best], left

    found = at(EXPONENTS)
    if len(curves) > 1:
        return found
    return at(*_refined(lambda exponents: float(at(*exponents)[3][0]), found[2]))


def _refined(left: Callable[[list[Array]], float], *start: Array) -> list[Array]:
    """Find the exponents that leave least, from the best of the grid on."""
    from scipy.optimize import minimize

    def exponents(logs: Array) -> list[Array]:
        return [np.array([one]) for one in np.clip(np.exp(logs), EXPONENTS[0], EXPONENTS[-1])]

    def at(logs: Array) -> float:
        return left(exponents(logs))

    fine: Any = {"xatol": 1e-4, "fatol": 1e-14, "maxiter": 300}
    begin = np.log([one[0] for one in start])
    return exponents(minimize(at, begin, method="Nelder-Mead", options=fine).x)


def _best(columns: Array, curves: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Try all designs (designs × points × coefficients) and all sets of coefficients that are not 0.

    Gives, for each curve, the coefficients, none negative, the number of the design and what it leaves unexplained.
    """
    root, terms = np.sqrt(weights), columns.shape[2]
    columns, wanted = columns * root[:, None], (curves * root).T
    curve = np.arange(len(curves))
    lowest, chosen, design = np.full(len(curves), np.inf), np.zeros((terms, len(curves))), np.zeros(len(curves), int)
    for many in range(terms, 0, -1):
        for kept in combinations(range(terms), many):
            basis, upper = np.linalg.qr(columns[:, :, kept])
            along = basis.transpose(0, 2, 1) @ wanted
            coefficients = np.linalg.solve(upper, along)
            left = np.maximum((wanted**2).sum(axis=0) - (along**2).sum(axis=1), 0.0)
            left = np.where((coefficients >= 0).all(axis=1), left, np.inf)
            at = left.argmin(axis=0)
            better = left[at, curve] < lowest
            lowest, design = np.where(better, left[at, curve], lowest), np.where(better, at, design)
            full = np.zeros((terms, len(curves)))
            full[list(kept)] = coefficients[at, :, curve].T
            chosen = np.where(better, full, chosen)
    return chosen, design, lowest
