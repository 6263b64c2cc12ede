"""Predictions and annotators' answers to the same items, and draws of the true classes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from justesse.annotators.bayesian import MIXED
from justesse.annotators.repeated_predictions import RepeatedPredictions, repeated_predictions
from justesse.annotators.truth_draws import PredictedItems, TruthDraws, truth_draws
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.choice import check_choice
from justesse.core.choices import AnswersMethod, Missing, Repeated
from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName
from justesse.frames.annotations import read_annotations
from justesse.frames.predicted_items import JoinedPredictions, PredictionSource, joined_predictions
from justesse.intervals.posterior_mixture import imagined_pairs, imagined_rows
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.answers.doubts import repeated_warnings, repeats

OTHERS = "(other)"
BY_CHANCE = 0.001  # probability of as many equal answers below which they are no coincidence
SAME = 20  # shared items from which an annotator who always agrees with a classifier is treated as it
FEW_ANSWERS = 2
DENSE = 10_000  # cells of class × pair of predictions up to which all pairs have a code
TRAINED = (
    "If the classifier was trained on these answers, or on labels made from them, it repeats their mistakes and looks "
    "better than it is. Then infer the truth from the answers alone (answers_only=True, --answers-only)."
)
BLIND = (
    "The true classes were inferred without the predictions. A classifier that knows more than these annotators looks "
    "worse than it is."
)


@dataclass(frozen=True)
class AnswerSettings:
    """How the answers are read and the true classes are inferred."""

    method: AnswersMethod
    answers_only: bool
    item: str | None
    annotator: str | None
    answer: str | None
    repeated: Repeated
    classes: Sequence[ClassName] | None
    as_text: bool

    def __post_init__(self) -> None:
        check_choice("answers_method", self.method, AnswersMethod)
        check_choice("repeated", self.repeated, Repeated)


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """Answers and predictions of the same items, and what to be careful about."""

    annotations: Annotations
    joined: JoinedPredictions
    options: AnswerSettings
    own: tuple[ClassName, ...]  # annotators who are a classifier under judgement
    warnings: tuple[Text, ...]
    repeating: tuple[ClassName, ...] = ()  # annotators left out because they repeat predictions

    @property
    def classes(self) -> tuple[ClassName, ...]:
        return self.annotations.classes

    @property
    def n_columns(self) -> int:
        """Number of predictions there can be: the classes, and one for all others if there are any."""
        return len(self.classes) + int((self.joined.codes == len(self.classes)).any())

    @property
    def others(self) -> tuple[ClassName, ...]:
        """The name of all predictions that are no class, if there are any."""
        return (OTHERS,) * (self.n_columns - len(self.classes))

    @property
    def n_annotators(self) -> int:
        return int((self.annotations.per_annotator > 0).sum())

    def facts(self) -> dict[str, Any]:
        """Say how much there is of everything, for JSON."""
        joined = self.joined
        return {
            "items": int((self.annotations.per_item > 0).sum()),
            "answers": len(self.annotations),
            "annotators": self.n_annotators,
            "method": self.options.method,
            "answers_only": self.options.answers_only,
            "rows_without_answers": joined.unanswered,
            "items_without_prediction": joined.unpredicted + joined.dropped,
            "missing_predictions_wrong": joined.missing,
            "other_classes": list(joined.strangers),
            "left_out_annotators": [*self.own, *self.repeating],
        }

    def columns(self) -> dict[str, Any]:
        return {"on": self.joined.on, "prediction": list(self.joined.columns)}


def judged_items(
    sources: Sequence[PredictionSource],
    answers: Any,
    options: AnswerSettings,
    *,
    on: str | None,
    common: bool = False,
    missing: Missing | None = None,
) -> JudgedItems:
    """Read answers and predictions, and join them.

    Parameters
    ----------
    sources
        Where the predictions of the classifiers are.
    answers
        Path, data frame or dict of arrays with the answers.
    options
        How they are read.
    on
        Column of the predictions with the id.
    common
        Use only the ids that all tables have.
    missing
        What to do with missing predictions.
    """
    if options.method not in get_args(AnswersMethod):
        methods = ", ".join(get_args(AnswersMethod))
        raise OptionError(f"answers_method must be one of {methods}; got {options.method!r}.")
    read = read_annotations(
        answers,
        item=options.item,
        annotator=options.annotator,
        answer=options.answer,
        classes=options.classes,
        repeated=options.repeated,
        as_text=options.as_text,
    )
    notes = read.annotations
    if notes.n_classes < 2:
        raise InputError(
            f"All answers in {read.name} are {notes.classes[0]!r}. Name all classes with classes=… (--classes)."
        )
    joined = joined_predictions(
        sources, notes, read.name, on=on, common=common, missing=missing, as_text=options.as_text
    )
    own = _classifiers_among(notes, joined)
    names = tuple(notes.annotators[at] for at in own)
    if own:
        notes = notes.without(own)
        if not len(notes):
            raise InputError(f"All answers in {read.name} are the classifier's own predictions. Ask people, too.")
    repeated = [] if options.method == "majority" else _repeated(notes, joined)
    out = [each.annotator for each in repeated if repeats(each)]
    loud = repeated_warnings(repeated, notes.annotators)
    notes = notes.without(out) if out else notes
    part = JudgedItems(notes, joined, options, names, (), tuple(notes.annotators[at] for at in out))
    return replace(part, warnings=(*loud, *read.warnings, *_warnings(part)))


def draws_of(items: JudgedItems, predicted: PredictedItems, seed: int, *, majority: bool = False) -> TruthDraws:
    """Draw the true classes, or count the majority votes."""
    return truth_draws(
        items.annotations,
        predicted,
        method="majority" if majority else items.options.method,
        answers_only=items.options.answers_only,
        seed=seed,
    )


def one_classifier(items: JudgedItems, which: int = 0) -> tuple[PredictedItems, FloatArray]:
    """Give the predictions of one classifier for the model, and the rows imagined for its intervals."""
    k, columns = len(items.classes), items.n_columns
    right = np.arange(k)
    return PredictedItems(items.joined.codes[which], columns, right), imagined_rows(k, right, columns)


@dataclass(frozen=True, eq=False)
class PredictedPair:
    """Predictions of two classifiers as one code, and how to get each classifier's table back from it."""

    predicted: PredictedItems
    imagined: FloatArray
    first: Array  # prediction of the incumbent by code
    second: Array  # prediction of the candidate by code
    n_columns: int

    @property
    def sides(self) -> tuple[Array, Array]:
        """Code × prediction matrices: a table of codes times one of them is that classifier's table."""
        ours, theirs = (np.eye(self.n_columns)[side] for side in (self.first, self.second))
        return ours, theirs


