"""Whether the answers of an audit contradict the class sizes that it assumed, and what is left of its verdict then."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.results import Estimate, Interval
from justesse.core.verdict import Decision
from justesse.judges.audit_plan import Answer, AuditPlan
from justesse.judges.audit_state import AuditState, Finding, Looks
from justesse.judges.audit_stop import SETTLED, Stop
from justesse.judges.measured_audit import MeasuredPlan


@dataclass(frozen=True)
class ClassSize:
    """How many rows a class has by the labels, by the answers, and how many the audit allows for."""

    at: int
    labels: int
    answered: int
    least: float
    most: float

    @property
    def enough(self) -> float:
        """A share `counts_within` that allows for about twice the change that the answers show.

        >>> ClassSize(0, 8, 20, 5, 11).enough
        3.0
        """
        ratio = max(self.answered, 0.5) / self.labels
        return float(np.ceil(10 * (max(ratio, 1 / ratio) ** 2 - 1 if ratio < 1 else 2 * (ratio - 1)) - 1e-9) / 10)


def contradicted_size(plan: AuditPlan, answers: Mapping[int, Answer]) -> ClassSize | None:
    """Return the class whose size by the answers is furthest outside what the audit allows for, if there is one.

    The size by the answers counts every answered row by its answer, and every other row by its label. An answer that
    leaves open whether the row is of the class changes nothing. If sizes are known exactly (`counts_within=0`), rows
    without an answer may make up for those with one, so that only rows answered with the class count.

    >>> from justesse.judges.audit_payoffs import payoffs
    >>> from justesse.judges.measured_audit import plan_measured_audit
    >>> label, old, new = [0] * 4 + [1] * 16, [0] * 8 + [1] * 12, [0] * 2 + [1] * 10 + [0] * 8
    >>> gains = payoffs("f1:a", ["a", "b"], np.stack([label, old, new, [1] * 20], -1))
    >>> plan = plan_measured_audit(gains, label, old, new, n=20)
    >>> contradicted_size(plan, {row: 0 for row in range(12, 15)}) is None
    True
    >>> contradicted_size(plan, {row: 0 for row in range(12, 16)})
    ClassSize(at=0, labels=4, answered=8, least=1.0, most=7.0)
    """
    if not isinstance(plan, MeasuredPlan):
        return None
    worst: tuple[float, ClassSize] | None = None
    known = [(int(plan.label[plan.place[row]]), answer) for row, answer in answers.items() if row in plan.place]
    for at, labels, least, most in plan.payoffs.class_sizes:
        answered = sum(answer in (at, {at}) for _, answer in known)
        if least < most:
            answered = int(labels) + sum(_moved(at, label, answer) for label, answer in known)
        beyond = max(answered / most, least / max(answered, 0.5) if least < most else 0.0)
        if beyond > 1 + 1e-9 and (worst is None or beyond > worst[0]):
            worst = beyond, ClassSize(at, int(labels), answered, float(least), float(most))
    return worst[1] if worst else None


def _moved(at: int, label: int, answer: Answer) -> int:
    """Return 1 if the answer adds a row to the class, -1 if it takes one away."""
    if isinstance(answer, int):
        return int(answer == at) - int(label == at)
    if isinstance(answer, frozenset) and answer:
        return int(answer == {at} and label != at) - int(at not in answer and label == at)
    return 0


def without_sizes(plan: AuditPlan, state: AuditState) -> AuditState:
    """Return what is left of the state if the class sizes are unknown: nothing but the sign of a recall.

    The recalls of one class have the same denominator, so that the sign of their difference needs no class size; with
    a margin, nothing is left either.
    """
    signed = isinstance(plan, MeasuredPlan) and plan.payoffs.stretch != (1.0, 1.0) and not plan.margin
    left = _sign_only if signed else _unknown
    test_set, population = left(plan, state.test_set), left(plan, state.population)
    looks = {
        each.about: _last_look(state.looks[each.about], each.difference.interval) for each in (test_set, population)
    }
    decision = (test_set if state.question == "test set" else population).decision
    stop: Stop = "class sizes" if state.stop in SETTLED and decision == "cannot_tell" else state.stop
    return replace(state, test_set=test_set, population=population, looks=looks, stop=stop, pvalue=float("nan"))


def _unknown(plan: AuditPlan, finding: Finding) -> Finding:
    return _within(plan, finding, -plan.reach, plan.reach, "cannot_tell")


def _sign_only(plan: AuditPlan, finding: Finding) -> Finding:
    ends = {"replace": (0.0, plan.reach), "keep": (-plan.reach, 0.0)}
    if finding.decision not in ends:
        return _unknown(plan, finding)
    return _within(plan, finding, *ends[finding.decision], finding.decision)


def _within(plan: AuditPlan, finding: Finding, low: float, high: float, decision: Decision) -> Finding:
    old = finding.difference
    interval = old.interval
    assert interval is not None
    wide = Interval(low, high, interval.level, interval.method, (-plan.reach, plan.reach), plan.alternative)
    return Finding(finding.about, Estimate(old.name, old.value, old.n, wide), decision)


def _last_look(looks: Looks, interval: Interval | None) -> Looks:
    """Give the last look the interval that is shown."""
    assert interval is not None
    low, high = looks.low.copy(), looks.high.copy()
    low[-1], high[-1] = interval.low, interval.high
    return Looks(looks.estimate, np.asarray(low), np.asarray(high))
