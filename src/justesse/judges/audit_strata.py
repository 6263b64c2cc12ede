"""How the rows of an audit are divided before any question: by what the label says, and by how suspicious it is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError

# what is expected of -1, 0 and 1 where the label says incumbent, neither, candidate: worth so many answers
PRIOR = np.array([[7.2, 0.4, 0.4], [1.0, 2.0, 1.0], [0.4, 0.4, 7.2]])
DOUBT = {1: (1.0,), 2: (0.5, 2.0), 3: (0.3, 1.0, 4.0)}  # how much likelier wrong labels are, from trusted to suspicious
SAYS = ("incumbent", "neither", "candidate")


def label_strata(says: Array, suspicion: Array | None) -> tuple[Array, tuple[str, ...], Array]:
    """Divide the disputed rows by whom the label agrees with and, within, by suspicion."""
    parts = np.zeros(len(says), dtype=int) if suspicion is None else suspicion_parts(suspicion)
    many = int(parts.max(initial=0)) + 1
    grades = {1: ("",), 2: (", trusted", ", suspicious"), 3: (", trusted", ", usual", ", suspicious")}[many]
    return parts * 3 + says, tuple(item + grade for grade in grades for item in SAYS), prior_of(many)


def prior_of(parts: int) -> Array:
    """Return the prior counts of -1, 0 and 1 in each stratum, for this number of parts by suspicion."""
    return trusted_prior([(item, part) for part in range(parts) for item in range(3)], parts)


def trusted_prior(strata: Sequence[tuple[int, int]], parts: int) -> Array:
    """Return the prior counts of strata, given what the label says (0, 1 or 2 for -1, 0 or 1) and which part it is."""
    return np.stack([_doubted(PRIOR[says], says, DOUBT[parts][part]) for says, part in strata])


def suspicion_parts(suspicion: Array) -> Array:
    """Separate the lower half, the next third and the highest sixth, as far as ties allow."""
    cuts = np.unique(np.quantile(suspicion, [1 / 2, 5 / 6], method="higher")) if len(suspicion) else np.zeros(0)
    return np.unique(np.searchsorted(cuts, suspicion, side="left"), return_inverse=True)[1].astype(int)


def _doubted(prior: Array, says: int, times: float) -> Array:
    """Expect so many times as many wrong labels."""
    wrong = np.arange(3) != says
    share = min(prior[wrong].sum() / prior.sum() * times, 0.6)
    result = np.where(wrong, prior / prior[wrong].sum() * share, 1 - share)
    return np.asarray(result * prior.sum())


def drawn_order(stratum: Array, strata: int, rng: np.random.Generator) -> Array:
    """Draw the place of each row among those of its stratum."""
    order, shuffled = np.empty(len(stratum), dtype=int), rng.permutation(len(stratum))
    for item in range(strata):
        inside = shuffled[stratum[shuffled] == item]
        order[inside] = np.arange(len(inside))
    return order


def suspicion_numbers(suspicion: ArrayLike, n: int) -> Array:
    """Return the suspicion of each row; refuse anything but one finite number a row."""
    result = np.asarray(suspicion, dtype=float)
    if result.shape != (n,) or not np.isfinite(result).all():
        raise OptionError(f"suspicion must hold one finite number for each of the {n} rows; got shape {result.shape}.")
    return result
