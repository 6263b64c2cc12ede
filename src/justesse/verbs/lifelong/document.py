"""A lifelong evaluation as a reader meets it."""

import math
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.result import LifelongScores

SHOWN = 12  # periods whose cells fit in a table
HOW: tuple[Text, ...] = (
    "The error under the policy is the mean of a version's error rates in the periods that count for it, weighted by the "
    "policy; the weights add up to 1 (Prokopalo et al. 2020, equation 2).",
    "Intervals: Wilson's in each period, with cluster-robust variance over its blocks of time (√m neighbouring days of m, or "
    "times if they are numbers); squared half-widths add up as variances do (MOVER). The periods themselves are fixed.",
    "Forgetting and transfer are of accuracy. Their definitions differ between authors, even in sign: quote the source.",
)


def score_document(result: "LifelongScores") -> Document:
    """Describe the scores of all versions, for every medium."""
    figures = []
    if (last := result.last) is not None:
        estimate = result.estimates[result.matrix.versions.index(last.version)]
        figures = [KeyFigure("Error under the policy", estimate, "share", f"version {last.version}")]
    return Document(
        "Lifelong evaluation",
        _headline(result),
        [_scores(result), _matrix(result), *_transfer(result)],
        result.to_dict(),
        name="lifelong-scores",
        figures=figures,
        cautions=result.warnings,
        assumptions=ASSUMPTIONS,
        how=HOW,
        facts=_facts(result),
    )


def _headline(result: "LifelongScores") -> Text:
    last = result.last
    if last is None:
        return message("No version has a test period that counts for it: {why}.", why=result.scores[0].undefined)
    parts: list[Text] = [
        message(
            "Error of version {name} under the policy {policy}: {error:share} ({error:level_name} {error:share_interval}, "
            "n = {error:count}), if the labels are right.",
            name=last.version,
            policy=result.policy.name,
            error=result.estimates[result.matrix.versions.index(last.version)],
        ),
        result.policy.words,
    ]
    return paragraph(*parts)


def _scores(result: "LifelongScores") -> Section:
    head: list[str | Column] = [
        "version", Column("error", "share"), Column(level_name(result.level), "share_interval"), Column("n", "count", 1),
        Column("periods", "count", 2), Column("weight of the last", "share", 3),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            score.version,
            estimate,
            estimate,
            score.n,
            len(score.periods),
            score.weights[-1] if score.weights else math.nan,
        ]
        for score, estimate in zip(result.scores, result.estimates, strict=True)
    ]
    drawings = result.drawings()
    parts: list[Part] = [Figure(drawings["scores"])]
    if "policy" in drawings:
        parts.append(Figure(drawings["policy"]))
    caption = message("Error under the policy {policy}", policy=result.policy.name)
    note = (
        "Each version is scored on its own periods: compare systems at the same version, not versions with each other."
    )
    return Section(
        "scores", "Every version under the policy", [*parts, Table(str(caption), head, rows, note)], "headline"
    )


def _matrix(result: "LifelongScores") -> Section:
    matrix = result.matrix
    parts: list[Part] = [Figure(result.drawings()["matrix"])]
    if len(matrix.periods) <= SHOWN:
        head: list[str | Column] = ["version", *(Column(name, "share") for name in matrix.periods)]
        rows: list[list[Any]] = [
            [name, *row] for name, row in zip(matrix.versions, matrix.values.tolist(), strict=True)
        ]
        parts.append(Table("Error rate: versions down, periods across", head, rows, matrix=True))
    return Section("matrix", "Every version in every period", parts, "summary")


def _transfer(result: "LifelongScores") -> list[Section]:
    figures = result.transfer
    if not figures:
        return []
    head: list[str | Column] = [
        "figure",
        Column("value", "value"),
        Column("by", "words"),
        Column("formula", "words", 1),
    ]
    rows: list[list[Any]] = [
        [figure.name, math.nan if figure.undefined else figure.value, figure.source, figure.formula]
        for figure in figures
    ]
    note = "R[i, j]: accuracy of version i in period j; T: number of versions; b: accuracy before any training."
    table = Table("Forgetting and transfer of accuracy, by whose definition", head, rows, note, most=len(rows))
    return [Section("transfer", "Forgetting and transfer", [table])]


def _facts(result: "LifelongScores") -> list[tuple[str, Text]]:
    return [
        ("versions", written("count", len(result.matrix.versions))),
        ("test periods", written("count", len(result.matrix.periods))),
        ("length of a period", result.length),
        ("policy", result.policy.name),
        ("periods that count", result.convention),
        *file_facts(result.source),
        ("columns", ", ".join(f"{part}: {name}" for part, name in result.columns.items())),
        ("confidence level", written("level", result.level)),
        ("justesse", __version__),
    ]
