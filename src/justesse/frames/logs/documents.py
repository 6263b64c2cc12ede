"""Logs as JSON: the first record of a file, and whole documents, with limits and errors that say what to do."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from justesse.core.errors import FileError
from justesse.frames.header import LONGEST, not_utf8

START = 1 << 16
LARGEST = 1 << 30  # bytes of a JSON document, which must fit in memory
SURROGATE = re.compile(rb"\\ud[89a-f]", re.IGNORECASE)


@dataclass(frozen=True)
class Opening:
    """The start of a file, by which its format is recognised."""

    path: Path

    @cached_property
    def start(self) -> bytes:
        """The first bytes, without the compression."""
        try:
            with opened_bytes(self.path) as stream:
                return stream.read(START)
        except (OSError, EOFError, zlib.error):
            return b""

    @cached_property
    def is_json(self) -> bool:
        return self.start.lstrip()[:1] == b"{"

    @cached_property
    def text(self) -> str:
        return self.start.decode("utf-8", "replace") if self.is_json else ""

    @cached_property
    def record(self) -> dict[str, Any]:
        """The first line as a JSON object; empty if it is none."""
        if not self.is_json:
            return {}
        with opened_bytes(self.path) as stream:
            line = b""
            while line.strip() == b"":
                line = stream.readline(LONGEST + 1)
                if not line or len(line) > LONGEST:
                    return {}
        try:
            first = loaded(line)
        except (ValueError, RecursionError):
            return {}
        return first if isinstance(first, dict) else {}


def opened_bytes(path: Path) -> IO[bytes]:
    """Open a file, gzipped or not, by its first bytes."""
    with open(path, "rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
    return gzip.open(path) if zipped else open(path, "rb")  # type: ignore[return-value]


def read_document(path: Path) -> Any:
    """Read a file that is one JSON document."""
    if path.stat().st_size > LARGEST:
        raise FileError(
            f"{path} is larger than {LARGEST >> 30} GiB, too large for one JSON document. Write the log in pieces, or "
            "as .eval if inspect_ai wrote it (inspect log convert)."
        )
    with opened_bytes(path) as stream:
        return parsed(stream.read(LARGEST + 1), path)


def parsed(raw: bytes, path: Path, member: str | None = None) -> Any:
    """Parse a JSON document, or one member of an archive."""
    where = f"{path}, {member}" if member else f"{path}"
    if len(raw) > LARGEST:
        raise FileError(f"{where} is larger than {LARGEST >> 30} GiB once unpacked. Write the log in pieces.")
    try:
        return loaded(raw)
    except UnicodeDecodeError as error:
        raise not_utf8(path, raw.count(b"\n", 0, error.start) + 1 if member is None else None) from error
    except (ValueError, RecursionError) as error:
        raise FileError(
            f"{where} is cut off or not JSON ({error}). The run may have been stopped while it was written. Copy the "
            "log again, or run the evaluation again."
        ) from error


def loaded(raw: bytes) -> Any:
    """Parse JSON; halves of characters, which some programs write where they cut a text, become U+FFFD.

    >>> loaded(rb'["caf\\u00e9", "\\ud83d\\ude00", "cut \\ud83d"]')
    ['café', '😀', 'cut �']
    """
    value = json.loads(raw.decode("utf-8"))
    return _whole(value) if SURROGATE.search(raw) else value


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(item) for name, item in value.items()}
    return value


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a file of JSON lines: the number of each line, and its object."""
    with opened_bytes(path) as stream:
        for at, line in enumerate(iter(lambda: stream.readline(LONGEST + 1), b""), start=1):
            if len(line) > LONGEST:
                raise FileError(f"{path}, line {at} is longer than {LONGEST >> 20} MiB. Check that this is a log.")
            if not line.strip():
                continue
            try:
                record = loaded(line)
            except UnicodeDecodeError as error:
                raise not_utf8(path, at) from error
            except (ValueError, RecursionError) as error:
                raise cut_off(path, at) from error
            if not isinstance(record, dict):
                raise cut_off(path, at)
            yield at, record


def not_of_format(path: Path, line: int, what: str) -> FileError:
    """Return the error about a line of a log that is a JSON object, but nothing that such a log has."""
    return FileError(
        f"{path}, line {line} is not {what}, as the lines before are. The log may be damaged, or joined with another "
        "file. Copy the log again, or remove that line."
    )


def cut_off(path: Path, line: int) -> FileError:
    """Return the error about a line of a log that is not a JSON object."""
    return FileError(
        f"{path}, line {line} is cut off or not a JSON object. The run may have been stopped while it was written. "
        "Copy the log again, or remove that line."
    )
