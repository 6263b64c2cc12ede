"""How likely an audit is to be settled by the answers it may still ask for."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_targets import Target

POINTS = 41  # totals that the rest may have, all equally likely by what was seen


def chance_to_settle(bounds: ConfidenceSequence, goal: Target, *, alternative: Alternative, more: Array) -> Array:
    """Estimate the chance that at most `more` answers settle each audit.

        T = sum + Σ n_s·m_s + z·√V,          V: variance of the rows left, means of strata known from A_s answers only
        μ = (T - θ)² / (2·(Σ n_s·σ_s)²)      growth of log K per answer once the mean is known, with the best design
        chance = mean over z of  Φ((μt - b) / √(2μt)) + e^b·Φ(-(μt + b) / √(2μt)),    t = more·n / (n - more)

    b = log(1/risk) - log K is what is missing against the threshold θ, and n the rows left: the more of them are
    asked, the faster each answer tells. That the means must be learnt first is not charged, so that the chance is
    rather too high than too low. Wrong to use as evidence: it only says whether going on is worth it. The chance is
    that of a Brownian motion to reach b: Schrödinger (1915); the use: Spiegelhalter, Freedman and Blackburn (1986).

    >>> from justesse.judges.audit_targets import target
    >>> goal = target(1000, 300, "test set")
    >>> bounds = ConfidenceSequence([[300.0]], prior=[[1, 1, 1]], lower=[[0.0]], upper=[[0.0]])
    >>> for value in [1, -1] * 40:
    ...     bounds.draw(weights=[[1.0]], stratum=[0], low=[value], high=[value])
    >>> more = (5, 50, 150, 220)  # all 220 would settle it, but for a tie
    >>> [float(chance_to_settle(bounds, goal, alternative="two-sided", more=np.array([n]))[0].round(2)) for n in more]
    [0.0, 0.02, 0.31, 0.98]
    """
    from scipy.special import ndtri

    left = bounds.left
    counts = bounds.seen + bounds.prior
    worth = counts.sum(-1)
    mean = bounds.chances[..., 2] - bounds.chances[..., 0]
    spread = bounds.chances[..., 2] + bounds.chances[..., 0] - mean**2
    deviation = np.sqrt((left * bounds.scale**2 * spread * (left + worth) / (worth + 1)).sum(-1))
    rest = (bounds.mass * mean).sum(-1)[:, None] + ndtri((np.arange(POINTS) + 0.5) / POINTS) * deviation[:, None]
    width = (bounds.mass * np.sqrt(spread)).sum(-1)[:, None]
    rows = left.sum(-1)
    few = more < rows
    time = np.where(few, more * rows / np.where(few, rows - more, 1.0), np.inf)[:, None]
    lower, upper = np.atleast_1d(goal.lower), np.atleast_1d(goal.upper)
    above, below = bounds.sides
    chance = np.zeros(rest.shape)
    for side, apart, counted in (
        (above, above.sum[:, None] + rest - lower[:, None], alternative != "less"),
        (below, below.sum[:, None] - rest + upper[:, None], alternative != "greater"),
    ):
        if counted:
            missing = np.log(1 / goal.risk) - side.wealth[:, 0]
            chance = np.maximum(chance, _reached(apart, width, time, missing[:, None]))
    return np.asarray(chance.mean(-1))


def _reached(apart: Array, width: Array, time: Array, missing: Array) -> Array:
    """Return the chance that the capital against a threshold grows by what is missing."""
    from scipy.special import log_ndtr, ndtr

    ahead = apart > 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        grown = np.where(ahead, apart / width, 0.0) ** 2 / 2 * time
        scale = np.sqrt(2 * grown)
        late = np.exp(np.minimum(missing + log_ndtr(-(grown + missing) / scale), 0.0))
        result = ndtr((grown - missing) / scale) + late
    sure = (missing <= 0) | ~np.isfinite(grown)
    return np.where(ahead & (grown > 0), np.where(sure, 1.0, np.minimum(result, 1.0)), 0.0)
