"""An assessment as a reader meets it: the answer, the key figures, and one function per section."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.core.version import __version__
from justesse.measures import HEADLINE, PER_CLASS, f1
from justesse.procedures.model_measures import MEASURES
from justesse.report.document import Choice, Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import listed, message, paragraph, written
from justesse.significance.multiplicity import simultaneous_level
from justesse.verbs.assess.answer import headline, verdict
from justesse.verbs.assess.choice_section import choice_sections, is_over_splits
from justesse.verbs.baseline_title import baseline_title
from justesse.verbs.file_facts import file_facts, shortened

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment

MOST_MEASURES = 4
MOST_MODELS = 12  # models whose classes and learning curves are shown
HOW = (
    "Each model is trained on part of the rows and tested on others. Missing values, scaling, one-hot encoding and tf-idf "
    "are fitted on the training rows only.",
    "Intervals over several splits are Student's with the variance of Nadeau and Bengio, because training sets overlap. "
    "After one split or leave-one-out they are those of single rows.",
    "Pairs of models are compared by the corrected t test (5x2: Alpaydin's F test; one split or leave-one-out: McNemar's "
    "test).",
)
MORE_ROWS = {
    "yes": "More rows would help.",
    "no": "More rows would hardly help.",
    "cannot tell": "Whether more rows would help is unclear.",
}
SHARED, OWN = "shared by training and test error", "of this learner only"


def assessment_document(result: "Assessment") -> Document:
    """Describe an assessment, for every medium."""
    drawings = result.drawings()
    return Document(
        "Assessment of models",
        headline(result),
        [
            _models(result, drawings),
            *_bootstrap(result),
            *_differences(result, drawings),
            *choice_sections(result),
            *_more_rows(result),
            _gap(result, drawings),
            *_classes(result),
            _baselines(result),
        ],
        result.to_dict(),
        verdict=verdict(result),
        name="assessment",
        figures=_key_figures(result),
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=HOW,
        facts=_facts(result),
        seed=result.plan.seed,
    )


def _level(result: "Assessment") -> str:
    return level_name(result.plan.level)


def _measures(result: "Assessment") -> tuple[str, ...]:
    """The measures to show, that of the ranking first."""
    return tuple(dict.fromkeys((result.plan.measure, *(measure.name for measure in HEADLINE))))[:MOST_MEASURES]


def _key_figures(result: "Assessment") -> list[KeyFigure]:
    figures = []
    for name in _measures(result):
        estimate = replace(result[result.best, name], n=result.tested)
        title = written("capital", MEASURES[name].title)
        kind: Any = "share" if MEASURES[name].is_share else "value"
        note = ", ".join(
            filter(None, (result.best, "CI over splits (corrected t)" if is_over_splits(estimate) else ""))
        )
        figures.append(KeyFigure(title, estimate, kind, note))
    if result.luck and result.luck.best == result.best:
        note = str(message("best of {tried}, CI over rows only (bootstrap)", tried=result.luck.tried))
        figures.append(KeyFigure("Accuracy corrected for the choice", result.luck.corrected, "share", note))
    return figures


def _models(result: "Assessment", drawings: Mapping[str, Callable[[], Any]]) -> Section:
    first, *others = _measures(result)
    head: list[str | Column] = [
        "model",
        Column(MEASURES[first].title, "value"),
        Column(_level(result), "interval_or_dash"),
    ]
    head.append(Column("training", "value", 1))
    head += [Column(MEASURES[name].short_title, "value", 2 + at) for at, name in enumerate(others)]
    failed = any(scored.failed for scored in result.scored.values())
    head += [Column("splits failed", "count")] if failed else []
    rows: list[list[Any]] = []
    for name in (*result.ranked, *(name for name in result.models if name not in result.ranked)):
        own, scored = result.estimates[name], result.scored[name]
        rows.append([
            name, own[first], own[first], 1 - scored.train_error, *(own[title] for title in others),
            *([scored.failed] if failed else []),
        ])  # fmt: skip
    caption = message("Models, best first, on rows not used for training (n = {n:count})", n=result.tested)
    notes: list[Text] = ["training: accuracy on the training rows"]
    shortened_titles = [measure for name in others if (measure := MEASURES[name]).short_title != measure.title]
    notes += [message("{short}: {title}", short=item.short_title, title=item.title) for item in shortened_titles]
    if "selected" in result.selections:
        notes.append("selected: the search over models and settings, run anew in each split")
    note = message("{notes}.", notes=listed(notes, "; "))
    parts: list[Part] = [Figure(drawings[_main_chart(drawings)]), Table(str(caption), head, rows, note)]
    return Section("models", "Models", parts, "headline")


def _main_chart(drawings: Mapping[str, Callable[[], Any]]) -> str:
    return "boxes" if "boxes" in drawings else "gap"


def _bootstrap(result: "Assessment") -> list[Section]:
    if not result.bootstrap:
        return []
    head: list[str | Column] = [
        "model", Column(".632+ error", "value"), Column(_level(result), "interval_or_dash"), Column(".632", "value", 1),
        Column("out of bag", "value", 1), Column("on training rows", "value", 2),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [name, error.e632_plus, error.e632_plus, error.e632, error.out_of_bag, error.resubstitution]
        for name, error in result.bootstrap.items()
    ]
    note = (
        "The .632+ error corrects for models that memorise their training rows; the .632 error flatters them. An "
        "out-of-bag error above the no-information rate is capped at that rate."
    )
    return [Section("bootstrap", "Bootstrap errors", [Table("Bootstrap errors", head, rows, note)], "summary")]


def _differences(result: "Assessment", drawings: Mapping[str, Callable[[], Any]]) -> list[Section]:
    if not result.pairs:
        return []
    title, each = MEASURES[result.plan.measure].title, simultaneous_level(result.plan.level, len(result.pairs))
    head: list[str | Column] = [
        "better vs worse", Column("difference", "difference"), Column(level_name(each), "difference_interval"),
        Column("p (Holm)" if len(result.pairs) > 1 else "p", "pvalue"), Column("test", drop=1),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [str(message("{better} vs {worse}", better=pair.better, worse=pair.worse)), pair.difference, pair.difference, pair.adjusted_pvalue,
         pair.outcome.test.replace("-", " ")]
        for pair in result.pairs
    ]  # fmt: skip
    note: Text = "An interval that includes 0 does not show that the two models are equally good."
    if len(result.pairs) > 1:
        note = message(
            "Each interval has level {each:level}, so that all {n:count} hold together at {level:level}. {zero}",
            each=each,
            n=len(result.pairs),
            level=result.plan.level,
            zero=note,
        )
    caption = str(message("Differences in {measure}, all pairs of models", measure=title))
    parts: list[Part] = [Table(caption, head, rows, note, most=6)]
    if result.anova:
        template = "Test that all {n:count} models have the same {measure} (analysis of variance): {p:p}."
        if "corrected" in result.anova.test:
            template = (
                "Test that all {n:count} models have the same {measure} (analysis of variance, corrected for shared "
                "training rows): {p:p}."
            )
        alike = message(template, n=len(result.ranked), measure=title, p=result.anova.pvalue)
        parts.append(Words([alike]))
    if "pairs" in drawings:
        parts.append(Figure(drawings["pairs"]))
    return [Section("differences", "Differences between models", parts, "summary")]


def _gap(result: "Assessment", drawings: Mapping[str, Callable[[], Any]]) -> Section:
    lines = [
        message(
            "{name}: {words}",
            name=name,
            words=paragraph(
                result.scored[name].words,
                MORE_ROWS[result.curves[name].more_data] if name in result.curves else "",
            ),
        )
        for name in result.ranked
    ]
    chart: list[Part] = [] if _main_chart(drawings) == "gap" else [Figure(drawings["gap"])]
    return Section("gap", "Training and test error", [*chart, Words(lines, listed=True)])


def _more_rows(result: "Assessment") -> list[Section]:
    if not result.curves:
        return []
    curves = list(result.curves.values())
    most, fits = curves[0].points[-1].rows, result.runs.fits[result.best]
    head: list[str | Column] = [
        "model", "more rows help?", Column(str(message("error at {n:count} rows", n=most)), "value", 2),
        Column(str(message("at {n:count} rows", n=2 * most)), "value"),
        Column(_level(result), "interval_or_dash"), Column("limit", "value", 1),
        Column("CI of the limit", "interval_or_dash", 3), Column("limit is", drop=4),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [name, curve.more_data, float(curve.law.test(most)[0]), curve.doubled, curve.doubled, curve.limit, curve.limit,
         SHARED if curve.shared else OWN]
        for name, curve in result.curves.items()
    ]  # fmt: skip
    note = message(
        "Errors of the curve fitted to {splits:count} splits with up to {rows:count} training rows, extrapolated beyond "
        "that. The table of models has other splits, with about {train:count} training rows, so its errors differ. Yes: "
        "twice the rows lower the error by 0.01 or more at the low end of the interval. No: by less than 0.01 even at its "
        "high end.",
        splits=curves[0].limit.n,
        rows=most,
        train=round(sum(fit.trained for fit in fits) / len(fits)),
    )
    table = Table("Error with more training rows (extrapolated)", head, rows, note)
    choice = Choice(
        "Model",
        [
            (name, Figure(partial(result.chart, "learning_curve", model=name)))
            for name in list(result.curves)[:MOST_MODELS]
        ],
    )
    return [Section("more-rows", "Would more rows help?", [choice, table], "summary")]


def _classes(result: "Assessment") -> list[Section]:
    """Show precision, recall and F1 of each class, the worst F1 first: of the best model, then of the others."""
    best, *others = [_class_table(result, name) for name in result.ranked[:MOST_MODELS]]
    sections = [Section("classes", str(message("Per class: {model}", model=result.best)), [best])]
    if others:
        sections.append(Section("classes-of-others", "Per class: other models", others))
    return sections


def _class_table(result: "Assessment", model: str) -> Table:
    by_class: dict[Any, dict[str, Estimate]] = {}
    for estimate in result.classes[model]:
        by_class.setdefault(estimate.class_name, {})[estimate.name] = estimate
    measures = list(next(iter(by_class.values())))

    def worst_first(item: tuple[Any, dict[str, Estimate]]) -> float:
        value = item[1][f1.name].value
        return math.inf if math.isnan(value) else value

    rows: list[list[Any]] = [
        [str(name), *(own[measure] for measure in measures)] for name, own in sorted(by_class.items(), key=worst_first)
    ]
    head: list[str | Column] = ["class"]
    titles = {measure.name: measure.title for measure in PER_CLASS}
    head += [Column(titles[measure], "short_estimate") for measure in measures]
    caption = message(
        "{model}: each class with its {level}, worst {measure} first",
        model=model,
        level=_level(result),
        measure=f1.title,
    )
    return Table(str(caption), head, rows)


def _baselines(result: "Assessment") -> Section:
    names = _measures(result)
    head: list[str | Column] = ["baseline"]
    head += [Column(MEASURES[name].title, "value", at) for at, name in enumerate(names)]
    rows: list[list[Any]] = [
        [baseline_title(baseline), *(baseline[name] for name in names)] for baseline in result.baselines
    ]
    note = "Predictions that ignore the input, exact for the rows tested."
    return Section("baselines", "Baselines", [Table("Baselines", head, rows, note)])


def _facts(result: "Assessment") -> list[tuple[str, Text]]:
    plan, splits = result.plan, len(result.runs.fits[result.best])
    return [
        ("rows", written("count", result.runs.n)),
        *file_facts(plan.source),
        ("label column", plan.label),
        ("classes", shortened([str(name) for name in result.runs.data.classes or ()])),
        ("feature columns", shortened(list(plan.features))),
        *([("groups (kept together)", plan.group)] if plan.group else []),
        *([("times (tested in order)", plan.time)] if plan.time else []),
        ("models", shortened(list(result.models))),
        ("procedure", message("{procedure}: {splits:count split}", procedure=result.procedure, splits=splits)),
        ("failures", written("count", len(result.runs.failures))),
        ("measure of the ranking", MEASURES[plan.measure].title),
        ("confidence level", written("level", plan.level)),
        ("justesse", __version__),
    ]
