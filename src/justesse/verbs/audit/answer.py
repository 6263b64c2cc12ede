"""`justesse.audit_answer`: save answers to the questions of an audit, each for good."""

import difflib
import getpass
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.frames.replies import SHOWN, Reply, replies
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.store.answers import AlreadyAnsweredError, AnswerValue, Diary, Entry, Kind
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import read_facts
from justesse.store.pooled_rows import PooledRow
from justesse.store.settled import RULES
from justesse.verbs.audit.audit import loaded_to_write
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.audit.diary import answered_at, diary_columns, entry_dict
from justesse.verbs.audit.facts import checked_facts
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_words import ALL_OR_NOTHING, credit_form
from justesse.verbs.audit.typed_answer import TypedAnswers
from justesse.verbs.recorded import recorded


@dataclass(frozen=True, repr=False)
class AuditAnswered(Result):
    """The answers that were saved, how many were repeated or empty, and the audit as it is now."""

    audit: BaseAudit
    recorded: tuple[Entry, ...]
    repeated: int
    empty: int
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
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

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the saved answers out as columns."""
        return diary_columns(self.audit, self.recorded)

    def document(self) -> Document:
        from justesse.verbs.audit.answering_document import answered_document

        return answered_document(self)


@recorded
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
    """Save the answer to one question, or many answers from a file or data frame.

    The gain of a row is [the candidate's class is right] - [the incumbent's class is right]. All answers are on disk
    when this returns, or none are.

    Parameters
    ----------
    audit
        The audit file.
    id
        The id of the question.
    class_name
        The true class. Several right classes: a list, or one text such as "B|C". If an audit of several counts partial
        credit, "B=1|C=0.5" gives credits. #2 is the second answer of the question as it is listed.
    answers
        Many answers instead of one, as a path or data frame: columns id and class, and by if several people answered. A
        class may also be one of the words both, neither, flawed and ? (cannot say). If a class has such a name, the
        class is meant; put brackets around the word, as in (both), to mean the word.
    by
        Name of the person answering. Default: your login name.
    both
        Both classifiers are right. Counts as a tie.
    neither
        Neither classifier is right. Counts as a tie.
    flawed
        The question has no right answer. Counts as a tie.
    cannot_say
        The true class cannot be determined. Counts against the side that is to be shown better.
    withdraw
        Withdraw your own answer. The file keeps it.
    correct
        Correct your own answer. The file keeps the old one.
    new_class
        Allow a class that neither labels nor classifiers use.

    Returns
    -------
    AuditAnswered
        The answers that were saved, and cautions about them.

    Notes
    -----
    If people give different answers, the majority counts. Experts should not know who gave which answer: ask with
    `audit_next`, which hides it.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     first = audit_answer(f"{folder}/my.audit", 7, 0, by="Ann").recorded[0]
    ...     second = audit_answer(f"{folder}/my.audit", 8, "0|1", by="Ann").recorded[0]
    >>> first.answer, first.by, second.kind, second.answer
    (0, 'Ann', 'several', (0, 1))
    """
    flags: dict[Kind, bool] = {
        "both": both, "neither": neither, "flawed": flawed, "cannot_say": cannot_say, "withdrawn": withdraw
    }  # fmt: skip
    kinds = [kind for kind, chosen in flags.items() if chosen]
    single = id is not None
    if single == (answers is not None):
        raise OptionError("Give the id of a question and its class, or a file of answers (--file).")
    if single and (class_name is not None) + len(kinds) != 1:
        raise OptionError(
            "Give the class, or one of both, neither, flawed, cannot_say (--cannot-say) and withdraw (--withdraw)."
        )
    if not single and (class_name is not None or kinds):
        raise OptionError("A file of answers holds the classes. Leave out the class and the kind of answer.")
    file = open_audit(audit)
    replies_read = None
    if not single:
        with file.reading() as connection:  # the answers are read before the file is locked for writing
            on = checked_facts(read_facts(connection), file.path)["on"]
        replies_read = replies(answers, on=on)
    with file.writing() as connection:
        opened = loaded_to_write(connection, file.path)
        typed = TypedAnswers(opened.classes, separator=opened.separator, new_class=new_class)
        person = (by or "").strip() or user()
        if replies_read is None:
            entries = [answer_one(opened, typed, id, class_name, kinds, by=person, correct=correct)]
        else:
            entries = every_reply(
                replies_read,
                lambda reply: answer_one(opened, typed, reply.id, reply.answer, by=reply.by or person, correct=correct),
            )
        opened.entries.save(connection)
    saved = tuple(entry for entry in entries if entry is not None)
    opened.add_entries(saved)
    empty = sum(reply.answer is None for reply in replies_read or ())
    return AuditAnswered(opened, saved, len(entries) - len(saved), empty, tuple(map(str, _cautions(opened, saved))))


def answer_one(
    audit: BaseAudit,
    typed: TypedAnswers,
    id: Any,
    class_name: Any,
    kinds: Sequence[Kind] = (),
    *,
    by: str,
    correct: bool = False,
) -> Entry | None:
    """Add one answer to the diary of an audit; it is saved later.

    Parameters
    ----------
    audit
        The audit.
    typed
        Reader of answers, with the classes it knows.
    id
        Id of the question.
    class_name
        The true class, several, or a word such as both; `None` if `kinds` has the answer.
    kinds
        The kind of an answer that names no class.
    by
        Name of the person answering.
    correct
        Replace an earlier answer of the same person.

    Returns
    -------
    Entry or None
        The new entry; `None` if the same person has already given the same answer.
    """
    row = _row(audit, id)
    choices = audit.blind(row) if isinstance(row, PooledRow) else ()
    kind, classes = typed.without_class(kinds[0], row) if kinds else typed.read(row, class_name, choices)
    audit.check_kind(kind)
    return _recorded(audit.entries, row, kind, classes, by, correct or kind == "withdrawn")


def user() -> str:
    """Return the login name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may know no name
        return "unknown"


