"""The file of a dossier: one way to lay a record out as text, so that every changed byte shows.

The text is JSON that people can read: a key a line, and the rows of a table a line each.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.dossier.canonical import DEEPEST, LARGEST, quoted, scalar

MOST_BYTES = 1 << 28
TEXT = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
SCALAR = rf"(?:{TEXT}|-?\d[\d.e+-]*|true|false|null)"
ROW = rf"\[(?:{SCALAR}(?:, {SCALAR})*)?\]"
LINE = re.compile(rf"(?P<indent> *)(?:(?P<close>[}}\]])|(?:{TEXT}: )?(?:(?P<open>[{{\[])|{SCALAR}|{ROW}|{{}})),?\n")
FIRST_KEY = "dossier"


class UnreadableDossierError(FileError):
    """The file is not what a dossier looks like: the place is named in the message."""


class EditedTextError(UnreadableDossierError):
    """The text was edited, but can be parsed: `record` is what it says now."""

    def __init__(self, words: str, record: dict[str, Any]) -> None:
        super().__init__(words)
        self.record = record


def laid_out(record: dict[str, Any]) -> str:
    """Write a record as the text of its file.

    >>> print(laid_out({"dossier": 1, "cells": [["a", 2], ["b", 3]]}), end="")
    {
     "dossier": 1,
     "cells": [
      ["a", 2],
      ["b", 3]
     ]
    }
    """
    return "".join(_lines(record, "\n")) + "\n"


def _lines(value: Any, indent: str) -> Iterator[str]:
    if not isinstance(value, (dict, list)) or not value or _is_row(value):
        yield _short(value)
        return
    inner, between = indent + " ", ""
    yield "{" if isinstance(value, dict) else "["
    for item in value.items() if isinstance(value, dict) else value:
        yield f"{between}{inner}"
        if isinstance(value, dict):
            yield f"{quoted(item[0])}: "
        yield from _lines(item[1] if isinstance(value, dict) else item, inner)
        between = ","
    yield f"{indent}{'}' if isinstance(value, dict) else ']'}"


def _is_row(value: Any) -> bool:
    """Tell whether a list is short enough for one line: it holds scalars only, and at most one longer text."""
    return isinstance(value, list) and not any(
        isinstance(item, (dict, list)) or (isinstance(item, str) and len(item) > 40) for item in value
    )


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    return "{}" if isinstance(value, dict) else scalar(value)


def read_record(path: Path) -> dict[str, Any]:
    """Read the file of a dossier, refusing anything that `laid_out` would not have written."""
    text = _content(path)
    record = parsed(text, str(path))
    if (expected := laid_out(record)) != text:
        at = next(
            (at for at, (a, b) in enumerate(zip(text, expected, strict=False)) if a != b), min(len(text), len(expected))
        )
        raise EditedTextError(
            f"{place(str(path), text, at)}: the text differs from how justesse writes it (got {text[at : at + 10]!r}, "
            f"expected {expected[at : at + 10]!r}). The file was edited.",
            record,
        )
    return record


def _content(path: Path) -> str:
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a dossier. Name a file in it.")
    if not path.exists():
        raise FileError(f"{path} not found. Name a file that --dossier wrote.")
    if not path.is_file():
        raise FileError(f"{path} is a device or a pipe, not a dossier. Name a file that --dossier wrote.")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FileError(f"{path} is larger than {MOST_BYTES >> 20} MiB: too large for a dossier.")
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Check it.") from error
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UnreadableDossierError(
            f"{place(str(path), content[: error.start].decode(), error.start)}: byte {content[error.start]:#04x} is "
            "not UTF-8. The file was edited, or is not a dossier."
        ) from error


def parsed(text: str, name: str) -> dict[str, Any]:
    """Parse the text of a dossier; numbers are finite, no key is there twice, nothing is nested too deeply."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(items)
        if len(held) < len(items):
            seen: set[str] = set()
            twice = next(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise UnreadableDossierError(f"{name}: key {twice!r} is there twice. The file was edited.")
        return held

    def refused(word: str) -> Any:
        number = re.search(rf"(?<![\w.+-]){re.escape(word.rstrip('…'))}", text)
        where = place(name, text, number.start() if number else 0)
        raise UnreadableDossierError(f"{where}: {word} is not a number that a dossier holds. The file was edited.")

    def whole(digits: str) -> int | float:
        if len(digits) > 400:
            refused(f"{digits[:20]}…")
        return int(digits) if abs(int(digits)) <= LARGEST else finite(digits)

    def finite(digits: str) -> float:
        value = float(digits)
        return refused(digits[:40]) if value in (float("inf"), float("-inf")) else value

    if text.startswith("\ufeff"):
        raise UnreadableDossierError(
            f"{name} begins with a byte order mark: an editor changed it. Restore it from a copy."
        )
    try:
        record = json.loads(text, object_pairs_hook=pairs, parse_constant=refused, parse_int=whole, parse_float=finite)
    except json.JSONDecodeError as error:
        at = odd_line(text[: error.pos])
        raise UnreadableDossierError(
            f"{place(name, text, error.pos if at is None else at)}: {error.msg[:1].lower()}{error.msg[1:]}. The file "
            "is not a dossier, is truncated, or was edited."
        ) from error
    except RecursionError as error:
        raise UnreadableDossierError(f"{name} is nested more than {DEEPEST} levels deep: not a dossier.") from error
    if not isinstance(record, dict) or FIRST_KEY not in record:
        raise UnreadableDossierError(
            f"{name} is not a dossier: it has no key {FIRST_KEY!r}. Name a file that --dossier wrote."
        )
    return record


def odd_line(text: str) -> int | None:
    """Find where the first line begins that no dossier has at its place, going by its indentation.

    A missing bracket makes JSON unreadable, but often much later than where it is missing.

    >>> odd_line('{\\n "a": [\\n  {},\\n  {}\\n ,\\n "b": 1')
    21
    """
    opened, at = 0, 0
    for line in text.splitlines(keepends=True)[:-1]:
        parts = LINE.fullmatch(line)
        closes = bool(parts and parts["close"])
        if parts is None or len(parts["indent"]) != opened - closes:
            return at
        opened += bool(parts["open"]) - closes
        at += len(line)
    return None


def place(name: str, text: str, at: int) -> str:
    """Name a place in a file by its line and column.

    >>> place("a.json", "{}\\nx", 3)
    'a.json, line 2, column 1'
    """
    before = text[:at]
    return f"{name}, line {before.count(chr(10)) + 1}, column {at - before.rfind(chr(10))}"
