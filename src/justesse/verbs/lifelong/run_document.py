"""A run of a system over a stream, as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.lifelong.assumptions import RUN_ASSUMPTIONS
from justesse.verbs.lifelong.run_json import charge_rows
from justesse.verbs.lifelong.run_policy_section import policy_sections
from justesse.verbs.lifelong.run_settings import RunSettings
from justesse.verbs.lifelong.written_answer import written_answer

if TYPE_CHECKING:
    from justesse.verbs.lifelong.run_result import LifelongRun

LEDGER_ROWS = 200  # of the ledger on a page; the JSON has all
FORMULA = "Penalised score of a period: S_pen = S_adapt + (S_false - S_cor) (Prokopalo et al. 2020, equation 1)."
PRICES = {
    "error": "For error rates, S_false - S_cor is the share of items about which the expert gave an answer, those that were "
    "right already included.",
    "wer": "For word error rates, S_false - S_cor is the share of reference words in the segments about which the expert gave "
    "an answer.",
    "der": "For diarization error rates, S_false - S_cor is the share of the reference's speech in the times about which the "
    "expert gave an answer.",
}
BLEU = "For BLEU, where higher is better, S_false - S_cor is negative: the score falls by the price of the help."
ASKED: tuple[Text, ...] = (
    "Every question is charged before it is answered. A question that the budget does not cover is not answered.",
    "Simulated experts are seeded: the answer about an item is the same whichever system asks. Only the expert tiring "
    "also depends on how many questions of the period were answered before.",
)
INTERVALS = {
    "error": "Intervals: Wilson's in each period, with cluster-robust variance over its blocks of time; for the mean over "
    "periods and for policies, squared half-widths add up as variances do (MOVER). Intervals of penalised scores take items "
    "as independent.",
    "wer": "Intervals: Student's over segments, on a logarithmic scale; for the mean over periods and for policies, squared "
    "half-widths add up as variances do (MOVER). Segments count as independent.",
    "der": "Intervals: Student's over recordings, on a logarithmic scale; for the mean over periods and for policies, squared "
    "half-widths add up as variances do (MOVER). Recordings count as independent.",
}
RESAMPLED = (
    "Intervals: quantiles over resampled segments; for the mean over periods and for policies, squared half-widths add up as "
    "variances do (MOVER). Segments count as independent."
)


def _how(score: str) -> tuple[Text, ...]:
    return (FORMULA, PRICES.get(score, BLEU), *ASKED, INTERVALS.get(score, RESAMPLED))


def run_document(result: "LifelongRun") -> Document:
    """Describe a run, for every medium."""
    record = result.record
    figures = []
    if record.episodes:
        words = "error" if result.is_share else result.task.words
        name = str(message("Mean {words} over the periods", words=words))
        figures = [KeyFigure(name, result.mean_error, "share" if result.is_share else "value", "after adaptation")]
    return Document(
        "Lifelong run",
        _headline(result),
        [*_periods(result), *_ledger(result), *policy_sections(result), *_restarted(result)],
        result.to_dict(),
        name="lifelong-run",
        figures=figures,
        cautions=result.warnings,
        assumptions=RUN_ASSUMPTIONS,
        how=_how(result.task.name),
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
        parts.append(_mean(result))
        if settings.mode == "on-line" and settings.learning != "unsupervised":
            base = sum(episode.score.base or 0.0 for episode in record.episodes) / len(record.episodes)
            template = (
                "With the price of the help the mean score is {penalised:share}; before any help the error was {base:share}."
                if result.is_share
                else "With the price of the help the mean score is {penalised:value}; before any help it was {base:value}."
            )
            parts.append(message(template, penalised=result.mean_penalised, base=base))
    if settings.learning != "unsupervised" or len(record.ledger):
        parts.append(_spent(result))
    if result.supervision is not None:
        parts.append(
            message(
                "Minimal supervision cost until every item was right or corrected: {cost:price}.",
                cost=result.supervision,
            )
        )
    return paragraph(*parts)


def _mean(result: "LifelongRun") -> Text:
    n = len(result.record.episodes)
    if result.is_share:
        template = (
            "Mean error of {name} over {n:count period}: {error:share} ({error:level_name} {error:share_interval}, n = "
            "{error:count}), if the labels are right."
        )
        return message(template, name=result.settings.name, n=n, error=result.mean_error)
    template = "Mean {words} of {name} over {n:count period}: {score:value} ({score:level_name} {score:interval}, n = {score:count})."
    if result.mean_error.interval is None:
        template = "Mean {words} of {name} over {n:count period}: {score:value} (n = {score:count})."
    return message(template, words=result.task.words, name=result.settings.name, n=n, score=result.mean_error)


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
    kind, ends = ("share", "share_interval") if result.is_share else ("value", "interval")
    level = level_name(result.level)
    head: list[str | Column] = [
        "period", Column("before", kind, 2), Column("after", kind), Column(level, ends, 1), Column("price of help", kind),
        Column("penalised", kind), Column("penalised CI", ends, 4), Column("n", "count", 3), Column("cost", "price", 2),
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
    words = "error rate" if result.is_share else result.task.words
    note = message("before, after: {words} of the system's own answers, without the expert's corrections.", words=words)
    title = (
        "Error and price of the help in each period"
        if result.is_share
        else "Score and price of the help in each period"
    )
    table = Table(title, head, rows, note, most=len(rows))
    parts: list[Part] = [Figure(drawings["penalised"]), Figure(drawings["errors"]), table]
    return [Section("periods", "Every period", parts, "headline")]


def _ledger(result: "LifelongRun") -> list[Section]:
    ledger = result.record.ledger
    if not len(ledger):
        return []
    entries = charge_rows(result)
    head: list[str | Column] = [
        Column("no.", "count"), "period", Column("kind", "text", 1), "item", Column("cost", "price"),
        Column("spent", "price"), Column("answer", "text"), Column("right", "text", 2), Column("periods late", "count", 3),
    ]  # fmt: skip
    rows = [
        [entry["number"], entry["period"], entry["kind"], entry["id"], entry["cost"], entry["spent"], written_answer(entry["answer"]),
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
    kind = "share" if result.is_share else "value"
    head: list[str | Column] = [
        "version", "period", Column("after", kind), Column("price of help", kind, 1), Column("penalised", kind),
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
        ("score", result.task.words),
        *_scoring(settings),
        ("cost of a question", written("price", settings.cost)),
        ("fixed cost of an off-line round", written("price", settings.round_cost)),
        ("initial items", written("count", len(result.stream.initial))),
        ("test items", written("count", len(result.stream.tests))),
        ("versions", written("count", len(result.record.versions))),
        *(fact for source in result.source for fact in file_facts(source)),
        *column_facts({name: column for name, column in result.columns.items() if column}),
        ("confidence level", written("level", result.level)),
        ("seed", str(settings.seed)),
        ("justesse", __version__),
    ]


def _scoring(settings: RunSettings) -> list[tuple[str, Text]]:
    if settings.score != "der":
        return []
    stretch = "the whole recording" if settings.stretch is None else f"{settings.stretch:g}"
    return [
        ("collar", f"{settings.collar:g}"),
        ("skip overlap", "yes" if settings.skip_overlap else "no"),
        ("stretch of a question", stretch),
    ]
