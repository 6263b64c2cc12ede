"""Which row an audit asks about next, and with what chances."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.bets import best_design
from justesse.intervals.drawn_total import in_parts
from justesse.judges.audit_plan import Answer, AuditPlan, Gain, GainRange
from justesse.judges.audit_targets import Target

SPREAD = 0.05  # of the draws take any row left


@dataclass(frozen=True)
class Question:
    """One row to ask about: its position, its stratum, and the chances with which each stratum was to be drawn.

    Keep all three: what an answer is worth depends on the chances at the time it was asked.
    """

    row: int
    stratum: int
    weights: tuple[float, ...]


class Drawing:
    """Draw questions one after the other, given those drawn so far and the gains known from answers."""

    def __init__(self, plan: AuditPlan) -> None:
        self.plan = plan
        self.drawn: list[Question] = []
        self.used = np.zeros(len(plan.strata), dtype=int)
        self.seen = np.zeros((len(plan.strata), 3))

    def add(self, questions: Iterable[Question]) -> None:
        """Note that questions were drawn."""
        for question in questions:
            self.drawn.append(question)
            self.used[question.stratum] += 1

    def judged(self, stratum: int, gain: Gain, times: int = 1) -> None:
        """Note that a question of a stratum was answered with this gain; -1 times if that does not hold any more."""
        if gain is not None and not isinstance(gain, GainRange):
            plan = self.plan
            self.seen[stratum] += times * in_parts((gain - plan.centre[stratum]) / plan.scale[stratum])

    def next(self, count: int = 1) -> list[Question]:
        """Choose the rows to ask about next; they are not noted as drawn."""
        plan, used, luck = self.plan, self.used.copy(), len(self.drawn)
        counts = plan.prior + self.seen
        chances = counts / counts.sum(-1, keepdims=True)
        mean = (chances[:, 2] - chances[:, 0]) * plan.scale
        # rows that are open or cannot be judged are taken to be like the others of their stratum
        known = (self.seen[:, 2] - self.seen[:, 0]) * plan.scale
        total = float(known.sum() + ((used - self.seen.sum(-1)) * mean).sum())
        results: list[Question] = []
        while len(results) < count and luck < min(plan.budget, plan.disputed):
            left = plan.sizes - used
            mass = left[None] * plan.scale
            weights = draw_weights(plan.targets[plan.question], mass, chances[None], np.array([total]))[0][0]
            at = min(int(np.searchsorted(np.cumsum(weights), plan.luck[luck], side="right")), len(weights) - 1)
            at = at if left[at] else int(np.argmax(np.where(left > 0, weights, -1)))
            # rows of a stratum are drawn in its order, so that those used up are its first
            row = int(plan.rows[plan.queues[at][used[at]]])
            results.append(Question(row, at, tuple(float(weight) for weight in weights)))
            used[at] += 1
            luck += 1
            total += float(mean[at])
        return results


def next_questions(
    plan: AuditPlan, asked: Sequence[Question], answers: Mapping[int, Answer], count: int = 1
) -> list[Question]:
    """Choose the rows to ask about next, given those asked so far and the answers received.

    Parameters
    ----------
    plan
        The plan of the audit.
    asked
        The questions drawn so far, in order.
    answers
        The answers received, by row; they may arrive in any order, and questions may still be open.
    count
        Number of questions to choose.

    Returns
    -------
    list of Question
        The next questions; fewer than `count` when the budget or the disputed rows are used up.

    Notes
    -----
    The same seed, rows and answers always give the same questions. A stratum is drawn with the chances that settle the
    question soonest by what is known now, then the next row in its order.

    Examples
    --------
    >>> from justesse.judges.audit_plan import plan_audit
    >>> plan = plan_audit([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [1, 0, 1, 1, 1])
    >>> first = next_questions(plan, [], {}, 2)
    >>> first == next_questions(plan, [], {}, 2), len(next_questions(plan, first, {first[0].row: 0}, 9))
    (True, 2)
    """
    drawing = Drawing(plan)
    drawing.add(asked)
    for item in asked:
        drawing.judged(item.stratum, plan.gain(item.row, answers.get(item.row)))
    return drawing.next(count)


def draw_weights(goal: Target, left: Array, chances: Array, total: Array) -> tuple[Array, Array]:
    """Return the chances of drawing each stratum and the expected growth per row, for one or many audits (first axis).

    The audit tries to prove that the classifier that seems ahead is. `left` is the most that a stratum can still add
    and may be far below 1. The chances add up to 1, since bets are fair only for the chances that rows are drawn with.
    """
    ahead = total + (left * (chances[..., 2] - chances[..., 0])).sum(-1) > (goal.lower + goal.upper) / 2
    seen = np.where(ahead[:, None, None], chances, chances[..., ::-1])
    rows = left.sum(-1)
    most = np.where(ahead, goal.lower - total, total - goal.upper)
    weights, growth = best_design(left, seen, np.maximum(most, 1e-6 - rows))
    even = left / np.where(rows > 0, rows, 1.0)[:, None]
    return (1 - SPREAD) * weights + SPREAD * even, growth
