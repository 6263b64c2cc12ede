"""A tournament as a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.core.version import __version__
from justesse.frames.native import write_whole
from justesse.report import old_sections as sections
from justesse.report.old_document import Choice, Document, Part, Section, Table, Words
from justesse.report.old_render import figure, rendered
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.tournament.pictures import names_of
from justesse.verbs.tournament.result import ASSUMPTIONS, REFERENCES
from justesse.verbs.tournament.words import count_of, ends_words, share_words

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import Round, Tournament

MOST_ROWS = 200
MOST_DRAWN = 4  # measures whose pictures the page holds
MOST_FILES = 10
HOW = (
    "Every ordered pair is judged: the first of the two is the incumbent, the second the candidate. The judges see the "
    "labels, the references the true classes. A type I error replaces where the reference keeps, a type II error keeps "
    "where it replaces. The references are timid themselves, so that a type I error need not be a worse candidate: a "
    "table of its own counts those that are.",
    "Intervals of rates: Wilson's, with as many pairs as would tell as much if no two of them shared a classifier.",
)


def write_page(found: "Tournament", path: Path, *, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    text = rendered(page(found, command=command))
    return write_whole(path, lambda temporary: Path(temporary).write_text(text, encoding="utf-8"))


def page(found: "Tournament", *, command: str | None = None) -> Document:
    """Put the sections together."""
    made = [
        _errors(found),
        sections.careful(found.warnings),
        *_pictures(found),
        _classifiers(found.of()[0], found.names),
        sections.measured(_facts(found), "What was judged"),
        sections.method(ASSUMPTIONS, found.rule.level, command or "justesse.tournament(…).report(path)", HOW),
    ]
    return Document("Tournament of judges", found.headline, made, found.to_dict(), __version__, name="tournament")


def _errors(found: "Tournament") -> Section:
    several = len(found.rounds) > 1
    every = [
        ([held.judged[at].name, *([found.title_of(held)] if several else [])], held.judged[at])
        for at in range(len(found.judges))
        for held in found.rounds
    ]
    shown = every[:MOST_ROWS]
    more = f" The first {MOST_ROWS} of {len(every):,} rows; the JSON has all." if len(every) > MOST_ROWS else ""
    heads = ["judge", *(["labels"] if several else [])]
    parts: list[Part] = []
    for reference, words in REFERENCES.items():
        rows = [[*named, *(_cell(rate) for rate in one.against[reference].values())] for named, one in shown]
        replaced = [int(held.references[reference].sum()) for held in found.rounds]
        said = f"{min(replaced):,}" if min(replaced) == max(replaced) else f"{min(replaced):,} to {max(replaced):,}"
        note = (
            f"Reference: {words}; it replaces in {said} of {found.pairs:,} pairs. In brackets the interval, in percent."
        )
        caption = f"Errors against the reference by {reference}"
        parts.append(Table(caption, [*heads, "type I", "type II", "agreement"], rows, note + more))
    rows = [[*named, _cell(one.worse_accepted), _answers(one.asked)] for named, one in shown]
    last = ["truly worse accepted", "answers asked a pair: mean, median, most"]
    parts.append(Table("Candidates accepted that are truly worse than the incumbent", [*heads, *last], rows, more))
    return Section("errors", "How often each judge errs", parts)


def _cell(one: Estimate) -> str:
    if one.interval is None:
        return one.undefined or "undefined"
    return f"{share_words(one)} ({ends_words(one)}), {count_of(one):,} of {int(one.n):,}"


def _answers(asked: "dict[str, float] | None") -> str:
    return "none" if asked is None else f"{asked['mean']:.1f}, {asked['median']:.0f}, {asked['most']:.0f}"


def _pictures(found: "Tournament") -> list[Section]:
    titles = {"decisions": "Who is replaced, pair by pair", "rates": "As more labels are wrong"}
    made, number = [], 0
    for name in names_of(found):
        for at, measure in enumerate(found.measures[:MOST_DRAWN]):
            shown = []
            for reference in REFERENCES:
                drawn = found.chart(name, reference=reference, measure=measure)
                shown.append((f"by {reference}", figure(drawn, number)))
                number += 1
            several = f": {measure}" if len(found.measures) > 1 else ""
            made.append(Section(f"{name}-{at}", f"{titles[name]}{several}", [Choice("Reference", shown)]))
    if len(found.measures) > MOST_DRAWN:
        said = f"Pictures show the first {MOST_DRAWN} of {len(found.measures)} measures; --charts draws all."
        made[-1] = Section(made[-1].id, made[-1].title, [*made[-1].parts, Words([said])])
    return made


def _classifiers(held: "Round", names: Sequence[str]) -> Section:
    rows = [
        [names[at], sections.number(held.values[at]), sections.number(held.apparent[at])]
        for at in held.order[::-1].tolist()[:MOST_ROWS]
    ]
    heads = ["classifier", f"{held.asked.title} against the true classes", f"against the labels ({held.version.title})"]
    more = f" The best {MOST_ROWS} of {len(names):,}; the JSON has all." if len(names) > MOST_ROWS else ""
    return Section("classifiers", "The classifiers", [Table("From the best to the worst", heads, rows, more)])


def _facts(found: "Tournament") -> list[tuple[str, str]]:
    facts = [
        ("rows", f"{found.n:,}"),
        ("rows left out", f"{found.dropped:,}"),
        ("classes", shortened([str(name) for name in found.classes])),
        ("classifiers", shortened(list(found.names))),
        ("measures", shortened(found.measures)),
    ]
    for file in found.files[:MOST_FILES]:
        facts += file_facts(file)
    if len(found.files) > MOST_FILES:
        facts.append(("further files", f"{len(found.files) - MOST_FILES:,}"))
    for version in {one.version.name: one.version for one in found.rounds}.values():
        asked = "" if version.asked is None else f", asked {100 * version.asked:.4g} %"
        facts.append((f"labels {version.name}", f"{100 * version.realised:.4g} % wrong{asked}; {version.method}"))
    for one in found.rounds[0].judged:
        told = ", ".join(f"{name} {value}" for name, value in one.settings.items())
        facts.append((f"judge {one.name}", told or "no settings of its own"))
    return [
        *facts,
        ("margin that matters", f"{found.rule.margin:g}"),
        ("level", f"{100 * found.rule.level:g} %, {found.rule.alternative}"),
        ("seed", f"{found.rule.seed}"),
        ("justesse", __version__),
    ]
