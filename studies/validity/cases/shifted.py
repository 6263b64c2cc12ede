"""Accuracy on rows without labels from confidences and a labelled reference, and the test of its assumption."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.confidence_accuracy import TITLES, checked_accuracy, confidence_accuracy
from justesse.intervals.expected_confusion import expected_confusion
from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.significance.carried_calibration import carried_calibration
from studies.validity.case import Case, Hits, Setting, covered, rejected

BY_CLASSES, POWERED, TEST = "calibrated class probabilities", "prediction-powered", "calibration carries over"
BOOTSTRAP = ("interval:bootstrap of reference and target",)
LABELS = "labels for some rows of the target: prediction-powered accuracy"
CALIBRATED = "calibrated confidence"
SMOOTH = "calibrated confidence, which has no isotonic regression"
LARGER = "a larger reference, or " + LABELS
DRAWS = 199
METHODS = (*TITLES.values(), BY_CLASSES)
ROWS_OF_TRUTH = 2_000_000


@dataclass(frozen=True)
class World:
    """Two classes whose log odds are normal; the model doubles them, so that it is over-confident.

    Parameters
    ----------
    name
        What the target is, in words.
    centre, spread
        Mean and standard deviation of the true log odds in the target; 1 and 2 in the reference.
    rarer
        How many times rarer the positive class becomes in the target.
    flatter
        Factor of the true log odds in the target: below 1 the model is less often right than in the reference.
    """

    name: str
    centre: float = 1.0
    spread: float = 2.0
    rarer: float = 1.0
    flatter: float = 1.0

    def rows(self, rng: np.random.Generator, n: int, *, reference: bool = False) -> tuple[FloatArray, Array]:
        """Draw the model's probability of the positive class, and the class."""
        centre, spread, flatter, rarer = (
            (1.0, 2.0, 1.0, 1.0) if reference else (self.centre, self.spread, self.flatter, self.rarer)
        )
        # enough rows, even if all were positive and most were left out
        odds = rng.normal(centre, spread, round(n * rarer) + (100 if rarer > 1 else 0))
        positive = rng.random(len(odds)) < 1 / (1 + np.exp(-odds * flatter))
        kept = np.flatnonzero(~positive | (rng.random(len(odds)) < 1 / rarer))[:n]
        return _model(odds[kept]), positive[kept]


def _model(odds: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-2 * odds)))


@cache
def _truth(world: World) -> float:
    probability, positive = world.rows(stream(0, "accuracy in a shifted world"), ROWS_OF_TRUTH)
    return float(((probability >= 0.5) == positive).mean())


def _run(world: World, n: int, target: int, labelled: int) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "shifted", str(world), str((n, target, labelled)))
        ends: dict[str, list[Interval | None]] = {name: [] for name in (*METHODS, POWERED)}
        pvalues = []
        for at in range(repetitions):
            ours, truth = world.rows(rng, n, reference=True)
            theirs, hidden = world.rows(rng, target)
            hit, right = (theirs[:labelled] >= 0.5) == hidden[:labelled], (ours >= 0.5) == truth
            sure, other = np.maximum(ours, 1 - ours), np.maximum(theirs, 1 - theirs)
            counts = ConfidenceCounts.of(sure, right, other, other[:labelled], hit)
            result = confidence_accuracy(counts, draws=DRAWS, seed=at)
            for name, title in TITLES.items():
                ends[title].append(result.estimates[name].interval)
            both = (np.stack([1 - part, part], axis=1) for part in (ours, theirs))
            before, now = both
            by_classes = expected_confusion(
                before, truth.astype(int), now, (theirs >= 0.5).astype(int), [0, 1], draws=DRAWS, seed=at
            )
            ends[BY_CLASSES].append(by_classes.accuracy.interval)
            ends[POWERED].append(checked_accuracy(counts, result.fitted).interval)
            pvalues.append(carried_calibration(counts, draws=DRAWS, seed=at).pvalue)
        written = {_what(name): covered(intervals, _truth(world)) for name, intervals in ends.items()}
        return {**written, TEST: rejected(pvalues, "carried-calibration")}

    return run


def _what(name: str) -> str:
    return f"accuracy without labels, {name}"


def _cases(short: Mapping[str, str], *, carries: bool) -> tuple[Case, ...]:
    """List what is measured; `short` says what to use instead of a method that falls short."""
    cases = [Case(_what(name), about=BOOTSTRAP, instead=short.get(name, "")) for name in METHODS]
    cases.append(Case(_what(POWERED)))
    # where calibration is broken the test should reject: that is its power, not its size
    return (*cases, *([Case(TEST, "size", ("test:carried-calibration",))] if carries else []))


OVER_CONFIDENT = {TITLES["average_confidence"]: CALIBRATED, BY_CLASSES: SMOOTH}
SHIFTED = OVER_CONFIDENT | {
    TITLES["difference_of_confidences"]: CALIBRATED, TITLES["thresholded_confidence"]: CALIBRATED,
}  # fmt: skip
BROKEN = dict.fromkeys(METHODS, LABELS)
SAME, HARDER = World("no shift"), World("harder rows, calibration kept", 0.5, 1.0)
EASIER = World("easier rows, calibration kept", 1.5, 3.0)
RARER = World("label shift: the positive class four times rarer", rarer=4.0)
WORSE = World("calibration broken: log odds 40 % smaller", flatter=0.6)


def _setting(
    world: World, n: int, target: int, labelled: int, short: Mapping[str, str], *, carries: bool = True
) -> Setting:
    name = f"{world.name}, {target:,} rows of the target, {labelled} labelled"
    # a model of the calibration is fitted anew in every draw
    return Setting(
        "shifted",
        name,
        n,
        _cases(short, carries=carries),
        _run(world, n, target, labelled),
        repetitions=400,
        chunk=25,
        models=True,
        draws=DRAWS,
    )


SETTINGS = (
    _setting(SAME, 1000, 1000, 100, OVER_CONFIDENT),
    _setting(SAME, 200, 1000, 50, OVER_CONFIDENT),
    _setting(HARDER, 1000, 2000, 200, SHIFTED),
    _setting(EASIER, 1000, 2000, 200, SHIFTED),
    _setting(HARDER, 60, 500, 30, dict.fromkeys(METHODS, LARGER)),
    _setting(RARER, 1000, 2000, 200, BROKEN, carries=False),
    _setting(WORSE, 1000, 2000, 200, BROKEN, carries=False),
)
