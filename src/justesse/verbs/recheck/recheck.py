"""`justesse.recheck_next` and `justesse.recheck_answer`: people answer a list of labels, each answer saved for good."""

from collections.abc import Sequence
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName
from justesse.frames.replies import Reply, replies
from justesse.lifelong.written_speech import read_speech, write_speech
from justesse.store.answers import AlreadyAnsweredError, AnswerValue, Entry, Kind
from justesse.store.disagreements import DisagreeingRow
from justesse.store.recheck_file import RecheckRecord, loaded_recheck, open_recheck
from justesse.verbs.audit.answer import every_reply, user
from justesse.verbs.audit.base_audit import PathLike
from justesse.verbs.audit.typed_answer import TypedAnswers, UnknownClassError
from justesse.verbs.recheck.options import RecheckQuestionOptions
from justesse.verbs.recheck.progress import RecheckProgress
from justesse.verbs.recorded import recorded

UNKNOWN, SAME = "?", "="
ONE_CLASS = "Name one class, or answer ? if it cannot be determined."


@recorded
def recheck_next(
    recheck: PathLike, *, n: int = RecheckQuestionOptions.n, reveal: bool = RecheckQuestionOptions.reveal
) -> RecheckProgress:
    """Show the next rows of a list of labels to re-check, and how far it is answered.

    Parameters
    ----------
    recheck
        The file made by `justesse.clean(..., recheck_to="ask.recheck")`.
    n
        Number of rows to show: those that nobody has answered yet, then those on which people disagree. Default: 10.
    reveal
        Show the label, the class that the filter suggests, and why the row is on the list. People should answer without
        knowing. In a list of a run, what the system answered is always shown.

    Returns
    -------
    RecheckProgress
        The rows, and the answers so far.

    Examples
    --------
    >>> import tempfile
    >>> from justesse import clean
    >>> rows = {"y": ["cat", "cat", "dog", "dog"] * 5, "p_cat": [0.9, 0.1, 0.2, 0.3] * 5, "p_dog": [0.1, 0.9, 0.8, 0.7] * 5}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = clean(rows, label="y", proba="p_", recheck_to=f"{folder}/ask.recheck", recheck=6)
    ...     hidden, shown = (recheck_next(f"{folder}/ask.recheck", n=2, reveal=reveal) for reveal in (False, True))
    >>> [question["label"] for question in hidden.questions()], [question["label"] for question in shown.questions()]
    ([None, None], ['cat', 'cat'])
    """
    if n < 0:
        raise OptionError(f"n must be 0 or more; got {n!r}.")
    file = open_recheck(recheck)
    with file.reading() as connection:
        record = loaded_recheck(connection, file.path)
    return RecheckProgress(record, tuple([*record.open, *record.tied][:n]), reveal=reveal)


