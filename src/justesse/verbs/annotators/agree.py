"""`justesse.annotators_agree`: how far annotators agree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from justesse.annotators.agreement import TITLES, agreeing_share, agreement, by_class
from justesse.annotators.distances import Scale, alpha
from justesse.annotators.pairs import PairAgreement, pair_tables, pairwise
from justesse.core.annotations import Annotations
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.annotations import Repeated
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.annotators.options import AgreementOptions, AnswerColumnOptions
from justesse.verbs.annotators.read import read_answers
from justesse.verbs.file_facts import file_facts

MOST_PAIRS = 2_000  # annotators, beyond which pairs are not computed
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
    scale
        Scale of alpha.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    annotations: Annotations
    coefficients: Mapping[str, Estimate]
    classes: tuple[Estimate, ...]
    pairs: tuple[PairAgreement, ...]
    scale: Scale
    warnings: tuple[str, ...] = ()
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
            **{name: _plain(estimate) for name, estimate in self.coefficients.items()},
            "per_class": [{"class": each.class_name, **_plain(each)} for each in self.classes],
            "pairs": [
                {
                    "first": notes.annotators[pair.first],
                    "second": notes.annotators[pair.second],
                    "n": pair.n,
                    "percent": pair.percent,
                    "kappa": _plain(pair.kappa),
                }
                for pair in self.pairs
            ],
            "hardest": [
                {"item": item, "agreement": share, "answers": {str(name): n for name, n in votes}}
                for item, share, votes in self.hardest()
            ],
            "assumptions": list(ASSUMPTIONS),
            "warnings": list(self.warnings),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [(name, None, each) for name, each in self.coefficients.items()]
        rows += [("alpha", str(each.class_name), each) for each in self.classes]
        return {
            "coefficient": [name for name, _, _ in rows],
            "class": [class_name for _, class_name, _ in rows],
            "value": [finite_or_none(each.value) for _, _, each in rows],
            "low": [each.interval.low if each.interval else None for _, _, each in rows],
            "high": [each.interval.high if each.interval else None for _, _, each in rows],
            "items": [int(each.n) for _, _, each in rows],
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
        drawn: list[Part] = [Figure(draw) for draw in self.drawings().values()]
        rows = [[TITLES[name], each, each, int(each.n)] for name, each in self.coefficients.items()]  # type: ignore[index]
        head = ["coefficient", Column("value", "value"), Column("95 % CI", "interval"), Column("items", "count", 1)]
        sections = [Section("agreement", "Agreement", [Table("Agreement", head, rows)], "headline")]
        worst = sorted(self.classes, key=lambda each: np.nan_to_num(each.value, nan=2.0))
        class_rows = [[each.class_name, each, each] for each in worst]
        if len(notes.classes) > 2:
            class_head = [Column("class", "text"), Column("alpha", "value"), Column("95 % CI", "interval")]
            table = Table("Agreement on each class against all others, lowest first", class_head, class_rows)
            sections.append(Section("classes", "Classes", [table], "summary"))
        if self.pairs:
            shown = [pair for pair in self.pairs if pair.n >= FEWEST and pair.kappa.interval]
            lowest = sorted(shown, key=lambda pair: pair.kappa.value)[:SHOWN_PAIRS]
            pair_rows = [
                [str(notes.annotators[p.first]), str(notes.annotators[p.second]), p.n, p.percent, p.kappa, p.kappa]
                for p in lowest
            ]
            pair_head = [
                "annotator", "and", Column("items", "count", 2), Column("agree", "share"), Column("kappa", "value"),
                Column("95 % CI", "interval", 1),
            ]  # fmt: skip
            note = message(
                "{shown:count} of {all:count} pairs; those with fewer than {fewest} common items are left out.",
                shown=len(lowest), all=len(self.pairs), fewest=FEWEST,
            )  # fmt: skip
            table = Table("Every two annotators, lowest kappa first", pair_head, pair_rows, note, most=10)
            sections.append(Section("pairs", "Pairs of annotators", [*drawn, table], "full"))
        if hardest := self.hardest():
            hard_rows = [
                [str(item), share, ", ".join(f"{name} {n}" for name, n in votes)] for item, share, votes in hardest
            ]
            table = Table("Items with least agreement", ["item", Column("agree", "share"), "answers"], hard_rows)
            sections.append(Section("items", "Hardest items", [table], "full"))
        return Document(
            "Agreement of annotators",
            _headline(self),
            sections,
            self.to_dict,
            name="annotators-agree",
            figures=[KeyFigure(TITLES[name], self.coefficients[name]) for name in ("alpha", "percent")],  # type: ignore[index]
            cautions=self.warnings,
            assumptions=ASSUMPTIONS,
            facts=[("answers", f"{len(notes):,}"), *file_facts(self.source), ("justesse", __version__)],
        )


def _plain(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": finite_or_none(estimate.value),
        "interval": estimate.interval.to_dict() if estimate.interval else None,
        "n": int(estimate.n),
        "undefined": estimate.undefined,
    }


def _headline(result: AgreementResult) -> Message:
    notes, percent, value = result.annotations, result.coefficients["percent"], result.coefficients["alpha"]
    if np.isnan(percent.value):
        return message("Agreement is undefined: {why}.", why=percent.undefined)
    return message(
        "Two annotators give the same answer to {percent:share} of items; Krippendorff's alpha is {alpha:value} (0 is "
        "chance, 1 perfect), from {answers:count} answers of {annotators:count} annotators to {items:count} items.",
        percent=percent,
        alpha=value,
        answers=len(notes),
        annotators=notes.n_annotators,
        items=notes.n_items,
    )


def _draw_pairs(names: Sequence[ClassName], pairs: Sequence[tuple[int, int, float, int]]) -> Any:
    from justesse import charts

    return charts.pair_agreement_chart(names, pairs)


def annotators_agree(
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
    scale: Scale = AgreementOptions.scale,
    level: float = AgreementOptions.level,
) -> AgreementResult:
    """Measure how far annotators agree.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.

    Examples
    --------
    >>> answers = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "answer": ["x", "x", "x", "y", "y", "y"]}
    >>> round(annotators_agree(answers).coefficients["alpha"].value, 4)
    0.4444
    """
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated,
    )  # fmt: skip
    notes = read.annotations
    votes = notes.votes()
    coefficients = {
        "alpha": alpha(votes, scale, level=level),
        "fleiss": agreement(votes, "fleiss", level=level),
        "ac1": agreement(votes, "ac1", level=level),
        "percent": agreement(votes, "percent", level=level),
    }
    warnings = list(read.warnings)
    pairs: tuple[PairAgreement, ...] = ()
    if notes.n_annotators <= MOST_PAIRS:
        weights = "none" if scale == "nominal" else "quadratic"
        pairs = tuple(pairwise(pair_tables(notes), weights=weights, level=level))  # type: ignore[arg-type]
    else:
        warnings.append(f"Pairs are not compared: there are more than {MOST_PAIRS:,} annotators.")
    return AgreementResult(
        notes, coefficients, tuple(by_class(votes, level=level)), pairs, scale, tuple(warnings), data
    )
