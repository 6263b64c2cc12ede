"""What `annotators infer` gives: the probable classes, the annotators, and who errs with whom."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from justesse.annotators.cards import AnnotatorCard
from justesse.annotators.consensus import Consensus
from justesse.annotators.dependence import DependentPair
from justesse.annotators.drift import Drift
from justesse.annotators.refits import Refits
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_table
from justesse.intervals.wilson import wilson
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Words
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.file_facts import file_facts

CERTAIN, MOST_ITEMS, RATE = 0.95, 20, 0.05
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)


@dataclass(frozen=True, repr=False)
class Inference(Result):
    """The probable class of each item, and each annotator's card.

    Parameters
    ----------
    fit
        The model, fitted.
    cards
        What is known of each annotator.
    refits
        Fits to items drawn anew, for intervals.
    pairs
        Pairs of annotators, those who agree most beyond expectation first.
    changed
        Number of items whose class changes if dependent annotators count less.
    drifts
        Trends over time.
    level
        Confidence level.
    seed
        Seed of random draws.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    fit: Consensus
    cards: tuple[AnnotatorCard, ...]
    refits: Refits | None
    pairs: tuple[DependentPair, ...]
    changed: int | None
    drifts: tuple[Drift, ...]
    level: float
    seed: int
    warnings: tuple[str, ...] = ()
    source: Any = None

    @property
    def native(self) -> Any:
        return self.source

    @cached_property
    def best(self) -> tuple[Any, Any, Any]:
        """Code of the most probable class, its probability, and how many classes share it, for each item."""
        return self.fit.support.best(self.fit.shares)

    def truth(self) -> dict[str, list[Any]]:
        """Give the items, their probable classes and probabilities as columns; a tie has no class."""
        notes = self.fit.support.annotations
        label, probability, equal = self.best
        return {
            "item": list(notes.items),
            "class": [notes.classes[code] if code >= 0 else None for code in label],
            "probability": [float(p) for p in probability],
            "answers": [int(n) for n in notes.per_item],
            "tie": [bool(n > 1) for n in equal],
        }

    def write_truth(self, path: Path) -> Path:
        """Write them as a table, csv or parquet."""
        return write_table(self.truth(), path)

    def to_columns(self) -> dict[str, list[Any]]:
        return self.truth()

    @property
    def dependent(self) -> list[DependentPair]:
        """The pairs that err together, at 5 % after correction."""
        return [pair for pair in self.pairs if pair.adjusted <= RATE]

    def calibration(self) -> list[dict[str, Any]]:
        """Compare the probabilities with the share that is right, where gold classes are known and were not used.

        Gold classes given to the model make its probability 1, so there is nothing to compare then.
        """
        return []

    def proportions(self) -> list[Estimate]:
        """Give the class proportions with their intervals."""
        draws = self.refits.proportions if self.refits else self.fit.extra.get("proportions")
        notes = self.fit.support.annotations
        tail = (1 - self.level) / 2
        results = []
        for code, name in enumerate(notes.classes):
            interval = None
            if draws is not None:
                low, high = np.quantile(draws[:, code], [tail, 1 - tail])
                method = "bootstrap of items" if self.refits else "posterior"
                interval = Interval(float(low), float(high), self.level, method, (0.0, 1.0))
            value = float(self.fit.proportions[code])
            results.append(Estimate("proportion", value, notes.n_items, interval, class_name=name))
        return results

    def to_dict(self) -> dict[str, Any]:
        notes, fit = self.fit.support.annotations, self.fit
        _, probability, equal = self.best
        names = notes.annotators
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "method": fit.method,
            "answers": len(notes),
            "items": notes.n_items,
            "annotators": [
                {
                    "annotator": names[card.annotator],
                    "n": card.n,
                    "accuracy": _plain(card.accuracy),
                    "gold": _plain(card.gold) if card.gold else None,
                    "worst": _named_worst(card, notes.classes),
                    "bias": None if card.bias is None else {"class": notes.classes[card.bias[0]], "share": card.bias[1]},
                }
                for card in self.cards
            ],
            "classes": list(notes.classes),
            "proportions": [{"class": each.class_name, **_plain(each)} for each in self.proportions()],
            "certain": {"at_least": CERTAIN, "items": int((probability >= CERTAIN).sum())},
            "expected_right": finite_or_none(float(np.mean(probability))) if len(probability) else None,
            "ties": int((equal > 1).sum()),
            "log_likelihood": fit.log_likelihood,
            "iterations": fit.iterations,
            "converged": fit.converged,
            "rhat": fit.extra.get("rhat"),
            "effective_size": fit.extra.get("effective_size"),
            "dependent": [
                {
                    "first": names[pair.first],
                    "second": names[pair.second],
                    "n": pair.n,
                    "agreed": pair.agreed,
                    "expected": pair.expected,
                    "excess": pair.excess,
                    "pvalue": pair.pvalue,
                    "adjusted_pvalue": pair.adjusted,
                }
                for pair in self.dependent
            ],
            "changed_without_dependence": self.changed,
            "drift": [
                {
                    "annotator": names[each.annotator],
                    "n": each.n,
                    "accuracy": list(each.accuracy),
                    "low": list(each.low),
                    "high": list(each.high),
                    "slope": each.slope,
                    "pvalue": each.pvalue,
                    "adjusted_pvalue": each.adjusted,
                }
                for each in self.drifts
            ],
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(fit.assumptions),
            "warnings": list(self.warnings),
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        notes = self.fit.support.annotations
        cards = [
            {
                "annotator": notes.annotators[card.annotator],
                "n": card.n,
                "accuracy": card.accuracy.value,
                "low": card.accuracy.interval.low if card.accuracy.interval else None,
                "high": card.accuracy.interval.high if card.accuracy.interval else None,
            }
            for card in self.cards
            if card.n
        ]
        return {
            "annotators": partial(_draw, "annotator_chart", cards),
            "certainty": partial(_draw, "certainty_chart", self.best[1].tolist()),
        }

    def document(self) -> Document:
        notes = self.fit.support.annotations
        _, probability, _ = self.best
        figures = {name: Figure(draw) for name, draw in self.drawings().items()}
        sections = [
            Section("annotators", "Annotators", [_annotator_table(self), figures["annotators"]], "headline"),
            Section("certainty", "How certain the consensus is", [figures["certainty"]], "full"),
            Section("classes", "Class proportions", [_proportion_table(self)], "summary"),
        ]
        if self.pairs:
            sections.append(Section("dependence", "Who errs together", _dependence(self), "summary"))
        if self.drifts:
            sections.append(Section("drift", "Over time", [_drift_table(self)], "full"))
        doubtful = _doubtful(self)
        if doubtful.rows:
            sections.append(Section("items", "Most doubtful items", [doubtful], "full"))
        mean = float(np.mean(probability))
        return Document(
            "Probable truth from annotators",
            _headline(self),
            sections,
            self.to_dict,
            name="annotators-infer",
            figures=[KeyFigure("expected share of right classes", Estimate("share", mean, notes.n_items), "share")],
            cautions=self.warnings,
            assumptions=self.fit.assumptions,
            facts=[
                ("answers", f"{len(notes):,}"), ("method", self.fit.method), *file_facts(self.source),
                ("justesse", __version__),
            ],
            seed=self.seed,
            next_step="" if mean > 0.99 else "justesse annotators next tells whom to ask about which item.",
        )  # fmt: skip


