"""Results back as a data frame of the caller's kind, or as a file that is there whole or not at all."""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError, OptionError
from justesse.frames.batch import all_or_none
from justesse.frames.spreadsheet import columns_as_text

TABLES = (".csv", ".parquet", ".pq")  # endings of tables that are written


def native_frame(columns: dict[str, list[Any]], *, like: Any) -> Any:
    """Build a data frame of the same library as `like`; an Arrow table if that is not an eager data frame."""
    import narwhals as nw
    import pyarrow as pa

    table = pa.table(columns)
    try:
        frame = nw.from_native(like)
    except TypeError:
        return table
    kind = frame.implementation
    if kind.is_polars() or kind.is_pandas_like():
        return nw.from_arrow(table, backend=kind).to_native()
    return table


def write_table(columns: dict[str, list[Any]], path: Path, *, exact: bool = False) -> Path:
    """Write columns as csv or parquet, by the ending.

    In a CSV, texts that a spreadsheet would run as formulas get an apostrophe in front, unless `exact`: files of rows
    that justesse or others read again hold every value as it is.
    """
    import pyarrow as pa

    if path.suffix.lower() == ".csv":
        import pyarrow.csv

        table = pa.table(columns if exact else columns_as_text(columns))
        return write_whole(path, lambda temporary: pyarrow.csv.write_csv(table, temporary))
    if path.suffix.lower() in (".parquet", ".pq"):
        import pyarrow.parquet

        table = pa.table(columns)
        return write_whole(path, lambda temporary: pyarrow.parquet.write_table(table, temporary))
    raise OptionError(f"Tables are written as .csv or .parquet; got {str(path)!r}.")


def write_whole(path: Path, write: Callable[[str], Any]) -> Path:
    """Write to a temporary file beside the target, then rename it, with the others of an open batch."""
    check_place(path)
    with all_or_none() as batch:
        batch.write(path, write)
    return path


def check_place(path: Path, *, endings: Sequence[str] = (), read: Sequence[Any] = ()) -> None:
    """Refuse, before work that takes long, a place where no file can be written or that is one of those read."""
    if path.is_dir():
        raise FileError(f"{path} is a directory. Name a file in it.")
    if _loops(path):
        raise FileError(f"{path} is a symbolic link that leads back to itself. Remove it, or choose another name.")
    if path.exists() and not path.is_file():
        raise FileError(f"{path} is a device or a pipe, and a result needs a regular file. Choose another name.")
    if not path.parent.is_dir():
        raise FileError(f"Directory {str(path.parent)!r} not found, so {path.name} cannot be written. Create it first.")
    if not os.access(path.parent, os.W_OK):
        raise FileError(f"{path} cannot be written: {path.parent} is read-only. Choose another directory.")
    if path.exists() and not os.access(path, os.W_OK):
        raise FileError(f"{path} is read-only. Choose another name, or make it writable.")
    if endings and path.suffix.lower() not in endings:
        *others, last = endings
        listed = f"{', '.join(others)} or {last}" if others else last
        raise OptionError(f"The name of the output file must end in {listed}; got {str(path)!r}.")
    for other in read:
        if isinstance(other, (str, os.PathLike)) and os.path.realpath(path) == os.path.realpath(other):
            raise OptionError(f"{path} would overwrite another file of this command. Choose another name.")


def _loops(path: Path) -> bool:
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def check_directory(path: Path) -> None:
    """Refuse a place where no directory can be made or written."""
    existing = next(item for item in (path, *path.parents) if os.path.lexists(item))
    if not existing.is_dir():
        raise FileError(f"{existing} is not a directory. Name a directory; it is created if necessary.")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise FileError(f"{path} cannot be written: {existing} is read-only. Choose another directory.")
