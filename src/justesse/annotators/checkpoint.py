"""What a trained model answered, kept on disk, so that a run that was stopped goes on where it was."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from justesse.annotators.snapshots import Snapshot


def write_snapshots(path: Path, kept: Sequence[Snapshot], instances: int) -> None:
    """Write the states of one model to a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    answers = np.array([one.answers for one in kept], dtype=np.int16).reshape(len(kept), instances)
    names, errors = np.array([one.name for one in kept], dtype=str), np.array([one.error for one in kept], dtype=float)
    with unfinished.open("wb") as file:
        np.savez_compressed(file, names=names, errors=errors, answers=answers)
    unfinished.replace(path)


def read_snapshots(path: Path, instances: int) -> list[Snapshot] | None:
    """Read them back; `None` if there is no such file, or it is damaged and must be made again.

    >>> read_snapshots(Path("nowhere.npz"), 10) is None
    True
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            names, errors, answers = arrays["names"].tolist(), arrays["errors"].tolist(), arrays["answers"]
    except Exception:  # a damaged archive can raise nearly anything
        return None
    if answers.shape != (len(names), instances) or answers.dtype != np.int16 or len(errors) != len(names):
        return None
    return [Snapshot(*one) for one in zip(names, answers, errors, strict=True)]
