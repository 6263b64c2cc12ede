"""What `evaluate` hands back."""

import html
import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.answer_policy import Gaps
from justesse.core.errors import OptionError
from justesse.core.levels import identity
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import Roles
from justesse.frames.native import native_frame, write_table
from justesse.intervals.estimate import Confidence
from justesse.procedures.baselines import Baseline
from justesse.verbs.if_wrong import IfWrong
from justesse.verbs.noise_words import noise_lines
from justesse.verbs.requirement import Requirement
from justesse.verbs.scores import ScoreEvaluation
from justesse.verbs.unanswered import UnansweredRows
from justesse.verbs.words import (
    headline,
    in_columns,
    interval_words,
    level_words,
    number_words,
    percent,
    true_headline,
)

MAIN = ("accuracy", "error", "class_weighted_error", "cost", "balanced_accuracy", "mcc", "kappa")

SHOWN = 20  # classes listed in full


@dataclass(frozen=True)
class Slice:
    """The evaluation of the rows with one value of a column."""

    column: str
    value: ClassName
    n: int
    estimates: tuple[Estimate, ...]

    @property
    def title(self) -> str:
        return f"{self.column} = {'(missing)' if self.value is None else self.value}"

    def to_dict(self) -> dict[str, Any]:
        found = {"column": self.column, "value": self.value, "n": self.n}
        return {**found, "measures": [one.to_dict() for one in self.estimates]}


@dataclass(frozen=True)
class Truth:
    """How often the labels are wrong, the measures against the true classes, and the majority answer by them."""

    noise: Estimate
    estimates: tuple[Estimate, ...]
    majority: Baseline

    def estimate(self, name: str, class_name: ClassName = None) -> Estimate:
        """Find a measure of the whole or, with a class, of that class."""
        return next(
            one
            for one in self.estimates
            if (one.name, one.average) == (name, None) and identity(one.class_name) == identity(class_name)
        )

    def to_dict(self) -> dict[str, Any]:
        noise = {**self.noise.to_dict(), "name": "noise_rate"}
        return {"noise_rate": noise, "measures": [one.to_dict() for one in self.estimates]}


