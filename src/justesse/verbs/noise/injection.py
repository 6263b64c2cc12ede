"""What `justesse.noise_inject` returns: labels with noise, and how they were made."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame
from justesse.frames.table import TypedTable
from justesse.noise.noisy import Noisy
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.file_facts import file_facts
from justesse.verbs.noise.feature_noise import PathLike
from justesse.verbs.noise.transition_section import transition_section

KEYS = ("rate", "realised", "wrong", "n", "spared", "seed")


@dataclass(frozen=True)
class Version:
    """Labels with noise, and the column they are in."""

    noisy: Noisy
    column: str


@dataclass(frozen=True, repr=False)
class Injection(Result):
    """Labels with noise, one version for each rate, and how they were made.

    Parameters
    ----------
    model
        Model of the noise.
    versions
        Labels, true classes and realised rate of each version.
    table
        The whole table with the new columns; `to_frame` gives it, `save` writes it.
    source
        The data as they came.
    file
        Where the table was written.
    warnings
        What may be misread.
    """

    model: str
    versions: tuple[Version, ...]
    table: TypedTable
    source: Any
    file: Path | None
    warnings: tuple[str, ...]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the versions assume."""
        return tuple(dict.fromkeys(text for version in self.versions for text in version.noisy.assumptions))

    @property
    def highest(self) -> Noisy:
        """The version with the highest rate."""
        return max((version.noisy for version in self.versions), key=lambda noisy: noisy.rate)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "inject": self._rows(),
            "transition": self.highest.tally.cells(),
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
        }

    def _rows(self) -> list[dict[str, Any]]:
        file = None if self.file is None else str(self.file)
        rows = []
        for version in self.versions:
            facts = version.noisy.to_dict()
            about = {"model": self.model, "method": facts["model"], **{key: facts[key] for key in KEYS}}
            rows.append({**about, "file": file, "column": version.column})
        return rows

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay out the rates of each version; the table itself is `to_frame`."""
        rows = self._rows()
        return {key: [row[key] for row in rows] for key in ("column", *KEYS)}

    def to_frame(self) -> Any:
        """Give the table with noisy labels and true classes, in the caller's kind of data frame (Arrow for a path)."""
        return native_frame(self.table.typed, like=self.source)

    def save(self, path: PathLike) -> Path:
        """Write the table with noisy labels and true classes, .csv or .parquet; whole or not at all."""
        return self.table.save(Path(path))

    def document(self) -> Document:
        facts, seed = self.highest.to_dict(), self.highest.seed
        head: list[str | Column] = [
            "column", Column("rate asked", "share"), Column("realised", "share"), Column("wrong labels", "count"),
            Column("rows", "count", 1), Column("not changed", "count", 2),
        ]  # fmt: skip
        rows = [
            [row["column"], row["rate"], row["realised"], row["wrong"], row["n"], row["spared"]] for row in self._rows()
        ]
        note = (
            "Not changed: rows that should have been wrong but have no plausible wrong class."
            if facts["spared"]
            else ""
        )
        several = " (highest rate)" if len(self.versions) > 1 else ""
        headline = message(
            "{wrong:count} of {n:count} labels made wrong ({realised:share}){several}: {model}.",
            several=several, **facts,
        )  # fmt: skip
        return Document(
            "Labels with noise",
            headline,
            [
                Section("versions", "Versions", [Table("Noisy labels", head, rows, note)], "headline"),
                transition_section(self.highest.tally, "summary"),
            ],
            self.to_dict(),
            name="noise-inject",
            cautions=self.warnings,
            assumptions=self.assumptions,
            facts=[("rows", message("{n:count}", n=facts["n"])), *file_facts(self.source), ("justesse", __version__)],
            seed=seed,
        )
