"""Files as rows: by their ending, without trusting a sniffer."""

import glob
import gzip
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from justesse.core.errors import ColumnError, FileError
from justesse.core.quantity import quantity
from justesse.frames.broken_header import with_plain_header
from justesse.frames.engine import check_not_stopped, connection, literal, quoted
from justesse.frames.files import check_regular, unpacked
from justesse.frames.gzipped import read_to_end
from justesse.frames.header import LONGEST, check_names_differ, not_utf8, read_header
from justesse.frames.logs.first_bytes import may_be_log
from justesse.frames.parquet_types import check_column_types
from justesse.frames.rows import DuckRows
from justesse.frames.values import Form

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

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
KEYS_LOOKED_AT = 1000
SMALL = 100_000  # bytes of a file that cannot have too many classes for the memory
NO_GAP = "b7e3c1f0-no-value-is-written-like-this-4a52d8"
AS_WRITTEN = "hive_partitioning = false"  # otherwise a folder named label=cat would overwrite the column label
DAMAGE = ("magic bytes", "too small", "footer", "arquet", "Thrift", "Arrow", "IPC", "truncated")


def read(path: str | os.PathLike[str]) -> list[DuckRows]:
    """Open a file, every file a pattern such as `day-*.csv` matches, or evaluation logs, recognised by content."""
    text = os.path.expanduser(os.fspath(path))
    if len(Path(text).name) > 255 or "\0" in text:
        raise FileError(f"The file name {text[:60]!r}… is too long or has a null character. Check the path.")
    if may_be_log(text):
        from justesse.frames.logs.log_table import log_table, open_log

        if log := open_log(text):
            return [log_table(log).rows]
    if os.path.exists(text) or not glob.has_magic(text):
        return [_read_one(Path(text))]
    result = sorted(glob.glob(text, recursive=True))
    if not result:
        raise FileError(f"No file matches {text!r} in {os.getcwd()!r}. Check the pattern, and quote it in the shell.")
    tables = [_read_one(Path(name)) for name in result]
    other = next((table for table in tables if table.form != tables[0].form), None)
    if other:
        raise FileError(
            f"Pattern {text!r} matches files of different formats: {tables[0].name} and {other.name}. Use one format."
        )
    return tables


def bytes_on_disk(data: Any) -> int:
    """Give the size of a file, or of all a pattern matches; 0 for what is not a path."""
    if not isinstance(data, (str, os.PathLike)):
        return 0
    text = os.path.expanduser(os.fspath(data))
    names = [text] if os.path.exists(text) else glob.glob(text, recursive=True)
    return sum(Path(name).stat().st_size for name in names)


