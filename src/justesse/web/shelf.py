"""Where the audits of a server are."""

from pathlib import Path
from typing import Protocol

from justesse.core.errors import FileError
from justesse.store.address import AuditAddress, StoreAddress

AUDIT = ".audit"
STORE = "justesse.db"  # of a directory


LONGEST_FILE_NAME = 255  # bytes, in the usual file systems


class Shelf(Protocol):
    """A place with audits, each with a name."""

    @property
    def title(self) -> str:
        """What people call the place."""

    @property
    def folder(self) -> Path | None:
        """The directory of images and other files; `None` if there is none."""

    @property
    def store(self) -> StoreAddress:
        """The store of evaluations; it need not exist yet."""

    def audits(self) -> list[str]:
        """List the names of all audits."""

    def place(self, name: str) -> Path | AuditAddress | None:
        """Return what opens an audit; `None` if there is none of this name."""

    def new(self, name: str) -> Path | AuditAddress:
        """Return the place of a new audit."""


class Directory:
    """The audits in a directory: its files that end in .audit."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise FileError(f"Directory {str(folder)!r} not found. Name a directory with audits, or create it first.")
        self._folder = folder.resolve()

    @property
    def title(self) -> str:
        return self._folder.name or str(self._folder)

    @property
    def folder(self) -> Path | None:
        return self._folder

    @property
    def store(self) -> StoreAddress:
        return StoreAddress.read(self._folder / STORE)

    def audits(self) -> list[str]:
        """List the audit files."""
        return sorted(path.name for path in self._folder.glob(f"*{AUDIT}") if self.place(path.name))

    def place(self, name: str) -> Path | None:
        """Return the path of an audit file; no name leads out of the directory.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "my.audit").write_text("")
        ...     shelf = Directory(Path(folder))
        ...     [bool(shelf.place(name)) for name in ("my.audit", "no.audit", "../my.audit", ".audit", "a\\0.audit")]
        [True, False, False, False, False]
        """
        return file_inside(self._folder, name, AUDIT)

    def new(self, name: str) -> Path:
        return self._folder / name


def file_inside(folder: Path, name: str, ending: str) -> Path | None:
    """Return the path of a file of a directory; `None` unless it is there, and inside when links are followed."""
    if not plain_name(name, ending):
        return None
    path = folder / name
    try:
        inside = path.is_file() and path.resolve().is_relative_to(folder)
    except OSError:
        return None
    return path if inside else None


def plain_name(name: str, ending: str = AUDIT) -> bool:
    """Tell whether a name is that of a file in a directory, not a path or a hidden file."""
    if len(name.encode(errors="replace")) > LONGEST_FILE_NAME:
        return False
    return name.endswith(ending) and not name.startswith(".") and name.isprintable() and not set("/\\:") & set(name)
