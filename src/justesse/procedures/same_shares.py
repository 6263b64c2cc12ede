"""Whether rows are spread over classes or slices as a population is, and how far apart the two are."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.results import ClassName
from justesse.core.seeds import stream

DRAWS = 10_000
SPARSE = 5.0  # expected rows in a cell below which χ² is replaced by draws


@dataclass(frozen=True)
class SharesApart:
    """How far two spreads are apart: `effect` is Cohen's w, `moved` the share of rows in other cells than wanted."""

    pvalue: float
    statistic: float
    effect: float
    moved: float
    method: str
    cells: tuple[tuple[ClassName, float, float], ...]
    assumptions: tuple[str, ...] = ("rows are independent draws",)


def same_shares(
    rows: Mapping[ClassName, int], population: Mapping[ClassName, float], *, counted: bool, seed: int = 0
) -> SharesApart:
    """Test that rows are a random draw from a population, which is itself counted rows or known shares.

        χ² = Σ (n_c - n·π_c)² / (n·π_c),   w = sqrt(Σ (p_c - π_c)² / π_c),   moved = Σ |p_c - π_c| / 2

    `counted` says that the population is a sample of rows too: the common shares then replace π in the denominator.
    If fewer than 5 rows are expected in a cell, the p-value comes from 10,000 draws instead of the χ² curve (of tables
    with the same margins for two samples). With very many rows every difference has a small p-value: read the effect
    size, too; w is small at .1, medium at .3. A value that the population lacks makes w infinite where its shares
    are known. Wrong to use if rows come in groups: they then look less alike than they are.
    Pearson (1900); Cohen (1988).

    >>> result = same_shares({"a": 60, "b": 40}, {"a": 0.5, "b": 0.5}, counted=False)
    >>> round(result.pvalue, 4), round(result.effect, 2), round(result.moved, 2)
    (0.0455, 0.2, 0.1)
    """
    names = sorted({*rows, *population}, key=str)
    ours = np.array([rows.get(name, 0) for name in names], dtype=float)
    theirs = np.array([population.get(name, 0) for name in names], dtype=float)
    n, size = ours.sum(), theirs.sum()
    if not (n > 0 and size > 0 and np.isfinite(theirs).all() and (theirs >= 0).all()):
        raise InputError("Comparing shares needs at least one row on either side, and shares of 0 or more.")
    share, expected = ours / n, theirs / size
    common = (ours + theirs) / (n + size) if counted else expected
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = float(np.sqrt(np.nansum((share - expected) ** 2 / common)))
    cells = tuple(zip(names, share.tolist(), expected.tolist(), strict=True))
    moved = float(np.abs(share - expected).sum() / 2)
    if len(names) < 2:
        return SharesApart(1.0, 0.0, 0.0, 0.0, "one cell only", cells)
    pvalue, statistic, method = _test(ours, theirs, common, counted, seed)
    return SharesApart(pvalue, statistic, effect, moved, method, cells)


def _test(
    ours: FloatArray, theirs: FloatArray, common: FloatArray, counted: bool, seed: int
) -> tuple[float, float, str]:
    from scipy.special import chdtrc

    n, size = ours.sum(), theirs.sum()

    def distance(draw: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = (draw - n * common) ** 2 / (n * common)
        # a two-sample table has a second row, whose deviations are the same with the other sign
        return np.asarray(np.nansum(apart, axis=-1) * ((n + size) / size if counted else 1.0))

    statistic = float(distance(ours))
    if not np.isfinite(statistic):
        return 0.0, statistic, "a value that the population does not have"
    if (min(n, size if counted else n) * common).min() >= SPARSE:
        return float(chdtrc(len(ours) - 1, statistic)), statistic, "chi-square"
    rng = stream(seed, "shares")
    if counted:
        both = (ours + theirs).astype(np.int64)
        drawn = rng.multivariate_hypergeometric(both, int(n), size=DRAWS, method="marginals")
    else:
        drawn = rng.multinomial(int(n), common / common.sum(), size=DRAWS)
    as_far = int((distance(drawn.astype(float)) >= statistic * (1 - 1e-12)).sum())
    return (as_far + 1) / (DRAWS + 1), statistic, f"{DRAWS:,} draws"