def two_classifiers(items: JudgedItems, incumbent: int, candidate: int) -> PredictedPair:
    """Code the predictions of two classifiers together: all pairs, or those that occur if there are many classes."""
    k, columns = len(items.classes), items.n_columns
    ours, theirs = items.joined.codes[incumbent], items.joined.codes[candidate]
    known = (ours >= 0) & (theirs >= 0)
    code = np.where(known, ours * columns + theirs, -1)
    pairs = np.arange(columns * columns)
    if k * columns * columns > DENSE:
        pairs = np.unique(code[known])
        code = np.where(known, np.searchsorted(pairs, code), -1)
    first, second = np.divmod(pairs, columns)
    right = np.full(k, -1)
    both = np.flatnonzero((first == second) & (first < k))
    right[first[both]] = both
    return PredictedPair(
        PredictedItems(code, len(pairs), right), imagined_pairs(k, first, second), first, second, columns
    )


def mixing_warning(draws: TruthDraws) -> Text | None:
    """Warn if the chains of the sampler tell different stories."""
    if draws.rhat is None or draws.rhat <= MIXED:
        return None
    return message(
        "The chains have not mixed after {n:count draw} (R-hat {rhat:ratio}): the answers hardly tell the classes. Doubt the "
        "intervals, and collect more answers per item.",
        n=len(draws.tables),
        rhat=draws.rhat,
    )


