"""One transaction of an audit that several people answer: all their requests are read, judged and saved together."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection

from justesse.core.errors import FileError, InputError
from justesse.judges.audit_questions import Question
from justesse.store.answers import Entry
from justesse.store.disagreements import add_drawn
from justesse.store.hand_outs import SentRequest, add_notes, add_requests, assign, given_to, known_requests
from justesse.store.screens import Screens
from justesse.verbs.audit.answer import answer_one
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.desk_refusal import refusal
from justesse.verbs.audit.next import AskedQuestion, asked, draw_until
from justesse.verbs.audit.sent_answer import USED_KEY, Receipt, SentAnswer, UsedKeyError
from justesse.verbs.audit.typed_answer import TypedAnswers

AHEAD = 2  # questions that a person has: the one on the screen and the next
MOST_OPEN = 20  # drawn questions without all their answers, while somebody holds one; more if many people answer
ENDED_UNDO = "The audit has ended, so its answers stay as they are. Ask its owner if one of them is wrong."


@dataclass(frozen=True)
class Turn:
    """What a person sees next: questions, the first of them now; none if `ended` says why.

    `own` is how many questions the person has answered, `last` what the last answer of the person was about. Of
    `audit`, use only settings and disputed rows: the rest changes meanwhile.
    """

    audit: BaseAudit
    questions: tuple[AskedQuestion, ...]
    rows: tuple[int, ...]
    ended: str
    own: int
    last: int | None


class DeskTransaction:
    """What the requests of one transaction change: collected while they run, and written at its end.

    Everything is read once and written once however many requests share the transaction, so that an answer costs
    little more than its own judgement. `known` has the questions given to each person; it outlives the transaction, so
    forget it if the transaction fails.
    """

    def __init__(
        self, connection: Connection, audit: BaseAudit, known: dict[str, set[int]], requests: Iterable[SentRequest]
    ) -> None:
        self.connection, self.audit, self._known = connection, audit, known
        self._received = known_requests(connection, requests)
        self._requests: list[tuple[SentRequest, int | None]] = []
        self._entries: list[Entry] = []  # in the diary, but not judged yet
        self._drawn: list[Question] = []
        self._assigned: list[tuple[int, str]] = []
        self._notes: dict[int, str] = {}

    @cached_property
    def _screens(self) -> Screens:
        return Screens(self.connection)

    def answer(self, reply: SentAnswer, request: SentRequest) -> Receipt:
        """Add an answer, or refuse it; the same request is not saved again."""
        if request.mark in self._received:
            same = request.whole in self._received
            return Receipt(reply.key, same, "" if same else USED_KEY, not same)
        try:
            entry = self._answered(reply, request.by)
        except FileError:
            raise
        except InputError as error:
            return Receipt(reply.key, False, refusal(error, request.by))
        self._note(request, entry)
        return Receipt(reply.key, True)

    def _answered(self, reply: SentAnswer, by: str) -> Entry | None:
        """Add an answer and its note; refuse a question that was never given to the person."""
        audit = self.audit
        if not 0 <= reply.row < len(audit.disputes) or reply.row not in self.given_to(by):
            raise InputError("This question was not given to you. Load the page again.")
        reply.check()
        typed = TypedAnswers(audit.classes, separator=audit.separator)
        kinds = () if reply.kind is None else (reply.kind,)
        entry = answer_one(audit, typed, audit.disputes[reply.row].id, reply.typed, kinds, by=by)
        if entry is not None:
            self._entries.append(entry)
            if note := reply.note.strip():
                self._notes[entry.number] = audit.notes[entry.number] = note
        return entry

    def undo(self, request: SentRequest, *, reopen: bool) -> int | None:
        """Withdraw a person's last answer; return its row."""
        audit, by = self.audit, request.by
        if request.mark in self._received:
            if request.whole not in self._received:
                raise UsedKeyError
            number = self._received[request.mark]
            return next((entry.row for entry in audit.entries.entries if entry.number == number), None)
        last = audit.entries.last_row_of(by)
        if last is None:
            raise InputError("No answer of yours is left to undo.")
        if audit.progress.stop and not reopen:
            raise InputError(ENDED_UNDO)
        entry = audit.entries.add(last, "withdrawn", by=by, correct=True)
        self._entries += [entry] if entry else []
        self._note(request, entry)
        return last

    def _note(self, request: SentRequest, entry: Entry | None) -> None:
        number = entry.number if entry else None
        self._requests.append((request, number))
        self._received[request.mark] = self._received[request.whole] = number

    def judge(self) -> None:
        """Let the new answers count: judging all of a transaction takes little longer than judging one."""
        self.audit.add_entries(self._entries)
        self._entries = []

    def given_to(self, by: str) -> set[int]:
        """Return the questions that were ever given to a person."""
        if by not in self._known:
            self._known[by] = given_to(self.connection, by)
        return self._known[by]

    def turn(self, by: str, *, first: int | None = None) -> Turn:
        """Choose a person's questions: those on the screen stay, then others that nobody has, drawn in order."""
        audit = self.audit
        own, ended = audit.entries.rows_of(by), _ended(audit)
        rows: list[int] = []
        if not ended:
            mine, held = self._screens.of(by), self._screens.of_others(by)
            left_out = held | own
            needed = sum(row in left_out for row in audit.progress.open) + AHEAD
            if held:  # those who hold questions come back: until then, nobody gets far ahead of them
                needed = min(needed, max(MOST_OPEN, 2 * AHEAD * self._screens.people(by)))
            self._drawn += draw_until(audit, needed)
            free = [row for row in audit.progress.open if row not in left_out]
            rows = sorted(free, key=lambda row: (row != first, row not in mine))[:AHEAD]
            ended = "" if rows else _ended(audit) or "waiting"
            known = self.given_to(by)
            if set(rows) != mine or not set(rows) <= known:
                self._screens.give(rows, by=by)
                self._assigned += [(row, by) for row in rows if row not in known]
                known.update(rows)
        questions = tuple(asked(audit, audit.disputes[row]) for row in rows)
        return Turn(audit, questions, tuple(rows), ended, len(own), audit.entries.last_row_of(by))

    def save(self) -> None:
        """Write everything; it is on disk once the transaction has ended."""
        self.audit.entries.save(self.connection)
        add_drawn(self.connection, self._drawn)
        if "_screens" in vars(self):
            self._screens.save()
        assign(self.connection, self._assigned)
        add_requests(self.connection, self._requests)
        add_notes(self.connection, self._notes)  # they refer to answers, which are there by now
        self._drawn, self._assigned, self._requests, self._notes = [], [], [], {}


def _ended(audit: BaseAudit) -> str:
    """Return why no question is given to anybody, or nothing."""
    if audit.progress.stop:
        return "settled"
    return "paused" if audit.paused else ""
