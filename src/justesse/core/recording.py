"""What a verb read, remembered: its statistics can then be computed again when the data are gone."""

import functools
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar, cast

from justesse.core.errors import InputError

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
MOST_NUMBERS = 500_000  # more are not kept: a record is a file that people open
MISSING: Any = object()


class NotRememberedError(InputError):
    """What a verb needs again was not kept."""


@dataclass(eq=False)
class Recording:
    """A call of a verb: its name, every option with its value, and what was read, in the order of reading.

    Parameters
    ----------
    verb
        Name of the function.
    settings
        All arguments by name, defaults included.
    memory
        What was read, by name; `MISSING` where it was too large to keep.
    replays
        Whether the memory answers instead of the data.
    reads
        Whether something is being read that will be remembered as a whole.
    """

    verb: str
    settings: dict[str, Any]
    memory: dict[str, list[Any]] = field(default_factory=dict)
    replays: bool = False
    reads: bool = False
    recalled: dict[str, int] = field(default_factory=dict)

    def remember(self, name: str, value: Any) -> None:
        """Keep what was read, without the rows it came from, unless it is too large."""
        value = value.without_rows() if hasattr(value, "without_rows") else value
        self.memory.setdefault(name, []).append(MISSING if numbers_in(value, MOST_NUMBERS) > MOST_NUMBERS else value)

    def recall(self, name: str, absent: Any) -> Any:
        at = self.recalled.get(name, 0)
        self.recalled[name] = at + 1
        values = self.memory.get(name, [])
        value = values[at] if at < len(values) else MISSING
        if value is not MISSING:
            return value
        if absent is MISSING:
            raise NotRememberedError(f"What was read as {name!r} was not kept. Repeat the command with its data.")
        return absent


CURRENT: ContextVar[Recording | None] = ContextVar("recording", default=None)


def remembered(name: str, read: Callable[..., Value], *arguments: Any, absent: Any = MISSING, **options: Any) -> Value:
    """Read something and remember it; in a repetition, give back what was remembered instead.

    Statistics come after what is read here, and see nothing else of the data.

    Parameters
    ----------
    name
        What it is, such as rows.
    read
        Function that reads.
    arguments, options
        What it is called with.
    absent
        What a repetition gets if it was too large to keep. Default: the repetition is refused.

    Examples
    --------
    >>> recording = Recording("evaluate", {})
    >>> with during(recording):
    ...     remembered("n", len, [1, 2, 3])
    3
    >>> with during(Recording("evaluate", {}, recording.memory, replays=True)):
    ...     remembered("n", len, "the data are gone")
    3
    """
    recording = CURRENT.get()
    if recording is None or recording.reads:
        return read(*arguments, **options)
    if recording.replays:
        return recording.recall(name, absent)  # type: ignore[no-any-return]
    recording.reads = True
    try:
        value = read(*arguments, **options)
    finally:
        recording.reads = False
    recording.remember(name, value)
    return value


def remembering(read: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """Make a function that reads rows remember what it gives, under its own name; see `remembered`."""
    recall, name = remembered, read.__name__.lstrip("_")

    def reading(*arguments: Any, **options: Any) -> Any:
        return recall(name, read, *arguments, **options)

    return in_its_module(reading, read)


def forgetting(read: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """Make a function that checks or changes rows do nothing in a repetition, where there are none."""
    current, gone = CURRENT, Gone

    def reading(*arguments: Any, **options: Any) -> Any:
        recording = current.get()
        return gone() if recording is not None and recording.replays else read(*arguments, **options)

    return in_its_module(reading, read)


def in_its_module(wrapper: Any, function: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """Make a wrapper count as a function of the module of what it wraps: doctest looks for those only."""
    own = types.FunctionType(wrapper.__code__, function.__globals__, function.__name__, None, wrapper.__closure__)
    return cast("Callable[Arguments, Value]", functools.update_wrapper(own, function))


@contextmanager
def during(recording: Recording) -> Iterator[Recording]:
    """Remember what is read meanwhile; a verb that another verb calls adds to the same memory."""
    token = CURRENT.set(recording)
    try:
        yield recording
    finally:
        CURRENT.reset(token)


def numbers_in(value: Any, most: int) -> int:
    """Count the values that something holds, roughly, and no further than `most`.

    >>> import numpy as np
    >>> numbers_in({"a": [1, 2], "b": np.zeros((3, 4))}, 100)
    16
    """
    size = getattr(value, "size", None)
    if isinstance(size, int) and hasattr(value, "dtype"):
        return size
    if isinstance(value, (str, bytes)) or value is None:
        return 1 + sys.getsizeof(value) // 100
    parts: Any = ()
    if isinstance(value, dict):
        parts = (*value, *value.values())
    elif isinstance(value, (list, tuple)):
        parts = value
    elif hasattr(value, "__dataclass_fields__"):
        parts = [getattr(value, name) for name in value.__dataclass_fields__]
    total = 0 if parts else 1
    for part in parts:
        total += numbers_in(part, most - total)
        if total > most:
            return total
    return total


class Gone:
    """Data that are not there: what a repetition from memory gets in their place."""

    def __repr__(self) -> str:
        return "Gone()"
