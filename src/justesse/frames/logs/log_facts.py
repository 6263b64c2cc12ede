"""A log as a table: its columns, what it says about its run, and what kinds of answers it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from justesse.frames.memory import from_arrays
from justesse.frames.rows import DuckRows

Reply = Literal["answered", "empty", "refused", "unparseable", "failed"]
NO_ANSWER: tuple[Reply, ...] = ("empty", "refused", "unparseable", "failed")


@dataclass(frozen=True)
class TaskFacts:
    """One task of a log: its settings, and what was chosen."""

    name: str
    samples: int
    metric: str
    metrics: tuple[str, ...]
    filter: str = ""
    filters: tuple[str, ...] = ()
    version: str | None = None
    shots: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    status: str = "success"
    expected: int | None = None
    scored_by: str | None = None
    made_here: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "task": self.name,
            "samples": self.samples,
            "expected": self.expected,
            "status": self.status,
            "version": self.version,
            "shots": self.shots,
            "filter": self.filter or None,
            "filters": [name for name in self.filters if name],
            "metric": self.metric,
            "metrics": list(self.metrics),
            "scored_by": self.scored_by,
        }


@dataclass(frozen=True)
class LogFacts:
    """A log as a table: where it comes from, how right and wrong were decided, and what kinds of answers it has.

    Parameters
    ----------
    source
        File or folder.
    format, model
        Their names.
    tasks
        The tasks read.
    n, questions
        Number of samples, and of different questions.
    epochs
        Largest number of samples of one question.
    by_class
        Whether labels are the targets, or every sample is just right or wrong.
    targets
        Whether the log has the right answers.
    replies
        Number of samples by kind of answer.
    examples
        Answers that are none of the classes, with their numbers, most frequent first.
    contradictions
        Answers that are the target but count as wrong.
    rescored
        Questions with an answer that is right in one sample and wrong in another.
    duplicates
        Samples that repeat another one word for word.
    among_models
        Whether the log has further models.
    """

    source: str
    format: str
    model: str
    tasks: tuple[TaskFacts, ...]
    n: int
    questions: int
    epochs: int
    by_class: bool
    targets: bool
    replies: Mapping[Reply, int]
    examples: tuple[tuple[str, int], ...] = ()
    contradictions: int = 0
    rescored: int = 0
    duplicates: int = 0
    among_models: bool = False  # whether the log has further models, so that the source does not name this one

    @property
    def shown(self) -> str:
        """The name of this run: its file or folder, or its model if the log has several."""
        return self.model if self.among_models else self.source

    @property
    def unanswered(self) -> int:
        """Number of samples without an answer that can be read."""
        return sum(self.replies.get(kind, 0) for kind in NO_ANSWER)

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "format": self.format,
            "model": self.model or None,
            "tasks": [task.to_dict() for task in self.tasks],
            "samples": self.n,
            "questions": self.questions,
            "epochs": self.epochs,
            "by_class": self.by_class,
            "targets": self.targets,
            "replies": {kind: self.replies.get(kind, 0) for kind in ("answered", *NO_ANSWER)},
            "unparsed": [[text, n] for text, n in self.examples],
        }


@dataclass(frozen=True, eq=False)
class LogTable:
    """The samples of a log as columns, and what is known about the run.

    `classes` are right and wrong if the log is not read by class, else `None`. `any_of` separates several right answers
    of one question; `None` if every question has one.
    """

    facts: LogFacts
    columns: Mapping[str, Sequence[Any]]
    classes: tuple[str, ...] | None = None
    any_of: str | None = None

    def without_rows(self) -> "LogTable":
        """Give what is known about the run, without its samples."""
        return replace(self, columns={})

    @cached_property
    def rows(self) -> DuckRows:
        """The table as rows that can be counted and joined."""
        return replace(from_arrays(self.columns), name=self.facts.source)
