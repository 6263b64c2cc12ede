"""Which rows to label, with known chances: more of those where the label is likely to correct a pseudo-label."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import stream

LEAST, EVEN = 0.01, 0.5  # chances of a correction below and above count as these
FEWEST = 20
EXPECTED = 5  # rows that a stratum should expect; strata of one kind that expect fewer are joined


@dataclass(frozen=True)
class ActiveDesign:
    """Rows to label in the order they were drawn, and how likely each stratum was.

    Parameters
    ----------
    drawn
        Positions of the rows, in the order to label them.
    stratum
        Stratum of each of all rows, 0 for those least likely to be corrected.
    sizes
        Number of rows of each stratum.
    chances
        Chance that a draw comes from each stratum, as long as it has rows left.
    fixed
        Number of first rows that do not follow the chances: one from every stratum.
    """

    drawn: Array
    stratum: Array
    sizes: Array
    chances: Array
    fixed: int

    @property
    def probability(self) -> Array:
        """Probability of inclusion of a row of each stratum: rows drawn / rows."""
        return np.asarray(np.bincount(self.stratum[self.drawn], minlength=len(self.sizes)) / self.sizes)


def active_design(
    scores: ArrayLike,
    n: int,
    *,
    kinds: ArrayLike | None = None,
    strata: int = 4,
    prudence: float = 0.5,
    seed: int = 0,
) -> ActiveDesign:
    """Choose n rows to label, more of those whose score is high, each with a known probability.

        chance of stratum s = prudence · N_s/N + (1 - prudence) · N_s·σ_s / Σ N_t·σ_t,   σ = sqrt(score·(1 - score))

    Parameters
    ----------
    scores
        For each row, the chance that the true class corrects its pseudo-label; it need not be right.
    n
        Number of rows to label.
    kinds
        Whether the pseudo-label of each row agrees with the prediction: strata are cut within each kind. Default: one
        kind.
    strata
        Number of strata that the rows are cut into at most, so that the sum of σ is equal in all.
    prudence
        Share of the draws that ignores the scores: they may be wrong.
    seed
        Seed of the draw.

    Notes
    -----
    The first draws take one row from every stratum, so that none stays unseen. Each later draw picks a stratum, then
    one of its rows that is left. Neighbouring strata that expect fewer than 5 rows are joined before anything is drawn.
    Estimates are unbiased whatever the scores; good scores make them precise. Given how many rows of each stratum were
    drawn, it is a stratified sample; row after row, it is what always-valid intervals need. Neyman (1934); Dalenius and
    Hodges (1959); Horvitz and Thompson (1952).

    Examples
    --------
    >>> design = active_design([0.01] * 900 + [0.4] * 100, 60)
    >>> design.sizes.tolist(), design.chances.round(3).tolist(), design.probability.round(3).tolist()
    ([900, 100], [0.773, 0.227], [0.046, 0.19])
    """
    chance = np.asarray(scores, dtype=float)
    if not len(chance) or not np.isfinite(chance).all() or (chance < 0).any() or (chance > 1).any():
        raise OptionError("Every row needs a score between 0 and 1.")
    if not FEWEST <= n <= len(chance):
        raise OptionError(f"The number of rows to label must lie between {FEWEST} and {len(chance):,}; got {n!r}.")
    if strata < 1 or not 0 < prudence <= 1:
        raise OptionError(
            f"At least one stratum and a prudence above 0 and at most 1; got {strata!r} and {prudence!r}."
        )
    bounded = np.clip(chance, LEAST, EVEN)
    spread = np.sqrt(bounded * (1 - bounded))
    values, at, counts = np.unique(spread, return_inverse=True, return_counts=True)
    total = np.cumsum(values * counts)
    middle = (total - values * counts / 2) / total[-1]  # rows with the same score stay together
    cut = np.minimum((middle * strata).astype(int), strata - 1)[at]
    kind = np.zeros(len(chance), dtype=int) if kinds is None else 1 - np.asarray(kinds, dtype=int)
    stratum = np.unique(kind * strata + cut, return_inverse=True)[1]
    every = np.bincount(stratum)
    expected = n * _chances(every, np.bincount(stratum, spread), prudence)
    stratum = _joined(expected, kind[np.unique(stratum, return_index=True)[1]])[stratum]
    sizes = np.bincount(stratum)
    chances = _chances(sizes, np.bincount(stratum, spread), prudence)
    rng = stream(seed, "rows to label")
    queues = [rng.permutation(np.flatnonzero(stratum == s)).tolist() for s in range(len(sizes))]
    drawn = [queues[s].pop() for s in rng.permutation(len(queues))]
    for _ in range(n - len(queues)):
        left = np.array([bool(queue) for queue in queues]) * chances
        drawn.append(queues[int(rng.choice(len(queues), p=left / left.sum()))].pop())
    return ActiveDesign(np.array(drawn), stratum, sizes, chances, len(queues))


def _chances(sizes: Array, spreads: Array, prudence: float) -> Array:
    return np.asarray(prudence * sizes / sizes.sum() + (1 - prudence) * spreads / spreads.sum())


def _joined(expected: Array, kinds: Array) -> Array:
    """Number strata anew, neighbours of one kind together until each expects enough rows."""
    joined = np.zeros(len(expected), dtype=int)
    number = -1
    for kind in np.unique(kinds):
        first, total = number + 1, 0.0
        for at in np.flatnonzero(kinds == kind):
            if total == 0.0:
                number += 1
            joined[at] = number
            total = total + expected[at] if total + expected[at] < EXPECTED else 0.0
        if total and number > first:  # too few are left at the end
            joined[joined == number] = number - 1
            number -= 1
    return joined
