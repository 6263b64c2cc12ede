"""A cleaning as a reader sees it: what is flagged and how sure, the ranked list, classes, answers, what altering does."""

from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.cleaning.altered import ACTIONS
from justesse.core.results import Estimate
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph
from justesse.verbs.clean.read import ROW
from justesse.verbs.file_facts import column_facts, file_facts

if TYPE_CHECKING:
    from justesse.verbs.clean.cleaning import Cleaning

SHOWN = 200
STRATUM_WORDS = {
    "top": "flagged, all asked",
    "flagged": "flagged, drawn at random",
    "rest": "not flagged, drawn at random",
}


def cleaning_document(result: "Cleaning") -> Document:
    """Put the sections together."""
    figures = {name: Figure(draw) for name, draw in result.drawings().items()}
    sections = [
        _answers(result),
        _quality(result, figures),
        _list(result, figures),
        Section("classes", "Flagged rows of each label", [figures["classes"], _classes(result)], "summary"),
        _altered(result),
        _joint(result),
    ]
    rows = result.read
    return Document(
        "Labels that are probably wrong",
        _headline(result),
        [section for section in sections if section.parts],
        result.to_dict,
        name="cleaning",
        figures=_key_figures(result),
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=(
            message("{summary} {who}.", summary=result.filter.summary, who=result.filter.reference),
            message("Do not use it if this holds: {when}", when=result.filter.errs_when),
        ),
        facts=[
            ("rows", message("{n:count}", n=result.n)),
            *column_facts({"label": rows.label, **({"id": rows.id} if rows.id else {})}),
            ("filter", result.chosen.words),
            *([("models", rows.source)] if rows.source else []),
            *file_facts(result.settings.data),
            ("justesse", __version__),
        ],
        seed=result.settings.seed,
        next_step=_next(result),
    )


def _headline(result: "Cleaning") -> Text:
    flagged, chances = int(result.flagged.sum()), result.chances
    first = message(
        "{flagged:count} of {n:count} labels flagged ({share:share}): {title}.",
        flagged=flagged, n=result.n, share=flagged / result.n, title=result.filter.title[:1].lower() + result.filter.title[1:],
    )  # fmt: skip
    if result.adjudication is not None:
        own = result.adjudication.precision
        second: Text = (
            message("Of {n:count row} that people answered none was flagged.", n=chances.audited)
            if own.interval is None
            else message(
                "By {n:count answer}, {value:share} of the flagged labels are wrong ({ci} {interval:share_interval}).",
                n=chances.audited, value=own, ci=own.interval.name, interval=own,
            )
        )  # fmt: skip
    elif chances.basis == "nothing":
        second = "How many of them are wrong is not known without re-checked rows."
    else:
        expected = float(np.nansum(chances.values[result.flagged]))
        second = message(
            "Expected wrong among them: {expected:count} (rests on: {basis}).",
            expected=round(expected),
            basis=chances.basis,
        )
    if result.quality is None:
        return paragraph(first, second)
    third = message("Wrong by the true classes: {wrong:count}.", wrong=result.quality.wrong_and_flagged)
    return paragraph(first, second, third)


def _key_figures(result: "Cleaning") -> list[KeyFigure]:
    flagged = int(result.flagged.sum())
    made = [KeyFigure("Flagged labels", Estimate("flagged", flagged, flagged), "count")]
    if result.adjudication is not None:
        own = result.adjudication
        made += [
            KeyFigure("Precision of the filter", own.precision, "share"),
            KeyFigure("Recall of the filter", own.recall, "share"),
            KeyFigure("Wrong labels, all rows", own.noise_rate, "share"),
        ]
    elif result.quality is not None:
        made += [
            KeyFigure("Detection rate", result.quality.detection[0], "share"),
            KeyFigure("False-detection rate", result.quality.false_detection[0], "share"),
        ]
    return made


def _list(result: "Cleaning", figures: dict[str, Figure]) -> Section:
    columns = result._listed(result.order[:SHOWN])
    rows: list[list[Any]] = [list(row) for row in zip(*columns.values(), strict=True)]
    head: list[str | Column] = [
        result.read.id or ROW, "label", "suggested", Column("P(wrong)", "share"), Column("reason", "words", 1),
    ]  # fmt: skip
    more = int(result.flagged.sum()) - len(rows)
    note = message("{n:count} more: write every flagged row to a file (--output).", n=more) if more > 0 else ""
    table = Table("Most suspicious first", head, rows, note, most=10)
    parts: list[Part] = [table] if rows else []
    if rows and "ranking" in figures:
        parts.insert(0, figures["ranking"])
    return Section("list", "Labels to re-check", parts, "headline")


