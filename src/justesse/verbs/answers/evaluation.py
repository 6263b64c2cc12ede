"""What `evaluate` gives for annotators' answers, and how it describes itself."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.annotators.truth_draws import TruthDraws
from justesse.core.arrays import FloatArray
from justesse.core.levels import identity
from justesse.core.results import ClassName, Estimate, finite_or_none, level_name
from justesse.core.version import SCHEMA, __version__
from justesse.intervals.estimate import Confidence
from justesse.intervals.posterior_estimates import PosteriorEstimate
from justesse.measures import HEADLINE, MAIN_PER_CLASS
from justesse.measures.titles import title_of
from justesse.noise.rung import Rung
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text, Words
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.verbs.answers.doubts import fit_facts
from justesse.verbs.answers.judged_items import JudgedItems
from justesse.verbs.evaluate.requirement import Requirement
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.powered_words import worth_words

ROWS = "the items are independent draws from the population of interest, and were not used for model selection"
SHOWN = 25  # classes up to which the table of all cells is shown
HOW = (
    "Each figure is the mean over draws of the true classes from their posterior, given the answers and the predictions. "
    "Each draw gives a confusion matrix.",
    "Intervals have both the doubt about the true classes (the draws differ) and the sampling of items (what other items "
    "would have given). Doubt is the share by which an interval would be narrower if the classes were certain.",
)
MODELS = {
    "hierarchical": "Bayesian Dawid-Skene model, annotators of one population (Gibbs sampler)",
    "dawid-skene": "Bayesian Dawid-Skene model, each annotator alone (Gibbs sampler)",
    "majority": "majority vote as the truth",
}


@dataclass(frozen=True, repr=False)
class AnsweredEvaluation(Result):
    """Every measure of a classifier against annotators' answers, and the same by majority vote.

    Parameters
    ----------
    estimates
        Measures averaged over the posterior of the true classes.
    by_vote
        The same with the majority vote as the truth.
    table
        Expected counts of true class × prediction.
    items
        Answers and predictions.
    truth
        Draws of the true classes.
    positive
        Class of interest.
    confidence
        Level, side, draws and seed.
    requirements
        What the bounds must reach.
    warnings
        What may be misread.
    source
        The predictions as they came.
    answers_source
        The answers as they came.
    rechecked
        The main measures put right by a random sample of re-checked items, if there is one.
    audited_source
        The re-checked items as they came.
    """

    estimates: tuple[PosteriorEstimate, ...]
    by_vote: tuple[Estimate, ...]
    table: FloatArray
    items: JudgedItems
    truth: TruthDraws
    positive: ClassName
    confidence: Confidence
    requirements: tuple[Requirement, ...]
    warnings: tuple[str, ...]
    source: Any = None
    answers_source: Any = None
    rechecked: Rung[Estimate] | None = None
    audited_source: Any = None

    claimed = False  # claims are about wrong labels

    @property
    def native(self) -> Any:
        return self.source

    @property
    def n(self) -> int:
        """Number of items with an answer and a prediction."""
        return self.items.joined.n

    @property
    def passes(self) -> bool:
        """Whether every requirement is met."""
        return all(requirement.met for requirement in self.requirements)

    @property
    def assumptions(self) -> tuple[str, ...]:
        if self.rechecked is None:
            return (*self.truth.assumptions, ROWS)
        return (*self.rechecked.assumptions[:2], alone_assumptions(self.truth), ROWS)

    def __getitem__(self, key: str | tuple[str, ClassName]) -> Estimate:
        return self.estimates[self._at(key)].estimate

    def doubt(self, key: str | tuple[str, ClassName]) -> float:
        """Give the share of an interval's width that comes from doubt about the true classes."""
        return self.estimates[self._at(key)].doubt

    def _at(self, key: str | tuple[str, ClassName]) -> int:
        name, which = (key, None) if isinstance(key, str) else key
        for at, each in enumerate(self.estimates):
            estimate = each.estimate
            if estimate.name != name:
                continue
            if estimate.average == which if estimate.class_name is None else _same(estimate.class_name, which):
                return at
        from justesse.verbs.evaluate.estimate_keys import no_such_estimate

        raise no_such_estimate(key, tuple(each.estimate for each in self.estimates))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.n,
            "classes": list(self.items.classes),
            "positive": self.positive,
            "headline": self._headline_facts(),
            "measures": [_written(*pair) for pair in zip(self.estimates, self.by_vote, strict=True)],
            "expected_counts": [[float(value) for value in row] for row in self.table],
            "answers": {
                **self.items.facts(),
                "draws": len(self.truth.tables),
                "rhat": self.truth.rhat,
                "effective_size": self.truth.effective_size,
                **fit_facts(self.truth.fit),
            },
            "rechecked": self.rechecked.to_dict() if self.rechecked else None,
            "requirements": [requirement.to_dict() for requirement in self.requirements],
            "passes": self.passes,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": self.items.columns(),
            "level": self.confidence.level,
            "alternative": self.confidence.alternative,
            "seed": self.confidence.seed,
        }

    def _headline_facts(self) -> dict[str, Any]:
        by_answers = {"which": "answers", **_written(self.estimates[0], self.by_vote[0])}
        if self.rechecked is None:
            return by_answers
        return {**by_answers, "which": "re-checked", **self.rechecked.figures[0].to_dict(), "doubt": None}

    def to_columns(self) -> dict[str, list[Any]]:
        values = [each.estimate for each in self.estimates]
        ends = [value.interval for value in values]
        return {
            "measure": [value.name for value in values],
            "class": [None if value.class_name is None else str(value.class_name) for value in values],
            "average": [value.average for value in values],
            "value": [finite_or_none(value.value) for value in values],
            "n": [float(value.n) for value in values],
            "undefined": [value.undefined for value in values],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [end.level if end else None for end in ends],
            "method": [end.method if end else None for end in ends],
            "doubt": [finite_or_none(each.doubt) for each in self.estimates],
            "majority": [finite_or_none(value.value) for value in self.by_vote],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        return {"intervals": partial(charts.interval_chart, [each.estimate for each in self.estimates])}

    def document(self) -> Document:
        level = level_name(self.confidence.level, self.confidence.alternative)
        sections = [
            *_required(self),
            *_rechecked(self, level),
            Section("measures", _by_answers("Measures", self), [_measure_table(self, level)], "headline"),
            Section("classes", "Classes", [Figure(self.drawings()["intervals"]), _class_table(self, level)], "summary"),
            Section("confusion", "Confusion matrix", [_cells(self)], "full"),
            answers_section(self.items, self.truth),
        ]
        return Document(
            "Evaluation of a classifier against annotators",
            _headline(self),
            sections,
            self.to_dict(),
            name="answered-evaluation",
            figures=[
                KeyFigure(title_of(each), each, _kind(each))
                for each in (self.rechecked.figures[:1] if self.rechecked else ())
            ]
            + [
                KeyFigure(_by_answers(title_of(self[key]), self), self[key], _kind(self[key]))
                for key in [(item.name, item.average) for item in HEADLINE]
            ],
            cautions=self.warnings,
            assumptions=self.assumptions,
            how=HOW,
            facts=[
                ("items", f"{self.n:,}"), ("answers", f"{len(self.items.annotations):,}"),
                ("annotators", f"{self.items.n_annotators:,}"),
                *file_facts(self.source), *file_facts(self.answers_source), *file_facts(self.audited_source),
                *column_facts(self.items.columns()),
            ],
            seed=self.confidence.seed,
        )  # fmt: skip


def answers_section(items: JudgedItems, truth: TruthDraws) -> Section:
    """Say how much was answered, and by which model the true classes were inferred."""
    facts = items.facts()
    lines: list[Text] = [
        message(
            "{answers:count answer} of {people:count annotator} to {items:count item}. Model: {model}.",
            answers=facts["answers"],
            people=facts["annotators"],
            items=facts["items"],
            model=MODELS[truth.method],
        )
    ]
    if truth.rhat is not None and truth.effective_size is not None:
        lines.append(
            message(
                "{n:count draw} of the true classes: R-hat {rhat:ratio}, effective sample size {size:count}.",
                n=len(truth.tables),
                rhat=truth.rhat,
                size=round(truth.effective_size),
            )
        )
    return Section("answers", "Answers", [Words(lines)], "summary")


def alone_assumptions(truth: TruthDraws) -> str:
    """Say what figures by the answers alone assume, beside figures that need none of it."""
    return str(message("only for figures by the answers alone: {these:and}", these=list(truth.assumptions)))


def _by_answers(title: str, result: AnsweredEvaluation) -> str:
    return title if result.rechecked is None else str(message("{title}, by the answers alone", title=title))


def _same(name: ClassName, other: Any) -> bool:
    return other is not None and identity(name) == identity(other)


def _written(each: PosteriorEstimate, vote: Estimate) -> dict[str, Any]:
    return {**each.estimate.to_dict(), "doubt": finite_or_none(each.doubt), "majority": vote.to_dict()}


def _kind(estimate: Estimate) -> Any:
    return "share" if estimate.is_share else "value"


def _headline(result: AnsweredEvaluation) -> Text:
    accuracy, vote = result["accuracy"], result.by_vote[0]
    people = result.items.n_annotators
    if result.rechecked is not None:
        return _rechecked_headline(result.rechecked, accuracy, people, result.n)
    words = "Accuracy {accuracy:share} (n = {n:count}), judged by the answers of {people:count annotator}."
    if accuracy.interval:
        words = (
            "Accuracy {accuracy:share} ({accuracy:level_name} {accuracy:share_interval}, n = {n:count}), judged by the "
            "answers of {people:count annotator}."
        )
    doubt = result.doubt("accuracy")
    sentences: list[Text] = [message(words, accuracy=accuracy, n=result.n, people=people)]
    if result.truth.method != "majority" and not math.isnan(doubt):
        sentences.append(
            message("Doubt about the true classes makes up {doubt:whole_share} of the interval's width.", doubt=doubt)
        )
        if not math.isnan(vote.value) and vote.interval:
            sentences.append(
                message(
                    "With the majority vote as the truth: {vote:share} ({vote:level_name} {vote:share_interval}).",
                    vote=vote,
                )
            )
    return paragraph(*sentences)


def _rechecked_headline(rung: Rung[Estimate], alone: Estimate, people: int, n: int) -> Text:
    best = rung.figures[0]
    words = "Accuracy by the re-checked items {best:share} (n = {best:count})."
    if best.interval:
        words = (
            "Accuracy by the re-checked items {best:share} ({best:level_name} {best:share_interval}, {best:count} of {n:count} "
            "re-checked)."
        )
    sentences: list[Text] = [message(words, best=best, n=n)]
    if rung.powered and (worth := worth_words(rung.powered, "answers")):
        sentences.append(worth)
    words = "By the answers of {people:count annotator} alone: {alone:share}."
    if alone.interval:
        words = "By the answers of {people:count annotator} alone: {alone:share} ({alone:level_name} {alone:share_interval})."
    return paragraph(*sentences, message(words, people=people, alone=alone))


def _rechecked(result: AnsweredEvaluation, level: str) -> list[Section]:
    """Compare the measures by re-checked items with those by the answers alone."""
    if result.rechecked is None:
        return []
    alone = {_key(each.estimate): each.estimate for each in result.estimates}
    head: list[str | Column] = [
        "measure", Column("value", "value"), Column(level, "interval"), Column("answers alone", "value", 1),
    ]  # fmt: skip
    rows = [[title_of(each), each, each, alone[_key(each)]] for each in result.rechecked.figures]
    note = (
        "Right whatever mistakes annotators share, if the re-checked items were drawn at random. The most probable classes by "
        "the answers make the intervals narrower."
    )
    return [
        Section(
            "rechecked", "By re-checked items", [Table("Measures by re-checked items", head, rows, note)], "headline"
        )
    ]


def _key(each: Estimate) -> tuple[Any, ...]:
    return each.name, each.average, identity(each.class_name)


def _required(result: AnsweredEvaluation) -> list[Section]:
    if not result.requirements:
        return []
    lines = [requirement.words for requirement in result.requirements]
    return [Section("requirements", "Requirements", [Words(lines, listed=True)], "headline")]


def _measure_table(result: AnsweredEvaluation, level: str) -> Table:
    headline = {(measure.name, measure.average) for measure in HEADLINE}
    head: Sequence[str | Column] = [
        "measure", Column("value", "value"), Column(level, "interval"), Column("doubt", "whole_share", 1),
        Column("by majority vote", "value", 2), Column("method", "method", 3),
    ]  # fmt: skip
    rows = [
        [title_of(each.estimate), each.estimate, each.estimate, _or_none(each.doubt), vote, each.estimate]
        for each, vote in zip(result.estimates, result.by_vote, strict=True)
        if each.estimate.class_name is None
        and (each.estimate.average is None or (each.estimate.name, each.estimate.average) in headline)
    ]
    note = "Doubt: share of the interval's width that comes from doubt about the true classes."
    return Table(_by_answers("Measures", result), head, rows, note)


def _class_table(result: AnsweredEvaluation, level: str) -> Table:
    titles = {measure.name: measure.title for measure in MAIN_PER_CLASS}
    head: list[str | Column] = ["class", Column("expected n", "count")]
    for at, title in enumerate(titles.values()):
        head += [Column(f"{title[:1].upper()}{title[1:]} ({level})", "short_estimate", at)]
    rows = []
    for code, class_name in enumerate(result.items.classes):
        rows.append(
            [class_name, round(float(result.table[code].sum()), 1), *(result[name, class_name] for name in titles)]
        )
    return Table(_by_answers("Measures of each class", result), head, rows, "n: expected number of items of the class.")


def _cells(result: AnsweredEvaluation) -> Table | Words:
    classes = result.items.classes
    if len(classes) > SHOWN:
        return Words(["There are too many classes to show all cells. See expected_counts in the JSON."])
    beyond = ["other"] * (result.items.n_columns - len(classes))
    head: list[str | Column] = ["true class", *(Column(str(name), "count") for name in [*classes, *beyond])]
    rows = [
        [str(name), *(round(float(value), 1) for value in row)] for name, row in zip(classes, result.table, strict=True)
    ]
    return Table("Expected counts: rows true classes, columns predictions", head, rows, matrix=True)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
