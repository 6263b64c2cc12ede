"""What `annotators infer` gives: the probable classes, the annotators, and who errs with whom."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from justesse.annotators.answer_fit import AnswerFit
from justesse.annotators.calibration import Calibration
from justesse.annotators.cards import Cards
from justesse.annotators.confusions import Confusions
from justesse.annotators.consensus import Consensus
from justesse.annotators.dependence import Dependence
from justesse.annotators.drift import Drift
from justesse.annotators.pair_tests import DependentPair
from justesse.annotators.recorded_labels import recorded_labels
from justesse.annotators.refits import Refits
from justesse.annotators.stated_confidence import StatedConfidence
from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Estimate, Interval
from justesse.core.version import __version__
from justesse.frames.native import write_table
from justesse.intervals.wilson import wilson
from justesse.noise.transition import Transition
from justesse.report.document import Document, Figure, KeyFigure, Section, Text
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.annotators.inference_drawings import inference_drawings
from justesse.verbs.annotators.inference_headline import inference_headline
from justesse.verbs.annotators.inference_json import inference_json
from justesse.verbs.annotators.inference_tables import (
    FEW,
    annotator_table,
    calibration_parts,
    change_table,
    confusion_table,
    dependence,
    doubtful_table,
    drift_parts,
    proportion_table,
    stated_table,
)
from justesse.verbs.file_facts import file_facts

RATE = 0.05
VOTES = "mean share of votes for the class"
VOTES_EXPECTED = "no interval: a mean share of votes, not a chance to be right"
EXPECTED = "no interval: the mean of the model's own probabilities"


class Change(NamedTuple):
    """An item whose class changes: code, class and probability before, class and probability after."""

    item: int
    before: int
    probability: float
    after: int
    corrected: float


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
    dependence
        Which annotators err together, and the model in which they share opinions; `None` if that is not tested.
    confusions
        Confusion tables of the annotators, if there are not too many.
    drifts
        Trends over time.
    level
        Confidence level.
    seed
        Seed of random draws.
    calibration
        The probabilities against gold classes that the model did not see.
    warnings
        What may be misread.
    source
        The data as they came.
    heldout
        Mean log probability of answers to items left out, per answer, if asked for.
    stated
        Confidence stated by each annotator, and how often they are right.
    """

    fit: Consensus
    cards: Cards
    refits: Refits | None
    dependence: Dependence | None
    confusions: Confusions | None
    drifts: tuple[Drift, ...]
    level: float
    seed: int
    calibration: Calibration | None = None
    warnings: tuple[Text, ...] = ()
    source: Any = None
    heldout: Estimate | None = None
    stated: tuple[StatedConfidence, ...] = ()
    answer_fit: AnswerFit | None = None

    @property
    def native(self) -> Any:
        return self.source

    @cached_property
    def best(self) -> tuple[Any, Any, Any]:
        """Code of the most probable class, its probability, and how many classes share it, for each item."""
        return self.fit.support.best(self.fit.shares)

    def truth(self) -> dict[str, list[Any]]:
        """Give the items, their probable classes and probabilities as columns; a tie takes the first of its classes."""
        notes = self.fit.support.annotations
        label, probability, equal = self.best
        return {
            "item": list(notes.items),
            "class": [notes.classes[code] if code >= 0 else None for code in label],
            "probability": [float(p) for p in probability],
            "answers": [int(n) for n in notes.per_item],
            "tie": [bool(n > 1) for n in equal],
            **self._calibrated(),
            **self._corrected(),
        }

    def _corrected(self) -> dict[str, list[Any]]:
        """Give the classes of the model in which dependent annotators share opinions, if some do."""
        if self.corrected is None:
            return {}
        label, probability, _ = self.corrected.support.best(self.corrected.shares)
        classes = self.fit.support.annotations.classes
        return {
            "corrected_class": [classes[code] if code >= 0 else None for code in label],
            "corrected_probability": [float(p) for p in probability],
        }

    @property
    def pairs(self) -> tuple[DependentPair, ...]:
        """All pairs tested, those who agree most beyond expectation first."""
        return () if self.dependence is None else self.dependence.pairs

    @property
    def corrected(self) -> Consensus | None:
        """The consensus if dependent annotators share opinions; `None` if nobody is dependent."""
        return None if self.dependence is None or not self.dependence.links else self.dependence.fit

    @cached_property
    def changes(self) -> list[Change]:
        """The items whose class differs in that consensus, the most certain before first."""
        if self.corrected is None:
            return []
        label, probability, _ = self.best
        other, new, _ = self.corrected.support.best(self.corrected.shares)
        items = np.flatnonzero(label != other)
        order = items[np.argsort(-probability[items], kind="stable")]
        return [Change(int(at), int(label[at]), float(probability[at]), int(other[at]), float(new[at])) for at in order]

    @property
    def changed(self) -> int | None:
        """How many items change their class, `None` if nobody is dependent."""
        return None if self.corrected is None else len(self.changes)

    def _calibrated(self) -> dict[str, list[Any]]:
        if self.calibration is None or self.calibration.probability is None:
            return {}
        return {"calibrated_probability": [float(p) for p in self.calibration.probability]}

    def write_truth(self, path: Path) -> Path:
        """Write them as a table, csv or parquet."""
        return write_table(self.truth(), path)

    def transition(self, labels_of: str = "majority") -> Transition:
        """Give the transition table of the majority vote, or of an annotator's labels, as certain as its counts."""
        notes = self.fit.support.annotations
        return Transition.from_table(recorded_labels(notes, labels_of, seed=self.seed).counts, notes.classes)

    def write_transition(self, path: Path, labels_of: str = "majority") -> Path:
        """Write that table as CSV, true classes down and labels across, as `--transition` takes it."""
        if Path(path).suffix.lower() != ".csv":
            raise OptionError(f"A transition table is written as .csv; got {str(path)!r}.")
        table = self.transition(labels_of)
        assert table.counts is not None
        names = [str(name) for name in table.classes]
        columns = {"true": names} | {name: table.counts[:, at].tolist() for at, name in enumerate(names)}
        return write_table(columns, Path(path), exact=True)

    def to_columns(self) -> dict[str, list[Any]]:
        return self.truth()

    @cached_property
    def by_accuracy(self) -> Cards:
        """The cards, least accurate first; those with fewer than 10 answers come after, those without are last."""
        return self.cards.by_accuracy(FEW)

    @property
    def expected(self) -> float:
        """The share of items whose class is right, if the model's probabilities are."""
        return float(np.mean(self.best[1]))

    @property
    def dependent(self) -> list[DependentPair]:
        """The pairs that err together, at 5 % after correction."""
        return [pair for pair in self.pairs if pair.adjusted <= RATE]

    @property
    def comparable(self) -> bool:
        """Whether anything shows who is right: items with two answers, or gold classes that the model knows."""
        notes = self.fit.support.annotations
        return bool((notes.per_item > 1).any()) or (notes.gold is not None and bool((notes.gold >= 0).any()))

    @property
    def by_votes(self) -> bool:
        """Whether the probability of a class is no more than its share of the votes."""
        return self.fit.method in ("majority", "weighted")

    def proportions(self) -> list[Estimate]:
        """Give the class proportions with their intervals."""
        notes = self.fit.support.annotations
        values, draws = self.fit.proportions, self.fit.extra.get("proportions")
        if self.refits is not None:
            intervals = self.refits.proportion_intervals(self.level)
        elif draws is not None:
            tail = (1 - self.level) / 2
            low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
            intervals = self._intervals(low, high, "posterior")
        else:  # treats the consensus as the truth
            ends = wilson(np.clip(values, 0, 1) * notes.n_items, notes.n_items, level=self.level)
            intervals = self._intervals(np.asarray(ends.low), np.asarray(ends.high), "wilson")
        return [
            Estimate("proportion", float(value), notes.n_items, interval, class_name=name)
            for value, interval, name in zip(values, intervals, notes.classes, strict=True)
        ]

    def _intervals(self, low: FloatArray, high: FloatArray, method: str) -> list[Interval]:
        return [
            Interval(float(first), float(last), self.level, method, (0.0, 1.0))
            for first, last in zip(low, high, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        return inference_json(self)

    def confusion(self) -> dict[str, list[Any]]:
        """Give each annotator's confusion table as columns: a row for each annotator, true class and answer."""
        notes = self.fit.support.annotations
        rows = [
            (notes.annotators[card.annotator], notes.classes[true], notes.classes[answer], cell)
            for card in self.cards
            for true, answer, cell in (self.confusions.cells(card.annotator) if self.confusions else ())
        ]
        return {
            "annotator": [row[0] for row in rows],
            "true": [row[1] for row in rows],
            "answer": [row[2] for row in rows],
            "share": [row[3].value for row in rows],
            "low": [row[3].interval.low if row[3].interval else None for row in rows],
            "high": [row[3].interval.high if row[3].interval else None for row in rows],
            "items": [row[3].n for row in rows],
        }

    def write_confusion(self, path: Path) -> Path:
        """Write them as a table, csv or parquet."""
        if self.confusions is None:
            raise InputError("There are too many annotators and classes for confusion tables of all of them.")
        return write_table(self.confusion(), path)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return inference_drawings(self)

    def document(self) -> Document:
        notes = self.fit.support.annotations
        figures = {name: Figure(draw) for name, draw in self.drawings().items()}
        sections = [
            Section("annotators", "Annotators", [annotator_table(self), figures["annotators"]], "headline"),
            Section("certainty", "Certainty of the consensus", [figures["certainty"]], "full"),
            Section("classes", "Class proportions", [proportion_table(self)], "summary"),
        ]
        if self.confusions is not None:
            sections.insert(1, Section("confusion", "Confusion tables", [confusion_table(self)], "full"))
        if self.calibration is not None:
            parts = calibration_parts(self, figures["calibration"])
            sections.insert(1, Section("calibration", "Against gold classes", parts, "summary"))
        if "pairs" in figures:
            sections.append(Section("pairs", "Who agrees with whom", [figures["pairs"]], "full"))
        if self.pairs or self.answer_fit is not None:
            drawn = [figures["dependence"]] if "dependence" in figures else []
            sections.append(Section("dependence", "Who errs together", [*dependence(self), *drawn], "summary"))
        if self.changes:
            sections.append(Section("changes", "What dependence changes", [change_table(self)], "full"))
        if self.stated:
            sections.append(Section("confidence", "Stated confidence", [stated_table(self)], "full"))
        if self.drifts:
            sections.append(Section("drift", "Over time", [*drift_parts(self), figures["drift"]], "full"))
        doubtful = doubtful_table(self)
        if doubtful.rows:
            sections.append(Section("items", "Hardest items", [doubtful], "full"))
        mean = self.expected
        key = []
        if self.comparable:
            title, why = (VOTES, VOTES_EXPECTED) if self.by_votes else ("expected share of right classes", EXPECTED)
            key.append(KeyFigure(title, Estimate("share", mean, notes.n_items, undefined=why), "share"))
        else:  # an annotator whom nobody checks is always right under the model
            sections = [section for section in sections if section.id not in ("annotators", "confusion", "certainty")]
        if self.calibration is not None:
            key.insert(0, KeyFigure("right, by the gold classes", self.calibration.accuracy, "share"))
        facts: list[tuple[str, Text]] = [("answers", f"{len(notes):,}"), ("method", self.fit.method)]
        if self.fit.log_likelihood is not None:
            facts.append(("log-likelihood", message("{value:general}", value=self.fit.log_likelihood)))
            facts.append(
                (
                    "log-likelihood per answer",
                    message("{value:value}", value=self.fit.log_likelihood / max(len(notes), 1)),
                )
            )
            facts.append(("iterations", f"{self.fit.iterations:,}"))
        if self.heldout is not None:
            facts.append(
                (
                    "log probability of an answer left out",
                    message("{value:value} ({value:interval})", value=self.heldout),
                )
            )
        if (rhat := self.fit.extra.get("rhat")) is not None:
            size = self.fit.extra["effective_size"]
            facts.append(("chains", message("R-hat {rhat:ratio}, effective size {n:count}", rhat=rhat, n=round(size))))
        return Document(
            "Probable truth from annotators",
            inference_headline(self),
            sections,
            self.to_dict,
            name="annotators-infer",
            figures=key,
            cautions=self.warnings,
            assumptions=self.fit.assumptions,
            facts=[*facts, *file_facts(self.source), ("justesse", __version__)],
            seed=self.seed,
            next_step="" if mean > 0.99 else "justesse annotators next says whom to ask about which item.",
        )
