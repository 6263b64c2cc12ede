"""Where an audit stands: the true difference as far as the answers tell, at every look, and whether to go on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.verdict import Decision, decide
from justesse.intervals.confidence_sequence import ConfidenceSequence as Bounds
from justesse.judges.audit_plan import Answer, AuditPlan, Gain, GainRange
from justesse.judges.audit_questions import Question, draw_weights
from justesse.judges.audit_rule import METHOD
from justesse.judges.audit_stop import Stop, is_hopeless, needed_answers, stopping
from justesse.judges.audit_targets import QUESTIONS, About

NEAR = (0.05, 0.1, 0.25, 0.5, 1.0)  # rows beyond a threshold that decides
THRESHOLDS = 2001  # totals that bounds are worked out for; more would not show


@dataclass(frozen=True)
class Finding:
    """The answer to one question: the difference, its always-valid interval, and what it decides."""

    about: About
    difference: Estimate
    decision: Decision

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        return {
            "question": self.about,
            "verdict": self.decision,
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
        }


@dataclass(frozen=True)
class Looks:
    """The estimate and both ends after 0, 1, 2, … answers."""

    estimate: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class AuditState:
    """Both answers, kept apart, how many questions they took, why the audit stops (or `""`), and what it rests on.

    `answered` are the answers that count: those before the first question still open; `waiting` those after it.
    `expected_more` is how many more answers would settle the question asked, if what was seen is how things are; `None`
    if no number would. `pvalue` is the smallest risk at which the margin is excluded, at any look; it is worked out
    for the test set with an expert who is always right, and NaN otherwise.
    """

    question: About
    test_set: Finding
    population: Finding
    stop: Stop
    answered: int
    cannot_say: int
    waiting: int
    asked: int
    budget: int
    disputed: int
    n: int
    noisy_difference: float
    expected_more: int | None
    pvalue: float
    looks: Mapping[About, Looks]
    assumptions: tuple[str, ...]
    method: str
    level: float
    seed: int

    @property
    def finding(self) -> Finding:
        """The answer to the question that was asked."""
        return self.test_set if self.question == "test set" else self.population

    @property
    def decision(self) -> Decision:
        return self.finding.decision

    @property
    def most(self) -> int:
        """How many questions can be asked: as many as the budget allows, and as there are disputed rows."""
        return min(self.budget, self.disputed)

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.decision,
            "question": self.question,
            "stop": self.stop or None,
            "test_set": self.test_set.to_dict(),
            "population": self.population.to_dict(),
            "noisy_difference": self.noisy_difference,
            "answered": self.answered,
            "cannot_say": self.cannot_say,
            "waiting": self.waiting,
            "asked": self.asked,
            "budget": self.budget,
            "questions_at_most": self.most,
            "disputed": self.disputed,
            "n": self.n,
            "expected_more": self.expected_more,
            "pvalue": finite_or_none(self.pvalue),
            "method": self.method,
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
        }


class AuditRun:
    """Follow an audit answer by answer; `audit_state` does it for a whole list at once.

    Answers are taken in the order in which the questions were asked.

    >>> from justesse.judges.audit_plan import plan_audit
    >>> from justesse.judges.audit_questions import next_questions
    >>> label, true = np.zeros(100, int), np.zeros(100, int)
    >>> incumbent, candidate = np.repeat([1, 0, 0], [30, 10, 60]), np.repeat([0, 1, 0], [30, 10, 60])
    >>> plan = plan_audit(label, incumbent, candidate)
    >>> run, asked, answers = AuditRun(plan), [], {}
    >>> while not run.state().stop:
    ...     asked += next_questions(plan, asked, answers)
    ...     answers[asked[-1].row] = int(true[asked[-1].row])
    ...     run.take(asked[-1], answers[asked[-1].row])
    >>> run.state().stop, run.state().answered, str(run.state().test_set.difference.interval)
    ('replace', 9, '[0.0300, 0.4000]')
    """

    def __init__(self, plan: AuditPlan) -> None:
        self.plan = plan
        self.bounds = _bounds(plan)
        self.taken = self.cannot_say = 0
        self.path: dict[About, list[tuple[float, float, float]]] = {about: [] for about in QUESTIONS}
        self._known_outlook: tuple[int, Stop, int | None] | None = None  # after how many answers, and what it was
        self._look()

    def take(self, question: Question, true: Answer) -> None:
        """Add the answer to the next question: the true class, all right classes, or "cannot say"."""
        self._check(question)
        low, high = self._span(question, self.plan.gain(question.row, true))
        self.bounds.draw(weights=[question.weights], stratum=[question.stratum], low=[low], high=[high])
        self.cannot_say += low < high
        self.taken += 1
        self._look()

    def take_all(self, questions: Sequence[Question], values: Sequence[Gain]) -> None:
        """Add the gains of many rows at once, in the order of their questions; `None` is "cannot say"."""
        if not questions:
            return
        for question in questions:
            self._check(question)
        plan, targets = self.plan, self.plan.targets
        spans = [self._span(question, value) for question, value in zip(questions, values, strict=True)]
        low, high = np.array(spans).T
        estimates, ends = self.bounds.follow(
            weights=[item.weights for item in questions],
            stratum=[item.stratum for item in questions],
            low=low,
            high=high,
            risks=[target.risk for target in targets.values()],
        )
        self.taken += len(questions)
        self.cannot_say += int((low < high).sum())
        for at, about in enumerate(targets):
            self._add_looks(about, (estimates + plan.offset) / plan.divisor, ends[:, at, 0], ends[:, at, 1])

    def _span(self, question: Question, gain: Gain) -> tuple[float, float]:
        """Return the lowest and the highest gain possible, less the middle of its stratum."""
        if gain is None:
            low, high = self.plan.span(question.row)
        elif isinstance(gain, GainRange):
            low, high = gain.low, gain.high
        else:
            low = high = gain
        middle = float(self.plan.centre[question.stratum])
        return low - middle, high - middle

    def _check(self, question: Question) -> None:
        if question.row not in self.plan.place or len(question.weights) != len(self.plan.strata):
            raise InputError(f"The question about row {question.row} does not belong to this audit.")

    def _look(self) -> None:
        value = (self.bounds.estimate + self.plan.offset) / self.plan.divisor
        for about, target in self.plan.targets.items():
            self._add_looks(about, value, *self.bounds.bounds(target.risk))

    def _add_looks(self, about: About, value: Array, least: Array, most: Array) -> None:
        """Note the estimate and both ends of the difference, given the bounds of the total."""
        plan = self.plan
        low, high = plan.ends(about, least, most)
        low = np.full_like(low, -plan.reach) if plan.alternative == "less" else low
        high = np.full_like(high, plan.reach) if plan.alternative == "greater" else high
        inside = np.minimum(np.maximum(value, low), high)
        self.path[about] += zip(inside.tolist(), low.tolist(), high.tolist(), strict=True)

    def state(self, *, asked: int | None = None, waiting: int = 0) -> AuditState:
        """Return the state of the audit; `asked` and `waiting` count questions that were not added."""
        plan = self.plan
        looks = {about: Looks(*np.array(path).T) for about, path in self.path.items()}
        test_set, population = (self._finding(about) for about in QUESTIONS)
        stop, more = self._outlook()
        return AuditState(
            question=plan.question,
            test_set=test_set,
            population=population,
            stop=stop,
            answered=self.taken,
            cannot_say=self.cannot_say,
            waiting=waiting,
            asked=self.taken if asked is None else asked,
            budget=plan.budget,
            disputed=plan.disputed,
            n=plan.n,
            noisy_difference=float(plan.guess.sum()) / plan.divisor,
            expected_more=more,
            pvalue=self._pvalue(),
            looks=looks,
            assumptions=assumptions(plan),
            method=METHOD,
            level=plan.level,
            seed=plan.seed,
        )

    @property
    def stop(self) -> Stop:
        """Why the audit stops, or "" if it goes on."""
        return self._outlook()[0]

    def _finding(self, about: About) -> Finding:
        plan = self.plan
        value, low, high = self.path[about][-1]
        interval = Interval(low, high, plan.level, METHOD, (-plan.reach, plan.reach), plan.alternative)
        decision: Decision = decide(low, high, plan.margin).item()
        return Finding(about, Estimate(plan.difference, value, self.taken, interval), decision)

    def _pvalue(self) -> float:
        plan = self.plan
        if plan.expert_error or plan.question == "population":
            return math.nan
        aim = plan.targets["test set"]
        sides = self.bounds.risks(float(aim.lower), float(aim.upper))
        tails = {"greater": sides[0], "less": sides[1], "two-sided": 2 * min(sides)}
        return min(1.0, tails[plan.alternative])

    def _outlook(self) -> tuple[Stop, int | None]:
        """Return why the audit stops, and how many more answers are expected; only answers change them."""
        if self._known_outlook is None or self._known_outlook[0] != self.taken:
            self._known_outlook = (self.taken, *self._new_outlook())
        return self._known_outlook[1:]

    def _new_outlook(self) -> tuple[Stop, int | None]:
        plan, bounds = self.plan, self.bounds
        goal = plan.targets[plan.question]
        low, high = bounds.bounds(goal.risk)
        hopeless = is_hopeless(bounds, goal, alternative=plan.alternative, answered=self.taken, budget=plan.budget)
        _, growth = draw_weights(goal, bounds.mass, bounds.chances, bounds.sum)
        needed = needed_answers(bounds, goal, growth)
        stop: Stop = stopping(
            low > goal.lower,
            high < goal.upper,
            low > goal.alike,
            alternative=plan.alternative,
            answered=np.array([self.taken]),
            budget=np.array([plan.budget]),
            left=bounds.left.sum(-1),
            hopeless=plan.futility & hopeless,
        ).item()
        settled = stop in ("replace", "keep", "equivalent", "answered")
        return stop, 0 if settled else int(needed[0]) if np.isfinite(needed[0]) else None


def audit_state(plan: AuditPlan, asked: Sequence[Question], answers: Mapping[int, Answer]) -> AuditState:
    """Return the state of an audit, from the questions in the order they were asked and the answers so far.

    `answers` holds, by row, the code of the true class, the codes of all classes that are right, or `None` for "cannot
    say"; an open question is not in it. The gain of a row is [candidate among the right] - [incumbent among the right],
    so that it is 0 where both are right, or neither, or where the question is flawed (none is right). Only answers
    before the first open question count, the others wait: were open ones passed over, whoever leaves them open could
    choose the sample. "Cannot say" counts as won by the incumbent for the lower end and by the candidate for the
    upper, so that no reason for not answering can mislead; a range of gains counts with its ends. A corrected answer is
    taken as if it had been given at first; bounds shown before rested on the mistake.

    >>> from justesse.judges.audit_plan import plan_audit
    >>> from justesse.judges.audit_questions import next_questions
    >>> plan = plan_audit([0] * 9, [1, 1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1])
    >>> asked = next_questions(plan, [], {}, 6)
    >>> state = audit_state(plan, asked, {question.row: 0 for question in asked})
    >>> state.stop, state.decision, str(state.test_set.difference.interval), state.population.decision
    ('replace', 'replace', '[0.4444, 0.4444]', 'cannot_tell')
    """
    run = AuditRun(plan)
    answered = [item.row in answers for item in asked]
    counted = answered.index(False) if False in answered else len(answered)
    taken = list(asked[:counted])
    run.take_all(taken, [plan.gain(item.row, answers[item.row]) for item in taken])
    return run.state(asked=len(asked), waiting=sum(answered[counted:]))


def assumptions(plan: AuditPlan) -> tuple[str, ...]:
    """List the assumptions."""
    error = plan.expert_error
    return (
        f"the expert is wrong about a row with probability at most {error:g}, independently from row to row"
        if error
        else "the expert's answers are right",
        "questions are asked in the order drawn: nobody chooses which to answer",
        "for the population: rows are independent draws from it and were not used for training or model selection",
        *plan.further_assumptions,
    )


def _bounds(plan: AuditPlan) -> Bounds:
    size = float((plan.sizes * plan.scale).sum())
    goal = plan.targets[plan.question]
    grid = np.linspace(-size - 1, size + 1, int(min(2 * size + 3, THRESHOLDS)) if plan.whole else THRESHOLDS)
    grid = np.unique(grid.round() if plan.whole else grid)
    every = [float(item) for target in plan.targets.values() for item in (target.lower, target.upper, target.alike)]
    # bounds between the threshold that decides and the next on the grid, so that an interval does not end at the first
    near = [] if plan.whole else [sign * part for part in NEAR for sign in (-1, 1)]
    grid = np.concatenate([grid, *([end + part for part in near] for end in every)])
    lower = [goal.lower, goal.alike, *every, *grid]
    return Bounds(
        plan.sizes[None],
        prior=plan.prior,
        lower=[lower],
        upper=[[goal.upper, *every, *grid]],
        aims=(2, 1),
        scale=plan.scale,
        whole=plan.whole,
    )
