"""The first rows of a table, as text, to choose columns by."""

import os
from dataclasses import dataclass

from justesse.core.errors import JustesseError
from justesse.frames.read import read

SHOWN = 6
LONGEST = 120  # characters of a cell that are shown
WIDEST = 200  # columns


@dataclass(frozen=True)
class Preview:
    """All column names of a table, and its first rows as text; `None` is an empty cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


def preview(path: str | os.PathLike[str], rows: int = SHOWN) -> Preview:
    """Read the first rows of a file, or raise the error that reading all of it would raise at once.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(f"{folder}/a.csv", "w") as file:
    ...         _ = file.write("id,label\\n1,cat\\n2,\\n")
    ...     preview(f"{folder}/a.csv")
    Preview(columns=('id', 'label'), rows=(('1', 'cat'), ('2', None)))
    """
    table = read(path)[0]
    shown = table.columns[:WIDEST]
    try:
        first = table.relation(shown).limit(rows).fetchall()
    except JustesseError:
        raise
    except Exception as error:
        raise table.explain(error) from error
    return Preview(table.columns, tuple(tuple(map(_cell, row)) for row in first))


def _cell(value: object) -> str | None:
    text = "" if value is None else str(value)
    return None if not text else text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