@dataclass(frozen=True)
class Training:
    """The same measures on the rows the classifier was trained on (resubstitution)."""

    n: int
    estimates: tuple[Estimate, ...]

    def beside(self, test: Sequence[Estimate]) -> list[Estimate]:
        """Find the test figures of the same measures."""
        keys = [(one.name, one.average) for one in self.estimates]
        of = {(one.name, one.average): one for one in test if one.class_name is None}
        return [of[key] for key in keys]

    def warnings(self, test: Sequence[Estimate]) -> list[str]:
        """Say in words what the gap means."""
        here, there = self.beside(test)[0], self.estimates[0]
        if here.interval and there.value > here.interval.high:
            return [
                f"On the {self.n:,} rows it was trained on the accuracy is {there.value:.4f}, here {here.value:.4f}: the difference is over-fitting, and only the figure here says how it will do."
            ]
        return []

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n, "measures": [one.to_dict() for one in self.estimates]}


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Every measure with its interval, the baselines beside them, and what to be careful about.

    Where the true classes are known, the headline is about them; everything else is about the labels, but for `truth`.
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
    gaps: Gaps
    source: Any
    warnings: tuple[str, ...]
    scores: ScoreEvaluation | None = None
    training: Training | None = None
    noise: IfWrong | None = None
    requirements: tuple[Requirement, ...] = ()

    def __getitem__(self, key: str | tuple[str, ClassName]) -> Estimate:
        name, which = (key, None) if isinstance(key, str) else key
        named = [found for found in self.estimates if found.name == name]
        for found in named:
            if which is not None and identity(found.class_name) == identity(which):
                return found
        for found in [*named, *self.estimates]:
            if (found.name, found.average, found.class_name) == (name, which, None) or found.title == key:
                return found
        if named and which is None:
            raise OptionError(f"{name!r} is per class or averaged: take [{name!r}, class] or [{name!r}, 'macro']")
        known = ", ".join(sorted({found.name for found in self.estimates}))
        raise OptionError(f"there is no measure {key!r}; the measures are {known}")

    @property
    def passes(self) -> bool:
        """Whether every requirement is met, and the claim, if one was made, is true."""
        claimed = self.noise is not None and self.noise.known.claim is not None
        claim_holds = not claimed or self.noise is None or self.noise.breakdown.claim_holds
        return claim_holds and all(one.met for one in self.requirements)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on, in words."""
        wrong = self.truth.noise.value if self.truth else 0.0
        doubt = f", although {percent(wrong, self.tally.n)} of them differ from the true class" if wrong > 0 else ""
        found = [
            f"the labels are right{doubt}",
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
        ends = [one.interval for _, _, one in rows]
        return {
            "by": [column for column, _, _ in rows],
            "slice": [None if column is None else str(value) for column, value, _ in rows],
            "measure": [one.name for _, _, one in rows],
            "class": [None if one.class_name is None else str(one.class_name) for _, _, one in rows],
            "average": [one.average for _, _, one in rows],
            "value": [finite_or_none(one.value) for _, _, one in rows],
            "n": [float(one.n) for _, _, one in rows],
            "undefined": [one.undefined for _, _, one in rows],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [end.level if end else None for end in ends],
            "method": [end.method if end else None for end in ends],
        }

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        tally, unanswered = self.tally, UnansweredRows.of(self.gaps)
        weighted: dict[str, Any] = {}
        if tally.weights is not None:
            weighted = {
                "effective_n": tally.effective_n,
                "weights": [[*cell[:2], w] for cell, w in zip(tally.cells(), tally.weights.tolist(), strict=True)],
            }
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": tally.n,
            "classes": list(tally.named_classes),
            "positive": self.positive,
            "counts": tally.cells(),
            **weighted,
            "headline": {
                "which": "true" if self.truth else "labels",
                **(self.truth.estimate("accuracy") if self.truth else self["accuracy"]).to_dict(),
            },
            "measures": [found.to_dict() for found in self.estimates],
            "baselines": [found.to_dict() for found in self.baselines],
            "by": [part.to_dict() for part in self.slices],
            "true": self.truth.to_dict() if self.truth else None,
            "scores": self.scores.to_dict() if self.scores else None,
            "resubstitution": self.training.to_dict() if self.training else None,
            "noise": self.noise.to_dict() if self.noise else None,
            "requirements": [one.to_dict() for one in self.requirements],
            "passes": self.passes,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": {**self.roles.axes, **({"weight": self.roles.weight} if self.roles.weight else {})},
            "dropped": self.gaps.dropped,
            "missing": {**self.gaps.missing_dict(), **(unanswered.to_dict() if unanswered else {})},
            "others": self.gaps.others_dict(),
            "seed": self.confidence.seed,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the measures as a table: csv or parquet, by the ending; a file is there whole or not at all."""
        return write_table(self.to_columns(), Path(path))

    def report(self, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None) -> Path:
        """Write a page that opens offline: one HTML file, with a script only if it is interactive."""
        from justesse.verbs.page import write_page

        return write_page(self, Path(path), interactive=interactive, command=command)

    def chart(self, name: str = "intervals", class_name: ClassName = None) -> Any:
        """Give an Altair chart: intervals, confusion, slices; with scores roc, precision_recall, calibration, cost."""
        from justesse.verbs.pictures import picture

        return picture(self, name, class_name)

    @property
    def main(self) -> list[Estimate]:
        """The measures of the whole: one number each."""
        return [
            found for found in self.estimates if found.name in MAIN or (found.name, found.average) == ("f1", "macro")
        ]

    @property
    def headline(self) -> str:
        """The answer in a few sentences."""
        positive = None
        truth = self.truth
        if self.positive is not None:
            of_class = truth.estimate if truth else lambda name, class_name: self[name, class_name]
            positive = (of_class("recall", self.positive), of_class("precision", self.positive))
        if truth:
            right = truth.estimate("accuracy")
            return true_headline(right, self["accuracy"], truth.noise, truth.majority, self.confidence, positive)
        return headline(self.tally, self["accuracy"], self.baselines[0], self.confidence, positive)

    def __repr__(self) -> str:
        width = max(len(found.title) for found in self.main)
        lines = [*textwrap.wrap(self.headline, 110), *(one.words for one in self.requirements), ""]
        if self.truth:
            lines += ["against the true classes", *(self._line(one, width) for one in self.true_main), ""]
            lines += ["against the labels"]
        lines += [self._line(one, width) for one in self.main]
        lines += ["", *self._class_lines()] if len(self.tally.named_classes) <= SHOWN else []
        lines += ["", *noise_lines(self.noise)] if self.noise else []
        lines += ["", *(f"! {warning}" for warning in self.warnings)] if self.warnings else []
        return "\n".join(lines)

    @property
    def true_main(self) -> list[Estimate]:
        """The measures of the whole against the true classes, if they are known."""
        keys = [(one.name, one.average) for one in self.main]
        of = (
            {(one.name, one.average): one for one in self.truth.estimates if one.class_name is None}
            if self.truth
            else {}
        )
        return [of[key] for key in keys if key in of]

    def _line(self, one: Estimate, width: int) -> str:
        return f"{one.title:<{width}}  {number_words(one):>9}  {self._ends(one)}"

    def _ends(self, found: Estimate) -> str:
        return interval_words(found, self.confidence.alternative)

    def _class_lines(self) -> list[str]:
        names = ("precision", "recall", "f1")
        rows: list[tuple[str, ...]] = [("class", "labelled", *names)]
        labelled = self.tally.sums("label", self.tally.counts).tolist()
        for name, n, judged in zip(self.tally.classes, labelled, self.tally.judged, strict=True):
            if not judged:
                continue
            rows.append((str(name), f"{n:,}", *(number_words(self[measure, name]) for measure in names)))
        return in_columns(rows)

    def _repr_html_(self) -> str:
        shown = [("", one) for one in self.main]
        if self.truth:
            shown = [("true: ", one) for one in self.true_main] + [("labels: ", one) for one in self.main]
        rows = "".join(
            f"<tr><td>{against}{html.escape(one.title)}</td><td>{number_words(one)}</td>"
            f"<td>{html.escape(self._ends(one))}</td></tr>"
            for against, one in shown
        )
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        level = level_words(self.confidence)
        return (
            f"<p>{html.escape(self.headline)}</p>"
            + "".join(f"<p>{html.escape(one.words)}</p>" for one in self.requirements)
            + f"<table><thead><tr><th>measure</th><th>value</th><th>{level}</th></tr></thead><tbody>{rows}</tbody></table>"
            + (f"<ul>{notes}</ul>" if notes else "")
        )
