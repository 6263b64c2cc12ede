"""The defaults beside what users of scikit-learn compute by hand: Wald intervals and a percentile bootstrap of rows."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.score_estimates import estimate_scores
from justesse.measures import Measure, accuracy, averaged, f1, mcc
from justesse.measures.curves.score_counts import ScoreCounts
from studies.validity.case import Case, Hits, Setting, covered
from studies.validity.coverage import true_table

Run = Callable[[int, int], Mapping[str, Hits]]
OURS, WALD, BOOTSTRAP = "justesse", "Wald by hand", "percentile bootstrap of rows"
DRAWS, Z, SHIFT, RATE = 500, 1.959964, 1.5, 0.2
PEERS = {OURS: "", WALD: "by hand: `p ± 1.96 * sqrt(p * (1 - p) / n)`", BOOTSTRAP: f"by hand: `np.percentile(draws, [2.5, 97.5])`, {DRAWS} draws"}  # fmt: skip
AXES, NS = ("label", "prediction"), (20, 50, 100, 200, 500, 1000)
LAWS: dict[str, tuple[Measure, tuple[int, float, float]]] = {
    "accuracy": (accuracy, (2, 0.95, 1.0)),
    "macro F1": (averaged(f1, "macro"), (5, 0.9, 2.0)),
    "MCC": (mcc, (2, 0.9, 9.0)),
}
WORDS = {
    "accuracy": "two equal classes, true accuracy 0.95",
    "macro F1": "five classes, each half as frequent as the last, accuracy 0.9",
    "MCC": "two classes, one of 10 %, accuracy 0.9",
    "ROC AUC": f"{100 * RATE:g} % positive, true area {ndtr(SHIFT / 2**0.5):.3f}",
}


def _wald(value: float, n: int) -> Interval | None:
    half = Z * np.sqrt(max(value * (1 - value), 0.0) / n)
    return None if np.isnan(value) else Interval(value - half, value + half, 0.95, "wald")


def _percentiles(values: Any) -> Interval | None:
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high), 0.95, "bootstrap-percentile")


def _of_table(name: str, n: int) -> Run:
    measure, law = LAWS[name]
    chances = true_table(*law)
    shape, names = chances.shape, tuple(range(len(chances)))
    codes = np.argwhere(chances >= 0).astype(np.int32)
    truth = float(measure(Tally.from_dense(np.rint(chances * 1e12).astype(np.int64))))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "by hand", name, str(n))
        seen: dict[str, list[Interval | None]] = {who: [] for who in PEERS}
        for at in range(repetitions):
            counts = rng.multinomial(n, chances.ravel() / chances.sum())
            own = estimate(Tally.from_dense(counts.reshape(shape)), [measure], Confidence(draws=DRAWS, seed=at))[0]
            drawn = Tally.canonical(AXES, (names, names), codes, rng.multinomial(n, counts / n, size=DRAWS))
            seen[OURS].append(own.interval)
            seen[WALD].append(_wald(own.value, n))
            seen[BOOTSTRAP].append(_percentiles(np.asarray(measure(drawn))))
        return {f"{name}, {who}": covered(intervals, truth) for who, intervals in seen.items()}

    return run


@cache
def _true_area() -> float:
    return float(ndtr(SHIFT / 2**0.5))


def _of_scores(n: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "areas by hand", str(n))
        seen: dict[str, list[Interval | None]] = {who: [] for who in PEERS}
        for _ in range(repetitions):
            positive = rng.random(n) < RATE
            score = rng.normal(size=n) + SHIFT * positive
            own = estimate_scores(ScoreCounts.of(expit(score), positive), Confidence())[0]
            above = (score[positive][:, None] > score[~positive]).astype(np.float32)
            drawn = rng.multinomial(n, np.full(n, 1 / n), size=DRAWS).astype(np.float32)
            first, rest = drawn[:, positive], drawn[:, ~positive]
            with np.errstate(invalid="ignore"):
                areas = np.einsum("dp,dp->d", first, rest @ above.T) / (first.sum(axis=1) * rest.sum(axis=1))
            seen[OURS].append(own.interval)
            seen[WALD].append(_wald(own.value, n))
            seen[BOOTSTRAP].append(_percentiles(areas))
        return {f"ROC AUC, {who}": covered(intervals, _true_area()) for who, intervals in seen.items()}

    return run


def _setting(name: str, n: int) -> Setting:
    about = (f"measure:{LAWS[name][0].name}" if name in LAWS else "measure:roc_auc",)
    instead = {
        OURS: "Clopper-Pearson (`--method clopper-pearson`), never below 95 %",
        WALD: "`justesse.evaluate`",
        BOOTSTRAP: "`justesse.evaluate`",
    }
    rows = tuple(Case(f"{name}, {who}", about=about, instead=instead[who], peer=peer) for who, peer in PEERS.items())
    run = _of_table(name, n) if name in LAWS else _of_scores(n)
    return Setting("by-hand", WORDS[name], n, rows, run, draws=DRAWS if name in LAWS else 0)


SETTINGS = tuple(_setting(name, n) for name in WORDS for n in NS)
