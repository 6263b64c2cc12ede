"""How much the verdict of an audit depends on the expert: mistakes it survives, questions that were called flawed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from justesse.core.verdict import Decision
from justesse.judges.audit_plan import Answer, AuditPlan
from justesse.judges.audit_questions import Question
from justesse.judges.audit_state import audit_state

EXPERT_ERRORS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1)
ROUNDING = 1e-9


@dataclass(frozen=True)
class SurvivedError:
    """The largest share of wrong answers tried that leaves the verdict as it is, and the next one, which does not.

    `breaks_at` is `None` if no share that was tried changes the verdict.
    """

    survived: float
    breaks_at: float | None

    def rows_survived(self, n: int) -> int:
        """Return how many of n rows the expert may answer wrongly.

        >>> SurvivedError(0.02, 0.05).rows_survived(100)
        2
        """
        return math.floor(self.survived * n + ROUNDING)

    def rows_that_break(self, n: int) -> int | None:
        """Return how many wrong answers about n rows could change the verdict; `None` if no number tried does.

        >>> SurvivedError(0.02, 0.05).rows_that_break(100), SurvivedError(0.1, None).rows_that_break(100)
        (5, None)
        """
        return None if self.breaks_at is None else max(math.ceil(self.breaks_at * n - ROUNDING), 1)


def survived_expert_error(
    plan: AuditPlan, asked: Sequence[Question], answers: Mapping[int, Answer], tried: Sequence[float] = EXPERT_ERRORS
) -> SurvivedError:
    """Find how often the expert may be wrong before the verdict changes, by judging the same answers again.

    Shares up to the one the plan assumes are survived by construction.

    >>> from justesse.judges.audit_plan import plan_audit
    >>> from justesse.judges.audit_questions import next_questions
    >>> plan = plan_audit([0] * 400, [1] * 100 + [0] * 300, [0] * 400)
    >>> asked = next_questions(plan, [], {}, 60)
    >>> survived_expert_error(plan, asked, {question.row: 0 for question in asked})
    SurvivedError(survived=0.1, breaks_at=None)
    >>> survived_expert_error(plan, asked[:7], {question.row: 0 for question in asked})
    SurvivedError(survived=0.01, breaks_at=0.02)
    """
    decision, survived = audit_state(plan, asked, answers).decision, plan.expert_error
    for error in tried:
        if error <= plan.expert_error:
            continue
        if audit_state(replace(plan, expert_error=error), asked, answers).decision != decision:
            return SurvivedError(survived, error)
        survived = error
    return SurvivedError(survived, None)


def decision_without(
    plan: AuditPlan, asked: Sequence[Question], answers: Mapping[int, Answer], rows: Iterable[int]
) -> Decision:
    """Return the verdict if the expert had not been able to answer for these rows.

    They then count against whichever side is to be shown better.

    >>> from justesse.judges.audit_plan import plan_audit
    >>> from justesse.judges.audit_questions import next_questions
    >>> plan = plan_audit([0] * 20, [1] * 10 + [0] * 10, [0] * 20)
    >>> asked = next_questions(plan, [], {}, 10)
    >>> answers = {question.row: 0 for question in asked}
    >>> [decision_without(plan, asked, answers, rows) for rows in ([], range(9))]
    ['replace', 'cannot_tell']
    """
    return audit_state(plan, asked, {**answers, **dict.fromkeys(rows)}).decision
