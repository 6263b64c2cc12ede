"""Files as rows: by their ending, without trusting a sniffer."""

import atexit
import csv
import glob
import gzip
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from justesse.core.errors import ColumnError, FileError
from justesse.frames.engine import connection, literal, quoted
from justesse.frames.rows import DuckRows
from justesse.frames.values import Form

if TYPE_CHECKING:
    import duckdb

CSV, TSV, JSON, PARQUET, ARROW = "csv", "tsv", "json", "parquet", "arrow"
ENDINGS = {
    ".csv": CSV,
    ".tsv": TSV,
    ".tab": TSV,
    ".jsonl": JSON,
    ".ndjson": JSON,
    ".json": JSON,
    ".parquet": PARQUET,
    ".pq": PARQUET,
    ".arrow": ARROW,
    ".feather": ARROW,
    ".ipc": ARROW,
}
DELIMITERS = ",;\t|"
KEYS_LOOKED_AT = 1000
DAMAGE = ("magic bytes", "too small", "footer", "arquet", "Thrift", "Arrow", "IPC", "truncated")


def read(path: str | os.PathLike[str]) -> list[DuckRows]:
    """Open a file, or every file a pattern such as `day-*.csv` matches."""
    text = os.path.expanduser(os.fspath(path))
    if os.path.exists(text) or not glob.has_magic(text):
        return [_read_one(Path(text))]
    found = sorted(glob.glob(text, recursive=True))
    if not found:
        raise FileError(f"no file matches {text!r} in {os.getcwd()!r}; check the pattern and quote it in the shell")
    tables = [_read_one(Path(name)) for name in found]
    other = next((table for table in tables if table.form != tables[0].form), None)
    if other:
        raise FileError(
            f"{text!r} matches files of different formats: {tables[0].name} and {other.name}; take one format"
        )
    return tables


def _read_one(path: Path) -> DuckRows:
    if path.is_dir():
        raise FileError(f"{path} is a directory; name a file in it, or a pattern such as '{path}/*.parquet'")
    if not path.exists():
        raise FileError(f"there is no file {str(path)!r}; the current directory is {os.getcwd()!r}")
    endings = [ending.lower() for ending in path.suffixes]
    zipped = endings[-1:] == [".gz"]
    kind = ENDINGS.get((endings[:-1] if zipped else endings)[-1] if endings[zipped:] else "")
    if kind is None:
        raise FileError(
            f"{path} has an ending justesse does not read; it reads {', '.join(ENDINGS)}, each also as .gz: "
            "rename or convert the file"
        )
    try:
        if path.stat().st_size == 0:
            raise FileError(f"{path} is empty: not even a header; write it again")
        file = File(path, zipped)
        if kind in (CSV, TSV):
            return _read_csv(file, "\t" if kind == TSV else None)
        return {JSON: _read_json, PARQUET: _read_parquet, ARROW: _read_arrow}[kind](file)
    except (gzip.BadGzipFile, EOFError) as error:
        raise FileError(f"{path} is not a complete gzip file ({error}); copy or compress it again") from error
    except PermissionError as error:
        raise FileError(f"{path} may not be read: permission denied; change its permissions") from error


@dataclass(frozen=True)
class File:
    """A file and whether it is compressed."""

    path: Path
    zipped: bool

    def start(self, size: int = 1 << 20) -> bytes:
        """Read its first bytes."""
        with gzip.open(self.path) if self.zipped else open(self.path, "rb") as stream:
            return stream.read(size)

    @property
    def compression(self) -> str:
        return "gzip" if self.zipped else "none"

    def unzipped(self) -> str:
        """Give a path a reader can seek in: the file itself, or a temporary copy without the compression."""
        if not self.zipped:
            return str(self.path)
        with gzip.open(self.path) as packed, tempfile.NamedTemporaryFile(delete=False, prefix="justesse-") as plain:
            atexit.register(os.unlink, plain.name)
            shutil.copyfileobj(packed, plain)
        return plain.name

    def rows(self, columns: Sequence[str], form: Form, relation: "Callable[[], duckdb.DuckDBPyRelation]") -> DuckRows:
        return DuckRows(
            str(self.path),
            tuple(columns),
            form,
            lambda wanted: relation().project(", ".join(map(quoted, wanted))),
            partial(_explained, self.path),
        )


def _read_csv(file: File, delimiter: str | None) -> DuckRows:
    header, delimiter = _header(file, delimiter)
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in header)
    source = (
        f"read_csv({literal(glob.escape(str(file.path)))}, auto_detect = false, header = true, skip = 0, comment = '', "
        f"delim = {literal(delimiter)}, quote = '\"', escape = '\"', columns = {{{types}}}, null_padding = false, "
        f"ignore_errors = false, strict_mode = true, compression = {literal(file.compression)})"
    )
    return file.rows(header, "text", lambda: connection().sql(f"SELECT * FROM {source}"))


