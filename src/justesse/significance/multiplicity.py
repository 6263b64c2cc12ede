"""Corrections for asking many questions at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.resampling import CHUNK
from justesse.core.results import check_level
from justesse.core.seeds import stream
from justesse.significance.selection import check_tried

Correction = Literal["bonferroni", "sidak", "holm", "benjamini-hochberg"]


def adjusted(pvalues: Sequence[float], method: Correction = "holm", *, tried: int | None = None) -> Array:
    """Adjust p-values so that each can be compared with the level on its own.

        Bonferroni m·p; Šidák 1-(1-p)^m; Holm: step down with m, m-1, … ; Benjamini-Hochberg: step up, m·p/rank

    m is how many questions were asked, `tried` if more than are shown. The first three keep the chance of *any* false
    finding at the level, Holm with the most power and without assuming anything (Šidák needs independent or normal
    estimates). Benjamini-Hochberg keeps the *share* of false findings among all found: enough for screening, too little
    for a decision. A p-value that is undefined (NaN) stays so and counts as asked.

    Parameters
    ----------
    pvalues
        P-values to adjust.
    method
        "holm", "bonferroni", "sidak" or "benjamini-hochberg".
    tried
        Number of comparisons made, if more than are given.

    Examples
    --------
    >>> adjusted([0.01, 0.02, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    >>> adjusted([0.01], "bonferroni", tried=20).tolist()
    [0.2]
    """
    values = np.asarray(pvalues, dtype=float)
    if np.any((values < 0) | (values > 1)):
        raise OptionError("P-values must lie between 0 and 1.")
    asked = len(values) if tried is None else check_tried(tried)
    if asked < len(values):
        raise OptionError(f"tried must be at least {len(values)}, the number of p-values; got {asked}.")
    if method == "bonferroni":
        return np.asarray(np.minimum(values * asked, 1.0))
    if method == "sidak":
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(asked * np.log1p(-values)))
    order = np.argsort(values)  # undefined ones last
    rank = np.arange(len(values))
    corrected = np.empty_like(values)
    if method == "holm":
        corrected[order] = np.minimum(np.maximum.accumulate(values[order] * (asked - rank)), 1.0)
    elif method == "benjamini-hochberg":
        stepped = values[order] * asked / (rank + 1)
        corrected[order] = np.minimum(np.fmin.accumulate(stepped[::-1])[::-1], 1.0)
        corrected[np.isnan(values)] = np.nan
    else:
        raise OptionError(f"The method must be one of bonferroni, sidak, holm, benjamini-hochberg; got {method!r}.")
    return corrected


def simultaneous_level(level: float, tried: int, *, method: Literal["bonferroni", "sidak"] = "bonferroni") -> float:
    """Return the level each of m intervals needs so that all of them cover together with `level`.

    Parameters
    ----------
    level
        Confidence level.
    tried
        Number of intervals.
    method
        "bonferroni" or "sidak".

    Examples
    --------
    >>> simultaneous_level(0.95, 10)
    0.995
    """
    m = check_tried(tried)
    return float(1 - (1 - check_level(level)) / m if method == "bonferroni" else level ** (1 / m))


@dataclass(frozen=True)
class MaxT:
    """Adjusted p-values of m differences and the z that makes their intervals simultaneous."""

    pvalues: Array
    z: float
    level: float
    draws: int
    seed: int
    assumptions: tuple[str, ...] = ("the rows are independent draws, the same for all candidates",)


def max_t(
    differences: ArrayLike,
    counts: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
) -> MaxT:
    """Adjust m paired differences together, by the bootstrap of their largest standardised error.

        max_j |d*_j - d_j| / s*_j   over resamples of the rows

    `differences` has one row per kind of row seen and one column per candidate (+1 only the candidate right, -1 only
    the incumbent, 0 otherwise), `counts` how many rows are of each kind. Candidates that resemble each other are
    corrected less than by Bonferroni. Westfall and Young (1993).

    Parameters
    ----------
    differences
        One row per kind of row, one column per candidate: +1, 0 or -1.
    counts
        Number of rows of each kind.
    level
        Confidence level.
    draws
        Number of random draws.
    seed
        Seed of the random draws.
    progress
        Function called with the share of the work done.

    Returns
    -------
    MaxT
        Adjusted p-values, and the z of simultaneous intervals.

    Examples
    --------
    >>> rows = np.array([[1, 1], [-1, -1], [0, 0]])
    >>> result = max_t(rows, [30, 10, 160])
    >>> result.pvalues.shape, 1.8 < result.z < 2.2
    ((2,), True)
    """
    check_level(level)
    values, rows = np.asarray(differences, dtype=float), np.asarray(counts, dtype=np.int64)
    if values.ndim != 2 or rows.shape != values.shape[:1]:
        raise OptionError(f"One count per row of differences is needed; got {values.shape} and {rows.shape}.")
    n = int(rows.sum())
    if n < 2 or draws < 1:
        raise OptionError(f"At least two rows and one draw are needed; got {n} and {draws}.")

    def moments(batch: Array) -> tuple[Array, Array]:
        mean = batch @ values / n
        variance = (batch @ values**2 / n - mean**2) / n
        # never less than one row makes: a draw without the few rows where two differ is far off, not close by
        return mean, np.sqrt(np.maximum(variance, 1 / n**2))

    mean, error = moments(rows.astype(float))
    generator = stream(seed, "max-t")
    largest: list[Array] = []
    size = max(1, CHUNK // len(rows))
    for start in range(0, draws, size):
        batch = generator.multinomial(n, rows / n, size=min(size, draws - start)).astype(float)
        centre, spread = moments(batch)
        largest.append((np.abs(centre - mean) / spread).max(axis=1))
        progress(min(1.0, (start + size) / draws))
    top = np.concatenate(largest)
    pvalues = (1 + (top[:, None] >= np.abs(mean) / error - 1e-12).sum(axis=0)) / (1 + draws)
    return MaxT(pvalues, float(np.quantile(top, level)), level, draws, seed)
