"""Audit thirty networks with one pool of answers, and each pair on its own; people's majority answers as the expert.

An ordinary audit of a pair has a risk of 5 % of its own. For the same guarantee as the pool, that no claim about any pair is
false with a chance of 95 %, each of the 435 audits gets 1/435 of the risk (Bonferroni).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from justesse.core.arrays import Array
from justesse.judges.audit_plan import plan_audit
from justesse.judges.audit_progress import AuditProgress
from justesse.judges.simulated_pool import simulated_pool

SEEDS = {"pairs": 5, "winner": 5, "top:3": 2, "incumbent": 5}  # by goal
RISK = 0.05
BESIDE = ("id", "label", "true", "true_share")


@dataclass(frozen=True, eq=False)
class Networks:
    """Class codes of labels, of people's majority, and of the answers of each network."""

    names: tuple[str, ...]
    label: Array
    true: Array
    answers: Array

    @classmethod
    def read(cls, path: Path) -> "Networks":
        table = pq.read_table(path)
        names = tuple(name for name in table.column_names if name not in BESIDE)
        classes = {name: code for code, name in enumerate(sorted(set(table["label"].to_pylist())))}

        def codes(name: str) -> Array:
            return np.array([classes[text] for text in table[name].to_pylist()])

        return cls(names, codes("label"), codes("true"), np.array([codes(name) for name in names]))

    @property
    def right(self) -> Array:
        """How many answers of each network are right by people's majority."""
        return np.asarray((self.answers == self.true).sum(-1))


@dataclass(frozen=True)
class Audited:
    """What a way of auditing came to.

    Parameters
    ----------
    way
        "pool", "separate audits" or "separate audits, corrected".
    goal
        What was to be settled.
    seed
        Seed of the draws.
    answers
        Answers asked for; in separate audits the same row is asked about again for every pair that draws it.
    rows
        Different rows among them.
    pairs
        Pairs that the goal needs; the incumbent's if it is about the incumbent.
    settled
        Pairs with a claim, or known to be equal.
    wrong
        Claims that are false by people's majority.
    """

    way: str
    goal: str
    seed: int
    answers: int
    rows: int
    pairs: int
    settled: int
    wrong: int


def pooled(networks: Networks, goal: str, seed: int) -> Audited:
    """Audit all networks at once."""
    done = simulated_pool(
        networks.label,
        networks.answers,
        [(frozenset([code]),) for code in networks.true.tolist()],
        goal=goal,
        seed=seed,
    )
    run, (first, second) = done.run, done.plan.pairs.T
    better = run.better[first, second].astype(int) - run.better[second, first]
    gain = np.sign(networks.right[second] - networks.right[first])
    settled = (better != 0) | run.equal[first, second]
    wrong = int(((better != 0) & (better != gain)).sum())
    return Audited("pool", goal, seed, run.taken, run.taken, len(first), int(settled.sum()), wrong)


def separate(networks: Networks, goal: str, seed: int, *, corrected: bool) -> Audited:
    """Audit each pair of a goal on its own until it is settled or every disputed row is answered."""
    many = len(networks.names)
    pairs = [(0, other) for other in range(1, many)] if goal == "incumbent" else list(combinations(range(many), 2))
    level = 1 - RISK / len(pairs) if corrected else 1 - RISK
    answers = settled = wrong = 0
    rows: set[int] = set()
    for at, (first, second) in enumerate(pairs):
        progress = one_audit(networks, first, second, level=level, seed=seed * len(pairs) + at)
        gain = int(np.sign(networks.right[second] - networks.right[first]))
        claim = {"replace": 1, "keep": -1}.get(progress.stop, 0)
        tie = not claim and gain == 0 and len(progress.drawn) == progress.plan.disputed
        answers += len(progress.drawn)
        rows |= {question.row for question in progress.drawn}
        settled += bool(claim) or tie
        wrong += bool(claim) and claim != gain
    way = "separate audits, corrected" if corrected else "separate audits"
    return Audited(way, goal, seed, answers, len(rows), len(pairs), settled, wrong)


def one_audit(networks: Networks, first: int, second: int, *, level: float, seed: int) -> AuditProgress:
    """Run the ordinary audit of a pair to its end."""
    plan = plan_audit(
        networks.label, networks.answers[first], networks.answers[second],
        level=level, budget=len(networks.label), futility=False, seed=seed,
    )  # fmt: skip
    progress = AuditProgress(plan)
    while not progress.stop and (new := progress.draw()):
        progress.answer(new[0].row, int(networks.true[new[0].row]))
    return progress


def every(networks: Networks) -> Iterator[Audited]:
    """Run everything that the page shows; separate audits of all pairs take long, so that they run once."""
    for goal, seeds in SEEDS.items():
        for seed in range(seeds):
            yield pooled(networks, goal, seed)
    yield separate(networks, "pairs", 0, corrected=False)
    for corrected in (False, True):
        yield separate(networks, "incumbent", 0, corrected=corrected)