@recorded
def recheck_answer(
    recheck: PathLike,
    id: Any = None,
    class_name: ClassName = None,
    *,
    answers: Any = None,
    by: str | None = None,
    cannot_say: bool = False,
    withdraw: bool = False,
    correct: bool = False,
) -> RecheckProgress:
    """Save the true class of one row of a list, or many from a file or data frame.

    All answers are on disk when this returns, or none are. Several people, and several processes, may answer at once.
    If people disagree, the answer most of them gave counts; a tie counts as no answer.

    Parameters
    ----------
    recheck
        The file made by `justesse.clean(..., recheck_to="ask.recheck")`.
    id
        The id of the row, or its number if the rows have no id.
    class_name
        The true class. In a list of texts the right text, in a list of recordings who speaks when, such as Ann 0-4.5;
        Ben 4.5-9; = if the system's answer is right.
    answers
        Many answers instead of one, as a path or data frame: columns id and true, and by if several people answered. A
        ? means that the class cannot be determined; empty cells are skipped.
    by
        Name of the person answering. Default: your login name.
    cannot_say
        The true class cannot be determined. The row counts as not answered.
    withdraw
        Withdraw your own answer. The file keeps it.
    correct
        Correct your own answer. The file keeps the old one.

    Returns
    -------
    RecheckProgress
        The answers that were saved, and how far the list is answered.

    Examples
    --------
    >>> import tempfile
    >>> from justesse import clean
    >>> rows = {"y": ["cat", "cat", "dog", "dog"] * 5, "p_cat": [0.9, 0.1, 0.2, 0.3] * 5, "p_dog": [0.1, 0.9, 0.8, 0.7] * 5}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = clean(rows, label="y", proba="p_", recheck_to=f"{folder}/ask.recheck", recheck=6)
    ...     result = recheck_answer(f"{folder}/ask.recheck", 2, "dog", by="Ann")
    >>> result.answered, result.wrong
    (1, 1)
    """
    kinds: list[Kind] = [kind for kind, chosen in (("cannot_say", cannot_say), ("withdrawn", withdraw)) if chosen]  # type: ignore[misc]
    single = id is not None
    if single == (answers is not None):
        raise OptionError("Give the id of a row and its class, or a file of answers (--file).")
    if single and (class_name is not None) + len(kinds) != 1:
        raise OptionError("Give the class, or one of cannot_say (--cannot-say) and withdraw (--withdraw).")
    if not single and (class_name is not None or kinds):
        raise OptionError("A file of answers holds the classes. Leave out the class and the kind of answer.")
    person, file = (by or "").strip() or user(), open_recheck(recheck)
    listed: list[Reply] = []
    if not single:
        with file.reading() as connection:  # the answers are read before the file is locked for writing
            on = loaded_recheck(connection, file.path).on
        listed = replies(answers, on=on)
    with file.writing() as connection:
        record = loaded_recheck(connection, file.path)
        if single:
            entries = [_answered(record, id, class_name, kinds, by=person, correct=correct)]
        else:
            entries = every_reply(
                listed,
                lambda reply: _answered(record, reply.id, reply.answer, (), by=reply.by or person, correct=correct),
            )
        record.diary.save(connection)
    saved = tuple(entry for entry in entries if entry is not None)
    return RecheckProgress(record, (), saved, len(entries) - len(saved))


def _answered(
    record: RecheckRecord, id: Any, class_name: Any, kinds: Sequence[Kind], *, by: str, correct: bool
) -> Entry | None:
    text = str(int(id)) if isinstance(id, float) and id.is_integer() else str(id).strip()
    row = next((at for at, own in enumerate(record.rows) if own.id == text), None)
    if row is None:
        raise InputError(f"There is no row {text!r} on the list {record.path.name}. Name one that the list has.")
    kind, answer = (kinds[0], None) if kinds else _read(record, row, class_name)
    try:
        return record.diary.add(row, kind, answer, by=by, correct=correct or kind == "withdrawn")
    except AlreadyAnsweredError as error:
        old = error.entry
        raise InputError(
            f"{old.by} already answered {text!r} with {old.words!r} at {old.at}. To change it, pass correct "
            "(--correct); the old answer is kept. If another person answers, pass by (--by NAME)."
        ) from error


def _read(record: RecheckRecord, row: int, typed: Any) -> tuple[Kind, AnswerValue]:
    own = record.rows[row]
    if record.asks in ("texts", "speech"):
        return _read_text(str(typed).strip(), str(own.label), speech=record.asks == "speech")
    shown = DisagreeingRow(row, own.id, own.label, own.label, own.suggested)
    try:
        kind, answer = TypedAnswers(record.classes).read(shown, typed)
    except UnknownClassError as error:
        raise InputError(f"{error.short} Classes: {first_names(record.classes)}. {ONE_CLASS}") from error
    if kind not in ("answer", "cannot_say"):
        raise InputError(f"The answer {str(typed)!r} names no single class. {ONE_CLASS}")
    return kind, answer


def _read_text(typed: str, answer: str, *, speech: bool) -> tuple[Kind, AnswerValue]:
    """Read the right text, or who speaks when: `=` keeps the system's answer, `""` is an empty text."""
    if typed == UNKNOWN:
        return "cannot_say", None
    if typed == SAME:
        return "answer", answer
    if speech:
        return "answer", write_speech(read_speech(typed))
    return "answer", "" if typed == '""' else typed
