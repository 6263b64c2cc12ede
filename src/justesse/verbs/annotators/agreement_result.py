"""What `annotators agree` gives: coefficients of agreement, over all, per class, per pair, per item."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from justesse.annotators.agreement import TITLES, agreeing_share
from justesse.annotators.pairs import PairAgreement
from justesse.annotators.subsets import SubsetAgreement
from justesse.core.annotations import Annotations
from justesse.core.choices import AnswerScale
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.result import Result
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.file_facts import file_facts

FEWEST, SHOWN_PAIRS = 10, 100  # common items of a pair that is shown, and pairs shown
HARDEST = 20
ASSUMPTIONS = (
    "the items are a random sample of those the figures are for",
    "annotators do not know each other's answers",
)


@dataclass(frozen=True, repr=False)
class AgreementResult(Result):
    """How far annotators agree: over all, per class, per pair and per item.

    Parameters
    ----------
    annotations
        The answers.
    coefficients
        Percent agreement, Fleiss' kappa, Gwet's AC1 and Krippendorff's alpha.
    classes
        Alpha of each class against the others.
    pairs
        Agreement of every two annotators.
    subsets
        Alpha of random subsets of annotators, by their number.
    best
        The best annotator, and alpha if all were as accurate.
    scale
        Scale of alpha and kappa.
    level
        Confidence level.
    seed
        Seed of random draws.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    annotations: Annotations
    coefficients: Mapping[str, Estimate]
    classes: tuple[Estimate, ...]
    pairs: tuple[PairAgreement, ...]
    subsets: tuple[SubsetAgreement, ...]
    best: tuple[ClassName, Estimate] | None
    scale: AnswerScale
    level: float
    seed: int
    warnings: tuple[Text, ...] = ()
    source: Any = None

    @property
    def native(self) -> Any:
        return self.source

    def to_dict(self) -> dict[str, Any]:
        notes = self.annotations
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "answers": len(notes),
            "items": notes.n_items,
            "annotators": notes.n_annotators,
            "classes": list(notes.classes),
            "scale": self.scale,
            **{name: estimate.to_dict() for name, estimate in self.coefficients.items()},
            "per_class": [each.to_dict() for each in self.classes],
            "pairs": [
                {
                    "first": notes.annotators[pair.first],
                    "second": notes.annotators[pair.second],
                    "n": pair.n,
                    "percent": pair.percent,
                    "kappa": pair.kappa.to_dict(),
                    "scott": pair.scott.to_dict(),
                }
                for pair in self.pairs
            ],
            "by_annotators": [
                {
                    "annotators": each.annotators,
                    "alpha": each.alpha,
                    "low": each.low,
                    "high": each.high,
                    "reliability": each.reliability,
                }
                for each in self.subsets
            ],
            "as_accurate_as_the_best": None
            if self.best is None
            else {"annotator": self.best[0], "alpha": self.best[1].to_dict()},
            "hardest": [
                {"item": item, "agreement": share, "answers": [{"class": name, "n": n} for name, n in votes]}
                for item, share, votes in self.hardest()
            ],
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(ASSUMPTIONS),
            "warnings": [str(warning) for warning in self.warnings],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [*self.coefficients.items(), *(("alpha", each) for each in self.classes)]
        return {
            "coefficient": [name for name, _ in rows],
            "class": [None if each.class_name is None else str(each.class_name) for _, each in rows],
            "value": [finite_or_none(each.value) for _, each in rows],
            "low": [each.interval.low if each.interval else None for _, each in rows],
            "high": [each.interval.high if each.interval else None for _, each in rows],
            "items": [int(each.n) for _, each in rows],
        }

    def hardest(self, most: int = HARDEST) -> list[tuple[ClassName, float, list[tuple[ClassName, int]]]]:
        """List the items on which annotators disagree most, with their votes."""
        votes = self.annotations.votes()
        share = agreeing_share(votes)
        order = np.lexsort((-votes.per_item, np.nan_to_num(share, nan=2.0)))[:most]
        result = []
        for item in order:
            if np.isnan(share[item]) or share[item] >= 1:
                continue
            cells = np.flatnonzero(votes.item == item)
            counts = sorted(((votes.classes[votes.answer[c]], int(votes.count[c])) for c in cells), key=lambda x: -x[1])
            result.append((self.annotations.items[item], float(share[item]), counts))
        return result

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        if not self.pairs:
            return {}
        pairs = [(pair.first, pair.second, pair.percent, pair.n) for pair in self.pairs]
        return {"pairs": partial(_draw_pairs, self.annotations.annotators, pairs)}

    def document(self) -> Document:
        notes = self.annotations
        sections = [Section("agreement", "Agreement", [_coefficients(self)], "headline")]
        if len(notes.classes) > 2:
            sections.append(Section("classes", "Classes", [_classes(self)], "summary"))
        if number := _numbers(self):
            sections.append(Section("number", "Number of annotators", number, "summary"))
        if self.pairs:
            drawn = [Figure(draw) for draw in self.drawings().values()]
            sections.append(Section("pairs", "Pairs of annotators", [*drawn, _pairs(self)], "full"))
        if hardest := self.hardest():
            hard_rows = [
                [item, share, ", ".join(f"{name}: {n}" for name, n in votes)] for item, share, votes in hardest
            ]
            head: list[str | Column] = ["item", Column("agree", "share"), Column("answers", "words")]
            table = Table("Items with least agreement", head, hard_rows)
            sections.append(Section("items", "Hardest items", [table], "full"))
        return Document(
            "Agreement of annotators",
            _headline(self),
            sections,
            self.to_dict,
            name="annotators-agree",
            figures=[
                KeyFigure("Krippendorff's alpha", self.coefficients["alpha"]),
                KeyFigure("percent agreement", self.coefficients["percent"], "share"),
            ],
            cautions=self.warnings,
            assumptions=ASSUMPTIONS,
            facts=[("answers", f"{len(notes):,}"), *file_facts(self.source), ("justesse", __version__)],
            seed=self.seed,
            next_step="justesse annotators infer gives the probable class of each item.",
        )


