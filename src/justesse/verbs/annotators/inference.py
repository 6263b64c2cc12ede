"""What `annotators infer` gives: the probable classes, the annotators, and who errs with whom."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from justesse.annotators.calibration import Calibration, ReliabilityBin
from justesse.annotators.cards import AnnotatorCard
from justesse.annotators.consensus import Consensus
from justesse.annotators.dependence import DependentPair
from justesse.annotators.drift import Drift
from justesse.annotators.refits import Refits
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_table
from justesse.report.document import Document, Figure, KeyFigure, Section, Text
from justesse.report.result import Result
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.annotators.inference_tables import (
    CERTAIN,
    annotator_table,
    calibration_parts,
    dependence,
    doubtful_table,
    drift_table,
    proportion_table,
)
from justesse.verbs.file_facts import file_facts

RATE = 0.05
EXPECTED = "no interval: the mean of the model's own probabilities"


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
    calibration
        The probabilities against gold classes that the model did not see.
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
    calibration: Calibration | None = None
    warnings: tuple[Text, ...] = ()
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
            **self._calibrated(),
        }

    def _calibrated(self) -> dict[str, list[Any]]:
        if self.calibration is None or self.calibration.probability is None:
            return {}
        return {"calibrated_probability": [float(p) for p in self.calibration.probability]}

    def write_truth(self, path: Path) -> Path:
        """Write them as a table, csv or parquet."""
        return write_table(self.truth(), path)

    def to_columns(self) -> dict[str, list[Any]]:
        return self.truth()

    @property
    def expected(self) -> float:
        """The share of items whose class is right, if the model's probabilities are."""
        return float(np.mean(self.best[1]))

    @property
    def dependent(self) -> list[DependentPair]:
        """The pairs that err together, at 5 % after correction."""
        return [pair for pair in self.pairs if pair.adjusted <= RATE]

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
                    "accuracy": card.accuracy.to_dict(),
                    "gold": card.gold.to_dict() if card.gold else None,
                    "worst": _named_worst(card, notes.classes),
                    "bias": None
                    if card.bias is None
                    else {"class": notes.classes[card.bias[0]], "share": card.bias[1]},
                }
                for card in self.cards
            ],
            "classes": list(notes.classes),
            "proportions": [each.to_dict() for each in self.proportions()],
            "certain": {"at_least": CERTAIN, "items": int((probability >= CERTAIN).sum())},
            "expected_right": finite_or_none(self.expected),
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
            "calibration": _calibration(self.calibration),
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(fit.assumptions),
            "warnings": [str(warning) for warning in self.warnings],
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
        drawings = {
            "annotators": partial(_draw, "annotator_chart", cards),
            "certainty": partial(_draw, "certainty_chart", self.best[1].tolist()),
        }
        if self.calibration is not None:
            drawings["calibration"] = partial(_draw, "reliability_chart", _series(self.calibration))
        return drawings

    def document(self) -> Document:
        notes = self.fit.support.annotations
        figures = {name: Figure(draw) for name, draw in self.drawings().items()}
        sections = [
            Section("annotators", "Annotators", [annotator_table(self), figures["annotators"]], "headline"),
            Section("certainty", "How certain the consensus is", [figures["certainty"]], "full"),
            Section("classes", "Class proportions", [proportion_table(self)], "summary"),
        ]
        if self.calibration is not None:
            parts = calibration_parts(self, figures["calibration"])
            sections.insert(1, Section("calibration", "Against gold classes", parts, "summary"))
        if self.pairs:
            sections.append(Section("dependence", "Who errs together", dependence(self), "summary"))
        if self.drifts:
            sections.append(Section("drift", "Over time", [drift_table(self)], "full"))
        doubtful = doubtful_table(self)
        if doubtful.rows:
            sections.append(Section("items", "Most doubtful items", [doubtful], "full"))
        mean = self.expected
        key = [
            KeyFigure(
                "expected share of right classes", Estimate("share", mean, notes.n_items, undefined=EXPECTED), "share"
            )
        ]
        if self.calibration is not None:
            key.insert(0, KeyFigure("right, by the gold classes", self.calibration.accuracy, "share"))
        facts: list[tuple[str, Text]] = [("answers", f"{len(notes):,}"), ("method", self.fit.method)]
        if self.fit.log_likelihood is not None:
            facts.append(("log likelihood", message("{value:general}", value=self.fit.log_likelihood)))
            facts.append(("iterations", f"{self.fit.iterations:,}"))
        if (rhat := self.fit.extra.get("rhat")) is not None:
            size = self.fit.extra["effective_size"]
            facts.append(("chains", message("R-hat {rhat:ratio}, effective size {n:count}", rhat=rhat, n=round(size))))
        return Document(
            "Probable truth from annotators",
            _headline(self),
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


def _series(checked: Calibration) -> list[dict[str, Any]]:
    both = {"model": checked.bins, "calibrated": checked.calibrated_bins}
    return [{"probabilities": name, **point} for name, bins in both.items() for point in _bins(bins)]


def _bins(bins: Sequence[ReliabilityBin]) -> list[dict[str, Any]]:
    return [
        {
            "mean_score": each.probability,
            "share": each.right.value,
            "share_low": each.right.interval.low if each.right.interval else None,
            "share_high": each.right.interval.high if each.right.interval else None,
            "n": int(each.right.n),
        }
        for each in bins
    ]


def _calibration(checked: Calibration | None) -> dict[str, Any] | None:
    if checked is None:
        return None
    return {
        "accuracy": checked.accuracy.to_dict(),
        "expected": checked.expected,
        "log_loss": checked.log_loss,
        "bins": _bins(checked.bins),
        "calibrated_bins": _bins(checked.calibrated_bins),
        "temperature": checked.temperature,
        "calibrated_expected": checked.calibrated_expected,
        "calibrated_log_loss": checked.calibrated_log_loss,
    }


def _draw(chart: str, data: Any) -> Any:
    from justesse import charts

    return getattr(charts, chart)(data)


def _named_worst(card: AnnotatorCard, classes: tuple[Any, ...]) -> dict[str, Any] | None:
    if card.worst is None:
        return None
    true, answer, share = card.worst
    return {"true": classes[true], "answer": classes[answer], "share": share}


def _headline(result: Inference) -> Message:
    notes = result.fit.support.annotations
    _, probability, equal = result.best
    ties = int((equal > 1).sum())
    sentences: list[Message | None] = [
        message(
            "{certain:count} of {items:count} items have a class with a probability of at least 95 %, from {answers:"
            "count} answers of {people:count} annotators ({method}).",
            certain=int((probability >= CERTAIN).sum()),
            items=notes.n_items,
            method=result.fit.method,
            answers=len(notes),
            people=notes.n_annotators,
        )
    ]
    if result.calibration is None:
        sentences.append(
            message("The model expects the classes of {right:share} of items to be right.", right=result.expected)
        )
    else:
        sentences.append(
            message(
                "By the gold classes {right:share} are right ({interval:level_name} {interval:share_interval}, n = "
                "{n:count}); the model expects {expected:share}.",
                right=result.calibration.accuracy,
                interval=result.calibration.accuracy.interval,
                n=result.calibration.accuracy.n,
                expected=result.calibration.expected,
            )
        )
    if ties:
        sentences.append(message("{n:count} {n:plural item is|items are} tied.", n=ties))
    return paragraph(*sentences)
