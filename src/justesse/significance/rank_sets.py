"""Which ranks each of many models can have, all ranks together at one level."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import check_level
from justesse.core.seeds import check_seed, stream
from justesse.significance.pair_evidence import PairEvidence

ASSUMPTIONS = (
    "all models answered the same rows",
    "the labels are right",
    "the rank of a model is 1 plus the number of models with a higher true score",
)
MOST_DRAWS, LEAST_DRAWS = 20_000, 2_000
WORK = 1_000_000_000  # draws × pairs
DEGREES_PER_MODEL = 2  # with fewer degrees of freedom a covariance is too uncertain to draw from alone


@dataclass(frozen=True, eq=False)
class RankSets:
    """Ranks that each model can have, and which pairs are told apart.

    Parameters
    ----------
    best, worst
        Best and worst rank of each model; 1 is the best.
    ahead
        Whether model i is better than model j beyond doubt, at [i, j].
    groups
        Sets of models, neighbours in the order of scores, of which no two are told apart; the largest such sets, best
        first. They may overlap.
    pvalues
        p-value of each pair, corrected for all pairs.
    level
        Level at which all ranks hold together.
    pair_level
        Level of the test of a single pair: two models are told apart if their own p-value is at most this.
    pairs
        Number of pairs corrected for.
    test
        Name of the test of a pair.
    draws, seed
        Random draws of the correction, and their seed.
    """

    best: Array
    worst: Array
    ahead: Array
    groups: tuple[tuple[int, ...], ...]
    pvalues: Array
    level: float
    pair_level: float
    pairs: int
    test: str
    draws: int
    seed: int
    assumptions: tuple[str, ...] = field(default=ASSUMPTIONS)

    def to_dict(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "correction": "max-t",
            "level": self.level,
            "pair_level": self.pair_level,
            "pairs": self.pairs,
            "draws": self.draws,
            "seed": self.seed,
        }


def rank_sets(evidence: PairEvidence, *, level: float = 0.95, seed: int = 0, draws: int | None = None) -> RankSets:
    """Compute simultaneous confidence sets for the ranks of M models.

        i is ahead of j if its score is higher and p_ij ≤ α*
        best_i = 1 + #{j ahead of i},   worst_i = M - #{j that i is ahead of}
        α* = 2Φ(-q),   q the `level` quantile of max_ij |Z_i - Z_j| / sd(Z_i - Z_j)

    Z is normal, with the covariance of the errors of the scores. If no pair is told apart wrongly all rank sets hold.
    α* is never below (1 - level)/pairs, Bonferroni's. It is larger where models resemble each other. If few or very
    unequal clusters leave the covariance fewer than 2M degrees of freedom, q is also at least that of unrelated models,
    Tukey's: drawn from such a covariance alone, gaps would be too small.

    Parameters
    ----------
    evidence
        Scores, p-values of all pairs, and the covariance of the errors of the scores.
    level
        Level at which all rank sets hold together.
    seed
        Seed of the random draws.
    draws
        Number of random draws of Z. Default: 20,000; fewer, but at least 2,000, with more than 300 models.

    Notes
    -----
    Models with equal true scores share ranks: a rank set holds all of them. Do not read the groups as equal models:
    more rows may tell them apart. Al Mohamad, Goeman and van Zwet (2022), Simultaneous confidence intervals for ranks;
    Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks.

    Examples
    --------
    >>> from justesse.core.board_counts import BoardCounts
    >>> from justesse.significance.pair_evidence import pair_evidence
    >>> both = np.array([[90, 82, 60], [82, 88, 60], [60, 60, 65]])
    >>> result = rank_sets(pair_evidence(BoardCounts(both, np.zeros((3, 3)), 100)))
    >>> result.best.tolist(), result.worst.tolist(), result.groups
    ([1, 1, 3], [2, 2, 3], ((0, 1), (2,)))
    """
    from scipy.special import ndtr, ndtri

    check_level(level)
    check_seed(seed)
    scores, own = evidence.scores, evidence.pvalues
    many = len(scores)
    upper = np.triu_indices(many, 1)
    pairs = len(upper[0])
    maxima = largest_gaps(evidence.covariance, seed=seed, draws=draws)
    if len(maxima) and evidence.degrees < DEGREES_PER_MODEL * many:
        unrelated = largest_gaps(np.eye(many), seed=seed, draws=len(maxima))
        maxima = np.maximum(np.sort(maxima), np.sort(unrelated))
    if len(maxima):
        at = min(int(np.ceil(level * (len(maxima) + 1))), len(maxima)) - 1
        pair_level = max(2 * float(ndtr(-np.partition(maxima, at)[at])), (1 - level) / max(pairs, 1))
    else:
        pair_level = 1 - level
    higher = scores[:, None] > scores
    ahead = higher & (own <= pair_level)
    corrected = np.ones((many, many))
    if len(maxima) and pairs:
        z = -ndtri(np.clip(own[upper] / 2, 1e-300, 0.5))
        reached = len(maxima) - np.searchsorted(np.sort(maxima), z, side="left")
        values = np.minimum((1 + reached) / (1 + len(maxima)), own[upper] * pairs)
        corrected[upper] = np.minimum(1.0, np.maximum(values, own[upper]))
        corrected.T[upper] = corrected[upper]
    return RankSets(
        1 + ahead.sum(axis=0),
        many - ahead.sum(axis=1),
        ahead,
        tuple(_groups(score_order(scores), ahead)),
        corrected,
        level,
        pair_level,
        pairs,
        evidence.test,
        len(maxima),
        seed,
    )


def score_order(scores: Array) -> list[int]:
    """Sort models by score, the best first; equal ones stay in their order.

    >>> score_order(np.array([0.5, 0.9, 0.5]))
    [1, 0, 2]
    """
    return [int(at) for at in np.argsort(-scores, kind="stable")]


def largest_gaps(covariance: Array, *, seed: int = 0, draws: int | None = None) -> Array:
    """Draw the largest standardised difference between two of M normal values, many times.

    Pairs whose difference does not vary are left out; the result is empty if none does.

    >>> gaps = largest_gaps(np.eye(3))  # Tukey's studentised range: 3.314 / √2 = 2.344
    >>> len(gaps), bool(abs(np.quantile(gaps, 0.95) - 2.344) < 0.03)
    (20000, True)
    """
    own = np.diagonal(covariance)
    variance = own[:, None] + own - 2 * covariance
    varies = variance > 1e-9 * max(float(own.max(initial=0.0)), 1e-300)
    np.fill_diagonal(varies, False)
    if not varies.any():
        return np.empty(0)
    pairs = len(own) * (len(own) - 1) // 2
    many = draws or int(np.clip(WORK // pairs, LEAST_DRAWS, MOST_DRAWS))
    values, vectors = np.linalg.eigh(covariance)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))).astype(np.float32)
    inverse = np.where(varies, 1 / np.sqrt(np.where(varies, variance, 1.0)), 0.0).astype(np.float32)
    normal = stream(seed, "rank-sets").standard_normal((many, len(own)), dtype=np.float32) @ root.T
    columns = np.ascontiguousarray(normal.T)
    maxima = np.zeros(many, dtype=np.float32)
    for at in range(len(own) - 1):
        gaps = np.abs(columns[at + 1 :] - columns[at]) * inverse[at + 1 :, at, None]
        np.maximum(maxima, gaps.max(axis=0), out=maxima)
    return maxima.astype(float)


def _groups(order: Sequence[int], ahead: Array) -> list[tuple[int, ...]]:
    """List the longest runs of neighbours of which no two are told apart."""
    groups, reached = [], 0
    for start in range(len(order)):
        end = max(reached, start + 1)
        while end < len(order) and not ahead[list(order[start:end]), order[end]].any():
            end += 1
        if end > reached:
            groups.append(tuple(order[start:end]))
            reached = end
    return groups
