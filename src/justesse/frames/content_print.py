"""Fingerprints of data: of the bytes of a file, and of its rows in any order."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import JustesseError
from justesse.frames.memory import is_one_column
from justesse.frames.sides import side
from justesse.frames.watched import fingerprints


@dataclass(frozen=True)
class ContentPrint:
    """Rows, columns and the SHA-256 of the sorted rows; the reason if data are no table."""

    rows: int | None
    columns: tuple[str, ...]
    sha256: str | None
    unknown: str | None = None


def content_print(data: Any) -> ContentPrint:
    """Fingerprint a table by its content: the order of rows and of columns makes no difference.

    Every value counts as it is written, so 1 and 1.0 differ. The same rows in CSV and in Parquet have one fingerprint
    if their values are written alike.

    >>> first = content_print({"x": ["a", "b"], "y": [1, 2]})
    >>> first.sha256 == content_print({"y": [2, 1], "x": ["b", "a"]}).sha256, first.rows
    (True, 2)
    >>> first.sha256 == content_print({"x": ["a", "b"], "y": [2, 1]}).sha256
    False
    >>> content_print(np.eye(3)).columns
    ('0', '1', '2')
    """
    try:
        rows = side(_columns(data) if is_one_column(data) else data, "data")
        columns = sorted(rows.columns)
        values = rows.texts(columns)
        # the length before each value keeps ('ab', 'c') and ('a', 'bc') apart
        parts = ", ".join(f"coalesce(length(c{at}) || ':' || c{at}, '-')" for at in range(len(columns)))
        digests = values.project(f"sha256(concat({parts})) AS print")
        # rows are sorted in the engine, in parts that begin alike, so that no part is large
        parted = digests.aggregate(
            "left(print, 3) AS part, sha256(string_agg(print, '' ORDER BY print)) AS print", "part"
        )
        total = hashlib.sha256("\n".join(f"{len(name)}:{name}" for name in columns).encode())
        for part, digest in sorted(parted.fetchall()):
            total.update(f"\n{part}:{digest}".encode())
        return ContentPrint(rows.size, tuple(columns), total.hexdigest())
    except JustesseError as error:
        return ContentPrint(None, (), None, str(error))
    except Exception as error:
        return ContentPrint(None, (), None, f"The data cannot be read as a table ({type(error).__name__}).")


def _columns(data: Any) -> dict[str, Any]:
    """Name the columns of an array by their number if there are several."""
    array = np.asarray(data)
    if array.ndim != 2 or array.shape[1] == 1:
        return {"values": array}
    return {str(at): array[:, at] for at in range(array.shape[1])}


def data_prints(name: str, data: Any) -> list[dict[str, Any]]:
    """Describe data for a record: each file with the SHA-256 of its bytes, and the content; or data in memory."""
    files = fingerprints(data) if isinstance(data, (str, Path)) else []
    content = content_print(data)
    about = {
        "argument": name,
        "rows": content.rows,
        "columns": list(content.columns),
        "content_sha256": content.sha256,
        "unknown": content.unknown,
    }
    if not files:
        return [{**about, "files": [], "kind": _kind(data)}]
    listed = [{"file": str(path), "bytes": path.stat().st_size, "sha256": digest} for path, digest in files]
    return [{**about, "files": listed, "kind": "file"}]


def _kind(data: Any) -> str:
    return "dict" if isinstance(data, Mapping) else f"{type(data).__module__.partition('.')[0]}.{type(data).__name__}"
