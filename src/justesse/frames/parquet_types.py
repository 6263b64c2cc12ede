"""Columns of a Parquet file whose types DuckDB would read as something else."""

from collections.abc import Sequence

from justesse.core.errors import ClassError
from justesse.frames.engine import connection, literal


def check_column_types(path: str, shown: str, columns: Sequence[str]) -> None:
    """Refuse columns of bare bytes and of durations; `path` is the file as an SQL literal, `shown` its name.

    Bytes of a fixed length are what writers make of 128-bit integers, and a duration is stored as a plain number: only
    the schema that Arrow adds to the file says what it is.
    """
    types = _types(path)
    for name in columns:
        kind, annotated = types.get(name, ("", True))
        if kind == "FIXED_LEN_BYTE_ARRAY" and not annotated:
            raise ClassError(
                f"Column {name!r} of {shown} has bytes of a fixed length (128-bit integers?), which cannot be "
                "read. Write it as text or as 64-bit integers."
            )
    bare = [name for name in columns if types.get(name) == ("INT64", False)]
    for name in bare and _durations(path):
        if name in bare:
            raise ClassError(
                f"Column {name!r} of {shown} has durations, which cannot be read as classes or numbers. Name "
                "another column, or write the durations as text or as numbers."
            )


def _types(path: str) -> dict[str, tuple[str, bool]]:
    """Return how each column is stored, and whether anything says what that means."""
    asked = f"SELECT name, type, coalesce(converted_type, logical_type) IS NOT NULL FROM parquet_schema({path})"
    return {name: (str(kind), bool(annotated)) for name, kind, annotated in connection().sql(asked).fetchall()}


def _durations(path: str) -> list[str]:
    """Return the columns that Arrow's own schema calls durations."""
    asked = f"SELECT value FROM parquet_kv_metadata({path}) WHERE key = {literal('ARROW:schema')}::BLOB"
    kept = connection().sql(asked).fetchall()
    if not kept:
        return []
    import base64

    import pyarrow as pa

    schema = pa.ipc.read_schema(pa.BufferReader(base64.b64decode(bytes(kept[0][0]))))
    return [field.name for field in schema if pa.types.is_duration(field.type)]
