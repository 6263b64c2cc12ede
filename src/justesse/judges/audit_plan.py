"""Which rows an audit asks an expert about, in what order, and with what chances."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.results import Alternative
from justesse.core.seeds import check_seed, stream
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_strata import drawn_order, label_strata, suspicion_numbers
from justesse.judges.audit_targets import QUESTIONS, About, Target, population_ends


@dataclass(frozen=True)
class GainRange:
    """The gains that experts leave possible for a row, from `low` to `high`: among -1, 0 and 1 if accuracy is audited.

    >>> GainRange.of([1, 0, 1])
    GainRange(low=0, high=1)
    """

    low: float
    high: float

    @classmethod
    def of(cls, gains: Iterable[float]) -> "GainRange":
        """Make the range of these gains."""
        values = list(gains)
        return cls(min(values), max(values))


# what experts say of a row: the code of the true class, the codes of all that are right (none: neither classifier
# gains), the gains left possible, or `None` for "cannot say"
Answer = int | frozenset[int] | GainRange | None
Gain = float | GainRange | None


@dataclass(frozen=True, kw_only=True)
class AuditPlan(AuditRule):
    """What an audit is about: the rows on which the two disagree, their strata, their order, and the rule to stop.

    `rows`, `incumbent`, `candidate`, `stratum` and `order` have one entry per disputed row; `order` is its place among
    the rows of its stratum, drawn by the seed before anything is asked.
    """

    n: int
    rows: Array
    label: Array
    incumbent: Array
    candidate: Array
    stratum: Array
    order: Array
    strata: tuple[str, ...]
    prior: Array

    @cached_property
    def centre(self) -> Array:
        """The middle of what a row of each stratum can add."""
        return np.zeros(len(self.strata))

    @cached_property
    def scale(self) -> Array:
        """How far from the middle it can be."""
        return np.ones(len(self.strata))

    @property
    def disputed(self) -> int:
        return len(self.rows)

    @property
    def divisor(self) -> float:
        """The total that is worth 1 in the measure."""
        return self.n

    @property
    def measure(self) -> str:
        """The measure in words."""
        return "accuracy"

    @property
    def difference(self) -> str:
        """What the audit finds out, in words."""
        return "accuracy difference"

    @property
    def whole(self) -> bool:
        """Whether totals are whole numbers."""
        return True

    @property
    def further_assumptions(self) -> tuple[str, ...]:
        """What the difference of this measure rests on besides."""
        return ()

    @property
    def reach(self) -> float:
        """The largest difference there can be."""
        return 1.0

    @property
    def widest(self) -> float:
        """The largest difference that these rows can make."""
        return max(self.disputed, 1) / self.n

    @property
    def counts_within(self) -> float | None:
        """How far class counts may be from those of the labels, if the measure depends on them."""
        return None

    @property
    def fewest_labels(self) -> int:
        """Labels of the smallest class whose number of rows the measure depends on; 0 if it depends on none."""
        return 0

    @property
    def offset(self) -> float:
        """What all rows add if each adds the middle of its range."""
        return 0.0

    @cached_property
    def guess(self) -> Array:
        """Who is right by the label: 1 the candidate, -1 the incumbent, 0 neither."""
        return self.values(self.label)

    @cached_property
    def sizes(self) -> Array:
        return np.bincount(self.stratum, minlength=len(self.strata))

    @cached_property
    def targets(self) -> dict[About, Target]:
        """The totals that would settle each question."""
        return {about: self.target(self.n, self.disputed, about) for about in QUESTIONS}

    def ends(self, about: About, least: Array, most: Array) -> tuple[Array, Array]:
        """Return the range of the difference, if the total lies between these."""
        goal = self.targets[about]
        low = np.maximum(least - float(goal.allowance), -self.disputed)
        high = np.minimum(most + float(goal.allowance), self.disputed)
        if about == "population":
            return population_ends(low, high, self.disputed, self.n, goal.sampling)
        return low / self.n + 0.0, high / self.n  # no -0.0

    def span(self, row: int) -> tuple[float, float]:
        """Return the least and the most that a row can add."""
        return -1, 1

    @cached_property
    def place(self) -> dict[int, int]:
        """Where a row of the data is among the disputed ones."""
        return {int(row): at for at, row in enumerate(self.rows)}

    @cached_property
    def luck(self) -> Array:
        """One number between 0 and 1 per question to come, which picks its stratum."""
        return stream(self.seed, "audit", "strata").random(self.disputed)

    @cached_property
    def queues(self) -> list[Array]:
        """The disputed rows of each stratum in the order in which they are asked."""
        by_order = np.argsort(self.order, kind="stable")
        return [by_order[self.stratum[by_order] == item] for item in range(len(self.strata))]

    def values(self, true: ArrayLike) -> Array:
        """Return who is right on each disputed row if these are the true classes: 1 the candidate, -1 the incumbent."""
        codes = np.asarray(true)
        return np.asarray((self.candidate == codes).astype(int) - (self.incumbent == codes))

    def counts(self, true: ArrayLike) -> Array:
        """Count the disputed rows by stratum and by who is right (incumbent, neither, candidate).

        `true` has one class code for each row of the data.
        """
        result = self.stratum * 3 + self.values(np.asarray(true)[self.rows]) + 1
        return np.bincount(result, minlength=3 * len(self.strata)).reshape(-1, 3)

    def gain(self, row: int, answer: Answer) -> Gain:
        """Return who gains on one row: 1 the candidate, -1 the incumbent, 0 if both are right or neither is.

        `None` where it is unknown, a range where experts leave several possible.
        """
        if answer is None or row not in self.place:
            return None
        if isinstance(answer, GainRange):
            return answer if answer.low < answer.high else answer.low
        at = self.place[row]
        right = answer if isinstance(answer, frozenset) else (answer,)
        return int(self.candidate[at] in right) - int(self.incumbent[at] in right)


def plan_audit(
    label: ArrayLike,
    incumbent: ArrayLike,
    candidate: ArrayLike,
    *,
    n: int | None = None,
    suspicion: ArrayLike | None = None,
    seed: int = 0,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    expert_error: float = 0.0,
    budget: int = 200,
    question: About = "test set",
    futility: bool = True,
) -> AuditPlan:
    """Plan an audit of the rows on which the two classifiers disagree; no other row can change the difference.

    Parameters
    ----------
    label, incumbent, candidate
        Class codes of the labels and of both classifiers' answers, one per row.
    n
        Number of rows in all, if rows on which the two agree are left out. Default: the number of labels.
    suspicion
        Any finite number per row that is higher where the label is more likely wrong: the share of other classifiers
        that contradict it, one minus its probability, a difficulty. It must not be made from the expert's answers.
    seed
        Seed of the order of the questions.
    level
        Confidence level of the rule.
    margin
        Smallest difference in accuracy that matters: 0.01 is one point.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse.
    expert_error
        Largest chance that the expert is wrong about a row, independently from row to row.
    budget
        Number of questions at most.
    question
        Who is better on the `test set`, or in the `population` it was drawn from.
    futility
        Whether to stop when the remaining questions are unlikely to settle it.

    Returns
    -------
    AuditPlan
        The rows to ask about, their strata and order, and the rule to stop.

    Notes
    -----
    Strata: whom the label agrees with (incumbent, neither, candidate) × suspicion (up to three parts). A poor
    `suspicion` costs more answers but never makes the verdict wrong more often.

    Examples
    --------
    >>> plan = plan_audit([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [1, 0, 1, 1, 1])
    >>> plan.rows.tolist(), plan.guess.tolist(), plan.strata
    ([0, 1, 2, 4], [-1, 1, 1, 0], ('incumbent', 'neither', 'candidate'))
    """
    codes = [np.asarray(entry) for entry in (label, incumbent, candidate)]
    if len({code.shape for code in codes}) > 1 or codes[0].ndim != 1:
        raise InputError(
            f"Labels and both classifiers need one class per row; got shapes {[code.shape for code in codes]}."
        )
    total = len(codes[0]) if n is None else n
    if total < max(len(codes[0]), 1):
        raise InputError(f"n, the number of all rows, must be at least {max(len(codes[0]), 1)}; got {total}.")
    rows = np.flatnonzero(codes[1] != codes[2])
    kept = [code[rows] for code in codes]
    says = (kept[2] == kept[0]).astype(int) - (kept[1] == kept[0]) + 1
    stratum, names, prior = label_strata(
        says, None if suspicion is None else suspicion_numbers(suspicion, len(codes[0]))[rows]
    )
    order = drawn_order(stratum, len(names), stream(check_seed(seed), "audit", "order"))
    return AuditPlan(
        n=total,
        rows=rows,
        label=kept[0],
        incumbent=kept[1],
        candidate=kept[2],
        stratum=stratum,
        order=order,
        strata=names,
        prior=prior,
        seed=seed,
        level=level,
        margin=margin,
        alternative=alternative,
        expert_error=expert_error,
        budget=budget,
        question=question,
        futility=futility,
    )
