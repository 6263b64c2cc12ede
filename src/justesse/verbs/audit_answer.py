"""`justesse.audit_answer`: put answers into an audit, each kept for good."""

import difflib
import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.frames.replies import SHOWN, Reply, replies
from justesse.store.answers import AlreadyAnsweredError, Diary, Entry, Kind
from justesse.store.audit_file import open_audit
from justesse.store.disputes import Dispute
from justesse.store.settled import RULE
from justesse.verbs.audit import Audit, PathLike, loaded, loaded_to_write, read_audit

CANNOT = "?"  # in a file: looked at, and cannot be said


@dataclass(frozen=True)
class AuditAnswered:
    """The entries that were added, how many answers were there already or empty, and how the audit stands now."""

    audit: Audit
    recorded: tuple[Entry, ...]
    repeated: int
    empty: int
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        state = self.audit.state.to_dict()
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {"answered_at": answered_at(self.recorded)},
            "audit": "answer",
            "file": str(self.audit.path),
            "recorded": [entry_dict(self.audit, entry) for entry in self.recorded],
            "repeated": self.repeated,
            "empty": self.empty,
            **{key: state[key] for key in ("verdict", "stop", "answered", "waiting", "asked", "budget")},
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        many = len(self.recorded)
        lines = [
            f"{many} answer{'' if many == 1 else 's'} kept; answers that count so far: {self.audit.state.answered}."
        ]
        if self.repeated:
            lines.append(f"{self.repeated} said what the same person had said already.")
        if self.empty:
            lines.append(f"{self.empty} rows have no answer yet.")
        return "\n".join([*lines, *(f"! {warning}" for warning in self.warnings)])


def entry_dict(audit: Audit, entry: Entry) -> dict[str, Any]:
    """Write an entry of the diary for JSON."""
    return {
        "number": entry.number,
        "id": audit.disputes[entry.row].id,
        "turn": audit.turns.get(entry.row),
        "kind": entry.kind,
        "class": entry.said,
        "by": entry.by,
        "corrects": entry.corrects,
    }


def answered_at(entries: Iterable[Entry]) -> dict[str, str]:
    """Give when each entry was made (UTC), by its number: it differs from run to run, so it stands apart."""
    return {str(entry.number): entry.at for entry in entries}


def audit_answer(
    audit: PathLike,
    id: Any = None,
    class_name: ClassName = None,
    *,
    answers: Any = None,
    by: str | None = None,
    cannot_say: bool = False,
    withdraw: bool = False,
    correct: bool = False,
    new_class: bool = False,
) -> AuditAnswered:
    """Answer one question with its true class, or many from a file or frame of ids and classes (`answers`).

    All answers are on disk when this returns, or none are. A person's own answer is changed only with `correct`, and
    the old one is kept; `withdraw` takes it back. `cannot_say` is an answer, too: it counts against whichever side is
    being shown. A class that neither labels nor classifiers know needs `new_class`. Where people differ the majority
    counts. It is wrong to answer by looking at who said what: ask with `audit_next`, which does not tell.

    >>> import tempfile
    >>> from justesse.verbs.audit_start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     found = audit_answer(f"{folder}/my.audit", 7, 0, by="Ann")
    >>> found.recorded[0].said, found.recorded[0].by
    (0, 'Ann')
    """
    single = id is not None
    if single == (answers is not None):
        raise OptionError("give the id of a question and its class, or a file of answers")
    if single and (class_name is not None) + cannot_say + withdraw != 1:
        raise OptionError("give the class, or say that it cannot be said, or withdraw an answer: one of the three")
    if not single and (class_name is not None or cannot_say or withdraw):
        raise OptionError("a file of answers says itself what is answered: give only it, and who answers")
    who = (by or "").strip() or user()
    file = open_audit(audit)
    given = None if single else replies(answers, on=read_audit(audit).about["on"])
    with file.writing() as connection:
        found = loaded_to_write(connection, file.path)
        diary = Diary(found.diary)
        if given is None:
            dispute = _dispute(found, id)
            kind: Kind = "withdrawn" if withdraw else "cannot_say" if cannot_say else "answer"
            said = None if kind != "answer" else _class(found.classes, class_name, new_class)
            new = [_recorded(diary, dispute, kind, said, who, correct or withdraw)]
        else:
            new = _all(diary, found, given, who, correct, new_class)
        diary.save(connection)
        now = loaded(connection, file.path)
    kept = tuple(entry for entry in new if entry is not None)
    empty = sum(reply.said is None for reply in given or ())
    return AuditAnswered(now, kept, len(new) - len(kept), empty, tuple(_warnings(now, kept)))


