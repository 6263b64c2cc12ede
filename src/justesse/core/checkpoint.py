"""What was computed, kept on disk as arrays, so that work that was stopped goes on where it was."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import OptionError

Array = NDArray[Any]


def place(folder: str | Path, name: str, facts: Any) -> Path:
    """Name the file of one piece of work after all that it depends on: other data or settings, another file.

    >>> place("kept", "tree-00000", (1, "a")).name
    'tree-00000-....npz'
    """
    import joblib

    try:
        return Path(folder) / f"{name}-{joblib.hash(facts)[:16]}.npz"
    except Exception as error:
        raise OptionError(f"a checkpoint needs models and data that can be pickled; got {error}") from error


def write_arrays(path: Path, **arrays: Array) -> None:
    """Write arrays to a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    unfinished.replace(path)


def read_arrays(path: Path) -> dict[str, Array] | None:
    """Read them back; `None` if there is no such file, or it is damaged and must be made again.

    >>> read_arrays(Path("nowhere.npz")) is None
    True
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception:  # a damaged archive can raise nearly anything
        return None
