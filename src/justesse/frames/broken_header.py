"""CSV files whose header has line breaks within quotes, of another kind than those between the rows."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from justesse.core.errors import FileError
from justesse.frames.files import CHUNK, MOST_UNPACKED, private_folder
from justesse.frames.header import header_bytes

BREAK = re.compile(rb"\r\n|\n|\r")


def with_plain_header(open_file: Callable[[], IO[bytes]], path: Path, columns: int, delimiter: str) -> str | None:
    """Copy a CSV file with a header on one line; `None` if the engine reads the file as it is.

    DuckDB takes the first line break of a file for the end of every row. A line feed within a quoted column name, in a
    file whose rows end with CRLF, makes it find no rows.

    Parameters
    ----------
    open_file
        Opens the file for reading, without its compression.
    path
        Name of the file, for messages.
    columns
        Number of columns.
    delimiter
        What separates the columns.
    """
    with open_file() as stream:
        header = header_bytes(stream, path)
        if len(set(BREAK.findall(header))) < 2:
            return None
        end = BREAK.findall(header)[-1]
        stream.seek(len(header))
        handle, name = tempfile.mkstemp(dir=private_folder())
        with open(handle, "wb") as copy:
            copy.write(delimiter.join(f"h{at}" for at in range(columns)).encode() + end)
            while piece := stream.read(CHUNK):
                if copy.tell() + len(piece) > MOST_UNPACKED:
                    raise FileError(
                        f"{path}: a column name contains a line break that differs from the line breaks between the "
                        f"rows, and the file is larger than {MOST_UNPACKED >> 20} MiB. Write that name on one line."
                    )
                copy.write(piece)
    return name
