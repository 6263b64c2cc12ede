"""Win rates and accuracies by a language model as judge: corrected figures, error rates, biases and strengths."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.bradley_terry import bradley_terry
from justesse.intervals.judge_rates import judge_rates
from justesse.significance.constant_rates import constant_rates
from justesse.significance.rating_gap import rating_gap
from justesse.verbs.llm_judge.biases import gain_interval, position_test
from justesse.verbs.llm_judge.figures import model_figures
from justesse.verbs.llm_judge.units import ModelSides
from justesse.verbs.llm_judge.words import TITLES, JudgedMethod
from studies.validity.case import Case, Hits, Setting, covered, rejected

PART = "language-judges"
POWERED = "prediction-powered"
METHODS: tuple[JudgedMethod, ...] = tuple(TITLES)
ABOUT = {"rogan_gladen": ("interval:rogan-gladen",), "rogan_gladen_strata": ("interval:rogan-gladen, strata",)}
SENSITIVITY, SPECIFICITY = "judge's mean verdict where people rate 1", "judge's mean verdict where people rate 0"
GAP, GAP_TEST = "what a judge favours", "a judge favours no kind of output"
POSITION = "what the output shown first gains"
POSITION_TEST = "a judge favours no place, several pairs of an item"
CONSTANT = "a judge's error rates are the same in all strata"
DRAWS = 199


@dataclass(frozen=True)
class JudgedWorld:
    """Items of two strata, what people say of them, and a judge's verdict.

    Parameters
    ----------
    name
        What is special, in words.
    items, rated
        Number of items, and of those that people rated.
    shares
        Share rated 1 by people in each stratum.
    sensitivity, specificity
        Of the judge, in each stratum.
    short
        What falls short here.
    """

    name: str
    items: int
    rated: int
    shares: tuple[float, float]
    sensitivity: tuple[float, float]
    specificity: tuple[float, float]
    short: tuple[JudgedMethod, ...] = ("naive",)

    def draw(self, rng: np.random.Generator) -> ModelSides:
        """Draw items; people rated the first ones."""
        stratum = (rng.random(self.items) < 0.4).astype(int)
        people = (rng.random(self.items) < np.take(self.shares, stratum)).astype(float)
        yes = np.where(people == 1, np.take(self.sensitivity, stratum), 1 - np.take(self.specificity, stratum))
        verdict = (rng.random(self.items) < yes).astype(float)
        rating = np.where(np.arange(self.items) < self.rated, people, np.nan)
        return ModelSides(np.zeros(self.items, dtype=int), np.arange(self.items), stratum, verdict, rating)

    @property
    def truth(self) -> float:
        return 0.6 * self.shares[0] + 0.4 * self.shares[1]

    @property
    def rates(self) -> tuple[float, float]:
        """Mean verdict of the judge where people rate 1 and 0."""
        weights = np.array([0.6, 0.4])
        high, low = weights * self.shares, weights * (1 - np.array(self.shares))
        return (
            float(high @ self.sensitivity / high.sum()),
            float(low @ (1 - np.array(self.specificity)) / low.sum()),
        )

    @property
    def figure(self) -> str:
        return "accuracy"


@dataclass(frozen=True)
class NamedPairs(JudgedWorld):
    """Pairs of two named models: each item is seen by both, and the error rates come from both sides."""

    def draw(self, rng: np.random.Generator) -> ModelSides:
        one = super().draw(rng)
        return ModelSides(
            np.repeat([0, 1], self.items),
            np.tile(one.item, 2),
            np.tile(one.stratum, 2),
            np.concatenate([one.value, 1 - one.value]),
            np.concatenate([one.rating, 1 - one.rating]),
        )

    @property
    def rates(self) -> tuple[float, float]:
        right = float(np.array([0.6, 0.4]) @ self.sensitivity)  # as often right whichever model is better
        return right, 1 - right

    @property
    def figure(self) -> str:
        return "win rate of a named model"


def _corrected(world: JudgedWorld) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(world))
        ends: dict[JudgedMethod, list[Interval | None]] = {method: [] for method in METHODS}
        high, low = [], []
        for _ in range(repetitions):
            sides = world.draw(rng)
            known = sides.chosen(sides.rated)
            rates = judge_rates(known.value, known.rating, known.item)
            parts = {code: known.chosen(known.stratum == code) for code in (0, 1)}
            by_stratum = {code: judge_rates(part.value, part.rating, part.item) for code, part in parts.items()}
            own = sides.chosen(sides.model == 0)
            result = model_figures(own, rates, by_stratum, None, name=world.figure, about="population", level=0.95)
            for method in METHODS:
                ends[method].append(result.estimates[method].interval)
            high.append(rates.high.interval())
            low.append(rates.low.interval())
        figures = {_what(world, method): covered(every, world.truth) for method, every in ends.items()}
        return {**figures, SENSITIVITY: covered(high, world.rates[0]), SPECIFICITY: covered(low, world.rates[1])}

    return run


def _what(world: JudgedWorld, method: JudgedMethod) -> str:
    return f"{world.figure} by a judge, {TITLES[method]}"


def _corrected_setting(world: JudgedWorld) -> Setting:
    cases = tuple(
        Case(_what(world, method), about=ABOUT.get(method, ()), instead=POWERED if method in world.short else "")
        for method in METHODS
    )
    return Setting(
        PART, f"{world.name}, {world.rated} rated", world.items,
        (*cases, Case(SENSITIVITY), Case(SPECIFICITY)), _corrected(world),
    )  # fmt: skip


@dataclass(frozen=True)
class RatedModels:
    """Models that answer the same items; people rate some items; verdicts on one item share its difficulty."""

    name: str
    items: int
    models: int
    shift: float  # how much more often the judge sides with the first model, given people's rating
    spread: float  # of the log odds of a verdict between items

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Draw verdicts, ratings, models and items."""
        item = np.repeat(np.arange(self.items), self.models)
        model = np.tile(np.arange(self.models), self.items)
        rating = (rng.random(len(item)) < 0.6).astype(float)
        odds = np.where(rating == 1, 1.5, -1.0) + rng.normal(0, self.spread, self.items)[item]
        chance = 1 / (1 + np.exp(-odds))
        chance = np.where(model == 0, np.minimum(chance + self.shift, 1.0), chance)
        return (rng.random(len(item)) < chance).astype(float), rating, model, item


