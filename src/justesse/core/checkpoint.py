"""What was computed, kept on disk as arrays, so that work that was stopped goes on where it was."""

import os
import platform
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.code_behind import code_behind
from justesse.core.errors import OptionError
from justesse.core.version import __version__

KEY = "checkpoint_key"


@dataclass(frozen=True)
class Checkpoint:
    """The file of one piece of work, and the key of all that the work depends on.

    The key is in the file's name and in the file. A file that was damaged, renamed or copied from other work is never
    read: the work is done again.
    """

    path: Path
    key: str

    @classmethod
    def of(cls, folder: str | Path, name: str, facts: Any) -> "Checkpoint":
        """Name the file of one piece of work after all that it depends on.

        These are the facts (data, model, settings), the code of the model's classes and functions, and the versions of
        justesse, scikit-learn, NumPy, SciPy and Python.

        >>> Checkpoint.of("kept", "tree-00000", (1, "a")).path.name
        'tree-00000-....npz'
        """
        import joblib

        try:
            key = str(joblib.hash((facts, code_behind(facts), versions()), hash_name="sha1"))
        except Exception as error:
            raise OptionError(
                f"A checkpoint needs models and data that can be pickled. Pickling failed: {error}."
            ) from error
        return cls(Path(folder) / f"{name}-{key[:16]}.npz", key)

    def write(self, **arrays: Array) -> None:
        """Write arrays to the file, whole or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **{KEY: np.array(self.key), **arrays})  # type: ignore[arg-type]
        unfinished.replace(self.path)

    def read(self) -> dict[str, Array] | None:
        """Read the arrays back; `None` if there is no such file, it is damaged, or it is of other work.

        >>> Checkpoint(Path("nowhere.npz"), "key").read() is None
        True
        """
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as held:
                arrays = dict(held)
        except Exception:  # a damaged archive can raise nearly anything
            return None
        key = arrays.pop(KEY, None)
        return arrays if key is not None and str(key) == self.key else None


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Give the versions that results may depend on.

    >>> sorted(versions())
    ['justesse', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    result = {"justesse": __version__, "python": platform.python_version(), "numpy": np.__version__}
    for name in ("scikit-learn", "scipy"):
        try:
            result[name] = version(name)
        except PackageNotFoundError:
            result[name] = "not installed"
    return result
