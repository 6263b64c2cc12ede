"""Which question a pooled audit asks next: rows that settle most pairs are drawn most often, with known chances."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from justesse.core.arrays import Array
from justesse.judges.audit_questions import Question
from justesse.judges.pool_plan import PoolPlan

CLASSES = 4  # of rows: each is drawn half as often as the one before
WORTH = np.array([1, 3, 4])  # of a row, if the label says that the one behind is right, neither, or the one ahead
RECORDED = np.array([1, 1, 4])  # likewise, if both may be right already because their credits are equal
BITS = 24  # pairs whose leads are written as one number


@dataclass(frozen=True, eq=False)
class PoolDesign:
    """How likely each row is to be drawn next, from the pairs that are open and who leads in each.

        worth of a row = Σ over open pairs that dispute it: 4 if the label is for the one ahead, 3 neither, 1 against,
                         times how far the two can be apart there
        class g of a row = floor(log₂(largest worth / its worth)), at most 3
        chance ∝ 2^-g;   0 if no open pair disputes the row

    Parameters
    ----------
    plan
        The plan of the audit.
    leads
        For each pair 1 if the second is ahead, -1 if the first is, 0 if the pair need not be settled any more.
    """

    plan: PoolPlan
    leads: Array

    @cached_property
    def grade(self) -> Array:
        """The class of each row, from 0; `CLASSES` if it is never drawn."""
        worth, values = np.zeros(self.plan.disputed), WORTH if self.plan.recorded is None else RECORDED
        for lead in (1, -1):
            open_ = self.leads == lead
            says, sizes = self.plan.says[open_], self.plan.size_class[open_]
            for kind in range(3):
                for size, scale in enumerate(self.plan.scales.tolist()):
                    counts = ((says == kind) & (sizes == size)).sum(0)
                    worth += values[kind if lead > 0 else 2 - kind] * scale * counts
        most = worth.max(initial=1)
        with np.errstate(divide="ignore"):
            grade = np.floor(np.log2(most / np.maximum(worth, 1e-9)))
        return np.where(worth > 0, np.minimum(grade, CLASSES - 1), CLASSES).astype(np.int64)

    @cached_property
    def weight(self) -> Array:
        """The weight of each row."""
        return WEIGHTS[self.grade]

    def chances(self, used: Array) -> Array:
        """Return the chance of each row, given which were drawn before."""
        weight = np.where(used, 0.0, self.weight)
        total = weight.sum()
        return weight / total if total > 0 else weight

    def written(self) -> tuple[float, ...]:
        """Write the leads as numbers, for the file."""
        digits = (self.leads + 1).astype(np.int64)
        padded = np.pad(digits, (0, -len(digits) % BITS)).reshape(-1, BITS)
        return tuple(float(value) for value in (padded * 4 ** np.arange(BITS)).sum(-1))

    @classmethod
    def read(cls, plan: PoolPlan, words: tuple[float, ...]) -> "PoolDesign":
        """Read the leads as they were written.

        >>> from justesse.judges.pool_plan import plan_pool
        >>> plan, _ = plan_pool([0, 0, 1, 1], [[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]])
        >>> PoolDesign.read(plan, PoolDesign(plan, np.array([1, 0, -1])).written()).leads.tolist()
        [1, 0, -1]
        """
        values = np.array(words, dtype=np.int64)
        digits = (values[:, None] // 4 ** np.arange(BITS)) % 4
        return cls(plan, digits.reshape(-1)[: len(plan.pairs)] - 1)


WEIGHTS = np.append(2.0 ** -np.arange(CLASSES), 0.0)


def next_question(design: PoolDesign, used: Array, luck: float) -> Question | None:
    """Draw the next row; `None` if no row is left that an open pair disputes.

    The question keeps the chance of its row and the leads of the design: what an answer is worth depends on them.
    """
    chances = design.chances(used)
    sums = np.cumsum(chances)
    if not len(sums) or sums[-1] <= 0:
        return None
    row = int(np.searchsorted(sums, luck * sums[-1], side="right"))
    row = min(row, int(np.flatnonzero(chances)[-1]))
    return Question(row, int(design.grade[row]), (float(chances[row]), *design.written()))
