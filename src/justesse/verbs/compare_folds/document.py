"""A comparison of fold scores as a reader meets it."""

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.significance import title_of_test
from justesse.significance.friedman import INFINITE
from justesse.verbs.compare_folds.answer import headline, title
from justesse.verbs.file_facts import file_facts

if TYPE_CHECKING:
    from justesse.verbs.compare_folds.comparison import FoldComparison

HOW = (
    "A positive difference means that the candidate is better. The confidence interval of the mean difference decides: "
    "Student's, with the variance of Nadeau and Bengio where training sets overlap. The p-value is further evidence.",
)


def fold_document(result: "FoldComparison") -> Document:
    """Describe a comparison of fold scores, for every medium."""
    best = result.verdict
    return Document(
        "Comparison over folds",
        headline(result),
        [_difference(result), *_posterior(result), _folds(result), *_together(result)],
        result.to_dict(),
        verdict=title(result),
        tone=best.decision,
        name="comparison",
        figures=[
            KeyFigure("Mean difference, candidate - incumbent", best.difference, "difference"),
            KeyFigure(
                str(message("Mean {measure} of the incumbent", measure=result.measure)),
                best.incumbent,
                "value",
                result.incumbent,
            ),
            KeyFigure(
                str(message("Mean {measure} of the candidate", measure=result.measure)),
                best.candidate,
                "value",
                best.name,
            ),
        ],
        cautions=result.warnings,
        assumptions=best.assumptions,
        how=HOW,
        facts=_facts(result),
        seed=result.seed,
    )


def _better(result: "FoldComparison") -> str:
    return "lower is better" if result.lower_is_better else "higher is better"


def _difference(result: "FoldComparison") -> Section:
    head: list[str | Column] = [
        "candidate", Column("verdict", "decision", 3), Column("its mean", "value"), Column("incumbent's", "value"),
        Column("difference", "difference"), Column(level_name(result.each_level, result.verdict.alternative), "difference_interval"),
        Column("p", "pvalue", 2), *([Column("p (Holm)", "pvalue")] if result.tried > 1 else []),
    ]  # fmt: skip
    pairs = sorted(
        zip(result.verdicts, result.adjusted_pvalues, strict=True), key=lambda pair: pair[0].rank, reverse=True
    )
    rows: list[list[Any]] = [
        [verdict.name, verdict.decision, verdict.candidate, verdict.incumbent, verdict.difference, verdict.difference,
         verdict.outcome.pvalue, *([adjusted] if result.tried > 1 else [])]
        for verdict, adjusted in pairs
    ]  # fmt: skip
    template = "Mean {measure} over {k} folds ({better})"
    if result.incumbent != "incumbent":
        template = "Mean {measure} over {k} folds ({better}); incumbent: {incumbent}"
    caption = message(
        template,
        measure=result.measure,
        k=len(result.scores[result.incumbent]),
        better=_better(result),
        incumbent=result.incumbent,
    )
    note = message("p: {test}.", test=title_of_test(result.verdict.outcome.test))
    return Section(
        "difference",
        "The difference",
        [Figure(partial(result.chart, "difference")), Table(str(caption), head, rows, note)],
        "headline",
    )


def _posterior(result: "FoldComparison") -> list[Section]:
    margin = result.verdict.margin
    rows: list[list[Any]] = [
        [
            verdict.name,
            verdict.posterior.candidate_better,
            *([verdict.posterior.equivalent] if margin else []),
            verdict.posterior.incumbent_better,
        ]
        for verdict in result.verdicts
        if verdict.posterior and not math.isnan(verdict.posterior.candidate_better)
    ]
    if not rows:
        return []
    titles = ("candidate better", *(["equivalent"] if margin else []), "incumbent better")
    head: list[str | Column] = ["candidate", *(Column(name, "share") for name in titles)]
    meaning = message("Equivalent means a difference of at most {margin:number}.", margin=margin) if margin else ""
    note = paragraph("By a Bayesian model of correlated folds.", meaning)
    return [Section("probability", "How probable it is", [Table("Probability that", head, rows, note)])]


def _folds(result: "FoldComparison") -> Section:
    return Section(
        "folds", "Each fold", [Figure(partial(result.chart, "pairs")), Figure(partial(result.chart, "boxes"))]
    )


def _together(result: "FoldComparison") -> list[Section]:
    """Show the tests that all models are alike and, on independent data sets, their mean ranks."""
    if not result.anova:
        return []
    anova = result.anova
    tests: list[list[Any]] = [[title_of_test(anova.test), anova.statistic, anova.pvalue]]
    parts: list[Part] = []
    if result.friedman and result.nemenyi:
        f_test = message("{test}, F", test=title_of_test(result.friedman.test))
        tests.append([str(f_test), result.friedman.f_statistic, result.friedman.f_pvalue])
        ranks = sorted(zip(result.friedman.names, result.friedman.ranks, strict=True), key=lambda pair: pair[1])
        apart = message(
            "Models whose ranks differ by less than {apart:ratio} do not differ significantly.",
            apart=result.nemenyi.critical_difference,
        )
        parts = [
            Figure(partial(result.chart, "critical_difference")),
            Table("Mean ranks", ["model", Column("mean rank", "ratio")], [list(pair) for pair in ranks], apart),
        ]
    note = INFINITE if result.friedman and math.isinf(result.friedman.f_statistic) else ""
    head: list[str | Column] = ["test", Column("statistic", "value"), Column("p", "pvalue")]
    caption = str(message("Tests that all {n} models are alike", n=len(result.scores)))
    return [Section("ranks", "All models together", [Table(caption, head, tests, note), *parts], "summary")]


def _facts(result: "FoldComparison") -> list[tuple[str, Text]]:
    best = result.verdict
    return [
        ("folds", written("count", len(result.scores[result.incumbent]))),
        ("incumbent", result.incumbent),
        ("candidates", ", ".join(verdict.name for verdict in result.verdicts)),
        ("candidates tried", written("count", result.tried)),
        *file_facts(result.source),
        ("measure", message("{measure}, {better}", measure=result.measure, better=_better(result))),
        ("test", title_of_test(best.outcome.test)),
        ("margin that matters", written("number", best.margin)),
        ("confidence level", message("{level:level}, {sides}", level=result.level, sides=best.alternative)),
        ("justesse", __version__),
    ]
