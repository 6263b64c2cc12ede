"""Measures of scores and probabilities: areas, losses, thresholds and the cost curve."""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.special import expit, ndtr, softmax

from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream
from justesse.intervals.delong import delong
from justesse.intervals.estimate import Confidence
from justesse.intervals.lowest_cost import lowest_cost
from justesse.intervals.score_estimates import estimate_probabilities, estimate_scores
from justesse.intervals.score_evaluation import threshold_dict
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import Threshold, at, cheapest, for_recall
from studies.validity.case import FRESH, Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
Chosen = Callable[[ScoreCounts], Threshold]
FEW = "collect a few dozen rows of each class"
OTHER_ROWS = "choose the threshold on other rows"
TWO = ("roc_auc", "average_precision", "log_loss", "brier")
SEVERAL = (
    *(f"{how} {name}" for name in TWO[:2] for how in ("macro", "weighted")),
    "macro roc_auc_ovo",
    "log_loss",
    "brier",
)
LARGE = 400_000
DELONG = "roc_auc, DeLong"


def _drawn(rng: np.random.Generator, n: int, shift: float, rate: float, *, ties: bool = False) -> tuple[Any, Any]:
    """Draw calibrated probabilities of two normal classes; with ties, one decimal of them."""
    positive = rng.random(n) < rate
    x = rng.normal(size=n) + shift * positive
    score = expit(math.log(rate / (1 - rate)) + shift * x - shift**2 / 2)
    return (np.clip(np.round(score, 1), 0.05, 0.95) if ties else score), positive


def _weights(rng: np.random.Generator, positive: Any, kind: str) -> Any:
    if kind == "none":
        return None
    return rng.gamma(2.0, size=len(positive)) if kind == "independent" else np.where(positive, 1.0, 3.0)


def _scored(
    rng: np.random.Generator, n: int, shift: float, rate: float, kind: str, ties: bool, side: Any = "two-sided"
) -> list[Estimate]:
    score, positive = _drawn(rng, n, shift, rate, ties=ties)
    return estimate_scores(ScoreCounts.of(score, positive, _weights(rng, positive, kind)), Confidence(alternative=side))


@cache
def _true_values(shift: float, rate: float, kind: str, ties: bool) -> list[float]:
    rng = stream(0, "true areas", str(shift), str(rate), kind, str(ties))
    found = [[item.value for item in _scored(rng, LARGE, shift, rate, kind, ties)] for _ in range(6)]
    return np.mean(found, axis=0).tolist()  # type: ignore[no-any-return]


def _two_classes(n: int, shift: float, rate: float, kind: str, ties: bool, side: str) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "scores", str(n), str(shift), str(rate), kind)
        found = [[item.interval for item in _scored(rng, n, shift, rate, kind, ties, side)] for _ in range(repetitions)]
        columns = zip(TWO, zip(*found, strict=True), _true_values(shift, rate, kind, ties), strict=True)
        return {what: covered(intervals, truth) for what, intervals, truth in columns}

    return run


def _delong(n: int, shift: float, rate: float, side: Any) -> Run:
    """Cover the area of two normal classes, Φ(shift / √2); the ends are those of `justesse.intervals.delong`."""
    truth = float(ndtr(shift / math.sqrt(2)))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "delong", str(n), str(shift), str(rate))
        found = [delong(ScoreCounts.of(*_drawn(rng, n, shift, rate)), alternative=side) for _ in range(repetitions)]
        return {DELONG: covered([ends.intervals(alternative=side)[0] for ends in found], truth)}

    return run


def _scored_classes(rng: np.random.Generator, n: int, classes: int, shift: float = 1.5) -> dict[str, Estimate]:
    shares = np.linspace(2, 0.5, classes) / np.linspace(2, 0.5, classes).sum()
    label = rng.choice(classes, size=n, p=shares)
    x = rng.normal(size=(n, classes)) + shift * np.eye(classes)[label]
    scores = softmax(shift * x + np.log(shares), axis=1)
    found = estimate_probabilities(scores, label, range(classes), None, Confidence()).estimates
    return {f"{item.average} {item.name}" if item.average else item.name: item for item in found}


