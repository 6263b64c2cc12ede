"""When an audit stops, and why."""

from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_forecast import chance_to_settle
from justesse.judges.audit_targets import Target

Stop = Literal["replace", "keep", "equivalent", "answered", "budget", "futility", "class sizes", ""]
SETTLED: tuple[Stop, ...] = ("replace", "keep", "equivalent")
PATIENCE = 30  # answers before an audit is given up
# an audit is given up if its chance to be settled is less: of those given up, less than one in ten would have been
# settled, also where the true difference is the least favourable to the rule (measured: docs/validity.md)
HOPELESS = 0.03


def stopping(
    above: Array,
    below: Array,
    alike: Array,
    *,
    alternative: Alternative,
    answered: Array,
    budget: Array,
    left: Array,
    hopeless: Array,
) -> Array:
    """Return why each audit stops; "" if it goes on.

        replace, keep, equivalent    the interval lies where it decides
        answered                     every disputed row was answered, and nothing is left to learn
        futility                     the side that is not asked about was proved, or it is `hopeless`: the budget that
                                     is left will hardly settle it
        budget                       as many questions were asked as were allowed

    Stopping early cannot make a wrong verdict likelier: the bounds hold at every look.

    Parameters
    ----------
    above
        Whether the total is known to lie above what replaces.
    below
        Whether it is known to lie below what keeps.
    alike
        Whether it is known to lie above what is worse by the margin.
    alternative
        What the audit asks: "two-sided", "greater" or "less".
    answered
        Number of answers so far.
    budget
        Largest number of questions.
    left
        Number of disputed rows without an answer.
    hopeless
        Whether the rest of the budget will hardly settle it.

    Examples
    --------
    >>> yes, no = np.array([True]), np.array([False])
    >>> rest = {"answered": np.array([40]), "budget": 100, "left": np.array([500]), "hopeless": no}
    >>> stopping(yes, no, yes, alternative="greater", **rest).tolist()
    ['replace']
    >>> stopping(no, yes, no, alternative="greater", **rest).tolist()
    ['futility']
    """
    replace = above & (alternative != "less")
    keep = below & (alternative != "greater")
    reasons: list[Stop] = ["replace", "equivalent", "keep", "answered", "budget", "futility"]
    return np.select(
        [replace, keep & alike, keep, left <= 0, answered >= budget, above | below | hopeless], reasons, ""
    )


def is_hopeless(
    bounds: ConfidenceSequence, goal: Target, *, alternative: Alternative, answered: int, budget: int
) -> Array:
    """Return which audits are unlikely to be settled by the answers they may still ask for.

    Not before 30 answers: until then the chance rests on what was expected rather than seen.
    """
    if answered < PATIENCE:
        return np.zeros(len(bounds.left), dtype=bool)
    more = np.full(len(bounds.left), max(budget - answered, 0))
    return np.asarray(chance_to_settle(bounds, goal, alternative=alternative, more=more) < HOPELESS)


def needed_answers(bounds: ConfidenceSequence, goal: Target, growth: Array) -> Array:
    """Return how many more answers are expected to settle each audit; infinite if not even all of them would.

        (log(1/risk) - log K) / log G,     K: what is owned, G: the growth expected of one answer

    All rows left settle it for sure if the expected total lies beyond a threshold.
    """
    left, total = bounds.left.sum(-1), bounds.expected
    ahead = total > (goal.lower + goal.upper) / 2
    apart = np.where(ahead, total - goal.lower, goal.upper - total)
    above, below = bounds.wealth()
    owned = np.where(ahead, above[:, 0], below[:, 0])
    steps = np.ceil((np.log(1 / goal.risk) - owned) / np.log(np.maximum(growth, 1 + 1e-12)))
    return np.where(apart > 0, np.clip(steps, 1, left), np.inf)
