"""When to stop asking: always-valid bounds on the share of right classes, from checks of items drawn at random."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import StopDecision
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, check_level
from justesse.intervals.confidence_sequence import ConfidenceSequence

METHOD = "betting"
THRESHOLDS = 400  # shares that bounds are computed for, besides the target
LONGEST = 3_000  # checks that are forecast
WORTH = 4.0  # checks that the expected share is worth when bets are placed; it does not affect validity
SURE = 0.995  # no share is expected to be nearer to 0 or 1


@dataclass(frozen=True)
class CheckedShare:
    """What checks say about the share of items whose probable class is right.

    Parameters
    ----------
    target
        The wanted share.
    level
        Confidence level of each bound.
    items
        Number of items that checks are drawn from.
    checks
        Number of checks.
    right
        Checks that confirmed the probable class.
    at_least
        Always-valid lower bound of the share.
    at_most
        Always-valid upper bound of the share.
    decision
        "stop" if the lower bound reaches the target, "cannot" if the upper bound is below it, otherwise "go on".
    more
        About how many more checks settle it, if checks go on to confirm as many classes as is expected by now. None if
        it is settled, or if more than 3,000 are needed.
    versions
        Number of consensuses that the checks serve. The level holds for all of them together.
    """

    target: float
    level: float
    items: int
    checks: int
    right: int
    at_least: float
    at_most: float
    decision: StopDecision
    more: int | None = None
    versions: int = 1


def checked_share(
    right: Sequence[bool],
    items: int,
    *,
    target: float = 0.98,
    level: float = 0.95,
    expected: float | None = None,
    versions: int = 1,
) -> CheckedShare:
    """Bound the share of right classes among the items, however often one looks.

    Each check says whether the class of an item drawn at random without replacement is right. For every share θ one
    bets against "at most a share of θ is right"; if that is so, the capital exceeds 1 / (1 - level) with a chance of at
    most 1 - level, at whatever check one stops (Ville 1939; Waudby-Smith & Ramdas 2020). So checks may end as soon as
    the lower bound reaches the target. Wrong to use if items were picked for a reason, if the answers were asked after
    seeing the checks, or if the classes changed since: the bounds are about the classes that were checked. For
    checks that serve several consensuses, `versions` divides the risk: with m of them each bound is made at the level
    1 - (1 - level) / m, and all hold together with the level (Bonferroni). The answers must not depend on the checks.

    Parameters
    ----------
    right
        Whether each check confirmed the class, in the order of the draw.
    items
        Number of items that checks are drawn from.
    target
        The wanted share.
    level
        Confidence level of each bound.
    expected
        Share expected to be right, such as the model's. It makes bets better, and no bound wrong. Default: the target.
    versions
        Number of consensuses that the checks serve, this one included.

    Returns
    -------
    CheckedShare
        Bounds, decision, and about how many more checks.

    Examples
    --------
    >>> result = checked_share([True] * 180, 1000, target=0.98)
    >>> result.decision, round(result.at_least, 3)
    ('stop', 0.983)
    >>> checked_share([True, False] * 10, 1000, target=0.98).decision
    'cannot'
    """
    check_level(level)
    if not 0 < target < 1:
        raise OptionError(f"The wanted share of right classes must lie between 0 and 1, such as 0.98; got {target!r}.")
    if len(right) > items:
        raise OptionError(f"There are more checks ({len(right)}) than items ({items}).")
    if versions < 1:
        raise OptionError(f"The number of consensuses that checks serve must be 1 or more; got {versions!r}.")
    risk, aim = (1 - level) / versions, least_right(target, items)
    bounds = share_bounds(items, target, 1, expected=target if expected is None else expected, thresholds=THRESHOLDS)
    values = np.where(np.asarray(right, dtype=bool), 1, -1)
    if n := len(values):
        bounds.follow(weights=np.ones((n, 1)), stratum=np.zeros(n, dtype=int), low=values, high=values, risks=(risk,))
    low, high = (float(end[0] + items) / 2 for end in bounds.bounds(risk))
    least, most = math.ceil(low), math.floor(high)
    decision: StopDecision = "stop" if least >= aim else "cannot" if most < aim else "go on"
    more = _forecast(bounds, items, aim, risk) if decision == "go on" else None
    n_right = int((values > 0).sum())
    return CheckedShare(target, level, items, n, n_right, least / items, most / items, decision, more, versions)


def least_right(target: float, items: int) -> int:
    """Give the smallest number of right items that reaches the target.

    >>> least_right(0.98, 1000), least_right(0.98, 108)
    (980, 106)
    """
    return math.ceil(target * items - 1e-9)


def share_bounds(items: int, target: float, number: int, *, expected: float, thresholds: int = 0) -> ConfidenceSequence:
    """Start so many sequences of bounds on twice the number of right items minus the number of items.

    A right item counts 1 and a wrong one -1. The first threshold of each side decides about the target.

    Parameters
    ----------
    items
        Number of items.
    target
        The wanted share of right items.
    number
        Number of sequences.
    expected
        Share expected to be right.
    thresholds
        Number of further shares that are bounded.
    """
    aim = least_right(target, items)
    grid = np.unique(np.linspace(0, items, min(thresholds, items + 1)).round()) if thresholds else np.array([])
    below = np.concatenate([[aim - 1], grid[grid < items]])  # claims "at most so many are right"
    above = np.concatenate([[aim], grid[grid > 0]])  # claims "at least so many are right"
    likely = float(np.clip(expected, 1 - SURE, SURE))
    prior = np.array([[WORTH * (1 - likely), 0.0, WORTH * likely]])
    shape = (number, 1)
    return ConfidenceSequence(
        np.full(shape, float(items)),
        prior=prior,
        lower=np.tile(2 * below - items, shape),
        upper=np.tile(2 * above - items, shape),
    )


def _forecast(bounds: ConfidenceSequence, items: int, aim: int, risk: float) -> int | None:
    """Follow a typical continuation: wrong items come evenly spread, as often as is expected by now."""
    left = int(bounds.left.sum())
    steps = min(left, LONGEST)
    wrong = float(bounds.chances[0, 0, 0])
    value = np.where(np.diff(np.floor(wrong * np.arange(steps + 1) + 0.5)) > 0, -1, 1)
    _, ends = bounds.follow(
        weights=np.ones((steps, 1)), stratum=np.zeros(steps, dtype=int), low=value, high=value, risks=(risk,)
    )
    low, high = ((ends[:, 0, side] + items) / 2 for side in (0, 1))
    settled = np.flatnonzero((np.ceil(low) >= aim) | (np.floor(high) < aim))
    if len(settled):
        return int(settled[0]) + 1
    return left if left <= LONGEST else None


def check_order(items: Sequence[ClassName], seed: int) -> Array:
    """Give a random order of the items that depends on their names and the seed only.

    The order stays when answers are added or rows are sorted, so that later checks continue earlier ones.

    >>> [["a", "b", "c"][at] for at in check_order(["a", "b", "c"], 0)]
    ['a', 'c', 'b']
    >>> [["c", "b", "a"][at] for at in check_order(["c", "b", "a"], 0)]
    ['a', 'c', 'b']
    """
    keys = [hashlib.sha256(f"{seed}\n{type(name).__name__}\n{name}".encode()).digest() for name in items]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
