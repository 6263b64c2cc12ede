"""`justesse.compare(…, answers=…)`: should the candidate replace the incumbent, by annotators' answers?"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.case import Case
from justesse.core.choices import AnswersMethod, Missing, Repeated
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import named_class
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict, decide
from justesse.frames.costs import cost_table
from justesse.frames.memory import is_one_column
from justesse.frames.predicted_items import PredictionSource
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Confidence
from justesse.intervals.posterior_estimates import confusion_of, difference_estimate, posterior_difference
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.words import reason
from justesse.measures import HEADLINE
from justesse.measures.cost import Cost
from justesse.report.document import Text
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.selection import check_tried
from justesse.verbs.answers.comparison import AnsweredComparison, AnsweredDifference, JudgedByAnswers
from justesse.verbs.answers.doubts import err_together, fit_warning, guessing_warning, swap_warning
from justesse.verbs.answers.judged_items import (
    BLIND,
    TRAINED,
    AnswerSettings,
    JudgedItems,
    PredictedPair,
    draws_of,
    judged_items,
    mixing_warning,
    tie_warning,
    two_classifiers,
)
from justesse.verbs.answers.rechecked import rechecked_codes, rechecked_difference
from justesse.verbs.compare.paired_answers import table_names

OPTIONS = (
    "data", "candidates", "incumbent", "candidate", "answers", "audited", "on", "common", "prediction", "classes", "measure",
    "positive", "cost", "margin", "tried", "level", "alternative", "draws", "seed", "missing", "as_text", "item",
    "annotator", "answer", "repeated", "answers_method", "answers_only",
)  # fmt: skip


def compare_by_answers(
    data: Any,
    *,
    candidates: Sequence[Any],
    incumbent: str | None,
    candidate: str | Sequence[str] | None,
    answers: Any,
    audited: Any,
    on: str | None,
    common: bool,
    prediction: str | None,
    classes: Sequence[ClassName] | None,
    measure: str | None,
    positive: ClassName,
    cost: Any,
    margin: float,
    tried: int | None,
    level: float,
    alternative: Alternative,
    draws: int,
    seed: int,
    missing: Missing | None,
    as_text: bool,
    item: str | None,
    annotator: str | None,
    answer: str | None,
    repeated: Repeated,
    answers_method: AnswersMethod,
    answers_only: bool,
) -> AnsweredComparison:
    """Compare classifiers by annotators' answers instead of labels.

    Parameters
    ----------
    data
        The incumbent's table, or one table with the predictions of all.
    candidates
        Tables of the candidates.
    incumbent, candidate
        Columns of one table.
    answers
        Path, data frame or dict of arrays with the answers.
    audited
        Path, data frame or dict of arrays with the ids and the true classes of items re-checked at random.
    on, common, prediction, classes, measure, positive, cost, margin, tried
        As in `compare`.
    level, alternative, draws, seed, missing, as_text
        As in `compare`.
    item, annotator, answer, repeated, answers_method, answers_only
        As in `compare`.

    Examples
    --------
    >>> answers = {"item": [*range(60)] * 3, "annotator": ["a"] * 60 + ["b"] * 60 + ["c"] * 60, "answer": [0, 1] * 90}
    >>> table = {"id": [*range(60)], "old": [0, 0] * 30, "new": [0, 1] * 29 + [1, 0]}
    >>> import justesse
    >>> justesse.compare(table, incumbent="old", candidate="new", answers=answers).decision
    'replace'
    """
    data, answers, audited = watched(data), watched(answers), watched(audited)
    names, sources = _sources(data, tuple(map(watched, candidates)), incumbent, candidate, prediction)
    options = AnswerSettings(answers_method, answers_only, item, annotator, answer, repeated, classes, as_text)
    items = judged_items(sources, answers, options, on=on, common=common, missing=missing)
    shown = len(names) - 1
    total = max(shown, check_tried(tried)) if tried is not None else shown
    if tried is not None and tried < shown:
        raise OptionError(f"{shown} candidates are shown, so at least {shown} were tried; got tried={tried!r}.")
    rule = Rule(margin, simultaneous_level(level, total), alternative, draws, seed)
    asked = _asked(items, measure or ("accuracy" if cost is None else "cost"), positive, cost)
    asked.check_margin(margin)
    warnings: list[Text | None] = [*items.warnings]
    true: Array | None = None
    if audited is not None:
        if asked.name != "accuracy":
            raise OptionError(
                f"Re-checked items put a difference of accuracy right, not of {asked.words}. Use measure='accuracy' "
                "(--measure accuracy), or leave out audited (--audited)."
            )
        true, outside = rechecked_codes(audited, items, on)
        warnings = [*outside, *(warning for warning in warnings if warning not in (TRAINED, BLIND))]
    judged = []
    for which in range(1, shown + 1):
        part, cautions = _judged(items, which, names[which], asked, rule, true)
        judged.append(part)
        warnings = [*cautions[:4], *warnings, *cautions[4:]]
    check_unchanged(*{id(source.data): source.data for source in sources}.values(), answers, audited)
    return AnsweredComparison(
        judged=tuple(judged),
        incumbent=names[0],
        items=items,
        rule=rule,
        level=level,
        tried=total,
        warnings=tuple(dict.fromkeys(str(warning) for warning in warnings if warning)),
        sources=tuple({str(source.data): source.data for source in sources}.values()),
        answers_source=answers,
        audited_source=audited,
    )


def _sources(
    data: Any,
    candidates: Sequence[Any],
    incumbent: Any,
    candidate: Any,
    prediction: str | None,
) -> tuple[list[str], list[PredictionSource]]:
    if data is None or isinstance(data, Tally) or is_one_column(data):
        raise InputError("Answers are joined to predictions by an id. Pass the data as paths, frames or dicts.")
    if candidates:
        if incumbent is not None or candidate is not None:
            raise InputError(
                "incumbent (--incumbent) and candidate (--candidate) name columns of one table. With several tables, use "
                "prediction (--prediction)."
            )
        tables = [data, *candidates]
        return table_names(tables), [PredictionSource(table, prediction) for table in tables]
    if not isinstance(incumbent, str) or candidate is None:
        raise InputError(
            "One table needs the names of two columns: incumbent=… (--incumbent COL) and candidate=… (--candidate COL). "
            "Name them, or pass a second table."
        )
    columns = [candidate] if isinstance(candidate, str) else list(candidate)
    if len(set(columns)) < len(columns):
        raise OptionError(f"Name each candidate once; got {columns!r}.")
    others = [PredictionSource(data, column, "candidate") for column in columns]
    return [incumbent, *columns], [PredictionSource(data, incumbent, "incumbent"), *others]


def _asked(items: JudgedItems, measure: str, positive: ClassName, cost: Any) -> Quantity:
    positive = named_class(positive, items.classes)
    costs = None
    if cost is not None:
        costs = cost_table(cost, items.classes)
        if items.n_columns > len(items.classes):
            raise InputError("Costs need a class for every prediction. Name all classes with classes=… (--classes).")
    asked = quantity(measure, items.classes, positive=positive, costs=costs)
    if asked.measure is None:
        raise OptionError(
            f"{asked.words} needs labels, not answers. Choose a measure of classes with measure (--measure)."
        )
    return asked


def _judged(
    items: JudgedItems, which: int, name: str, asked: Quantity, rule: Rule, true: Array | None
) -> tuple[JudgedByAnswers, list[Text | None]]:
    pair = two_classifiers(items, 0, which)
    truth = draws_of(items, pair.predicted, rule.seed)
    votes = truth if truth.method == "majority" else draws_of(items, pair.predicted, rule.seed, majority=True)
    compared = [asked]
    for item in HEADLINE:
        usual = quantity(f"{item.average or ''} {item.name}".strip(), items.classes)
        compared += [usual] if usual.name != asked.name else []
    differences = [
        _difference(each, pair, truth.tables, rule if each is asked else replace(rule, alternative="two-sided"))
        for each in compared
    ]
    table = truth.tables.mean(axis=0)
    sides = zip(("the incumbent", name), pair.sides, strict=True)
    swaps = [swap_warning(table @ side, items.classes, who) for who, side in sides]
    confidence = Confidence(rule.level, rule.alternative, draws=rule.draws, seed=rule.seed)
    checked = None if true is None else rechecked_difference(items, which, truth.label, true, confidence)
    decisive = differences[0].difference if checked is None else checked.figures[0]
    doubted = fit_warning(truth, rechecked=checked is not None)
    interval = decisive.interval
    ends = (interval.unclipped_low, interval.unclipped_high) if interval else (math.nan, math.nan)
    decision = decide(*ends, rule.margin).item()
    total = float(truth.tables[0].sum())
    agree = float(truth.tables[0].sum(axis=0)[pair.first == pair.second].sum())
    return JudgedByAnswers(
        name=name,
        decision=decision,
        reason=reason(decision, decisive, rule.margin, rule.alternative),
        asked=asked,
        differences=tuple(differences),
        by_vote=_by_vote(items, pair, votes.tables[0], asked, rule),
        n=round(total),
        differ=round(total - agree),
        truth=truth,
        rechecked=checked,
    ), [
        *swaps,
        mixing_warning(truth),
        doubted if err_together(truth) else None,
        guessing_warning(truth, items.annotations),
        tie_warning(votes),
        None if err_together(truth) or checked else doubted,
        *(checked.warnings if checked else ()),
    ]


def _difference(asked: Quantity, pair: PredictedPair, tables: Array, rule: Rule) -> AnsweredDifference:
    chosen = asked.measure
    assert chosen is not None
    costs = chosen.costs if isinstance(chosen, Cost) else None

    def value(batch: Array) -> FloatArray:
        values = np.asarray(chosen.value(confusion_of(batch, costs)), dtype=float)
        return values if asked.at is None else values[..., asked.at]

    confidence = Confidence(rule.level, rule.alternative, draws=rule.draws, seed=rule.seed)
    mixture, better = posterior_difference(
        tables, pair.imagined, pair.sides, value, sign=asked.sign, confidence=confidence, margin=0.0
    )
    n = float(tables[0].sum())
    estimate = difference_estimate(
        f"{asked.title} difference", mixture, n, confidence, reason=chosen.reason, class_name=asked.class_name
    )
    ours, theirs = (_mean(value(tables @ side)) for side in pair.sides)
    return AnsweredDifference(asked, ours, theirs, estimate.estimate, estimate.doubt, better)


def _by_vote(items: JudgedItems, pair: PredictedPair, table: Array, asked: Quantity, rule: Rule) -> Verdict | None:
    """Judge by the majority votes as labels."""
    if not table.sum():
        return None
    names = (*items.classes, *items.others)
    cells = [
        (names[k], names[pair.first[code]], names[pair.second[code]], int(count))
        for (k, code), count in np.ndenumerate(table)
        if count
    ]
    tally = replace(Tally.of(("label", "incumbent", "candidate"), cells, classes=names), others=items.others)
    return judge_named("paired").decide(
        Case(tally), measure=asked, margin=rule.margin, level=rule.level, alternative=rule.alternative, draws=rule.draws,
        seed=rule.seed, bootstrap=rule.bootstrap,
    )  # fmt: skip


def _mean(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan
