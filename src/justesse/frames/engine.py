"""The DuckDB that reads files and counts frames: one per process, never touching the user's folder."""

import contextlib
from functools import cache

from justesse.core.uninterrupted import uninterrupted

with uninterrupted():  # its native part aborts the process if Ctrl-C arrives while it loads
    import duckdb

from justesse.frames.files import private_folder


@cache
def connection() -> duckdb.DuckDBPyConnection:
    """Open it on first use."""
    opened = duckdb.connect(config={"temp_directory": private_folder()})
    opened.execute("SET autoinstall_known_extensions = false")
    with contextlib.suppress(duckdb.Error):  # in a notebook without ipywidgets it is off, and this is an error
        opened.execute("SET enable_progress_bar = false")
    return opened


def progress() -> float | None:
    """Say which share of the query under way is done, if anything is under way and the engine knows."""
    if not connection.cache_info().currsize:
        return None
    share = connection().query_progress()
    return share / 100 if 0 <= share <= 100 else None


def check_not_stopped(error: Exception) -> None:
    """Let Ctrl-C be Ctrl-C: a query that was interrupted says nothing about the data."""
    # the engine's Python side has no type of its own for Ctrl-C, only these words
    if isinstance(error, duckdb.InterruptException) or str(error) == "Query interrupted":
        raise KeyboardInterrupt from error


def quoted(name: str) -> str:
    """Quote a column name for SQL.

    >>> print(quoted('the "label"'))
    "the \""label\"""
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text for SQL.

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"