def every_reply(answers: Sequence[Reply], save: Callable[[Reply], Entry | None]) -> list[Entry | None]:
    """Record every answer, or refuse all of them and list the rows that are wrong; empty ones are skipped."""
    entries, wrong = [], []
    for reply in answers:
        if reply.answer is None:
            continue
        try:
            entries.append(save(reply))
        except InputError as error:
            wrong.append(f"row {reply.place}, id {reply.id!r}: {error}")
    if wrong:
        more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        shown = "\n".join(wrong[:SHOWN])
        raise InputError(
            f"No answer was saved: {quantity(len(wrong), 'row')} cannot be used. Correct them and try "
            f"again.\n{shown}{more}"
        )
    return entries


def _row(audit: BaseAudit, id: Any) -> Any:
    text = str(int(id)) if isinstance(id, float) and id.is_integer() else str(id)
    row = audit.by_id.get(text) or audit.by_id.get(text.strip())
    if row is None:
        near = difflib.get_close_matches(text, audit.by_id, n=1, cutoff=0.8)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"There is no question {text!r} in {audit.path.name}. Either no row has this id, or all "
            f"classifiers gave the same answer there, so its class cannot change the difference.{hint}"
        )
    return row


def _recorded(diary: Diary, row: Any, kind: Kind, classes: AnswerValue, by: str, correct: bool) -> Entry | None:
    try:
        return diary.add(row.row, kind, classes, by=by, correct=correct)
    except AlreadyAnsweredError as error:
        old = error.entry
        raise InputError(
            f"{old.by} already answered {row.id!r} with {old.words!r} at {old.at}. To change it, pass correct "
            "(--correct); the old answer is kept. If another person answers, pass by (--by NAME)."
        ) from error


def _cautions(audit: BaseAudit, saved: Sequence[Entry]) -> Iterator[Message]:
    early = [audit.disputes[entry.row].id for entry in saved if entry.row not in audit.turns]
    if early:
        yield message(
            "{n:count question} not drawn yet ({ids:names}): the answers are saved, and count once the questions are drawn. Rows "
            "picked by hand would bias the verdict.",
            n=len(early),
            ids=early,
        )
    if isinstance(audit, PooledAudit) and (whole := audit.all_or_nothing(saved)):
        yield message(ALL_OR_NOTHING, n=len(whole), ids=whole, form=credit_form(audit))
    rows = {entry.row: None for entry in saved}
    differ = [audit.disputes[row].id for row in rows if row in audit.settled and audit.settled[row].differ]
    if differ:
        yield message("People gave different answers to {ids:names}. {rule}", ids=differ, rule=RULES[audit.experts])
