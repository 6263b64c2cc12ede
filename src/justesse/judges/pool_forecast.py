"""How many more answers a pooled audit may need: its course in expectation, a block of questions at a time."""

import numpy as np

from justesse.core.arrays import Array
from justesse.judges.audit_strata import PRIOR
from justesse.judges.pool_claims import PoolClaims, closure
from justesse.judges.pool_draw import PoolDesign
from justesse.judges.pool_run import PoolRun

BLOCKS = 60  # steps up to the last question
FASTEST = 0.6  # evidence of one answer at most, as a logarithm: bets stay careful


def expected_more(run: PoolRun) -> int | None:
    """Return about how many more answers settle the goal; `None` if no number is expected to.

    For each pair, the rows left are taken to be right as their labels and the answers so far suggest: a mean gain m
    and a variance v per row. If the total were 0, the rows left would have a mean of m₀ = -(sum so far)/(rows left).
    An answer then adds about

        (m - m₀)² / (2·(v + (m - m₀)²))

    to the logarithm of the evidence, and 0.6 at most. Questions come as often as they are drawn by the chances of the
    time. This is an estimate for planning: the audit itself does not depend on it.
    """
    plan, evidence = run.plan, run.evidence
    if run.stop in ("settled", "answered"):
        return 0 if run.stop == "settled" else None
    counts = evidence.seen + PRIOR
    chances = counts / counts.sum(-1, keepdims=True)
    gain = chances[..., 2] - chances[..., 0]  # by pair and by what the label says
    present = (1.0 - evidence.used)[None] * (plan.says >= 0)
    scale = plan.scales[plan.size_class] * present
    kinds = np.stack([((plan.says == kind) * scale).sum(-1) for kind in range(3)], -1)
    squares = np.stack([((plan.says == kind) * scale**2).sum(-1) for kind in range(3)], -1)
    rows = present.sum(-1)
    size = np.where(rows > 0, rows, 1.0)
    reach = scale.sum(-1) / size  # of a row on average
    mean = (kinds * gain).sum(-1) / size
    variance = np.maximum(
        (squares * (chances[..., 2] + chances[..., 0])).sum(-1) / size - mean**2, 1e-3 * np.maximum(reach, 0.01) ** 2
    )
    ahead = np.where(evidence.expected >= 0, 1, -1)
    owned = np.where(ahead > 0, *evidence.evidence().T)
    known = evidence.known.astype(float)
    claims = PoolClaims(plan.systems, plan.pairs)
    claims.better = run.claims.better.copy()
    left_row = np.where(evidence.used, 0.0, 1.0)  # share of each row that is not asked about yet
    first, second = plan.pairs.T
    step = max(1, -(-plan.disputed // BLOCKS))
    asked = 0
    while left_row.sum() >= 0.5:
        better = claims.better
        if plan.goal.reached(better, run.equal):
            return asked
        leads = np.where(plan.goal.relevant(better, run.equal)[first, second] & (rows > 0.5), ahead, 0)
        if not leads.any():
            return None
        weight = PoolDesign(plan, leads).weight * left_row
        if weight.sum() <= 0:
            return None
        drawn = np.minimum(step * weight / weight.sum(), left_row)
        hits = _per_pair(plan.says, drawn)
        null = -(known + 0.5 * hits * mean) / np.maximum(rows - 0.5 * hits, 0.5)
        away = np.maximum(ahead * (mean - null), 0.0)
        owned = owned + hits * np.minimum(away**2 / (2 * (variance + away**2)), FASTEST)
        known, rows = known + hits * mean, np.maximum(rows - hits, 0.0)
        certain = ahead * known > rows * reach + evidence.allowance
        _claim(claims, owned, certain, ahead, run)
        left_row = left_row - drawn
        asked += step
    return min(asked, int((~evidence.used).sum())) if plan.goal.reached(claims.better, run.equal) else None


def _per_pair(says: Array, drawn: Array) -> Array:
    return np.asarray((says >= 0) @ drawn)


def _claim(claims: PoolClaims, owned: Array, certain: Array, ahead: Array, run: PoolRun) -> None:
    """Claim what the expected evidence shows."""

    def shown(risk: float) -> tuple[Array, Array]:
        enough = certain | (owned >= np.log(1 / risk))
        return enough & (ahead > 0), enough & (ahead < 0)

    claims.update(direct=shown(run.risks.direct), chain=shown(run.risks.chain) if run.risks.chain else None)
    claims.better = closure(claims.better)
