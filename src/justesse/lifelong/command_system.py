"""A command that speaks JSON lines on its standard input and output, as a running system."""

import json
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.lifelong.item import Item
from justesse.lifelong.system import Because

PROTOCOL = 1
LONGEST = 2**28  # characters of a reply: a command that never ends its line would fill the memory
LONGEST_ERROR = 1000  # characters of a line of the standard error
LAST_LINES = 5  # of the standard error that a message quotes
GRACE = 2.0  # seconds in which a command may end when its input is closed


class CommandSystem:
    """A system in a process of its own: one JSON object a line is sent, and one is expected back.

    Parameters
    ----------
    command
        The command as it is typed in a shell; no shell is used.
    timeout
        Seconds in which it must reply to a message.
    """

    def __init__(self, command: str, *, timeout: float = 60.0) -> None:
        if not timeout > 0:
            raise OptionError(f"timeout (--timeout) must be a number of seconds above 0; got {timeout!r}.")
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"The command {command!r} cannot be read: {error}. Check its quotes.") from error
        if not self._words:
            raise OptionError('The system is an empty command. Name one, such as --system "python my_system.py".')
        self.name = command
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=LAST_LINES)
        self._readers: list[threading.Thread] = []
        self._can: frozenset[str] = frozenset()

    def start(self, about: Mapping[str, Any]) -> None:
        self.close()
        self._lines, self._errors = queue.Queue(), deque(maxlen=LAST_LINES)
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise InputError(
                f"The command {self.name!r} cannot be started: {error.strerror or error}. Check its name and path."
            ) from error
        process, lines, errors = self._process, self._lines, self._errors

        def read_output() -> None:
            assert process.stdout is not None
            with suppress(ValueError, OSError):  # closed while it is read
                while line := process.stdout.readline(LONGEST):
                    lines.put(line)
                    if len(line) == LONGEST:
                        return
            lines.put(None)

        def read_errors() -> None:
            assert process.stderr is not None
            with suppress(ValueError, OSError):
                while line := process.stderr.readline(LONGEST_ERROR):
                    errors.append(line.rstrip("\n"))

        self._readers = [threading.Thread(target=read, daemon=True) for read in (read_output, read_errors)]
        for reader in self._readers:
            reader.start()
        can = self._exchange("start", {"protocol": PROTOCOL, **about}).get("can", [])
        self._can = frozenset(map(str, can)) if isinstance(can, list) else frozenset()

    def predict(self, items: Sequence[Item]) -> Any:
        return self._exchange("predict", {"items": _sent(items)}, "predictions")["predictions"]

    def ask(self, items: Sequence[Item], most: int) -> Any:
        return self._exchange("ask", {"items": _sent(items), "most": most}, "ask")["ask"]

    def adapt(self, items: Sequence[Item], because: Because) -> None:
        self._exchange("adapt", {"items": _sent(items), "because": because})

    def save(self, path: str) -> bool:
        if "save" not in self._can:
            return False
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._exchange("save", {"path": path})
        if not os.path.exists(path):
            raise InputError(
                f"The system {self.name!r} replied to save, but did not write {path}. Write its state there."
            )
        return True

    def load(self, path: str) -> None:
        self._exchange("load", {"path": path})

    def snapshot(self) -> Any:
        return None

    def restore(self, state: Any) -> None:
        raise AssertionError("the state of a command is in a file")

    def close(self) -> None:
        """End the command: its input is closed, and it is killed if it goes on running."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError, ValueError):
            process.stdin.close()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._kill(process)
        for reader in self._readers:
            reader.join(GRACE)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _kill(self, process: "subprocess.Popen[str]") -> None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _exchange(self, do: str, content: Mapping[str, Any], key: str | None = None) -> dict[str, Any]:
        """Send a message and return the reply, which must have a key."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        line = json.dumps({"do": do, **content}, ensure_ascii=False, allow_nan=False) + "\n"
        # a command that does not read would block the writer for good
        writer = threading.Thread(target=_written, args=(process.stdin, line), daemon=True)
        writer.start()
        try:
            text = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            self._kill(process)
            raise InputError(
                f"The system {self.name!r} did not reply to {do!r} within {self._timeout:g} s. Allow more time with "
                f"timeout=… (--timeout).{self._last_errors()}"
            ) from None
        if text is None:
            code = self._ended(process)
            raise InputError(
                f"The system {self.name!r} ended {code} without a reply to {do!r}. Reply to every line with one JSON "
                f"object on a line, and flush the output.{self._last_errors()}"
            )
        if len(text) == LONGEST:
            self._kill(process)
            raise InputError(
                f"The system {self.name!r} replied to {do!r} with {text[:40]!r} and {LONGEST:,} characters without a "
                "new line. Reply to every line with one JSON object on a line."
            )
        try:
            reply = json.loads(text)
        except (ValueError, RecursionError):  # no JSON, or brackets nested too deep
            reply = None
        if not isinstance(reply, dict):
            raise InputError(
                f"The system {self.name!r} replied to {do!r} with {text.strip()[:80]!r}, which is not a JSON object. "
                f"Print nothing else to the standard output.{self._last_errors()}"
            )
        if "error" in reply:
            raise InputError(f"The system {self.name!r} reports an error in {do!r}: {str(reply['error'])[:300]}.")
        if key is not None and key not in reply:
            raise InputError(
                f"The system {self.name!r} replied to {do!r} without the key {key!r}. Its keys: "
                f"{', '.join(map(repr, reply)) or 'none'}."
            )
        return reply

    def _ended(self, process: "subprocess.Popen[str]") -> str:
        try:
            code = process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._kill(process)
            return "its output"
        return f"by signal {-code}" if code < 0 else f"with exit code {code}"

    def _last_errors(self) -> str:
        if len(self._readers) > 1:
            self._readers[1].join(0.5)  # what it wrote last may still be on its way
        lines = [line for line in self._errors if line.strip()]
        return "\n" + "\n".join(["Its last lines of standard error:", *lines]) if lines else ""


def _sent(items: Sequence[Item]) -> list[dict[str, Any]]:
    return [item.to_dict() for item in items]


def _written(stream: Any, line: str) -> None:
    with suppress(OSError, ValueError):  # the command has ended: its missing reply is the error
        stream.write(line)
        stream.flush()
