"""`justesse.evaluate_regression`: numeric predictions, each measure with its interval, beside what knows nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.charts.predicted_against_true import predicted_points
from justesse.charts.residuals import residual_points
from justesse.core.arrays import Array
from justesse.core.choices import MissingLabels
from justesse.core.errors import InputError, ScoreError
from justesse.core.quantity import quantity
from justesse.core.results import Alternative, Estimate
from justesse.frames.columns import resolve
from justesse.frames.count import opened
from justesse.frames.rows import LARGEST_EXACT, check_exact, no_rows
from justesse.frames.scores import check_not_huge, check_weights
from justesse.frames.table import row_words
from justesse.frames.values import named
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Confidence
from justesse.intervals.mean_error import few_make_the_spread
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.measures.regression import Sums
from justesse.procedures.numeric_baselines import NumericBaseline, numeric_baselines
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.options.intervals import IntervalOptions
from justesse.verbs.regression.evaluation import NumericSlice, RegressionEvaluation
from justesse.verbs.regression.options import drops_rows

MOST_SLICES = 1000


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
    if data is None:
        label, prediction = (y_true if label is None else label), (y_pred if prediction is None else prediction)
        if label is None or prediction is None:
            raise InputError("Pass data, or arrays for both labels and predictions.")
        in_arrays = {"label": label, "prediction": prediction} | ({} if weight is None else {"weight": weight})
        data = {name: _numbers(values, name) for name, values in in_arrays.items()}
        if isinstance(by, Mapping):
            data |= dict(by)
        elif by:
            raise InputError("With arrays, by must be a dict of name → array, such as by={'site': sites}.")
        label, prediction, weight = "label", "prediction", None if weight is None else "weight"
    data = watched(data)
    tables = opened(data)
    for table in tables[1:]:
        if not set(tables[0].columns) <= set(table.columns):
            raise InputError(f"{table.name} lacks columns of {tables[0].name}. All files need the same columns.")
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    roles = resolve(
        tables[0].columns, where=tables[0].name, label=label, prediction=prediction, weight=weight, by=slices
    )
    names = [roles.label, roles.prediction, *([weight] if weight else [])]
    parts = [table.arrays(roles.by, names) for table in tables]
    numbers, kept = _kept(np.concatenate([part.numbers for part in parts]), names, tables[0].name, drops)
    y, f, w = numbers[:, 0], numbers[:, 1], numbers[:, 2] if weight else np.ones(len(numbers))
    if weight:
        check_weights(w, f"column {weight!r} of {tables[0].name}")
    estimates = tuple(_measured(y, f, w, names, confidence))
    naive = tuple(numeric_baselines(y, w))
    dropped = int((~kept).sum())
    keys = {column: np.concatenate([part.keys[at] for part in parts])[kept] for at, column in enumerate(roles.by)}
    check_unchanged(data)
    return RegressionEvaluation(
        n=len(y),
        estimates=estimates,
        baselines=naive,
        slices=tuple(_slices(keys, y, f, w, tables[0].form, names, confidence)),
        grid=tuple(predicted_points(y, f)),
        residuals=tuple(residual_points(y, f)),
        confidence=confidence,
        columns={
            "label": roles.label,
            "prediction": roles.prediction,
            **({"weight": weight} if weight else {}),
            **({"by": list(roles.by)} if roles.by else {}),
        },
        dropped=dropped,
        warnings=tuple(_warnings(estimates, naive, len(y), dropped, few_make_the_spread(w * (y - f) ** 2, w))),
        source=data,
    )


def _measured(y: Array, f: Array, w: Array, names: Sequence[str], confidence: Confidence) -> list[Estimate]:
    sums = Sums.in_value_order_of(y, f, w, seed=confidence.seed)
    kish = float(w.sum() ** 2 / (w**2).sum())
    return numeric_estimates(sums, kish, confidence, rmsle_undefined=_negative(y, f, names))


def _slices(
    keys: Mapping[str, Array], y: Array, f: Array, w: Array, form: Any, names: Sequence[str], confidence: Confidence
) -> list[NumericSlice]:
    slices = []
    for column, values in keys.items():
        parts = named(values, form=form, column=column)
        if len(parts.names) > MOST_SLICES:
            raise InputError(
                f"Column {column!r} has {len(parts.names):,} values. Slices are for columns with at most "
                f"{MOST_SLICES:,}."
            )
        for code, name in enumerate(parts.names):
            rows = parts.codes == code
            if rows.any():
                slices.append(
                    NumericSlice(column, name, tuple(_measured(y[rows], f[rows], w[rows], names, confidence)))
                )
    return slices


def _numbers(values: Any, name: str) -> Array:
    try:
        raw = np.asarray(values)
        result = raw.astype(float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers, one per row ({error}). Correct them.") from error
    if raw.dtype.kind in "iu" and (np.abs(result) >= LARGEST_EXACT).any():
        check_exact(((row, int(value)) for row, value in enumerate(raw.ravel(), start=1)), "the arrays", name)
    return result.ravel() if result.ndim == 2 and 1 in result.shape else result


def _kept(numbers: Array, names: Sequence[str], where: str, drops: bool) -> tuple[Array, Array]:
    """Give the rows that have all numbers, and which they are."""
    if not len(numbers):
        raise no_rows(where)
    infinite = np.isinf(numbers).any(axis=1)
    if infinite.any():
        raise ScoreError(f"Infinite number in row {int(infinite.argmax()) + 1} of {where}. Correct or remove it.")
    check_not_huge(numbers[:, :2], where)
    bad = np.isnan(numbers).any(axis=1)
    if (empty := np.isnan(numbers).all(axis=0)).any():
        raise InputError(
            f"Column {names[int(empty.argmax())]!r} of {where} holds text or nothing, no number. For classes leave out "
            "--regression (justesse.evaluate); otherwise name a column with numbers."
        )
    if bad.any() and not drops:
        raise ScoreError(
            f"Missing numbers in {quantity(int(bad.sum()), 'row')} of {where}: {row_words(np.flatnonzero(bad))}, columns "
            f"{' or '.join(map(repr, names))}. Correct them, or drop these rows with missing='drop' (--missing "
            "drop)."
        )
    if bad.all():
        raise InputError(f"No row of {where} has numbers in {' and '.join(map(repr, names))}. Name the right columns.")
    return numbers[~bad], np.asarray(~bad)


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
