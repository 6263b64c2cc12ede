"""Power laws of training and test error, with one limit or a limit for each."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from justesse.core.arrays import Array

EXPONENTS = np.geomspace(0.05, 3.0, 24)
AROUND = np.linspace(-1, 1, 5)  # steps from the best exponent so far
ROUNDS = 16
Fits = tuple[Array, Array, Array]  # coefficients × curves, the number of the design, what is left


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


def fit_power_laws(
    sizes: Array, test: Array, train: Array, weights: Array, *, shared: bool = True, refine: bool | None = None
) -> PowerLaws:
    """Fit both laws by weighted least squares, to one or many pairs of curves (curves × sizes).

        minimise Σ_n w_n·(E_test(n) - L - a·n^-α)² + v_n·(E_train(n) - M + b·n^-β)²,   L, M, a ≥ 0,   α, β > 0

    For given exponents the rest is linear, and the best coefficients that are not negative are found among the ways of
    setting some to 0. The exponents come from a grid. Cortes et al. (1993); lecture 002 (14.5) asks for exponents of 1
    or more, which real curves seldom have (docs/errata.md, item 9).

    Parameters
    ----------
    sizes
        Numbers of training rows.
    test, train
        Test errors and training errors (curves × sizes).
    weights
        Weights of the test errors, then those of the training errors.
    shared
        Whether to fit one limit, L = M, and a training error that rises to it (b ≥ 0). Otherwise each curve is
        fitted alone, and the training error may fall.
    refine
        Whether to search the exponents on ever finer grids around the best so far. Default: for a single curve.

    Examples
    --------
    >>> n = np.array([10, 20, 40, 80, 160.0])
    >>> result = fit_power_laws(n, 0.1 + 2 / n, 0.1 - 0.5 * n**-0.8, np.ones(10))
    >>> round(float(result.limit[0]), 3), round(float(result.alpha[0]), 2)
    (0.1, 1.0)
    >>> apart = fit_power_laws(n, 0.1 + 2 / n, 0.0 * n, np.ones(10), shared=False)
    >>> round(float(apart.limit[0]), 3), abs(float(apart.train_limit[0]))
    (0.1, 0.0)
    """
    test, train = np.atleast_2d(test), np.atleast_2d(train)
    m, fine = len(sizes), len(test) == 1 if refine is None else refine
    scaled, largest = sizes / sizes.max(), float(sizes.max())  # so that columns are of one size
    if shared:
        (limit, a, b), (alpha, beta), left = _fitted(
            lambda exponents: _columns(scaled, exponents), 2, np.concatenate([test, train], axis=1), weights, fine
        )
        return PowerLaws(limit, a * largest**alpha, alpha, limit, b * largest**beta, beta, left, shared=True)

    def alone(curves: Array, curve_weights: Array, sign: float) -> list[Array]:
        (limit, factor), (exponent,), left = _fitted(
            lambda exponents: _columns(scaled, exponents, sign), 1, curves, curve_weights, fine
        )
        return [limit, factor * largest**exponent, exponent, left]

    limit, a, alpha, left = alone(test, weights[:m], 1.0)
    rising, falling = (alone(train, weights[m:], sign) for sign in (-1.0, 1.0))
    rises = rising[3] <= falling[3]
    train_limit, b, beta, train_left = (np.where(rises, *pair) for pair in zip(rising, falling, strict=True))
    return PowerLaws(limit, a, alpha, train_limit, np.where(rises, b, -b), beta, left + train_left, shared=False)


def _columns(scaled: Array, exponents: Array, sign: float = 1.0) -> Array:
    """Give the designs (… × points × coefficients) for exponents (… × 1 or 2): one curve, or test above training."""
    m, many = len(scaled), exponents.shape[-1]
    columns = np.zeros((*exponents.shape[:-1], many * m, many + 1))
    columns[..., 0] = 1
    for at in range(many):
        columns[..., at * m : (at + 1) * m, at + 1] = (1 - 2 * at) * sign * scaled ** -exponents[..., at, None]
    return columns


def _fitted(
    designs: Callable[[Array], Array], many: int, curves: Array, weights: Array, fine: bool
) -> tuple[Array, Array, Array]:
    """Find each curve's coefficients and exponents, on the grid and then around its best."""
    grid = np.stack(np.meshgrid(*[EXPONENTS] * many, indexing="ij"), axis=-1).reshape(-1, many)
    coefficients, best, left = _best(designs(grid), curves, weights)
    exponents = grid[best]
    if not fine:
        return coefficients, exponents.T, left
    around = np.stack(np.meshgrid(*[AROUND] * many, indexing="ij"), axis=-1).reshape(-1, many)
    step = np.full(len(curves), np.log(EXPONENTS[1] / EXPONENTS[0]))
    curve = np.arange(len(curves))
    for _ in range(ROUNDS):
        tried = exponents[:, None] * np.exp(step[:, None, None] * around)
        tried = np.clip(tried, EXPONENTS[0], EXPONENTS[-1])
        solution, best, now = _best_of_own(designs(tried), curves, weights)
        better = now < left
        coefficients, left = np.where(better, solution, coefficients), np.where(better, now, left)
        exponents = np.where(better[:, None], tried[curve, best], exponents)
        # at the edge of what was tried the best may lie further out
        step = np.where(better & (np.abs(around[best]) == 1).any(axis=1), step, step / 2)
    return coefficients, exponents.T, left