def tie_warning(votes: TruthDraws) -> Text | None:
    """Say that items with tied votes are not in the figures of the majority vote."""
    if not votes.undecided:
        return None
    return message(
        "{n:count item} with tied votes left out of the figures by majority vote.",
        n=votes.undecided,
    )


def _classifiers_among(notes: Annotations, joined: JoinedPredictions) -> list[int]:
    """Find annotators whose every answer is the prediction of one of the classifiers, more often than by chance.

    Two who are both mostly right agree often. So many equal answers in a row must be rarer than `BY_CHANCE`, divided by
    the number of annotators, at the rate at which the other annotators agree with the classifier.
    """
    copies = set()
    people = notes.n_annotators
    for codes in joined.codes:
        theirs: Array = codes[notes.item]
        known = theirs >= 0
        total = np.bincount(notes.annotator[known], minlength=people)
        equal = np.bincount(notes.annotator[known & (theirs == notes.answer)], minlength=people)
        rate = (equal.sum() - equal) / np.maximum(total.sum() - total, 1)
        tested = total >= SAME
        risk = BY_CHANCE / max(int(tested.sum()), 1)
        copies |= set(np.flatnonzero(tested & (equal == total) & (rate**total < risk)).tolist())
    return sorted(copies)


def _repeated(notes: Annotations, joined: JoinedPredictions) -> list[RepeatedPredictions]:
    """Find annotators who repeat the predictions of one of the classifiers, each once."""
    by_annotator: dict[int, RepeatedPredictions] = {}
    for codes in joined.codes:
        for each in repeated_predictions(notes, codes):
            kept = by_annotator.get(each.annotator)
            if kept is None or each.pvalue < kept.pvalue:
                by_annotator[each.annotator] = each
    return sorted(by_annotator.values(), key=lambda each: each.pvalue)


def _warnings(items: JudgedItems) -> list[Text]:
    joined, notes = items.joined, items.annotations
    warnings: list[Text] = []
    if items.n_annotators == 1:
        warnings.append(
            "There is one annotator: nothing can be learnt about that annotator's mistakes. The figures rest on the model's "
            "prior. Collect answers of others."
        )
    elif float(np.mean(notes.per_item[notes.per_item > 0])) < FEW_ANSWERS:
        warnings.append(
            message(
                "Items have {mean:ratio} answers on average: little is known about the annotators' mistakes. Collect more.",
                mean=float(np.mean(notes.per_item[notes.per_item > 0])),
            )
        )
    if items.own:
        warnings.append(
            message(
                "Left out of the annotators, because all their answers are a classifier's predictions: {names:names}. The "
                "model takes the predictions into account anyway.",
                names=list(items.own),
            )
        )
    if joined.unanswered:
        warnings.append(
            message(
                "{n:count row} of predictions without an answer left out. If nobody answered hard items, the figures are too "
                "good.",
                n=joined.unanswered,
            )
        )
    if joined.unpredicted:
        warnings.append(
            message(
                "{n:count answered item} without a prediction: used to learn about the annotators only.",
                n=joined.unpredicted,
            )
        )
    if joined.dropped:
        warnings.append(message("{n:count item} with a missing prediction left out.", n=joined.dropped))
    if joined.missing:
        warnings.append(message("{n:count missing prediction} counted as wrong.", n=joined.missing))
    if joined.stray:
        warnings.append(
            message(
                "{n:count prediction} of a class that nobody answered ({names:names}) counted as wrong.",
                n=joined.stray,
                names=list(joined.strangers),
            )
        )
    if items.options.method != "majority":
        warnings += [BLIND if items.options.answers_only else TRAINED]
    return warnings
