"""A run of a system over a stream, as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.lifelong.assumptions import RUN_ASSUMPTIONS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.run_result import LifelongRun

LEDGER_ROWS = 200  # of the ledger on a page; the JSON has all
HOW: tuple[Text, ...] = (
    "Penalised score of a period: S_pen = S_adapt + (S_false - S_cor) (Prokopalo et al. 2020, equation 1). For error "
    "rates, S_false - S_cor is the share of items about which the expert gave an answer, those that were right already included.",
    "Every question is charged before it is answered. A question that the budget does not cover is not answered.",
    "Simulated experts are seeded: the answer about an item is the same whichever system asks. Only the expert tiring "
    "also depends on how many questions of the period were answered before.",
    "Intervals: Wilson's in each period, with cluster-robust variance over its blocks of time; for the mean over "
    "periods, squared half-widths add up as variances do (MOVER). Intervals of penalised scores take items as independent.",
)


def run_document(result: "LifelongRun") -> Document:
    """Describe a run, for every medium."""
    record = result.record
    figures = []
    if record.episodes:
        figures = [KeyFigure("Mean error over the periods", result.mean_error, "share", "after adaptation")]
    return Document(
        "Lifelong run",
        _headline(result),
        [*_periods(result), *_ledger(result), *_restarted(result)],
        result.to_dict(),
        name="lifelong-run",
        figures=figures,
        cautions=result.warnings,
        assumptions=RUN_ASSUMPTIONS,
        how=HOW,
        facts=_facts(result),
    )


def _headline(result: "LifelongRun") -> Text:
    record, settings = result.record, result.settings
    parts: list[Text] = []
    if record.pending is not None:
        parts.append(
            message(
                "Waiting for {open:count answer} in {path}. Answer the questions (justesse recheck answer), then run the same "
                "command again.",
                open=record.pending.open,
                path=record.pending.path,
            )
        )
    if record.episodes:
        parts.append(
            message(
                "Mean error of {name} over {n:count period}: {error:share} ({error:level_name} {error:share_interval}, "
                "n = {error:count}), if the labels are right.",
                name=settings.name,
                n=len(record.episodes),
                error=result.mean_error,
            )
        )
        if settings.mode == "on-line" and settings.learning != "unsupervised":
            base = sum(episode.score.base or 0.0 for episode in record.episodes) / len(record.episodes)
            parts.append(
                message(
                    "With the price of the help the mean score is {penalised:share}; before any help the error was "
                    "{base:share}.",
                    penalised=result.mean_penalised,
                    base=base,
                )
            )
    if settings.learning != "unsupervised" or len(record.ledger):
        parts.append(_spent(result))
    if result.supervision is not None:
        parts.append(message("Minimal supervision cost until all was right: {cost:price}.", cost=result.supervision))
    return paragraph(*parts)


def _spent(result: "LifelongRun") -> Text:
    ledger, counts = result.record.ledger, result.counts
    kind = "corrections" if result.settings.learning == "interactive" else "questions"
    template = (
        "Spent {spent:price} of {budget:price} on {n:count correction}."
        if kind == "corrections"
        else "Spent {spent:price} of {budget:price} on {n:count question}."
    )
    if ledger.budget is None:
        template = template.replace(" of {budget:price}", "")
    return message(template, spent=ledger.spent, budget=ledger.budget or 0.0, n=counts[kind])


def _periods(result: "LifelongRun") -> list[Section]:
    if not result.record.episodes:
        return []
    drawings = result.drawings()
    head: list[str | Column] = [
        "period", Column("before", "share", 2), Column("after", "share"), Column(level_name(result.level), "share_interval", 1),
        Column("price of help", "share"), Column("penalised", "share"),
        Column(level_name(result.level), "share_interval", 4), Column("n", "count", 3), Column("cost", "price", 2),
        Column("spent so far", "price", 3), Column("system (s)", "ratio", 4), Column("expert (s)", "ratio", 5),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    spent = 0.0
    for episode, error, penalised in zip(result.record.episodes, result.errors, result.penalised_scores, strict=True):
        score = episode.score
        spent += episode.cost
        rows.append(
            [episode.period, score.base, error, error, score.penalty, penalised, penalised, len(episode.items),
             episode.cost, spent, episode.seconds, result.settings.answer_seconds * len(episode.outcomes)]
        )  # fmt: skip
    note = "before, after: error rate of the system's own answers, without the expert's corrections."
    table = Table("Error and price of the help in each period", head, rows, note, most=len(rows))
    parts: list[Part] = [Figure(drawings["penalised"]), Figure(drawings["errors"]), table]
    return [Section("periods", "Every period", parts, "headline")]


def _ledger(result: "LifelongRun") -> list[Section]:
    ledger = result.record.ledger
    if not len(ledger):
        return []
    entries = result.to_dict()["ledger"]
    head: list[str | Column] = [
        Column("no.", "count"), "period", Column("kind", "text", 1), "item", Column("cost", "price"),
        Column("spent", "price"), Column("answer", "text"), Column("right", "text", 2), Column("periods late", "count", 3),
    ]  # fmt: skip
    rows = [
        [entry["number"], entry["period"], entry["kind"], entry["id"], entry["cost"], entry["spent"], entry["answer"],
         {True: "yes", False: "no", None: None}[entry["right"]], entry["delay"]]
        for entry in entries[:LEDGER_ROWS]
    ]  # fmt: skip
    note: Text = ""
    if len(entries) > LEDGER_ROWS:
        note = message("The first {n:count} of {all:count} charges.", n=LEDGER_ROWS, all=len(entries))
    table = Table("Every charge, in order", head, rows, note)
    return [Section("ledger", "Ledger", [Figure(result.drawings()["spending"]), table])]


def _restarted(result: "LifelongRun") -> list[Section]:
    cells = result.record.restarted
    if not cells:
        return []
    head: list[str | Column] = [
        "version", "period", Column("after", "share"), Column("price of help", "share", 1), Column("penalised", "share"),
        Column("n", "count", 2), Column("cost", "price", 3),
    ]  # fmt: skip
    rows = [
        [cell.version, cell.episode.period, cell.episode.score.adapt, cell.episode.score.penalty,
         cell.episode.score.value, len(cell.episode.items), cell.episode.cost]
        for cell in cells
    ]  # fmt: skip
    note = "Each version meets the test items of each period up to the first after its training, from its own state."
    table = Table("Penalised score of every version in every period", head, rows, note)
    return [Section("restarted", "Every version with help", [Figure(result.drawings()["restarted"]), table])]


def _facts(result: "LifelongRun") -> list[tuple[str, Text]]:
    settings = result.settings
    return [
        ("system", settings.name),
        ("mode", settings.mode),
        ("learning", settings.learning),
        ("expert", settings.expert),
        ("cost of a question", written("price", settings.cost)),
        ("fixed cost of an off-line round", written("price", settings.round_cost)),
        ("initial items", written("count", len(result.stream.initial))),
        ("test items", written("count", len(result.stream.tests))),
        ("versions", written("count", len(result.record.versions))),
        *file_facts(result.source),
        *column_facts({name: column for name, column in result.columns.items() if column}),
        ("confidence level", written("level", result.level)),
        ("seed", str(settings.seed)),
        ("justesse", __version__),
    ]