def _header(file: File, delimiter: str | None) -> tuple[tuple[str, ...], str]:
    """Read the header and find the delimiter in it: the comma, or the first of `;`, tab and `|` if there is none."""
    start = file.start()
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(f"{file.path} is UTF-16; save it as UTF-8 (iconv -f utf-16 -t utf-8)")
    try:
        text = start.decode("utf-8-sig", errors="strict" if len(start) < 1 << 20 else "ignore")
    except UnicodeDecodeError as error:
        raise _not_utf8(file.path, start.count(b"\n", 0, error.start) + 1) from error
    lines = io.StringIO(text, newline="")
    line = text.split("\n", 1)[0]
    if delimiter is None:
        delimiter = next((mark for mark in DELIMITERS if mark in line), ",")
    header = tuple(next(csv.reader(lines, delimiter=delimiter), []))
    if not any(header):
        raise FileError(f"{file.path} has no header: the first line must name the columns")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise ColumnError(f"{file.path} has two columns named {repeated[0]!r}; rename one of them in the header")
    return header, delimiter


def _read_json(file: File) -> DuckRows:
    start = file.start()
    layout = "array" if start.lstrip()[:1] == b"[" else "newline_delimited"
    columns = _json_keys(file, layout)
    types = ", ".join(f"{literal(name)}: 'JSON'" for name in columns)
    source = (
        f"read_json({literal(glob.escape(str(file.path)))}, format = {literal(layout)}, ignore_errors = false, "
        f"columns = {{{types}}}, compression = {literal(file.compression)})"
    )
    return file.rows(columns, "json", lambda: connection().sql(f"SELECT * FROM {source}"))


def _json_keys(file: File, layout: str) -> tuple[str, ...]:
    """List the keys of the first records, in order of appearance."""
    if layout == "array":
        source = f"read_json_objects({literal(glob.escape(str(file.path)))}, format = 'array')"
        try:
            records = connection().sql(f"SELECT json::VARCHAR FROM {source} LIMIT {KEYS_LOOKED_AT}").fetchall()
        except Exception as error:
            raise _explained(file.path, error) from error
        lines = [record[0] for record in records]
    else:
        with gzip.open(file.path) if file.zipped else open(file.path, "rb") as stream:
            try:
                lines = [line.decode() for line, _ in zip(stream, range(KEYS_LOOKED_AT), strict=False)]
            except UnicodeDecodeError as error:
                raise _not_utf8(file.path) from error
    keys: dict[str, None] = {}
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise FileError(
                f"{file.path}, line {at}: this is not JSON ({error.msg}); one object a line is needed"
            ) from error
        if not isinstance(record, dict):
            raise FileError(
                f'{file.path}, line {at}: an object such as {{"label": 1, …}} is needed; got {line[:60].strip()!r}'
            )
        keys |= dict.fromkeys(record)
    if not keys:
        raise FileError(f"{file.path} has no rows; write it again")
    return tuple(keys)


def _read_parquet(file: File) -> DuckRows:
    path = file.unzipped()

    def relation() -> "duckdb.DuckDBPyRelation":
        return connection().sql(f"SELECT * FROM read_parquet({literal(glob.escape(path))}, binary_as_string = true)")

    try:
        columns = tuple(relation().columns)
    except Exception as error:
        raise _explained(file.path, error) from error
    return file.rows(columns, "typed", relation)


def _read_arrow(file: File) -> DuckRows:
    import pyarrow as pa
    import pyarrow.dataset

    path = file.unzipped()

    def relation() -> "duckdb.DuckDBPyRelation":
        with open(path, "rb") as stream:
            is_file = stream.read(6) == b"ARROW1"
        if is_file:
            return connection().from_arrow(pyarrow.dataset.dataset(path, format="ipc"))
        return connection().from_arrow(pa.ipc.open_stream(pa.memory_map(path)))

    try:
        columns = tuple(relation().columns)
    except Exception as error:
        raise _explained(file.path, error) from error
    return file.rows(columns, "typed", relation)


def _not_utf8(path: Path, line: int | None = None) -> FileError:
    where = f"{path}, line {line}" if line else f"{path}"
    return FileError(
        f"{where}: the text is not UTF-8; convert the file (such as iconv -f latin1 -t utf-8) and try again"
    )


def _bad_json_line(path: Path) -> str:
    """Find the first line that is not a JSON object (DuckDB's own line number is off by one)."""
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as stream:
        for at, line in enumerate(stream, start=1):
            try:
                if line.strip() and not isinstance(json.loads(line), dict):
                    return f"{path}, line {at}"
            except ValueError:
                return f"{path}, line {at}"
    return f"{path}"


def _explained(path: Path, error: Exception) -> FileError:
    """Say in a sentence what an engine's error means for this file."""
    text = str(error)
    line = re.search(r"(?:on Line: |in line |at line )(\d+)", text)
    where = f"{path}, line {line[1]}" if line else f"{path}"
    if columns := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
        more = "fewer" if int(columns[2]) < int(columns[1]) else "more"
        return FileError(
            f"{where}: the header names {columns[1]} columns and this row has {more} values; "
            "complete the row, or quote values that contain the delimiter"
        )
    if "unicode" in text or "utf-8" in text.lower() or "UTF8" in text:
        return _not_utf8(path, int(line[1]) if line else None)
    if "unterminated quote" in text or "state machine" in text:
        return FileError(f"{where}: a quote that does not close, or line ends that change; write the file again")
    if "JSON" in text:
        return FileError(f"{_bad_json_line(path)}: this is not one JSON object a line; mend or remove it")
    first = text.splitlines()[0]
    if any(sign in text for sign in DAMAGE):
        return FileError(f"{path} is damaged, incomplete or not what its ending says ({first}); copy or write it again")
    return FileError(f"{path} cannot be read: {first}")
