"""Answers of experts in a file or frame: one row for each, with the id of the question, the class, and who says so."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import ColumnError, InputError
from justesse.frames.count import opened
from justesse.frames.spreadsheet import original

CLASS = ("class", "answer", "true")
SHOWN = 5


@dataclass(frozen=True)
class Reply:
    """Answer in one row; `answer` is `None` where the cell is empty."""

    place: int
    id: str
    answer: str | None
    by: str | None


def replies(data: Any, *, on: str) -> list[Reply]:
    """Read answers: the id in the column named as in the audit, or `id`; the class in `class`, `answer` or `true`.

    A column `by` says who answered. Ids are text, and places count rows from 1, without the header. A row without an
    id, and rows of one person that contradict each other, are refused. The apostrophe that keeps a spreadsheet from
    running a text as a formula is taken off.

    >>> replies({"id": [7, 8], "class": ["cat", None]}, on="id")
    [Reply(place=1, id='7', answer='cat', by=None), Reply(place=2, id='8', answer=None, by=None)]
    """
    results: list[Reply] = []
    for table in opened(data):
        names = [
            _column(table.columns, table.name, (on, "id"), "ids of the questions"),
            _column(table.columns, table.name, CLASS, "answers"),
        ]
        who = next((name for name in table.columns if name.lower() == "by"), None)
        columns = table.arrays([*names, *([who] if who else [])], ()).keys
        texts = [[item and original(item) for item in _texts(column)] for column in columns] + (
            [] if who else [[None] * len(columns[0])]
        )
        for at, (name, text, by) in enumerate(zip(*texts, strict=True), start=len(results) + 1):
            if name is None:
                raise InputError(f"Missing {names[0]!r} in row {at} of {table.name}. Fill in the id of the question.")
            results.append(Reply(at, name, (text or "").strip() or None, (by or "").strip() or None))
    _check_contradictions(results)
    return results


def _column(columns: Sequence[str], where: str, names: Sequence[str], what: str) -> str:
    for name in names:
        if alike := [column for column in columns if column == name or column.lower() == name]:
            return alike[0]
    usual = " or ".join(repr(name) for name in dict.fromkeys(names))
    raise ColumnError(
        f"No column {usual} with the {what} in {where}. Columns: {', '.join(map(repr, columns[:20]))}. Add "
        "or rename one."
    )


def _texts(column: Any) -> list[str | None]:
    mask, plain = np.ma.getmaskarray(column).tolist(), np.ma.getdata(column).tolist()
    return [
        None if gone or value is None or value == "" else _text(value) for value, gone in zip(plain, mask, strict=True)
    ]


def _text(value: Any) -> str | None:
    if isinstance(value, float):  # a data frame's way to store integers with gaps
        return None if np.isnan(value) else str(int(value)) if value.is_integer() else str(value)
    return str(value)


def _check_contradictions(answers: Sequence[Reply]) -> None:
    first: dict[tuple[str, str | None], Reply] = {}
    wrong = []
    for reply in answers:
        if reply.answer is None:
            continue
        before = first.setdefault((reply.id, reply.by), reply)
        if before.answer != reply.answer:
            wrong.append(
                f"rows {before.place} and {reply.place} answer {reply.id!r} {before.answer!r} and {reply.answer!r}"
            )
    if wrong:
        more = f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise InputError(
            f"Answers contradict each other: {'; '.join(wrong[:SHOWN])}{more}. Correct them, or add a column "
            "'by' with the name of the person who answered."
        )
