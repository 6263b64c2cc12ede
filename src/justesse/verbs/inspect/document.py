"""An inspection as a reader sees it: failed checks first, then the others, then what was inspected."""

from typing import TYPE_CHECKING

from justesse.procedures.conditions import COPIES, STATES, Check
from justesse.report.document import Column, Document, Figure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph
from justesse.store.datasheet import QUESTIONS, Datasheet
from justesse.verbs.file_facts import column_facts, file_facts

if TYPE_CHECKING:
    from justesse.verbs.inspect.inspected import Inspection

MOST_PAIRS = 25
WORDS = {"not checked": "skipped"}  # states whose JSON value is not the word readers see
CONDITIONS = {
    "disjoint": "Disjoint from training",
    "large enough": "Large enough",
    "representative": "Representative",
    "documented": "Documented",
}
HOW = (
    "Normalising ignores case, punctuation and spacing, and rounds numbers. Near duplicates share most of their "
    "5-character pieces: MinHash finds candidates, and each candidate is compared exactly.",
    "Shares are compared with a chi-square test (simulated if cells are small) and Holm's correction over columns. A check "
    "fails only if the difference is significant and Cohen's w is large enough to matter.",
    "What a model learns about annotators is measured over random splits, with intervals corrected for shared training rows.",
    "A check that passed found nothing. That does not prove that there is nothing.",
)


def inspection_document(inspection: "Inspection") -> Document:
    """Put the sections together."""
    charts = [Figure(draw) for draw in inspection.drawings().values()]
    tables = map(_shares, inspection.compared_shares)
    shares: list[Part] = [part for pair in zip(charts, tables, strict=True) for part in pair]
    sections = [
        _failed(inspection),
        _undecided(inspection),
        _passed(inspection),
        Section("copies", "Copied rows", _copies(inspection.checks)),
        Section("shares", "Test set and population", shares),
        *(_others(condition, inspection.checks) for condition in CONDITIONS),
        _skipped(inspection),
        _not_applicable(inspection),
        _practices(inspection),
        *([_answers(inspection.datasheet)] if inspection.datasheet else []),
    ]
    sheet = inspection.datasheet
    created = sheet is not None and sheet.started
    return Document(
        "Inspection of a test set",
        inspection.headline,
        [section for section in sections if section.parts],
        inspection.to_dict(),
        verdict=message("{title}.", title=inspection.title),
        tone="equivalent" if inspection.passed else "keep",
        name="inspection",
        cautions=inspection.warnings,
        assumptions=inspection.assumptions,
        how=HOW,
        facts=_facts(inspection),
        seed=inspection.settings["seed"],
        next_step=message("Created: {path}. Answer its questions, then run this again.", path=sheet.path)
        if sheet and created
        else "",
    )


def _failed(inspection: "Inspection") -> Section:
    rows = [[_name(check), check.sentence, check.remedy] for check in inspection.of("failed")]
    head: list[str | Column] = ["check", Column("finding", "sentence"), Column("what to do", "sentence")]
    return Section("failed", "Failed checks", [Table("", head, rows)] if rows else [], "headline")


def _others(condition: str, checks: tuple[Check, ...]) -> Section:
    """List the checks of a condition that did not fail."""
    own = [check for check in checks if check.condition == condition and check.state != "failed"]
    rows = [
        [_name(check), WORDS.get(check.state, check.state), check.sentence]
        for check in sorted(own, key=lambda check: STATES.index(check.state))
    ]
    table = Table("", ["check", "state", Column("finding", "sentence")], rows)
    return Section(condition.replace(" ", "-"), CONDITIONS[condition], [table] if rows else [])


def _undecided(inspection: "Inspection") -> Section:
    """List the checks that found rows which may be copies of training rows, or may be different cases that look alike."""
    rows = [[_name(check), check.sentence] for check in inspection.undecided]
    table = Table("", ["check", Column("finding", "sentence")], rows)
    return Section(
        "undecided", "Undecided: these rows may be copies of training rows", [table] if rows else [], "headline"
    )


def _passed(inspection: "Inspection") -> Section:
    names = [_name(check) for check in inspection.of("passed")]
    return Section("passed", "Passed checks", [Words(names, listed=True)] if names else [], "headline")


