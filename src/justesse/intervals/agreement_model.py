"""How often classifiers agree if they err independently, and the error rates that explain agreement best."""

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError

STEPS = 30  # Gauss-Newton settles in fewer than ten


def check_coincidence(coincidence: float | None, classes: int) -> float:
    """Return how often two wrong answers are the same: as stated, or as if wrong answers were spread evenly.

    >>> check_coincidence(None, 2), check_coincidence(None, 10), check_coincidence(0.4, 10)
    (1.0, 0.1111111111111111, 0.4)
    """
    if classes < 2:
        raise OptionError("Agreement says nothing if there is only one class. Check the columns of predictions.")
    even = 1 / (classes - 1)
    if coincidence is None:
        return even
    if not 0 <= coincidence <= 1:
        raise OptionError(
            f"coincidence, how often two wrong answers are the same, must lie between 0 and 1; got {coincidence!r}."
        )
    if classes == 2 and coincidence != 1:
        raise OptionError("With two classes, two wrong answers are always the same. Leave out coincidence.")
    return coincidence


def contrasts(agreement: Array, coincidence: float) -> FloatArray:
    """Turn shares of agreement into products of two abilities: c = (1 + s)·a - s.

    With error rates e and f of two classifiers that err independently, a = (1-e)(1-f) + s·e·f, and so c = b·d with the
    abilities b = 1 - (1+s)e and d = 1 - (1+s)f: 1 for a perfect classifier, 0 for chance.

    >>> contrasts(np.array([0.9 * 0.8 + 0.1 * 0.2]), 1.0).round(3).tolist(), round((1 - 0.2) * (1 - 0.4), 3)
    ([0.48], 0.48)
    """
    return np.asarray((1 + coincidence) * np.asarray(agreement, dtype=float) - coincidence)


def abilities(products: Array, pairs: tuple[tuple[int, int], ...]) -> FloatArray:
    """Find the abilities whose products are nearest to those observed, by least squares; NaN if one is not positive.

    Parameters
    ----------
    products
        One number for each pair, with batch axes in front if there are several data sets.
    pairs
        The pairs of classifiers, all of them.

    Notes
    -----
    With three classifiers the solution is exact: b₁ = √(c₁₂·c₁₃ / c₂₃). With more, this is where the search starts
    (the least-squares solution of log b + log d = log c), and Gauss-Newton steps follow. Platanios, Blum and Mitchell
    (2014).

    Examples
    --------
    >>> abilities(np.array([0.72, 0.63, 0.56]), ((0, 1), (0, 2), (1, 2))).round(4).tolist()
    [0.9, 0.8, 0.7]
    """
    seen = np.asarray(products, dtype=float)
    size = max(map(max, pairs)) + 1
    first, other = np.array(pairs).T
    design = np.zeros((len(pairs), size))
    design[np.arange(len(pairs)), first] = design[np.arange(len(pairs)), other] = 1
    with np.errstate(divide="ignore", invalid="ignore"):
        start = np.where(seen > 0, np.log(np.where(seen > 0, seen, 1.0)), np.nan)
    result = np.exp(start @ np.linalg.pinv(design).T)
    if size == 3:
        return np.asarray(result)
    whole = np.isfinite(result).all(axis=-1)
    kept = result[whole] if result.ndim > 1 else result
    target = seen[whole] if result.ndim > 1 else seen
    if not np.all(whole) and result.ndim == 1:
        return np.asarray(result)
    for _ in range(STEPS):
        residual = target - kept[..., first] * kept[..., other]
        pull = (residual * kept[..., other]) @ np.eye(size)[first] + (residual * kept[..., first]) @ np.eye(size)[other]
        total = (kept**2).sum(axis=-1)[..., None]
        normal = kept[..., :, None] * kept[..., None, :]
        normal = normal + (total - 2 * kept**2)[..., :, None] * np.eye(size)
        step = np.linalg.solve(normal, pull[..., None])[..., 0]
        kept = np.maximum(kept + step, 1e-9)
        if np.max(np.abs(step), initial=0.0) < 1e-12:
            break
    if result.ndim == 1:
        return np.asarray(kept)
    result[whole] = kept
    return np.asarray(result)


def errors_of(ability: Array, coincidence: float) -> FloatArray:
    """Turn abilities into error rates: e = (1 - b)/(1 + s), at least 0.

    >>> errors_of(np.array([0.9, 1.02]), 1.0).round(3).tolist()
    [0.05, 0.0]
    """
    return np.maximum((1 - np.asarray(ability, dtype=float)) / (1 + coincidence), 0.0)
