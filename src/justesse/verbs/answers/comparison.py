"""What `compare` gives for annotators' answers, and how it describes itself."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.annotators.truth_draws import TruthDraws
from justesse.core.results import Estimate, finite_or_none, level_name
from justesse.core.verdict import Decision, Verdict
from justesse.core.version import SCHEMA, __version__
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity
from justesse.judges.words import TITLES
from justesse.noise.rung import Rung
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.verbs.answers.doubts import fit_facts
from justesse.verbs.answers.evaluation import HOW, ROWS, alone_assumptions, answers_section
from justesse.verbs.answers.judged_items import JudgedItems
from justesse.verbs.compare.gates import Gate, gates, passes
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.powered_words import worth_words

ORDER = {"replace": 3, "equivalent": 2, "cannot_tell": 1, "keep": 0}
SAME_ITEMS = "both classifiers predicted the same items; they may err together in any way"
PAIRED = (
    "Both classifiers are compared on the same items, in the same draws of the true classes. A difference is positive if "
    "the candidate is better. The probability that it is better is the share of draws with a positive difference.",
)


@dataclass(frozen=True)
class AnsweredDifference:
    """A measure of both classifiers averaged over the true classes, and its difference.

    `doubt` is the share of the interval's width that comes from doubt about the true classes, `better` the probability
    that the candidate is better.
    """

    asked: Quantity
    incumbent: float
    candidate: float
    difference: Estimate
    doubt: float
    better: float

    @property
    def title(self) -> str:
        words = self.asked.words
        return words[:1].upper() + words[1:]

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        return {
            "name": self.asked.name,
            "class": self.asked.class_name,
            "incumbent": finite_or_none(self.incumbent),
            "candidate": finite_or_none(self.candidate),
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
            "n": int(self.difference.n),
            "doubt": finite_or_none(self.doubt),
            "probability_better": finite_or_none(self.better),
        }


@dataclass(frozen=True)
class JudgedByAnswers:
    """One candidate: the verdict, the differences, and the verdict with the majority vote as the truth."""

    name: str
    decision: Decision
    reason: str
    asked: Quantity
    differences: tuple[AnsweredDifference, ...]
    by_vote: Verdict | None
    n: int
    differ: int
    truth: TruthDraws
    rechecked: Rung[Estimate] | None = None

    @property
    def decisive(self) -> AnsweredDifference:
        return self.differences[0]

    @property
    def difference(self) -> Estimate:
        """The difference that the verdict rests on: by re-checked items if there are any, else by the answers."""
        return self.decisive.difference if self.rechecked is None else self.rechecked.figures[0]

    @property
    def rank(self) -> tuple[int, float]:
        value = self.difference.value
        return ORDER[self.decision], -math.inf if math.isnan(value) else value

    def to_dict(self, incumbent: str) -> dict[str, Any]:
        own = self.decisive.to_dict()
        interval = self.difference.interval
        decisive = {
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
        }
        return {
            "verdict": self.decision,
            "measure": self.asked.title,
            "incumbent": {"name": incumbent, "value": own["incumbent"]},
            "candidate": {"name": self.name, "value": own["candidate"]},
            **decisive,
            **{key: own[key] for key in ("n", "doubt", "probability_better")},
            "differ": self.differ,
            "reason": self.reason,
            "measures": [each.to_dict() for each in self.differences],
            "rechecked": self.rechecked.to_dict() if self.rechecked else None,
            "majority": self.by_vote.to_dict() if self.by_vote else None,
            "draws": len(self.truth.tables),
            "rhat": self.truth.rhat,
            "effective_size": self.truth.effective_size,
            **fit_facts(self.truth.fit),
        }


@dataclass(frozen=True, repr=False)
class AnsweredComparison(Result):
    """The verdict on each candidate by annotators' answers, and what the majority vote would have decided."""

    judged: tuple[JudgedByAnswers, ...]
    incumbent: str
    items: JudgedItems
    rule: Rule
    level: float
    tried: int
    warnings: tuple[str, ...]
    sources: tuple[Any, ...] = ()
    answers_source: Any = None
    audited_source: Any = None

    robustness_unknown = "the answers are already taken to be uncertain"

    @property
    def native(self) -> Any:
        return self.sources[0] if self.sources else None

    @property
    def best(self) -> JudgedByAnswers:
        """The candidate to look at first."""
        return max(self.judged, key=lambda part: part.rank)

    @property
    def decision(self) -> Decision:
        return self.best.decision

    @property
    def difference(self) -> Estimate:
        return self.best.difference

    @property
    def replaces(self) -> bool:
        return self.decision == "replace"

    def passes(self, gate: Gate = "better", *, robust: bool = False) -> bool:
        """Tell whether the best candidate passes a gate; doubt about labels is in the interval already."""
        return passes(gate, self.decision, self.difference, self.rule.margin, robust, False)

    def __bool__(self) -> bool:
        raise TypeError("A comparison is neither true nor false. Use .replaces or .passes('not-worse').")

    @property
    def assumptions(self) -> tuple[str, ...]:
        if self.best.rechecked is None:
            return (*self.best.truth.assumptions, SAME_ITEMS, ROWS)
        return (*self.best.rechecked.assumptions, alone_assumptions(self.best.truth), SAME_ITEMS, ROWS)

    def to_dict(self) -> dict[str, Any]:
        best = self.best.to_dict(self.incumbent)
        kept = ("verdict", "difference", "interval", "undefined", "n", "reason")
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "headline": {
                "which": "re-checked" if self.best.rechecked else "answers",
                **{key: best[key] for key in kept},
            },
            **best,
            "margin": self.rule.margin,
            "level": self.rule.level,
            "alternative": self.rule.alternative,
            "classes": list(self.items.classes),
            "answers": self.items.facts(),
            "gates": gates(self.decision, self.difference, self.rule.margin, False),
            "tried": self.tried,
            "family_level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": self.items.columns(),
            "seed": self.rule.seed,
            "comparisons": [part.to_dict(self.incumbent) for part in self.judged],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        ends = [part.difference.interval for part in self.judged]
        return {
            "candidate": [part.name for part in self.judged],
            "verdict": [part.decision for part in self.judged],
            "measure": [part.asked.title for part in self.judged],
            "incumbent_value": [finite_or_none(part.decisive.incumbent) for part in self.judged],
            "candidate_value": [finite_or_none(part.decisive.candidate) for part in self.judged],
            "difference": [finite_or_none(part.difference.value) for part in self.judged],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [self.rule.level for _ in self.judged],
            "doubt": [finite_or_none(part.decisive.doubt) for part in self.judged],
            "probability_better": [finite_or_none(part.decisive.better) for part in self.judged],
            "majority_verdict": [part.by_vote.decision if part.by_vote else None for part in self.judged],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        rows = [(part.name, part.difference) for part in self.judged]
        asked = self.best.asked
        draw = partial(
            charts.difference_chart, rows, margin=self.rule.margin, measure=asked.words, unit=asked.unit,
            against=", by re-checked items" if self.best.rechecked else ", by the annotators' answers",
        )  # fmt: skip
        return {"differences": draw}

    def document(self) -> Document:
        level = level_name(self.rule.level, self.rule.alternative)
        sections = [
            *([_candidates(self, level)] if len(self.judged) > 1 else []),
            Section(
                "measures", "Measures", [Figure(self.drawings()["differences"]), _measures(self, level)], "headline"
            ),
            answers_section(self.items, self.best.truth),
        ]
        return Document(
            "Comparison of classifiers against annotators",
            _headline(self),
            sections,
            self.to_dict(),
            verdict=TITLES[self.decision],
            tone=self.decision,
            name="answered-comparison",
            figures=[KeyFigure(f"Difference in {self.best.asked.words}", self.difference, _kind(self.best.asked))],
            cautions=self.warnings,
            assumptions=self.assumptions,
            how=(*HOW, *PAIRED),
            facts=[
                ("incumbent", self.incumbent), ("candidates", ", ".join(part.name for part in self.judged)),
                ("items", f"{self.best.n:,}"), ("margin", f"{self.rule.margin:g}"),
                *(fact for source in self.sources for fact in file_facts(source)),
                *file_facts(self.answers_source), *file_facts(self.audited_source), *column_facts(self.items.columns()),
            ],
            seed=self.rule.seed,
        )  # fmt: skip


def _kind(asked: Quantity) -> Any:
    return "points" if asked.unit == "percentage points" else "difference"


def _headline(result: AnsweredComparison) -> Text:
    best = result.best
    own = best.decisive
    written = {"points": "points", "difference": "difference"}[_kind(best.asked)]
    template = "{measure} {ours:value} → {theirs:value}: difference undefined ({why}), n = {n:count}."
    if own.difference.interval and written == "points":
        template = (
            "{measure} {ours:value} → {theirs:value}: {gain:points} ({gain:level_name} {gain:points_interval} points, n = "
            "{n:count})."
        )
    elif own.difference.interval:
        template = (
            "{measure} {ours:value} → {theirs:value}: {gain:difference} ({gain:level_name} {gain:difference_interval}, n = "
            "{n:count})."
        )
    by_answers = message(
        template,
        measure=own.title,
        ours=own.incumbent,
        theirs=own.candidate,
        gain=own.difference,
        n=best.n,
        why=own.difference.undefined,
    )
    if best.rechecked is not None:
        return paragraph(
            *_rechecked_words(best.rechecked, best.n), best.reason, message("By the answers alone: {it}", it=by_answers)
        )
    sentences: list[Text] = [by_answers, best.reason]
    if best.truth.method != "majority" and not math.isnan(own.doubt):
        sentences.append(
            message(
                "Judged by {people:count annotator}; doubt about the true classes makes up {doubt:whole_share} of the "
                "interval's width.",
                people=result.items.n_annotators,
                doubt=own.doubt,
            )
        )
        if best.by_vote and best.by_vote.difference.interval:
            vote = best.by_vote.difference
            template = (
                "With the majority vote as the truth: {vote:points} ({vote:level_name} {vote:points_interval} points), "
                "{decision:decision}."
            )
            if written == "difference":
                template = (
                    "With the majority vote as the truth: {vote:difference} ({vote:level_name} "
                    "{vote:difference_interval}), {decision:decision}."
                )
            sentences.append(message(template, vote=vote, decision=best.by_vote.decision))
    return paragraph(*sentences)


def _rechecked_words(rung: Rung[Estimate], n: int) -> list[Text]:
    gain = rung.figures[0]
    words = "Accuracy difference by the re-checked items: undefined ({why})."
    if gain.interval:
        words = (
            "Accuracy difference by the re-checked items {gain:points} ({gain:level_name} {gain:points_interval} points, "
            "{gain:count} of {n:count} re-checked)."
        )
    worth = worth_words(rung.powered, "answers") if rung.powered else None
    return [message(words, gain=gain, n=n, why=gain.undefined), *([worth] if worth else [])]


def _measures(result: AnsweredComparison, level: str) -> Table:
    head: list[str | Column] = [
        "measure", Column("incumbent", "value"), Column("candidate", "value"), Column("difference", "difference"),
        Column(level, "difference_interval"), Column("doubt", "whole_share", 1), Column("P(better)", "chance", 2),
    ]  # fmt: skip
    rows = [
        [
            each.title, each.incumbent, each.candidate, each.difference, each.difference,
            None if math.isnan(each.doubt) else each.doubt, None if math.isnan(each.better) else each.better,
        ]
        for each in result.best.differences
    ]  # fmt: skip
    note = "Doubt: share of the interval's width that comes from doubt about the true classes."
    return Table("Measures, by the answers alone" if result.best.rechecked else "Measures", head, rows, note)


def _candidates(result: AnsweredComparison, level: str) -> Section:
    head: list[str | Column] = [
        "candidate", Column("verdict", "decision"), Column("difference", "difference"),
        Column(level, "difference_interval"), Column("by majority vote", "decision", 1),
    ]  # fmt: skip
    rows = [
        [
            part.name, part.decision, part.difference, part.difference,
            part.by_vote.decision if part.by_vote else None,
        ]
        for part in sorted(result.judged, key=lambda part: part.rank, reverse=True)
    ]  # fmt: skip
    return Section("candidates", "Candidates", [Table("Candidates", head, rows)], "headline")
