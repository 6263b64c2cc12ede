"""Intervals that allow for wrong labels, where what they assume holds; shares of pairs; rates over clusters."""

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import expit

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.shared_members import shared_members
from studies.validity.case import Case, Hits, Setting, covered
from studies.validity.ladder import DRAWS, NOISES, RIGHT_FOR, SIZES, Known, Noise, intervals

Run = Callable[[int, int], Mapping[str, Hits]]
LADDER = (
    *("(a) labels taken as right: accuracy", "(b) Lam and Stork, rate known: accuracy"),
    *(
        f"(c) table inverted, {words}: {title}"
        for words in ("known", "counted")
        for title in ("accuracy", "precision of 'c'", "recall of 'c'", "macro F1")
    ),
    "bias known (thesis 6.30): accuracy",
    *(
        f"(f) re-checked, kinds, {about}: {title}"
        for about in ("population", "rows")
        for title in ("accuracy", "precision of 'c'", "recall of 'c'", "macro F1")
    ),
    *(f"(f) re-checked, {how}, {about}: accuracy" for how in ("cells", "none") for about in ("population", "rows")),
    "(f) re-checked: difference of accuracy",
    *(f"profile: {name}" for name in ("F_c", "F_n", "F_r")),
    *("noise rate, population: noise rate", "noise rate, population: noise rate of 'c'"),
)  # fmt: skip
REMEDY = "intervals from re-checked rows, (f), which assume nothing about the noise"


def _ladder(noise: Noise, n: int, checked: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        known, rng = Known.of(noise), stream(seed, "ladder cases", noise, str(n))
        seen: dict[str, list[tuple[Interval | None, float]]] = {}
        for at in range(repetitions):
            for name, found, truth in intervals(known, n, checked, rng, at):
                if name in LADDER:
                    seen.setdefault(name, []).append((found.interval, truth))
        return {
            name: covered([ends for ends, _ in pairs], [truth for _, truth in pairs]) for name, pairs in seen.items()
        }

    return run


def _members(members: int, base: float, spread: float) -> Run:
    """Cover a rate over pairs that share members; the logit of a pair's chance is base + spread·(a_i + a_j)."""
    truth = float(np.mean(expit(base + spread * stream(0, "pairs of members").normal(size=(2, 400_000)).sum(axis=0))))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "shared members", str(members), str(base), str(spread))
        among = np.triu(np.ones((members, members), dtype=bool), 1)
        found = []
        for _ in range(repetitions):
            own = rng.normal(size=members)
            hits = (rng.random((members, members)) < expit(base + spread * (own[:, None] + own))) & among
            found.append(shared_members(hits, among))
        return {"share of pairs of classifiers": covered(found, truth)}

    return run


SETTINGS = (
    *(
        Setting(
            "label-noise",
            f"10 % wrong labels ({noise}), {checked} rows re-checked",
            n,
            tuple(Case(what, instead="" if noise in RIGHT_FOR.get(what[:3], NOISES) else REMEDY) for what in LADDER),
            _ladder(noise, n, checked),
            chunk=100,
            draws=DRAWS,
        )
        for n, checked in SIZES[:1]
        for noise in ("uniform", "feature")
    ),
    *(
        Setting(
            "label-noise",
            f"pairs share classifiers whose error rates differ (spread {spread:g}), rate at the centre {expit(base):.3f}",
            members,
            (Case("share of pairs of classifiers"),),
            _members(members, base, spread),
        )
        for members, base, spread in ((5, -3.0, 1.0), (10, -1.0, 1.0), (30, -3.0, 2.0), (30, 0.0, 1.0))
    ),
)
