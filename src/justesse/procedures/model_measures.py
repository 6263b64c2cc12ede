"""The measures of a model after a procedure, and the order of models by one of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from justesse.core.results import Estimate
from justesse.measures import ALL, Measure, averaged
from justesse.measures.ratio import Ratio
from justesse.procedures.run import OutOfSample
from justesse.procedures.score import fold_scores, rows_alone, score

MEASURES: dict[str, Measure] = {
    measure.name: averaged(measure, "macro") if isinstance(measure, Ratio) else measure for measure in ALL
}


def model_measures(runs: OutOfSample, model: str, *, level: float = 0.95) -> dict[str, Estimate]:
    """Compute every overall measure of one model, each with the interval its procedure calls for.

    Measures of a class, such as recall, are macro averages over the classes.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.run import run
    >>> estimates = model_measures(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True)), "bayes")
    >>> round(estimates["accuracy"].value, 2), estimates["recall"].average
    (0.95, 'macro')
    """
    return {
        name: replace(score(runs, model, measure, level=level).estimate, average=measure.average)
        for name, measure in MEASURES.items()
    }


def best_first(runs: OutOfSample, values: Mapping[str, float], measure: Measure) -> list[str]:
    """Order the models that answered at least once by their values of a measure, the best first.

    Models that failed in some splits come last: their values are of the other splits only.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.run import run
    >>> runs = run({"naive": DummyClassifier(), "bayes": GaussianNB()}, *load_iris(return_X_y=True))
    >>> best_first(runs, {"naive": 0.33, "bayes": 0.95}, MEASURES["accuracy"])
    ['bayes', 'naive']
    """

    def place(model: str) -> tuple[bool, bool, float]:
        value = values[model] if measure.greater_is_better else -values[model]
        return any(fit.failure for fit in runs.fits[model]), math.isnan(value), -value

    return sorted((model for model in runs.models if runs.answered(model)), key=place)


def complete_splits(runs: OutOfSample, models: Sequence[str], measure: Measure) -> dict[str, list[float]]:
    """Lay out a measure of each model in every split where all have a value.

    Returns an empty dict if there are fewer than two such splits, or if rows rather than splits vary.
    """
    if rows_alone(runs):
        return {}
    scores = fold_scores(replace(runs, fits={name: runs.fits[name] for name in models}), measure)
    splits = [
        values for values in zip(*(scores[name] for name in models), strict=True) if all(map(math.isfinite, values))
    ]
    return {name: [values[at] for values in splits] for at, name in enumerate(models)} if len(splits) > 1 else {}
