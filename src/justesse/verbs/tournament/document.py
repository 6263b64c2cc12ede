"""A tournament as a reader meets it: which judge errs how often, and one function per section."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.judges.tournament import REFERENCES, count_of
from justesse.report.document import Choice, Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import Message, message, paragraph, written
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.log_section import log_section
from justesse.verbs.tournament.board_document import HOW as BOARD_HOW
from justesse.verbs.tournament.board_document import board_figures, board_headline, board_sections
from justesse.verbs.tournament.pictures import names_of

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import JudgeResult, Round, Tournament

MOST_DRAWN = 4  # measures whose charts the page holds
MOST_FILES = 10
MOST_ROWS = 30  # rows of a table on the terminal
MOST_NAMED = 3  # judges that the headline names
GAINS = "of those that a paired comparison on the true classes finds"
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
    if not result.rounds:
        return Document(
            "Leaderboard",
            headline(result),
            [*board_sections(result.leaderboards, alone=True), *log_section(result.logs, by_task=True)],
            result.to_dict,
            name="tournament",
            figures=board_figures(result.leaderboard),
            cautions=result.warnings,
            assumptions=result.assumptions,
            how=BOARD_HOW,
            facts=_facts(result),
            seed=result.rule.seed,
        )
    board, *about_board = board_sections(result.leaderboards, alone=False)
    return Document(
        "Tournament of judges",
        headline(result),
        [
            _worse(result),
            _against(result, "paired", "headline"),
            board,
            *log_section(result.logs, by_task=True),
            *_charts(result),
            _against(result, "overlap", "full"),
            _classifiers(result),
            *about_board,
        ],
        result.to_dict(),
        name="tournament",
        figures=_key_figures(result),
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=(*HOW, *BOARD_HOW),
        facts=_facts(result),
        seed=result.rule.seed,
    )


def headline(result: "Tournament") -> Message:
    """Say which judges accepted worse candidates and which misses the fewest gains; or which classifier is best."""
    if not result.rounds:
        return board_headline(result.leaderboard)
    wrong = [held.version.realised for held in result.rounds_of()]
    template = (
        "Judged: {classifiers:count} classifiers, {pairs:count} ordered pairs, {measure}, n = {n:count}, {wrong:share_range} "
        "of the labels wrong."
    )
    judged = message(
        template,
        classifiers=len(result.names),
        pairs=result.pairs,
        measure=result.rounds_of()[0].asked.title,
        n=result.n,
        wrong=wrong,
    )
    return paragraph(_safety(result), _fewest_missed(result), judged)


def _safety(result: "Tournament") -> Text:
    """Say which judges accepted worse candidates."""
    accepted = _accepted(result)
    unsafe = [name for name, count in accepted.items() if count]
    if not unsafe:
        return "No judge accepted a worse candidate."
    if len(unsafe) == len(accepted) > 1:
        fewest = min(accepted.values())
        least = [name for name, count in accepted.items() if count == fewest]
        template = "Every judge accepted worse candidates, {least:and} the fewest ({n:count})."
        if len(least) > 1:
            template = "Every judge accepted worse candidates, {least:and} the fewest ({n:count} each)."
        return message(template, least=least, n=fewest)
    if len(unsafe) <= MOST_NAMED:
        template = "The {n:plural judge|judges} {names:and} accepted worse candidates."
        return message(template, n=len(unsafe), names=unsafe)
    return message("{n} of {all} judges accepted worse candidates.", n=len(unsafe), all=len(accepted))


def _fewest_missed(result: "Tournament") -> Text:
    """Say which of the judges that accepted no worse candidate misses the fewest gains; empty if all accepted some."""
    accepted = _accepted(result)
    safe = sum(not count for count in accepted.values())
    best, missed = _best(result)
    if not safe or missed is None:
        return ""
    if len(best) == safe > 1:
        who: Text = message("The {n} others" if safe < len(accepted) else "All {n}", n=safe)
        template = "{who} miss equally many gains: {missed:share} {gains}."
        return message(template, who="Both" if safe == len(accepted) == 2 else who, missed=missed, gains=GAINS)
    many = "one" if len(best) == 1 else "several"
    if safe == 1:
        template = "The judge {best:and} misses gains: {missed:share} {gains}."
    elif safe < len(accepted):
        template = {
            "one": "Of the others, {best:and} misses the fewest gains: {missed:share} {gains}.",
            "several": "Of the others, {best:and} miss the fewest gains: each misses {missed:share} {gains}.",
        }[many]
    else:
        template = {
            "one": "The judge {best:and} misses the fewest gains: {missed:share} {gains}.",
            "several": "The judges {best:and} miss the fewest gains: each misses {missed:share} {gains}.",
        }[many]
    return message(template, best=best, missed=missed, gains=GAINS)


def _by_judge(result: "Tournament") -> "dict[str, list[JudgeResult]]":
    """Return the results of each judge on the first measure, one for each version of the labels."""
    return {name: [held.judged[at] for held in result.rounds_of()] for at, name in enumerate(result.judges)}


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
    held = result.rounds_of()[0]
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
    return str(
        message("judge: {judge}; labels: {version}" if version else "judge: {judge}", judge=judge, version=version)
    )


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
        head += [
            Column("answers per pair", "general", 1, "Answers per pair: how often an expert was asked, on average."),
            Column("median", "count", 4), Column("most", "count", 3),
        ]  # fmt: skip
    rows: list[list[Any]] = []
    for names, judge in _rows(result):
        rate, asked = judge.worse_accepted, judge.asked
        pairs = message("{count:count} of {n:count}", count=count_of(rate), n=int(rate.n))
        cells: list[Any] = [*names, rate, rate, str(pairs)]
        if asks:
            cells += [None, None, None] if asked is None else [round(asked["mean"], 1), asked["median"], asked["most"]]
        rows.append(cells)
    note = "Share of truly worse candidates that the judge accepts."
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
    note = message(
        "The reference ({method}) replaces in {replaced:count_range} of {pairs:count} pairs. Type I: the judge replaces, the "
        "reference keeps. Type II: the reverse.",
        method=REFERENCES[reference],
        replaced=replaced,
        pairs=result.pairs,
    )
    title = str(message("Errors against the {reference} reference", reference=reference))
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
                first = message(
                    "Charts of the first {first} of {n} measures; Tournament.charts(folder) draws all.",
                    first=MOST_DRAWN,
                    n=len(result.measure_titles),
                )
                parts.append(Words([first]))
            several = len(result.measure_titles) > 1
            title = message("{title}: {measure}" if several else "{title}", title=TITLES[name], measure=measure)
            sections.append(Section(f"{name}-{at}", str(title), parts))
    return sections


def _classifiers(result: "Tournament") -> Section:
    held: Round = result.rounds_of()[0]
    rows = [
        [result.names[at], *(None if value != value else value for value in (held.values[at], held.apparent[at]))]
        for at in held.order[::-1].tolist()
    ]
    head: list[str | Column] = ["classifier", Column("true classes", "value"), Column("labels", "value", 1)]
    note = message(
        "Best first: {measure} against the true classes and against the labels ({version}).",
        measure=held.asked.title,
        version=held.version.title,
    )
    return Section("classifiers", "Classifiers", [Table("", head, rows, note)])


def _facts(result: "Tournament") -> list[tuple[str, Text]]:
    facts: list[tuple[str, Text]] = [
        ("rows", written("count", result.n)),
        ("rows left out", written("count", result.dropped)),
        ("classes", shortened([str(name) for name in result.classes])),
        ("classifiers", shortened(list(result.names))),
        *([("measures", shortened(result.measure_titles))] if result.rounds else []),
    ]
    for file in result.files[:MOST_FILES]:
        facts += file_facts(file)
    if len(result.files) > MOST_FILES:
        facts.append(("further files", written("count", len(result.files) - MOST_FILES)))
    for version in {held.version.name: held.version for held in result.rounds}.values():
        template = "{wrong:share} wrong, requested {asked:share}; {method}"
        if version.asked is None:
            template = "{wrong:share} wrong; {method}"
        wrong = message(template, wrong=version.realised, asked=version.asked, method=version.method)
        facts.append((str(message("labels {name}", name=version.name)), wrong))
    for judge in result.rounds[0].judged if result.rounds else ():
        settings = ", ".join(f"{name} {value}" for name, value in judge.settings.items())
        facts.append((str(message("judge {name}", name=judge.name)), settings or "no settings"))
    return [
        *facts,
        ("margin that matters", written("number", result.rule.margin)),
        (
            "confidence level",
            message("{level:level}, {sides}", level=result.rule.level, sides=result.rule.alternative),
        ),
        ("justesse", __version__),
    ]
