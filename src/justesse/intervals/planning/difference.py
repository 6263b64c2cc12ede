"""How many rows to see that one classifier is better than another on the same rows (McNemar's test)."""

from functools import cache

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import z_value
from justesse.intervals.planning.search import smallest

KEPT = 20_000


def mcnemar_power(
    n: int, *, difference: float, disagreement: float, level: float = 0.95, alternative: Alternative = "two-sided"
) -> float:
    """Return the chance that McNemar's mid-p test on n rows finds the better classifier better.

    `difference` is how much more often it is right, `disagreement` how often exactly one of the two is right. The
    number of such rows is binomial, and the test binomial given it: both are summed out exactly.

    Parameters
    ----------
    n
        Number of rows.
    difference
        Difference of the two accuracies.
    disagreement
        How often exactly one of the two is right.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Examples
    --------
    >>> round(mcnemar_power(1000, difference=0.03, disagreement=0.1), 3)
    0.857
    """
    from scipy.special import gammaln, xlog1py, xlogy

    tail = max(tail_levels(level, alternative)) if alternative != "two-sided" else (1 - level) / 2
    mean, spread = n * disagreement, 9 * np.sqrt(n * disagreement * (1 - disagreement)) + 9
    low, high = max(0, int(mean - spread)), min(n, int(mean + spread))
    # beyond some thousand discordant rows the power hardly changes from one to the next: take a grid of them
    discordant = np.arange(low, high + 1, max(1, (high - low) // 1000))
    log_chance = gammaln(n + 1) - gammaln(discordant + 1) - gammaln(n - discordant + 1)
    chance = np.exp(log_chance + xlogy(discordant, disagreement) + xlog1py(n - discordant, -disagreement))
    critical = _all_critical(1 << high.bit_length(), tail)[discordant] if high < KEPT else _critical(discordant, tail)
    better = (disagreement + abs(difference)) / (2 * disagreement)
    # the worse one wins at most `critical` of the discordant rows
    wins = np.where((critical >= 0) & (discordant > 0), at_most(critical, discordant, 1 - better), 0.0)
    return float((chance * wins).sum() / chance.sum())


@cache
def _all_critical(below: int, tail: float) -> Array:
    """Keep the critical counts of all smaller numbers of discordant rows: a search asks for them again and again."""
    return _critical(np.arange(below), tail)


def _critical(discordant: Array, tail: float) -> Array:
    """Return the largest count x of m fair coins with mid-p P(X < x) + P(X = x)/2 at most `tail`; -1 if none."""
    m = np.maximum(discordant, 1)
    x = np.floor(m / 2 - z_value(tail) * np.sqrt(m) / 2 + 3).clip(max=m)

    def mid_p(x: Array) -> Array:
        return (at_most(x, m, 0.5) + at_most(x - 1, m, 0.5)) / 2

    while np.any(high := mid_p(x) > tail):
        x = np.where(high, x - 1, x)
    return np.asarray(x)


def at_most(k: Array, n: Array, p: float) -> Array:
    """Return P(X <= k) for n draws of chance p; unlike SciPy's own binomial without a limit on n."""
    from scipy.special import betainc

    inside = betainc(np.maximum(n - k, 1e-300), np.maximum(k, 0) + 1, 1 - p)
    return np.asarray(np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside)))


def difference_n(
    difference: float,
    *,
    disagreement: float,
    power: float = 0.8,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> int:
    """Compute the smallest n from which McNemar's mid-p test reaches this power.

    Parameters
    ----------
    difference
        Difference of the two accuracies.
    disagreement
        How often exactly one of the two is right.
    power
        Chance to find the difference.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Examples
    --------
    >>> difference_n(0.03, disagreement=0.1)
    862
    """
    check_difference(difference, disagreement)
    if not 0 < power < 1:
        raise OptionError(f"The power must be a probability between 0 and 1, such as 0.8; got {power!r}.")
    tail_levels(level, alternative)

    def reaches(n: int) -> bool:
        shares = {"difference": difference, "disagreement": disagreement}
        return mcnemar_power(n, **shares, level=level, alternative=alternative) >= power

    return smallest(reaches, window=lambda n: int(min(12 / disagreement, 200)) + 1)


def check_difference(difference: float, disagreement: float) -> None:
    """Check that a difference is not 0, and not larger than how often the two disagree."""
    if not 0 < abs(difference) < 1:
        raise OptionError(f"The difference must lie between -1 and 1 and not be 0; got {difference!r}.")
    if not abs(difference) <= disagreement <= 1:
        raise OptionError(
            f"The disagreement (how often exactly one of the two is right) must lie between the difference "
            f"({abs(difference):g}) and 1; got {disagreement!r}."
        )
