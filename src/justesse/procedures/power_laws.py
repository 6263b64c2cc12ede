"""Two power laws with one limit: test error falls to it and training error rises to it."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from justesse.procedures.kinds import Array

EXPONENTS = np.geomspace(0.05, 3.0, 24)


@dataclass(frozen=True, eq=False)
class PowerLaws:
    """E_test = limit + a·n^-alpha and E_train = limit - b·n^-beta, one number each for every curve that was fitted.

    `left` is the weighted sum of squares that the laws leave unexplained.
    """

    limit: Array
    a: Array
    alpha: Array
    b: Array
    beta: Array
    left: Array

    def test(self, n: float) -> Array:
        """Give the test error at n training rows."""
        return np.asarray(self.limit + self.a * n**-self.alpha)

    def train(self, n: float) -> Array:
        """Give the training error at n training rows."""
        return np.asarray(self.limit - self.b * n**-self.beta)


def fit_power_laws(sizes: Array, test: Array, train: Array, weights: Array) -> PowerLaws:
    """Fit both laws together by weighted least squares, to one or many pairs of curves (curves × sizes).

        minimise Σ_n w_n·(E_test(n) - L - a·n^-α)² + v_n·(E_train(n) - L + b·n^-β)²,   L, a, b ≥ 0,   α, β > 0

    For given exponents the rest is linear, and with three coefficients the best that are not negative are found among
    the seven ways of setting some to 0; the exponents come from a grid, for a single curve refined from its best on.
    `weights` holds those of the test errors, then those of the training errors. Cortes et al. (1993); lecture 002
    (14.5) asks for exponents of 1 or more, which real curves seldom have (docs/errata.md, item 9).

    >>> n = np.array([10, 20, 40, 80, 160.0])
    >>> found = fit_power_laws(n, 0.1 + 2 / n, 0.1 - 0.5 * n**-0.8, np.ones(10))
    >>> round(float(found.limit[0]), 3), round(float(found.alpha[0]), 2)
    (0.1, 1.0)
    """
    curves = np.concatenate([np.atleast_2d(test), np.atleast_2d(train)], axis=1)
    found = _best(sizes, curves, weights, EXPONENTS, EXPONENTS)
    if len(curves) > 1:
        return found
    from scipy.optimize import minimize

    def at(logs: Array) -> PowerLaws:
        alpha, beta = np.clip(np.exp(logs), EXPONENTS[0], EXPONENTS[-1])
        return _best(sizes, curves, weights, np.array([alpha]), np.array([beta]))

    def left(logs: Array) -> float:
        return float(at(logs).left[0])

    start = np.log([found.alpha[0], found.beta[0]])
    fine: Any = {"xatol": 1e-4, "fatol": 1e-14, "maxiter": 300}
    return at(minimize(left, start, method="Nelder-Mead", options=fine).x)


def _best(sizes: Array, curves: Array, weights: Array, alphas: Array, betas: Array) -> PowerLaws:
    """Try all pairs of exponents and all sets of coefficients that are not 0."""
    alpha, beta = (grid.ravel() for grid in np.meshgrid(alphas, betas, indexing="ij"))
    scaled = sizes / sizes.max()  # so that columns are of one size
    columns = np.zeros((len(alpha), 2 * len(sizes), 3))
    columns[:, :, 0] = 1
    columns[:, : len(sizes), 1] = scaled ** -alpha[:, None]
    columns[:, len(sizes) :, 2] = -(scaled ** -beta[:, None])
    root = np.sqrt(weights)
    columns, wanted = columns * root[:, None], (curves * root).T
    lowest, chosen = np.full(len(curves), np.inf), np.zeros((5, len(curves)))
    for many in (3, 2, 1):
        for kept in combinations(range(3), many):
            basis, upper = np.linalg.qr(columns[:, :, kept])
            along = basis.transpose(0, 2, 1) @ wanted
            coefficients = np.linalg.solve(upper, along)
            left = (wanted**2).sum(axis=0) - (along**2).sum(axis=1)
            left = np.where((coefficients >= 0).all(axis=1), left, np.inf)
            at = left.argmin(axis=0)
            curve = np.arange(len(curves))
            better = left[at, curve] < lowest
            lowest = np.where(better, left[at, curve], lowest)
            full = np.zeros((3, len(curves)))
            full[list(kept)] = coefficients[at, :, curve].T
            chosen = np.where(better, [*full, alpha[at], beta[at]], chosen)
    limit, a, b, alpha, beta = chosen
    largest = float(sizes.max())
    return PowerLaws(limit, a * largest**alpha, alpha, b * largest**beta, beta, lowest)
