"""The evidence of a pooled audit: each pair bets on the rows it disputes, whichever pair a row was drawn for."""

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.confidence_sequence import BettingSide
from justesse.intervals.drawn_total import in_parts
from justesse.judges.audit_strata import PRIOR
from justesse.judges.pool_draw import CLASSES, WEIGHTS, PoolDesign
from justesse.judges.pool_plan import PoolPlan

GRID = 41  # totals of each pair that bounds are worked out for
KINDS = 3  # what the label says: the first is right, neither, the second


class PoolEvidence:
    """Follow what is owned against each claim of each pair, question after question.

    Notes
    -----
    Let x_i be the gain of the second classifier of a pair on row i, and T their sum over the rows that the pair
    disputes. The claim T > 0 is bet on against T ≤ 0, and T < 0 against T ≥ 0.

    At each turn one row is drawn with chances q_i > 0 that depend only on what was drawn and answered before. Whichever
    pair the row was drawn for:

    - a pair that does not dispute the row is paid 1: it owns what it owned;
    - given that the row is one of those the pair disputes, its chance is q_i / Σq over these. So within the rows of one
      class of chances, one kind (what the label says) and one size (how far the pair can be apart) every row left is
      equally likely, and the chance of each such part is known. Gains of a part lie within ± its size, whatever the
      answer. The pair bets on this draw as in a single audit: what is paid is at most 1 on average if T ≤ 0.

    So at every turn the average payment, given the past, is at most 1, whatever the answers to other rows are and
    however the chances were chosen. What is owned is a supermartingale under T ≤ 0, and it reaches 1/risk at any look
    with a chance of at most the risk (Ville, 1939). No independence between pairs is needed: claims of all pairs are
    combined by adding risks (`PoolRisks`). A question that nobody can answer counts -1 for the claim T > 0 and +1 for
    T < 0. A pair stops betting once it is settled.
    """

    def __init__(self, plan: PoolPlan, allowance: Array) -> None:
        self.plan, self.allowance = plan, allowance
        self.whole = not plan.graded
        self.reach = plan.spans.sum(-1) if plan.graded else plan.sizes.astype(float)
        grid = np.linspace(-1, 1, GRID) * (self.reach[:, None] + self.whole)
        thresholds = np.concatenate([allowance[:, None], np.floor(grid) if self.whole else grid], -1)
        self.parts = len(plan.scales) * KINDS  # of one class of chances
        self.scale = np.tile(np.repeat(plan.scales, KINDS), CLASSES + 1)
        mass = np.stack([((plan.says >= 0) & (plan.size_class == at)).sum(-1) for at in range(len(plan.scales))], -1)
        left = mass * plan.scales
        # the other side has the mirror image: -T against the same thresholds
        first, second = (BettingSide(left, thresholds, 1, self.scale, self.whole) for _ in range(2))
        self.sides = (first, second)
        sizes = plan.sizes
        self.used = np.zeros(plan.disputed, dtype=bool)
        self.seen = np.zeros((len(sizes), KINDS, 3))
        self.hits = np.zeros(len(sizes), dtype=np.int64)
        self.known = np.zeros(len(sizes))  # gains that are known, added up
        self.unknown = np.zeros(len(sizes), dtype=np.int64)  # rows that nobody could answer
        self.design: PoolDesign | None = None
        self.rows_left = sizes.astype(np.int64)  # of each pair that have no answer
        self.left = np.zeros((len(sizes), len(self.scale)))

    def take(self, design: PoolDesign, row: int, low: Array, high: Array, open_pairs: Array) -> None:
        """Add the answer to one question: the least and largest gain of each pair, and which pairs still bet."""
        if self.design is None or design is not self.design:
            self._arrange(design)
        says = self.plan.says[:, row]
        hit = np.flatnonzero((says >= 0) & open_pairs)
        place = (design.grade[row] * len(self.plan.scales) + self.plan.size_class[:, row]) * KINDS + says
        part = place[hit]
        left = self.left[hit]
        weights = left * np.repeat(WEIGHTS, self.parts)
        total = weights.sum(-1, keepdims=True)
        weights = weights / np.where(total > 0, total, 1.0)
        counts = self.seen[hit] + PRIOR
        chances = np.tile(counts / counts.sum(-1, keepdims=True), (1, len(self.scale) // KINDS, 1))
        turns = self.hits[hit] + 1
        for side, expected, value in zip(
            self.sides, (chances, chances[..., ::-1]), (low[hit], -high[hit]), strict=True
        ):
            own = side.kept(hit)
            own.draw(left * self.scale, expected, weights, part, value.astype(float), turns)
            side.put(hit, own)
        self.hits[hit] += 1
        touched = np.flatnonzero(says >= 0)
        judged = touched[low[touched] == high[touched]]
        self.seen[judged, says[judged]] += in_parts(low[judged] / self.scale[place[judged]])
        self.known[judged] += low[judged]
        self.unknown[touched] += low[touched] != high[touched]
        self.left[touched, place[touched]] -= 1
        self.rows_left[touched] -= 1
        self.used[row] = True

    def _arrange(self, design: PoolDesign) -> None:
        """Count the rows left by class of chances, by how far a pair can be apart, and by kind."""
        self.design = design
        for grade in range(CLASSES + 1):
            rows = np.flatnonzero(~self.used & (design.grade == grade))
            says, sizes = self.plan.says[:, rows], self.plan.size_class[:, rows]
            for at in range(self.parts):
                size, kind = divmod(at, KINDS)
                self.left[:, grade * self.parts + at] = ((says == kind) & (sizes == size)).sum(-1)

    @property
    def mass_left(self) -> Array:
        """How much the rows without an answer can add up to, by pair and kind."""
        if self.design is not None:
            return np.asarray((self.left * self.scale).reshape(len(self.known), -1, KINDS).sum(1))
        parts = [
            [((self.plan.says == kind) & (self.plan.size_class == size)).sum(-1) for kind in range(KINDS)]
            for size in range(len(self.plan.scales))
        ]
        return np.asarray(np.einsum("skp,s->pk", np.array(parts, dtype=float), self.plan.scales))

    @property
    def expected(self) -> Array:
        """What the gains of each pair add up to, if the rows left are as their labels and the answers suggest."""
        counts = self.seen + PRIOR
        chances = counts / counts.sum(-1, keepdims=True)
        mean = chances[..., 2] - chances[..., 0]
        return np.asarray(self.known + (self.mass_left * mean).sum(-1))

    def shown(self, risk: float) -> tuple[Array, Array]:
        """Return, by pair, whether the second and whether the first is shown to be better at this risk."""
        second, first = (side.refuted(risk)[:, 0] for side in self.sides)
        return second, first

    def evidence(self) -> Array:
        """Return the logarithm of the most ever owned for each claim: the second is better, the first is."""
        return np.stack([side.best[:, 0] for side in self.sides], -1)

    def bounds(self, risk: float) -> tuple[Array, Array]:
        """Return the least and the largest total of each pair that is not refuted at this risk on either side."""
        low, high = (side.bound(risk) for side in self.sides)
        least, most = self.sides[0].least, -self.sides[1].least
        ends = np.clip(low, least, most), np.clip(-high, least, most)
        return np.maximum(ends[0] - self.allowance, -self.reach), np.minimum(ends[1] + self.allowance, self.reach)
