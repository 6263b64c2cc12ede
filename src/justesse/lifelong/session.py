"""A running system whose replies are kept: a repeated run takes them from the journal and wakes the system after it."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError
from justesse.lifelong.item import Item
from justesse.lifelong.journal import Journal, RunStep
from justesse.lifelong.ledger import Charge
from justesse.lifelong.system import Because, LiveSystem, checked_questions
from justesse.lifelong.tasks.task import RunTask

Message = tuple[Any, ...]  # what changes the state of a system: ("adapt", items, because) or ("ask", items, most)


@dataclass(frozen=True)
class Mark:
    """A state to which a system can go back: the messages that led there, and the state if it is kept.

    Parameters
    ----------
    messages
        All messages since the start that may have changed the state.
    saved
        File with the state.
    memory
        The state in memory.
    last
        What the system answered last on the way there.
    """

    messages: tuple[Message, ...] = ()
    saved: str | None = None
    memory: Any = None
    last: "LastPrediction | None" = None


@dataclass(frozen=True)
class LastPrediction:
    """The last prediction that is known, and the number of messages before it: a restarted system must repeat it."""

    items: Sequence[Item]
    replies: list[Any]
    messages: int


class Session:
    """All exchanges of a run with its system.

    Parameters
    ----------
    system
        The system.
    about
        What the system is sent at the start.
    task
        What its answers are.
    journal
        Where replies are kept.
    states
        Folder for states that the system saves. Default: none are saved.
    restarts
        Whether the system will go back to states that were marked.
    """

    def __init__(
        self,
        system: LiveSystem,
        about: Mapping[str, Any],
        task: RunTask,
        journal: Journal,
        states: Path | None = None,
        *,
        restarts: bool = False,
    ) -> None:
        self._system, self._about, self.task = system, about, task
        self._journal, self._states = journal, states
        self._past = list(journal.read())
        self._steps = 0
        self._awake = False
        self._messages: list[Message] = []
        self._base = Mark()
        self._last: LastPrediction | None = None
        self._restarts = restarts
        self._kept_seconds = 0.0
        self.seconds = 0.0

    def predict(self, items: Sequence[Item]) -> list[Any]:
        """Return what the system answers to each item."""

        def act() -> list[Any]:
            self._wake()
            return self.task.checked(self._system.predict(items), items, self._system.name)

        replies: list[Any] = self.keep("predict", _request(items), act)
        self._last = LastPrediction(items, replies, len(self._messages))
        return replies

    def ask(
        self, pool: Mapping[str, Item], most: int, mode: str, charge: Callable[[Sequence[str]], list[Charge]]
    ) -> list[str]:
        """Return the items that the system asks about and that could be paid, in its order; they are charged.

        Parameters
        ----------
        pool
            Items that it may ask about, by id.
        most
            How many questions can be paid.
        mode
            on-line or off-line, for messages.
        charge
            Charges the questions in order, up to the first that cannot be paid.
        """
        items = tuple(pool.values())

        def act() -> list[str]:
            self._wake()
            return checked_questions(self._system.ask(items, most), pool, mode, self._system.name)

        asked: list[str] = self.keep("ask", [_request(items), most], act, charge)
        self._messages.append(("ask", items, most))
        return asked

    def adapt(self, items: Sequence[Item], because: Because) -> None:
        """Let the system learn; nothing is kept, since it is repeated when the run is."""
        if self._awake:
            self._timed(lambda: self._system.adapt(items, because))
        self._messages.append(("adapt", tuple(items), because))

    def mark(self, name: str) -> Mark:
        """Remember the present state."""

        def act() -> str | None:
            if self._states is None:
                return None
            self._wake()
            return name if self._system.save(str(self._states / name)) else None

        saved = self.keep("save", name, act)
        path = None if saved is None or self._states is None else str(self._states / saved)
        memory = self._system.snapshot() if self._restarts and self._awake else None
        mark = Mark(tuple(self._messages), path, memory, self._last)
        if path is not None:
            if self._base.saved not in (None, path):
                with suppress(OSError):
                    os.unlink(str(self._base.saved))
            self._base = mark
        return mark

    def back_to(self, mark: Mark) -> None:
        """Go back to a state that was marked."""
        self._messages, self._last = list(mark.messages), mark.last
        if mark.saved is not None:
            self._base = mark
        if not self._awake:
            return
        if mark.memory is not None:
            self._system.restore(mark.memory)
        else:
            self._awake = False  # the next exchange wakes it in this state

    def keep(
        self,
        name: str,
        request: Any,
        act: Callable[[], Any],
        charge: Callable[[Any], list[Charge]] | None = None,
    ) -> Any:
        """Return the reply of a step: the one that is kept, or a new one, which is kept with its charges."""
        digest = hashlib.sha256(json.dumps(request, ensure_ascii=False).encode()).hexdigest()[:16]
        self._steps += 1
        if self._steps <= len(self._past):
            step = self._past[self._steps - 1]
            charges = () if charge is None else tuple(charge(step.reply))
            if (step.name, step.request, step.charges) != (name, digest, charges):
                raise InputError(
                    f"The run that was kept is of other data or settings: its step {self._steps} ({step.name}) "
                    "differs. Choose another name for the checkpoint."
                )
            self.seconds = self._kept_seconds = self._kept_seconds + step.seconds
            return step.reply
        reply = self._timed(act)
        charges = () if charge is None else tuple(charge(reply))
        took, self._kept_seconds = round(self.seconds - self._kept_seconds, 6), self.seconds
        self._journal.append(RunStep(self._steps, name, digest, reply, charges, took))
        return reply

    def close(self) -> None:
        """End the system."""
        self._system.close()

    def _timed(self, act: Callable[[], Any]) -> Any:
        start = time.monotonic()
        result = act()
        self.seconds += time.monotonic() - start
        return result

    def _wake(self) -> None:
        """Start the system and lead it to the present state: from the last one that it saved, or from the start."""
        if self._awake:
            return
        start = time.monotonic()
        self._system.start(self._about)
        known = len(self._base.messages)
        saved = self._base.saved if tuple(self._messages[:known]) == self._base.messages else None
        if saved is not None and os.path.exists(saved):
            self._system.load(saved)
        else:
            known = 0
        for at in range(known, len(self._messages) + 1):
            if self._last is not None and self._last.messages == at:
                self._check_same(self._last)
            if at < len(self._messages):
                self._send(self._messages[at])
        self._awake = True
        self.seconds -= time.monotonic() - start  # what is done again has been counted before

    def _send(self, message: Message) -> None:
        kind, items, detail = message
        if kind == "adapt":
            self._system.adapt(items, detail)
        else:
            self._system.ask(items, detail)

    def _check_same(self, last: LastPrediction) -> None:
        """Refuse a system that answers otherwise once it was started again."""
        items = last.items
        again = self.task.checked(self._system.predict(items), items, self._system.name)
        differing = sum(first != second for first, second in zip(last.replies, again, strict=True))
        if differing:
            raise InputError(
                f"The system {self._system.name!r} was started again and answers {differing} of {len(items)} items "
                "otherwise, so the run cannot go on. Make it reproducible (it is sent a seed), or let it save and load "
                "its state."
            )


def _request(items: Sequence[Item]) -> list[Any]:
    return [[item.id, item.time, item.label] for item in items]
