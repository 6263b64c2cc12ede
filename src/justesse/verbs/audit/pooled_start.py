"""Start an audit of several classifiers: make the file of the rows on which some disagree."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from justesse.core.choices import ExpertRule
from justesse.core.class_sets import split_classes
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.levels import spellings
from justesse.core.version import __version__
from justesse.judges.audit_rule import METHOD
from justesse.judges.pool_goal import PoolGoal
from justesse.judges.pool_plan import check_size
from justesse.report.writing import message
from justesse.store.address import AuditAddress
from justesse.store.answers import Diary
from justesse.store.audit_file import new_audit
from justesse.store.disagreements import add_drawn
from justesse.store.pooled_rows import write_pool
from justesse.verbs.audit.audit import read_audit
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_reading import PoolRead
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.typed_answer import TypedAnswers
from justesse.verbs.file_facts import file_facts

BUDGET = 200
RIGHT_OR_WRONG = (
    "These logs only say right or wrong, so an expert cannot say which answer is right. Compare them with justesse "
    "tournament, or choose a task whose targets are classes (--task)."
)


def begin_pool(
    place: Path | AuditAddress,
    read: PoolRead,
    *,
    files: Sequence[Any],
    goal: str,
    incumbent: str | None,
    level: float,
    expert_error: float,
    experts: ExpertRule,
    budget: int | None,
    seed: int,
    true: str | None,
    shows: str | None,
    separator: str,
    asking: Mapping[str, Any] | None = None,
) -> PooledStatus:
    """Make the audit file, and answer the questions if a column plays the expert.

    Parameters
    ----------
    place
        The file to make.
    read
        The rows.
    files
        The data, for their fingerprints.
    goal
        What is to be settled.
    incumbent
        Name of the incumbent. Default: the first classifier.
    level
        Confidence level of all claims together.
    expert_error
        Largest chance that an expert is wrong about a row.
    experts
        Which answer counts if experts disagree.
    budget
        Number of questions at most.
    seed
        Seed of the draws.
    true
        Column that plays the expert, if there is one.
    shows
        Whether the expert sees text or an image.
    separator
        Separator of several right classes.
    asking
        How people are asked: instructions, answers_each, third, and the columns shown.
    """
    rows, names = read.rows, read.names
    number = _incumbent(names, incumbent, goal)
    notes = read.notes
    whole = BUDGET if budget is None else budget
    if budget is not None and budget > len(rows):
        template = (
            "The budget of {budget:count question} is larger than the number of disputed rows, {n:count}: all of them can be "
            "asked about."
        )
        notes = (*notes, str(message(template, budget=budget, n=len(rows))))
    parsed = PoolGoal.parse(goal, len(names), number)
    check_size(parsed, len(names), len(rows))
    about = {
        "models": list(names),
        "goal": str(parsed),
        "incumbent": number,
        "level": level,
        "expert_error": expert_error,
        "budget": min(whole, len(rows)),
        "seed": seed,
        "method": METHOD,
        "experts": experts,
        "n": read.n,
        "on": read.on,
        "shows": shows,
        "classes": list(read.classes),
        "credit": None if read.table is None else read.table.tolist(),
        "truth": true,
        "any_of": separator,
        "label_sets": read.label_sets,
        "files": [list(fact) for source in files for fact in file_facts(source)],
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "justesse": __version__,
        **(asking or {}),
    }
    audit = PooledAudit(place, {**about, "budget": whole}, rows, [], Diary())
    _ = audit.plan  # refuses what is no level, error rate or budget
    with new_audit(place) as connection:
        write_pool(connection, rows, about)
        if read.true is not None:
            _simulate(audit, read.true, by=str(message("the column {column:name}", column=true)))
            add_drawn(connection, audit.drawn)
            audit.entries.save(connection)
    started = read_audit(place)
    assert isinstance(started, PooledAudit)
    return PooledStatus(started, "start", notes)


def _incumbent(names: Sequence[str], incumbent: str | None, goal: str) -> int:
    if incumbent is None:
        return 0
    if goal.strip() != "incumbent":
        raise OptionError(
            f"incumbent (--incumbent) is for the goal incumbent (--goal incumbent); the goal is {goal!r}."
        )
    if incumbent not in names:
        raise OptionError(f"No classifier is called {incumbent!r}. Classifiers: {', '.join(map(repr, names))}.")
    return list(names).index(incumbent)


def _simulate(audit: PooledAudit, expert: Sequence[str | None], *, by: str) -> None:
    """Ask and answer one question after the other until the audit stops."""
    known = {text for name in audit.classes for text in spellings(name)}
    answers = [text for text in expert if text is not None]
    parts = {part for text in answers for part in (text, *split_classes(text, audit.separator))}
    parts |= {part.rsplit("=", 1)[0].strip() for part in parts}  # a credit follows
    if answers and not parts & known:
        raise InputError(
            f"{by} has no class of the labels or answers in any disputed row. It has "
            f"{', '.join(map(repr, dict.fromkeys(answers[:3])))}; the classes are "
            f"{', '.join(map(repr, audit.classes[:5]))}. Write both in the same way."
        )
    typed = TypedAnswers(audit.classes, separator=audit.separator, new_class=True, capitals=True)
    while not audit.progress.stop and (new := audit.draw(1)):
        row = new[0].row
        text = expert[row]
        try:
            kind, classes = ("cannot_say", None) if text is None else typed.read(audit.disputes[row], text)
            audit.check_kind(kind)
        except ClassError as error:
            raise ClassError(f"{by} has {text!r} for id {audit.disputes[row].id!r}. {error}") from error
        entry = audit.entries.add(row, kind, classes, by=by)
        audit.add_entries([entry] if entry else [])
