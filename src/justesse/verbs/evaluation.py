"""What `evaluate` hands back."""

import html
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate
from justesse.core.tally import Tally
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import Roles
from justesse.frames.native import native_frame, write_table
from justesse.intervals.estimate import Confidence
from justesse.procedures.baselines import Baseline
from justesse.verbs.words import headline, interval_words, number_words

MAIN = ("accuracy", "error", "class_weighted_error", "cost", "balanced_accuracy", "mcc", "kappa")


@dataclass(frozen=True)
class Slice:
    """The evaluation of the rows with one value of a column."""

    column: str
    value: ClassName
    n: int
    estimates: tuple[Estimate, ...]

    def to_dict(self) -> dict[str, Any]:
        found = {"column": self.column, "value": self.value, "n": self.n}
        return {**found, "measures": [one.to_dict() for one in self.estimates]}


@dataclass(frozen=True)
class Truth:
    """How often the labels are wrong, and the measures against the true classes."""

    noise: Estimate
    estimates: tuple[Estimate, ...]

    def to_dict(self) -> dict[str, Any]:
        noise = {**self.noise.to_dict(), "name": "noise_rate"}
        return {"noise_rate": noise, "measures": [one.to_dict() for one in self.estimates]}


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Every measure with its interval, the baselines beside them, and what to be careful about.

    `evaluation["accuracy"]`, `evaluation["recall", "cat"]` and `evaluation["f1", "macro"]` are single estimates;
    `measures` is all of them as a data frame of the kind that came in; `to_dict()` is exactly the `--json`.
    """

    tally: Tally
    estimates: tuple[Estimate, ...]
    baselines: tuple[Baseline, ...]
    slices: tuple[Slice, ...]
    truth: Truth | None
    positive: ClassName
    confidence: Confidence
    roles: Roles
    dropped: int
    source: Any
    warnings: tuple[str, ...]

    def __getitem__(self, key: str | tuple[str, ClassName]) -> Estimate:
        name, which = (key, None) if isinstance(key, str) else key
        for found in self.estimates:
            if found.name == name and which in (found.class_name, found.average) and _same_kind(which, found):
                return found
        raise OptionError(
            f"there is no measure {key!r}; the measures are {', '.join(sorted({e.name for e in self.estimates}))}"
        )

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on, in words."""
        found = [
            "the labels are right",
            "the rows are independent draws from the population of interest, and played no part in training or choosing",
        ]
        if self.tally.weighted:
            found.append("the weights are fixed, not estimated; intervals use the effective n = (Σw)²/Σw²")
        return tuple(found)

    def to_frame(self) -> Any:
        """Give all measures as a data frame of the caller's kind (an Arrow table for paths and arrays)."""
        return native_frame(self.to_columns(), like=self.source)

    measures = property(to_frame)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the estimates out as columns, slices below the whole."""
        rows: list[tuple[str | None, ClassName, Estimate]] = [(None, None, one) for one in self.estimates]
        rows += [(part.column, part.value, one) for part in self.slices for one in part.estimates]
        columns: dict[str, list[Any]] = {
            "by": [column for column, _, _ in rows],
            "slice": [None if column is None else str(value) for column, value, _ in rows],
            "measure": [one.name for _, _, one in rows],
            "class": [None if one.class_name is None else str(one.class_name) for _, _, one in rows],
        }
        for key in ("average", "value", "n", "undefined"):
            columns[key] = [one.to_dict()[key] for _, _, one in rows]
        for key in ("low", "high", "level", "method"):
            columns[key] = [one.interval.to_dict()[key] if one.interval else None for _, _, one in rows]
        columns["n"] = [float(n) for n in columns["n"]]
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        tally = self.tally
        weighted: dict[str, Any] = {}
        if tally.weights is not None:
            weighted = {
                "effective_n": tally.effective_n,
                "weights": [[*cell[:2], w] for cell, w in zip(tally.cells(), tally.weights.tolist(), strict=True)],
            }
        return {
            "schema": SCHEMA,
            "version": __version__,
            "n": tally.n,
            "classes": list(tally.classes),
            "positive": self.positive,
            "counts": tally.cells(),
            **weighted,
            "measures": [found.to_dict() for found in self.estimates],
            "baselines": [found.to_dict() for found in self.baselines],
            "by": [part.to_dict() for part in self.slices],
            "true": self.truth.to_dict() if self.truth else None,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": {**self.roles.axes, **({"weight": self.roles.weight} if self.roles.weight else {})},
            "dropped": self.dropped,
            "seed": self.confidence.seed,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the measures as a table: csv or parquet, by the ending; a file is there whole or not at all."""
        return write_table(self.to_columns(), Path(path))

    @property
    def main(self) -> list[Estimate]:
        """The measures of the whole: one number each."""
        return [
            found for found in self.estimates if found.name in MAIN or (found.name, found.average) == ("f1", "macro")
        ]

    def __repr__(self) -> str:
        lines = [headline(self.tally, self["accuracy"], self.confidence), ""]
        width = max(len(found.title) for found in self.main)
        lines += [f"{one.title:<{width}}  {number_words(one):>9}  {interval_words(one)}" for one in self.main]
        lines += [f"! {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(one.title)}</td><td>{number_words(one)}</td><td>{html.escape(interval_words(one))}</td></tr>"
            for one in self.main
        )
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        level = f"{100 * self.confidence.level:g} % interval"
        return (
            f"<p>{html.escape(headline(self.tally, self['accuracy'], self.confidence))}</p>"
            f"<table><thead><tr><th>measure</th><th>value</th><th>{level}</th></tr></thead><tbody>{rows}</tbody></table>"
            + (f"<ul>{notes}</ul>" if notes else "")
        )


def _same_kind(which: ClassName, found: Estimate) -> bool:
    """Do not take class `1` for class `True`, nor an average for the whole."""
    if which is None:
        return found.class_name is None and found.average is None
    return which == found.average or type(which) is type(found.class_name)
