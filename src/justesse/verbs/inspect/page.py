"""An inspection as a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__
from justesse.frames.native import check_place, write_whole
from justesse.procedures.conditions import STATES, Check
from justesse.report import old_sections as sections
from justesse.report.old_document import Document, Part, Section, Table, Words
from justesse.report.old_render import rendered
from justesse.store.datasheet import QUESTIONS, Datasheet
from justesse.verbs.file_facts import file_facts
from justesse.verbs.inspect.inspected import ASSUMPTIONS, CONDITIONS

if TYPE_CHECKING:
    from justesse.verbs.inspect.inspected import Inspection

MOST = 25  # cells or pairs listed on the page
HOW = (
    "Rows are the same if every column compared is; written alike if they are after case, punctuation and spacing are "
    "forgotten and numbers rounded. Texts are nearly the same if they share most of their pieces of five letters; "
    "candidates are found by MinHash, and each is then compared exactly.",
    "Shares are compared by a chi-square test, by draws where cells are small, with Holm's correction over columns; Cohen's "
    "w says how far apart they are. A check fails only if chance does not explain a difference and the difference matters.",
    "What a model learns of annotators is measured over random splits, with intervals corrected for shared training rows.",
    "A check that passed did not find anything; that is not a proof that there is nothing to find.",
)
ANSWERS = {
    "disjoint": "Did the rows have a part in training?",
    "large enough": "Can it tell what it is to tell?",
    "representative": "Is it a fair picture of where the classifier will be used?",
    "documented": "Is it known how it was made?",
}


def write_page(found: "Inspection", path: Path, *, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    check_place(path, endings=(".html", ".htm"), read=found.sources)
    document = page(found, command=command)
    return write_whole(path, lambda temporary: Path(temporary).write_text(rendered(document), encoding="utf-8"))


def page(found: "Inspection", *, command: str | None = None) -> Document:
    """Put the sections together."""
    made = [
        sections.careful([f"{check.code}: {check.sentence}" for check in found.of("failed")]),
        *(_condition(condition, found.checks) for condition in CONDITIONS),
        _practices(found),
        *(_datasheet(found.datasheet) if found.datasheet else []),
        sections.measured(_facts(found), "What was inspected"),
        sections.method(
            ASSUMPTIONS, found.settings["level"], command or "justesse.inspect(…).report(path)", (*HOW, *found.warnings)
        ),
    ]
    return Document(
        "Inspection of a test", found.headline, [one for one in made if one.parts], found.to_dict(), __version__,
        verdict=f"{found.title}.", tone="equivalent" if found.passed else "keep", name="inspection",
    )  # fmt: skip


def _condition(condition: str, checks: Sequence[Check]) -> Section:
    own = sorted((one for one in checks if one.condition == condition), key=lambda one: STATES.index(one.state))
    rows = [[f"{one.code} {one.title}", one.state, one.sentence, one.remedy or "–"] for one in own]
    parts: list[Part] = []
    if rows:
        parts.append(Table(ANSWERS[condition], ["check", "state", "what was found", "remedy"], rows, words=True))
    parts += _pairs(sorted(own, key=lambda one: one.code))
    for one in own:
        parts += _spread(one)
    return Section(condition.replace(" ", "-"), CONDITIONS[condition], parts)


def _spread(check: Check) -> list[Part]:
    """List the shares of a column behind a check."""
    figures = check.figures
    if "cells" in figures:
        apart = sorted(figures["cells"], key=lambda cell: -abs(cell[1] - cell[2]))
        rows = [
            [str(name), f"{100 * here:.2f} %", f"{100 * there:.2f} %", f"{100 * (here - there):+.2f}"]
            for name, here, there in apart[:MOST]
        ]
        note = f"The {MOST} furthest apart of {len(apart)}; the JSON has all." if len(apart) > MOST else ""
        heads = [str(figures["column"]), "share of the test", "share of the population", "difference, points"]
        return [Table(f"{check.code}: {figures['column']} in the test and in the population", heads, rows, note)]
    return []


def _pairs(checks: Sequence[Check]) -> list[Part]:
    """List where copies stand, each test row once: by the strictest check that found it."""
    found: dict[int, list[str]] = {}
    total = 0
    for check in checks:
        if check.state != "failed" or check.code not in ("JU001", "JU002", "JU003", "JU004"):
            continue
        where = "test" if check.code == "JU004" else "training"
        alike = check.figures.get("similarity") or [1.0] * len(check.figures["examples"])
        for (row, partner), share in zip(check.figures["examples"], alike, strict=True):
            shared = f"{100 * share:.1f} %" if check.code == "JU003" else "–"
            found.setdefault(row, [str(row), f"{partner} of the {where} rows", check.code, shared])
        total = max(total, check.figures["rows"])
    if not found:
        return []
    rows = [found[row] for row in sorted(found)]
    more = len(rows) > MOST or total > len(rows)
    note = f"The first {min(MOST, len(rows))}; the JSON has up to a thousand of each check." if more else ""
    heads = ["test row", "also stands in row", "found by", "pieces shared"]
    return [Table("Where copies stand, rows counted from 1", heads, rows[:MOST], note)]


def _practices(found: "Inspection") -> Section:
    rows = [[one["practice"], one["state"], ", ".join(one["checks"])] for one in found.practices]
    note = "After Thomas (2018) and Geva et al. (2019), as listed by Benjelloun (2021), 5.1."
    table = Table("Good practices of annotation", ["practice", "state", "checks"], rows, note, words=True)
    return Section("practices", "Good practices of annotation", [table])


def _datasheet(sheet: Datasheet) -> list[Section]:
    parts: list[Part] = []
    if sheet.started:
        parts.append(Words([f"{sheet.path.name} has been started; nothing is answered yet."]))
    for section, answers in sheet.answers.items():
        _, title, questions = QUESTIONS.get(section, ("", section, {}))
        rows = [[question, answers.get(key) or "(not answered)"] for key, question in questions.items()]
        rows += [[key, answer] for key, answer in answers.items() if key not in questions]
        if rows:
            parts.append(Table(title, ["question", "answer"], rows, words=True))
    return [Section("datasheet", "Data sheet", parts)]


def _facts(found: "Inspection") -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = [(f"{part} rows", f"{n:,}") for part, n in found.rows.items()]
    facts += [fact for source in found.sources for fact in file_facts(source)]
    if found.datasheet:
        facts += file_facts(found.datasheet.path)
    facts += [(part, _named(name)) for part, name in found.columns.items() if name]
    return [
        *facts,
        ("level", f"{100 * found.settings['level']:g} %"),
        ("seed", str(found.settings["seed"])),
        ("justesse", __version__),
    ]


def _named(name: Any) -> str:
    return ", ".join(map(str, name)) if isinstance(name, list) else str(name)