def _draw(chart: str, data: Any) -> Any:
    from justesse import charts

    return getattr(charts, chart)(data)


def _plain(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": finite_or_none(estimate.value),
        "interval": estimate.interval.to_dict() if estimate.interval else None,
        "n": int(estimate.n),
        "undefined": estimate.undefined,
    }


def _named_worst(card: AnnotatorCard, classes: tuple[Any, ...]) -> dict[str, Any] | None:
    if card.worst is None:
        return None
    true, answer, share = card.worst
    return {"true": classes[true], "answer": classes[answer], "share": share}


def _headline(result: Inference) -> Message:
    notes = result.fit.support.annotations
    _, probability, equal = result.best
    return message(
        "{certain:count} of {items:count} items have a class with a probability of at least 95 %; the probable classes "
        "are expected to be right for {right:share} of items ({method}, {answers:count} answers of {people:count} "
        "annotators).{ties}",
        certain=int((probability >= CERTAIN).sum()),
        items=notes.n_items,
        right=float(np.mean(probability)),
        method=result.fit.method,
        answers=len(notes),
        people=notes.n_annotators,
        ties=message(" {n:count} items are tied.", n=int((equal > 1).sum())) if (equal > 1).any() else "",
    )


def _annotator_table(result: Inference) -> Table:
    notes = result.fit.support.annotations
    rows = []
    for card in sorted(result.cards, key=lambda card: np.nan_to_num(card.accuracy.value, nan=2.0)):
        worst = ""
        if card.worst is not None:
            true, answer, share = card.worst
            worst = f"{notes.classes[true]} as {notes.classes[answer]} ({100 * share:.0f} %)"
        rows.append([str(notes.annotators[card.annotator]), card.n, card.accuracy, card.accuracy, worst])
    head = [
        "annotator", Column("answers", "count", 1), Column("right", "share"),
        Column(f"{100 * result.level:g} % CI", "share_interval"), Column("worst confusion", "text", 2),
    ]  # fmt: skip
    return Table("How often each annotator is right, lowest first", head, rows, most=10)


