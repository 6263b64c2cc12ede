"""`justesse.evaluate_regression`: numeric predictions, each measure with its interval, beside what knows nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.charts.predicted_against_true import predicted_points
from justesse.charts.residuals import residual_points
from justesse.core.arrays import Array
from justesse.core.choices import MissingLabels
from justesse.core.errors import InputError
from justesse.core.results import Alternative, Estimate
from justesse.frames.numeric_rows import NumericRows, read_numbers
from justesse.frames.table import row_words
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Confidence
from justesse.intervals.mean_error import few_make_the_spread
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.measures.regression import Sums
from justesse.procedures.numeric_baselines import NumericBaseline, numeric_baselines
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.options.intervals import IntervalOptions
from justesse.verbs.recorded import recorded
from justesse.verbs.regression.evaluation import NumericSlice, RegressionEvaluation
from justesse.verbs.regression.options import drops_rows

MOST_SLICES = 1000


@recorded
def evaluate_regression(
    data: Any = None,
    *,
    y_true: Any = None,
    y_pred: Any = None,
    label: Any = None,
    prediction: Any = None,
    weight: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = None,
    level: float = IntervalOptions.level,
    alternative: Alternative = IntervalOptions.alternative,
    draws: int = IntervalOptions.draws,
    seed: int = IntervalOptions.seed,
    missing: MissingLabels | None = None,
    drop_missing: bool = False,
) -> RegressionEvaluation:
    """Evaluate numeric predictions: every measure with its confidence interval, and baselines.

    Parameters
    ----------
    data
        Path or pattern of files, data frame or dict of arrays.
    y_true
        Array of numeric labels, instead of `data`.
    y_pred
        Array of numeric predictions.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    weight
        Column with row weights, numbers from 0 up. Default: every row counts once.
    by
        Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    missing
        Rows without a number: refuse the data, or drop the row. Default: refuse.
    drop_missing
        Old name of `missing="drop"`.

    Returns
    -------
    RegressionEvaluation
        `evaluation["mse"]` is one estimate.

    Notes
    -----
    Intervals of mean errors allow for a larger error than any seen; the others come from a studentised bootstrap of
    rows. For the largest error to expect, use `alternative="less"`. RMSLE is undefined, with the reason, where a value
    is -1 or less.

    Examples
    --------

    >>> evaluation = evaluate_regression(y_true=[3.0, -0.5, 2.0, 7.0], y_pred=[2.5, 0.0, 2.0, 8.0])
    >>> round(evaluation["mse"].value, 4), round(evaluation["r2"].value, 4)
    (0.375, 0.9486)
    """
    confidence = Confidence(level=level, alternative=alternative, draws=draws, seed=seed)
    drops = drops_rows(missing, drop_missing)
    data = watched(data)
    label, prediction = (y_true if label is None else label), (y_pred if prediction is None else prediction)
    read = read_numbers(data, label=label, prediction=prediction, weight=weight, by=by, drops=drops)
    check_unchanged(data)
    names, y, f, w = list(read.names), read.label, read.prediction, read.weights
    estimates = tuple(_measured(y, f, w, names, confidence))
    naive = tuple(numeric_baselines(y, w))
    dropped = read.dropped
    return RegressionEvaluation(
        n=len(y),
        estimates=estimates,
        baselines=naive,
        slices=tuple(_slices(read, names, confidence)),
        grid=tuple(predicted_points(y, f)),
        residuals=tuple(residual_points(y, f)),
        confidence=confidence,
        columns={
            **dict(zip(("label", "prediction", "weight"), names, strict=False)),
            **({"by": list(read.slices)} if read.slices else {}),
        },
        dropped=dropped,
        warnings=tuple(_warnings(estimates, naive, len(y), dropped, few_make_the_spread(w * (y - f) ** 2, w))),
        source=data,
    )


def _measured(y: Array, f: Array, w: Array, names: Sequence[str], confidence: Confidence) -> list[Estimate]:
    sums = Sums.in_value_order_of(y, f, w, seed=confidence.seed)
    kish = float(w.sum() ** 2 / (w**2).sum())
    return numeric_estimates(sums, kish, confidence, rmsle_undefined=_negative(y, f, names))


def _slices(read: NumericRows, names: Sequence[str], confidence: Confidence) -> list[NumericSlice]:
    slices = []
    for column, (codes, values) in read.slices.items():
        if len(values) > MOST_SLICES:
            raise InputError(
                f"Column {column!r} has {len(values):,} values. Slices are for columns with at most {MOST_SLICES:,}."
            )
        for code, name in enumerate(values):
            rows = codes == code
            if rows.any():
                numbers = read.label[rows], read.prediction[rows], read.weights[rows]
                slices.append(NumericSlice(column, name, tuple(_measured(*numbers, names, confidence))))
    return slices


def _negative(y: Array, f: Array, names: Sequence[str]) -> str:
    low = np.minimum(y, f)
    rows = np.flatnonzero(low <= -1)
    if not len(rows):
        return ""
    which = names[0] if y[rows[0]] <= -1 else names[1]
    return str(
        message(
            "it needs values above -1, but {rows} {n:plural has|have} less ({column:name} is {value:number} in row {first})",
            rows=row_words(rows),
            n=len(rows),
            column=which,
            value=low[rows[0]],
            first=rows[0] + 1,
        )
    )


def _warnings(
    estimates: tuple[Estimate, ...], naive: tuple[NumericBaseline, ...], n: int, dropped: int, outliers: bool
) -> list[str]:
    by_name = {estimate.name: estimate for estimate in estimates}
    cautions: list[Text] = []
    if dropped:
        cautions.append(
            message(
                "{n:count row} without a number left out. If such rows are harder, every figure is too good.", n=dropped
            )
        )
    if by_name["r2"].value <= 0:
        cautions.append("R² is not above 0: predicting the mean would do as well or better.")
    elif by_name["squared_correlation"].value - by_name["r2"].value > 0.05:
        cautions.append(
            "The squared correlation is well above R²: predictions follow the labels but are off in scale or offset. "
            "Correct that first."
        )
    if n < 30:
        cautions.append(message("Only {n:count row}: bootstrap intervals are unreliable. Collect more rows.", n=n))
    if outliers:
        cautions.append(
            "A few rows make most of the squared error: the intervals of MSE and RMSE are too narrow. Look at these rows "
            "(chart of residuals), and prefer MAE."
        )
    return [str(caution) for caution in cautions]
