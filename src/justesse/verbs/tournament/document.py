"""A tournament as a reader meets it: which judge errs how often, and one function per section."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.judges.tournament import REFERENCES, count_of
from justesse.report.document import Choice, Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import written
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.tournament.pictures import names_of

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import JudgeResult, Round, Tournament

MOST_DRAWN = 4  # measures whose charts the page holds
MOST_FILES = 10
MOST_ROWS = 30  # rows of a table on the terminal
MOST_NAMED = 3  # judges that the headline names
TITLES = {"decisions": "Decisions, pair by pair", "rates": "Errors as more labels are wrong"}
HOW = (
    "Every ordered pair is judged: the first classifier is the incumbent, the second the candidate. Judges see the labels, "
    "references the true classes. Type I error: the judge replaces, the reference keeps. Type II error: the judge keeps, the "
    "reference replaces. References need evidence too, so a type I error can be a small gain. A worse candidate is one with a "
    "lower measure against the true classes.",
    "Intervals of rates: Wilson's, with the effective number of pairs, because pairs that share a classifier are not "
    "independent.",
)


def tournament_document(result: "Tournament") -> Document:
    """Describe a tournament, for every medium."""
    return Document(
        "Tournament of judges",
        headline(result),
        [
            _worse(result),
            _against(result, "paired", "headline"),
            *_charts(result),
            _against(result, "overlap", "full"),
            _classifiers(result),
        ],
        result.to_dict(),
        name="tournament",
        figures=_key_figures(result),
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=HOW,
        facts=_facts(result),
        seed=result.rule.seed,
    )


def headline(result: "Tournament") -> str:
    """Say which judges accepted worse candidates, and which of the others misses the fewest gains."""
    wrong = [held.version.realised for held in result.of()]
    share = written("share", min(wrong))
    if min(wrong) != max(wrong):
        share = f"{share.removesuffix(' %')} to {written('share', max(wrong))}"
    return (
        f"{_safety(result)} Judged: {len(result.names):,} classifiers, {result.pairs:,} ordered pairs, "
        f"{result.of()[0].asked.title}, n = {result.n:,}, {share} of the labels wrong."
    )


def _safety(result: "Tournament") -> str:
    accepted = _accepted(result)
    unsafe = [name for name, count in accepted.items() if count]
    best, missed = _best(result)
    if len(unsafe) == len(accepted) > 1:
        least = [name for name, count in accepted.items() if count == accepted[best[0]]]
        each = " each" if len(least) > 1 else ""
        return f"Every judge accepted worse candidates, {_joined(least)} the fewest ({accepted[best[0]]:,}{each})."
    if not unsafe:
        answer = "No judge accepted a worse candidate."
    elif len(unsafe) <= MOST_NAMED:
        answer = f"The judge{'s' if len(unsafe) > 1 else ''} {_joined(unsafe)} accepted worse candidates."
    else:
        answer = f"{len(unsafe)} of {len(accepted)} judges accepted worse candidates."
    safe = len(accepted) - len(unsafe)
    if not safe or missed is None:
        return answer
    gains = "of those that a paired comparison on the true classes finds"
    if len(best) == safe > 1:
        equal = "Both" if safe == 2 and not unsafe else f"The {safe} others" if unsafe else f"All {safe}"
        return f"{answer} {equal} miss equally many gains: {written('share', missed)} {gains}."
    tied = len(best) > 1
    who = (
        f"Of the others, {_joined(best)}" if unsafe and safe > 1 else f"The judge{'s' if tied else ''} {_joined(best)}"
    )
    fewest = "the fewest gains" if safe > 1 else "gains"
    each = " each" if tied else ""
    return f"{answer} {who} {'miss' if tied else 'misses'} {fewest}: {written('share', missed)}{each} {gains}."


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _by_judge(result: "Tournament") -> "dict[str, list[JudgeResult]]":
    """Return the results of each judge on the first measure, one for each version of the labels."""
    return {name: [held.judged[at] for held in result.of()] for at, name in enumerate(result.judges)}


def _accepted(result: "Tournament") -> dict[str, int]:
    """Count the worse candidates that each judge accepted."""
    return {name: sum(count_of(item.worse_accepted) for item in own) for name, own in _by_judge(result).items()}


def _missed(own: "Sequence[JudgeResult]") -> float | None:
    """Return the mean type II rate against the paired reference, if it is defined."""
    values = [result.against["paired"]["type_two"].value for result in own]
    defined = [value for value in values if value == value]
    return float(np.mean(defined)) if defined else None


def _best(result: "Tournament") -> tuple[list[str], float | None]:
    """Find the judges that accept the fewest worse candidates and, of those, miss the fewest gains."""
    accepted = _accepted(result)
    missed = {name: _missed(own) for name, own in _by_judge(result).items()}

    def rank(name: str) -> tuple[int, float]:
        rate = missed[name]
        return accepted[name], 2.0 if rate is None else rate

    best = [name for name in accepted if rank(name) == min(map(rank, accepted))]
    return best, missed[best[0]]


def _key_figures(result: "Tournament") -> list[KeyFigure]:
    """Show the best judge, and the one that accepts most worse candidates, on the first version of the labels."""
    best, worst = _best(result)[0][0], max(_accepted(result).items(), key=lambda pair: pair[1])[0]
    held = result.of()[0]
    judged = {judge.name: judge for judge in held.judged}
    version = held.version.title if len(result.rounds) > 1 else ""
    figures = [
        KeyFigure("Worse candidates accepted", judged[best].worse_accepted, "share", _note(best, version)),
        KeyFigure("Gains missed", judged[best].against["paired"]["type_two"], "share", _note(best, version)),
    ]
    if worst != best and count_of(judged[worst].worse_accepted):
        figures.append(
            KeyFigure("Worse candidates accepted", judged[worst].worse_accepted, "share", _note(worst, version))
        )
    return [figure for figure in figures if figure.estimate.interval]


def _note(judge: str, version: str) -> str:
    return f"judge: {judge}; labels: {version}" if version else f"judge: {judge}"


def _rows(result: "Tournament") -> "Iterable[tuple[list[str], JudgeResult]]":
    """List every judge in every round with the cells that name it."""
    several = len(result.rounds) > 1
    for at in range(len(result.judges)):
        for held in result.rounds:
            yield [held.judged[at].name, *([result.title_of(held)] if several else [])], held.judged[at]


def _names(result: "Tournament") -> list[str | Column]:
    return [
        "judge",
        *(["labels" if len(result.measure_titles) == 1 else "judged by"] if len(result.rounds) > 1 else []),
    ]


def _ci(result: "Tournament") -> str:
    return level_name(result.rule.level)


def _worse(result: "Tournament") -> Section:
    asks = any(judge.answers is not None for held in result.rounds for judge in held.judged)
    head: list[str | Column] = [
        *_names(result), Column("accepted", "share"), Column(_ci(result), "share_interval"), Column("pairs", drop=2),
    ]  # fmt: skip
    if asks:
        head += [Column("answers per pair", "general", 1), Column("median", "count", 4), Column("most", "count", 3)]
    rows: list[list[Any]] = []
    for names, judge in _rows(result):
        rate, asked = judge.worse_accepted, judge.asked
        cells: list[Any] = [*names, rate, rate, f"{count_of(rate):,} of {int(rate.n):,}"]
        if asks:
            cells += [None, None, None] if asked is None else [round(asked["mean"], 1), asked["median"], asked["most"]]
        rows.append(cells)
    note = "Share of truly worse candidates that the judge accepts."
    if asks:
        note += " Answers per pair: how often an expert was asked, on average."
    return Section("worse", "Worse candidates accepted", [Table("", head, rows, note, most=MOST_ROWS)], "headline")


def _against(result: "Tournament", reference: str, detail: Any) -> Section:
    ci = _ci(result)
    head: list[str | Column] = [*_names(result)]
    for title, drop in (("type I", 0), ("type II", 0), ("agreement", 2)):
        head += [Column(title, "share", drop), Column(ci, "share_interval", drop + 1 if drop else 1)]
    rows = [
        [*names, *(rate for rate in judge.against[reference].values() for _ in range(2))]
        for names, judge in _rows(result)
    ]
    replaced = [int(held.references[reference].sum()) for held in result.rounds]
    count = f"{min(replaced):,}" if min(replaced) == max(replaced) else f"{min(replaced):,} to {max(replaced):,}"
    note = (
        f"The reference ({REFERENCES[reference]}) replaces in {count} of {result.pairs:,} pairs. Type I: the judge replaces, "
        "the reference keeps. Type II: the reverse."
    )
    title = f"Errors against the {reference} reference"
    return Section(f"against-{reference}", title, [Table("", head, rows, note, most=MOST_ROWS)], detail)


def _charts(result: "Tournament") -> list[Section]:
    sections = []
    drawn = result.measure_titles[:MOST_DRAWN]
    for name in names_of(result):
        for at, measure in enumerate(drawn):
            figures = [
                (reference, Figure(partial(result.chart, name, reference=reference, measure=measure)))
                for reference in reversed(REFERENCES)
            ]
            parts: list[Part] = [Choice("Reference", figures)]
            if at == len(drawn) - 1 and len(result.measure_titles) > MOST_DRAWN:
                parts.append(
                    Words(
                        [
                            f"Charts of the first {MOST_DRAWN} of {len(result.measure_titles)} measures; Tournament.charts(folder) draws all."
                        ]
                    )
                )
            suffix = f": {measure}" if len(result.measure_titles) > 1 else ""
            sections.append(Section(f"{name}-{at}", f"{TITLES[name]}{suffix}", parts))
    return sections


def _classifiers(result: "Tournament") -> Section:
    held: Round = result.of()[0]
    rows = [
        [result.names[at], *(None if value != value else value for value in (held.values[at], held.apparent[at]))]
        for at in held.order[::-1].tolist()
    ]
    head: list[str | Column] = ["classifier", Column("true classes", "value"), Column("labels", "value", 1)]
    note = f"Best first: {held.asked.title} against the true classes and against the labels ({held.version.title})."
    return Section("classifiers", "Classifiers", [Table("", head, rows, note)])


def _facts(result: "Tournament") -> list[tuple[str, Text]]:
    facts: list[tuple[str, Text]] = [
        ("rows", f"{result.n:,}"),
        ("rows left out", f"{result.dropped:,}"),
        ("classes", shortened([str(name) for name in result.classes])),
        ("classifiers", shortened(list(result.names))),
        ("measures", shortened(result.measure_titles)),
    ]
    for file in result.files[:MOST_FILES]:
        facts += file_facts(file)
    if len(result.files) > MOST_FILES:
        facts.append(("further files", f"{len(result.files) - MOST_FILES:,}"))
    for version in {held.version.name: held.version for held in result.rounds}.values():
        asked = "" if version.asked is None else f", requested {written('share', version.asked)}"
        facts.append((f"labels {version.name}", f"{written('share', version.realised)} wrong{asked}; {version.method}"))
    for judge in result.rounds[0].judged:
        settings = ", ".join(f"{name} {value}" for name, value in judge.settings.items())
        facts.append((f"judge {judge.name}", settings or "no settings"))
    return [
        *facts,
        ("margin that matters", f"{result.rule.margin:g}"),
        ("confidence level", f"{100 * result.rule.level:g} %, {result.rule.alternative}"),
        ("justesse", __version__),
    ]
