"""The figures of one judge: rates of models, corrected in several ways, its error rates, and strengths."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import JudgedAbout
from justesse.core.results import Estimate, TestResult
from justesse.intervals.bounded_mean import bounded_mean
from justesse.intervals.bradley_terry import Strengths, bradley_terry
from justesse.intervals.clustered import clustered_share
from justesse.intervals.discrete_mean import sample_worth
from justesse.intervals.judge_rates import JudgeRates, judge_rates
from justesse.intervals.prediction_powered import PredictionPowered, Stratum, label_worth, prediction_powered
from justesse.intervals.rogan_gladen import JudgedUnits, rogan_gladen, rogan_gladen_strata
from justesse.significance.constant_rates import constant_rates
from justesse.verbs.llm_judge.units import ItemMeans, JudgeUnits, ModelSides, equal_rows
from justesse.verbs.llm_judge.words import NO_RATINGS, JudgedMethod

ENOUGH = 10  # rated items in every stratum from which strata are used for the first figure
HELPS = 1.05  # how many times the number of ratings a judge must be worth


@dataclass(frozen=True)
class ModelFigures:
    """Win rate or accuracy of one model by one judge.

    Parameters
    ----------
    model
        Name of the model; `None` for the first output of pairs without models.
    estimates
        The figure by each method.
    powered
        The tuned prediction-powered figure without strata, if people rated.
    by
        The method to use: prediction-powered, by strata if each has ten ratings or more.
    """

    model: str | None
    estimates: dict[JudgedMethod, Estimate]
    powered: PredictionPowered | None
    by: JudgedMethod

    @property
    def best(self) -> Estimate:
        """The figure to use."""
        return self.estimates[self.by]

    @property
    def worth(self) -> float:
        """Number of ratings that alone would give an interval as narrow as the judge and the ratings give."""
        people, best = self.estimates.get("people"), self.best
        if people is None or people.interval is None or best.interval is None or self.by == "naive":
            return math.nan
        return label_worth(people.n, people.interval, best.interval)

    @property
    def helps(self) -> bool | None:
        """Whether the judge narrows the interval; `None` without ratings, or if people rated everything."""
        people = self.estimates.get("people")
        if people is None or math.isnan(self.worth) or people.n == self.estimates["naive"].n:
            return None
        return self.worth >= HELPS * people.n


def model_figures(
    sides: ModelSides, rates: JudgeRates | None, by_stratum: dict[int, JudgeRates], model: str | None, *, name: str,
    about: JudgedAbout, level: float,
) -> ModelFigures:  # fmt: skip
    """Compute the figure of one model by every method.

    Parameters
    ----------
    sides
        The model's units.
    rates, by_stratum
        Rates of the judge over all models, and in each stratum; nothing without ratings.
    model
        Name of the model.
    name
        Name of the figure.
    about, level
        As in `llm_judge`.
    """
    items = sides.by_item()
    estimates: dict[JudgedMethod, Estimate] = {"naive": _mean(items.value, len(items.value), name, level)}
    rated = items.rated
    if rates is None or rated.sum() < 2:
        reason = NO_RATINGS if rates is None else "people rated fewer than two items of this model"
        nothing = Estimate(name, math.nan, int(rated.sum()), undefined=reason, is_share=True)
        if rates is not None:
            estimates |= {"people": nothing, "rogan_gladen": _pooled(items, rates, name, about, level)}
        return ModelFigures(model, estimates, None, "rogan_gladen" if rates is not None else "naive")
    powered = prediction_powered([_stratum(items, np.ones(len(rated), dtype=bool))], about=about, level=level)
    weights = items.weights(rated)
    many = float(rated.sum()) if weights is None else equal_rows(weights)
    worth = many if about == "population" else sample_worth(many, len(rated), items.known(rated))
    estimates["people"] = _mean(items.rating[rated], worth, name, level, weights)
    estimates["rogan_gladen"] = _pooled(items, rates, name, about, level)
    by: JudgedMethod = "prediction_powered"
    strata = np.unique(items.stratum)
    if len(strata) > 1:
        empty = JudgeRates(*(judge_rates([], []).high,) * 2)
        parts = [(_judged(items, items.stratum == code), by_stratum.get(int(code), empty)) for code in strata]
        estimates["rogan_gladen_strata"] = rogan_gladen_strata(parts, about=about, level=level, name=name)
    estimates["prediction_powered"] = _powered(powered, name)
    if len(strata) > 1:
        own = prediction_powered([_stratum(items, items.stratum == code) for code in strata], about=about, level=level)
        estimates["prediction_powered_strata"] = _powered(own, name)
        if min(int((rated & (items.stratum == code)).sum()) for code in strata) >= ENOUGH:
            by = "prediction_powered_strata"
    return ModelFigures(model, estimates, powered, by)


def _powered(result: PredictionPowered, name: str) -> Estimate:
    return Estimate(name, min(max(result.value, 0.0), 1.0), result.n, result.interval, is_share=True)


def _pooled(items: ItemMeans, rates: JudgeRates, name: str, about: JudgedAbout, level: float) -> Estimate:
    return rogan_gladen(
        _judged(items, np.ones(len(items.value), dtype=bool)), rates, about=about, level=level, name=name
    )


def _judged(items: ItemMeans, chosen: Array) -> JudgedUnits:
    value, known = items.value[chosen], chosen & items.rated
    return JudgedUnits(
        float(value.mean()), len(value), items.item[known], items.guess[known], items.rating[known], items.part[known]
    )


def _stratum(items: ItemMeans, chosen: Array) -> Stratum:
    proxies, rows = np.unique(items.value[chosen].round(9), return_counts=True)
    known = chosen & items.rated
    pairs, at = np.unique(np.stack([items.rating[known], items.guess[known].round(9)]), axis=1, return_inverse=True)
    weights = items.weights(known)
    labelled = np.bincount(at.ravel(), weights, minlength=pairs.shape[1])
    effective = None if weights is None else equal_rows(weights)
    return Stratum(proxies, rows, pairs[0], pairs[1], labelled, known=items.known(known), effective=effective)


def _mean(values: Array, worth: float, name: str, level: float, weights: FloatArray | None = None) -> Estimate:
    """Give the mean of values from 0 to 1 its interval; they tell as much as so many rows of an endless supply."""
    n = len(values)
    mean = float(np.average(values, weights=weights))
    if math.isinf(worth):
        return Estimate(name, mean, n, undefined="no interval: people rated every item", is_share=True)
    error = 0.0
    if n > 1:  # items that weigh more may vary more
        ways = [None] if weights is None else [weights, weights**2]
        squares = [float(np.average((values - mean) ** 2, weights=way)) for way in ways]
        error = math.sqrt(max(squares) * n / (n - 1) / worth)
    [ends] = bounded_mean(mean, error, worth, top=1.0, level=level).intervals()
    return Estimate(name, mean, n, ends, is_share=True)


@dataclass(frozen=True)
class JudgeErrors:
    """How one judge errs, by units that people rated.

    Parameters
    ----------
    agreement, by_stratum
        Share of verdicts that equal people's rating, in all and in each stratum.
    rates, stratum_rates, model_rates
        Mean verdicts where people rate 1 and 0: in all, in each stratum, of each model judged.
    tests
        Tests that the rates are the same in all strata ("strata") and for all models ("models").
    """

    agreement: Estimate
    by_stratum: dict[str, Estimate]
    rates: JudgeRates
    stratum_rates: dict[str, JudgeRates]
    model_rates: dict[str, JudgeRates]
    tests: dict[str, TestResult]


def judge_errors(units: JudgeUnits, *, level: float, draws: int, seed: int) -> JudgeErrors | None:
    """Measure how a judge errs; nothing if people rated no unit that it judged."""
    rated = units.rated
    if not rated.any():
        return None
    verdicts, sides = units.verdicts, units.sides()
    sides = sides.chosen(sides.rated)
    tests = {}
    # in pairs with models either model may come first: whether the verdict is people's matters, not which it is
    either = verdicts.pairs and bool(verdicts.models)
    value = units.agreement[rated] if either else units.value[rated]
    rating = (units.rating[rated] == 0.5).astype(float) if either else units.rating[rated]
    size = max(len(verdicts.models), 1)
    for about, groups in (("strata", units.stratum), ("models", units.first * size + units.second)):
        if len(np.unique(groups[rated])) > 1:
            tests[about] = constant_rates(value, rating, groups[rated], units.item[rated], draws=draws, seed=seed)
    return JudgeErrors(
        _agreement(units, rated, level),
        {
            label: _agreement(units, rated & (units.stratum == code), level)
            for code, label in _strata(verdicts.strata, units.stratum[rated])
        },
        judge_rates(sides.value, sides.rating, sides.item),
        {
            label: judge_rates(part.value, part.rating, part.item)
            for code, label in _strata(verdicts.strata, sides.stratum)
            for part in [sides.chosen(sides.stratum == code)]
        },
        {
            label: judge_rates(part.value, part.rating, part.item)
            for code, label in enumerate(verdicts.models)
            for part in [sides.chosen(sides.model == code)]
            if len(part.value)
        },
        tests,
    )


def _strata(names: Sequence[str], codes: Array) -> list[tuple[int, str]]:
    present = np.unique(codes).tolist()
    return [(code, names[code] if code >= 0 else "none") for code in present] if len(names) > 0 else []


def _agreement(units: JudgeUnits, chosen: Array, level: float) -> Estimate:
    equal, item = units.equal[chosen], np.unique(units.item[chosen], return_inverse=True)[1]
    value, n = float(equal.mean()), len(equal)
    if int(item.max()) < 1:
        return Estimate("agreement", value, n, undefined="people rated one item only", is_share=True)
    [ends] = clustered_share(np.bincount(item, equal), np.bincount(item), level=level).intervals()
    return Estimate("agreement", value, n, ends, is_share=True)


def strengths_of(units: JudgeUnits, level: float) -> dict[JudgedMethod, Strengths]:
    """Fit strengths of models to the verdicts, to people's ratings, and to verdicts corrected by ratings."""
    verdicts = units.verdicts
    if not verdicts.pairs or len(verdicts.models) < 2:
        return {}
    pairs = (units.first, units.second)
    rated, models = units.rated, verdicts.models
    result: dict[JudgedMethod, Strengths] = {
        "naive": bradley_terry(*pairs, units.shares, models, clusters=units.item, level=level)
    }
    if rated.sum() > 1:
        people = np.where(rated[:, None], units.rating[:, None] == np.array([1.0, 0.5, 0.0]), np.nan)
        result["people"] = bradley_terry(
            pairs[0][rated], pairs[1][rated], people[rated], models, clusters=units.item[rated], level=level
        )
        result["prediction_powered"] = bradley_terry(
            *pairs, units.shares, models, ratings=people, clusters=units.item, level=level
        )
    return result
