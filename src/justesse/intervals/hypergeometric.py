"""The exact interval of a share of a known number of rows, from a random sample of them."""

from bisect import bisect_left

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends

METHOD = "hypergeometric"


def hypergeometric(
    successes: int, trials: int, population: int, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute the exact interval of the share of `population` rows, from `trials` of them drawn without replacement.

        low = M/N, M the fewest with P(X ≥ k | M) > tail;   high = M/N, M the most with P(X ≤ k | M) > tail

    X is hypergeometric: how many of n rows are so, if M of all N are. It never covers less than its level, and more
    if few rows are so: Clopper and Pearson's interval for a finite population. Wright (1991).

    Parameters
    ----------
    successes
        Number of rows in the sample that are so, k.
    trials
        Number of rows in the sample, n.
    population
        Number of rows in all, N.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper end.

    Examples
    --------
    >>> ends = hypergeometric(1, 50, 1000)
    >>> float(ends.low), float(ends.high)
    (0.001, 0.104)
    """
    from scipy.stats import hypergeom

    if not 0 <= successes <= trials <= population or not trials:
        raise OptionError(
            f"A sample of {trials!r} of {population!r} rows with {successes!r} successes is impossible. "
            "Correct the numbers."
        )
    tails = tail_levels(level, alternative)
    fewest, most = successes, population - trials + successes

    def at_least(total: int) -> bool:
        return bool(hypergeom.sf(successes - 1, population, total, trials) > tails[0])

    def at_most(total: int) -> bool:
        return bool(hypergeom.cdf(successes, population, total, trials) > tails[1])

    totals = range(fewest, most + 1)
    low = totals[bisect_left(totals, True, key=at_least)] / population if tails[0] else -np.inf
    high = (
        totals[bisect_left(totals, True, key=lambda total: not at_most(total)) - 1] / population if tails[1] else np.inf
    )
    share = successes / trials  # a share that no whole number of rows has is inside, too
    return Ends(np.asarray(min(low, share)), np.asarray(max(high, share)), level, METHOD)