def _favoured(world: RatedModels) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(world))
        ends: list[Interval | None] = []
        gaps, constant, gains = [], [], []
        for at in range(repetitions):
            verdict, rating, model, item = world.draw(rng)
            result = rating_gap(verdict, model == 0, rating, item, draws=DRAWS, seed=at)
            assert result.difference is not None
            ends.append(result.difference.interval)
            gaps.append(result.pvalue)
            strata = (np.arange(world.items) % 3)[item]
            constant.append(constant_rates(verdict, rating, strata, item, draws=DRAWS, seed=at).pvalue)
            first, second = (rng.random((2, world.items)) < [[0.55], [0.45]]).astype(float)
            stays = rng.random(world.items) < 0.7
            gains.append(gain_interval(np.where(stays, 0.0, first - second), np.arange(world.items), 0.95))
        result_hits = {GAP: covered(ends, world.shift), POSITION: covered(gains, 0.3 * 0.1)}
        if not world.shift:
            result_hits[GAP_TEST] = rejected(gaps, "rating-gap")
            result_hits[CONSTANT] = rejected(constant, "constant-rates")
        return result_hits

    return run


def _favoured_setting(world: RatedModels) -> Setting:
    cases = [Case(GAP, about=("interval:agresti-caffo, strata",)), Case(POSITION)]
    if not world.shift:
        cases += [Case(GAP_TEST, "size", ("test:rating-gap",)), Case(CONSTANT, "size", ("test:constant-rates",))]
    return Setting(PART, world.name, world.items, tuple(cases), _favoured(world))


@dataclass(frozen=True)
class FewItems:
    """Few items with several units each; units of an item are alike, and all are of one kind."""

    name: str
    items: int
    units: int

    def run(self, repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(self))
        item = np.repeat(np.arange(self.items), self.units)
        ends: list[Interval | None] = []
        places = []
        for at in range(repetitions):
            chance = rng.beta(2, 2, self.items)[item]
            verdict = (rng.random(len(item)) < chance).astype(float)
            test = rating_gap(verdict, item % 2 == 0, np.ones(len(item)), item, draws=100, seed=at)
            assert test.difference is not None
            ends.append(test.difference.interval)
            places.append(position_test(np.where(rng.random(len(item)) < chance, 1.0, -1.0), item).pvalue)
        return {GAP: covered(ends, 0.0), POSITION_TEST: rejected(places, "mcnemar-cr2")}

    def setting(self) -> Setting:
        return Setting(PART, self.name, self.items, (Case(GAP), Case(POSITION_TEST, "size")), self.run)


