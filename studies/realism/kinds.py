"""People's labels, and noise of the same rate made in five other ways."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.annotators.artificial import Answers, artificial_annotators
from justesse.annotators.one_model import OneModel, one_model
from justesse.core.seeds import stream
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, Uniform
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking
from studies.realism.settings import Settings

Array = NDArray[Any]
CLEAN, PEOPLE, ANOTHER = "clean labels", "people", "another person"
ARTIFICIAL, ONE, NETWORK = "artificial annotators", "one model", "one network"
BY_CLASS, UNIFORM = "by class", "uniform"
SIMULATED = (ARTIFICIAL, ONE, NETWORK, BY_CLASS, UNIFORM)
Key = tuple[str, str]  # whose labels, or whose rate; and the kind of noise


@dataclass(frozen=True, eq=False)
class People:
    """What people answered, as codes of classes: sets of labels by name.

    `other` is what another person answered, asked just as for the set named `alike`.
    """

    true: Array
    labels: Mapping[str, Array]
    alike: str
    other: Array

    @property
    def classes(self) -> tuple[int, ...]:
        return tuple(range(int(self.true.max()) + 1))

    def noisy(self, label: Array, words: str) -> Noisy:
        return Noisy(self.true, label, self.classes, words, float(np.mean(label != self.true)))


@dataclass(frozen=True, eq=False)
class Kinds:
    """All the noise there is to compare: what was made once, and what is drawn anew for each repetition."""

    people: People
    answers: Answers
    ranking: Ranking
    models: Mapping[Key, OneModel]

    @classmethod
    def make(cls, x: Array, people: People, settings: Settings, folder: Path) -> "Kinds":
        """Train the artificial annotators and the single models, on all instances and true classes.

        A single model is the ready-made one whose error is nearest to the rate, whatever it is, or a network, as in 7.8.1.
        """
        from sklearn.neural_network import MLPClassifier

        networks = [MLPClassifier((width,), learning_rate_init=0.005) for width in settings.widths]
        options: dict[str, Any] = {"seed": settings.seed, "n_jobs": 1, "checkpoint": folder / "annotators"}
        answers = artificial_annotators(x, people.true, n=settings.annotators, **options)
        models = {}
        for whose, label in people.labels.items():
            rate = float(np.mean(label != people.true))
            models[whose, ONE] = one_model(x, people.true, rate, n=settings.models, **options)
            models[whose, NETWORK] = one_model(x, people.true, rate, estimators=networks, **options)
        return cls(people, answers, Ranking.from_answers(answers.answers, people.true, classes=answers.classes), models)

    def versions(self, repeat: int, seed: int) -> dict[Key, Noisy]:
        """Give every set of labels of one repetition; only noise by class and uniform noise are drawn."""
        drawn = int(stream(seed, "noise", str(repeat)).integers(1 << 31))
        people = self.people
        found = {(CLEAN, CLEAN): people.noisy(people.true, CLEAN)}
        for whose, label in people.labels.items():
            own = people.noisy(label, whose)
            found[whose, PEOPLE] = own
            found[whose, ARTIFICIAL] = self.ranking.noisy(people.true, own.realised)
            for kind in (ONE, NETWORK):
                found[whose, kind] = people.noisy(self.models[whose, kind].label, self.models[whose, kind].name)
            same_confusions = ByClass.from_counts(own.tally.dense("true", "label"), people.classes)
            found[whose, BY_CLASS] = inject(people.true, same_confusions, seed=drawn)
            found[whose, UNIFORM] = inject(people.true, Uniform(own.realised, classes=people.classes), seed=drawn)
        found[people.alike, ANOTHER] = people.noisy(people.other, ANOTHER)
        return found
