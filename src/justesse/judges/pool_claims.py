"""Which orders a pooled audit may claim, so that the chance of any false claim, at any look, is at most the risk."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.judges.audit_targets import EXPERT_SHARE, mistakes
from justesse.judges.pool_plan import PoolPlan

CHAIN_SHARE = 0.5  # of the risk is for neighbours in the true order, the rest for all pairs


@dataclass(frozen=True)
class PoolRisks:
    """What evidence each claim needs: `direct` for a pair on its own, `chain` for a link of the order; 0 if not used.

    Notes
    -----
    A claim is "the second is better than the first"; it is false if the second is not. Let the risk be a.

    *Direct.* Each of the 2·P claims about P pairs may be refuted wrongly, at any look, with a chance of at most
    a_direct/(2·P) (Ville, 1939). Together: a_direct (Bonferroni).

    *Chain.* Sort the M classifiers by their true accuracy; equal ones in any order. Only the M-1 neighbours in this one
    order matter, with at most two claims each that are false (both, if the neighbours are equal). With a chance of at
    least 1 - a_chain none of these 2·(M-1) false claims ever gets evidence of 2·(M-1)/a_chain. Which order is the true
    one is not known. So an order *survives* if no link of it is refuted, and "v is better than u" is claimed once no
    surviving order has u at or above v. The true order survives, so such a claim is true.

    An order that survives is a path through all classifiers along links that are not refuted. For each two classifiers
    at least one direction is not refuted, and in such a graph a path of all with u before v exists if and only if v can
    be reached from u at all (Camion's theorem, 1959, within each strongly connected part). So the claims are read off
    the reachable pairs.

    Claims of both kinds are true together with a chance of at least 1 - a_direct - a_chain = 1 - a, at all looks. What
    follows from true claims is true: if b beats a, and c beats b, c beats a.
    """

    direct: float
    chain: float
    expert: float

    @classmethod
    def of(cls, plan: PoolPlan) -> "PoolRisks":
        """Divide the risk of a plan.

        Up to four classifiers, and against an incumbent, all of it is for the pairs: there the chain would cost more
        than it gains.
        """
        risk, pairs, links = plan.risk, len(plan.pairs), plan.systems - 1
        expert = EXPERT_SHARE * risk if plan.expert_error else 0.0
        risk -= expert
        if plan.goal.kind == "incumbent" or plan.systems <= 4:
            return cls(risk / (2 * pairs), 0.0, expert / pairs)
        return cls((1 - CHAIN_SHARE) * risk / (2 * pairs), CHAIN_SHARE * risk / (2 * links), expert / pairs)


def allowances(plan: PoolPlan, risks: PoolRisks) -> Array:
    """Return by how many rows the expert's mistakes may have moved the total of each pair.

    A mistake moves the gain of a row from one end to the other at worst: by 2 if answers are right or wrong, by twice
    what the pair can be apart on the row otherwise. The rows that can move most are taken to be the wrong ones.
    """
    if not plan.expert_error:
        return np.zeros(len(plan.pairs))
    wrong = mistakes(plan.sizes, plan.expert_error, risks.expert)
    if not plan.graded:
        return 2 * wrong
    widest = np.cumsum(-np.sort(-plan.spans, -1), -1)
    moved = [sums[int(count) - 1] if count else 0.0 for sums, count in zip(widest, wrong, strict=True)]
    return 2 * np.array(moved)


class PoolClaims:
    """The claims so far, as a square table: `better[a, b]` if b is claimed to be better than a; claims stay.

    >>> claims = PoolClaims(3, np.array([[0, 1], [0, 2], [1, 2]]))
    >>> claims.update(direct=(np.array([1, 0, 1]), np.zeros(3)), chain=None)
    True
    >>> claims.better.astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """

    def __init__(self, systems: int, pairs: Array) -> None:
        self.pairs = pairs
        self.better = np.zeros((systems, systems), dtype=bool)

    def square(self, second: Array, first: Array) -> Array:
        """Lay out what is known of each pair: whether the second is better, and whether the first is."""
        table = np.zeros_like(self.better)
        left, right = self.pairs.T
        table[left, right], table[right, left] = second, first
        return table

    def update(self, *, direct: tuple[Array, Array], chain: tuple[Array, Array] | None) -> bool:
        """Add what follows from the evidence: by pair, whether the second and whether the first is shown better.

        Returns whether there are new claims.
        """
        before = self.better.sum()
        self._claim(self.square(*map(np.asarray, direct)))
        if chain is not None:
            refuted = self.square(*map(np.asarray, chain)) | self.better
            reach = closure(~refuted)
            # both directions refuted happens only in the cases that the risk allows: such a pair stays open
            self._claim(~reach & reach.T)
        return bool(self.better.sum() > before)

    def _claim(self, new: Array) -> None:
        """Add claims unless they contradict earlier ones, and what follows from all of them."""
        added = new & ~new.T & ~self.better.T
        better = closure(self.better | added)
        if not (better & better.T).any():
            self.better = better


def closure(table: Array) -> Array:
    """Return which entries can be reached from which.

    >>> closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    reach = np.array(table, dtype=bool)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[middle]
    return reach
