"""A penalised score as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import column_facts, file_facts

if TYPE_CHECKING:
    from justesse.verbs.lifelong.penalised_result import Penalised

FORMULA = (
    "S_pen = S_adapt + (S_false - S_cor) (Prokopalo et al. 2020, equation 1). S_false - S_cor is what the help is worth: for "
    "an error rate, the share of items that the expert touched, those that were right already included."
)
HOW = {
    "error": "An item counts 1 if wrong and 1 if touched. Interval: Wilson's, with the variance between items.",
    "wer": "The wholly wrong segment is as long as the reference, so the price is the share of reference words touched. "
    "Interval: Student's over segments, on a logarithmic scale, allowing for one more segment, touched or not.",
    "der": "Speakers are mapped one to one so that most time agrees, for each hypothesis and recording. The reference is "
    "pasted in under the mapping that is best for the times not touched. The wholly wrong part has no speech. Interval: "
    "Student's over recordings, on a logarithmic scale, allowing for one more recording, touched or not.",
    "bleu": "BLEU as published: words are split at spaces, counts are added up over segments, an order without a match "
    "gives 0 (Papineni et al. 2002). Interval: quantiles over resampled segments (Koehn 2004).",
    "sacrebleu": "BLEU as sacreBLEU computes it: tokens of mteval-v13a, orders without a match are smoothed (Post 2018). "
    "Interval: quantiles over resampled segments (Koehn 2004).",
}


def penalised_document(result: "Penalised") -> Document:
    """Describe a penalised score, for every medium."""
    head: list[str | Column] = ["score", Column("value", "value"), Column("meaning", "words", 1)]
    parts: list[Part] = [Figure(draw) for draw in result.drawings().values()]
    parts.append(Table("Penalised score", head, result.rows()))
    sections = [Section("penalty", "The price of the help", parts, "headline")]
    source = result.source
    figures = []
    if source is not None and result.score.undefined is None:
        figures = [KeyFigure("Penalised score", result.penalised, "value", source.words)]
        if result.gain is not None:
            figures.append(KeyFigure("Gain by generalisation", result.gain, "difference"))
    if source is not None and source.parts:
        rows: list[list[Any]] = [[name, value] for name, value in source.parts.items()]
        table = Table(
            "Errors after adaptation, as shares of the reference's speech", ["part", Column("rate", "value")], rows
        )
        sections.append(Section("parts", "Kinds of errors", [table], "summary"))
    return Document(
        "Penalised score",
        _headline(result),
        sections,
        result.to_dict(),
        name="penalised-score",
        figures=figures,
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=(FORMULA, *([HOW[source.scorer]] if source else [])),
        facts=_facts(result),
    )


def _headline(result: "Penalised") -> Text:
    score, source = result.score, result.source
    if score.undefined is not None:
        return paragraph(
            message("No penalised score: {why}.", why=score.undefined),
            message("Score after adaptation: {adapt:value}.", adapt=score.adapt),
        )
    template = (
        "Penalised score {value:value}: {adapt:value} after adaptation, plus {penalty:value} for the expert's help."
    )
    if score.penalty < 0:
        template = (
            "Penalised score {value:value}: {adapt:value} after adaptation, less {price:value} for the expert's help."
        )
    parts: list[Text] = [
        message(template, value=score.value, adapt=score.adapt, penalty=score.penalty, price=-score.penalty)
    ]
    if source is not None:
        if not isinstance(result.interval, str):
            template = "The {words} has a {score:level_name} of {score:interval} (n = {n:count})."
            parts.append(message(template, words=f"penalised {source.words}", score=result.penalised, n=source.n))
        else:
            parts.append(message("No confidence interval: {why}.", why=result.interval))
        parts.append(
            message(
                "The expert touched {touched:count} of {n:count} {unit}s.",
                touched=source.touched,
                n=source.n,
                unit=source.unit,
            )
        )
    if score.gain is not None:
        template = "The help was worth its price: a gain of {gain:value} by generalisation."
        if source is not None and not source.touched:
            template = "Without any help the gain is {gain:difference}: what the system learnt on its own."
        elif score.gain < -1e-12:
            template = "The help cost more than it brought: {gain:difference} by generalisation."
        elif abs(score.gain) <= 1e-12:
            template = "The system learnt nothing beyond the corrections."
        parts.append(message(template, gain=score.gain))
    return paragraph(*parts)


def _facts(result: "Penalised") -> list[tuple[str, Text]]:
    source = result.source
    facts: list[tuple[str, Text]] = [
        ("better", "higher" if result.score.higher_is_better else "lower"),
    ]
    if source is not None:
        facts += [
            ("score", source.words),
            ("rounds of corrections", written("count", source.rounds)),
            *((name.replace("_", " "), str(option)) for name, option in source.options.items()),
            *(fact for data in source.data for fact in file_facts(data)),
            *column_facts(source.columns),
            ("confidence level", written("level", result.level)),
        ]
    return [*facts, ("justesse", __version__)]
