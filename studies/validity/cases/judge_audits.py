"""People asked about a judge's verdicts, looked at after every rating: the interval of the win rate at all looks."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_questions import draw_weights
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_strata import prior_of
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED, _drawn

WIN_RATE, DECIDES = "win rate, people asked about a judge's verdicts", "win rate of 50 % is called above or below"
PARTS = 2  # of the items: a judge that is sure, and one that is in doubt
ITEMS, TIES = 200, 20
# what the judge says (loses, tie, wins) where people say loses, tie, wins: where it is sure, and where it is in doubt
JUDGES: dict[str, list[list[list[float]]]] = {
    "a good judge": [
        [[0.95, 0.0, 0.05], [0.5, 0.0, 0.5], [0.05, 0.0, 0.95]],
        [[0.2, 0.6, 0.2], [0.2, 0.6, 0.2], [0.2, 0.6, 0.2]],
    ],
    "a judge that favours the model": [
        [[0.3, 0.0, 0.7], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
        [[0.2, 0.4, 0.4], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]],
    ],
    "a judge that is always wrong": [[[0.0, 0.0, 1.0], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]]] * PARTS,
}


def drawn_items(rng: np.random.Generator, judge: str, lead: int, repetitions: int) -> Array:
    """Draw how many items there are by part and verdict (strata) and by what people say."""
    wins = (ITEMS - TIES + lead) // 2
    counts = np.zeros((repetitions, PARTS, 3, 3), dtype=np.int64)
    for value, many in enumerate((ITEMS - TIES - wins, TIES, wins)):
        sure = rng.binomial(many, 0.7, size=repetitions)
        for part, own in enumerate((sure, many - sure)):
            counts[:, part, :, value] = rng.multinomial(own, JUDGES[judge][part][value])
    return counts.reshape(repetitions, PARTS * 3, 3)


def _asked(judge: str, lead: int) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, every = stream(seed, "people asked", judge, str(lead)), np.arange(repetitions)
        left = drawn_items(rng, judge, lead, repetitions).astype(float)
        n = np.full(repetitions, float(ITEMS))
        goal = AuditRule().target(n, n, "test set")
        thresholds = np.stack([goal.lower, np.full(repetitions, float(lead))], -1)
        bounds = ConfidenceSequence(left.sum(-1), prior=prior_of(PARTS), lower=thresholds, upper=thresholds)
        for _ in range(ITEMS):
            weights, _ = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)
            at = _drawn(rng, weights)
            value = _drawn(rng, left[every, at])
            left[every, at, value] -= 1
            bounds.draw(weights=weights, stratum=at, low=value - 1, high=value - 1)
        above, below = (side[:, 1] >= np.log(1 / goal.risk) for side in bounds.wealth())
        wrong = int((above | below).sum())
        hits = {WIN_RATE: Hits(repetitions - wrong, repetitions, 0, ("betting",))}
        return hits if lead else {**hits, DECIDES: Hits(wrong, repetitions, 0, ("betting",))}

    return run


SETTINGS = tuple(
    Setting(
        "audits",
        f"true win rate {(1 + lead / ITEMS) / 2:g}, {judge}, at all looks together",
        ITEMS,
        (Case(WIN_RATE, about=AUDITED), *([] if lead else [Case(DECIDES, "size", AUDITED)])),
        _asked(judge, lead),
    )
    for judge in JUDGES
    for lead in (0, 40)
)
