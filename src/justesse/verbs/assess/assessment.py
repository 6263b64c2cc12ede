"""What `assess` hands back."""

import html
import math
import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from justesse.core.results import Estimate, TestResult, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.measures import Measure, accuracy, averaged, balanced_accuracy, f1, kappa, mcc, precision, recall
from justesse.procedures.baselines import Baseline
from justesse.procedures.bootstrap_error import BootstrapError
from justesse.procedures.learning_curve import LearningCurve
from justesse.procedures.luck_of_choice import LuckOfChoice
from justesse.procedures.nested import Nested
from justesse.procedures.responses import responses
from justesse.procedures.run import OutOfSample
from justesse.procedures.score import ModelScore, fold_scores, rows_alone
from justesse.procedures.splits import name_of
from justesse.verbs.assess.pairs import ModelPair
from justesse.verbs.assess.words import headline, model_rows, pair_rows, remarks
from justesse.verbs.words import in_columns

MEASURES: dict[str, Measure] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "f1": averaged(f1, "macro"),
    "precision": averaged(precision, "macro"),
    "recall": averaged(recall, "macro"),
    "mcc": mcc,
    "kappa": kappa,
}
COMMON = (
    "the labels are right",
    "new rows come from where these come from",
    "rows that belong together were kept together (group) where there are such",
)


@dataclass(frozen=True)
class AssessmentPlan:
    """What was asked for: columns, the measure that compares, level and seed."""

    target: str
    group: str | None
    time: str | None
    features: tuple[str, ...]
    measure: str
    level: float
    seed: int
    name: str
    source: Any


