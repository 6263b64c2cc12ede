"""The ranking that noise by features follows: from a file, from people's or models' answers, or from models trained."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.annotators.artificial import artificial_annotators
from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import ClassError, FileError, InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName
from justesse.frames.answers import read_answers, read_votes
from justesse.frames.features import features as learnt_from
from justesse.frames.native import check_directory, check_place
from justesse.frames.rankings import SavedRanking, read_ranking, write_ranking
from justesse.frames.table import TypedTable
from justesse.noise.ranking import Ranking
from justesse.report.writing import message

PathLike = str | os.PathLike[str]
ANNOTATORS = 100


@dataclass(frozen=True)
class Labelled:
    """A table with the column of its labels, and the classes they may be of."""

    table: TypedTable
    column: str
    labels: Array
    classes: tuple[ClassName, ...]

    @classmethod
    def of(cls, table: TypedTable, column: str, classes: Sequence[ClassName] | None) -> "Labelled":
        """Read the labels; there must be two classes, or none could be wrong."""
        labels = table.labels(column)
        names = coded(labels, classes)[1]
        if len(names) < 2:
            raise ClassError(
                f"Column {column!r} of {table.name} holds one class only, {names[0]!r}, so no label can be "
                "wrong. Name another column (--label), or all classes (--classes)."
            )
        return cls(table, column, labels, names)


@dataclass(frozen=True)
class Sources:
    """Where difficulty and plausibility come from, and how models are trained if from nowhere else."""

    answers: Any = None
    votes: Any = None
    on: str | None = None
    features: Sequence[str] | None = None
    annotators: int | None = None
    ranking: PathLike | None = None
    seed: int = 0
    jobs: int | None = None
    checkpoint: PathLike | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.answers is not None and self.votes is not None:
            raise OptionError("answers and votes are two forms of the same information. Use one of them.")
        if self.ranking is not None:
            check_place(Path(self.ranking))
        if self.checkpoint is not None:
            check_directory(Path(self.checkpoint))

    @property
    def training(self) -> dict[str, Any]:
        """The options of every function that trains models."""
        return {"seed": self.seed, "n_jobs": self.jobs, "checkpoint": self.checkpoint, "progress": self.progress}


@dataclass(frozen=True)
class HardRows:
    """A ranking, the seed of the models behind it if there are any, and what to say about it."""

    ranking: Ranking
    seed: int | None = None
    warnings: tuple[str, ...] = ()


def feature_ranking(labelled: Labelled, sources: Sources) -> HardRows:
    """Take the ranking file if it exists; otherwise make the ranking, and write that file if one is named.

    Answers or votes that were named too must be those the file was made from.
    """
    path = None if sources.ranking is None else Path(sources.ranking)
    answered = _answered(labelled, sources)
    if path and path.exists():
        saved = _read(path, labelled)
        if answered and not answered.ranking.equals(saved.ranking):
            source = "votes" if sources.answers is None else "answers"
            raise FileError(
                f"{path} is a ranking made from other {source} than those named with --{source}. Name another "
                "file for the ranking, or remove this one to create it again."
            )
        return saved
    ranked = answered or _trained(labelled, sources)
    if path:
        columns = {**ranked.ranking.to_columns(), "label": coded(labelled.labels, ranked.ranking.classes)[0]}
        write_ranking(path, SavedRanking(columns, ranked.ranking.classes, ranked.ranking.method, ranked.seed))
    return ranked


def _answered(labelled: Labelled, sources: Sources) -> HardRows | None:
    """Rank by the answers or votes that were named, if any were."""
    beside: Any = {"label": labelled.column, "classes": labelled.classes, "on": sources.on}
    if sources.votes is not None:
        votes = read_votes(sources.votes, labelled.table, **beside)
        return HardRows(Ranking.from_votes(votes, labels=labelled.labels, classes=labelled.classes))
    if sources.answers is not None:
        answers = read_answers(sources.answers, labelled.table, **beside)
        return HardRows(Ranking.from_answers(answers, labelled.labels, classes=labelled.classes))
    return None


def trained_on(labelled: Labelled, sources: Sources) -> tuple[Array, tuple[str, ...]]:
    """Give the numbers models are trained on, and what to say about columns left out."""
    without = [labelled.column, *([sources.on] if sources.on else [])]
    columns = learnt_from(labelled.table, chosen=sources.features, without=without, text=False)
    return columns.matrix, columns.warnings


def _trained(labelled: Labelled, sources: Sources) -> HardRows:
    matrix, warnings = trained_on(labelled, sources)
    size = ANNOTATORS if sources.annotators is None else sources.annotators
    try:
        answers = artificial_annotators(matrix, labelled.labels, n=size, **sources.training)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(
            f"Annotators cannot be trained on {labelled.table.name} ({error}). Check its columns."
        ) from error
    # their classes are those that occur; positions among all of them may differ
    places = np.array([labelled.classes.index(name) for name in answers.classes], dtype=answers.answers.dtype)
    ranking = Ranking.from_answers(places[answers.answers], labelled.labels, classes=labelled.classes)
    trained = message("artificial annotators trained on these rows (seed {seed})", seed=sources.seed)
    method = ranking.method.replace("annotators", str(trained))
    return HardRows(replace(ranking, method=method), sources.seed, warnings)


def _read(path: Path, labelled: Labelled) -> HardRows:
    saved = read_ranking(path)
    try:
        ranking = Ranking.from_columns(saved.columns, classes=saved.classes, method=saved.method)
        codes = coded(labelled.labels, saved.classes)[0]
    except OptionError as error:
        raise FileError(f"The ranking {path} cannot be used. {error}") from error
    except ClassError:
        codes = None
    if codes is None or not np.array_equal(saved.columns.get("label", ()), codes):
        raise FileError(
            f"{path} ranks other rows or labels than those of {labelled.table.name}. Name another file for the "
            "ranking, or remove this one to create it again."
        )
    template = "The ranking was read from {path}, because that file exists: {method}."
    return HardRows(ranking, saved.seed, (str(message(template, path=path, method=saved.method)),))
