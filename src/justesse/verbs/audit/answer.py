"""`justesse.audit_answer`: put answers into an audit, each kept for good."""

import difflib
import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.frames.replies import SHOWN, Reply, replies
from justesse.store.answers import AlreadyAnsweredError, Diary, Entry, Kind, Said
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import DisagreeingRow, read_facts
from justesse.store.settled import RULE
from justesse.verbs.audit.audit import Audit, PathLike, loaded_to_write
from justesse.verbs.audit.facts import checked_facts
from justesse.verbs.audit.typed_answer import TypedAnswers


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
        lines = [f"{many} answer{'' if many == 1 else 's'} kept; answers that count so far: {self.audit.counted}."]
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
        "class": list(entry.said) if isinstance(entry.said, tuple) else entry.said,
        "by": entry.by,
        "corrects": entry.corrects,
    }


def answered_at(entries: Iterable[Entry]) -> dict[str, str]:
    """Give when each entry was made (UTC), by its number: it differs from run to run, so it stands apart."""
    return {str(entry.number): entry.at for entry in entries}


def audit_answer(
    audit: PathLike,
    id: Any = None,
    class_name: ClassName | Sequence[ClassName] = None,
    *,
    answers: Any = None,
    by: str | None = None,
    both: bool = False,
    neither: bool = False,
    flawed: bool = False,
    cannot_say: bool = False,
    withdraw: bool = False,
    correct: bool = False,
    new_class: bool = False,
) -> AuditAnswered:
    """Answer one question with its true class, or many from a file or frame of ids and classes (`answers`).

        gain of a row = [the candidate's class is right] - [the incumbent's class is right]

    Several classes may be right: give a list, or one text (`"B|C"`). `both` says that both classifiers are right,
    `neither` that neither is, and `flawed` that the question has no right answer: the gain is 0. `cannot_say` counts
    against whichever side is being shown. In a file these are the words `both`, `neither`, `flawed` and `?`; a class of
    that name comes first, and `(both)` is never a class. All answers are on disk when this returns, or none are. A
    person's own answer is changed only with `correct`, and the old one is kept; `withdraw` takes it back. A class that
    neither labels nor classifiers know needs `new_class`. Where people differ the majority counts. It is wrong to
    answer by looking at who said what: ask with `audit_next`, which does not tell.

    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     first = audit_answer(f"{folder}/my.audit", 7, 0, by="Ann").recorded[0]
    ...     second = audit_answer(f"{folder}/my.audit", 8, "0|1", by="Ann").recorded[0]
    >>> first.said, first.by, second.kind, second.said
    (0, 'Ann', 'several', (0, 1))
    """
    flags: dict[Kind, bool] = {
        "both": both, "neither": neither, "flawed": flawed, "cannot_say": cannot_say, "withdrawn": withdraw
    }  # fmt: skip
    kinds = [kind for kind, chosen in flags.items() if chosen]
    single = id is not None
    if single == (answers is not None):
        raise OptionError("give the id of a question and its class, or a file of answers")
    if single and (class_name is not None) + len(kinds) != 1:
        raise OptionError(
            "give the class, or one of both, neither, flawed, cannot_say (--cannot-say), or withdraw an answer"
        )
    if not single and (class_name is not None or kinds):
        raise OptionError("a file of answers says itself what is answered: give only it, and who answers")
    file = open_audit(audit)
    given = None
    if not single:
        with file.reading() as connection:  # the answers are read before the file is locked for writing
            on = checked_facts(read_facts(connection), file.path)["on"]
        given = replies(answers, on=on)
    with file.writing() as connection:
        found = loaded_to_write(connection, file.path)
        typed = TypedAnswers(found.classes, separator=found.separator, new_class=new_class)
        who = (by or "").strip() or user()
        if given is None:
            new = [answer_one(found, typed, id, class_name, kinds, by=who, correct=correct)]
        else:
            new = _all(found, typed, given, who, correct)
        found.entries.save(connection)
    kept = tuple(entry for entry in new if entry is not None)
    found.add_entries(kept)
    empty = sum(reply.said is None for reply in given or ())
    return AuditAnswered(found, kept, len(new) - len(kept), empty, tuple(_warnings(found, kept)))


def answer_one(
    audit: Audit,
    typed: TypedAnswers,
    id: Any,
    class_name: Any,
    kinds: Sequence[Kind] = (),
    *,
    by: str,
    correct: bool = False,
) -> Entry | None:
    """Add one answer to the diary of an audit; it is saved later."""
    dispute = _dispute(audit, id)
    kind, said = typed.without_class(kinds[0], dispute) if kinds else typed.read(dispute, class_name)
    return _recorded(audit.entries, dispute, kind, said, by, correct or kind == "withdrawn")


def user() -> str:
    """Give the name somebody is logged in with."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may know no name
        return "unknown"


def _all(audit: Audit, typed: TypedAnswers, given: Sequence[Reply], who: str, correct: bool) -> list[Entry | None]:
    """Record every reply, or refuse all of them with the rows that are wrong."""
    new, wrong = [], []
    for reply in given:
        if reply.said is None:
            continue
        try:
            new.append(answer_one(audit, typed, reply.id, reply.said, by=reply.by or who, correct=correct))
        except InputError as error:
            wrong.append(f"row {reply.place}, id {reply.id!r}: {error}")
    if wrong:
        more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        shown = "\n".join(wrong[:SHOWN])
        raise InputError(f"none of the answers was kept, as {len(wrong)} cannot be:\n{shown}{more}")
    return new


def _dispute(audit: Audit, id: Any) -> DisagreeingRow:
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


def _recorded(diary: Diary, dispute: DisagreeingRow, kind: Kind, said: Said, who: str, correct: bool) -> Entry | None:
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
