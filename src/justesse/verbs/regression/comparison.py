"""What `compare_regression` returns, and how it describes itself."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate, level_name
from justesse.core.verdict import Decision
from justesse.core.version import SCHEMA, __version__
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_differences import NumericDifference
from justesse.judges.words import TITLES as ANSWERS
from justesse.judges.words import reason, rounded
from justesse.measures.regression import ALL, HEADLINE
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.compare.gates import Gate, passes
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.regression.undefined import undefined_measures

TITLES = {measure.name: measure.title[:1].upper() + measure.title[1:] for measure in ALL}
ASSUMPTIONS = (
    "the labels are right",
    "the rows are independent draws from the population of interest, and were not used for training or model selection",
)
HOW = (
    "Both models are compared on the same rows. MAE and MSE: Student's interval of the mean paired difference, with the "
    "paired t-test. Other measures: studentised bootstrap that draws the same rows for both.",
    "A difference is positive if the candidate is better, also for errors.",
)


@dataclass(frozen=True)
class SliceDifference:
    """The mean absolute error of both models in the rows with one value of a column."""

    column: str
    value: ClassName
    incumbent: float
    candidate: float
    difference: Estimate

    @property
    def title(self) -> str:
        return f"{self.column} = {'(missing)' if self.value is None else self.value}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "value": self.value,
            "incumbent": self.incumbent,
            "candidate": self.candidate,
            "difference": self.difference.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class RegressionComparison(Result):
    """The verdict on two models that predict numbers: every measure of both with its paired difference."""

    decision: Decision
    measure: str
    margin: float
    n: int
    names: tuple[str, str]
    differences: tuple[NumericDifference, ...]
    slices: tuple[SliceDifference, ...]
    histogram: tuple[dict[str, Any], ...]
    confidence: Confidence
    needed_n: int | None
    columns: dict[str, Any]
    dropped: int
    warnings: tuple[str, ...]
    sources: tuple[Any, ...] = ()

    assumptions = ASSUMPTIONS
    robustness_unknown = "breakdown rates are known for classes only"

    @property
    def native(self) -> Any:
        return self.sources[0] if self.sources else None

    def __getitem__(self, name: str) -> NumericDifference:
        for each in self.differences:
            if each.name == name:
                return each
        raise OptionError(f"There is no measure {name!r}. Measures: {', '.join(TITLES)}.")

    def passes(self, gate: Gate = "better", *, robust: bool = False) -> bool:
        """Tell whether the candidate passes a gate."""
        return passes(gate, self.decision, self[self.measure].difference, self.margin, robust, None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "verdict": self.decision,
            "measure": self.measure,
            "margin": self.margin,
            "n": self.n,
            "incumbent": self.names[0],
            "candidate": self.names[1],
            "measures": [each.to_dict() for each in self.differences],
            "by": [part.to_dict() for part in self.slices],
            "histogram": list(self.histogram),
            "needed_n": self.needed_n,
            "level": self.confidence.level,
            "alternative": self.confidence.alternative,
            "columns": self.columns,
            "dropped": self.dropped,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "seed": self.confidence.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [each.to_dict() for each in self.differences]
        ends = [row["difference"]["interval"] or {} for row in rows]
        return {
            "name": [row["name"] for row in rows],
            "incumbent": [row["incumbent"]["value"] for row in rows],
            "candidate": [row["candidate"]["value"] for row in rows],
            "difference": [row["difference"]["value"] for row in rows],
            **{key: [each.get(key) for each in ends] for key in ("low", "high", "level", "method")},
            "pvalue": [row["pvalue"] for row in rows],
            "n": [row["difference"]["n"] for row in rows],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        return {"errors": partial(charts.error_difference_chart, list(self.histogram))}

    def document(self) -> Document:
        decisive = self[self.measure]
        title = TITLES[self.measure]
        level = level_name(self.confidence.level, self.confidence.alternative)
        interval = decisive.difference.interval
        words = "{measure} {incumbent:digits} → {candidate:digits}: {gain}, n = {n:count}, if the labels are right."
        if interval:
            words = (
                "{measure} {incumbent:digits} → {candidate:digits}: {gain} ({level} of the difference "
                "{difference:signed_interval}), n = {n:count}, if the labels are right."
            )
        headline = paragraph(
            message(
                words,
                measure=title,
                incumbent=decisive.incumbent,
                candidate=decisive.candidate,
                gain=_gain(decisive.difference.value),
                level=level,
                difference=decisive.difference,
                n=self.n,
            ),
            reason(self.decision, decisive.difference, self.margin, self.confidence.alternative),
            message(
                "About {n} more labelled rows would settle it with a probability of 80 %, if this difference is the true one.",
                n=rounded(self.needed_n),
            )
            if self.needed_n
            else "",
            "" if decisive.pvalue is None else message("Paired t-test: {pvalue:p}.", pvalue=decisive.pvalue),
        )
        drawings = self.drawings()
        sections = [
            Section("measures", "Measures", [_measures(self, level)], "headline"),
            Section("errors", "Errors row by row", [Figure(drawings["errors"])]),
            *([Section("slices", "Slices", [_slices(self, level)], "summary")] if self.slices else []),
        ]
        return Document(
            "Comparison of numeric predictions",
            headline,
            sections,
            self.to_dict(),
            verdict=ANSWERS[self.decision],
            tone=self.decision,
            name="regression-comparison",
            figures=[
                KeyFigure(f"{title}, incumbent", decisive.incumbent, "digits"),
                KeyFigure(f"{title}, candidate", decisive.candidate, "digits"),
                KeyFigure(f"Difference in {title}", decisive.difference, "signed"),
            ],
            cautions=[*self.warnings, *undefined_measures(each.difference for each in self.differences)],
            assumptions=self.assumptions,
            how=HOW,
            facts=[
                ("incumbent", self.names[0]), ("candidate", self.names[1]), ("rows", f"{self.n:,}"),
                ("rows left out", f"{self.dropped:,}"), ("margin", f"{self.margin:g}"),
                *(fact for source in self.sources for fact in file_facts(source)),
                *column_facts(self.columns),
            ],
            seed=self.confidence.seed,
        )  # fmt: skip


def _gain(difference: float) -> Message | str:
    """Write which of the two is better, and by how much."""
    if math.isnan(difference):
        return "the difference is undefined"
    if difference == 0:
        return "no difference"
    template = (
        "the candidate is better by {size:digits}" if difference > 0 else "the candidate is worse by {size:digits}"
    )
    return message(template, size=abs(difference))


def _measures(result: RegressionComparison, level: str) -> Table:
    head: list[str | Column] = [
        "measure", Column("incumbent", "digits"), Column("candidate", "digits"), Column("difference", "signed"),
        Column(level, "signed_interval"), Column("p", "pvalue_or_dash", 1), Column("method", "method", 2),
    ]  # fmt: skip
    ordered = sorted(result.differences, key=lambda each: each.name != result.measure)
    rows = [
        [
            TITLES[each.name],
            each.incumbent,
            each.candidate,
            each.difference,
            each.difference,
            each.pvalue,
            each.difference,
        ]
        for each in ordered
    ]
    return Table("Measures", head, rows, "A positive difference means that the candidate is better.")


def _slices(result: RegressionComparison, level: str) -> Table:
    measure = HEADLINE[0].title
    head: list[str | Column] = [
        "slice", Column("n", "count"), Column(f"{measure}, incumbent", "digits", 2),
        Column(f"{measure}, candidate", "digits", 1),
        Column("difference", "signed"), Column(level, "signed_interval"),
    ]  # fmt: skip
    rows = [
        [part.title, part.difference, part.incumbent, part.candidate, part.difference, part.difference]
        for part in result.slices
    ]
    note = "Largest loss first. With many slices some look better or worse by chance alone."
    return Table("Mean absolute error of each slice", head, rows, note)
