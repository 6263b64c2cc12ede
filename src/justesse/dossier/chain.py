"""The chain of a project: every dossier names the one before it and its checksum, so that none can be lost unseen.

A project is a directory. The dossiers in it are numbered from 1.
"""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.dossier.layout import FIRST_KEY, UnreadableDossierError, read_record
from justesse.dossier.seal import SEAL, SIGNATURE, broken

try:
    import fcntl
except ImportError:  # Windows: two dossiers written at once may follow the same one
    fcntl = None  # type: ignore[assignment]

THREADS = threading.RLock()
HELD: set[str] = set()  # projects that this process has locked


@dataclass(frozen=True)
class ChainLink:
    """A dossier of a project: its file, its number, its checksum, the one before it, and whether it is signed."""

    path: Path
    number: int
    sha256: str
    previous: dict[str, Any] | None
    is_signed: bool = False


@contextmanager
def locked(project: Path) -> Iterator[None]:
    """Let one process and one thread at a time append to the chain; whoever has the lock may take it again."""
    place = os.path.realpath(project)
    with THREADS:
        if place in HELD or fcntl is None:
            yield
            return
        handle = os.open(project, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            HELD.add(place)
            yield
        finally:
            HELD.discard(place)
            os.close(handle)


def links(project: Path) -> list[ChainLink]:
    """List the dossiers of a project by their numbers; files that are none are left out."""
    members = [_link(path) for path in sorted(project.iterdir()) if path.is_file() and _may_be(path)]
    return sorted((link for link in members if link), key=lambda link: (link.number, link.path.name))


def next_link(project: Path) -> dict[str, Any]:
    """Give what a new dossier says about the chain of its project."""
    members = links(project)
    if not members:
        return {"number": 1, "previous": None}
    last = members[-1]
    return {"number": last.number + 1, "previous": {"file": last.path.name, "sha256": last.sha256}}


def _may_be(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(32).startswith(f'{{\n "{FIRST_KEY}": '.encode())
    except OSError:
        return False


def _link(path: Path) -> ChainLink | None:
    """Read what a dossier says about the chain; the rest of the file is not checked here."""
    try:
        record = json.loads(path.read_bytes())
        chain = record["chain"]
        sha256, is_signed = str(record[SEAL]["sha256"]), record.get(SIGNATURE) is not None
        return ChainLink(path, int(chain["number"]), sha256, chain["previous"], is_signed)
    except (ValueError, KeyError, TypeError, OSError):
        return None


def is_chain(chain: Any) -> bool:
    """Tell whether something is what a dossier says about its chain.

    >>> is_chain({"number": 1, "previous": None}), is_chain([])
    (True, False)
    """
    if not isinstance(chain, dict) or not {"number", "previous"} <= set(chain):
        return False
    number, previous = chain["number"], chain["previous"]
    if not isinstance(number, int) or isinstance(number, bool):
        return False
    if previous is None:
        return True
    return isinstance(previous, dict) and all(
        isinstance(previous.get(key), str) and "\0" not in previous[key] for key in ("file", "sha256")
    )


def chain_fault(path: Path, record: dict[str, Any], project: Path | None = None) -> tuple[str, str] | None:
    """Follow the chain of a dossier to its beginning, and to the dossier after it; say what is wrong, and where.

    `None` if every link is there. A later dossier never has an earlier schema.

    Parameters
    ----------
    path
        File of the dossier.
    record
        Its content.
    project
        Directory of the dossiers before it. Default: the directory of the file.
    """
    folder = path.parent if project is None else project
    number, previous, shown = record["chain"]["number"], record["chain"]["previous"], path.name
    schema = record[FIRST_KEY]
    if follower := _follows_another(path, record, folder):
        return "/seal/sha256", f"{follower} follows {path.name} with another checksum, so this file was replaced"
    while previous is not None:
        earlier = folder / Path(previous["file"]).name
        sha256, name = previous["sha256"], previous["file"]
        if not earlier.is_file():
            moved = next((link for link in links(folder) if link.sha256 == sha256), None)
            if moved is None:
                return (
                    "/chain/previous",
                    f"dossier {number - 1} of the project ({name}), which {shown} follows, is missing from {folder}",
                )
            earlier = moved.path
        try:
            older = read_record(earlier)
        except (UnreadableDossierError, FileError) as error:
            return "/chain/previous", f"dossier {number - 1} cannot be read: {error}"
        seal = older.get(SEAL)
        if not isinstance(seal, dict) or seal.get("sha256") != sha256:
            return "/chain/previous", f"{earlier.name} is not the dossier that {shown} follows: its checksum differs"
        if places := broken(older):
            return "/chain/previous", f"{earlier.name}, an earlier dossier, was changed at {places[0].where}"
        if not is_chain(older.get("chain")):
            return "/chain/previous", f"{earlier.name}, an earlier dossier, does not say what it follows"
        if older["chain"]["number"] != number - 1:
            return (
                "/chain/number",
                f"{shown} has the number {number}, but the dossier before it {older['chain']['number']}",
            )
        if isinstance(older[FIRST_KEY], int) and older[FIRST_KEY] > schema:
            return (
                "/dossier",
                f"{shown} has schema {schema}, but {earlier.name} before it {older[FIRST_KEY]}: the schema was lowered",
            )
        schema = older[FIRST_KEY]
        number, previous, shown = older["chain"]["number"], older["chain"]["previous"], earlier.name
    return (
        None if number == 1 else ("/chain/number", f"{shown} begins the chain, so its number must be 1; got {number}")
    )


def _follows_another(path: Path, record: dict[str, Any], folder: Path) -> str | None:
    """Find a dossier of the project that follows the file of this name, but not this content."""
    number, own = record["chain"]["number"], record[SEAL]["sha256"]
    members = links(folder)
    if path.name not in {link.path.name for link in members}:
        return None
    known = {link.sha256 for link in members}
    return next(
        (
            link.path.name
            for link in members
            if link.number == number + 1
            and is_chain({"number": link.number, "previous": link.previous})
            and link.previous is not None
            and link.previous["file"] == path.name
            and link.previous["sha256"] != own
            and link.previous["sha256"] not in known
        ),
        None,
    )


def signed_others(path: Path, project: Path | None = None) -> int:
    """Count the other dossiers of a project that are signed."""
    folder = path.parent if project is None else project
    return sum(link.is_signed and link.path.name != path.name for link in links(folder)) if folder.is_dir() else 0