@dataclass(frozen=True, repr=False, eq=False)
class Assessment:
    """How well models do on rows they were not trained on, how they compare, and what choosing among them is worth.

    `measures` has an estimate for each model and measure, `scored` the error of each with its training error and the
    gap in words, `classes` the measures of each class, `ranked` the models from the best; `selections` holds the nested
    evaluation of every search, `curves` the learning curves and `bootstrap` the .632+ errors where asked for.
    """

    found: OutOfSample
    plan: AssessmentPlan
    measures: Mapping[str, Mapping[str, Estimate]]
    scored: Mapping[str, ModelScore]
    classes: Mapping[str, tuple[Estimate, ...]]
    baselines: tuple[Baseline, ...]
    ranked: tuple[str, ...]
    pairs: tuple[ModelPair, ...]
    anova: TestResult | None
    luck: LuckOfChoice | None
    selections: Mapping[str, Nested]
    curves: Mapping[str, LearningCurve]
    bootstrap: Mapping[str, BootstrapError]
    warnings: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]:
        return self.found.models

    @property
    def best(self) -> str:
        """The model with the highest value of the measure asked for."""
        return self.ranked[0]

    @property
    def procedure(self) -> str:
        """The procedure in words."""
        return name_of(self.found.procedure)

    @property
    def headline(self) -> str:
        """What was found, in words."""
        return headline(self)

    @property
    def remarks(self) -> list[str]:
        """What to be careful about."""
        return remarks(self)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What all of it rests on."""
        own = [words for one in self.scored.values() for words in one.assumptions]
        return tuple(dict.fromkeys([*COMMON, *own]))

    @cached_property
    def split_scores(self) -> dict[str, list[float]]:
        """The measure of each model, from the best, in every split where all have a value; empty if rows are what varies."""
        if rows_alone(self.found):
            return {}
        worked = replace(self.found, fits={name: self.found.fits[name] for name in self.ranked})
        columns = fold_scores(worked, MEASURES[self.plan.measure])
        rows = [
            row for row in zip(*(columns[name] for name in self.ranked), strict=True) if all(map(math.isfinite, row))
        ]
        return {name: [row[at] for row in rows] for at, name in enumerate(self.ranked)} if len(rows) > 1 else {}

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        plan = self.plan
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {"fit_seconds": {name: self._fit_seconds(name) for name in self.models}},
            "models": [self._model(name) for name in self.models],
            "ranked": list(self.ranked),
            "measure": plan.measure,
            "baselines": [one.to_dict() for one in self.baselines],
            "pairs": [one.to_dict() for one in self.pairs],
            "anova": self.anova.to_dict() if self.anova else None,
            "luck_of_choice": self.luck.to_dict() if self.luck else None,
            "selections": [one.to_dict() for one in self.selections.values()],
            "learning_curves": [{"model": name, **one.to_dict()} for name, one in self.curves.items()],
            "failures": self.found.failures,
            "procedure": self.procedure,
            "splits": len(self.found.fits[self.models[0]]),
            "n": self.found.n,
            "classes": list(self.found.data.classes or ()),
            "target": plan.target,
            "group": plan.group,
            "time": plan.time,
            "features": list(plan.features),
            "level": plan.level,
            "seed": plan.seed,
            "headline": self.headline,
            "warnings": self.remarks,
            "assumptions": list(self.assumptions),
        }

    def _model(self, name: str) -> dict[str, Any]:
        scored, own = self.scored[name], self.measures[name]
        return {
            "model": name,
            "measures": [one.to_dict() for one in own.values()],
            "classes": [one.to_dict() for one in self.classes[name]],
            "errors": [finite_or_none(one) for one in scored.scores],
            "train_error": finite_or_none(scored.train_error),
            "test_error": finite_or_none(scored.test_error),
            "gap": scored.words,
            "failed": scored.failed,
            "bootstrap": self.bootstrap[name].to_dict() if name in self.bootstrap else None,
            "warnings": list(scored.warnings),
        }

    def _fit_seconds(self, name: str) -> float | None:
        if not self.found.answered(name):
            return None
        return finite_or_none(responses(self.found, name, level=self.plan.level).fit_seconds.value)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the measures out, a row for each model and measure, classes included."""
        rows = [(name, one) for name in self.models for one in (*self.measures[name].values(), *self.classes[name])]
        ends = [one.interval for _, one in rows]
        return {
            "model": [name for name, _ in rows],
            "measure": [one.name if one.average is None else f"{one.average} {one.name}" for _, one in rows],
            "class": [None if one.class_name is None else str(one.class_name) for _, one in rows],
            "value": [finite_or_none(one.value) for _, one in rows],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "n": [float(one.n) for _, one in rows],
            "method": [end.method if end else None for end in ends],
        }

    def to_frame(self) -> Any:
        """Give the measures as a data frame of the caller's kind (an Arrow table for a path)."""
        return native_frame(self.to_columns(), like=self.plan.source)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the measures: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    def predictions(self, *, every: bool = False) -> Any:
        """Give what models answered on rows they were not trained on, as a data frame of the caller's kind.

        Its columns feed `evaluate`, `compare` and `tournament`: `label`, and one for each model. Of a procedure that
        tests rows again and again only the first repetition is given, so that rows are independent, unless `every` is
        wanted.
        """
        return native_frame(self._predicted(every), like=self.plan.source)

    def save_predictions(self, path: str | os.PathLike[str], *, every: bool = False) -> Path:
        """Write the same: csv or parquet, by the ending."""
        return write_table(self._predicted(every), Path(path), exact=True)

    def _predicted(self, every: bool) -> dict[str, list[Any]]:
        columns = self.found.table()
        if every:
            return columns
        kept = [at for at, repetition in enumerate(columns["repetition"]) if repetition == 0]
        return {name: [values[at] for at in kept] for name, values in columns.items()}

    def chart(self, name: str = "gap", *, model: str | None = None) -> Any:
        """Give an Altair chart: gap, boxes, pairs, and learning_curve of one model (the best unless named)."""
        from justesse.verbs.assess.pictures import picture

        return picture(self, name, model=model)

    def charts(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every chart as SVG and PNG."""
        from justesse.report.chart_files import write_charts
        from justesse.verbs.assess.pictures import every_picture

        return write_charts(every_picture(self), Path(folder))

    def report(self, path: str | os.PathLike[str], *, command: str | None = None) -> Path:
        """Write a page that opens offline."""
        from justesse.verbs.assess.page import write_page

        return write_page(self, Path(path), command=command)

    def __repr__(self) -> str:
        lines = [*textwrap.wrap(self.headline, 110), "", *in_columns(model_rows(self))]
        if self.pairs:
            lines += ["", *in_columns(pair_rows(self))]
        lines += ["", *(f"! {warning}" for warning in self.remarks)] if self.remarks else []
        return "\n".join([*lines, f"{self.procedure}, {self.found.n:,} rows. Seed {self.plan.seed}."])

    def _repr_html_(self) -> str:
        head, *body = model_rows(self)
        cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in body)
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.remarks)
        table = f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"
        return f"<p>{html.escape(self.headline)}</p>{table}" + (f"<ul>{notes}</ul>" if notes else "")
