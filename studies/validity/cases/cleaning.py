"""Precision and recall of a filter of labels, from people's answers about a list that was drawn for them."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.cleaning.recheck import adjudication, recheck_list
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
FIGURES = {
    "precision": "precision of a filter of labels",
    "recall": "recall of a filter of labels",
    "missed": "wrong labels that a filter missed",
    "noise_rate": "noise rate by a re-checked list",
}
MORE = "re-check more rows"


def _rechecked(rows: int, flagged: int, right: float, missed: float, number: int, sloped: bool) -> Run:
    """Fix which labels are wrong, draw a list each time, and compare the intervals with the truth about these rows."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(
            seed, "re-checked lists", str(rows), str(flagged), str(right), str(missed), str(number), str(sloped)
        )
        flags = np.arange(rows) < flagged
        ends: dict[str, list[object]] = {name: [] for name in FIGURES}
        truths: dict[str, list[float]] = {name: [] for name in FIGURES}
        for at in range(repetitions):
            ranking = rng.random(rows)
            chance = np.where(flags, right * (2 * ranking if sloped else 1.0), missed)
            wrong = rng.random(rows) < chance
            drawn = recheck_list(ranking, flags, number, seed=seed * repetitions + at)
            result = adjudication(flags, drawn, wrong[drawn.rows].astype(float))
            found, all_wrong = int(wrong[flags].sum()), int(wrong.sum())
            known = {
                "precision": found / flagged,
                "recall": found / all_wrong if all_wrong else np.nan,
                "missed": (all_wrong - found) / (rows - flagged),
                "noise_rate": all_wrong / rows,
            }
            for estimate in result.estimates:
                ends[estimate.name].append(estimate.interval)
                truths[estimate.name].append(known[estimate.name])
        return {FIGURES[name]: covered(ends[name], truths[name]) for name in FIGURES}  # type: ignore[arg-type]

    return run


SETTINGS = tuple(
    Setting(
        "cleaning",
        f"{flagged} of {rows:,} rows flagged, {100 * right:g} % of them wrong, {100 * missed:g} % of the others"
        + (", the most suspicious most often" if sloped else ""),
        number,
        tuple(Case(what, instead=MORE) for what in FIGURES.values()),
        _rechecked(rows, flagged, right, missed, number, sloped),
    )
    for rows, flagged, right, missed, number, sloped in (
        (2000, 200, 0.5, 0.02, 200, False),
        (2000, 200, 0.4, 0.02, 200, True),
        (5000, 300, 0.4, 0.02, 800, True),
        (10000, 300, 0.05, 0.005, 300, True),
        (1000, 40, 0.3, 0.05, 60, False),
        (3000, 100, 0.4, 0.01, 100, True),
        (3000, 100, 0.8, 0.01, 100, False),
        (3000, 100, 0.5, 0.01, 100, True),
    )
)