def user() -> str:
    """Give the name somebody is logged in with."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may know no name
        return "unknown"


def known_class(audit: PathLike, typed: str) -> ClassName:
    """Give the class that was typed, or refuse one that neither labels nor classifiers know."""
    return _class(read_audit(audit).classes, typed, False)


def _all(
    diary: Diary, audit: Audit, given: Sequence[Reply], who: str, correct: bool, new_class: bool
) -> list[Entry | None]:
    """Record every reply, or refuse all of them with the rows that are wrong."""
    new, wrong = [], []
    for reply in given:
        if reply.said is None:
            continue
        try:
            dispute = _dispute(audit, reply.id)
            cannot = reply.said == CANNOT and CANNOT not in map(str, audit.classes)
            said = None if cannot else _class(audit.classes, reply.said, new_class)
            kind: Kind = "cannot_say" if cannot else "answer"
            new.append(_recorded(diary, dispute, kind, said, reply.by or who, correct))
        except InputError as error:
            wrong.append(f"row {reply.place}: {error}")
    if wrong:
        more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        shown = "\n".join(wrong[:SHOWN])
        raise InputError(f"none of the answers was kept, as {len(wrong)} cannot be:\n{shown}{more}")
    return new


def _dispute(audit: Audit, id: Any) -> Dispute:
    text = str(int(id)) if isinstance(id, float) and id.is_integer() else str(id)
    found = audit.by_id.get(text) or audit.by_id.get(text.strip())
    if found is None:
        near = difflib.get_close_matches(text, audit.by_id, n=1, cutoff=0.8)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"there is no question {text!r} in {audit.path.name}: it has no such id, or both classifiers said the same "
            f"there, so that its class cannot change the difference{hint}"
        )
    return found


def _class(classes: Sequence[ClassName], typed: ClassName, new_class: bool) -> ClassName:
    for known in classes:
        if spelt_alike(known, typed):
            return known
    spelt = {str(known).strip().lower(): known for known in classes}
    alike = spelt.get(str(typed).strip().lower())
    if alike is None and new_class:
        return _new(classes, typed)
    near = [str(alike)] if alike is not None else difflib.get_close_matches(str(typed), map(str, classes), n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    shown = ", ".join(map(repr, classes[:20])) + (f" and {len(classes) - 20} more" if len(classes) > 20 else "")
    raise ClassError(
        f"there is no class {typed!r} among labels and answers; {hint}There are {shown}. If it is truly another one, pass "
        "new_class (--new-class); if it cannot be said, cannot_say (--cannot-say)"
    )


def _new(classes: Sequence[ClassName], typed: ClassName) -> ClassName:
    """Read a new class the way the known ones are: a whole number among whole numbers is one."""
    text = str(typed).strip()
    if not text:
        raise ClassError("a class needs a name; got an empty one")
    whole = text.lstrip("-").isdigit() and all(type(name) is int for name in classes)
    return int(text) if whole else text


def _recorded(diary: Diary, dispute: Dispute, kind: Kind, said: ClassName, who: str, correct: bool) -> Entry | None:
    try:
        return diary.add(dispute.row, kind, said, by=who, correct=correct)
    except AlreadyAnsweredError as error:
        old = error.entry
        raise InputError(
            f"{old.by} has answered {dispute.id!r} with {old.words!r} at {old.at}; pass correct (--correct) to correct "
            "it, the old answer is kept, or say who else answers with by=… (--by NAME)"
        ) from error


def _warnings(audit: Audit, kept: Sequence[Entry]) -> list[str]:
    said = []
    early = [audit.disputes[entry.row].id for entry in kept if entry.row not in audit.turns]
    if early:
        said.append(
            f"{len(early)} of these questions were not drawn yet ({_few(early)}): the answers are kept, and count only once "
            "they are drawn, because rows picked by hand would bias the verdict."
        )
    differ = [audit.disputes[entry.row].id for entry in kept if (one := audit.settled.get(entry.row)) and one.differ]
    if differ:
        said.append(f"People differ about {_few(list(dict.fromkeys(differ)))}. {RULE}")
    return said


def _few(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
