"""The charlatan effect: the best of many did well by luck."""

import math

from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.intervals.planning.precision import binomial_tail

MOST_TRIED = 1_000_000_000  # with more, a level corrected for all of them is 1 to a computer


def best_by_luck(pvalue: float, tried: int) -> float:
    """Return the chance that the best of `tried` worthless candidates does as well as this.

        1 - (1 - p)^n

    p is how likely one such candidate does so well. Exact for independent candidates; candidates that resemble each
    other give a smaller chance, so it is on the safe side. Lecture 002.

    Parameters
    ----------
    pvalue
        P-value of one candidate alone.
    tried
        Number of candidates tried.

    Examples
    --------
    >>> adviser = as_good_by_luck(11, 14)
    >>> round(adviser, 5), round(best_by_luck(adviser, 10), 4), round(best_by_luck(adviser, 30), 4)
    (0.02869, 0.2525, 0.5824)
    """
    if not 0 <= pvalue <= 1:
        raise OptionError(f"A p-value must lie between 0 and 1; got {pvalue!r}.")
    if check_tried(tried) == 1 or pvalue == 1:
        return pvalue
    return -math.expm1(tried * math.log1p(-pvalue))


def luck_of_best(pvalue: float, difference: float, alternative: Alternative, tried: int) -> float | None:
    """Return the chance that the best of as many candidates, none better than the incumbent, looks this good.

    `None` if only one was tried, or if there is no p-value. The p-value of the test asked for is turned into that of
    the question whether the candidate is better.

    >>> round(luck_of_best(0.05, 0.02, "two-sided", 10), 4), luck_of_best(0.05, 0.02, "two-sided", 1)
    (0.2237, None)
    """
    if tried == 1 or math.isnan(pvalue):
        return None
    if alternative == "two-sided":
        better = pvalue / 2 if difference > 0 else 1 - pvalue / 2
    else:
        better = pvalue if alternative == "greater" else 1 - pvalue
    return best_by_luck(better, tried)


def as_good_by_luck(successes: int, trials: int, *, chance: float = 0.5) -> float:
    """Return the chance of at least so many successes by guessing: P(X ≥ k), X binomial.

    Parameters
    ----------
    successes
        Number of successes.
    trials
        Number of trials.
    chance
        Chance of a success by guessing.

    Examples
    --------
    >>> round(as_good_by_luck(11, 14), 5)
    0.02869
    """
    if not 0 <= successes <= trials:
        raise OptionError(f"Successes must lie between 0 and the number of trials, {trials}; got {successes!r}.")
    if not 0 <= chance <= 1:
        raise OptionError(f"A probability must lie between 0 and 1; got {chance!r}.")
    return binomial_tail(successes, trials, chance)


def check_tried(tried: int) -> int:
    """Return the number of candidates tried if it is one.

    >>> check_tried(20)
    20
    """
    if isinstance(tried, bool) or tried != int(tried) or not 1 <= tried <= MOST_TRIED:
        raise OptionError(
            f"The number of candidates tried (--tried) must be a whole number from 1 to {MOST_TRIED:,}; got {tried!r}."
        )
    return int(tried)
