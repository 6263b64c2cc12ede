"""The Bayesian signed-rank test of Benavoli and others, over several data sets."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import stream
from justesse.significance.folds import batches, fold_differences
from justesse.significance.posterior import Posterior, checked_rope

FEWEST = 6
TOO_FEW = (
    f"there are at least {FEWEST} data sets: with fewer, two classifiers that do not differ are called different, with "
    "a probability of 95 % or more, in about one case in ten"
)


def bayesian_signed_rank(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    draws: int = 50_000,
    seed: int = 0,
) -> Posterior:
    """Compute the probability that, on new data sets, either is better more often than not, or neither matters.

        z = (0, d_1 … d_k),   w ~ Dirichlet(s, 1 … 1),   s = `prior_strength`
        θ_above = Σ_ij w_i w_j [z_i + z_j > 2·rope],   θ_below = Σ_ij w_i w_j [z_i + z_j < -2·rope],   θ_within the rest

    Each probability is the share of draws of w in which that θ is the largest; a sum on the border counts half on
    either side, and so does a draw in which two are equally large. Wrong over folds of one cross-validation, which are
    not independent: use `correlated_t`. With few data sets it is too sure: with five that do not differ, one of the two
    is better with a probability of 95 % or more in 9.5 % of cases; below six, its assumptions name this.
    Benavoli and others (2014, 2017).

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
    rope
        Largest difference that does not matter (region of practical equivalence).
    prior_strength
        Weight of the prior, in data sets.
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    Posterior
        The three probabilities, which add up to 1.

    Examples
    --------
    >>> incumbent = [0.80, 0.84, 0.79, 0.83, 0.82, 0.75, 0.91, 0.66]
    >>> candidate = [0.83, 0.86, 0.84, 0.82, 0.83, 0.79, 0.91, 0.70]
    >>> result = bayesian_signed_rank(incumbent, candidate, rope=0.01)
    >>> round(result.candidate_better, 2), round(result.equivalent, 2), round(result.incumbent_better, 2)
    (0.95, 0.05, 0.0)
    """
    checked_rope(rope)
    if not 0 < prior_strength < math.inf:
        raise OptionError(f"prior_strength must be above 0, such as 0.5; got {prior_strength!r}.")
    if draws < 1 or draws != int(draws):
        raise OptionError(f"draws must be a whole number of at least 1; got {draws!r}.")
    differences = fold_differences(incumbent, candidate)
    points = np.concatenate([[0.0], differences])
    sums = points[:, None] + points
    above, below = _beyond(sums, 2 * rope), _beyond(-sums, 2 * rope)
    rng, strengths = stream(seed, "bayesian-signed-rank"), np.where(np.arange(len(points)), 1.0, prior_strength)
    wins = np.zeros(3)
    for size in batches(draws, len(points)):
        weights = rng.dirichlet(strengths, size)
        shares = np.stack([((weights @ side) * weights).sum(axis=1) for side in (above, below)])
        shares = np.vstack([shares, 1 - shares.sum(axis=0)])
        # equal on paper may differ by rounding
        largest = shares >= shares.max(axis=0) - 1e-12
        wins += (largest / largest.sum(axis=0)).sum(axis=1)
    candidate_better, incumbent_better, equivalent = (wins / draws).tolist()
    return Posterior(
        "bayesian-signed-rank",
        candidate_better=candidate_better,
        equivalent=equivalent,
        incumbent_better=incumbent_better,
        rope=rope,
        n=len(differences),
        assumptions=(
            "both were scored on the same data sets, a random sample of the data sets of interest",
            f"the prior weighs as much as {prior_strength:g} data sets without a difference",
            *((TOO_FEW,) if len(differences) < FEWEST else ()),
        ),
        draws=draws,
        seed=seed,
    )


def _beyond(sums: Array, border: float) -> Array:
    """Mark the sums beyond the border, those on it by one half; differences of decimals are not exact."""
    return np.where(np.abs(sums - border) <= 1e-12, 0.5, sums > border)
