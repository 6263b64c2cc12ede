"""What follows from a transition table, and what a classifier did with the wrong labels of each class."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.measures import Measure, averaged, cost, f1, kappa, mcc, precision
from justesse.noise.inversion import inversion
from justesse.noise.profile import profile
from justesse.noise.transition import Transition
from studies.validity.case import Case, Hits, Setting, covered
from studies.validity.counted import Noise as Hostile
from studies.validity.counted import bounds_of, drawn, law
from studies.validity.ladder import CLASSES, Noise, joint

Run = Callable[[int, int], Mapping[str, Hits]]
DRAWS = 400
COSTS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])
MEASURES: list[Measure] = [mcc, kappa, cost(COSTS), f1, averaged(precision, "macro")]
INVERTED = {"MCC": "mcc", "kappa": "kappa", "cost": "cost", "F1 of the rarest class": "f1", "macro precision": "precision"}  # fmt: skip
SHARES = ("F_c", "F_n", "F_r")
MORE = "collect more rows, or count the table on more"


def _true_values(table: NDArray[Any]) -> dict[str, float]:
    """Compute measures of the last of three classes from shares of true class × prediction, by their definitions."""
    true, predicted = table.sum(axis=1), table.sum(axis=0)
    chance, hits = float(true @ predicted), float(np.trace(table))
    covariance = hits - chance
    return {
        "MCC": covariance / float(np.sqrt((1 - true @ true) * (1 - predicted @ predicted))),
        "kappa": covariance / (1 - chance),
        "cost": float((table * COSTS).sum()),
        "F1 of the rarest class": float(2 * table[-1, -1] / (true[-1] + predicted[-1])),
        "macro precision": float(np.mean(np.diagonal(table) / predicted)),
    }


def _tally(axes: tuple[str, ...], counts: NDArray[Any]) -> Tally:
    codes = np.array(list(np.ndindex(counts.shape)), dtype=np.int32)
    return Tally.canonical(axes, (CLASSES,) * counts.ndim, codes, counts.ravel())


def _inverted(noise: Noise, n: int, counted: int, side: Any) -> Run:
    """Correct measures by a table that is known, or was counted on so many other rows."""
    chances = joint(noise).sum(axis=2)  # true × label × candidate
    labels = chances.sum(axis=2)
    known = Transition.from_table(labels / labels.sum(axis=1, keepdims=True), CLASSES)
    truths = _true_values(chances.sum(axis=1))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "inverted tables", noise, str(n), str(counted))
        ends: dict[str, list[Interval | None]] = {what: [] for what in INVERTED}
        for at in range(repetitions):
            seen = _tally(("label", "prediction"), rng.multinomial(n, chances.sum(axis=0).ravel()).reshape(3, 3))
            table = known
            if counted:
                table = Transition.from_table(rng.multinomial(counted, labels.ravel()).reshape(3, 3), CLASSES)
            confidence = Confidence(draws=DRAWS, alternative=side, seed=at)
            found = {item.name: item.interval for item in inversion(seen, MEASURES, table, confidence).figures}
            for what, name in INVERTED.items():
                ends[what].append(found[name])  # of measures by class, the last class is kept
        return {f"{what}, table inverted": covered(ends[what], truths[what]) for what in INVERTED}

    return run


def _profiles(noise: Noise, n: int, side: Any) -> Run:
    """Cover the shares of the rarest class: right, repeated and seen through."""
    chances = joint(noise).sum(axis=2)
    last, right = len(CLASSES) - 1, chances[-1, -1]
    labelled, truly = chances[:last, last].sum(axis=0), chances[last, :last].sum(axis=0)
    truths = {
        "F_c": float(right[last] / right.sum()),
        "F_n": float(labelled[last] / labelled.sum()),
        "F_r": float(truly[last] / truly.sum()),
    }

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "profiles", noise, str(n))
        ends: dict[str, list[Interval | None]] = {name: [] for name in SHARES}
        for _ in range(repetitions):
            counts = rng.multinomial(n, chances.ravel() / chances.sum()).reshape(chances.shape)
            found = profile(_tally(("true", "label", "prediction"), counts), alternative=side)
            own = {item.name: item.interval for item in found if item.class_name == CLASSES[last]}
            for name in SHARES:
                ends[name].append(own[name])
        return {f"{name} of the rarest class": covered(ends[name], truths[name]) for name in SHARES}

    return run


BOUNDED = ("accuracy", "cost", "macro f1", "precision", "recall", "difference of accuracy")


def _counted(noise: Hostile, classes: int, counted: int, n: int) -> Run:
    """Bound what is true of these rows by a table counted on others; samples that lack a label are drawn again."""
    chances = law(noise, classes)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "counted bounds", noise, str(classes), str(counted))
        seen: dict[str, list[tuple[Interval, float]]] = {name: [] for name in BOUNDED}
        while len(seen["accuracy"]) < repetitions:
            rows, other = drawn(chances, n, rng), Transition.from_tally(drawn(chances, counted, rng))
            assert other.counts is not None
            if np.any(rows.sums("label")[other.counts.sum(axis=0) == 0]):
                continue
            for name, bounds, truth in bounds_of(rows, other, len(seen["accuracy"])):
                if name in seen:
                    seen[name].append((Interval(bounds.low, bounds.high, 0.95, FROM_TABLE), truth))
        return {
            f"{name}, bounds from a counted table": covered([ends for ends, _ in pairs], [true for _, true in pairs])
            for name, pairs in seen.items()
        }

    return run


FROM_TABLE = "bounds from a counted table"
SIDES = {"two-sided": "", "greater": ", one-sided (greater)", "less": ", one-sided (less)"}
WORDS: dict[Hostile, str] = {
    "repeated": "the candidate repeats every wrong label",
    "seen through": "the candidate sees through every wrong label",
}
TO_INVERT: tuple[tuple[Noise, int, int, str], ...] = (
    ("uniform", 300, 0, "two-sided"),
    ("class", 300, 0, "two-sided"),
    ("class", 1000, 400, "two-sided"),
    ("uniform", 300, 100, "two-sided"),
    ("uniform", 300, 0, "greater"),
)
TO_PROFILE: tuple[tuple[Noise, int, str], ...] = (
    ("uniform", 100, "two-sided"),
    ("feature", 1000, "two-sided"),
    ("class", 300, "two-sided"),
    ("class", 300, "greater"),
    ("class", 300, "less"),
)
TO_BOUND: tuple[tuple[Hostile, int, int], ...] = (
    ("repeated", 2, 100),
    ("seen through", 2, 100),
    ("repeated", 3, 300),
    ("seen through", 10, 300),
)
SETTINGS = (
    *(
        Setting(
            "noise-tables",
            f"10 % wrong labels ({noise}), table {f'counted on {counted} rows' if counted else 'known'}{SIDES[side]}",
            n,
            tuple(Case(f"{what}, table inverted", about=(f"measure:{name}",), instead=MORE) for what, name in INVERTED.items()),
            _inverted(noise, n, counted, side),
            draws=DRAWS,
        )
        for noise, n, counted, side in TO_INVERT
    ),
    *(
        Setting(
            "noise-tables",
            f"10 % wrong labels ({noise}){SIDES[side]}",
            n,
            tuple(Case(f"{name} of the rarest class", instead="collect more wrongly labelled rows") for name in SHARES),
            _profiles(noise, n, side),
        )
        for noise, n, side in TO_PROFILE
    ),
    *(
        Setting(
            "noise-tables",
            f"{classes} classes, 5 % wrong labels: {WORDS[noise]}; table counted on {counted} rows",
            500,
            tuple(Case(f"{name}, bounds from a counted table") for name in BOUNDED),
            _counted(noise, classes, counted, 500),
            chunk=100,
        )
        for noise, classes, counted in TO_BOUND
    ),
)  # fmt: skip
