"""A pooled audit, answer by answer: what is settled so far, and why it stops."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.judges.audit_questions import Question
from justesse.judges.pool_claims import PoolClaims, PoolRisks, allowances, closure
from justesse.judges.pool_draw import PoolDesign
from justesse.judges.pool_evidence import PoolEvidence
from justesse.judges.pool_plan import PoolAnswer, PoolPlan
from justesse.judges.pool_scores import SAME

PoolStop = Literal["settled", "answered", "budget", ""]


@dataclass(frozen=True)
class PoolLook:
    """How far the audit was after so many answers: pairs settled, and the strongest open claim as evidence."""

    answers: int
    settled: int


class PoolRun:
    """Follow a pooled audit; answers are taken in the order in which the questions were drawn."""

    def __init__(self, plan: PoolPlan) -> None:
        self.plan = plan
        self.risks = PoolRisks.of(plan)
        self.evidence = PoolEvidence(plan, allowances(plan, self.risks))
        self.claims = PoolClaims(plan.systems, plan.pairs)
        self.taken = self.cannot_say = 0
        self.looks: list[PoolLook] = []
        self.settled_after = np.full(len(plan.pairs), -1)
        self._designs: dict[tuple[float, ...], PoolDesign] = {}
        self._look()

    def design(self, words: tuple[float, ...]) -> PoolDesign:
        """Return the design that was written as these numbers."""
        if words not in self._designs:
            self._designs = {words: PoolDesign.read(self.plan, words)}  # the one in use
        return self._designs[words]

    def take(self, question: Question, answer: PoolAnswer) -> None:
        """Add the answer to the next question."""
        low, high = self.plan.gains(question.row, answer)
        design = self.design(question.weights[1:])
        self.evidence.take(design, question.row, low, high, self.open_pairs)
        self.taken += 1
        self.cannot_say += bool((low < high).any())
        self._look()

    def _look(self) -> None:
        risks, evidence = self.risks, self.evidence
        chain = evidence.shown(risks.chain) if risks.chain else None
        new = self.claims.update(direct=evidence.shown(risks.direct), chain=chain)
        left, right = self.plan.pairs.T
        tied = self._tied()
        self.equal = closure(self.claims.square(tied, tied))
        np.fill_diagonal(self.equal, False)
        self.better = self._with_ties()
        settled = (self.better | self.better.T | self.equal)[left, right]
        self.settled_after[settled & (self.settled_after < 0)] = self.taken
        self.open_pairs = ~settled
        self.relevant = self.plan.goal.relevant(self.better, self.equal)
        if new or not self.looks or self.looks[-1].settled != int(settled.sum()):
            self.looks.append(PoolLook(self.taken, int(settled.sum())))

    def _tied(self) -> Array:
        """Return which pairs are known to be equally right: every row is answered, and neither leads."""
        evidence = self.evidence
        answered = (evidence.rows_left <= 0) & (evidence.unknown == 0) & (evidence.allowance == 0)
        return np.asarray(answered & (np.abs(evidence.known) < SAME))

    def _with_ties(self) -> Array:
        """Return the claims, and what follows from them for those that are equal."""
        same = self.equal | np.eye(len(self.equal), dtype=bool)
        better = self.claims.better
        return closure((same.astype(int) @ better @ same) > 0) if self.equal.any() else better

    @property
    def unsettled(self) -> Array:
        """Which pairs still need answers, and have rows that could settle them."""
        left, right = self.plan.pairs.T
        low, high = self.evidence.sides
        most = np.maximum(low.sum + low.rows, high.sum + high.rows)
        reachable = most > self.evidence.allowance + SAME
        tie = (self.evidence.unknown == 0) & (self.evidence.allowance == 0)  # that nobody leads may be found out
        return np.asarray(self.relevant[left, right] & (self.evidence.rows_left > 0) & (reachable | tie))

    @property
    def leads(self) -> Array:
        """For each pair that needs answers, who seems ahead: 1 the second, -1 the first; 0 for other pairs."""
        ahead = np.where(self.evidence.expected >= 0, 1, -1)
        return np.where(self.unsettled, ahead, 0)

    @property
    def stop(self) -> PoolStop:
        """Why the audit stops: settled, nothing left to ask that could settle it, or budget; "" if it goes on."""
        if self.plan.goal.reached(self.better, self.equal):
            return "settled"
        if not self.unsettled.any():
            return "answered"
        return "budget" if self.taken >= self.plan.budget else ""

    def bounds(self) -> tuple[Array, Array]:
        """Return the least and the largest total of each pair; all hold together, with all claims, at all looks.

        The bets on a single pair bound its total. A claim that follows from the order adds that its total is not 0.
        """
        low, high = self.evidence.bounds(self.risks.direct)
        first, second = self.plan.pairs.T
        least = int(self.evidence.whole)  # what the totals of two that differ are apart by at least
        low = np.where(self.better[first, second], np.maximum(low, least), low)
        high = np.where(self.better[second, first], np.minimum(high, -least), high)
        equal = self.equal[first, second]
        return np.where(equal, 0, low), np.where(equal, 0, high)

    def tiers(self) -> list[list[int]]:
        """List the classifiers from the best down, those that cannot be told apart together.

        A classifier is in a later tier than another if everything in the earlier tier is better than it.
        """
        return tiers(self.better)


def tiers(better: Array) -> list[list[int]]:
    """Group classifiers into the finest list in which everything in an earlier group beats everything in a later one.

    >>> tiers(np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    [[1, 2], [0]]
    """
    reach = closure(~better | np.eye(len(better), dtype=bool))  # reach[u, v]: u may be at or above v
    groups: dict[tuple[bool, ...], list[int]] = {}
    for at in range(len(better)):
        groups.setdefault(tuple((reach[at] & reach[:, at]).tolist()), []).append(at)
    return sorted(groups.values(), key=lambda group: int(reach[:, group[0]].sum()))
