"""Coverage of the interval of a share of pairs, where some members err more than others and pairs share them."""

import numpy as np

from justesse.core.seeds import stream
from justesse.intervals import wilson
from justesse.intervals.shared_members import shared_members


def pair_coverage(members: int, base: float, spread: float, *, repetitions: int) -> tuple[float, float, float]:
    """Give the rate over all pools, and how often the interval covers it: ours, and Wilson's of independent pairs.

    The logit of the chance that a pair is a hit is base + spread·(a_i + a_j), each a standard normal.
    """
    rng = stream(0, "pairs", str(members), str(base), str(spread))
    true = float(np.mean(1 / (1 + np.exp(-(base + spread * rng.normal(size=(2, 200_000)).sum(axis=0))))))
    among = np.triu(np.ones((members, members), dtype=bool), 1)
    ours, plain = 0, 0
    for _ in range(repetitions):
        own = rng.normal(size=members)
        chance = 1 / (1 + np.exp(-(base + spread * (own[:, None] + own))))
        hits = (rng.random((members, members)) < chance) & among
        found, alone = shared_members(hits, among), wilson(hits.sum(), among.sum())
        assert found is not None
        ours += found.low <= true <= found.high
        plain += bool(alone.low <= true <= alone.high)
    return true, ours / repetitions, plain / repetitions
