"""What `evaluate_regression` returns, and how it describes itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate, level_name
from justesse.core.version import SCHEMA, __version__
from justesse.intervals.estimate import Confidence
from justesse.measures.regression import HEADLINE
from justesse.measures.titles import title_of
from justesse.procedures.numeric_baselines import NumericBaseline
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.regression.undefined import undefined_measures

ASSUMPTIONS = (
    "the labels are right",
    "the rows are independent draws from the population of interest, and were not used for training or model selection",
)
HOW = (
    "Intervals of mean errors allow for a larger error than any seen; the others come from a studentised bootstrap of rows. R² is 1 minus the error relative to predicting the mean; the "
    "squared correlation ignores a wrong scale or offset, so it is not the same."
)


@dataclass(frozen=True)
class NumericSlice:
    """The rows with one value of a column: how far off their predictions are."""

    column: str
    value: ClassName
    estimates: tuple[Estimate, ...]

    @property
    def title(self) -> str:
        return f"{self.column} = {'(missing)' if self.value is None else self.value}"

    def __getitem__(self, name: str) -> Estimate:
        return next(estimate for estimate in self.estimates if estimate.name == name)

    def to_dict(self) -> dict[str, Any]:
        measures = [estimate.to_dict() for estimate in self.estimates]
        return {"column": self.column, "value": self.value, "n": measures[0]["n"], "measures": measures}


@dataclass(frozen=True, repr=False)
class RegressionEvaluation(Result):
    """Every measure of numeric predictions with its interval, the baselines, and the slices if there are any."""

    n: int
    estimates: tuple[Estimate, ...]
    baselines: tuple[NumericBaseline, ...]
    slices: tuple[NumericSlice, ...]
    grid: tuple[dict[str, Any], ...]
    residuals: tuple[dict[str, Any], ...]
    confidence: Confidence
    columns: dict[str, Any]
    dropped: int
    warnings: tuple[str, ...]
    source: Any

    assumptions = ASSUMPTIONS

    @property
    def native(self) -> Any:
        return self.source

    def __getitem__(self, name: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.name == name:
                return estimate
        raise OptionError(f"Unknown measure {name!r}. Measures: {', '.join(item.name for item in self.estimates)}.")

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.n,
            "measures": [estimate.to_dict() for estimate in self.estimates],
            "baselines": [baseline.to_dict() for baseline in self.baselines],
            "by": [slice_.to_dict() for slice_ in self.slices],
            "residuals": list(self.residuals),
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": self.columns,
            "dropped": self.dropped,
            "level": self.confidence.level,
            "alternative": self.confidence.alternative,
            "seed": self.confidence.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [estimate.to_dict() for estimate in self.estimates]
        columns = {key: [row[key] for row in rows] for key in ("name", "value", "n", "undefined")}
        for key in ("low", "high", "level", "method"):
            columns[key] = [row["interval"][key] if row["interval"] else None for row in rows]
        return columns

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        drawings: dict[str, Callable[[], Any]] = {
            "predicted": partial(charts.predicted_chart, list(self.grid)),
            "residuals": partial(charts.residual_chart, list(self.residuals)),
        }
        if self.slices:
            parts = [(part.title, part["mae"]) for part in _largest_error_first(self)]
            drawings["slices"] = partial(charts.slice_chart, parts, self["mae"])
        return drawings

    def document(self) -> Document:
        mae, naive = self["mae"], min(self.baselines, key=lambda baseline: baseline.mae)
        drawings = self.drawings()
        level = level_name(self.confidence.level, self.confidence.alternative)
        words = "Predictions are off by {mae:digits} on average (n = {n:count}), if the labels are right."
        if mae.interval:
            words = (
                "Predictions are off by {mae:digits} on average ({mae:level_name} {mae:digits_interval}, n = {n:count}), if "
                "the labels are right."
            )
        measures = Table(
            "Measures",
            [
                "measure",
                Column("value", "digits"),
                Column(level, "digits_interval"),
                Column("n", "count", 1),
                Column("method", "method", 2),
            ],
            [[title_of(estimate), estimate, estimate, estimate, estimate] for estimate in self.estimates],
        )
        baselines = Table(
            "Baselines: predictions that ignore the input",
            ["baseline", Column("prediction", "general"), *(Column(name, "digits") for name in ("MSE", "RMSE", "MAE"))],
            [
                [baseline.name, _any(baseline.prediction), baseline.mse, baseline.rmse, baseline.mae]
                for baseline in self.baselines
            ],
        )
        sections = [
            Section("measures", "Measures", [Figure(drawings["predicted"]), measures], "headline"),
            Section("errors", "Errors", [Figure(drawings["residuals"])]),
            *([_slices(self, level, drawings["slices"])] if self.slices else []),
            Section("baselines", "Baselines", [baselines], "summary"),
        ]
        return Document(
            "Evaluation of numeric predictions",
            paragraph(
                message(words, mae=mae, n=self.n),
                message(
                    "Always predicting the {baseline} would be off by {error:digits}.",
                    baseline=naive.name,
                    error=naive.mae,
                ),
            ),
            sections,
            self.to_dict(),
            name="regression",
            figures=[KeyFigure(title_of(self[item.name]), self[item.name], "digits") for item in HEADLINE],
            cautions=[*self.warnings, *undefined_measures(self.estimates)],
            assumptions=self.assumptions,
            how=[HOW],
            facts=[("rows", f"{self.n:,}"), ("rows left out", f"{self.dropped:,}"),
                   *file_facts(self.source), *column_facts(self.columns)],
            seed=self.confidence.seed,
        )  # fmt: skip


def _any(prediction: float) -> float | None:
    """A random label is no one prediction."""
    return None if prediction != prediction else prediction


def _largest_error_first(result: RegressionEvaluation) -> list[NumericSlice]:
    return sorted(result.slices, key=lambda part: -part[HEADLINE[0].name].value)


def _slices(result: RegressionEvaluation, level: str, draw: Callable[[], Any]) -> Section:
    first, *others = HEADLINE
    rows = _largest_error_first(result)
    head: list[str | Column] = [
        "slice", Column("n", "count"), Column(first.title, "digits"), Column(level, "digits_interval"),
        *(Column(measure.title, "digits", at) for at, measure in enumerate(others, start=1)),
    ]  # fmt: skip
    cells = [[part.title, *[part[first.name]] * 3, *(part[other.name] for other in others)] for part in rows]
    note = "Largest error first. With many slices some look good or bad by chance alone."
    return Section("slices", "Slices", [Figure(draw), Table("Each slice", head, cells, note)], "summary")
