"""A prequential evaluation as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.assumptions import STREAM_ASSUMPTIONS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.prequential_result import PrequentialEvaluation

HOW: tuple[Text, ...] = (
    "Prequential: each item is answered first, and its label is known later. The error counts all items alike; the curve "
    "and the error at the end count recent items more (Gama et al. 2013).",
    "No change repeats the label of the latest item whose label is known. The majority class is the most frequent label "
    "known so far. Items that a baseline cannot answer yet are left out of its comparison.",
    "kappa = (p - p_c) / (1 - p_c): p is the accuracy, p_c that of chance. kappa-temporal has the accuracy of no change in "
    "its place, kappa-m that of the majority class (Bifet et al. 2015; Žliobaitė et al. 2015). Above 0: better than it.",
    "Intervals of errors: Wilson's with cluster-robust variance over blocks of time (√m neighbouring days of the m days of "
    "a period, or times if they are numbers). Intervals of kappas: jackknife over the blocks. The band of the curve takes "
    "the effective number of items, divided by the design effect of the blocks.",
)
MEANINGS = {
    "kappa": "against chance",
    "kappa_temporal": "against no change",
    "kappa_majority": "against the majority class",
}
BASELINE_NAMES = {"no_change": "no change (repeat the last label)", "majority": "majority class so far"}


def prequential_document(result: "PrequentialEvaluation") -> Document:
    """Describe the evaluation, for every medium."""
    return Document(
        "Prequential evaluation",
        _headline(result),
        [_over_time(result), _baselines(result), _periods(result)],
        result.to_dict(),
        name="prequential",
        figures=[
            KeyFigure("Prequential error", result.error, "share"),
            KeyFigure("Error at the end", result.latest, "share", result.memory),
            KeyFigure("Error of no change", result.baselines["no_change"], "share", "repeats the last label"),
            KeyFigure("Kappa-temporal", result.kappas["kappa_temporal"], "value", "above 0: better than no change"),
        ],
        cautions=result.warnings,
        assumptions=STREAM_ASSUMPTIONS,
        how=HOW,
        facts=_facts(result),
    )


def _headline(result: "PrequentialEvaluation") -> Text:
    baseline = result.baselines["no_change"]
    verdicts = {
        True: "The system is better than repeating the last label",
        False: "The system is worse than repeating the last label",
        None: "It cannot be told whether the system is better than repeating the last label",
    }
    second: Text = message(
        "{verdict}, which errs {base:share} of the time.",
        verdict=verdicts[result.beats_no_change],
        base=baseline,
    )
    if not baseline.n:
        second = "No label is known in time for a baseline that repeats the last label."
    return paragraph(
        message(
            "Prequential error {error:share} ({error:level_name} {error:share_interval}, n = {error:count}), if the labels "
            "are right.",
            error=result.error,
        ),
        second,
    )


def _over_time(result: "PrequentialEvaluation") -> Section:
    return Section("over-time", "Error over time", [Figure(result.drawings()["error"])], "headline")


def _baselines(result: "PrequentialEvaluation") -> Section:
    interval = Column(level_name(result.level), "share_interval")
    head: list[str | Column] = ["answers of", Column("error", "share"), interval, Column("n", "count", 1)]
    rows: list[list[Any]] = [["the system", result.error, result.error, result.error.n]]
    rows += [[BASELINE_NAMES[name], error, error, error.n] for name, error in result.baselines.items()]
    errors = Table("Errors of the system and of simple baselines", head, rows)
    head = [
        "measure",
        Column("value", "value"),
        Column(level_name(result.level), "interval"),
        Column("compares", "words", 1),
    ]
    kappas = Table(
        "Kappa statistics",
        head,
        [[kappa.title, kappa, kappa, MEANINGS[name]] for name, kappa in result.kappas.items()],
        "1: no error; 0: as good as what it is compared with; below 0: worse.",
    )
    return Section("baselines", "Against simple baselines", [errors, kappas], "summary")


def _periods(result: "PrequentialEvaluation") -> Section:
    head: list[str | Column] = [
        "period", Column("error", "share"), Column(level_name(result.level), "share_interval"), Column("n", "count", 2),
        Column("no change", "share", 1), Column("majority", "share", 3), Column("kappa-temporal", "value", 4),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            period.name,
            period.error,
            period.error,
            period.error.n,
            period.no_change,
            period.majority,
            period.kappa_temporal,
        ]
        for period in result.periods
    ]
    return Section("periods", "Every period", [Table("Error in each period", head, rows)], "summary")


def _facts(result: "PrequentialEvaluation") -> list[tuple[str, Text]]:
    late = message("after {n:count further item}", n=result.delay) if result.delay else "before the next item"
    return [
        ("items", written("count", result.error.n)),
        ("length of a period", result.length),
        ("recent items", result.memory),
        ("labels known", result.columns.get("known", late)),
        ("design effect of blocks", written("ratio", result.figures.design_effect)),
        *file_facts(result.source),
        ("columns", ", ".join(f"{part}: {name}" for part, name in result.columns.items())),
        ("confidence level", written("level", result.level)),
        ("justesse", __version__),
    ]
