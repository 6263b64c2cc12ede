"""A lifelong evaluation as a reader meets it."""

import math
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.lifelong.policy_score import NO_COUNTS
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.label_gap_section import HOW as GAP_HOW
from justesse.verbs.lifelong.label_gap_section import bound_figures, bound_table, gap_headline, gap_sections
from justesse.verbs.lifelong.noise_section import noise_sections
from justesse.verbs.lifelong.transfer_section import transfer_sections

if TYPE_CHECKING:
    from justesse.verbs.lifelong.result import LifelongScores

SHOWN = 12  # periods whose cells fit in a table
LABELLED = "Errors are those of rows that have a label."
WEIGHTED = (
    "The score under the policy is the mean of a version's scores in the periods that count for it, weighted by the policy; the "
    "weights add up to 1 (Prokopalo et al. 2020, equation 2)."
)
HOW: dict[str, tuple[Text, ...]] = {
    "error": (
        "The error under the policy is the mean of a version's error rates in the periods that count for it, weighted by the "
        "policy; the weights add up to 1 (Prokopalo et al. 2020, equation 2).",
        "Intervals: Wilson's in each period, with cluster-robust variance over its blocks of time (√m neighbouring days of m, or "
        "times if they are numbers); squared half-widths add up as variances do (MOVER). The periods themselves are fixed.",
        "Forgetting and transfer are of accuracy. Their definitions differ between authors, even in sign: quote the source. "
        "Their intervals add up those of the accuracies with the correlations of versions tested on the same items or days; the "
        "fall from the best version, a mean of maxima, has a conservative one.",
    ),
    "penalised": (
        "The penalised error of a period is the error rate after adaptation plus the share of items that the expert touched "
        "(Prokopalo et al. 2020, equations 1 and 3). Each period starts from the version itself.",
        WEIGHTED,
        "Intervals: Wilson's for items that count 1 if wrong and 1 if touched, with cluster-robust variance over blocks of time; "
        "squared half-widths add up as variances do (MOVER).",
    ),
    "given": (
        WEIGHTED,
        "Scores are taken as given; several times in one period count equally. Without the items behind them there is no interval.",
        "Forgetting and transfer are of the given scores. Their definitions differ between authors, even in sign: quote the "
        "source.",
    ),
}


def score_document(result: "LifelongScores") -> Document:
    """Describe the scores of all versions, for every medium."""
    figures = []
    if (last := result.last) is not None:
        estimate = result.estimates[result.matrix.versions.index(last.version)]
        figures = [KeyFigure(estimate.words, estimate, result.words.form, f"version {last.version}")]
        if result.missing_labels is not None and result.missing_labels.is_bound:
            figures = bound_figures(last.version, result.missing_labels)
    return Document(
        "Lifelong evaluation",
        _headline(result),
        [
            _scores(result),
            *gap_sections(result),
            *noise_sections(result),
            _matrix(result),
            *_weights(result),
            *transfer_sections(result),
        ],
        result.to_dict(),
        name="lifelong-scores",
        figures=figures,
        cautions=result.warnings,
        assumptions=ASSUMPTIONS,
        how=_how(result),
        facts=_facts(result),
    )


def _how(result: "LifelongScores") -> tuple[Text, ...]:
    gaps = result.missing_labels
    if gaps is None:
        return HOW[result.scored]
    return (HOW["error"][0], GAP_HOW["bounds"], *([GAP_HOW["asked"]] if gaps.probability else []))


def _headline(result: "LifelongScores") -> Text:
    last = result.last
    if result.missing_labels is not None and (line := gap_headline(result, result.missing_labels)) is not None:
        return line
    if last is None:
        return message("No version has a test period that counts for it: {why}.", why=result.scores[0].undefined)
    place = result.matrix.versions.index(last.version)
    template = (
        "{title} of version {name} under the policy {policy}: {error:share} ({error:level_name} {error:share_interval}, "
        "n = {error:count}), if the labels are right."
    )
    if result.scored == "given":
        template = "{title} of version {name} under the policy {policy}: {error:value}."
    parts: list[Text] = [
        message(
            template,
            title=result.words.title,
            name=last.version,
            policy=result.policy.name,
            error=result.estimates[place],
        )
    ]
    if result.gains:
        gain = result.gains[place]
        template = "Gain by generalisation: {gain:points}."
        if gain.interval is not None:
            template = "Gain by generalisation: {gain:points} ({gain:level_name} {gain:points_interval})."
        parts.append(message(template, gain=gain))
    return paragraph(*parts, result.policy.words)


def _scores(result: "LifelongScores") -> Section:
    head: list[str | Column] = [
        "version", Column(result.words.column, result.words.form), Column(level_name(result.level), result.words.interval_form),
        Column("n", "count", 1),
        Column("periods", "count", 2), Column("weight of the last", "share", 3),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            score.version,
            estimate,
            estimate,
            None if score.undefined == NO_COUNTS else score.n,
            len(score.periods),
            score.weights[-1] if score.weights else math.nan,
        ]
        for score, estimate in zip(result.scores, result.estimates, strict=True)
    ]
    if result.gains:
        head += [Column("gain", "points"), Column("CI of the gain", "points_interval", 1)]
        rows = [[*row, gain, gain] for row, gain in zip(rows, result.gains, strict=True)]
    drawings = result.drawings()
    parts: list[Part] = [Figure(drawings["scores"])]
    if "policy" in drawings:
        parts.append(Figure(drawings["policy"]))
    caption = message("{title} under the policy {policy}", title=result.words.title, policy=result.policy.name)
    note = (
        "Each version is scored on its own periods: compare systems at the same version, not versions with each other."
    )
    table = Table(str(caption), head, rows, note)
    if result.missing_labels is not None and result.missing_labels.is_bound:
        table = bound_table(result, result.missing_labels, note)
    return Section("scores", "Every version under the policy", [*parts, table], "headline")


def _matrix(result: "LifelongScores") -> Section:
    matrix = result.matrix
    parts: list[Part] = [Figure(result.drawings()["matrix"])]
    if len(matrix.periods) <= SHOWN:
        head: list[str | Column] = ["version", *(Column(name, result.words.form) for name in matrix.periods)]
        rows: list[list[Any]] = [
            [name, *row] for name, row in zip(matrix.versions, matrix.values.tolist(), strict=True)
        ]
        parts.append(
            Table(
                str(message("{title}: versions down, periods across", title=result.words.title)),
                head,
                rows,
                LABELLED if result.missing_labels and result.missing_labels.probability is None else "",
                matrix=True,
            )
        )
    return Section("matrix", "Every version in every period", parts, "summary")


def _weights(result: "LifelongScores") -> list[Section]:
    """Describe how much each period weighs for the last version, and what it adds to its score."""
    if (last := result.last) is None:
        return []
    column, form = result.words.column, result.words.form
    rows = [[name, weight, value, weight * value] for name, weight, value in result.weighted(last)]
    caption = message(
        "Weight of each period under the policy {policy}, version {version}",
        policy=result.policy.name,
        version=last.version,
    )
    head: list[str | Column] = [
        "period",
        Column("weight", "share"),
        Column(column, form),
        Column(f"weight × {column}", form),
    ]
    note: Text = message("The last column adds up to the {column} under the policy.", column=column)
    if result.missing_labels and result.missing_labels.probability is None:
        note = LABELLED
    return [Section("weights", "What the policy weighs", [Table(str(caption), head, rows, note, most=len(rows))])]


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
