"""Tables to read: files of the served directory, and files that were uploaded."""

import re
import secrets
import shutil
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fastapi import HTTPException

from justesse.core.errors import FileError, InputError
from justesse.frames.read import ENDINGS
from justesse.report.audience import for_readers
from justesse.web.unpacked import check_unpacked

MOST_UPLOADS = 20
KEPT_SECONDS = 3600.0
MOST_LISTED = 500
LONGEST_NAME = 120
DOSSIER = re.compile(rb'"dossier"\s*:\s*\d+\s*[,}]')  # the number of its format, not a column of a table
LOOKED_AT = 100_000  # bytes at both ends of a file: its keys may be sorted, and the mark may come late


@dataclass(frozen=True)
class DataFile:
    """A table to read: what it is called on pages, what names it in an address, and where it is."""

    title: str
    key: str
    path: Path


class Uploads:
    """Uploaded files, each for an hour at most; the oldest goes when there are too many."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._kept: dict[str, tuple[float, DataFile]] = {}
        self._lock = threading.Lock()

    def add(self, name: str | None, stream: BinaryIO) -> DataFile:
        """Keep an uploaded file; of its name only what cannot lead elsewhere is used."""
        title = plain_title(name)
        if not title:
            raise FileError("No file was chosen. Choose one, or take a file of the served directory.")
        key = f"upload-{secrets.token_urlsafe(12)}"
        with self._lock:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="justesse-uploads-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            folder = self._folder / key
            folder.mkdir()
        file = DataFile(title, key, folder / title)
        with open(file.path, "wb") as target:
            shutil.copyfileobj(stream, target)
        try:
            check_unpacked(file.path, title)
        except FileError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        with self._lock:
            self._kept[key] = (time.monotonic(), file)
            self._forget()
        return file

    def get(self, key: str) -> DataFile | None:
        """Return an uploaded file, unless it has expired."""
        with self._lock:
            self._forget()
            kept = self._kept.get(key)
        return kept[1] if kept else None

    def _forget(self) -> None:
        now = time.monotonic()
        expired = [key for key, (since, _) in self._kept.items() if now - since > KEPT_SECONDS]
        for key in (*expired, *list(self._kept)[len(expired) : max(len(expired), len(self._kept) - MOST_UPLOADS)]):
            _, file = self._kept.pop(key)
            shutil.rmtree(file.path.parent, ignore_errors=True)


def plain_title(name: str | None) -> str:
    """Return the last part of a file's name, without what a file system or a page could misread.

    >>> plain_title("C:\\\\data\\\\a b.csv"), plain_title("../../etc/passwd"), plain_title("..."), plain_title("*?.csv")
    ('a b.csv', 'passwd', '', '--.csv')
    """
    last = (name or "").replace("\\", "/").rpartition("/")[2]
    kept = "".join(letter if letter.isprintable() and letter not in '*?[]<>|:"' else "-" for letter in last)
    stem, dot, ending = kept.lstrip(".").rpartition(".")
    short = f"{stem[: LONGEST_NAME - len(ending)]}{dot}{ending}" if dot and len(ending) < 20 else kept[:LONGEST_NAME]
    return short.encode(errors="replace").decode().strip(". ")


def listed_files(folder: Path | None, users: Path | None = None) -> list[str]:
    """List the tables of the served directory: no folders, no hidden files, no links that lead out of it, no dossiers.

    The file of `users` is not one of them.
    """
    if folder is None:
        return []
    names = sorted(path.name for path in folder.iterdir() if served_file(folder, path.name, users) is not None)
    return [name for name in names[:MOST_LISTED] if not (name.endswith(".json") and is_dossier(folder / name))]


def is_dossier(path: Path) -> bool:
    """Tell whether a file looks like a dossier, by its first and last bytes."""
    try:
        with open(path, "rb") as stream:
            ends = [stream.read(LOOKED_AT)]
            stream.seek(max(0, path.stat().st_size - LOOKED_AT))
            ends.append(stream.read(LOOKED_AT))
    except OSError:
        return False
    return any(DOSSIER.search(part) for part in ends)


def served_file(folder: Path | None, name: str, users: Path | None = None) -> DataFile | None:
    """Return a table of the served directory; no name leads out of it, nor to the file of `users`.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a.csv", ".b.csv", "key.pem"):
    ...         _ = (Path(folder) / name).write_text("x")
    ...     [bool(served_file(Path(folder), name)) for name in ("a.csv", ".b.csv", "key.pem", "../a.csv", "a\\0.csv")]
    [True, False, False, False, False]
    """
    if folder is None or not name or name.startswith(".") or not name.isprintable() or set("/\\*?[") & set(name):
        return None
    path = folder / name
    kinds = [ending.lower() for ending in path.suffixes if ending.lower() != ".gz"]
    if not kinds or kinds[-1] not in ENDINGS:
        return None
    try:
        if not path.is_file() or not path.resolve().is_relative_to(folder):
            return None
        if users is not None and users.exists() and path.samefile(users):
            return None
    except OSError:  # such as a name that is too long
        return None
    return DataFile(name, name, path)


def file_at(folder: Path | None, uploads: Uploads, key: str, users: Path | None = None) -> DataFile:
    """Return the table that an address names."""
    file = uploads.get(key) if key.startswith("upload-") else None
    file = file or served_file(folder, key, users)
    if file is None:
        raise HTTPException(404, "This file is not here any more. Choose it again.")
    return file


def reader_words(error: InputError, *files: DataFile) -> str:
    """Write an error for people who see a page: without options of the command line, and without paths."""
    text = str(error)
    for file in files:
        text = text.replace(f"{file.path.parent}/", "")
    plain = for_readers(text)[0]
    return plain or text