@dataclass(frozen=True)
class ComparedModels:
    """Four models compared in pairs by a judge that favours the weakest; people rate some comparisons."""

    name: str
    comparisons: int
    rated: int
    right: float  # how often the judge repeats what people say
    strengths: tuple[float, ...] = (0.8, 0.2, -0.2, -0.8)
    ties: float = 0.4

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Draw models, people's outcomes and the judge's."""
        n, strengths = self.comparisons, np.array(self.strengths)
        one = rng.integers(0, 4, n)
        other = (one + rng.integers(1, 4, n)) % 4
        parts = np.stack([
            np.exp(strengths[one]), self.ties * np.exp((strengths[one] + strengths[other]) / 2), np.exp(strengths[other])
        ])  # fmt: skip
        edges = np.cumsum(parts / parts.sum(axis=0), axis=0)
        people = np.minimum((rng.random(n) > edges).sum(axis=0), 2)
        other_verdict = np.where(one == 3, 0, np.where(other == 3, 2, rng.integers(0, 3, n)))
        judge = np.where(rng.random(n) < self.right, people, other_verdict)
        return one, other, np.eye(3)[people], np.eye(3)[judge]


STRENGTH = {"naive": "strength of a model, judge alone", "people": "strength of a model, people alone"}
STRENGTH["powered"] = "strength of a model, prediction-powered"


def _compared(world: ComparedModels) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, PART, str(world))
        ends: dict[str, list[Interval | None]] = {name: [] for name in STRENGTH}
        names = tuple("abcd")
        for _ in range(repetitions):
            one, other, people, judge = world.draw(rng)
            rated = np.arange(len(one)) < world.rated
            known = np.where(rated[:, None], people, np.nan)
            fits = {
                "naive": bradley_terry(one, other, judge, names),
                "people": bradley_terry(one[rated], other[rated], people[rated], names),
                "powered": bradley_terry(one, other, judge, names, ratings=known),
            }
            for name, fit in fits.items():
                ends[name].append(fit.strengths[0].interval)
        return {STRENGTH[name]: covered(every, world.strengths[0]) for name, every in ends.items()}

    return run


def _compared_setting(world: ComparedModels) -> Setting:
    cases = (
        Case(STRENGTH["naive"], instead="people's ratings: strengths, prediction-powered"),
        Case(STRENGTH["people"], about=("interval:davidson, sandwich",)),
        Case(
            STRENGTH["powered"],
            about=("interval:davidson, prediction-powered",),
            instead="more ratings, or people's ratings: strengths, people alone",
        ),
    )
    return Setting(PART, f"{world.name}, {world.rated} rated", world.comparisons, cases, _compared(world))


WORLDS = (
    JudgedWorld("a judge that is 85 % right", 1000, 100, (0.6, 0.6), (0.85, 0.85), (0.85, 0.85)),
    JudgedWorld("a judge that is 85 % right", 1000, 50, (0.6, 0.6), (0.85, 0.85), (0.85, 0.85)),
    JudgedWorld("rates differ between strata", 1000, 100, (0.8, 0.3), (0.95, 0.7), (0.9, 0.6)),
    JudgedWorld("adversarial: a judge that is 60 % right", 500, 100, (0.7, 0.7), (0.6, 0.6), (0.6, 0.6)),
    JudgedWorld("adversarial: 95 % of answers right", 1000, 200, (0.95, 0.95), (0.95, 0.95), (0.7, 0.7)),
    JudgedWorld("fresh: half of the items rated", 300, 150, (0.5, 0.2), (0.9, 0.8), (0.75, 0.95)),
    NamedPairs(
        "adversarial: even models, a judge that is 75 % right", 1000, 200, (0.5, 0.5), (0.75, 0.75), (0.75, 0.75)
    ),
    NamedPairs("a judge that is 80 % right", 400, 100, (0.8, 0.8), (0.8, 0.8), (0.8, 0.8)),
    NamedPairs("named models, rates differ between strata", 1000, 100, (0.6, 0.6), (0.9, 0.7), (0.9, 0.7)),
)
SETTINGS = (
    *map(_corrected_setting, WORLDS),
    _favoured_setting(RatedModels("two models on the same items", 100, 2, 0.0, 0.0)),
    _favoured_setting(RatedModels("three models, verdicts of an item alike", 60, 3, 0.0, 1.5)),
    _favoured_setting(RatedModels("two models, the first favoured", 80, 2, 0.1, 0.0)),
    FewItems("adversarial: 8 items with 10 units each, all of one kind", 8, 10).setting(),
    FewItems("20 items with 10 units each, all of one kind", 20, 10).setting(),
    _compared_setting(ComparedModels("four models, a judge that is 85 % right", 1000, 100, 0.85)),
    _compared_setting(ComparedModels("four models, a judge that is 85 % right", 1000, 60, 0.85)),
    _compared_setting(ComparedModels("adversarial: a judge that is half right", 1000, 200, 0.5)),
    _compared_setting(
        ComparedModels(
            "adversarial: four models far apart, a judge that is 85 % right", 800, 50, 0.85, (1.5, 0.5, -0.5, -1.5), 0.3
        )
    ),
)