@cache
def _true_values_of_classes(classes: int) -> dict[str, float]:
    rng = stream(0, "true areas of several", str(classes))
    large = [_scored_classes(rng, LARGE // 8, classes) for _ in range(6)]
    return {what: float(np.mean([one[what].value for one in large])) for what in SEVERAL}


def _several_classes(n: int, classes: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, truths = stream(seed, "scores of several", str(n), str(classes)), _true_values_of_classes(classes)
        found = [_scored_classes(rng, n, classes) for _ in range(repetitions)]
        return {what: covered([one[what].interval for one in found], truths[what]) for what in SEVERAL}

    return run


def _thresholds(n: int, shift: float, rate: float, choose: Chosen) -> Run:
    """Compare with recall, specificity and precision that the chosen threshold has on new rows."""

    def on_new_rows(threshold: float) -> dict[str, float]:
        if not math.isfinite(threshold):
            x = math.inf
        else:
            logit = math.log(threshold / (1 - threshold))
            x = (logit - math.log(rate / (1 - rate)) + shift**2 / 2) / shift
        hit, false = float(ndtr(shift - x)), float(ndtr(-x))
        called = rate * hit + (1 - rate) * false
        return {"recall": hit, "specificity": 1 - false, "precision": rate * hit / called if called else math.nan}

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "thresholds", str(n), str(shift), str(rate))
        seen: dict[str, list[tuple[Interval | None, float]]] = {name: [] for name in POINTS}
        for _ in range(repetitions):
            chosen = choose(ScoreCounts.of(*_drawn(rng, n, shift, rate)))
            row, truth = threshold_dict("", chosen, 0.95), on_new_rows(chosen.value)
            for name in POINTS:
                ends = row[f"{name}_low"], row[f"{name}_high"]
                known = row[name] is not None and not math.isnan(truth[name])
                seen[name].append((Interval(*ends, 0.95, "wilson") if known else None, truth[name]))
        return {f"{name} at a threshold": covered(*_columns(pairs)) for name, pairs in seen.items()}

    return run


def _columns(pairs: Iterable[tuple[Interval | None, float]]) -> tuple[list[Interval | None], list[float]]:
    every = list(pairs)
    return [ends for ends, _ in every], [truth for _, truth in every]


def _cost_curve(n: int, shift: float, rate: float, ratio: float = 0.25) -> Run:
    """Cover the lowest expected cost in the population; a false positive costs `ratio`, both mistakes together 1."""
    x = np.linspace(-8, 8 + shift, 200_001)
    truth = float((rate * (1 - ratio) * ndtr(x - shift) + (1 - rate) * ratio * ndtr(-x)).min())

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "cost curve", str(n), str(shift), str(rate), *([str(ratio)] if ratio != 0.25 else []))
        tables = (ScoreCounts.of(*_drawn(rng, n, shift, rate)) for _ in range(repetitions))
        found = [lowest_cost(table, np.array([ratio]))[1].intervals()[0] for table in tables]
        return {LOWEST_COST: covered(found, truth)}

    return run


LOWEST_COST = "lowest cost (cost curve)"
LOWEST = ("measure:cost", "interval:mover, cross-validated threshold")
POINTS = ("recall", "specificity", "precision")


def _cases(whats: Iterable[str], instead: str = FEW) -> tuple[Case, ...]:
    return tuple(Case(what, about=(f"measure:{what.split()[-1]}",), instead=instead) for what in whats)


def _two(name: str, n: int, shift: float, rate: float, kind: str = "none", ties: bool = False, side: str = "two-sided") -> Setting:  # fmt: skip
    return Setting("scores", name, n, _cases(TWO), _two_classes(n, shift, rate, kind, ties, side))


THRESHOLD_CASES = tuple(
    Case(f"{name} at a threshold", about=(f"measure:{name}",), instead=OTHER_ROWS) for name in POINTS
)
CHOICES: tuple[tuple[str, Chosen], ...] = (
    ("threshold fixed before", lambda table: at(table, 0.3)),
    ("threshold chosen on these rows for a recall of 0.9", lambda table: for_recall(table, 0.9)),
    (
        "threshold with the lowest cost on these rows",
        lambda table: cheapest(table, false_negative=5.0, false_positive=1.0),
    ),
)
SETTINGS = (
    *(
        _two(f"{rate:.0%} positive, classes {shift:g} standard deviations apart".replace("%", " %"), n, shift, rate)
        for n, shift, rate in (
            (50, 1.0, 0.5),
            (50, 1.0, 0.1),
            (50, 2.5, 0.1),
            (200, 1.0, 0.1),
            (200, 2.5, 0.1),
            (1000, 1.0, 0.5),
            (1000, 2.5, 0.02),
        )
    ),
    _two("30 % positive, scores of one decimal (heavy ties)", 200, 1.0, 0.3, ties=True),
    _two("30 % positive, weights independent of everything", 200, 1.0, 0.3, "independent"),
    _two("30 % positive, negatives weigh three times as much", 200, 1.0, 0.3, "class"),
    _two("30 % positive, one-sided (greater)", 200, 1.0, 0.3, side="greater"),
    _two("30 % positive, one-sided (less)", 200, 1.0, 0.3, side="less"),
    *(
        Setting(
            "scores",
            f"{100 * rate:g} % positive, classes {shift:g} standard deviations apart"
            + ("" if side == "two-sided" else f", one-sided ({side})"),
            n,
            (Case(DELONG, about=("measure:roc_auc",), instead="the default, `area-score`"),),
            _delong(n, shift, rate, side),
        )
        for n, shift, rate, side in (
            (50, 1.0, 0.5, "two-sided"),
            (50, 2.5, 0.1, "two-sided"),
            (200, 2.5, 0.1, "two-sided"),
            (1000, 1.0, 0.5, "two-sided"),
            (1000, 2.5, 0.02, "two-sided"),
            (200, 2.5, 0.1, "less"),
            (200, 2.5, 0.1, "greater"),
        )
    ),
    *(
        Setting(
            "scores",
            f"{classes} uneven classes",
            n,
            _cases(SEVERAL),
            _several_classes(n, classes),
        )
        for n, classes in ((60, 2), (60, 3), (300, 3), (300, 8))
    ),
    *(
        Setting("scores", f"{words}, 30 % positive", n, THRESHOLD_CASES, _thresholds(n, 1.5, 0.3, choose))
        for words, choose in CHOICES
        for n in (100, 1000)
    ),
    *(
        Setting("scores", words, n, (Case(LOWEST_COST, about=LOWEST),), _cost_curve(n, shift, rate, ratio))
        for words, n, shift, rate, ratio in (
            ("a false negative costs three times a false positive, 30 % positive", 100, 1.5, 0.3, 0.25),
            ("a false negative costs three times a false positive, 30 % positive", 1000, 1.5, 0.3, 0.25),
            (f"{FRESH}mistakes cost the same, 5 % positive", 60, 2.0, 0.05, 0.5),
            (f"{FRESH}a false negative costs nine times a false positive, 5 % positive", 250, 2.0, 0.05, 0.1),
            (f"{FRESH}a false positive costs four times a false negative, 60 % positive", 40, 0.7, 0.6, 0.8),
            (f"{FRESH}mistakes cost the same, scores that hardly tell, 45 % positive", 500, 0.2, 0.45, 0.5),
            (f"{FRESH}mistakes cost the same, hardly any, 50 % positive", 150, 5.0, 0.5, 0.5),
        )
    ),
)