def _read_one(path: Path) -> DuckRows:
    if path.is_dir():
        raise FileError(
            f"{path} is a directory. Name a file in it, a pattern such as '{path}/*.parquet', or a folder of "
            "evaluation logs."
        )
    check_regular(path)
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise FileError(f"The file name {path} is not UTF-8 and cannot be read. Rename the file.") from error
    if not path.exists():
        raise FileError(f"File {str(path)!r} not found. The current directory is {os.getcwd()!r}.")
    endings = [ending.lower() for ending in path.suffixes]
    zipped = endings[-1:] == [".gz"]
    kind = ENDINGS.get((endings[:-1] if zipped else endings)[-1] if endings[zipped:] else "")
    if kind is None:
        raise FileError(
            f"{path} has an unknown ending. Supported: {', '.join(ENDINGS)}, each also with .gz. Rename or "
            "convert the file."
        )
    try:
        if path.stat().st_size == 0:
            raise FileError(f"{path} is empty. Write it again, with a header and rows.")
        file = File(path, zipped)
        if kind in (CSV, TSV):
            return _read_csv(file, "\t" if kind == TSV else None)
        return {JSON: _read_json, PARQUET: _read_parquet, ARROW: _read_arrow}[kind](file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileError(f"{path} is not a complete gzip file ({error}). Copy or compress it again.") from error
    except OSError as error:
        raise FileError(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Check its permissions."
        ) from error


@dataclass(frozen=True)
class File:
    """A file and whether it is compressed."""

    path: Path
    zipped: bool
    copy: str | None = None  # without the compression, if DuckDB cannot read it with it

    def open(self) -> IO[bytes]:
        """Open it for reading, without the compression."""
        return gzip.open(self.path) if self.zipped else open(self.path, "rb")  # type: ignore[return-value]

    def checked(self, *, lines: bool = False) -> "File":
        """Read a compressed file once to its end: DuckDB does not look at the checksum that tells of damage.

        Where the file is made of `lines`, one that is too long is refused at once, not after all of it. A file that is
        padded with zeros is copied without the compression, as DuckDB does not read it.
        """
        if not self.zipped:
            return self
        length = 0

        def look(piece: bytes) -> None:
            nonlocal length
            end = piece.rfind(b"\n")
            length = length + len(piece) if end < 0 else len(piece) - end - 1
            if lines and length > LONGEST:
                raise FileError(
                    f"{self.path} has a line longer than {LONGEST >> 20} MiB. Check that this is a CSV file, or write "
                    "it again."
                )

        padded = read_to_end(self.path, look)
        return replace(self, copy=unpacked(self.path)) if padded else self

    @property
    def place(self) -> str:
        """Where DuckDB reads it."""
        return self.copy or str(self.path)

    @property
    def compression(self) -> str:
        return "gzip" if self.zipped and not self.copy else "none"

    def unzipped(self) -> str:
        """Give a path a reader can seek in: the file itself, or a temporary copy without the compression."""
        return unpacked(self.path) if self.zipped else str(self.path)

    def rows(
        self, columns: Sequence[str], form: Form, relation: "Callable[[Sequence[str]], duckdb.DuckDBPyRelation]"
    ) -> DuckRows:
        small = not self.zipped and self.path.stat().st_size <= SMALL
        return DuckRows(str(self.path), tuple(columns), form, relation, partial(_explained, self.path), small=small)


def _read_csv(file: File, delimiter: str | None) -> DuckRows:
    with file.open() as stream:
        header, delimiter = read_header(stream, file.path, delimiter)
    file = file.checked(lines=True)
    if any("\n" in name or "\r" in name for name in header):
        file = replace(file, copy=with_plain_header(file.open, file.path, len(header), delimiter) or file.copy)
    places = {name: at for at, name in enumerate(header)}
    types = ", ".join(f"'h{at}': 'VARCHAR'" for at in range(len(header)))
    # with its usual mark for a gap, DuckDB takes extra empty values at the end of a row as nothing
    source = (
        f"read_csv({literal(glob.escape(file.place))}, auto_detect = false, header = true, skip = 0, comment = '', "
        f"delim = {literal(delimiter)}, quote = '\"', escape = '\"', columns = {{{types}}}, null_padding = false, "
        f"ignore_errors = false, strict_mode = true, nullstr = '{NO_GAP}', max_line_size = {LONGEST}, "
        f"buffer_size = {2 * LONGEST}, compression = {literal(file.compression)}, {AS_WRITTEN})"
    )

    def relation(columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        named = ", ".join(f"nullif(h{places[name]}, '') AS c{at}" for at, name in enumerate(columns))
        return connection().sql(f"SELECT {named} FROM {source}")

    return file.rows(header, "text", relation)


def _chosen(source: str, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
    """Take columns of a source as c0, c1, …"""
    named = ", ".join(f"{quoted(name)} AS c{at}" for at, name in enumerate(columns))
    return connection().sql(f"SELECT {named} FROM {source}")


def _read_json(file: File) -> DuckRows:
    with file.open() as stream:
        start = stream.read(1 << 16)
    if start.startswith(b"\xef\xbb\xbf"):
        raise FileError(f"{file.path} starts with a byte-order mark, which JSON does not allow. Save it without one.")
    layout = "array" if start.lstrip()[:1] == b"[" else "newline_delimited"
    file = file.checked()
    columns = _json_keys(file, layout)

    def relation(chosen: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        if len({name.lower() for name in chosen}) < len(set(chosen)) or "" in chosen:
            raise ColumnError(
                f"Keys of {file.path} are empty or differ only in case: {', '.join(map(repr, chosen))}. Rename them."
            )
        types = ", ".join(f"{literal(name)}: 'JSON'" for name in dict.fromkeys(chosen))
        source = (
            f"read_json({literal(glob.escape(file.place))}, format = {literal(layout)}, ignore_errors = false, "
            f"columns = {{{types}}}, compression = {literal(file.compression)}, {AS_WRITTEN})"
        )
        return _chosen(source, chosen)

    return file.rows(columns, "json", relation)


def _json_keys(file: File, layout: str) -> tuple[str, ...]:
    """List the keys of the first records, in order of appearance."""
    if layout == "array":
        source = f"read_json_objects({literal(glob.escape(file.place))}, format = 'array', {AS_WRITTEN})"
        try:
            records = connection().sql(f"SELECT json::VARCHAR FROM {source} LIMIT {KEYS_LOOKED_AT}").fetchall()
        except Exception as error:
            raise _explained(file.path, error) from error
        lines: Iterable[str] = [record[0] for record in records]
    else:
        lines = _first_lines(file)
    keys: dict[str, None] = {}
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FileError(f"{file.path}, line {at}: not JSON ({error}). Write one JSON object per line.") from error
        if not isinstance(record, dict):
            raise FileError(
                f'{file.path}, line {at}: not a JSON object such as {{"label": 1, …}}: {line[:60].strip()!r}. '
                "Write one object per line."
            )
        keys |= dict.fromkeys(record)
    if not keys:
        raise FileError(f"{file.path} has no rows. Write it again.")
    return tuple(keys)


def _first_lines(file: File) -> Iterator[str]:
    """Read lines, one in memory at a time: the first thousand, or fewer if they are long."""
    size = 0
    with file.open() as stream:
        for at in range(KEYS_LOOKED_AT):
            line = stream.readline(LONGEST + 1)
            size += len(line)
            if len(line) > LONGEST:
                raise FileError(
                    f"{file.path}, line {at + 1} is longer than {LONGEST >> 20} MiB. Write one JSON object per line."
                )
            if not line or size > 4 * LONGEST:
                return
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise not_utf8(file.path, at + 1) from error


def _read_parquet(file: File) -> DuckRows:
    path = literal(glob.escape(file.unzipped()))
    source = f"read_parquet({path}, binary_as_string = true, {AS_WRITTEN})"
    try:
        columns = tuple(connection().sql(f"SELECT * FROM {source}").columns)
        # DuckDB renames columns of one name to label, label_1, …
        twice = f"SELECT any_value(name) FROM parquet_schema({path}) GROUP BY lower(name) HAVING count(*) > 1"
        repeated = {row[0] for row in connection().sql(twice).fetchall()} if _look_renamed(columns) else set()
    except Exception as error:
        raise _explained(file.path, error) from error
    for name in sorted(repeated):
        if name.lower() in {column.lower() for column in columns}:
            raise ColumnError(f"{file.path} has two columns named {name!r} (case ignored). Rename one of them.")

    def relation(chosen: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        check_column_types(path, str(file.path), chosen)
        return _chosen(source, chosen)

    return file.rows(columns, "typed", relation)


def _look_renamed(columns: Sequence[str]) -> bool:
    known = {name.lower() for name in columns}
    shorter = ((name.lower(), re.sub(r"_\d+$", "", name.lower())) for name in columns)
    return any(short != name and short in known for name, short in shorter)


def _read_arrow(file: File) -> DuckRows:
    import pyarrow as pa

    path = file.unzipped()
    with open(path, "rb") as stream:
        is_file = stream.read(6) == b"ARROW1"
        stream.seek(-8, os.SEEK_END)
        ending = stream.read()
    if not is_file and ending != b"\xff\xff\xff\xff\0\0\0\0":
        raise FileError(
            f"{file.path} is damaged, incomplete or not an Arrow stream: its end is missing. Write it again."
        )

    def opened() -> "pa.RecordBatchFileReader | pa.RecordBatchStreamReader":
        return pa.ipc.open_file(path) if is_file else pa.ipc.open_stream(pa.memory_map(path))

    def relation(columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        reader = opened()
        names = [f"c{at}" for at in range(len(columns))]
        schema = pa.schema([reader.schema.field(name).with_name(new) for name, new in zip(columns, names, strict=True)])

        def batches() -> "Iterator[pa.RecordBatch]":
            every = (reader.get_batch(at) for at in range(reader.num_record_batches)) if is_file else reader
            for batch in every:
                kept = pa.RecordBatch.from_arrays([batch.column(name) for name in columns], schema=schema)
                kept.validate(full=True)  # a damaged batch would take the engine down with it
                yield kept

        return connection().from_arrow(pa.RecordBatchReader.from_batches(schema, batches()))

    try:
        columns = tuple(opened().schema.names)
    except Exception as error:
        raise _explained(file.path, error) from error
    check_names_differ(columns, file.path)
    return file.rows(columns, "typed", relation)


def _is_array(path: Path) -> bool:
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as stream:
        return stream.read(1000).lstrip()[:1] == b"["


def _bad_json_line(path: Path) -> str:
    """Find the first line that is not a JSON object (DuckDB's own line number is off by one)."""
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as stream:
        for at, line in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
            try:
                if line.strip() and not isinstance(json.loads(line), dict):
                    return f"{path}, line {at}"
            except (ValueError, RecursionError):
                return f"{path}, line {at}"
    return f"{path}"


def _explained(path: Path, error: Exception) -> FileError:
    """Say in a sentence what an engine's error means for this file."""
    check_not_stopped(error)
    text = str(error)
    line = re.search(r"(?:on Line: |in line |at line )(\d+)", text)
    where = f"{path}, line {line[1]}" if line else f"{path}"
    if columns := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
        more = "fewer" if int(columns[2]) < int(columns[1]) else "more"
        return FileError(
            f"{where}: the header names {quantity(int(columns[1]), 'column')}, but this row has {more} values. "
            "Complete the row, or quote values that contain the delimiter."
        )
    if "unicode" in text or "utf-8" in text.lower() or "UTF8" in text:
        if path.suffix in (".parquet", ".pq"):
            return FileError(
                f"{path}: a column needed here has bytes that are not text. Write it as text or as integers."
            )
        return not_utf8(path, int(line[1]) if line else None)
    if "unterminated quote" in text or "state machine" in text:
        return FileError(f"{where}: unclosed quote or mixed line endings. Correct it, or write the file again.")
    if "JSON" in text and _is_array(path):
        return FileError(f"{path} is not an array of JSON objects ({text.splitlines()[0]}). Correct it.")
    if "JSON" in text:
        return FileError(f"{_bad_json_line(path)}: not a JSON object. Write one JSON object per line.")
    # an error raised in Python while the engine was reading comes wrapped in a traceback: its last line says it
    first = text.strip().splitlines()[-1 if "Traceback" in text else 0]
    if any(sign in text for sign in DAMAGE):
        return FileError(
            f"{path} is damaged, incomplete or not what its ending says ({first}). Copy or write it again."
        )
    return FileError(f"{path} cannot be read: {first}.")