def level_title(level: float) -> str:
    """Name a column of intervals."""
    return f"{100 * level:g} % CI"


def _coefficients(result: AgreementResult) -> Table:
    names = {name: TITLES[name] for name in TITLES if name in result.coefficients}
    rows = [[title, each, each, int(each.n)] for name, title in names.items() if (each := result.coefficients[name])]
    head: list[str | Column] = ["coefficient", Column("value", "value"), Column(level_title(result.level), "interval"),
                                Column("items", "count", 1)]  # fmt: skip
    note = "" if result.scale == "nominal" else message("Alpha on the {scale} scale.", scale=result.scale)
    return Table("Agreement", head, rows, note)


def _classes(result: AgreementResult) -> Table:
    worst = sorted(result.classes, key=lambda each: np.nan_to_num(each.value, nan=2.0))
    head: list[str | Column] = [
        Column("class", "text"), Column("alpha", "value"), Column(level_title(result.level), "interval")
    ]  # fmt: skip
    rows = [[each.class_name, each, each] for each in worst]
    return Table("Agreement on each class against all others, lowest first", head, rows, most=10)


def _numbers(result: AgreementResult) -> list[Part]:
    parts: list[Part] = []
    if len(result.subsets) > 1:
        rows = [[each.annotators, each.alpha, each.low, each.high, each.reliability] for each in result.subsets]
        head: list[str | Column] = [
            Column("annotators", "count"), Column("alpha", "value"), Column("lowest 2.5 %", "value", 1),
            Column("highest 2.5 %", "value", 1), Column("reliability of their mean", "value"),
        ]  # fmt: skip
        note = (
            "Alpha: median and range of random subsets of annotators. Reliability of the mean opinion of so many: "
            "Spearman and Brown's formula."
        )
        parts.append(Table("Agreement by number of annotators", head, rows, note, most=8))
    if result.best is not None:
        name, estimate = result.best
        words = message(
            "If every annotator were as accurate as {name}, the best one, alpha would be about {alpha:value} ({interval:"
            "level_name} {interval:interval}).",
            name=name,
            alpha=estimate,
            interval=estimate.interval,
        )
        parts.append(Words([words]))
    return parts


def _pairs(result: AgreementResult) -> Table:
    names = result.annotations.annotators
    common = [pair for pair in result.pairs if pair.n >= FEWEST]
    ordered = sorted(common, key=lambda pair: (np.isnan(pair.kappa.value), -pair.kappa.value, -pair.n))
    if len(ordered) > SHOWN_PAIRS:
        ordered = [*ordered[: SHOWN_PAIRS // 2], *ordered[-(SHOWN_PAIRS // 2) :]]
    rows = [[names[p.first], names[p.second], p.n, p.percent, p.kappa, p.kappa, p.scott] for p in ordered]
    head: list[str | Column] = [
        "annotator", "and", Column("items", "count", 2), Column("agree", "share"), Column("kappa", "value"),
        Column(level_title(result.level), "interval_or_dash", 1), Column("Scott's pi", "value", 3),
    ]  # fmt: skip
    weights = {"nominal": "", "ordinal": "Kappa and pi have linear weights."}
    note = paragraph(
        message("{shown:count} of {all:count pair}.", shown=len(ordered), all=len(result.pairs)),
        None if len(common) == len(result.pairs)
        else message("Pairs with fewer than {fewest} common items are left out.", fewest=FEWEST),
        None if len(ordered) == len(common) else "The highest and the lowest are shown; all are in --json.",
        weights.get(result.scale, "Kappa and pi have quadratic weights."),
    )  # fmt: skip
    return Table("Every two annotators, highest Cohen's kappa first", head, rows, note, most=10)


def _headline(result: AgreementResult) -> Message:
    notes, percent, value = result.annotations, result.coefficients["percent"], result.coefficients["alpha"]
    if np.isnan(percent.value):
        return message("Agreement is undefined: {why}.", why=percent.undefined)
    return message(
        "Two annotators give the same answer to {percent:share} of items; Krippendorff's alpha is {alpha:value} (0 is "
        "chance, 1 perfect), from {answers:count answer} of {annotators:count annotator} to {items:count item}.",
        percent=percent,
        alpha=value,
        answers=len(notes),
        annotators=notes.n_annotators,
        items=notes.n_items,
    )


def _draw_pairs(names: Sequence[ClassName], pairs: Sequence[tuple[int, int, float, int]]) -> Any:
    from justesse import charts

    return charts.pair_agreement_chart(names, pairs)
