"""Rankings of instances by difficulty, kept in a Parquet file: columns, and what they mean in its metadata."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import FileError
from justesse.core.results import ClassName
from justesse.frames.files import check_regular
from justesse.frames.native import write_whole

KEY = b"justesse.ranking"


@dataclass(frozen=True, eq=False)
class SavedRanking:
    """Columns with a value for each instance, and what they mean: positions in `classes`.

    `seed` is `None` if nothing was drawn to make them.
    """

    columns: dict[str, NDArray[Any]]
    classes: tuple[ClassName, ...]
    method: str
    seed: int | None


def write_ranking(path: Path, ranking: SavedRanking) -> Path:
    """Write a ranking, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet

    about = {"classes": ranking.classes, "method": ranking.method, "seed": ranking.seed}
    written = {KEY: json.dumps(about, ensure_ascii=False).encode()}
    table = pa.table({name: pa.array(column) for name, column in ranking.columns.items()})
    return write_whole(
        path, lambda temporary: pyarrow.parquet.write_table(table.replace_schema_metadata(written), temporary)
    )


def read_ranking(path: Path) -> SavedRanking:
    """Read back what `write_ranking` wrote; anything else is refused.

    >>> read_ranking(Path("nowhere.parquet"))
    Traceback (most recent call last):
    justesse.core.errors.FileError: nowhere.parquet is damaged or not a Parquet file …
    """
    import pyarrow as pa
    import pyarrow.parquet

    check_regular(path)
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            table = file.read()
    except (OSError, pa.ArrowException) as error:
        raise FileError(
            f"{path} is damaged or not a Parquet file ({str(error).splitlines()[0]}). Remove it, or name another file."
        ) from error
    foreign = FileError(f"{path} is a Parquet file, but not a ranking written by justesse. Name another file.")
    try:
        about = json.loads((table.schema.metadata or {})[KEY])
        classes, method, seed = tuple(about["classes"]), str(about["method"]), about["seed"]
    except (KeyError, TypeError, ValueError) as error:
        raise foreign from error
    columns = {name: table[name].to_numpy() for name in table.column_names}
    if any(column.dtype.kind not in "if" or np.isnan(column).any() for column in columns.values()):
        raise foreign
    return SavedRanking(columns, classes, method, seed)