def _proportion_table(result: Inference) -> Table:
    rows = [[str(each.class_name), each, each] for each in sorted(result.proportions(), key=lambda e: -e.value)]
    head = ["class", Column("share", "share"), Column(f"{100 * result.level:g} % CI", "share_interval")]
    return Table("Class proportions", head, rows, most=10)


def _dependence(result: Inference) -> list[Part]:
    names = result.fit.support.annotations.annotators
    found = result.dependent
    if not found:
        words = message(
            "None of {n:count} pairs of annotators agrees more often than independent mistakes would (5 %, Holm).",
            n=len(result.pairs),
        )
        return [Words([words])]
    rows = [
        [str(names[p.first]), str(names[p.second]), p.n, p.agreed / p.n, p.expected / p.n, p.adjusted] for p in found
    ]
    head = [
        "annotator", "and", Column("items", "count", 1), Column("agree", "share"), Column("expected", "share"),
        Column("adjusted p", "pvalue"),
    ]  # fmt: skip
    words = message(
        "If these count less, as one and a half or two opinions, {changed:count} items change their class.",
        changed=result.changed or 0,
    )
    return [Table("Pairs who agree more often than independent mistakes would", head, rows, most=10), Words([words])]


def _drift_table(result: Inference) -> Table:
    names = result.fit.support.annotations.annotators
    rows = [
        [str(names[d.annotator]), d.n, d.accuracy[0], d.accuracy[-1], d.slope, d.adjusted]
        for d in sorted(result.drifts, key=lambda d: d.adjusted)
    ]
    head = [
        "annotator", Column("answers", "count", 1), Column("first fifth", "share"), Column("last fifth", "share"),
        Column("change", "difference"), Column("adjusted p", "pvalue"),
    ]  # fmt: skip
    return Table("Accuracy from the first to the last answers", head, rows, most=10)


def _doubtful(result: Inference) -> Table:
    notes, fit = result.fit.support.annotations, result.fit
    label, probability, _ = result.best
    rows = []
    for item in np.argsort(probability, kind="stable")[:MOST_ITEMS]:
        if probability[item] >= CERTAIN or label[item] < 0:
            break
        mine = np.flatnonzero(notes.item == item)
        answers = ", ".join(f"{notes.annotators[notes.annotator[at]]}: {notes.classes[notes.answer[at]]}" for at in mine[:8])
        rows.append([str(notes.items[item]), str(notes.classes[label[item]]), float(probability[item]), answers])
    head = ["item", "class", Column("probability", "share"), "answers"]
    return Table("Items whose class is least certain, with their answers", head, rows, words=True)
