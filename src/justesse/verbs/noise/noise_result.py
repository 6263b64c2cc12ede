"""What the five measuring parts of `justesse noise` have in common: their result."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Document, KeyFigure, Section
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.file_facts import file_facts

MANY = 20  # classes past which those that matter most come first


@dataclass(frozen=True, repr=False)
class NoiseResult(Result):
    """The result of one part of `justesse noise`: an answer, and a list of figures.

    Parameters
    ----------
    n
        Number of rows.
    answer
        The answer in words.
    figures
        Bounds, biases, estimates or breakdown rates.
    assumptions
        What the figures assume.
    warnings
        What may be misread.
    details
        Further keys of the JSON.
    source
        The data as they came.
    """

    part: ClassVar[str]
    title: ClassVar[str]
    n: int
    answer: str
    figures: tuple[Any, ...]
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    source: Any = None

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """The figures as plain data, as in the JSON."""
        return tuple(figure.to_dict() for figure in self.figures)

    @property
    def native(self) -> Any:
        return self.source

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.n,
            "answer": self.answer,
            self.part: list(self.rows),
            **self.details,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        return as_columns(self.rows)

    @abstractmethod
    def sections(self) -> list[Section]:
        """Describe the figures."""

    def key_figures(self) -> list[KeyFigure]:
        """Give the numbers to see first."""
        return []

    def document(self) -> Document:
        return Document(
            self.title,
            self.answer,
            self.sections(),
            self.to_dict(),
            name=f"noise-{self.part}",
            figures=self.key_figures(),
            cautions=self.warnings,
            assumptions=self.assumptions,
            facts=[("rows", message("{n:count}", n=self.n)), *file_facts(self.source), ("justesse", __version__)],
        )


def as_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Lay a list of objects out as columns; an interval becomes its two ends, classes text.

    >>> as_columns([{"name": "a", "class": 1, "interval": {"low": 0.1, "high": 0.2, "level": 0.95, "method": "wilson"}}])
    {'name': ['a'], 'class': ['1'], 'low': [0.1], 'high': [0.2]}
    """
    flat = []
    for row in map(dict, rows):
        if "interval" in row:
            interval = row.pop("interval") or {"low": None, "high": None}
            row |= {"low": interval["low"], "high": interval["high"]}
        if row.get("class") is not None:
            row["class"] = str(row["class"])
        flat.append(row)
    names = list(dict.fromkeys(name for row in flat for name in row))
    return {name: [row.get(name) for row in flat] for name in names}
