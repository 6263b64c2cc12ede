"""`justesse.annotators_infer`: the probable class of each item, and how good each annotator is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.annotators.cards import annotator_cards
from justesse.annotators.dependence import dependent_pairs, discounted, independent_weights
from justesse.annotators.drift import drifts
from justesse.annotators.item_features import ItemFeatures
from justesse.annotators.models import fitted, model_named
from justesse.annotators.refits import refits
from justesse.annotators.support import WholeTables
from justesse.core.annotations import Annotations
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.frames.annotations import Repeated
from justesse.verbs.annotators.inference import Inference
from justesse.verbs.annotators.options import AnswerColumnOptions, Method, ModelOptions
from justesse.verbs.annotators.read import read_answers

REFIT_LIMIT = 20_000_000  # answers times classes times refits, beyond which intervals take too long


def annotators_infer(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    time: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    ignore_case: bool = False,
    repeated: Repeated = AnswerColumnOptions.repeated,
    gold: Any = None,
    method: Method = ModelOptions.method,
    prior: float = ModelOptions.prior,
    starts: int = ModelOptions.starts,
    level: float = ModelOptions.level,
    draws: int = ModelOptions.draws,
    seed: int = ModelOptions.seed,
) -> Inference:
    """Infer the probable class of each item from several annotators' answers.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.

    Examples
    --------
    >>> answers = {"item": [1, 1, 1, 2, 2, 2], "annotator": list("abcabc"), "answer": ["x", "x", "y", "y", "y", "y"]}
    >>> annotators_infer(answers, method="majority").truth()["class"]
    ['x', 'y']
    """
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated, gold=gold,
    )  # fmt: skip
    notes = read.annotations
    model_named(method)
    options: dict[str, Any] = {}
    if method == "dawid-skene":
        options = {"prior": prior, "starts": starts, "seed": seed}
    elif prior or starts != ModelOptions.starts:
        raise OptionError(f"The method {method} takes neither prior nor starts; they belong to dawid-skene.")
    if method in ("mace", "hierarchical", "item-response"):
        options["seed"] = seed
    warnings = list(read.warnings)
    fit = fitted(method, notes, **options)
    again = None
    if method == "dawid-skene" and draws:
        if len(notes) * notes.n_classes * draws > REFIT_LIMIT * 10:
            warnings.append("Too many answers to fit the model again: intervals take the consensus for the truth.")
        else:
            again = refits(fit, draws=draws, seed=seed)
    pairs = ()
    changed = None
    if method == "dawid-skene" and isinstance(fit.support.tables, WholeTables) and notes.n_annotators <= 2_000:
        pairs = tuple(dependent_pairs(fit))
        weights = independent_weights(notes.n_annotators, list(pairs))
        if (weights < 1).any():
            label = fit.support.best(discounted(fit, weights))[0]
            changed = int((label != fit.label).sum())
    trend = tuple(drifts(fit, level=level)) if notes.time is not None else ()
    return Inference(
        fit,
        tuple(annotator_cards(fit, again, level=level)),
        again,
        pairs,
        changed,
        trend,
        level,
        seed,
        (*warnings, *fit.warnings),
        data,
    )
