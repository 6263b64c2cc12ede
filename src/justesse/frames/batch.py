"""Files that appear together: all of them whole, or none."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError


class Batch:
    """Files written under temporary names beside their targets, and the directories made for them."""

    def __init__(self) -> None:
        self.files: list[tuple[str, Path]] = []  # temporary name, target
        self.directories: list[Path] = []  # the outermost first

    def make_directory(self, path: Path) -> None:
        """Make a directory, and those it is in."""
        missing = [item for item in (path, *path.parents) if not item.exists()]
        try:
            for directory in reversed(missing):
                directory.mkdir(exist_ok=True)
                self.directories.append(directory)
        except OSError as error:
            raise FileError(f"{path} cannot be made: {error.strerror}. Choose another place.") from error

    def write(self, target: Path, write: Callable[[str], Any]) -> None:
        """Write a file under a temporary name."""
        with refused(target):
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".justesse-")
            self.files.append((temporary, target))
            os.close(handle)
            write(temporary)
            os.chmod(temporary, 0o666 & ~_umask())

    def finish(self) -> None:
        """Give every file its name."""
        for temporary, target in self.files:
            with refused(target):
                os.replace(temporary, target)
        self.files, self.directories = [], []

    def discard(self) -> None:
        """Remove what was not finished."""
        for temporary, _ in self.files:
            with suppress(OSError):  # it has its name already
                os.unlink(temporary)
        for directory in reversed(self.directories):
            with suppress(OSError):  # not empty: another program has put something there
                directory.rmdir()


_OPEN: ContextVar[Batch | None] = ContextVar("open batch", default=None)


@contextmanager
def all_or_none() -> Iterator[Batch]:
    """Give files their names at the end of the outermost of these blocks, none of them if anything fails before.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "table.csv"
    ...     with all_or_none() as batch:
    ...         batch.write(target, lambda temporary: Path(temporary).write_text("a,b"))
    ...         target.exists()
    ...     target.read_text()
    False
    'a,b'
    """
    if (outer := _OPEN.get()) is not None:
        yield outer
        return
    batch = Batch()
    token = _OPEN.set(batch)
    try:
        yield batch
        batch.finish()
    finally:
        _OPEN.reset(token)
        batch.discard()


@contextmanager
def refused(path: Path) -> Iterator[None]:
    """Turn what the system refuses into a sentence about a file."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}. Choose another place.") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