def _classes(result: "Cleaning") -> Table:
    rates = [result.chances.rate, *result.chances.rates]
    rows = [
        [
            "all" if item.class_name is None else item.class_name,
            item.n,
            round(item.value * item.n) if item.n else 0,
            item,
            rate,
        ]
        for item, rate in zip(result.by_class, rates, strict=True)
    ]
    head: list[str | Column] = [
        "label", Column("rows", "count"), Column("flagged", "count"), Column("share", "share"), Column("expected wrong", "share", 1),
    ]  # fmt: skip
    note = (
        "Expected wrong: share of all rows of the label, flagged or not. Filters flag right labels of rare classes easily, as "
        "models seldom predict them. Compare the shares before you remove rows."
    )
    return Table("", head, rows, note)


def _estimates(rows: list[tuple[Any, Estimate]], first: str) -> tuple[list[str | Column], list[list[Any]]]:
    head: list[str | Column] = [
        first,
        Column("value", "share"),
        Column("interval", "share_interval"),
        Column("n", "count", 1),
    ]
    return head, [[name, estimate, estimate, estimate.n] for name, estimate in rows]


def _answers(result: "Cleaning") -> Section:
    own = result.adjudication
    if own is None:
        return Section("answers", "", [])
    head, rows = _estimates([(item.words, item) for item in own.estimates], "measure")
    table = Table("Quality of the filter, by people's answers", head, rows)
    strata: list[list[Any]] = [
        [STRATUM_WORDS[part.stratum], part.rows, part.answered, part.wrong] for part in own.strata if part.rows
    ]
    titles: list[str | Column] = [
        "rows",
        Column("number", "count"),
        Column("answered", "count"),
        Column("label wrong", "count"),
    ]
    parts: list[Part] = [table, Table("Answers", titles, strata)]
    changed = [item for item in result.corrections() if item["changed"]]
    if changed:
        key = result.read.id or ROW
        lines = [
            [item[key], item["label"], item["true"], "yes" if item["flagged"] else "no"] for item in changed[:SHOWN]
        ]
        parts.append(Table("Labels that people corrected", [key, "label", "true", "flagged"], lines, most=10))
    return Section("answers", "What the answers say about the filter", parts, "headline")


def _quality(result: "Cleaning", figures: dict[str, Figure]) -> Section:
    own = result.quality
    if own is None:
        return Section("quality", "", [])
    overall = [own.detection[0], own.false_detection[0], own.correction[0]]
    head, rows = _estimates([(item.words, item) for item in overall], "rate")
    classes: list[list[Any]] = [
        [detected.class_name, detected.n, detected, false.n, false]
        for detected, false in zip(own.detection[1:], own.false_detection[1:], strict=True)
    ]
    titles: list[str | Column] = [
        "true class", Column("wrong labels", "count", 1), Column("detected", "share"), Column("right labels", "count", 1),
        Column("flagged though right", "share"),
    ]  # fmt: skip
    return Section(
        "quality",
        "Quality of the filter, by the true classes",
        [
            Table("Detection (s), false detection (e), correction (c)", head, rows),
            figures["quality"],
            Table("By true class", titles, classes),
        ],
        "summary",
    )


def _altered(result: "Cleaning") -> Section:
    made, action = result.optimism, result.altered.action
    if action == "flag" or np.isnan(made.after):
        return Section("altered", "", [])
    rows: list[list[Any]] = [
        ["accuracy on the labels as they are", made.before],
        ["accuracy on the cleaned rows", made.after],
        ["accuracy expected on the true classes", made.expected],
        *([["accuracy on the true classes", made.true]] if made.true is not None else []),
    ]
    note = message(
        "Flagged rows were {what}.{people} All figures are of the classifier that cleaned; those that err on the same rows gain "
        "as much.",
        what=ACTIONS[action],
        people="" if result.answers is None else " Where people answered, their answer decides instead.",
    )
    table = Table("How much cleaning flatters", ["figure", Column("value", "share")], rows, note)
    return Section("altered", "What cleaning does to figures", [table], "summary")


def _joint(result: "Cleaning") -> Section:
    joint = result.suspicion.facts.get("joint")
    if joint is None:
        return Section("joint", "", [])
    head: list[str | Column] = ["label", *(Column(str(name), "count") for name in result.classes)]
    rows = [[name, *cells] for name, cells in zip(result.classes, joint, strict=True)]
    note = "Rows: labels. Columns: probable true classes."
    return Section(
        "joint", "Confident joint", [Table("Labels by probable true classes", head, rows, note, matrix=True)]
    )


def _next(result: "Cleaning") -> Text:
    if result.adjudication is None and result.asked is None and result.flagged.any():
        return "Next: have rows re-checked (--recheck-to ask.csv), then read the answers back (--audited ask.csv)."
    return ""
