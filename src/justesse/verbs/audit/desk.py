"""An audit that several people answer at once, in one process: read once, and written in batches."""

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from justesse.core.errors import FileError, InputError
from justesse.store.address import AuditAddress
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import amend, count_amendments, read_drawn
from justesse.store.hand_outs import SentRequest, ensure_hand_outs
from justesse.verbs.audit.audit import loaded_to_write
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.audit.desk_transaction import DeskTransaction, Turn
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.sent_answer import Receipt, SentAnswer, check_text
from justesse.verbs.audit.status_result import AuditStatus, status_of

T = TypeVar("T")
AnyStatus = AuditStatus | PooledStatus
MOST_AT_ONCE = 64  # requests that share a transaction


class ClosedDeskError(InputError):
    """The audit was closed, because its file was replaced or the server ends."""

    def __init__(self) -> None:
        super().__init__("The audit was closed or replaced meanwhile. Load the page again.")


@dataclass(frozen=True)
class _Later:
    """What is left of a request once the answers of all requests that share its transaction are known."""

    make: Callable[[], Any]


@dataclass(frozen=True)
class _Task:
    """A request to the desk: what to run, where its result goes, and what it sends to be saved once."""

    run: Callable[[DeskTransaction], Any]
    future: "Future[Any]"
    requests: Sequence[SentRequest] = ()


