"""Tables of what a system answered before and after an expert's help."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.frames.columns import check_column, guess_column, has_column
from justesse.frames.count import opened
from justesse.frames.rows import Rows, no_rows
from justesse.frames.rttm import LATEST
from justesse.frames.values import named

YES, NO = {"1", "true", "yes", "y", "t"}, {"0", "false", "no", "n", "f"}
SEGMENTS = ("recording", "part", "speaker", "start", "end")
PARTS = ("reference", "base", "adapted", "touched", "answer", "question")


@dataclass(frozen=True)
class CorrectedColumns:
    """Which columns hold what; `None` for the usual names."""

    reference: str | None = None
    adapted: str | None = None
    before: str | None = None
    touched: str | None = None
    answer: str | None = None
    id: str | None = None
    round: str | None = None


USUAL = CorrectedColumns()


@dataclass(frozen=True)
class CorrectedItems:
    """Items with their right answer, what a system answered, and what the expert touched; texts, `None` for nothing."""

    ids: tuple[str, ...]
    reference: tuple[str, ...]
    adapted: tuple[str | None, ...]
    touched: tuple[bool, ...]
    base: tuple[str | None, ...] | None
    answers: tuple[str | None, ...] | None
    columns: dict[str, str]
    rounds: int
    where: str


@dataclass(frozen=True)
class SpokenRow:
    """A row of a table of speech: in which recording, which part of the evaluation, who, and when."""

    recording: str
    part: str
    speaker: str
    start: float
    end: float
    row: int


def corrected_items(data: Any, columns: CorrectedColumns = USUAL) -> CorrectedItems:
    """Read items with a row each, or a row for each round of corrections.

    With several rounds an item is touched if it was in any of them; the system's answer is that after the last round,
    the expert's the last one given.

    >>> rows = {"reference": ["a", "b"], "base": ["b", "b"], "adapted": ["a", "b"], "touched": ["yes", "no"]}
    >>> items = corrected_items(rows)
    >>> items.touched, items.base
    ((True, False), ('b', 'b'))
    """
    table = _one(data)
    named_columns = _columns(table, columns)
    order = [name for name in named_columns.values() if name is not None]
    fetched = dict(zip(order, _texts(table, order), strict=True))
    part = {role: None if name is None else fetched[name] for role, name in named_columns.items()}
    reference, adapted, flags = part["reference"], part["adapted"], part["touched"]
    assert reference is not None
    assert adapted is not None
    assert flags is not None
    if not reference:
        raise no_rows(table.name)
    right = _filled(reference, named_columns["reference"], table) or []
    touched = [is_yes(flag, named_columns["touched"], f"{table.name}, row {row}") for row, flag in enumerate(flags, 1)]
    ids = _filled(part["id"], named_columns["id"], table) or [str(row) for row in range(1, len(reference) + 1)]
    rounds = _filled(part["round"], named_columns["round"], table)
    places = _places(ids, rounds, table)
    base, answers = part["before"], part["answer"]
    for name, rows in places.items():
        for role, values in (("reference", reference), ("before", base)):
            if values is not None and len({values[row] for row in rows}) > 1:
                raise InputError(
                    f"Item {name!r} of {table.name} has different values in column {named_columns[role]!r} in "
                    "different rounds. Give it one."
                )
    return CorrectedItems(
        tuple(places),
        tuple(right[rows[0]] for rows in places.values()),
        tuple(adapted[rows[-1]] for rows in places.values()),
        tuple(any(touched[row] for row in rows) for rows in places.values()),
        None if base is None else tuple(base[rows[0]] for rows in places.values()),
        None if answers is None else tuple(_last(answers, touched, rows) for rows in places.values()),
        {role: name for role, name in named_columns.items() if name is not None},
        1 if rounds is None else len(set(rounds)),
        table.name,
    )


def spoken_rows(data: Any) -> list[SpokenRow]:
    """Read a table of who speaks when, with the columns recording, part, speaker, start and end.

    >>> rows = {"recording": ["a"], "part": ["reference"], "speaker": ["Ann"], "start": [0], "end": [9.5]}
    >>> spoken_rows(rows)
    [SpokenRow(recording='a', part='reference', speaker='Ann', start=0.0, end=9.5, row=1)]
    """
    table = _one(data)
    for name in SEGMENTS:
        if name not in table.columns:
            raise ColumnError(
                f"Column {name!r} not found in {table.name}. A diarization error rate needs the columns "
                f"{', '.join(SEGMENTS)}, with the part {', '.join(PARTS[:-1])} or {PARTS[-1]}."
            )
    recordings, parts, speakers = _texts(table, SEGMENTS[:3])
    times = table.arrays([], list(SEGMENTS[3:])).numbers.tolist()
    rows = []
    for row, (recording, part, speaker, (start, end)) in enumerate(
        zip(recordings, parts, speakers, times, strict=True), 1
    ):
        where = f"{table.name}, row {row}"
        if part not in PARTS:
            raise InputError(f"{where}: the part must be one of {', '.join(PARTS)}; got {part!r}.")
        if recording is None:
            raise MissingValueError(f"{where}: no recording. Fill it in.")
        if speaker is None and part not in ("touched", "question"):
            raise MissingValueError(f"{where}: no speaker. Fill it in.")
        if not start < end:
            raise InputError(f"{where}: start and end must be numbers, the start before the end.")
        if max(-start, end) > LATEST:
            raise InputError(f"{where}: start and end must be at most {LATEST:,.0f} seconds. Correct the row.")
        rows.append(SpokenRow(recording, part, speaker or "", start, end, row))
    if not rows:
        raise no_rows(table.name)
    return rows


def _one(data: Any) -> Rows:
    tables = opened(data)
    if len(tables) > 1:
        raise InputError("A penalised score needs one table. Combine the files first.")
    return tables[0]


def _columns(table: Rows, columns: CorrectedColumns) -> dict[str, str | None]:
    """Find the columns: three are needed, the others may be absent."""
    where, names = table.name, table.columns
    chosen: dict[str, str | None] = {
        part: guess_column(part, names, where, getattr(columns, part)) for part in ("reference", "adapted", "touched")
    }
    for part in ("before", "answer", "id", "round"):
        name = getattr(columns, part)
        if name is not None:
            check_column(names, where, part, name)
        elif part == "before" and has_column(part, names, where):
            name = guess_column(part, names, where, None)
        elif part in names:
            name = part
        chosen[part] = name
    return chosen


def _texts(table: Rows, columns: Sequence[str]) -> list[list[str | None]]:
    """Fetch columns as text, `None` where there is no value."""
    values = []
    for name, keys in zip(columns, table.arrays(list(columns), []).keys, strict=True):
        column = named(keys, form=table.form, column=name, as_text=True)
        names = [None if value is None else str(value) for value in column.names]
        values.append([names[code] for code in column.codes.tolist()])
    return values


def is_yes(text: Any, column: str | None, where: str) -> bool:
    """Read yes or no, 1 or 0, true or false.

    >>> is_yes("Yes", "touched", "a.csv"), is_yes(0, "touched", "a.csv")
    (True, False)
    """
    word = "" if text is None else str(text).strip().lower()
    if word not in YES | NO:
        raise InputError(f"{where}: column {column!r} must contain yes or no, or 1 or 0; got {text!r}.")
    return word in YES


def _filled(values: Sequence[str | None] | None, column: str | None, table: Rows) -> list[str] | None:
    if values is None:
        return None
    gap = next((row for row, value in enumerate(values, 1) if value is None or not value.strip()), None)
    if gap is not None:
        raise MissingValueError(
            f"{table.name}, row {gap}: no value in column {column!r}. Fill it in, or remove the row."
        )
    return [str(value) for value in values]


def _places(ids: Sequence[str], rounds: Sequence[str] | None, table: Rows) -> dict[str, list[int]]:
    """List the rows of each item, in the order of rounds."""
    order = range(len(ids))
    if rounds is not None:
        try:
            number = [float(text) for text in rounds]
        except ValueError:
            raise InputError(f"The rounds of {table.name} must be numbers, such as 1, 2, 3.") from None
        order = sorted(order, key=lambda row: number[row])  # type: ignore[assignment]
    places: dict[str, list[int]] = {name: [] for name in ids}
    taken: set[tuple[str, str]] = set()
    for row in order:
        key = (ids[row], "" if rounds is None else rounds[row])
        if key in taken:
            raise InputError(
                f"{table.name}, row {row + 1}: item {ids[row]!r} has a row already. With several rounds of "
                "corrections, name the column of rounds with round=… (--round)."
            )
        taken.add(key)
        places[ids[row]].append(row)
    return places


def _last(answers: Sequence[str | None], touched: Sequence[bool], rows: Sequence[int]) -> str | None:
    """Take the expert's last answer to an item; `None` if the item was never touched or an answer is missing."""
    replies = [answers[row] for row in rows if touched[row]]
    return None if not replies or None in replies else replies[-1]
