"""An evaluation as a reader meets it: the answer, the key figures, and one function per section."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from justesse.core.levels import shown_name
from justesse.core.results import Average, ClassName, Estimate, level_name
from justesse.core.version import __version__
from justesse.measures import CLASS_HEADLINE, HEADLINE, PER_CLASS, Measure, curves
from justesse.measures.cost import Cost
from justesse.measures.curves import ROC_AUC
from justesse.measures.titles import title_of, words_of
from justesse.noise.label_noise_report import key_of
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.baseline_title import baseline_title
from justesse.verbs.clusters import cluster_words
from justesse.verbs.evaluate.confusion_section import confusion_section
from justesse.verbs.evaluate.label_marks import marked_figure, marked_sections
from justesse.verbs.evaluate.label_noise_section import label_noise_section
from justesse.verbs.evaluate.samples_section import samples_section
from justesse.verbs.evaluate.score_section import score_section
from justesse.verbs.evaluate.variance_section import variance_section
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.log_section import log_section
from justesse.verbs.powered_words import worth_words

if TYPE_CHECKING:
    from justesse.noise.label_noise_report import LabelNoiseReport
    from justesse.verbs.evaluate.evaluation import Evaluation

KEY_FIGURES = 5
UNIMPORTANT = 3  # the columns a narrow terminal drops first
HEADLINES = {
    "labels": "Accuracy{figure}, if the labels are right.",
    "true": "Accuracy against the true classes{figure}.",
    "re-checked": "Accuracy by the re-checked rows{figure}.",
}
HOW = (
    "Accuracy, precision, recall and other shares of rows have an interval of their own n. Macro averages, MCC and kappa are "
    "resampled from the counts or, where the table says delta, linearised. Averages leave out classes where the measure is "
    "undefined.",
)
CLUSTERED = (
    "Rows of one cluster may be alike, so every interval compares whole clusters. Shares of rows have Wilson's interval with "
    "the number of rows that the clusters are worth; other measures are linearised (CR2), or whole clusters are resampled. "
    "Averages leave out classes where the measure is undefined.",
)


def evaluation_document(result: "Evaluation") -> Document:
    """Describe an evaluation, for every medium."""
    level = level_name(result.confidence.level, result.confidence.alternative)
    sections = [
        *_required(result),
        *_truth(result, level),
        _measures(result, level),
        *samples_section(result, level),
        *variance_section(result),
        *log_section([result.log] if result.log else []),
        *([_classes(result, level), confusion_section(result)] if result.by_class else []),
        *score_section(result, level),
        *_slices(result, level),
        *label_noise_section(result.noise, by_class=result.by_class),
        *([_averages(result), _baselines(result, level)] if result.by_class else []),
        *_training(result, level),
    ]
    return Document(
        "Evaluation of a classifier",
        headline(result),
        sections if result.which == "labels" else marked_sections(sections),
        result.to_dict(),
        name="evaluation",
        figures=[figure if result.which == "labels" else marked_figure(figure) for figure in _key_figures(result)],
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=CLUSTERED if result.clusters else HOW,
        facts=_facts(result),
        seed=result.confidence.seed,
    )


def headline(result: "Evaluation") -> Text:
    """Say how right it is, also by several samples, beside the majority baseline, and on the positive class."""
    truth, noise, which = result.truth, result.noise, result.which
    sentences: list[Text] = [_figure_words(HEADLINES[which], result.best_known("accuracy"))]
    sentences += [_figure_words("{title}{figure}.", item.estimate, title=item.title) for item in result.samples]
    if not result.by_class:
        return paragraph(*sentences, *(_bounded(noise) if noise and noise.known.rate else []))
    majority = truth.majority if truth else result.baselines[0]
    always = {"name": majority.class_name, "share": majority.measures[0]}
    if which == "re-checked" and noise and noise.powered and (worth := worth_words(noise.powered)):
        sentences.append(worth)
    if which != "re-checked":
        sentences.append(message("Always predicting {name:name} would give {share:share}.", **always))
    if result.positive is not None:
        sentences += [
            _figure_words(
                "{measure} of class {name:name}{figure}.",
                result.best_known(measure.name, result.positive),
                measure=f"{measure.title[:1].upper()}{measure.title[1:]}",
                name=result.positive,
            )
            for measure in CLASS_HEADLINE
        ]
    if truth:
        template = "Against the labels ({wrong:rough_share} of the labels are wrong){figure}."
        sentences.append(_figure_words(template, result["accuracy"], wrong=truth.noise))
    elif noise and which == "re-checked":
        template = "Against the labels ({wrong} re-checked labels are wrong){figure}."
        sentences.append(_figure_words(template, result["accuracy"], wrong=noise.wrong_labels))
        sentences.append(message("Always predicting {name:name} would match {share:share} of the labels.", **always))
    elif noise and noise.known.rate:
        sentences += _bounded(noise)
    if result.clusters and result.roles.cluster:
        sentences.append(cluster_words(result.clusters, result.roles.cluster))
    return paragraph(*sentences)


def _bounded(noise: "LabelNoiseReport") -> list[Message]:
    """Say between which values the accuracy of these rows lies, at the noise rate given."""
    return [
        message(
            "If {assumption}, the true accuracy of these rows lies between {low:share} and {high:share}.",
            assumption=bounds.assumption,
            low=bounds.low,
            high=bounds.high,
        )
        for bounds in noise.bounds
        if key_of(bounds) == ("accuracy", None, None)
    ]


def _figure_words(template: str, estimate: Estimate, **parts: Any) -> Message:
    """Write a sentence about a share with its interval and n, or why it is undefined."""
    figure = message(" {value:share} (n = {value:count})", value=estimate)
    if estimate.interval:
        figure = message(
            " {value:share} ({value:level_name} {value:share_interval}, n = {value:count})", value=estimate
        )
    if math.isnan(estimate.value):
        figure = message(": undefined ({reason})", reason=estimate.undefined)
    return message(template, figure=figure, **parts)


def _key_figures(result: "Evaluation") -> list[KeyFigure]:
    """Show the first headline figure, those of the positive class, the next headline figures, and the area of scores."""
    first, *others = HEADLINE
    figures: list[KeyFigure] = []
    if result.which != "labels":
        against = {"true": ", true classes", "re-checked": ", re-checked rows"}[result.which]
        figures.append(_key_figure(first, result.best_known(first.name), against))
    figures.append(_key_figure(first, result[first.name]))
    if not result.by_class:
        return figures
    if result.positive is not None:
        figures += [_key_figure(measure, result[measure.name, result.positive]) for measure in CLASS_HEADLINE]
    areas = [
        KeyFigure(measure.title, estimate, "value")
        for measure in curves.ALL
        for estimate in result.estimates
        if (measure.headline and estimate.name == measure.name)
        and (estimate.class_name, estimate.average) in ((result.positive, None), (None, "macro"))
    ]
    averages = [_key_figure(measure, result[measure.name, measure.average]) for measure in others]
    return [*figures, *averages[: KEY_FIGURES - len(figures) - len(areas[:1])], *areas[:1]]


def _key_figure(measure: Measure, estimate: Estimate, against: str = "") -> KeyFigure:
    return KeyFigure(f"{title_of(estimate)}{against}", estimate, "share" if measure.is_share else "value")


def estimates_table(caption: str, estimates: Sequence[Estimate], level: str) -> Table:
    """List estimates with their intervals, n and method."""
    head: list[str | Column] = [
        "measure",
        Column("value", "value"),
        Column(level, "interval_or_dash"),
        Column("n", "count", 1),
        Column("method", "method", 2),
    ]
    return Table(caption, head, [[title_of(estimate), *[estimate] * 4] for estimate in estimates])


def _required(result: "Evaluation") -> list[Section]:
    words = [requirement.words for requirement in result.requirements]
    return [Section("required", "Requirements", [Words(words, listed=True)], "headline")] if words else []


def _truth(result: "Evaluation", level: str) -> list[Section]:
    if not result.truth:
        return []
    noise = [["Wrong labels", *[result.truth.noise] * 4]]
    table = estimates_table("Against the true classes", result.true_main, level)
    whole = Table(table.caption, table.head, [*noise, *table.rows])
    return [
        Section(
            "truth",
            "Against the true classes",
            [whole, Words(["Every other section is about the labels."])],
            "headline",
        )
    ]


def _measures(result: "Evaluation", level: str) -> Section:
    own = [estimate for estimate in result.estimates if not result.scores or estimate not in result.scores.estimates]
    parts: list[Part] = [
        Figure(partial(_interval_chart, own)),
        estimates_table("All classes" if result.by_class else "All samples", result.main, level),
    ]
    return Section("measures", "Measures", parts, "headline")


def _drop(name: str) -> int:
    headline = any(item.name == name and (item.headline or item.class_headline) for item in PER_CLASS)
    return 0 if headline or name not in {item.name for item in PER_CLASS} else UNIMPORTANT


def _by_class(result: "Evaluation") -> dict[tuple[ClassName, str], Estimate]:
    return {
        (estimate.class_name, estimate.name): estimate
        for estimate in result.estimates
        if estimate.class_name is not None
    }


def _classes(result: "Evaluation", level: str) -> Section:
    """Show each class: the positive one first, then the lowest by the per-class headline measure."""
    estimates = _by_class(result)
    worst = min((measure for measure in PER_CLASS if measure.headline), key=lambda measure: measure.headline)
    measures = list(dict.fromkeys(estimate.name for estimate in result.estimates if estimate.average == "micro"))
    counts = {
        axis: dict(zip(result.tally.classes, result.tally.sums(axis, result.tally.counts).tolist(), strict=True))
        for axis in ("label", "prediction")
    }

    def order(name: ClassName) -> tuple[bool, float]:
        value = estimates[name, worst.name].value
        return name != result.positive or result.positive is None, math.inf if math.isnan(value) else value

    names = sorted(result.tally.named_classes, key=order)
    head: list[str | Column] = ["class", Column("labelled", "count"), Column("predicted", "count", 1)]
    head += [
        Column(words_of(replace(estimates[names[0], measure], class_name=None)), "short_estimate", _drop(measure))
        for measure in measures
    ]
    rows = [
        [
            shown_name(name),
            counts["label"][name],
            counts["prediction"][name],
            *(estimates[name, measure] for measure in measures),
        ]
        for name in names
    ]
    note = message("In brackets: {level}. Lowest {measure} first.", level=level, measure=worst.title)
    return Section("classes", "Each class", [Table("Each class", head, rows, note)])


def _interval_chart(estimates: Sequence[Estimate]) -> Any:
    from justesse import charts

    return charts.interval_chart(estimates)


def _averages(result: "Evaluation") -> Section:
    by_key = {(estimate.name, estimate.average): estimate for estimate in result.estimates if estimate.average}
    names = list(dict.fromkeys(name for name, average in by_key if average == "micro"))
    averages: tuple[Average, ...] = get_args(Average)
    head: list[str | Column] = ["measure", *(Column(how, "short_estimate") for how in averages)]
    rows = [
        [title_of(replace(by_key[name, "macro"], average=None)), *(by_key[name, how] for how in averages)]
        for name in names
    ]
    return Section("averages", "Averages over classes", [Table("Averages over classes", head, rows)])


def _baselines(result: "Evaluation", level: str) -> Section:
    """Show what predictions score that ignore the input."""
    keys: list[tuple[str, str | None]] = [(measure.name, measure.average) for measure in HEADLINE[:3]]
    keys += [(item.name, None) for item in result.main if item.name == Cost().name]
    rows: list[list[Any]] = []
    for naive in result.baselines:
        by_key: dict[tuple[str, str | None], Estimate] = {
            (measure.name, measure.average): measure for measure in naive.measures
        }
        rows.append([baseline_title(naive), by_key[keys[0]], *(by_key[key] for key in keys)])
    own: dict[tuple[str, str | None], Estimate] = {(item.name, item.average): item for item in result.main}
    rows.append(["this classifier", own[keys[0]], *(own[key] for key in keys)])
    heads: list[str | Column] = [
        "predictions",
        Column(words_of(own[keys[0]]), "value"),
        Column(level, "interval_or_dash", 1),
    ]
    heads += [Column(words_of(own[key]), "value") for key in keys[1:]]
    return Section("baselines", "Baselines", [
        Table("Predictions that ignore the input", heads, rows, "Random baselines are expected values on these rows.")
    ])  # fmt: skip


def _slices(result: "Evaluation", level: str) -> list[Section]:
    if not result.slices:
        return []
    from justesse import charts

    parts = []
    average = next(measure for measure in HEADLINE if measure.average)
    for part in result.slices:
        whole = {(item.name, item.average): item for item in part.estimates if item.class_name is None}
        area = next((estimate for estimate in part.estimates if estimate.name == ROC_AUC.name), None)
        first, second = (whole.get((measure.name, measure.average)) for measure in (HEADLINE[0], average))
        assert first is not None
        parts.append((part.title, first, second, area))
    parts.sort(key=lambda row: math.inf if math.isnan(row[1].value) else row[1].value)
    head: list[str | Column] = [
        "slice", Column("n", "count"), Column(HEADLINE[0].title, "value"), Column(level, "interval_or_dash"),
        Column(average.title, "value"), Column(level, "interval_or_dash", 2),
    ]  # fmt: skip
    rows: list[list[Any]] = [[name, *[first] * 3, *[second] * 2] for name, first, second, _ in parts]
    if not result.by_class:
        head, rows = head[:4], [row[:4] for row in rows]
    if any(area for *_, area in parts):
        macro = "macro " if any(area and area.average for *_, area in parts) else ""
        head += [Column(f"{macro}{ROC_AUC.title}", "value"), Column(level, "interval_or_dash", 1)]
        rows = [[*row, area, area] for row, (*_, area) in zip(rows, parts, strict=True)]
    note = paragraph(
        message("Lowest {measure} first.", measure=HEADLINE[0].title),
        "With many slices some look good or bad by chance." if len(parts) >= 10 else "",
    )
    drawn = Figure(partial(charts.slice_chart, [(name, right) for name, right, *_ in parts][:60], result["accuracy"]))
    return [Section("slices", "Slices", [drawn, Table("Each slice", head, rows, note)], "summary")]


def _training(result: "Evaluation", level: str) -> list[Section]:
    if not result.training:
        return []
    pairs = zip(result.training.beside(result.estimates), result.training.estimates, strict=True)
    head: list[str | Column] = [
        "measure", Column("test", "value"), Column(level, "interval_or_dash"), Column("training", "value"),
        Column(level, "interval_or_dash", 1), Column("difference", "difference"),
    ]  # fmt: skip
    rows = [[title_of(test), test, test, train, train, train.value - test.value] for test, train in pairs]
    note = "A model that does better on its training rows than here over-fits."
    return [Section("resubstitution", "Training rows", [Table("Over-fitting", head, rows, note)], "summary")]


def _facts(result: "Evaluation") -> list[tuple[str, Text]]:
    tally = result.tally
    facts: list[tuple[str, Text]] = [
        ("rows", f"{tally.n:,}"),
        ("classes", shortened([str(name) for name in tally.named_classes])),
    ]
    if tally.weighted:
        facts.append(("effective rows", f"{tally.effective_n:,.1f}"))
    facts += file_facts(result.source)
    if result.noise:
        facts += [*result.noise.known.facts, *(fact for file in result.noise.known.files for fact in file_facts(file))]
    columns = ", ".join(f"{part}: {name}" for part, name in result.roles.axes.items())
    return [
        *facts,
        ("columns", columns),
        ("rows left out", f"{result.gaps.dropped:,}"),
        ("confidence level", f"{100 * result.confidence.level:g} %"),
        ("interval of shares", _share_method(result)),
        *([("resamples", f"{result.confidence.enough_draws:,}")] if _resamples(result) else []),
        ("justesse", __version__),
    ]


def _share_method(result: "Evaluation") -> str:
    interval = result["accuracy"].interval
    return interval.method if result.clusters and interval else result.confidence.method


def _resamples(result: "Evaluation") -> bool:
    return result.confidence.can_resample and (not result.clusters or result.confidence.bootstrap is not None)
