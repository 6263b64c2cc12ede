"""Win rates by a language model as judge, if people rated only some of the comparisons of an item."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

import numpy as np

from justesse.core.choices import JudgedAbout
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.judge_rates import judge_rates
from justesse.verbs.llm_judge.figures import model_figures
from justesse.verbs.llm_judge.units import ModelSides
from justesse.verbs.llm_judge.words import TITLES, JudgedMethod
from studies.validity.case import Case, Hits, Setting, covered

PART = "language-judges"
ABOUTS: tuple[JudgedAbout, ...] = get_args(JudgedAbout)


@dataclass(frozen=True)
class PartlyRated:
    """Items with two comparisons of a model each, one against a weak and one against a strong opponent.

    People rate one of the two, in as many items as are rated.
    """

    name: str
    items: int
    rated: int
    apart: float  # how much more often the model beats the weak opponent

    def run(self, repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(self))
        methods: tuple[JudgedMethod, ...] = ("people", "prediction_powered")
        ends: dict[JudgedMethod, list[Interval | None]] = {method: [] for method in methods}
        item = np.repeat(np.arange(self.items), 2)
        truths = []
        for _ in range(repetitions):
            chance = 0.5 + np.tile([self.apart, -self.apart], self.items) / 2
            people = (rng.random(len(item)) < chance).astype(float)
            verdict = np.where(rng.random(len(item)) < 0.8, people, 1 - people)
            chosen = rng.random(self.items).argsort() < self.rated
            known = np.repeat(chosen, 2) & (np.tile([0, 1], self.items) == np.repeat(rng.integers(0, 2, self.items), 2))
            rating = np.where(known, people, np.nan)
            zeros = np.zeros(len(item), dtype=int)
            sides = ModelSides(zeros, item, zeros, verdict, rating)
            rates = judge_rates(verdict[known], rating[known], item[known])
            result = model_figures(sides, rates, {0: rates}, None, name="win rate", about="rows", level=0.95)
            for method in methods:
                ends[method].append(result.estimates[method].interval)
            truths.append(float(people.mean()))
        return {self.what(method): covered(every, truths) for method, every in ends.items()}

    def what(self, method: JudgedMethod) -> str:
        return f"win rate among these rows by a judge, {TITLES[method]}"

    def setting(self) -> Setting:
        cases = (Case(self.what("people")), Case(self.what("prediction_powered")))
        return Setting(PART, f"{self.name}, {self.rated} rated", self.items, cases, self.run)


@dataclass(frozen=True)
class UnequalItems:
    """Items with one comparison of a model or with many, among which people rate some at random."""

    name: str
    items: int
    rated: int
    many: int
    wins: tuple[float, float]  # with one comparison, and with many
    right: tuple[float, float] = (0.8, 0.8)  # how often the judge repeats people, likewise

    def run(self, repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(self))
        methods: tuple[JudgedMethod, ...] = ("people", "prediction_powered")
        ends: dict[str, list[Interval | None]] = {
            self.what(method, about): [] for method in methods for about in ABOUTS
        }
        truths: dict[str, list[float]] = {what: [] for what in ends}
        for _ in range(repetitions):
            large = rng.random(self.items) < 0.5
            sizes = np.where(large, self.many, 1)
            item = np.repeat(np.arange(self.items), sizes)
            kind = large[item].astype(int)
            people = (rng.random(len(item)) < np.take(self.wins, kind)).astype(float)
            verdict = np.where(rng.random(len(item)) < np.take(self.right, kind), people, 1 - people)
            known = rng.permutation(len(item)) < self.rated
            zeros = np.zeros(len(item), dtype=int)
            sides = ModelSides(zeros, item, zeros, verdict, np.where(known, people, np.nan))
            rates = judge_rates(verdict[known], people[known], item[known])
            here = float((np.bincount(item, people) / sizes).mean())
            for about in ABOUTS:
                result = model_figures(sides, rates, {0: rates}, None, name="win rate", about=about, level=0.95)
                for method in methods:
                    ends[self.what(method, about)].append(result.estimates[method].interval)
                    truths[self.what(method, about)].append(here if about == "rows" else float(np.mean(self.wins)))
        return {what: covered(every, truths[what]) for what, every in ends.items()}

    def what(self, method: JudgedMethod, about: JudgedAbout) -> str:
        return f"win rate{' among these rows' if about == 'rows' else ''} by a judge, {TITLES[method]}"

    def setting(self) -> Setting:
        cases = tuple(Case(self.what(method, about)) for method in ("people", "prediction_powered") for about in ABOUTS)
        return Setting(PART, f"{self.name}, {self.rated} rated", self.items, cases, self.run)


SETTINGS = (
    PartlyRated("adversarial: one of two opposite comparisons of each item", 100, 100, 0.8).setting(),
    PartlyRated("one of two opposite comparisons of half of the items", 160, 80, 0.8).setting(),
    PartlyRated("one of two like comparisons of each item", 60, 60, 0.0).setting(),
    UnequalItems("items with one comparison or six, more wins in these", 200, 100, 6, (0.35, 0.75)).setting(),
    UnequalItems(
        "adversarial: items with one comparison or twenty, rare losses, a poor judge on these",
        200,
        200,
        20,
        (0.98, 0.8),
        (0.95, 0.6),
    ).setting(),
)