def _best(columns: Array, curves: Array, weights: Array) -> Fits:
    """Try all designs (designs × points × coefficients) and all sets of coefficients that are not 0.

    Gives, for each curve, the coefficients, none negative, the number of the design and what it leaves unexplained.
    """
    root = np.sqrt(weights)
    columns, targets = columns * root[:, None], (curves * root).T

    def solved(kept: tuple[int, ...]) -> tuple[Array, Array]:
        basis, upper = np.linalg.qr(columns[:, :, kept])
        along = basis.transpose(0, 2, 1) @ targets
        left = np.maximum((targets**2).sum(axis=0) - (along**2).sum(axis=1), 0.0)
        return np.linalg.solve(upper, along).transpose(2, 0, 1), left.T

    return _lowest(solved, columns.shape[2], len(curves))


def _best_of_own(columns: Array, curves: Array, weights: Array) -> Fits:
    """Do the same with designs of each curve's own (curves × designs × points × coefficients)."""
    root = np.sqrt(weights)
    columns, targets = columns * root[:, None], (curves * root)[:, None, :, None]
    across = np.swapaxes(columns, 2, 3)
    squares, along = across @ columns, across @ targets

    def solved(kept: tuple[int, ...]) -> tuple[Array, Array]:
        own = squares[:, :, kept][..., kept]
        coefficients = np.linalg.solve(own, along[:, :, kept])
        left = ((targets - columns[..., kept] @ coefficients) ** 2).sum(axis=(2, 3))
        return coefficients[..., 0], left

    return _lowest(solved, columns.shape[3], len(curves))


def _lowest(solved: Callable[[tuple[int, ...]], tuple[Array, Array]], terms: int, curves: int) -> Fits:
    """Choose the set of coefficients and the design that leave least, among those without a negative coefficient.

    `solved` gives the coefficients (curves × designs × kept) and what is left (curves × designs).
    """
    curve = np.arange(curves)
    lowest, chosen, design = np.full(curves, np.inf), np.zeros((terms, curves)), np.zeros(curves, int)
    for many in range(terms, 0, -1):
        for kept in combinations(range(terms), many):
            coefficients, left = solved(kept)
            left = np.where((coefficients >= 0).all(axis=2), left, np.inf)
            at = left.argmin(axis=1)
            better = left[curve, at] < lowest
            lowest, design = np.where(better, left[curve, at], lowest), np.where(better, at, design)
            full = np.zeros((terms, curves))
            full[list(kept)] = coefficients[curve, at].T
            chosen = np.where(better, full, chosen)
    return chosen, design, lowest
