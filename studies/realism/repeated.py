"""With training: what learners do with each kind of wrong labels, and which simulated kind they treat as people's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.intervals.student import student
from justesse.noise.noisy import Noisy
from studies.realism.kinds import CLEAN, PEOPLE, SIMULATED, Key
from studies.realism.training import Trained

Array = NDArray[Any]
PARTS = ("F_c", "F_n", "F_r")
UNTAUGHT, LEARNT = "F_n, trained on clean labels", "F_n learnt"
OF_PEOPLE, GAP, MEAN = "F_n of people's labels", "F_n less people's", "mean"
DISTANCES = {"F_n": ("F_n",), "F_c, F_n and F_r": PARTS}


@dataclass(frozen=True)
class Repeated:
    """One number of one learner, or the mean of all learners, over the repetitions, with its 95 % interval."""

    whose: str
    kind: str
    learner: str
    what: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Nearest:
    """Which simulated kind of noise is nearest to people's, how near, and how surely nearer than the next."""

    whose: str
    by: str
    kind: str
    distance: float
    next: str
    nearer_by: float
    low: float
    high: float
    wins: int
    trials: int


def shares(answers: Array, noisy: Noisy) -> dict[str, float]:
    """Give F_c, F_n and F_r of answers; NaN where nothing is labelled wrong, or nothing right.

    >>> noisy = Noisy(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), (0, 1), "by hand", 0.5)
    >>> shares(np.array([0, 1, 1, 1]), noisy)
    {'F_c': 1.0, 'F_n': 0.5, 'F_r': 0.5}
    """
    wrong, right = noisy.wrong, answers == noisy.true

    def mean(values: Array) -> float:
        return float(values.mean()) if len(values) else float("nan")

    return {"F_c": mean(right[~wrong]), "F_n": mean((answers == noisy.label)[wrong]), "F_r": mean(right[wrong])}


class Measured:
    """Every number of every repetition: what learner, whose labels, which kind of noise."""

    def __init__(self, runs: Sequence[Trained], test_share: float) -> None:
        self.learners = tuple(dict.fromkeys(run.learner for run in runs))
        self.keys = [key for key in runs[0].versions if key != (CLEAN, CLEAN)]
        self.people = tuple(dict.fromkeys(whose for whose, _ in self.keys))
        self.test_over_train = test_share / (1 - test_share)
        shape = len(self.learners), 1 + max(run.repeat for run in runs)
        self._found: dict[Key, dict[str, Array]] = {}
        for run in runs:
            at = self.learners.index(run.learner), run.repeat
            for key in self.keys:
                own = self._found.setdefault(key, {})
                for name, value in _numbers(run, key).items():
                    own.setdefault(name, np.full(shape, np.nan))[at] = value

    def rows(self) -> list[Repeated]:
        """Give every number of every learner, and of the mean of all learners, with its interval."""
        found = []
        for key in self.keys:
            for what, values in self._found[key].items():
                for learner, own in zip((*self.learners, MEAN), (*values, values.mean(axis=0)), strict=True):
                    value, low, high = self._with_ends(own)
                    if what != LEARNT:  # all others are shares
                        low, high = (float(np.clip(end, 0, 1)) for end in (low, high))
                    found.append(Repeated(*key, learner, what, value, low, high))
        return found

    def gaps(self) -> list[Repeated]:
        """Give how much more (or less, if negative) learners repeat another noise than people's, mean of all."""
        return [
            Repeated(*key, MEAN, GAP, *self._with_ends(self._off(key, "F_n").mean(axis=0)))
            for key in self.keys
            if key[1] != PEOPLE
        ]

    def distance(self, key: Key, by: str) -> Array:
        """Give how far a kind of noise is from people's, learners × repetitions: the mean of |difference|."""
        return np.asarray(np.mean([np.abs(self._off(key, part)) for part in DISTANCES[by]], axis=0))

    def nearest(self) -> list[Nearest]:
        """Say which simulated noise is nearest to people's, by each measure of distance.

        The nearest and the next are chosen by the same repetitions, so the interval is a little too sure of itself.
        """
        found = []
        for whose in self.people:
            for by in DISTANCES:
                far = np.array([self.distance((whose, kind), by) for kind in SIMULATED])
                best, second = np.argsort(far.mean(axis=(1, 2)), kind="stable")[:2].tolist()
                nearer_by = self._with_ends((far[second] - far[best]).mean(axis=0))
                wins = int((far.argmin(axis=0) == best).sum())
                names, distance = (SIMULATED[best], SIMULATED[second]), float(far[best].mean())
                found.append(Nearest(whose, by, names[0], distance, names[1], *nearer_by, wins, far[0].size))
        return found

    def _off(self, key: Key, what: str) -> Array:
        return np.asarray(self._found[key][what] - self._found[key[0], PEOPLE][what])

    def _with_ends(self, values: Array) -> tuple[float, float, float]:
        found = student(values.tolist(), test_over_train=self.test_over_train)
        interval = found.interval  # none if all are equal, as where nothing is ever repeated
        return (found.value, interval.low, interval.high) if interval else (found.value, np.nan, np.nan)


def _numbers(run: Trained, key: Key) -> dict[str, float]:
    """Give what one learner made of one kind of labels, beside what it makes of them if trained on clean ones."""
    own, theirs = (run.versions[one].part(run.test) for one in (key, (key[0], PEOPLE)))
    answers = run.answers[key]
    found, by_being_wrong = shares(answers, own), shares(run.answers[CLEAN, CLEAN], own)["F_n"]
    return {
        "accuracy": float(np.mean(answers == own.true)),
        **found,
        UNTAUGHT: by_being_wrong,
        LEARNT: found["F_n"] - by_being_wrong,
        OF_PEOPLE: shares(answers, theirs)["F_n"],
    }
