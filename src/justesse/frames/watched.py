"""Files as they were when a verb began: a result must be about one version of its data."""

import glob
import hashlib
import os
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError

State = tuple[int, ...]


class WatchedPath(str):
    """A path or pattern that remembers the state of its files; to all readers it is a path like another."""

    states: dict[str, State]


def watched(data: Any) -> Any:
    """Note the state of files before they are read; what is no path is given back as it is.

    >>> watched([0, 1])
    [0, 1]
    """
    if not isinstance(data, (str, os.PathLike)) or isinstance(data, WatchedPath):
        return data
    path = WatchedPath(os.fspath(data))
    path.states = {name: _state(name) for name in file_names(path)}
    return path


def check_unchanged(*sources: Any) -> None:
    """Refuse files that were replaced or changed since they were watched: what was counted would be a mixture."""
    for source in sources:
        if not isinstance(source, WatchedPath):
            continue
        now = {name: _state(name) for name in file_names(source)}
        changed = sorted(name for name in {*now, *source.states} if now.get(name) != source.states.get(name))
        if changed:
            raise FileError(
                f"{changed[0]} was changed or replaced while it was read, or since. The figures may mix both "
                "versions. Run the command again."
            )


def fingerprints(source: Any) -> list[tuple[Path, str]]:
    """Give the SHA-256 of each file, refusing files that are no longer what was counted."""
    check_unchanged(source)
    prints = [(Path(name), _fingerprint(name)) for name in file_names(source)]
    check_unchanged(source)
    return prints


def file_names(source: Any) -> list[str]:
    """List the file a path names, or all that a pattern matches; none for what is not a path."""
    if not isinstance(source, (str, os.PathLike)):
        return []
    path = os.path.expanduser(os.fspath(source))
    if os.path.exists(path) and Path(path).is_dir():  # a folder of evaluation logs
        return [str(file) for file in sorted(Path(path).rglob("*")) if file.is_file()]
    names = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    return [name for name in names if Path(name).is_file()]


def _state(name: str) -> State:
    """Give what changes when a file is written or replaced, without reading it."""
    try:
        now = Path(name).stat()
    except OSError:
        return ()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _fingerprint(name: str) -> str:
    with open(name, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
