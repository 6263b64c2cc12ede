"""A comparison of fold scores as a page, and its charts."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.core.version import __version__
from justesse.frames.native import write_whole
from justesse.judges.words import ends, p_words
from justesse.report import old_sections as sections
from justesse.report.old_document import Document, Part, Section, Table
from justesse.report.old_render import figure, rendered
from justesse.verbs.comparison_page import signed
from justesse.verbs.page import file_facts

if TYPE_CHECKING:
    from justesse.verbs.fold_comparison import FoldComparison

HOW = (
    "A positive difference means that the candidate is better. The interval of the mean difference decides: Student's, "
    "with the variance of Nadeau and Bengio where training sets overlap. The p-value is evidence beside it.",
)


def fold_pictures(found: "FoldComparison") -> list[str]:
    """List the charts of fold scores."""
    return ["difference", "pairs", "boxes", *(["critical_difference"] if found.nemenyi else [])]


def fold_picture(found: "FoldComparison", name: str) -> Any:
    """Draw one of them."""
    if name == "critical_difference" and found.anova and not found.nemenyi:
        raise OptionError(
            "a critical difference needs independent data sets; over folds of one data set it is far too small. Use "
            "independent=True (--independent) if no rows are shared"
        )
    if name not in fold_pictures(found):
        raise OptionError(f"there is no chart {name!r} of this; there are {', '.join(fold_pictures(found))}")
    if name == "difference":
        rows = sorted(found.verdicts, key=lambda one: one.rank, reverse=True)
        shown = [(one.name, one.difference) for one in rows]
        unit = f"unit of {found.measure}"
        return charts.difference_chart(shown, margin=found.verdict.margin, measure=found.measure, unit=unit)
    if name == "pairs":
        return charts.fold_pairs_chart(found.scores, found.measure)
    if name == "boxes":
        return charts.fold_boxes_chart(found.scores, found.measure, incumbent=found.incumbent)
    assert found.friedman is not None
    assert found.nemenyi is not None
    names = found.friedman.names
    groups = [[names[at] for at in group] for group in found.nemenyi.groups]
    ranks = dict(zip(names, found.friedman.ranks, strict=True))
    return charts.critical_difference_chart(ranks, found.nemenyi.critical_difference, groups)


def write_fold_page(
    found: "FoldComparison", path: Path, *, interactive: bool = False, command: str | None = None
) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    document = fold_page(found, interactive=interactive, command=command)
    return write_whole(path, lambda temporary: Path(temporary).write_text(rendered(document), encoding="utf-8"))


def fold_page(found: "FoldComparison", *, interactive: bool = False, command: str | None = None) -> Document:
    """Put the sections together."""
    best = found.verdict
    heads = [
        "candidate",
        "verdict",
        found.incumbent,
        "candidate",
        "difference",
        f"{100 * found.each_level:.4g} % interval",
        best.outcome.test,
        "p (Holm)",
    ]
    rows = [
        [
            one.name,
            one.decision.replace("_", " "),
            sections.number(one.incumbent.value),
            sections.number(one.candidate.value),
            signed(one.difference.value),
            ends(one.difference.interval),
            p_words(one.outcome.pvalue),
            p_words(p),
        ]
        for one, p in zip(found.verdicts, found.adjusted_pvalues, strict=True)
    ]
    better = "lower is better" if found.lower_is_better else "higher is better"
    parts: list[Part] = [figure(found.chart("difference"), 0), Table(f"Mean {found.measure} ({better})", heads, rows)]
    posteriors = [
        [
            one.name,
            *(
                f"{p:.3f}"
                for p in (one.posterior.candidate_better, one.posterior.equivalent, one.posterior.incumbent_better)
            ),
        ]
        for one in found.verdicts
        if one.posterior and not math.isnan(one.posterior.candidate_better)
    ]
    if posteriors:
        note = f"By a Bayesian model of correlated folds; equivalent means a difference of at most {best.margin:g}."
        heads = ["candidate", "candidate better", "equivalent", "incumbent better"]
        parts.append(Table("How probable it is", heads, posteriors, note))
    made = [
        Section("difference", "The difference", parts),
        sections.careful(found.warnings),
        Section("folds", "Fold by fold", [figure(found.chart("pairs"), 10), figure(found.chart("boxes"), 11)]),
    ]
    if found.anova:
        tests = [[found.anova.test, sections.number(found.anova.statistic), p_words(found.anova.pvalue)]]
        ranks: list[Part] = []
        if found.nemenyi and found.friedman:
            ranks = [figure(found.chart("critical_difference"), 20)]
            tests.append(["friedman, F", sections.number(found.friedman.f_statistic), p_words(found.friedman.f_pvalue)])
        table = Table("Tests that all models are alike", ["test", "statistic", "p"], tests)
        made.append(Section("ranks", "All models together", [*ranks, table]))
    facts = [
        ("folds", f"{len(found.scores[found.incumbent])}"),
        ("incumbent", found.incumbent),
        ("candidates", ", ".join(one.name for one in found.verdicts)),
        ("candidates tried", f"{found.tried}"),
        *file_facts(found.source),
        ("measure", f"{found.measure}, {better}"),
        ("test", best.outcome.test),
        ("margin that matters", f"{best.margin:g}"),
        ("level", f"{100 * found.level:g} %, {best.alternative}"),
        ("seed", f"{found.seed}"),
        ("justesse", __version__),
    ]
    made += [
        sections.measured(facts, "What was compared"),
        sections.method(best.assumptions, found.level, command or "justesse.compare_folds(…).report(path)", HOW),
    ]
    title = "Comparison over folds"
    return Document(
        title, found.headline, made, found.to_dict(), __version__, interactive, found.title, best.decision, "comparison"
    )
