"""Chained checksums of an audit file: a value that was changed later no longer matches."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection

from justesse.store.tables import AuditRows

Part = Literal["start", "asked", "answers", "amendments", "notes", "steps"]
Record = tuple[int, Sequence[Any]]


def digest(before: str, content: Sequence[Any]) -> str:
    """Compute the checksum of a record that follows another.

    >>> first = digest("", [1, "cat"])
    >>> first == digest("", [1, "cat"]), first == digest("", [1, "dog"]), len(first)
    (True, False, 64)
    """
    # files are never written with a NaN; one that was put there must not match, rather than stop the check
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def seal(connection: Connection, part: Part, records: Sequence[Record]) -> None:
    """Append the checksums of new records to the chain of their part; every chain begins with the part "start"."""
    if not records:
        return
    seals = AuditRows(connection, "seals")
    chained = seals.select(seals.c.digest).where(seals.c.part.in_([part, "start"]))
    # "start" has the number -1, so it comes before the first
    before = connection.scalar(chained.order_by(seals.c.number.desc()).limit(1)) or ""
    rows = []
    for number, content in records:
        before = digest(before, content)
        rows.append({"part": part, "number": number, "digest": before})
    seals.insert(rows)


def read_seals(connection: Connection) -> dict[str, dict[int, str]]:
    """Read all checksums, by part and number."""
    checksums: dict[str, dict[int, str]] = {}
    seals = AuditRows(connection, "seals")
    for row in connection.execute(seals.select().order_by(seals.c.part, seals.c.number)):
        checksums.setdefault(row.part, {})[row.number] = row.digest
    return checksums


def first_break(
    sealed: Mapping[str, Mapping[int, str]], records: Mapping[Part, Sequence[Record]]
) -> tuple[Part, int] | None:
    """Find the first record that does not match its checksum, is missing, or has none.

    >>> start = digest("", ["rule"])
    >>> kept = {"start": {-1: start}, "answers": {1: digest(start, ["cat"])}}
    >>> first_break(kept, {"start": [(-1, ["rule"])], "answers": [(1, ["cat"])]})
    >>> first_break(kept, {"start": [(-1, ["rule"])], "answers": [(1, ["dog"])]})
    ('answers', 1)
    >>> first_break(kept, {"start": [(-1, ["rule"])], "answers": []})
    ('answers', 1)
    """
    start = sealed.get("start", {}).get(-1, "")
    for part, contents in records.items():
        own, kept, before = sealed.get(part, {}), dict(contents), "" if part == "start" else start
        for number in sorted(own.keys() | kept.keys()):
            before = digest(before, kept.get(number, ()))
            if own.get(number) != before:
                return part, number
    return None
