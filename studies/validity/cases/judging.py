"""Judges: how often each replaces the incumbent with a candidate that is no better, and what their intervals cover."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.judges import ALL as JUDGES
from justesse.judges.classical import classical
from justesse.judges.cleaned import cleaned
from justesse.judges.paired import paired
from justesse.judges.prudent_v1 import prudent_v1
from justesse.judges.prudent_v2 import prudent_v2
from justesse.judges.reference import reference
from justesse.judges.sharp import sharp
from justesse.significance.overlap import overlap_z
from studies.validity.case import Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
AXES = ("label", "incumbent", "candidate", "true", "hard")
RIGHT = {"both": 0.75, "incumbent": 0.05, "candidate": 0.05, "neither": 0.15}  # who is right: no difference
EACH = math.erf(overlap_z(0.95) / math.sqrt(2))  # level of each interval of a 95 % overlap rule
RISK = 0.025  # one side of a 95 % interval
ASSUMES_RIGHT_LABELS = "a judge that allows for wrong labels: `sharp` or an audit"


def _law(noise: str, rate: float) -> dict[tuple[int, int, int, int, bool], float]:
    """Give the chances of label, incumbent, candidate, true class and being hard; two equal classes.

    One-sided noise gives rows that only the incumbent gets right the label of the candidate, and these are hard.
    """
    chances: dict[tuple[int, int, int, int, bool], float] = {}
    for true in (0, 1):
        for who, share in RIGHT.items():
            incumbent = true if who in ("both", "incumbent") else 1 - true
            candidate = true if who in ("both", "candidate") else 1 - true
            wrong = {"none": 0.0, "uniform": rate, "one-sided": rate / RIGHT[who] if who == "incumbent" else 0.0}[noise]
            for label, part in ((true, 1 - wrong), (1 - true, wrong)):
                cell = (label, incumbent, candidate, true, label != true)
                chances[cell] = chances.get(cell, 0.0) + share * part / 2
    return {cell: chance for cell, chance in chances.items() if chance > 0}


DECIDE: dict[str, Callable[[Rows, float, int], Verdict]] = {
    "classical": lambda rows, rate, seed: classical(rows),
    "paired": lambda rows, rate, seed: paired(rows),
    "prudent_v1": lambda rows, rate, seed: prudent_v1(rows, rate=rate),
    "prudent_v2": lambda rows, rate, seed: prudent_v2(rows),
    "sharp": lambda rows, rate, seed: sharp(rows, rate=rate),
    "cleaned": lambda rows, rate, seed: cleaned(rows, seed=seed),
    "reference": lambda rows, rate, seed: reference(rows),
}


def _run(n: int, noise: str, rate: float) -> Run:
    law = _law(noise, rate)
    chances, codes = np.array(list(law.values())), list(law)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "judging", str(n), noise, str(rate))
        replaced: dict[str, list[bool]] = {name: [] for name in DECIDE}
        apart: dict[str, list[Interval | None]] = {name: [] for name in DECIDE}
        of_candidate: list[Interval | None] = []
        for at in range(repetitions):
            counts = rng.multinomial(n, chances / chances.sum())
            rows = Rows(Tally.of(AXES, [(*cell, int(many)) for cell, many in zip(codes, counts, strict=True) if many]))
            for name, decide in DECIDE.items():
                found = decide(rows, rate, at)
                replaced[name].append(found.decision == "replace")
                apart[name].append(found.difference.interval)
                if name == "prudent_v1":
                    of_candidate.append(found.candidate.interval)
        accuracy = RIGHT["both"] + RIGHT["candidate"]
        found_hits: dict[str, Hits] = {}
        for name in DECIDE:
            found_hits[f"{name} replaces"] = Hits(sum(replaced[name]), repetitions, 0, (name,))
            found_hits[f"difference, {name}"] = covered(apart[name], 0.0)
        found_hits["accuracy of the candidate, prudent_v1"] = covered(of_candidate, accuracy)
        return found_hits

    return run


def _cases(noise: str) -> tuple[Case, ...]:
    rows: list[Case] = []
    trusting = {judge.name for judge in JUDGES if judge.trusts_labels} | {"cleaned"}
    for name in DECIDE:
        instead = ASSUMES_RIGHT_LABELS if noise != "none" and name in trusting else ""
        rows += [
            Case(f"{name} replaces", "size", (f"judge:{name}",), RISK, instead),
            Case(f"difference, {name}", about=(f"judge:{name}",), instead=instead),
        ]
    # intervals that are compared by overlap are narrower, so that the comparison has the level asked for
    rows.append(Case("accuracy of the candidate, prudent_v1", about=("judge:prudent_v1",), nominal=EACH))
    return tuple(rows)


WORDS = {
    "none": "labels are right; judges allow for 3 % wrong labels",
    "one-sided": "3 % wrong labels, all in the candidate's favour",
}
SETTINGS = tuple(
    Setting("judges", f"{words}, candidate no better", n, _cases(noise), _run(n, noise, 0.03), chunk=250)
    for noise, words in WORDS.items()
    for n in ((1000,) if noise == "one-sided" else (200,))
)
