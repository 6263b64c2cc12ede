"""What wrong labels could do to an evaluation, as a section."""

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.measures.titles import title_of
from justesse.noise.label_noise_report import Key, key_of
from justesse.noise.rung import FROM_RATE, FROM_TABLE
from justesse.report.document import Column, Figure, Part, Section, Table, Words
from justesse.report.writing import paragraph
from justesse.verbs.evaluate.pictures import noise_picture
from justesse.verbs.noise.claim_words import claim_words
from justesse.verbs.powered_words import always_valid_words, label_bias_words

if TYPE_CHECKING:
    from justesse.noise.label_noise_report import LabelNoiseReport

NOT_SHARP = "* The true value lies within these bounds, but they may be wider than necessary."
SAMPLED = "* Bounds from a table counted on a sample hold at the confidence level, not for certain."


def label_noise_section(report: "LabelNoiseReport | None", *, by_class: bool = True) -> list[Section]:
    """Say how many wrong labels the claim survives, and what each measure can be under each assumption."""
    if report is None:
        return []
    default = report.known.claim is None
    # the default claim is about the most frequent label, which means nothing if rows are just right or wrong
    parts: list[Part] = [Words([claim_words(report.breakdown, default=default)])] if by_class or not default else []
    if report.powered:
        parts.append(Words([paragraph(label_bias_words(report.powered), always_valid_words(report.powered))]))
    if report.band and parts:
        parts.append(Figure(partial(noise_picture, report)))
    if table := corrected_table(report):
        parts.append(table)
    if report.rungs:
        parts.append(assumptions_table(report))
    return [Section("noise", "If some labels are wrong", parts, "summary")]


def corrected_table(report: "LabelNoiseReport") -> Table | None:
    """List every measure, with a column for each rung; nothing if nothing is known about the labels."""
    head: list[str | Column] = ["measure", Column("measured", "value")]
    columns: list[dict[Any, Any]] = []
    if report.biases:
        head += [Column("true", "value"), Column("bias", "difference", 3)]
        columns += [{key_of(bias): getattr(bias, part) for bias in report.biases} for part in ("true", "bias")]
    for rung in report.rungs:
        kind = "short_bounds" if rung.letter == "d" else "short_estimate"
        head.append(Column(rung.kind.short, kind))
        columns.append({key_of(figure): figure for figure in rung.figures})
    if not columns:
        return None
    rows = [[_title(key), report.measured.get(key), *(column.get(key) for column in columns)] for key in report.keys]
    return Table("Measures if some labels are wrong", head, rows, _note(report))


def _title(key: Key) -> str:
    name, class_name, average = key
    return title_of(Estimate(name, math.nan, 0, class_name=class_name, average=average))


def _note(report: "LabelNoiseReport") -> str:
    """Explain the brackets and the star, if there are any."""
    figures = [figure for rung in report.rungs for figure in rung.figures]
    level = level_name(report.confidence.level, report.confidence.alternative)
    notes = [f"In brackets: {level}."] if any(hasattr(figure, "interval") for figure in figures) else []
    for kind, note in ((FROM_RATE, NOT_SHARP), (FROM_TABLE, SAMPLED)):
        bounds = [figure for rung in report.rungs if rung.kind == kind for figure in rung.figures]
        notes += [note] if any(not figure.sharp for figure in bounds) else []
    return " ".join(notes)


def assumptions_table(report: "LabelNoiseReport") -> Table:
    """List what each rung assumes, when it fails, and what the literature calls it."""
    rows = [
        [f"{rung.kind.short}: {rung.name}", "; ".join(rung.assumptions), rung.fails_when, rung.kind.term]
        for rung in report.rungs
    ]
    head: list[str | Column] = [
        "method",
        Column("assumes", "sentence"),
        Column("fails when", "sentence"),
        Column("known as", drop=1),
    ]
    return Table("Assumptions", head, rows)
