"""`justesse.ab_watch`: follow an event file, or a file that grows, and judge it whenever events came."""

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError, InputError, JustesseError, OptionError
from justesse.frames.watched import watched
from justesse.store.event_file import is_event_file
from justesse.verbs.ab.ab import ab
from justesse.verbs.ab.options import WatchOptions
from justesse.verbs.ab.result import OnlineComparison
from justesse.verbs.ab.state import ab_status

ATTEMPTS = 3  # a row that is being written may look wrong for a moment
LINES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")  # endings of files with a row in each line


def ab_watch(
    source: str | os.PathLike[str],
    *,
    every: float = WatchOptions.every,
    until_decided: bool = False,
    seconds: float | None = None,
    **options: Any,
) -> Iterator[OnlineComparison | None]:
    """Follow an event file or a file of events that grows; yield the comparison whenever it has changed.

    Looking all the time is allowed: the intervals hold at all looks together.

    Parameters
    ----------
    source
        Event file of `ab_start`, or a file such as events.csv to which events are appended.
    every
        Seconds between two looks. Default: 2.
    until_decided
        End as soon as every candidate is decided, or one replaces the incumbent.
    seconds
        End after this many seconds. Default: never.
    **options
        Options of `ab`, for a file; the rules of an event file are fixed, so it takes `accept_mismatch` only.

    Yields
    ------
    OnlineComparison or None
        The comparison so far; `None` while there is nothing to compare.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.ab.state import ab_start
    >>> events = {"id": range(1200), "variant": ["old", "new"] * 600, "outcome": [0, 1, 1, 1, 0, 1, 0, 0, 0, 1] * 120}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = ab_start(f"{folder}/my.ab", events)
    ...     [result.verdict.decision for result in ab_watch(f"{folder}/my.ab", until_decided=True)]
    ['replace']
    """
    if not every > 0:
        raise OptionError(f"The time between two looks must be above 0; got {every!r}.")
    if seconds is not None and not seconds >= 0:
        raise OptionError(f"The seconds after which to end must be 0 or more; got {seconds!r}.")
    place = Path(os.path.expanduser(os.fspath(source)))
    if place.is_dir():
        raise FileError(f"{place} is a directory. Name an event file or a file of events.")
    if not place.is_file():
        raise FileError(f"File {str(place)!r} not found. Name an event file or a file of events.")
    stored = is_event_file(place)
    rules = sorted(set(options) - {"accept_mismatch"})
    if stored and rules:
        raise OptionError(f"The rules of {place} were fixed when it was started. Leave out {', '.join(rules)}.")
    return _looks(place, stored, every, until_decided, seconds, options)


def _looks(
    place: Path, stored: bool, every: float, until_decided: bool, seconds: float | None, options: dict[str, Any]
) -> Iterator[OnlineComparison | None]:
    end = None if seconds is None else time.monotonic() + seconds
    seen, failures, wrong = None, 0, None
    while True:
        state = _state(place)
        if state != seen or failures:
            try:
                result = ab_status(place, **options) if stored else _judged(place, options)
            except InputError as error:
                wrong = None if _nothing_yet(error) else error
                lasting = not stored and _state(place) == state and _complete_rows(place)[0] != b""
                if wrong is not None and (lasting or failures >= ATTEMPTS):
                    raise
                failures += 1
                if seen is None and wrong is None:
                    yield None
            else:
                failures, wrong = 0, None
                yield result
                if until_decided and decided(result):
                    return
            seen = state
        if end is not None and time.monotonic() + every > end:
            if wrong is not None:
                raise wrong
            return
        time.sleep(every)


def _judged(place: Path, options: dict[str, Any]) -> OnlineComparison:
    """Judge a file that grows; if its last row is cut and cannot be used, judge the complete rows."""
    try:
        return ab(place, **options)
    except InputError:
        rows, cut = _complete_rows(place)
        if not (rows and cut):
            raise
        with tempfile.TemporaryDirectory() as folder:
            complete = Path(folder, place.name)
            complete.write_bytes(rows)
            try:
                result = ab(complete, **options)
            except InputError as error:
                raise type(error)(str(error).replace(str(complete), str(place))) from None
        return replace(result, source=watched(place))


def _complete_rows(place: Path) -> tuple[bytes, bool]:
    """Return a file up to its last end of line, and whether more follows; other files than text are complete."""
    try:
        content = place.read_bytes()
    except OSError:
        return b"", False
    end = content.rfind(b"\n") + 1 if place.suffix.lower() in LINES else len(content)
    return content[:end], end < len(content)


def _nothing_yet(error: JustesseError) -> bool:
    """Whether events are missing, not wrong."""
    return any(words in str(error) for words in ("No rows", "no events yet", "one variant only", "No event of variant"))


def decided(result: OnlineComparison) -> bool:
    """Say whether a candidate replaces the incumbent, or none can, whatever comes."""
    return result.replaces or result.doubted or all(verdict.decision != "cannot_tell" for verdict in result.verdicts)


def _state(place: Path) -> tuple[int, ...] | None:
    """Return what changes when a file is written, without opening it."""
    try:
        now = place.stat()
    except OSError:
        return None
    return now.st_ino, now.st_size, now.st_mtime_ns
