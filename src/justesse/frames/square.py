"""Square tables, class by class: from CSV files with class names down the side and along the top, dicts and arrays."""

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import FileError, InputError
from justesse.core.results import ClassName
from justesse.frames.files import check_regular
from justesse.frames.header import not_utf8


def opened_square(
    table: Any, name: str, error: type[InputError], rows_are: str = "labels", columns_are: str = "predictions"
) -> tuple[Any, str]:
    """Return a file or a pandas frame as a dict of dicts, anything else as it is; and its name for messages.

    >>> opened_square({"a": {"a": 0}}, "the cost table", InputError)
    ({'a': {'a': 0}}, 'the cost table')
    """
    if isinstance(table, (str, os.PathLike)):
        name = os.fspath(table)
        return read_square(name, error, rows_are, columns_are), name
    if hasattr(table, "to_dict") and hasattr(table, "index"):
        return named_rows(table).to_dict(orient="index"), name  # a pandas frame: its index names the rows
    return table, name


def square_array(table: Any, classes: Sequence[ClassName], name: str, error: type[InputError]) -> NDArray[Any]:
    """Return a square array in the order of the classes: whole numbers if it holds whole numbers, else floats.

    >>> square_array([[9, 1], [0, 10]], ["a", "b"], "the transition table", InputError).tolist()
    [[9, 1], [0, 10]]
    """
    title = f"{name[:1].upper()}{name[1:]}"
    try:
        result = np.asarray(table)
        result = result if result.dtype.kind in "iu" else result.astype(float)
    except (TypeError, ValueError) as problem:
        raise error(
            f"{title} must be a CSV file, a dict of dicts or a square array; got {type(table).__name__}."
        ) from problem
    if result.shape != (len(classes), len(classes)):
        raise error(f"{title} must be {len(classes)} × {len(classes)}, one row per class; got shape {result.shape}.")
    return result


def read_square(
    path: str, error: type[InputError], rows_are: str = "labels", columns_are: str = "predictions"
) -> dict[str, dict[str, str]]:
    """Read a table as `{row: {column: text}}`, refusing what is not square or names a class twice."""
    rows = read_rows(path)
    header = rows[0][1:]
    for at, row in enumerate(rows[1:], start=2):
        if len(row) != len(header) + 1:
            raise error(
                f"{path}, line {at}: {len(header) + 1} values are needed, as in the header; got {len(row)}. "
                "Complete the row."
            )
    if len(rows) - 1 != len(header):
        raise error(
            f"{path} is not square: {len(rows) - 1} rows ({rows_are}) and {len(header)} columns "
            f"({columns_are}). Give one row and one column per class."
        )
    if len(set(header)) < len(header):
        raise error(f"{path} names a {columns_are.removesuffix('s')} twice in its header. Keep one of them.")
    without_repeats(rows[1:], path, error)
    return {row[0]: dict(zip(header, row[1:], strict=True)) for row in rows[1:]}


def without_repeats(rows: Sequence[Sequence[str]], where: str, error: type[InputError]) -> dict[str, Any]:
    """Give first column → second column, or the rest of the row; two rows of one name are refused."""
    names = [row[0] for row in rows]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise error(f"{where} has two rows for {repeated[0]!r}. Keep one of them.")
    return {row[0]: row[1] if len(row) == 2 else row[1:] for row in rows}


def read_rows(path: str) -> list[list[str]]:
    """Read the rows of a small CSV file, the header first."""
    check_regular(path)
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except OSError as error:
        raise FileError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Name a CSV file.") from error
    except UnicodeDecodeError as error:
        raise not_utf8(Path(path)) from error
    except csv.Error as error:
        raise FileError(f"{path} cannot be read ({error}). Save it as a CSV file in UTF-8.") from error
    if len(rows) < 2:
        raise FileError(f"{path} has no rows. It needs a header and one row per class.")
    return rows


def named_rows(frame: Any) -> Any:
    """Take the first column of a pandas frame as the names of its rows, where those have none of their own.

    That is how `pandas.read_csv` reads a table that was written with names down the side.
    """
    names = list(frame.columns)
    is_numbered = list(frame.index) == list(range(len(frame)))
    return frame.set_index(names[0]) if is_numbered and len(names) == len(frame) + 1 else frame