class AuditDesk:
    """Give questions to several people and save their answers.

    One thread owns the audit. Requests that arrive while it writes wait and share the next transaction, so that many
    people answer at the speed of one. A request is on disk when its future has a result.

    A question that is given early, to be ready when the person is, was drawn like any other: it keeps its turn and the
    chances it was drawn with, and is neither drawn again nor left out. Only the answers before the first open question
    count, whoever gave them.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     desk = AuditDesk(f"{folder}/my.audit")
    ...     turn = desk.turn("Ann").result()
    ...     while turn.rows:
    ...         receipts, turn = desk.answer("Ann", [SentAnswer(f"{turn.rows[0]}", turn.rows[0], 0)]).result()
    ...     desk.close()
    >>> turn.ended, turn.own
    ('settled', 6)
    """

    def __init__(self, audit: PathLike | AuditAddress) -> None:
        self.file = open_audit(audit)
        self.version = 0  # grows with every change, so that others know when to look
        self._audit: BaseAudit | None = None
        self._given: dict[str, set[int]] = {}
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed, self._door = False, threading.Lock()
        self._thread = threading.Thread(target=self._work, name="audit desk", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, after what is waiting."""
        with self._door:
            if not self._closed:
                self._tasks.put(None)
            self._closed = True
        self._thread.join()

    @property
    def closed(self) -> bool:
        """Whether the desk takes no more requests."""
        return self._closed

    def submit(self, task: Callable[[DeskTransaction], Any], requests: Sequence[SentRequest] = ()) -> "Future[Any]":
        """Run a task on the audit, within a transaction; a closed desk refuses it."""
        future: Future[Any] = Future()
        with self._door:
            if self._closed:
                raise ClosedDeskError
            self._tasks.put(_Task(task, future, requests))
        return future

    def turn(self, by: str) -> "Future[Turn]":
        """Return what a person sees next."""
        check_text(by)
        return self.submit(lambda transaction: _Later(lambda: transaction.turn(by)))

    def answer(self, by: str, replies: Sequence[SentAnswer]) -> "Future[tuple[list[Receipt], Turn]]":
        """Save a person's answers in their order; each is saved or refused alone."""
        check_text(by)
        requests = [SentRequest(by, reply.key, reply.content) for reply in replies]

        def task(transaction: DeskTransaction) -> Any:
            receipts = [transaction.answer(reply, request) for reply, request in zip(replies, requests, strict=True)]
            return _Later(lambda: (receipts, transaction.turn(by)))

        return self.submit(task, requests)

    def undo(self, by: str, key: str, *, reopen: bool = False) -> "Future[Turn]":
        """Withdraw a person's last answer, and ask the question again.

        Once the audit has ended, only a person who may `reopen` it withdraws an answer.
        """
        check_text(by)
        check_text(key)
        request = SentRequest(by, key, ("undo",))

        def task(transaction: DeskTransaction) -> Any:
            last = transaction.undo(request, reopen=reopen)
            return _Later(lambda: transaction.turn(by, first=last))

        return self.submit(task, [request])

    def was_given(self, by: str, row: int) -> "Future[bool]":
        """Tell whether a question was ever given to a person."""
        if row in self._given.get(by, ()):
            known: Future[bool] = Future()
            known.set_result(True)
            return known
        return self.submit(lambda transaction: row in transaction.given_to(by))

    def settled_parts(self) -> "Future[BaseAudit]":
        """Return the audit, of which only settings and disputed rows may be used: the rest changes meanwhile."""
        audit = self._audit
        if audit is None:
            return self.submit(lambda transaction: transaction.audit)
        kept: Future[BaseAudit] = Future()
        kept.set_result(audit)
        return kept

    def amend(self, name: str, value: Any, *, by: str) -> "Future[AnyStatus]":
        """Change a setting from now on: the file keeps the old one, who changed it and when."""

        def task(transaction: DeskTransaction) -> Any:
            check_text(str(value))
            audit = transaction.audit
            if audit.about.get(name) != value:
                change = amend(transaction.connection, name, value, by=by)
                audit.about = {**audit.about, name: value}
                audit.amendments = (*audit.amendments, change)
            return _Later(lambda: status_of(audit))

        return self.submit(task)

    def look(self, make: Callable[[AnyStatus], T]) -> "Future[T]":
        """Make something of the status while nothing changes."""
        return self.submit(lambda transaction: _Later(lambda: make(status_of(transaction.audit))))

    def _work(self) -> None:
        while (first := self._tasks.get()) is not None:
            batch, ended = [first], False
            while len(batch) < MOST_AT_ONCE and not self._tasks.empty():
                following = self._tasks.get()
                if following is None:
                    ended = True
                    break
                batch.append(following)
            # a request whose sender has left before its turn is not run
            self._run([each for each in batch if each.future.set_running_or_notify_cancel()])
            if ended:
                return

    def _run(self, batch: Sequence[_Task]) -> None:
        """Run tasks in one transaction; their results are known once it is on disk.

        If a task breaks the transaction, each is run alone, so that only the sender of that task gets the error.
        """
        results: list[Any] = []
        try:
            with self.file.writing() as connection:
                audit = self._up_to_date(connection)
                before = len(audit.entries.entries), len(audit.turns), len(audit.amendments)
                requests = [request for task in batch for request in task.requests]
                transaction = DeskTransaction(connection, audit, self._given, requests)
                results = [self._tried(partial(task.run, transaction)) for task in batch]
                transaction.judge()
                results = [self._tried(each.make) if isinstance(each, _Later) else each for each in results]
                transaction.save()
                after = len(audit.entries.entries), len(audit.turns), len(audit.amendments)
        except BaseException as error:
            self._audit = None  # it may hold what did not reach the disk
            self._given.clear()
            if len(batch) > 1 and isinstance(error, Exception) and not isinstance(error, FileError):
                for each in batch:
                    self._run([each])
                return
            results = [error] * len(batch)
        else:
            self.version += before != after
        for task, result in zip(batch, results, strict=True):
            if isinstance(result, BaseException):
                task.future.set_exception(result)
            else:
                task.future.set_result(result)

    @staticmethod
    def _tried(make: Callable[[], Any]) -> Any:
        """Return what is made, or the error that only one request has; others end the transaction."""
        try:
            return make()
        except FileError:
            raise
        except InputError as error:
            return error

    def _up_to_date(self, connection: Connection) -> BaseAudit:
        """Read the audit once, then only what other processes have added."""
        audit = self._audit
        if audit is None or count_amendments(connection) != len(audit.amendments):
            ensure_hand_outs(connection)
            self._given.clear()
            audit = self._audit = loaded_to_write(connection, self.file.path)
            self.version += 1
            return audit
        drawn = read_drawn(connection, after=len(audit.turns))
        entries = audit.entries.update(connection)
        audit.add_drawn(drawn)
        audit.add_entries(entries)
        self.version += bool(drawn or entries)
        return audit
