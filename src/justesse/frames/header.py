"""The first line of a CSV file: its columns and its delimiter."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from justesse.core.errors import ColumnError, FileError

DELIMITERS = ",;\t|"
CHUNK = 1 << 20
MOST_COLUMNS = 25_000  # the engine takes minutes to read more
QUOTED = re.compile('"[^"]*("|$)')
MARK = re.compile(rb'"|\r\n|\n|\r')  # what opens or closes quotes, or ends a line
LONGEST = 1 << 24  # bytes of a line, of CSV or JSON; a longer one is no table


def read_header(stream: IO[bytes], path: Path, delimiter: str | None) -> tuple[tuple[str, ...], str]:
    """Read the header and find the delimiter in it: the comma, or the first of `;`, tab and `|` if there is none.

    >>> read_header(io.BytesIO(b"label;prediction\\na;b\\n"), Path("a.csv"), None)
    (('label', 'prediction'), ';')
    """
    start = _start(stream, path)
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(f"{path} is UTF-16. Save it as UTF-8 (iconv -f utf-16 -t utf-8).")
    try:
        text = start.decode("utf-8-sig", errors="strict" if len(start) < CHUNK else "ignore")
    except UnicodeDecodeError as error:
        raise not_utf8(path, start.count(b"\n", 0, error.start) + 1) from error
    if delimiter is None:
        delimiter = _delimiter(text)
    try:
        header = tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), []))
    except csv.Error as error:
        raise FileError(f"{path}, line 1: the header cannot be read ({error}). Look for an unclosed quote.") from error
    if not any(header):
        raise FileError(f"{path} has no header. The first line must name the columns.")
    check_names_differ(header, path, " in the header")
    if len(header) > MOST_COLUMNS:
        raise ColumnError(
            f"{path} has {len(header):,} columns; at most {MOST_COLUMNS:,} can be read from a CSV file. Keep "
            "the columns you need, or save it as Parquet."
        )
    return header, delimiter


def _delimiter(text: str) -> str:
    r"""Find the delimiter outside quotes; a quoted name may contain others, and line breaks.

    >>> _delimiter('"a, b";c'), _delimiter('"a\nb"|c'), _delimiter('5" disk;c')
    (';', '|', ';')
    """
    outside = QUOTED.sub("", text).split("\n", 1)[0]
    first = text.split("\n", 1)[0]
    return next((mark for line in (outside, first) for mark in DELIMITERS if mark in line), ",")


def check_names_differ(columns: Sequence[str], path: Path, where: str = "") -> None:
    """Refuse two columns of one name."""
    repeated = sorted(name for name, times in Counter(columns).items() if times > 1)
    if repeated:
        raise ColumnError(f"{path} has two columns named {repeated[0]!r}. Rename one of them{where}.")


def not_utf8(path: Path, line: int | None = None) -> FileError:
    """Say that a text is in another encoding."""
    where = f"{path}, line {line}" if line else f"{path}"
    return FileError(f"{where}: the text is not UTF-8. Convert the file, for example with iconv -f latin1 -t utf-8.")


def _start(stream: IO[bytes], path: Path) -> bytes:
    """Read at least the first line, also one that goes on after a line end within quotes."""
    start = stream.read(CHUNK)
    while chunk := b"" if _has_whole_line(start) else stream.read(CHUNK):
        start += chunk
        if len(start) > LONGEST:
            raise FileError(
                f"{path}: the first line is longer than {LONGEST >> 20} MiB, so it is not a header. Check that "
                "this is a CSV file."
            )
    return start


def header_bytes(stream: IO[bytes], path: Path) -> bytes:
    r"""Read the header as it is stored, with the line break at its end.

    >>> header_bytes(io.BytesIO(b'a,"b\nc"\r\n1,2\r\n'), Path("a.csv"))
    b'a,"b\nc"\r\n'
    """
    start = _start(stream, path)
    inside = False
    for mark in MARK.finditer(start):
        if mark[0] == b'"':
            inside = not inside
        elif not inside:
            return start[: mark.end()]
    return start


def _has_whole_line(text: bytes) -> bool:
    """Say whether a line ends outside quotes."""
    open_quotes = 0
    for line in text.split(b"\n")[:-1]:
        open_quotes += line.count(b'"')
        if open_quotes % 2 == 0:
            return True
    return False
