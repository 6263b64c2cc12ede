"""What an audit has to show: which totals over the disputed rows would settle each of its two questions."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import z_value
from justesse.significance.paired_difference import paired_difference, score_statistic

About = Literal["test set", "population"]
QUESTIONS: tuple[About, ...] = ("test set", "population")
EXPERT_SHARE = 0.1  # of the risk pays for an expert who is wrong more often than expected
AUDIT_SHARE = 0.2  # of the risk pays for rows not asked about, if the question is about the population


@dataclass(frozen=True)
class Target:
    """The totals (rows won by the candidate minus rows won by the incumbent) that settle a question.

    Above `lower` the candidate replaces, below `upper` the incumbent stays, above `alike` the candidate is not worse by
    the margin or more. `risk` is what the sequence of answers may spend on each side, `sampling` what the draw of the
    rows may, `allowance` how many rows' worth the expert's mistakes may have moved the total.
    """

    lower: Array
    upper: Array
    alike: Array
    risk: float
    sampling: float
    allowance: Array

    def kept(self, which: Array) -> "Target":
        """Go on with some of many."""
        chosen = {name: getattr(self, name)[which] for name in ("lower", "upper", "alike", "allowance")}
        return replace(self, **chosen)


def target(
    n: ArrayLike,
    disputed: ArrayLike,
    about: About,
    *,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    expert_error: float = 0.0,
) -> Target:
    """Find the totals that settle a question, for one audit or many.

        test set:    T > n·m                 risk: all of it
        population:  Tango's score statistic at m, with every disputed row won by one of the two, beyond z; if all rows
                     are disputed, P(B ≥ k) < risk of the draw as well, B binomial: n rows, chance (1 + m)/2; k rows won
                     risk: a fifth for the answers, four fifths for the draw of the rows (they add up: Bonferroni)
        expert:      2·w rows further, w: fewer mistakes than w on all disputed rows but for a tenth of the risk

    An expert who is wrong about a row turns a win into a loss at worst, which is two rows; mistakes on different rows
    are independent, so their number is at most binomial.

    Parameters
    ----------
    n
        Number of rows of the test set.
    disputed
        Number of rows on which the classifiers disagree.
    about
        What the question is about: "test set" or "population".
    level
        Confidence level.
    margin
        Difference in accuracy that the candidate must exceed.
    alternative
        "two-sided", "greater" or "less".
    expert_error
        Share of answers in which the expert is wrong.

    Examples
    --------
    >>> result = target(1000, 90, "test set", margin=0.01)
    >>> int(result.lower), int(result.upper), int(result.alike), round(result.risk, 3)
    (10, 10, -10, 0.025)
    >>> result = target(1000, 90, "population", expert_error=0.02)
    >>> int(result.lower), int(result.upper), int(result.allowance), round(result.risk, 4), round(result.sampling, 3)
    (31, -31, 12, 0.0045, 0.018)
    """
    rows, apart = np.asarray(n, dtype=float), np.asarray(disputed, dtype=float)
    risk, sampling = shares(level, alternative, expert_error, about)
    allowance = np.zeros_like(apart)
    if expert_error:
        allowance = 2 * mistakes(apart, expert_error, EXPERT_SHARE * max(tail_levels(level, alternative)))
    if about == "population":
        lower, upper = _least(rows, apart, margin, sampling) - 1, -_least(rows, apart, -margin, sampling) + 1
        alike = _least(rows, apart, -margin, sampling) - 1
    else:
        lower, upper = np.floor(rows * margin + 1e-9), np.ceil(rows * margin - 1e-9)
        alike = np.floor(-rows * margin + 1e-9)
    return Target(lower + allowance, upper - allowance, alike + allowance, risk, sampling, allowance)


def shares(level: float, alternative: Alternative, expert_error: float, about: About) -> tuple[float, float]:
    """Divide the risk of one side: what the answers may spend, and what the draw of the rows may."""
    risk = max(tail_levels(level, alternative))
    if expert_error:
        risk *= 1 - EXPERT_SHARE
    return (AUDIT_SHARE * risk, (1 - AUDIT_SHARE) * risk) if about == "population" else (risk, 0.0)


def mistakes(rows: ArrayLike, rate: float, risk: float) -> Array:
    """Return the number of mistakes that is exceeded with a probability of at most the risk.

    >>> mistakes([0, 50, 350], 0.02, 0.0025).tolist()
    [0.0, 5.0, 15.0]
    """
    from scipy.special import betainc

    total = np.asarray(rows, dtype=float)
    low, high = np.full(total.shape, -1.0), total
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        rare = betainc(middle + 1, np.maximum(total - middle, 0.5), rate) <= risk  # the chance of more than `middle`
        low, high = np.where(rare, low, middle), np.where(rare, middle, high)
    return np.asarray(high)


def population_ends(
    total_low: ArrayLike, total_high: ArrayLike, apart: ArrayLike, n: int, risk: float
) -> tuple[Array, Array]:
    """Return the range of population differences for totals between these, at this risk on each side.

    The interval is Tango's; it is widest when as many rows as possible (`apart`) are won by one of the two. If all rows
    are disputed, it is no narrower than the exact interval of a share (Clopper and Pearson): then the difference may be
    close to 1, where a score interval breaks its level.

    >>> low, high = population_ends(20, 30, 80, 1000, 0.025)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0025, 0.0483)
    >>> low, high = population_ends(30, 30, 30, 30, 0.025)  # all 30 rows won by the candidate
    >>> round(float(low), 3), float(high)
    (0.769, 1.0)
    """
    low, high = np.asarray(total_low, dtype=float), np.asarray(total_high, dtype=float)
    rows = np.asarray(apart, dtype=float)
    size, level = np.full(low.shape, float(n)), 1 - 2 * risk
    below = paired_difference((rows - low) / 2, (rows + low) / 2, size, level=level).low
    above = paired_difference((rows - high) / 2, (rows + high) / 2, size, level=level).high
    every = rows == n
    return (
        np.where(every, np.minimum(below, _exact_low(low, n, risk)), below),
        np.where(every, np.maximum(above, -_exact_low(-high, n, risk)), above),
    )


def _exact_low(total: Array, n: int, risk: float) -> Array:
    """Return the least difference at which n rows, all disputed, reach this total with a chance above the risk."""
    from scipy.special import betaincinv

    won = np.clip((n + total) / 2, 0, n)
    share = betaincinv(np.maximum(won, 0.5), n - won + 1, risk)
    return np.asarray(np.where(won > 0, 2 * share - 1, -1.0))


def _rare(total: Array, n: Array, margin: float, risk: float) -> Array:
    """Tell whether n rows, all disputed, have this total or more with a chance below the risk if the margin is true."""
    from scipy.special import betainc

    won = np.clip((n + total) / 2, 0, n)
    chance = betainc(np.maximum(won, 0.5), n - won + 1, (1 + margin) / 2)
    return np.asarray((won > 0) & (chance < risk))


def _least(n: Array, apart: Array, margin: float, risk: float) -> Array:
    """Find the least total that shows a difference above the margin; one more than there are rows if none does."""
    low, high, z = -apart - 1, apart + 1, z_value(risk)
    while np.any(unknown := high - low > 1):
        # a pair that is done waits for the others: its next middle may be a total that its rows cannot have
        middle = np.where(unknown, np.floor((low + high) / 2), apart)
        shown = score_statistic((apart - middle) / 2, (apart + middle) / 2, n, margin) > z
        shown &= (apart < n) | _rare(middle, n, margin, risk)
        low, high = np.where(shown | ~unknown, low, middle), np.where(shown & unknown, middle, high)
    return np.asarray(high)