def _skipped(inspection: "Inspection") -> Section:
    """List what the skipped checks need, each need once."""
    needs: dict[str, list[str]] = {}
    for check in inspection.of("not checked"):
        needs.setdefault(check.remedy.rstrip("."), []).append(_name(check))
    lines = [message("{need}: {checks}.", need=need, checks=", ".join(names)) for need, names in needs.items()]
    return Section("skipped", "To run the skipped checks", [Words(lines, listed=True)] if lines else [], "summary")


def _not_applicable(inspection: "Inspection") -> Section:
    """List why checks do not apply, each reason once."""
    reasons: dict[str, list[str]] = {}
    for check in inspection.inapplicable:
        reasons.setdefault(check.sentence, []).append(_name(check))
    lines = [message("{checks}: {reason}", checks=", ".join(names), reason=why) for why, names in reasons.items()]
    parts = [Words(lines, listed=True)] if lines else []
    return Section("not-applicable", "Checks that do not apply", parts, "summary")


def _name(check: Check) -> str:
    return f"{check.code} {check.title}"


def _shares(compared: tuple[str, list[tuple[object, float, float]]]) -> Table:
    column, shares = compared
    rows = [
        ["(missing)" if name is None else str(name), here, there, here - there]
        for name, here, there in sorted(shares, key=lambda row: -abs(row[1] - row[2]))
    ]
    head: list[str | Column] = [
        column,
        Column("test set", "share"),
        Column("population", "share"),
        Column("difference", "points"),
    ]
    return Table(str(message("Shares of {column}, largest difference first", column=column)), head, rows)


def _copies(checks: tuple[Check, ...]) -> list[Part]:
    """List each copied test row once: by the strictest check that found it."""
    rows: dict[int, list[object]] = {}
    total = 0
    for check in sorted(checks, key=lambda check: check.code):
        if check.state != "failed" or check.code not in COPIES:
            continue
        where = "test" if check.code == "JU004" else "training"
        similarity = check.figures.get("similarity") or [None] * len(check.figures["examples"])
        for (row, partner), share in zip(check.figures["examples"], similarity, strict=True):
            copied = message("{where} row {row}", where=where, row=partner)
            rows.setdefault(row, [str(row), copied, check.code, share])
        total += check.figures["rows"]
    if not rows:
        return []
    more = "The JSON lists up to 1,000 of each check (--json)." if total > MOST_PAIRS else None
    note = paragraph("Rows are counted from 1.", more)
    head: list[str | Column] = ["test row", "copy of", "check", Column("pieces shared", "share", 1)]
    ordered = [rows[row] for row in sorted(rows)]
    if all(shared is None for *_, shared in ordered):  # only near duplicates have a share
        head, ordered = head[:-1], [row[:-1] for row in ordered]
    return [Table("", head, ordered, note, most=MOST_PAIRS)]


def _practices(inspection: "Inspection") -> Section:
    rows = [
        [each["practice"], WORDS.get(each["state"], each["state"]), ", ".join(each["checks"])]
        for each in inspection.practices
    ]
    note = "Thomas (2018) and Geva et al. (2019), as listed by Benjelloun (2021), 5.1."
    table = Table("", ["practice", "state", Column("checks", "words")], rows, note)
    return Section("practices", "Good practices of annotation", [table])


def _answers(sheet: Datasheet) -> Section:
    parts: list[Part] = []
    for section, answers in sheet.answers.items():
        _, title, questions = QUESTIONS.get(section, ("", section, {}))
        rows = [[question, answers.get(key) or "(no answer)"] for key, question in questions.items()]
        rows += [[key, answer] for key, answer in answers.items() if key not in questions]
        if rows and not sheet.started:
            parts.append(Table(title, ["question", Column("answer", "words")], rows))
    return Section("datasheet", "Data sheet", parts)


def _facts(inspection: "Inspection") -> list[tuple[str, Text]]:
    facts: list[tuple[str, Text]] = [
        (str(message("{part} rows", part=part)), message("{n:count}", n=n)) for part, n in inspection.rows.items()
    ]
    facts += [fact for source in inspection.sources for fact in file_facts(source)]
    if inspection.datasheet:
        facts += file_facts(inspection.datasheet.path)
    facts += column_facts({role: names for role, names in inspection.columns.items() if names})
    return [*facts, ("confidence level", message("{level:level}", level=inspection.settings["level"]))]
