"""Draw references and shifted targets from the images of one network, and estimate its accuracy without labels."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.intervals.confidence_accuracy import TITLES, checked_accuracy, confidence_accuracy
from justesse.intervals.expected_confusion import expected_confusion
from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.significance.carried_calibration import carried_calibration
from studies.data import data_file

Floats = NDArray[np.float64]
REFERENCE, TARGET, LABELLED = 2000, 2000, (100, 500)
REPETITIONS, DRAWS = 20, 199
BY_CLASSES = "calibrated classes (CBPE)"
METHODS = (*TITLES.values(), BY_CLASSES)
ANIMALS = ("bird", "cat", "deer", "dog", "frog", "horse")


@dataclass(frozen=True, eq=False)
class Images:
    """Probabilities of the network (image × class), true classes, and the share of people who agree with them."""

    classes: tuple[str, ...]
    probabilities: Floats
    true: NDArray[np.int64]
    agreed: Floats

    @classmethod
    def read(cls) -> "Images":
        given = pq.read_table(data_file("cifar10/probabilities.parquet"))
        people = pq.read_table(data_file("cifar10/predictions.parquet"), columns=["id", "true", "true_share"])
        assert given["id"].to_pylist() == people["id"].to_pylist()
        classes = tuple(name for name in given.column_names if name != "id")
        probabilities = np.stack([given[name].to_numpy() for name in classes], axis=1).astype(float)
        place = {name: at for at, name in enumerate(classes)}
        true = np.array([place[name] for name in people["true"].to_pylist()])
        shares = people["true_share"].to_numpy().astype(float)
        return cls(classes, probabilities / probabilities.sum(axis=1, keepdims=True), true, shares)

    @property
    def predicted(self) -> NDArray[np.int64]:
        return np.asarray(self.probabilities.argmax(axis=1))

    @property
    def confidence(self) -> Floats:
        return np.asarray(self.probabilities.max(axis=1))

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.asarray(self.predicted == self.true)

    def shifts(self) -> Mapping[str, Floats]:
        """Return the weight of every image in each target."""
        one = np.ones(len(self.true))
        animal = np.isin(self.true, [self.classes.index(name) for name in ANIMALS])
        cats = np.isin(self.true, [self.classes.index(name) for name in ("cat", "dog")])
        sure = self.confidence > 0.9
        return {
            "none": one,
            "less confident images, 5 times": np.where(self.confidence < 0.95, 5.0, 1.0),
            "images that people disagree on, 10 times": np.where(self.agreed < 0.95, 10.0, 1.0),
            "vehicles, 10 times": np.where(animal, 1.0, 10.0),
            "cats and dogs, 10 times": np.where(cats, 10.0, 1.0),
            "confident mistakes, 10 times": np.where(sure & ~self.right, 10.0, 1.0),
        }


@dataclass(frozen=True)
class Figure:
    """One number of one shift."""

    shift: str
    figure: str
    value: float


def measured(images: Images, *, repetitions: int = REPETITIONS, seed: int = 0) -> Iterator[Figure]:
    """Measure how far off every method is on every shift, how often its interval covers, and what the test says."""
    for shift, weights in images.shifts().items():
        truth = float(weights @ images.right / weights.sum())
        off: dict[str, list[float]] = {name: [] for name in (*METHODS, *map(_powered, LABELLED))}
        covered: dict[str, list[bool]] = {name: [] for name in off}
        rejected: dict[int, list[bool]] = {n: [] for n in LABELLED}
        for at in range(repetitions):
            rng = stream(seed, "shifted confidence", shift, str(at))
            order = rng.permutation(len(weights))
            ours, rest = order[:REFERENCE], order[REFERENCE:]
            theirs = rng.choice(rest, TARGET, p=weights[rest] / weights[rest].sum())
            sure, right = images.confidence, images.right
            result = confidence_accuracy(
                ConfidenceCounts.of(sure[ours], right[ours], sure[theirs]), draws=DRAWS, seed=at
            )  # fmt: skip
            for name, title in TITLES.items():
                estimate = result.estimates[name]
                assert estimate.interval is not None
                off[title].append(estimate.value - truth)
                covered[title].append(estimate.interval.low <= truth <= estimate.interval.high)
            by_classes = expected_confusion(
                images.probabilities[ours], images.true[ours], images.probabilities[theirs], images.predicted[theirs],
                images.classes, draws=DRAWS // 2, seed=at,
            ).accuracy  # fmt: skip
            assert by_classes.interval is not None
            off[BY_CLASSES].append(by_classes.value - truth)
            covered[BY_CLASSES].append(by_classes.interval.low <= truth <= by_classes.interval.high)
            for n in LABELLED:
                some = theirs[:n]
                counts = ConfidenceCounts.of(sure[ours], right[ours], sure[theirs], sure[some], right[some])
                powered = checked_accuracy(counts, result.fitted)
                off[_powered(n)].append(powered.value - truth)
                covered[_powered(n)].append(powered.interval.low <= truth <= powered.interval.high)
                rejected[n].append(carried_calibration(counts, draws=DRAWS, seed=at).pvalue <= 0.05)
        yield Figure(shift, "accuracy", truth)
        for title, errors in off.items():
            yield Figure(shift, f"off: {title}", float(np.mean(errors)))
            yield Figure(shift, f"covered: {title}", float(np.mean(covered[title])))
        for n in LABELLED:
            yield Figure(shift, f"rejected: {n} labels", float(np.mean(rejected[n])))


def _powered(n: int) -> str:
    return f"prediction-powered, {n} labels"
