"""Evaluations kept in a store: the result as --json prints it, and its page."""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert, or_, select

from justesse.core.errors import FileError, InputError
from justesse.store.database import Store
from justesse.store.store_tables import evaluations

LISTED = 200


@dataclass(frozen=True)
class ListedEvaluation:
    """What a list shows of an evaluation."""

    number: int
    title: str
    command: str
    made: str
    by: str
    headline: str
    n: float | None


@dataclass(frozen=True)
class KeptEvaluation(ListedEvaluation):
    """An evaluation: exactly what --json printed, and the page that --report wrote."""

    result: dict[str, Any]
    page: bytes


def add_evaluation(
    store: Store,
    *,
    title: str,
    command: str,
    by: str,
    headline: str,
    result: Mapping[str, Any],
    page: bytes,
) -> int:
    """Keep an evaluation; return its number. It is durable when this returns.

    Parameters
    ----------
    store
        The store.
    title
        What it is called in lists.
    command
        The command that computes it.
    by
        Who asked for it.
    headline
        Its answer in a sentence.
    result
        What --json prints.
    page
        What --report writes.
    """
    written = json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    n = result.get("n")
    row = {
        "title": title,
        "command": command,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": by,
        "headline": headline,
        "n": float(n) if isinstance(n, (int, float)) else None,
        "result": zlib.compress(written),
        "page": zlib.compress(page),
        "digest": _digest(written, page),
    }
    with store.writing() as connection:
        number = connection.scalar(insert(evaluations).values(**row).returning(evaluations.c.number))
    assert number is not None
    return int(number)


def listed_evaluations(store: Store, search: str = "", *, most: int = LISTED) -> list[ListedEvaluation]:
    """List evaluations, the newest first: all, or those in which every word of a search occurs."""
    columns = evaluations.c
    query = select(
        columns.number, columns.title, columns.command, columns.made, columns.by, columns.headline, columns.n
    )
    for word in search.split():
        places = (columns.title, columns.headline, columns.command, columns.by)
        query = query.where(or_(*(place.icontains(word, autoescape=True) for place in places)))
    with store.reading() as connection:
        rows = connection.execute(query.order_by(columns.number.desc()).limit(most))
        return [ListedEvaluation(*row) for row in rows]


def read_evaluation(store: Store, number: int) -> KeptEvaluation:
    """Read an evaluation; refuse one that was changed by another program."""
    with store.reading() as connection:
        row = connection.execute(select(evaluations).where(evaluations.c.number == number)).first()
    if row is None:
        raise InputError(f"There is no evaluation {number} in {store.address}.")
    try:
        written, page = zlib.decompress(row.result), zlib.decompress(row.page)
        result = json.loads(written)
    except (zlib.error, ValueError) as error:
        raise _changed(number, store) from error
    if _digest(written, page) != row.digest:
        raise _changed(number, store)
    return KeptEvaluation(row.number, row.title, row.command, row.made, row.by, row.headline, row.n, result, page)


def _digest(written: bytes, page: bytes) -> str:
    return hashlib.sha256(hashlib.sha256(written).digest() + hashlib.sha256(page).digest()).hexdigest()


def _changed(number: int, store: Store) -> FileError:
    return FileError(f"Evaluation {number} of {store.address} is damaged: it was changed. Restore it from a copy.")
