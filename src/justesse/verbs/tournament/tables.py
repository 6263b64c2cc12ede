"""Tables of classifiers by name."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError
from justesse.frames.logs.log_facts import LogTable


def entrant_tables(data: Any, others: Sequence[Any]) -> dict[str, Any]:
    """Name tables by their files, as briefly as distinguishes them."""
    if not others:
        return {"": data}
    tables = (data, *others)
    named = [table.facts.shown if isinstance(table, LogTable) else table for table in tables]
    paths = [Path(table) if isinstance(table, (str, os.PathLike)) else None for table in named]
    names = [path.name if path else f"classifier {at}" for at, path in enumerate(paths, 1)]
    if len(set(names)) < len(names):
        names = [str(path) if path else name for path, name in zip(paths, names, strict=True)]
    if len(set(names)) < len(names):
        raise InputError(f"The same file is named twice: {names!r}. Name each file once.")
    return dict(zip(names, tables, strict=True))
