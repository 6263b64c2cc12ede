"""Files on disk: which can be read, and where copies of this process go."""

import atexit
import gzip
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from justesse.core.errors import FileError

MOST_UNPACKED = 1 << 28  # bytes that a compressed file may take in the temporary folder
CHUNK = 1 << 22


def check_regular(path: str | os.PathLike[str]) -> None:
    """Refuse a device or a pipe: it may have no end, and cannot be read twice.

    >>> check_regular("/dev/null")
    Traceback (most recent call last):
    justesse.core.errors.FileError: /dev/null is a device or a pipe, not a file: save what it gives as a file first
    """
    place = Path(path)
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise FileError(f"{place} is a device or a pipe, not a file. Save its contents as a file first.")


@cache
def private_folder() -> str:
    """Make a folder in the temporary one that only this user can open; it goes when the process ends."""
    folder = tempfile.mkdtemp(prefix="justesse-")
    atexit.register(_remove, folder, os.getpid())
    return folder


def unpacked(path: Path) -> str:
    """Give a copy of a gzip file without the compression, for readers that must jump around in it."""
    handle, name = tempfile.mkstemp(dir=private_folder())
    size = 0
    with gzip.open(path) as packed, open(handle, "wb") as plain:
        while chunk := packed.read(CHUNK):
            size += len(chunk)
            if size > MOST_UNPACKED:
                os.unlink(name)
                raise FileError(
                    f"{path} is larger than {MOST_UNPACKED >> 20} MiB once unpacked. Unpack it first (gunzip), and "
                    "name the unpacked file."
                )
            plain.write(chunk)
    return name


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # a forked child must not remove what its parent still uses
        shutil.rmtree(folder, ignore_errors=True)
