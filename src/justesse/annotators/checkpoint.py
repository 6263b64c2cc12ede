"""What a trained model answered, kept on disk, so that a run that was stopped goes on where it was."""

from collections.abc import Sequence

import numpy as np

from justesse.annotators.snapshots import Snapshot
from justesse.core.checkpoint import Checkpoint


def write_snapshots(checkpoint: Checkpoint, kept: Sequence[Snapshot], instances: int) -> None:
    """Write the states of one model to a file, whole or not at all."""
    checkpoint.write(
        names=np.array([state.name for state in kept], dtype=str),
        errors=np.array([state.error for state in kept], dtype=float),
        answers=np.array([state.answers for state in kept], dtype=np.int16).reshape(len(kept), instances),
    )


def read_snapshots(checkpoint: Checkpoint, instances: int) -> list[Snapshot] | None:
    """Read them back; `None` if there is no such file, or it is damaged or of other work and must be made again.

    >>> read_snapshots(Checkpoint.of("nowhere", "00000", ("tree", 1)), 10) is None
    True
    """
    arrays = checkpoint.read()
    if arrays is None or set(arrays) != {"names", "errors", "answers"}:
        return None
    names, errors, answers = arrays["names"].tolist(), arrays["errors"].tolist(), arrays["answers"]
    if answers.shape != (len(names), instances) or answers.dtype != np.int16 or len(errors) != len(names):
        return None
    return [Snapshot(*state) for state in zip(names, answers, errors, strict=True)]
