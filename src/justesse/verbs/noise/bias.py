"""`justesse.noise_bias`: how far wrong labels moved each measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from justesse.core.choices import Missing, MissingLabels, Others
from justesse.core.results import ClassName
from justesse.noise.bias import Bias, bias
from justesse.report.document import Column, Part, Section, Table
from justesse.report.writing import Message, message
from justesse.verbs.noise.class_table import class_table, overall, title
from justesse.verbs.noise.counted_rows import counted_rows, usual_measures
from justesse.verbs.noise.noise_result import NoiseResult
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.recorded import recorded

NOTE = "Bias = measured - true, exactly, for these rows."


@dataclass(frozen=True, repr=False)
class NoiseBias(NoiseResult):
    """Every measure against the labels and against the true classes."""

    part: ClassVar[str] = "bias"
    title: ClassVar[str] = "Bias from wrong labels"

    def sections(self) -> list[Section]:
        head: list[str | Column] = [
            "measure", Column("measured", "value"), Column("true", "value"), Column("bias", "difference")
        ]  # fmt: skip
        rows = [_row(figure) for figure in overall(self.figures)]
        sections = [Section("bias", "Bias", [Table("All classes", head, rows, NOTE)], "headline")]
        table = class_table(
            "Bias of each class", self.figures, "bias", first=lambda figure: -abs(figure.bias), order="Largest bias of F1 first"
        )  # fmt: skip
        if table:
            every = [_row(figure) for figure in self.figures if figure.class_name is not None]
            parts: list[Part] = [Table("Measured and true values of each class", head, every, most=60)]
            sections += [Section("classes", "Each class", [table], "summary"), Section("values", "All values", parts)]
        return sections


def _row(figure: Bias) -> list[Any]:
    return [title(figure), figure.apparent, figure.true, figure.bias]


@recorded
def noise_bias(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    true: Any = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    cost: Any = None,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
    drop_missing: bool = False,
    **options: Any,
) -> NoiseBias:
    """Compute how far wrong labels moved each measure, where the true classes are known: measured minus true, exactly.

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
    cost
        CSV table of the cost of each prediction (columns) for each true class (rows): adds the mean cost.
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
    >>> round(noise_bias(Tally.of(["true", "label", "prediction"], cells)).rows[0]["bias"], 2)
    -0.04
    """
    tally = counted_rows(
        data, ("label", "prediction", "true"),
        {
            "label": label, "prediction": prediction, "true": true, "classes": classes, "as_text": as_text, "missing": missing,
            "missing_labels": missing_labels, "others": others, "drop_missing": drop_missing, **options,
        },
    )  # fmt: skip
    figures = tuple(bias(tally, usual_measures(cost, tally)))
    return NoiseBias(tally.n, str(_answer(figures[0])), figures, ("the true classes are right",), source=data)


def _answer(figure: Bias) -> Message:
    return message(
        "Accuracy {apparent:share} against the labels, {true:share} against the true classes: a bias of {bias:points} "
        "(n = {n:count}).",
        apparent=figure.apparent, true=figure.true, bias=figure.bias, n=figure.n,
    )  # fmt: skip
