"""Addresses of stores, and of audits within them: URL#NAME."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from justesse.core.errors import MissingExtraError, OptionError

WRITTEN = re.compile(r"[A-Za-z][\w+.-]+://")
SCHEMES = re.compile(r"(sqlite|postgresql|postgres)(\+\w+)?://")
SECRETS = re.compile(r"pass|secret|token|key", re.IGNORECASE)  # in the names of options after ?
LONGEST = 200  # characters of a name
EXAMPLES = "sqlite:///project.db or postgresql://host/database"


@dataclass(frozen=True)
class StoreAddress:
    """Where a store is: a SQLite file, or a database of a PostgreSQL server.

    >>> str(StoreAddress.read("postgresql://ann:secret@db.example.org/lab"))
    'postgresql://ann:***@db.example.org/lab'
    >>> str(StoreAddress.read("POSTGRESQL://db.example.org/lab?user=ann&password=secret"))
    'postgresql://db.example.org/lab?password=***&user=ann'
    """

    url: URL = field(repr=False)

    @classmethod
    def read(cls, text: str | os.PathLike[str]) -> "StoreAddress":
        """Read the address of a store: a URL, or the path of a SQLite file."""
        written = os.fspath(text)
        if not is_url(written):
            return cls(_sqlite(written))
        scheme, mark, rest = written.partition("://")
        written = f"{scheme.lower()}{mark}{rest}"
        if SCHEMES.match(written) is None:
            # the address is not repeated: it may hold a password
            raise OptionError(f"Stores are SQLite files or PostgreSQL databases. Write the address like {EXAMPLES}.")
        if written.startswith("sqlite"):
            path = written.partition("://")[2]
            if not path.startswith("/") or path in ("/", "/:memory:"):
                raise OptionError(
                    f"The address {written} names no file. Write sqlite:///project.db for a file in this directory, or "
                    "sqlite:////data/project.db for a full path."
                )
            return cls(_sqlite(path[1:]))
        try:
            url = make_url(written)
        except (ArgumentError, ValueError) as error:
            raise OptionError(f"The address of the store cannot be read. Write it like {EXAMPLES}.") from error
        if not url.database:
            raise OptionError(f"The address {shown(url)} names no database. Write it like {EXAMPLES}.")
        return cls(url.set(drivername="postgresql+psycopg"))

    @property
    def file(self) -> Path | None:
        """The SQLite file; `None` for PostgreSQL."""
        return Path(str(self.url.database)) if self.url.get_backend_name() == "sqlite" else None

    def __str__(self) -> str:
        return shown(self.url)


@dataclass(frozen=True)
class AuditAddress:
    """One audit of a store.

    >>> AuditAddress.read("sqlite:///project.db#spam").name
    'spam'
    """

    store: StoreAddress
    name: str

    @classmethod
    def read(cls, text: str) -> "AuditAddress":
        """Read the address of an audit: that of its store, #, and its name."""
        url, mark, name = text.rpartition("#")
        if not mark:
            raise OptionError(
                f"The address {StoreAddress.read(text)} names a store, but no audit in it. Add # and its name, such as "
                f"{StoreAddress.read(text)}#my-audit."
            )
        return cls(StoreAddress.read(url), checked_name(name))

    def __str__(self) -> str:
        return f"{self.store}#{self.name}"


def is_url(text: str | os.PathLike[str]) -> bool:
    """Say whether a text is the address of a database, not a path.

    >>> is_url("sqlite:///project.db#spam"), is_url("mysql://host/database"), is_url("my.audit")
    (True, True, False)
    """
    return isinstance(text, str) and WRITTEN.match(text) is not None


def place_of(text: str | os.PathLike[str]) -> Path | AuditAddress:
    """Read where an audit is: in a file, or in a store."""
    if isinstance(text, str) and is_url(text):
        return AuditAddress.read(text)
    return Path(os.path.expanduser(os.fspath(text)))


def within(store: str | os.PathLike[str] | None, name: str | os.PathLike[str] | AuditAddress) -> Path | AuditAddress:
    """Give the address of an audit from that of its store and its name; without a store, the name is a place."""
    if store is None:
        return name if isinstance(name, AuditAddress) else place_of(name)
    if isinstance(name, AuditAddress) or is_url(name):
        raise OptionError("Give the address of the store in store (--store URL) or in to (--to URL#NAME), not in both.")
    return AuditAddress(StoreAddress.read(store), checked_name(os.fspath(name)))


def checked_name(name: str) -> str:
    """Refuse names of audits that cannot be written in an address."""
    if not 0 < len(name) <= LONGEST or "#" in name or not name.isprintable() or name != name.strip():
        raise OptionError(
            f"The name of an audit in a store has 1 to {LONGEST} printable characters, no # and no space at its ends; "
            f"got {name[:LONGEST]!r}."
        )
    return name


def shown(url: URL) -> str:
    """Write an address without its password."""
    if url.get_backend_name() == "sqlite":
        return f"sqlite:///{url.database}"
    query = {name: "***" if SECRETS.search(name) else value for name, value in url.query.items()}
    return (
        url.set(drivername=url.get_backend_name(), query=query).render_as_string(hide_password=True).replace("%2A", "*")
    )


def _sqlite(path: str) -> URL:
    # a path is taken as it is: ? and % are characters of file names
    return URL.create("sqlite", database=os.path.expanduser(path))


def check_driver(address: StoreAddress) -> None:
    """Refuse an address of PostgreSQL if its driver is not installed."""
    if address.file is None:
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise MissingExtraError(
                "PostgreSQL needs psycopg. Install it: pip install 'justesse[postgres]'."
            ) from error
