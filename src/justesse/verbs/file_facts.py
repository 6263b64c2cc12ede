"""What was read, for the last section of a page: files and their fingerprints, lists of names."""

from collections.abc import Mapping
from typing import Any

from justesse.core.first_names import first_names
from justesse.frames.watched import fingerprints

SHOWN = 12


def shortened(names: list[str]) -> str:
    """List the first names and count the others.

    >>> shortened(["a", "b"])
    '2: a, b'
    """
    return f"{len(names):,}: {first_names(names, SHOWN, write=str)}"


def file_facts(source: Any) -> list[tuple[str, str]]:
    """Name a file, or all that a pattern matches, and their fingerprints, if the data came from files."""
    return [fact for file, digest in fingerprints(source) for fact in (("file", file.name), ("its SHA-256", digest))]


def column_facts(columns: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name the column of each role; several columns are listed.

    >>> column_facts({"label": "y", "by": ["site", "sex"]})
    [('label', 'y'), ('by', 'site, sex')]
    """
    return [
        (role, ", ".join(map(str, names)) if isinstance(names, list | tuple) else str(names))
        for role, names in columns.items()
    ]
