"""A comparison as a reader meets it: the verdict, the key figures, and one function per section."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.intervals.estimate import Confidence
from justesse.judges import judge_named
from justesse.judges.cleaned import FEWEST
from justesse.judges.conclude import LABELS
from justesse.judges.measure_differences import MeasureDifference
from justesse.judges.words import breakdown_words, margin_words, rounded
from justesse.measures import HEADLINE
from justesse.procedures.baselines import baselines
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph, written
from justesse.significance import title_of_test
from justesse.verbs.baseline_title import baseline_title
from justesse.verbs.compare.answer import by_labels, clusters_in_words, headline, title
from justesse.verbs.compare.candidates_section import candidates_section
from justesse.verbs.compare.label_noise_section import rung_rows
from justesse.verbs.compare.leaderboard_section import leaderboard_section
from justesse.verbs.compare.measures_section import cleans, differences_table, measures_section
from justesse.verbs.compare.pictures import OVERLAYS, against_labels, against_truth, names_of
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.log_section import log_section
from justesse.verbs.powered_words import always_valid_words, label_bias_words, worth_words

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison

HOW = (
    "A positive difference means that the candidate is better. The confidence interval of the difference decides; the "
    "p-value is further evidence. Accuracy, error, recall and specificity are shares of the same rows for both: Tango's score "
    "interval, McNemar's mid-p test. Areas: DeLong. Everything else: the delta method or, if asked for, a paired bootstrap of "
    "the counts, and a permutation test.",
    "The breakdown rate is the smallest share of wrong labels that could overturn the sign of the difference, or the choice "
    "to replace or not, if every one of them favoured it: a worst case, not a forecast.",
)
CLUSTERED = (
    "A positive difference means that the candidate is better. The confidence interval of the difference decides; the "
    "p-value is further evidence. Rows of one cluster may be alike, so every interval and test compares whole clusters: "
    "McNemar's test on single rows would count the same evidence several times. Accuracy, error, recall and specificity: "
    "Tango's score interval with the number of rows that the clusters are worth, and the cluster-robust McNemar test. Areas: Obuchowski. "
    "Everything else: linearised (CR2, Satterthwaite's degrees of freedom) or, if asked for, whole clusters resampled, and "
    "a cluster-robust t test.",
    "The breakdown rate is the smallest share of wrong labels found that overturns the sign of the difference, or the "
    "choice to replace or not, if every one of them favoured it and lay in the worst clusters: a worst case, not a forecast.",
)
TAKEN_AS_RIGHT = (
    "the labels are right, for the verdict and the measures (what you know about wrong labels enters only the true "
    "difference of accuracy)"
)
ROWS = {
    "both_right": "both right",
    "only_incumbent": "only the incumbent right",
    "only_candidate": "only the candidate right",
    "both_wrong_alike": "both wrong, same answer",
    "both_wrong_differently": "both wrong, different answers",
}


def comparison_document(result: "Comparison") -> Document:
    """Describe a comparison, for every medium."""
    verdict = result.decisive
    several = len(result.judged) > 1
    sections = [
        *_truth(result),
        *log_section(result.logs),
        *leaderboard_section(result),
        *candidates_section(result),
        measures_section(result),
        *_slices(result),
        *_noise(result),
        _disagreement(result),
        *_change(result),
        *_classes(result),
        *_scores(result),
        *([] if result.logs and not result.logs[0].by_class else [_baselines(result)]),
    ]
    return Document(
        "Comparison of an incumbent with several candidates"
        if several
        else "Comparison of an incumbent and a candidate",
        paragraph(headline(result), _test(result), clusters_in_words(result)),
        sections,
        result.to_dict(),
        verdict=title(result),
        tone=verdict.decision,
        name="comparison",
        figures=_key_figures(result),
        cautions=(*result.log_notes, *verdict.warnings, *result.warnings),
        assumptions=_assumptions(result),
        how=CLUSTERED if result.cluster else HOW,
        facts=_facts(result),
        seed=result.rule.seed,
    )


def _assumptions(result: "Comparison") -> list[str]:
    """List what the verdict assumes; where labels are known to be wrong, say what takes them as right nonetheless."""
    noise = result.best.noise
    knows_better = noise is not None and bool(noise.rungs) and result.best.which == "labels"
    return [
        TAKEN_AS_RIGHT if knows_better and assumption == LABELS else assumption
        for assumption in result.decisive.assumptions
    ]


def _test(result: "Comparison") -> Text:
    """Name the test and its p-value, adjusted where there are several candidates."""
    test = result.decisive.outcome
    if math.isnan(test.pvalue):
        return message("No p-value: {reason}.", reason=test.undefined) if test.undefined else ""
    name = title_of_test(test.test)
    if len(result.judged) == 1:
        return message("{test:capital}: {p:p}.", test=name, p=test.pvalue)
    return message("{test:capital}: {p:p} (Holm).", test=name, p=result.best.decisive_pvalue)


def _key_figures(result: "Comparison") -> list[KeyFigure]:
    verdict = result.decisive
    share = verdict.counts_errors
    trusting = result.best.which == "true" or judge_named(verdict.judge).trusts_labels
    allows = "" if trusting or cleans(verdict.judge) else "the interval allows for wrong labels"
    return [
        KeyFigure("Difference, candidate - incumbent", verdict.difference, "points" if share else "difference", allows),
        KeyFigure(
            str(message("{measure:capital} of the incumbent", measure=verdict.title)),
            verdict.incumbent,
            "share" if share else "value",
            result.incumbent,
        ),
        KeyFigure(
            str(message("{measure:capital} of the candidate", measure=verdict.title)),
            verdict.candidate,
            "share" if share else "value",
            result.best.name,
        ),
    ]


def _disagreement(result: "Comparison") -> Section:
    counts, n = result.decisive.disagreement.to_dict(), result.decisive.disagreement.n
    caption = str(message("Where each is right{against}", against=against_truth(result)))
    table = Table(
        caption, ["rows", Column("number", "count"), Column("share", "share")],
        [[ROWS[name], size, size / n] for name, size in counts.items()],
        "Only rows that exactly one of the two gets right can tell them apart.",
    )  # fmt: skip
    return Section("disagreement", "Where each is right", [Figure(partial(result.chart, "disagreement")), table])


def _change(result: "Comparison") -> list[Section]:
    """Say what the headline leaves out of what could change the verdict."""
    verdict = result.verdict
    lines: list[Text] = []
    if result.best.by_labels:
        lines = ["The verdict is about the true classes. For the verdict on the labels:", breakdown_words(verdict.breakdown, verdict)]  # fmt: skip
    if verdict.breakdown.unknown:
        lines.append(
            message("How many wrong labels it survives is not known: {reason}.", reason=verdict.breakdown.unknown)
        )
    if verdict.needed_n and verdict.disagreement.only_incumbent + verdict.disagreement.only_candidate:
        lines.append(
            message(
                "{n} more labelled rows settle it with a probability of 80 %, if the two differ and disagree as often as "
                "here.",
                n=rounded(verdict.needed_n),
            )
        )
    elif verdict.needed_n is None and not (verdict.judge == "cleaned" and verdict.disagreement.n < FEWEST):
        lines.append("More rows would not settle it, if the two are as they look here.")
    if verdict.margin:
        lines.append(margin_words(verdict))
    lines = [line for line in lines if line]
    return [Section("change", "What would change it", [Words(lines)])] if lines else []


def _noise(result: "Comparison") -> list[Section]:
    noise = result.best.noise
    if noise is None:
        return []
    parts: list[Part] = []
    rows = rung_rows(noise)
    if not result.verdict.counts_errors:
        sentence = "The chart is about accuracy: bounds for {measure} are not available."
        if rows:
            sentence = "This section is about accuracy: bounds for {measure} are not available."
        parts.append(Words([message(sentence, measure=result.verdict.title)]))
    parts.append(Figure(partial(result.chart, "noise")))
    if rows:
        heads: list[str | Column] = [
            "what is known of the labels",
            "true difference",
            "interval or bounds",
            Column("fails when", "sentence"),
        ]
        parts.append(Table("True difference of accuracy", heads, rows))
    parts += [
        Words(
            [
                paragraph(
                    worth_words(rung.powered),
                    label_bias_words(rung.powered),
                    always_valid_words(rung.powered, difference=True),
                )
            ]
        )
        for rung in noise.rungs
        if rung.powered
    ]
    return [Section("noise", "If some labels are wrong", parts, "summary" if rows else "full")]


def _largest(rows: Sequence[MeasureDifference]) -> list[MeasureDifference]:
    """Put the largest differences first, what is undefined last."""
    return sorted(rows, key=lambda row: 1 if math.isnan(row.difference.value) else -abs(row.difference.value))


def _classes(result: "Comparison") -> list[Section]:
    rows = result.best.classes
    if not rows:
        return []
    level = next((row.difference.interval.level for row in rows if row.difference.interval), result.level)
    note = message(
        "Largest difference first. The intervals hold for all {n} rows of this table together with {level:level}. n of a "
        "precision: all rows compared, as the two predict the class for different rows.",
        n=len(rows),
        level=result.level,
    )
    caption = str(message("Each class{against}", against=against_labels(result)))
    table = differences_table(caption, ("measure", "incumbent", "candidate"), _largest(rows), level_name(level), note)
    return [Section("classes", "Each class", [Figure(partial(result.chart, "classes")), table])]


def _slices(result: "Comparison") -> list[Section]:
    rows = result.best.slices
    if not rows:
        return []
    level = next((row.difference.interval.level for row in rows if row.difference.interval), result.level)
    note = message(
        "Largest difference first. The intervals hold for all slices of a column together with {level:level}.",
        level=result.level,
    )
    caption = str(
        message(
            "{measure:capital} in each slice{against}", measure=result.verdict.title, against=against_labels(result)
        )
    )
    table = differences_table(caption, ("slice", "incumbent", "candidate"), _largest(rows), level_name(level), note)
    return [Section("slices", "Slices", [Figure(partial(result.chart, "slices")), table], "summary")]


def _scores(result: "Comparison") -> list[Section]:
    drawn = [name for name in OVERLAYS if name in names_of(result)]
    figures = [Figure(partial(result.chart, name), zoom=True) for name in drawn]
    return [Section("scores", "Curves of both", figures)] if figures else []


def _truth(result: "Comparison") -> list[Section]:
    truth = result.best.truth
    if truth is None:
        return []
    pairs = (("the true classes", truth), (judge_named(result.verdict.judge).evidence, result.verdict))
    rows = [[what, verdict.judge, verdict.decision, verdict.difference, verdict.difference] for what, verdict in pairs]
    head: list[str | Column] = [
        "against",
        Column("judge", drop=1),
        Column("verdict", "decision"),
        Column("difference", "difference"),
        Column(level_name(truth.level, truth.alternative), "difference_interval"),
    ]
    about_labels = by_labels(result)
    words = [Words([about_labels])] if about_labels else []
    table = Table("Verdicts on the true classes and on the labels", head, rows)
    return [Section("truth", "True classes and labels", [*words, table], "headline")]


def _baselines(result: "Comparison") -> Section:
    case = result.best.case
    measures = HEADLINE[:3]
    naive = baselines(case.candidate, measures, Confidence(result.level))
    rows: list[list[Any]] = [[baseline_title(item), *item.measures] for item in naive]
    for name, tally in ((result.incumbent, case.incumbent), (result.best.name, case.candidate)):
        rows.append([name, *(float(measure(tally)) for measure in measures)])
    head: list[str | Column] = [
        "predictions",
        *(Column(measure.title, "value") for measure in measures),
    ]
    caption = str(message("Predictions that ignore the input{against}", against=against_labels(result)))
    note = "Random baselines are expected values on these rows."
    return Section("baselines", "Baselines", [Table(caption, head, rows, note)])


def _facts(result: "Comparison") -> list[tuple[str, Text]]:
    case, verdict = result.best.case, result.verdict
    facts: list[tuple[str, Text]] = [
        ("rows", written("count", case.n)),
        ("classes", shortened([str(name) for name in case.tally.named_classes])),
        ("incumbent", result.incumbent),
        ("candidates", ", ".join(item.name for item in result.judged)),
        ("candidates tried", written("count", result.tried)),
    ]
    for source in result.sources:
        facts += file_facts(source)
    if result.noise:
        facts += [*result.noise.known.facts, *(fact for file in result.noise.known.files for fact in file_facts(file))]
    joined: Text = "in order" if len(result.sources) > 1 else "in one table"
    if result.on:
        joined = message("by {id:name}", id=result.on)
    return [
        *facts,
        ("rows joined", joined),
        *([("clusters", message("column {name:name}", name=result.cluster))] if result.cluster else []),
        ("rows left out", written("count", result.best.gaps.dropped)),
        ("measure", verdict.title),
        ("judge", verdict.judge),
        ("margin that matters", written("number", verdict.margin)),
        ("confidence level", message("{level:level}, {sides}", level=result.level, sides=verdict.alternative)),
        ("resamples", written("count", result.rule.draws)),
        ("justesse", __version__),
    ]
