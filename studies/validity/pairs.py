"""Coverage of the interval of a share of pairs, where some members err more than others and pairs share them."""

from collections.abc import Iterator

import numpy as np

from justesse.core.seeds import stream
from justesse.intervals import wilson
from justesse.intervals.shared_members import shared_members
from studies.tables import table

MEMBERS, BASES, SPREADS = (5, 10, 30, 100), (-5.0, -3.0, -1.0, 0.0), (0.0, 1.0, 2.0)


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


def pairs() -> Iterator[str]:
    yield "## Shares of pairs of classifiers (tournaments)\n"
    yield (
        "Coverage in % of the 95 % interval of a rate over pairs that share classifiers, 1,000 pools each. The "
        "spread is how much the error rates of classifiers differ, on the logit scale; with 0 pairs are "
        "independent. For comparison: Wilson's interval as if pairs were independent.\n"
    )
    rows = []
    for members in MEMBERS:
        for base in BASES:
            for spread in SPREADS:
                true, ours, plain = pair_coverage(members, base, spread, repetitions=1000)
                shown = (f"{100 * share:.1f}" for share in (true, ours, plain))
                rows.append([str(members), f"{spread:g}", *shown])
    yield table(["classifiers", "spread", "true rate", "shared members", "Wilson"], rows)
    yield (
        "The interval is wide if pairs happen to be independent, because no pool can show that they are. Wilson's "
        "is far too narrow if they are not.\n"
    )
