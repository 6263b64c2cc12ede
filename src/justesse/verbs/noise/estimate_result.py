"""The share of wrong labels, as a result."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from justesse.core.errors import OptionError
from justesse.core.levels import shown_name
from justesse.core.tally import Tally
from justesse.frames.native import write_table
from justesse.report.document import Column, Figure, KeyFigure, Section, Table
from justesse.verbs.noise.noise_result import MANY, NoiseResult
from justesse.verbs.noise.transition_section import transition_section


@dataclass(frozen=True, repr=False)
class NoiseEstimate(NoiseResult):
    """The share of wrong labels, overall and of each true class, and the transition table."""

    part: ClassVar[str] = "estimate"
    title: ClassVar[str] = "Share of wrong labels"
    pairs: Tally | None = None
    level: str = "95 % CI"

    def key_figures(self) -> list[KeyFigure]:
        return [KeyFigure("Wrong labels", self.figures[0], "share")]

    def sections(self) -> list[Section]:
        whole, *classes = self.figures
        if many := len(classes) > MANY:
            classes.sort(key=lambda rate: (rate.value != rate.value, -rate.value))
        head: list[str | Column] = [
            "true class", Column("wrong labels", "share"), Column(self.level, "share_interval"),
            Column("n", "count"), Column("method", "method", 1),
        ]  # fmt: skip
        rows = [["all", *[whole] * 4], *([shown_name(rate.class_name), *[rate] * 4] for rate in classes)]
        table = Table("Share of wrong labels", head, rows, "Most wrong labels first." if many else "")
        assert self.pairs is not None
        section = Section("rates", "Share of wrong labels", [Figure(self._draw), table], "headline")
        return [section, transition_section(self.pairs, "summary")]

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {"rates": self._draw}

    def _draw(self) -> Any:
        from justesse import charts

        return charts.class_rate_chart(self.figures, "Share of wrong labels by true class", "wrong labels")

    def write_transition(self, path: str | os.PathLike[str]) -> Path:
        """Write the transition table as CSV, true classes down and labels across, as `--transition` takes it."""
        if Path(path).suffix.lower() != ".csv":
            raise OptionError(f"A transition table is written as .csv; got {os.fspath(path)!r}.")
        names = [str(name) for name in self.details["classes"]]
        table = {(str(true), str(label)): size for true, label, size in self.details["transition"]}
        columns: dict[str, list[Any]] = {"true": names}
        columns |= {label: [table.get((true, label), 0) for true in names] for label in names}
        return write_table(columns, Path(path), exact=True)
