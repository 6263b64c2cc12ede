"""`justesse.audit_start`: put the rows on which two classifiers disagree into a file of questions for an expert."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.class_sets import SEPARATOR, joined_classes, split_classes
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.levels import merged, ordered, spellings
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.version import __version__
from justesse.frames.disagreeing_rows import DisagreeingRows, disagreeing_rows
from justesse.frames.watched import watched
from justesse.judges.audit_rule import METHOD, AuditRule, check_method
from justesse.judges.audit_targets import About
from justesse.store.answers import Diary
from justesse.store.audit_file import check_free, new_audit
from justesse.store.disagreements import DisagreeingRow, add_drawn, write_disagreements
from justesse.verbs.audit.audit import Audit, PathLike, counted_disputes, read_audit
from justesse.verbs.audit.status import AuditStatus
from justesse.verbs.audit.typed_answer import TypedAnswers
from justesse.verbs.compare.paired_answers import counted_pair, put_together
from justesse.verbs.file_facts import file_facts


def rows_to_ask(
    data: Any,
    candidates: Sequence[Any],
    *,
    incumbent: str | None,
    candidate: str | None,
    on: str | None,
    true: str | None,
    suspicion: str | None,
    shown: Sequence[str],
    classes: Sequence[ClassName] | None,
    policy: AnswerPolicy,
    as_text: bool,
    **columns: Any,
) -> tuple[tuple[str, str], Tally, DisagreeingRows]:
    """Name both classifiers, count all rows, and fetch those on which the two disagree."""
    if on is None:
        raise OptionError("questions are answered by their id: name its column with on=… (--on id)")
    if len(candidates) > 1:
        raise OptionError(f"an audit is about one candidate; got {len(candidates)}: start an audit for each")
    extra = list(dict.fromkeys(name for name in (suspicion, *shown) if name is not None))
    found = put_together(
        data, candidates, incumbent, candidate, None, None, None,
        on=on if candidates else None, true=true, by=extra, **columns,
    )  # fmt: skip
    if isinstance(found, Tally):
        raise InputError("an audit asks about single rows, and a Tally has none: give the data as paths or frames")
    own, ((name, table),) = found
    # a column that happens to be called true is no expert: only the one that was named is
    parts = {part: column for part, column in table.columns.items() if part != "true"}
    check = {"classes": classes, "policy": policy, "as_text": as_text}
    pair = counted_pair(name, replace(table, columns=parts, slices={}), check, None)
    tally = pair.tally
    known = {text for name in tally.classes if name is not None for text in spellings(name)}
    accepted = pair.gaps.accepted.get("label", {})  # an expert may choose any class that some label accepts
    place = {given: table.slices[f"by {given}"] for given in extra}
    rows = disagreeing_rows(
        table,
        merged(tally.classes, ordered(name for name in accepted if not spellings(name) & known)),
        on=on,
        true=None if true is None else table.columns["true"],
        suspicion=place.get(suspicion or ""),
        shown={name: place[name] for name in shown},
        any_of=policy.any_of,
    )
    return (own, name), tally, rows


def audit_start(
    data: Any,
    *candidates: Any,
    to: PathLike,
    on: str | None = None,
    incumbent: str | None = None,
    candidate: str | None = None,
    budget: int = 200,
    show: str | Sequence[str] | None = None,
    image: str | None = None,
    truth: str | None = None,
    any_of: str | None = None,
    suspicion: str | None = None,
    common: bool = False,
    label: str | None = None,
    prediction: str | None = None,
    classes: Sequence[ClassName] | None = None,
    question: About = "test set",
    method: str = METHOD,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    expert_error: float = 0.0,
    futility: bool = True,
    seed: int = 0,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "wrong",
) -> AuditStatus:
    """Start an audit: ask an expert about rows on which the two disagree, and stop as soon as the verdict is sure.

    Two tables joined by the column `on`, or one with the columns `incumbent` and `candidate`, as for `compare`; the
    file `to` holds all an audit needs, and must not exist. The expert is shown the column `show`, or several, or the
    path in the column `image`. `suspicion` names a column of numbers, higher where a label is more likely wrong: a good
    one saves answers, a bad one only costs some. `expert_error` is how often the expert may be wrong. With `futility`
    the audit gives up when the questions left have a chance of less than 3 % to settle it; `audit_extend` goes on all
    the same. `truth` names a column that plays the expert: the audit is then run at once to its end. Several right
    classes stand in one cell there and in answers, joined by `any_of` (default `"|"`, as in `"B|C"`); a class whose name
    contains it comes first. If `any_of` is given, labels are sets of classes, too: a row whose label accepts both
    answers is still asked about. It is wrong to use if the rows were picked for their answers, or if the two
    classifiers were trained on them.

    >>> import tempfile
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90, "is": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = audit_start(rows, incumbent="old", candidate="new", on="id", truth="is", to=f"{folder}/my.audit")
    >>> found.decision, found.audit.state.stop
    ('replace', 'replace')
    """
    place = Path(os.path.expanduser(os.fspath(to)))
    check_free(place)
    data, candidates = watched(data), tuple(map(watched, candidates))
    if show is not None and image is not None:
        raise OptionError("give show=… for a column of text or image=… for one of paths, not both")
    shown = [image] if image else [show] if isinstance(show, str) else list(show or ())
    check_method(method)
    separator = SEPARATOR if any_of is None else any_of
    rule = AuditRule(
        question=question, level=level, margin=margin, alternative=alternative,
        expert_error=expert_error, futility=futility, budget=budget, seed=seed,
    )  # fmt: skip
    names, tally, rows = rows_to_ask(
        data, candidates, incumbent=incumbent, candidate=candidate, on=on, true=truth, suspicion=suspicion,
        shown=shown, classes=classes, as_text=as_text,
        policy=AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of or None),
        common=common, label=label, prediction=prediction,
    )  # fmt: skip
    about = {
        **asdict(rule),
        "method": METHOD,
        "n": tally.n,
        "on": on,
        "shows": "text" if show else "image" if image else None,
        "incumbent": names[0],
        "candidate": names[1],
        "classes": [name for name in rows.classes if name is not None],
        "truth": truth,
        "any_of": separator,
        "label_sets": bool(any_of),
        "suspicion": suspicion,
        "files": [fact for source in (data, *candidates) for fact in file_facts(source)],
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "justesse": __version__,
    }
    expert = None if truth is None else _expert(rows, str(truth), separator, declared=classes is not None)
    disputes = tuple(_disputes(rows, separator))
    about["counts"] = counted_disputes(disputes) if any_of else _cells(tally)
    with new_audit(place) as connection:
        write_disagreements(connection, disputes, about)
        if expert is not None:
            _simulate(connection, Audit(place, about, disputes, [], Diary()), expert, by=f"the column {truth!r}")
    return AuditStatus(read_audit(place), "start")


def _cells(tally: Tally) -> list[list[Any]]:
    return tally.marginal("label", "incumbent", "candidate").cells()


def _disputes(rows: DisagreeingRows, separator: str) -> Iterator[DisagreeingRow]:
    for at, name in enumerate(rows.ids):
        label, one, other = (rows.classes[codes[at]] for codes in (rows.label, rows.incumbent, rows.candidate))
        if at in rows.label_sets:
            label = joined_classes(rows.label_sets[at], separator)
        suspicion = None if rows.suspicion is None else float(rows.suspicion[at])
        yield DisagreeingRow(at, name, label, one, other, suspicion, rows.shown[at] if rows.shown else None)


def _expert(rows: DisagreeingRows, truth: str, separator: str, *, declared: bool) -> list[str | None]:
    """Give what the column that plays the expert says, `None` where it says nothing."""
    assert rows.true is not None
    known = {text for name in rows.classes if name is not None for text in spellings(name)}
    said = [text for text in rows.true if text is not None]
    if (
        said
        and not declared
        and not any(part in known for text in said for part in (text, *split_classes(text, separator)))
    ):
        raise InputError(
            f"column {truth!r} never holds a class of the labels or answers where the two disagree: it holds "
            f"{', '.join(map(repr, dict.fromkeys(said[:3])))}, and the classes are "
            f"{', '.join(repr(name) for name in rows.classes[:5] if name is not None)}; write both in the same way, or name all classes (--classes)"
        )
    return list(rows.true)


def _simulate(connection: Connection, audit: Audit, expert: Sequence[str | None], *, by: str) -> None:
    """Ask and answer one question after the other until the audit stops."""
    typed = TypedAnswers(audit.classes, separator=audit.separator, new_class=True, capitals=True)
    while not audit.progress.stop and (new := audit.draw(1)):
        row = new[0].row
        said = expert[row]
        try:
            kind, right = ("cannot_say", None) if said is None else typed.read(audit.disputes[row], said)
        except ClassError as error:
            raise ClassError(f"{by} says {said!r} of {audit.disputes[row].id!r}: {error}") from error
        entry = audit.entries.add(row, kind, right, by=by)
        audit.add_entries([entry] if entry else [])
    add_drawn(connection, audit.drawn)
    audit.entries.save(connection)
