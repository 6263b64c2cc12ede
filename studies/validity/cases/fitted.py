"""Intervals of errors and of learning curves, which need fitted models: `make validity-models`."""

import math
from collections.abc import Callable, Mapping
from functools import cache

from studies.validity.case import Case, Hits, Setting, covered, rejected
from studies.validity.procedures import BAYES_ERROR, DRAWS, PROBLEMS, N, one_curve, one_data_set, true_error

Run = Callable[[int, int], Mapping[str, Hits]]
PROCEDURES = (
    *("holdout of a fifth", "10 holdouts of a fifth", "10-fold", "10-fold, 3 times", "5x2", "leave-one-out"),
    *("bootstrap, second draw", "bootstrap, out of bag", "bootstrap, .632", "bootstrap, .632+"),
)
LEARNERS = ("nearest centroid", "one neighbour")
CURVES = {"limit": "limit of the learning curve", "doubled": "error with twice the rows", "tenfold": "error with ten times the rows"}  # fmt: skip
ONE_LIMIT = "training and test error have one limit"
ROWS, FEWER = 200, 150


def _errors(problem: str) -> Run:
    """Cover the true error of the model trained on all rows."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        tried = [one_data_set(problem, 10_000 * seed + at) for at in range(repetitions)]
        truths = [item.true for item in tried]
        return {f"error, {name}": covered([item.said[name].interval for item in tried], truths) for name in PROCEDURES}

    return run


_true_error = cache(true_error)


def _curves(learner: str) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        curves = [one_curve(learner, 10_000 * seed + at, ROWS) for at in range(repetitions)]
        last = curves[0].points[-1].rows
        truths = {"doubled": _true_error(learner, 2 * last), "tenfold": _true_error(learner, 10 * last)}
        hits = {
            CURVES[name]: covered([getattr(one, name).interval for one in curves], true)
            for name, true in truths.items()
        }
        if learner == "nearest centroid":  # its training errors converge to the Bayes error
            hits[CURVES["limit"]] = covered([one.limit.interval for one in curves], BAYES_ERROR)
        return hits

    return run


def _procedure_cases() -> tuple[Case, ...]:
    instead = {"bootstrap, second draw": "out-of-bag or .632+", "bootstrap, .632": ".632+"}
    return tuple(
        Case(f"error, {name}", about=("interval:bootstrap-delta",), instead=instead.get(name, "repeated folds"))
        for name in PROCEDURES
    )


def _limits(repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Test whether training and test errors of a nearest centroid have one limit, which they have."""
    curves = [one_curve("nearest centroid", 10_000 * seed + at, FEWER) for at in range(repetitions)]
    pvalues = [math.nan if one.shared.pvalue is None else one.shared.pvalue for one in curves]
    return {ONE_LIMIT: rejected(pvalues, "residual test of one limit")}


SETTINGS = (
    *(
        Setting("models", problem, N, _procedure_cases(), _errors(problem), repetitions=400, chunk=50, models=True, draws=DRAWS)
        for problem in PROBLEMS
    ),
    *(
        Setting(
            "curves",
            f"{learner}, learning curve of {ROWS} rows",
            ROWS,
            tuple(Case(words, about=("interval:bootstrap-of-splits",)) for name, words in CURVES.items() if name != "limit" or learner == "nearest centroid"),
            _curves(learner),
            repetitions=400,
            chunk=25,
            models=True,
        )
        for learner in LEARNERS
    ),
    Setting("limits", "nearest centroid, whose training and test errors have one limit", FEWER, (Case(ONE_LIMIT, "size", ("p-value:shared_limit",)),), _limits, repetitions=400, chunk=25, models=True),
)  # fmt: skip
