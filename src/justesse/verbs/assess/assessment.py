"""What `assess` returns."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import Estimate, TestResult, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.procedures.baselines import Baseline
from justesse.procedures.bootstrap_error import BootstrapError
from justesse.procedures.learning_curve import LearningCurve
from justesse.procedures.luck_of_choice import LuckOfChoice
from justesse.procedures.model_measures import MEASURES, complete_splits
from justesse.procedures.model_pairs import ModelPair
from justesse.procedures.nested import Nested
from justesse.procedures.responses import responses
from justesse.procedures.run import OutOfSample
from justesse.procedures.score import ModelScore
from justesse.procedures.splits import name_of
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.assess.answer import headline, verdict
from justesse.verbs.assess.cautions import cautions

COMMON = (
    "the labels are right",
    "new rows come from the same population as these",
    "rows that belong together share a group (--group)",
)


@dataclass(frozen=True)
class AssessmentPlan:
    """What was asked for: columns, the measure that ranks the models, level and seed."""

    label: str
    group: str | None
    time: str | None
    features: tuple[str, ...]
    measure: str
    level: float
    seed: int
    name: str
    source: Any


@dataclass(frozen=True, repr=False, eq=False)
class Assessment(Result):
    """How well models do on rows they were not trained on, how they compare, and what choosing the best is worth.

    `result["tree", "accuracy"]` is the estimate of one measure of one model.

    Attributes
    ----------
    estimates
        Estimates by model and measure.
    scored
        Error of each model in every split, and its training error.
    classes
        Precision, recall and F1 of each class, by model.
    baselines
        Scores of predictions that ignore the input.
    ranked
        Models, best first.
    pairs
        Comparison of every pair of models.
    anova
        Test that all models are equally good, for three models or more.
    luck
        Accuracy of the best model, corrected for choosing it.
    selections
        Nested evaluation of every search.
    curves
        Learning curves, if asked for.
    bootstrap
        Bootstrap errors (.632+), if that is the procedure.
    runs
        Answers of each model in every split.
    """

    runs: OutOfSample
    plan: AssessmentPlan
    estimates: Mapping[str, Mapping[str, Estimate]]
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
    run_warnings: tuple[str, ...]

    def __getitem__(self, key: tuple[str, str]) -> Estimate:
        model, measure = key
        for name, known in ((model, self.models), (measure, MEASURES)):
            if name not in known:
                raise OptionError(f"There is no {name!r}. Names: {', '.join(known)}.")
        return self.estimates[model][measure]

    @property
    def native(self) -> Any:
        return self.plan.source

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order given."""
        return self.runs.models

    @property
    def best(self) -> str:
        """The model with the best value of the measure asked for."""
        return self.ranked[0]

    @property
    def procedure(self) -> str:
        """How rows were split, in words."""
        return name_of(self.runs.procedure)

    @cached_property
    def tested(self) -> int:
        """Number of different rows tested."""
        return len(np.unique(np.concatenate([fit.test for fit in self.runs.fits[self.best]])))

    @property
    def headline(self) -> str:
        """The answer in a few sentences."""
        return " ".join(filter(None, (str(verdict(self)), str(headline(self)))))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread."""
        return tuple(cautions(self))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What all figures assume."""
        of_models = [assumption for scored in self.scored.values() for assumption in scored.assumptions]
        return tuple(dict.fromkeys([*COMMON, *of_models]))

    @cached_property
    def split_scores(self) -> dict[str, list[float]]:
        """The measure of each model, best first, in every split where all have a value; empty if only rows vary."""
        return complete_splits(self.runs, self.ranked, MEASURES[self.plan.measure])

    def to_dict(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {"fit_seconds": {name: self._fit_seconds(name) for name in self.models}},
            "models": [self._model(name) for name in self.models],
            "ranked": list(self.ranked),
            "measure": plan.measure,
            "baselines": [baseline.to_dict() for baseline in self.baselines],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "anova": self.anova.to_dict() if self.anova else None,
            "luck_of_choice": self.luck.to_dict() if self.luck else None,
            "selections": [selection.to_dict() for selection in self.selections.values()],
            "learning_curves": [{"model": name, **curve.to_dict()} for name, curve in self.curves.items()],
            "failures": self.runs.failures,
            "procedure": self.procedure,
            "splits": len(self.runs.fits[self.models[0]]),
            "n": self.runs.n,
            "classes": list(self.runs.data.classes or ()),
            "target": plan.label,
            "group": plan.group,
            "time": plan.time,
            "features": list(plan.features),
            "level": plan.level,
            "seed": plan.seed,
            "headline": self.headline,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
        }

    def _model(self, name: str) -> dict[str, Any]:
        scored = self.scored[name]
        return {
            "model": name,
            "measures": [estimate.to_dict() for estimate in self.estimates[name].values()],
            "classes": [estimate.to_dict() for estimate in self.classes[name]],
            "errors": [finite_or_none(error) for error in scored.scores],
            "train_error": finite_or_none(scored.train_error),
            "test_error": finite_or_none(scored.test_error),
            "gap": scored.words,
            "failed": scored.failed,
            "bootstrap": self.bootstrap[name].to_dict() if name in self.bootstrap else None,
            "warnings": list(scored.warnings),
        }

    def _fit_seconds(self, name: str) -> float | None:
        if not self.runs.answered(name):
            return None
        return finite_or_none(responses(self.runs, name, level=self.plan.level).fit_seconds.value)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the measures out as columns, a row for each model and measure, per-class measures included."""
        rows = [
            (name, estimate)
            for name in self.models
            for estimate in (*self.estimates[name].values(), *self.classes[name])
        ]
        estimates = [estimate for _, estimate in rows]
        intervals = [estimate.interval for estimate in estimates]
        return {
            "model": [name for name, _ in rows],
            "measure": [
                f"{estimate.average} {estimate.name}" if estimate.average else estimate.name for estimate in estimates
            ],
            "class": [None if estimate.class_name is None else str(estimate.class_name) for estimate in estimates],
            "value": [finite_or_none(estimate.value) for estimate in estimates],
            "low": [finite_or_none(interval.low) if interval else None for interval in intervals],
            "high": [finite_or_none(interval.high) if interval else None for interval in intervals],
            "n": [float(estimate.n) for estimate in estimates],
            "method": [interval.method if interval else None for interval in intervals],
        }

    def predictions(self, *, every_repetition: bool = False) -> Any:
        """Return the answers on rows not used for training, as a data frame of the caller's kind.

        The columns (`label`, and one for each model) feed `evaluate`, `compare` and `tournament`. If rows were tested
        several times, only the first repetition is returned, so that rows are independent, unless `every_repetition`.
        """
        return native_frame(self._predicted(every_repetition), like=self.plan.source)

    def save_predictions(self, path: str | os.PathLike[str], *, every_repetition: bool = False) -> Path:
        """Write the predictions: csv or parquet, by the ending."""
        return write_table(self._predicted(every_repetition), Path(path), exact=True)

    def _predicted(self, every_repetition: bool) -> dict[str, list[Any]]:
        columns = self.runs.table()
        if every_repetition:
            return columns
        kept = [at for at, repetition in enumerate(columns["repetition"]) if repetition == 0]
        return {name: [values[at] for at in kept] for name, values in columns.items()}

    def document(self) -> Document:
        from justesse.verbs.assess.document import assessment_document

        return assessment_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.assess.pictures import drawings

        return drawings(self)

    def chart(self, name: str | None = None, *, model: str | None = None) -> Any:
        """Return an Altair chart: scores, gap, pairs, or learning_curve of one model (default: the best)."""
        from justesse.verbs.assess.pictures import learning_curve_picture

        if name == "learning_curve":
            return learning_curve_picture(self, model)
        return super().chart(name)
