"""Train many models side by side, each from its own seed, and keep on disk what is done."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from justesse.annotators.checkpoint import read_snapshots, write_snapshots
from justesse.annotators.pool import Recipe, draw_recipe, standardised
from justesse.annotators.seeded import seeded
from justesse.annotators.snapshots import Snapshot, snapshots
from justesse.core.arrays import Array
from justesse.core.checkpoint import Checkpoint
from justesse.core.errors import ClassError, OptionError
from justesse.core.parallel_map import Progress, parallel_map
from justesse.core.seeds import stream

Estimators = Sequence[Any] | Callable[[np.random.Generator], Any] | None


class Training:
    """Models to train on one data set: ready-made, given, or drawn by a function of a random generator."""

    def __init__(self, x: Any, labels: Array, size: int, estimators: Estimators, seed: int) -> None:
        if estimators is not None and not callable(estimators) and not isinstance(estimators, Sequence):
            raise OptionError(f"estimators must be a list of models, or a function that draws one; got {estimators!r}.")
        if size < 2:
            raise ClassError("Annotators can only err if there are at least two classes; got one. Check the labels.")
        self.x = standardised(x) if estimators is None else x
        if (rows := getattr(self.x, "shape", [len(self.x)])[0]) != len(labels):
            raise OptionError(f"Features and labels must have the same instances; got {rows} and {len(labels)}.")
        self.labels, self.size, self.estimators, self.seed = labels, size, estimators, seed

    @property
    def n_estimators(self) -> int | None:
        """Number of models in the list; `None` if any number can be drawn."""
        return len(self.estimators) if isinstance(self.estimators, Sequence) else None

    def recipe(self, index: int) -> Recipe:
        """Draw the model with this number, the same whichever others are trained."""
        generator = stream(self.seed, "artificial annotator", str(index))
        if self.estimators is None:
            return draw_recipe(generator, index, self.x.shape)
        drawn = self.estimators(generator) if callable(self.estimators) else self.estimators[index]
        return Recipe(type(drawn).__name__, seeded(drawn, generator))

    def run(
        self,
        indexes: range,
        *,
        below: float,
        rate: float | None,
        n_jobs: int | None,
        checkpoint: str | Path | None,
        progress: Progress | None,
    ) -> Iterator[tuple[int, list[Snapshot]]]:
        """Train the models with these numbers, or take them from the checkpoint, in order.

        Parameters
        ----------
        indexes
            Numbers of the models.
        below
            Error that a state must stay below to serve as annotator.
        rate
            Error to come close to; `None` keeps several states of each model.
        n_jobs
            Number of models trained in parallel.
        checkpoint
            Folder that keeps finished models, so that a run can be resumed.
        progress
            Called with the number of finished models and the number of all models.
        """
        import joblib

        same_data = joblib.hash((self.x, self.labels)) if checkpoint else ""
        jobs = []
        for index in indexes:
            recipe, kept_at = self.recipe(index), None
            if checkpoint:
                facts = (same_data, self.seed, index, below, rate, vars(recipe))
                kept_at = Checkpoint.of(checkpoint, f"{index:05d}", facts)
            generator = stream(self.seed, "training", str(index))
            jobs.append((recipe, self.x, self.labels, self.size, generator, below, rate, kept_at))
        trained = parallel_map(_one, jobs, total=len(jobs), n_jobs=n_jobs, progress=_from(indexes.start, progress))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield from zip(indexes, trained, strict=True)


def _from(start: int, progress: Progress | None) -> Progress | None:
    """Count on from what earlier batches have done."""
    return progress and (lambda done, total: progress(start + done, start + total))


def _one(
    recipe: Recipe,
    x: Any,
    labels: Array,
    size: int,
    generator: np.random.Generator,
    below: float,
    rate: float | None,
    kept_at: Checkpoint | None,
) -> list[Snapshot]:
    """Train one model, unless the checkpoint has it."""
    kept = read_snapshots(kept_at, len(labels)) if kept_at else None
    if kept is None:
        kept = snapshots(recipe, x, labels, size, generator, below=below, rate=rate)
        if kept_at:
            write_snapshots(kept_at, kept, len(labels))
    return kept
