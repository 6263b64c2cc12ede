"""`justesse.noise_profile`: what a classifier does where labels are wrong."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from justesse.core.choices import Missing, MissingLabels, Others
from justesse.core.results import Alternative, ClassName, Estimate, level_name
from justesse.noise.profile import MEANING, profile
from justesse.report.document import Column, Figure, KeyFigure, Section, Table
from justesse.report.writing import message
from justesse.verbs.noise.class_table import class_table, overall
from justesse.verbs.noise.counted_rows import counted_rows
from justesse.verbs.noise.noise_result import NoiseResult
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.options.intervals import SidedOptions
from justesse.verbs.recorded import recorded

SHORT = {
    "F_c": "Right, label right",
    "F_n": "Repeats the wrong label",
    "F_r": "Right, label wrong",
}
CLASS_NOTE = (
    "F_c and F_r: shares of the rows that are truly of the class, where the label is right or wrong. "
    "F_n: share of the rows wrongly labelled as the class that are predicted as it."
)


@dataclass(frozen=True, repr=False)
class NoiseProfile(NoiseResult):
    """How often a classifier is right, repeats wrong labels, or finds the true class behind them."""

    part: ClassVar[str] = "profile"
    title: ClassVar[str] = "What the classifier does where labels are wrong"
    level: str = "95 % CI"

    def key_figures(self) -> list[KeyFigure]:
        return [KeyFigure(SHORT[figure.name], figure, "share", figure.name) for figure in overall(self.figures)]

    def sections(self) -> list[Section]:
        head: list[str | Column] = [
            "share of rows", Column("symbol", drop=3), Column("value", "value"), Column(self.level, "interval"), Column("n", "count", 1)
        ]  # fmt: skip
        rows = [[MEANING[figure.name].capitalize(), figure.name, *[figure] * 3] for figure in overall(self.figures)]
        sections = [Section("profile", "All classes", [Table("All classes", head, rows)], "headline")]
        table = class_table(
            "Each class", self.figures, "short_estimate", first=lambda figure: figure.value, order="Lowest F_r first",
            note=message("In brackets: {level}. {note}", level=self.level, note=CLASS_NOTE),
        )  # fmt: skip
        if table:
            sections.append(
                Section("classes", "Each class", [table, *map(Figure, self.drawings().values())], "summary")
            )
        return sections

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {
            figure.name.lower(): partial(self._draw, figure.name)
            for figure in overall(self.figures)
            if not math.isnan(figure.value)
        }

    def _draw(self, name: str) -> Any:
        from justesse import charts

        figures = [figure for figure in self.figures if figure.name == name]
        return charts.class_rate_chart(figures, MEANING[name].capitalize(), "share of rows")


@recorded
def noise_profile(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    true: Any = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    level: float = SidedOptions.level,
    alternative: Alternative = SidedOptions.alternative,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
    drop_missing: bool = False,
    **options: Any,
) -> NoiseProfile:
    """Compute what a classifier does where labels are wrong, where the true classes are known: F_c, F_n and F_r.

    Parameters
    ----------
    data
        Path, data frame, dict of arrays or `Tally` with labels, predictions and true classes.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    true
        Column with the true classes. Default: the column named true, truth or actual.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of `missing="drop"`.
    **options
        Other options of `justesse.count`, such as `any_of`.

    Examples
    --------
    >>> from justesse import Tally
    >>> cells = [("a", "a", "a", 60), ("a", "b", "b", 8), ("b", "a", "b", 12), ("b", "b", "b", 20)]
    >>> noise_profile(Tally.of(["true", "label", "prediction"], cells)).rows[1]["value"]
    0.4
    """
    tally = counted_rows(
        data, ("label", "prediction", "true"),
        {
            "label": label, "prediction": prediction, "true": true, "classes": classes, "as_text": as_text, "missing": missing,
            "missing_labels": missing_labels, "others": others, "drop_missing": drop_missing, **options,
        },
    )  # fmt: skip
    figures = tuple(profile(tally, level=level, alternative=alternative))
    assumptions = ("the true classes are right", "the rows are independent draws from the population of interest")
    return NoiseProfile(
        tally.n, _answer(figures), figures, assumptions, source=data, level=level_name(level, alternative)
    )  # fmt: skip


def _answer(figures: tuple[Estimate, ...]) -> str:
    right, repeated, recovered = figures[:3]
    sentences = []
    if math.isnan(right.value):
        sentences.append("No label is right.")
    else:
        sentences.append(
            str(
                message(
                    "Where the label is right, {right:share} of the predictions are right (F_c, n = {right:count}).",
                    right=right,
                )
            )
        )
    if math.isnan(repeated.value):
        sentences.append("No label is wrong.")
    else:
        template = (
            "Where it is wrong, {n:share} repeat the wrong label (F_n) and {r:share} are right (F_r, n = {r:count})."
        )
        sentences.append(str(message(template, n=repeated, r=recovered)))
    return " ".join(sentences)
