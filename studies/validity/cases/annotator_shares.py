"""Shares of right answers of annotators and of their consensus: beside stated confidences, on gold items, when checked."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from justesse.annotators.calibration import calibration
from justesse.annotators.cards import annotator_cards
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.refits import refits
from justesse.annotators.stated_confidence import stated_confidence
from justesse.core.results import Interval
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, covered
from studies.validity.cases.annotators import _drawn

Run = Callable[[int, int], Mapping[str, Hits]]
STATED, GOLD = "share right beside the stated confidence", "accuracy of an annotator on gold items"
CHECKED = "accuracy of the consensus on checked items"
ALONE, INSTEAD = f"{STATED}, no refits", "refits (`--draws`), the default"
REFITS = 100


def _shares(n: int, known: int, right: tuple[float, ...]) -> Run:
    """Fit Dawid and Skene's model to answers with confidences; gold classes of some items are for the cards only."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "shares of annotators", str(n), str(known), str(right))
        ends: dict[str, list[Interval | None]] = {what: [] for what in (STATED, ALONE, GOLD, CHECKED)}
        of_consensus = []
        for at in range(repetitions):
            notes, truth = _drawn(rng, n, right=right)
            notes = replace(notes, details={"confidence": rng.random(len(notes.answer))})
            seen = np.where(np.arange(n) < known, truth, -1).astype(np.int32)
            fit = dawid_skene(notes)
            again = refits(fit, draws=REFITS, seed=at)
            ends[STATED].append(stated_confidence(fit, again)[0].right.interval)
            ends[ALONE].append(stated_confidence(fit)[0].right.interval)
            ends[CHECKED].append(calibration(fit, seen, seed=at).accuracy.interval)
            of_consensus.append(float((fit.support.best(fit.shares)[0] == truth).mean()))
            marked = annotator_cards(dawid_skene(replace(notes, gold=seen)), None)[0].gold
            ends[GOLD].append(marked.interval if marked else None)
        own = {what: covered(ends[what], right[0]) for what in (STATED, ALONE, GOLD)}
        return {**own, CHECKED: covered(ends[CHECKED], of_consensus)}

    return run


SETTINGS = tuple(
    Setting(
        "annotators",
        f"{len(right)} annotators, {100 * min(right):g} to {100 * max(right):g} % right, {known} items with a gold class",
        n,
        (Case(STATED), Case(ALONE, instead=INSTEAD), Case(GOLD), Case(CHECKED)),
        _shares(n, known, right),
        repetitions=400,
        chunk=25,
        models=True,
        draws=REFITS,
    )
    for n, known, right in ((200, 40, (0.9, 0.8, 0.8, 0.7, 0.6)), (400, 100, (0.8, 0.8, 0.7)))
)
