"""`justesse.evaluate(…, answers=…)`: one classifier against annotators instead of labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from justesse.core.choices import AnswersMethod, Missing, Repeated
from justesse.core.errors import InputError
from justesse.core.levels import named_class
from justesse.core.results import Alternative, Average, ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.memory import is_one_column
from justesse.frames.predicted_items import PredictionSource
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.posterior_estimates import posterior_estimates
from justesse.measures import OVERALL, PER_CLASS, Measure, averaged, fbeta
from justesse.measures.class_weighted_error import class_weighted_error
from justesse.measures.cost import cost as cost_measure
from justesse.report.document import Text
from justesse.verbs.answers.doubts import err_together, fit_warning, guessing_warning, swap_warning
from justesse.verbs.answers.evaluation import AnsweredEvaluation
from justesse.verbs.answers.judged_items import (
    BLIND,
    TRAINED,
    AnswerSettings,
    JudgedItems,
    draws_of,
    judged_items,
    mixing_warning,
    one_classifier,
    tie_warning,
)
from justesse.verbs.answers.rechecked import rechecked_codes, rechecked_measures
from justesse.verbs.evaluate.requirement import Which, requirement

OPTIONS = (
    "data", "answers", "audited", "on", "prediction", "classes", "positive", "cost", "class_weight", "beta", "level",
    "alternative", "draws", "seed", "require", "missing", "as_text", "item", "annotator", "answer", "repeated",
    "answers_method", "answers_only",
)  # fmt: skip


def evaluate_by_answers(
    data: Any,
    *,
    answers: Any,
    audited: Any,
    on: str | None,
    prediction: str | None,
    classes: Sequence[ClassName] | None,
    positive: ClassName,
    cost: Any,
    class_weight: Any,
    beta: float,
    level: float,
    alternative: Alternative,
    draws: int,
    seed: int,
    require: str | Sequence[str] | None,
    missing: Missing | None,
    as_text: bool,
    item: str | None,
    annotator: str | None,
    answer: str | None,
    repeated: Repeated,
    answers_method: AnswersMethod,
    answers_only: bool,
) -> AnsweredEvaluation:
    """Evaluate one classifier against annotators' answers.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays with ids and predictions.
    answers
        Path, data frame or dict of arrays with the answers.
    audited
        Path, data frame or dict of arrays with the ids and the true classes of items re-checked at random.
    on
        Column of the data with the id of the item.
    prediction
        Column of the data with the predictions.
    classes, positive, cost, class_weight, beta
        As in `evaluate`.
    level, alternative, draws, seed, require, missing, as_text
        As in `evaluate`.
    item, annotator, answer, repeated, answers_method, answers_only
        As in `evaluate`.

    Examples
    --------
    >>> answers = {"item": [*range(40)] * 3, "annotator": ["a"] * 40 + ["b"] * 40 + ["c"] * 40, "answer": [0, 1] * 60}
    >>> predictions = {"id": [*range(40)], "prediction": [0, 1] * 18 + [1, 0] * 2}
    >>> import justesse
    >>> round(justesse.evaluate(predictions, answers=answers)["accuracy"].value, 2)
    0.9
    """
    if data is None or isinstance(data, Tally) or is_one_column(data):
        raise InputError("Answers are joined to predictions by an id. Pass the data as a path, a frame or a dict.")
    data, answers, audited = watched(data), watched(answers), watched(audited)
    confidence = Confidence(level, alternative, draws=draws, seed=seed)
    options = AnswerSettings(answers_method, answers_only, item, annotator, answer, repeated, classes, as_text)
    items = judged_items([PredictionSource(data, prediction)], answers, options, on=on, missing=missing)
    positive = named_class(positive, items.classes)
    measures = _measures(items, cost, class_weight, beta)
    predicted, imagined = one_classifier(items)
    truth = draws_of(items, predicted, seed)
    votes = truth if truth.method == "majority" else draws_of(items, predicted, seed, majority=True)
    estimates = posterior_estimates(truth.tables, imagined, items.classes, measures, confidence)
    by_vote = estimate(vote_tally(votes.tables[0], items), measures, confidence)
    values = [each.estimate for each in estimates]
    checked, outside = None, list[Text]()
    if audited is not None:
        true, outside = rechecked_codes(audited, items, on)
        checked = rechecked_measures(items, truth.label, true, confidence)
    which: Which = "answers" if checked is None else "re-checked"
    better = values if checked is None else checked.figures
    texts = (require,) if isinstance(require, str) else tuple(require or ())
    table = truth.tables.mean(axis=0)
    warnings: list[Text | None] = [
        swap_warning(table, items.classes),
        mixing_warning(truth),
        *(checked.warnings if checked else ()),
        fit_warning(truth, rechecked=checked is not None) if err_together(truth) else None,
        *outside,
        *(warning for warning in items.warnings if checked is None or warning not in (TRAINED, BLIND)),
        guessing_warning(truth, items.annotations),
        tie_warning(votes),
        None if err_together(truth) or checked else fit_warning(truth),
    ]
    check_unchanged(data, answers, audited)
    return AnsweredEvaluation(
        estimates=tuple(estimates),
        by_vote=tuple(_same_order(by_vote, values)),
        table=table,
        items=items,
        truth=truth,
        positive=positive,
        confidence=confidence,
        requirements=tuple(requirement(text, values, alternative, better, which) for text in texts),
        warnings=tuple(str(warning) for warning in warnings if warning),
        source=data,
        answers_source=answers,
        rechecked=checked,
        audited_source=audited,
    )


def vote_tally(table: Any, items: JudgedItems) -> Tally:
    """Make a tally of the majority votes and the predictions."""
    square = np.zeros((items.n_columns, items.n_columns), dtype=np.int64)
    square[: len(items.classes)] = table
    return replace(Tally.from_dense(square, (*items.classes, *items.others)), others=items.others)


def _measures(items: JudgedItems, cost: Any, class_weight: Any, beta: float) -> list[Measure]:
    per_class = (*PER_CLASS, *([fbeta(beta)] if beta != 1 else []))
    extras: list[Measure] = []
    if cost is not None:
        from justesse.frames.costs import cost_table

        names = (*items.classes, *items.others)
        extras.append(cost_measure(cost_table(cost, names, others=items.others)))
    if class_weight is not None:
        from justesse.frames.costs import class_weight_list

        weights = np.zeros(items.n_columns)
        weights[: len(items.classes)] = class_weight_list(class_weight, items.classes)
        extras.append(class_weighted_error(weights))
    averages = [averaged(measure, how) for measure in per_class for how in get_args(Average)]
    return [*OVERALL, *extras, *averages, *per_class]


def _same_order(estimates: Sequence[Estimate], order: Sequence[Estimate]) -> list[Estimate]:
    by_key = {_key(each): each for each in estimates}
    return [by_key[_key(each)] for each in order]


def _key(each: Estimate) -> tuple[Any, ...]:
    return each.name, each.average, each.beta, repr(each.class_name)
