"""Ask recorded answers of real crowds one batch after the other, by several rules, and follow the accuracy of the consensus.

A question can only be asked if its answer was recorded. After each batch the model of the annotators is fitted to the answers
revealed so far; the known true classes are only used to count how many of its classes are right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from justesse.annotators.assignment import next_questions
from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import AskingRule
from justesse.core.seeds import stream
from justesse.frames.annotations import read_annotations
from justesse.verbs.annotators.next import SMOOTHING

RULES: tuple[AskingRule, ...] = ("random", "round-robin", "gain", "lam-stork", "uncertainty")
assert set(RULES) == set(get_args(AskingRule))
# answers asked at once; the consensus is fitted again after each batch
BATCHES = {"bluebird": 20, "rte": 60, "dog": 60, "web": 200}
SEEDS, UP_TO, HALF = 10, 0.6, 0.5


@dataclass(frozen=True, eq=False)
class Crowd:
    """All recorded answers of a set, and the true class of each item (-1 where it is unknown)."""

    name: str
    notes: Annotations
    truth: Array

    @classmethod
    def read(cls, name: str, folder: Path) -> "Crowd":
        read = read_annotations(str(folder / "label.csv"), beside={"check": str(folder / "truth.csv")})
        return cls(name, read.annotations, read.beside["check"])

    def accuracy(self, label: Array) -> float:
        known = self.truth >= 0
        return float((label == self.truth)[known].mean())


def per_item(notes: Annotations, rng: np.random.Generator) -> Array:
    """Start with two answers to each item, drawn at random."""
    return _first(notes.item, 2, rng)


def per_annotator(notes: Annotations, rng: np.random.Generator) -> Array:
    """Start with five answers of each annotator, drawn at random."""
    return _first(notes.annotator, 5, rng)


STARTS: Mapping[str, Callable[[Annotations, np.random.Generator], Array]] = {
    "two answers per item": per_item,
    "five answers per annotator": per_annotator,
}


def _first(keys: Array, number: int, rng: np.random.Generator) -> Array:
    order = np.lexsort((rng.random(len(keys)), keys))
    sizes = np.bincount(keys)
    place = np.empty(len(keys), dtype=np.int64)
    place[order] = np.arange(len(keys)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(place < number)


@dataclass(frozen=True, eq=False)
class Curve:
    """The accuracy of the consensus after so many answers, for one crowd, start, rule and seed."""

    crowd: str
    start: str
    rule: AskingRule
    seed: int
    answers: FloatArray
    right: FloatArray

    def at(self, answers: float) -> float:
        """Give the accuracy after so many answers, by linear interpolation."""
        return float(np.interp(answers, self.answers, self.right))

    def needed(self, right: float) -> float:
        """Give the number of answers at which an accuracy is first reached; NaN if it never is."""
        reached = np.flatnonzero(self.right >= right)
        if not len(reached):
            return float("nan")
        at = int(reached[0])
        if at == 0:
            return float(self.answers[0])
        low, high = self.right[at - 1], self.right[at]
        return float(self.answers[at - 1] + (right - low) / (high - low) * (self.answers[at] - self.answers[at - 1]))


def follow(crowd: Crowd, start: str, rule: AskingRule, seed: int, *, batch: int, up_to: float = UP_TO) -> Curve:
    """Reveal answers batch by batch; all rules start from the same answers of a seed."""
    notes = crowd.notes
    keys = notes.item.astype(np.int64) * notes.n_annotators + notes.annotator
    revealed = STARTS[start](notes, stream(seed, "start", crowd.name, start))
    answers, right = [], []
    while True:
        fit = dawid_skene(notes.where(revealed), prior=SMOOTHING, most=50)
        answers.append(float(revealed.sum()))
        right.append(crowd.accuracy(fit.label))
        left = np.flatnonzero(~revealed)
        if answers[-1] >= up_to * len(notes) or not len(left):
            return Curve(crowd.name, start, rule, seed, np.array(answers), np.array(right))
        askable = (notes.item[left].astype(np.int64), notes.annotator[left].astype(np.int64))
        rng = stream(seed, "batch", str(len(answers)))
        questions = next_questions(fit, rule=rule, number=batch, askable=askable, seed=int(rng.integers(1 << 31)))
        asked = [question.item * notes.n_annotators + question.annotator for question in questions]
        revealed[np.searchsorted(keys, asked)] = True


@dataclass(frozen=True)
class Needed:
    """How many answers a rule needs for the accuracy that random asking reaches with half of the recorded answers."""

    crowd: str
    start: str
    rule: AskingRule
    target: float
    answers: float
    low: float
    high: float
    share: float
    share_low: float
    share_high: float
    seeds: int
    missed: int


def needed(curves: list[Curve], recorded: Mapping[str, int]) -> list[Needed]:
    """Count the answers of each rule, mean and 95 % interval (Student's t over seeds), and their share of random asking's.

    The share is the ratio of means, with the delta method over seeds: runs of one seed start from the same answers. A run that
    never reaches the accuracy counts with all the answers it asked, and is counted in `missed`.
    """
    rows = []
    for crowd, start in dict.fromkeys((curve.crowd, curve.start) for curve in curves):
        runs = {rule: [c for c in curves if (c.crowd, c.start, c.rule) == (crowd, start, rule)] for rule in RULES}
        target = float(np.mean([curve.at(HALF * recorded[crowd]) for curve in runs["random"]]))
        counts = {rule: np.array([curve.needed(target) for curve in mine]) for rule, mine in runs.items() if mine}
        missed = {rule: int(np.isnan(count).sum()) for rule, count in counts.items()}
        counts = {
            rule: np.where(np.isnan(count), [curve.answers[-1] for curve in runs[rule]], count)
            for rule, count in counts.items()
        }
        for rule, count in counts.items():
            mean, half = _mean(count)
            share = float(mean / counts["random"].mean())
            _, spread = _mean((count - share * counts["random"]) / counts["random"].mean())
            rows.append(
                Needed(crowd, start, rule, target, mean, mean - half, mean + half, share, share - spread,
                       share + spread, len(count), missed[rule])
            )  # fmt: skip
    return rows


def _mean(values: FloatArray) -> tuple[float, float]:
    from scipy.stats import t

    n = len(values)
    half = t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n) if n > 1 else float("nan")
    return float(values.mean()), float(half)
