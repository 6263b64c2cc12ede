"""Whether a path may name an evaluation log, before the readers of logs are loaded."""

import glob
import gzip
import os
import zlib
from pathlib import Path

STARTS = (b"{", b"[", b"PK\x03\x04", b"PAR1")
GZIP = b"\x1f\x8b"
BLANK = 4096  # bytes among which the first that is not blank is looked for


def may_be_log(path: str) -> bool:
    """Say whether this is a folder, or a file that begins as JSON, ZIP or Parquet; for a pattern, whether one match is.

    >>> may_be_log("missing.csv")
    False
    """
    path = os.path.expanduser(path)
    if os.path.exists(path) and Path(path).is_dir():
        return True
    if os.path.exists(path) or not glob.has_magic(path):
        return begins_like_log(Path(path))
    return any(Path(name).is_dir() or begins_like_log(Path(name)) for name in glob.iglob(path, recursive=True))


def begins_like_log(path: Path) -> bool:
    """Say whether the first bytes of a file, without compression, are those of a format of logs."""
    if not (os.path.exists(path) and path.is_file()):
        return False
    try:
        with open(path, "rb") as stream:
            start = stream.read(BLANK)
        if start.startswith(GZIP):
            with gzip.open(path) as packed:
                start = packed.read(BLANK)
    except (OSError, EOFError, zlib.error):
        return False
    return start.lstrip().startswith(STARTS)
