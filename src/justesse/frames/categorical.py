"""Which columns came as categories: those of pandas and Polars, and dictionary columns of Arrow and Parquet."""

import glob
import json
import os
from collections.abc import Mapping
from typing import Any

PARQUET, ARROW = (".parquet", ".pq"), (".arrow", ".feather", ".ipc")


def categorical_columns(data: Any) -> frozenset[str]:
    """Name the columns whose type says category; a CSV or JSON file has none.

    >>> import pyarrow as pa
    >>> sorted(categorical_columns(pa.table({"a": pa.array(["1", "2"]).dictionary_encode(), "b": ["1", "2"]})))
    ['a']
    """
    if isinstance(data, str | os.PathLike):
        return _of_file(os.path.expanduser(os.fspath(data)))
    if isinstance(data, Mapping):
        return frozenset(str(name) for name, values in data.items() if str(getattr(values, "dtype", "")) == "category")
    import narwhals as nw

    try:
        schema = nw.from_native(data).collect_schema()
    except (TypeError, nw.exceptions.NarwhalsError):
        return frozenset()
    return frozenset(str(name) for name, kind in schema.items() if kind in (nw.Categorical, nw.Enum))


def _of_file(pattern: str) -> frozenset[str]:
    import pyarrow as pa
    import pyarrow.parquet

    files = [pattern] if os.path.exists(pattern) else glob.glob(pattern, recursive=True)
    try:
        if len(files) != 1 or not files[0].lower().endswith(PARQUET + ARROW):
            return frozenset()
        if files[0].lower().endswith(PARQUET):
            schema = pyarrow.parquet.read_schema(files[0])
        else:
            with pa.OSFile(files[0]) as source:
                schema = pa.ipc.open_file(source).schema
    except (OSError, ValueError):  # a stream, or a file that the reader of rows explains
        return frozenset()
    # Parquet keeps categories of numbers as numbers: only what pandas notes beside them says what they were
    noted = json.loads((schema.metadata or {}).get(b"pandas", b"{}")).get("columns", [])
    own = {item.get("field_name") for item in noted if item.get("pandas_type") == "categorical"}
    return frozenset(field.name for field in schema if pa.types.is_dictionary(field.type) or field.name in own)
