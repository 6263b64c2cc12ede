"""`justesse.compare_regression`: should the candidate replace the incumbent, if both predict numbers?"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from justesse.charts.error_differences import error_difference_points
from justesse.core.arrays import Array
from justesse.core.choices import MissingLabels
from justesse.core.errors import InputError, OptionError
from justesse.core.recording import remembered
from justesse.core.results import Alternative
from justesse.core.verdict import check_margin, decide
from justesse.frames.number_types import one_number_type
from justesse.frames.numeric_pairs import NumericPairs, ReadNumericPairs, numeric_pairs
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_differences import (
    NumericDifference,
    mean_difference,
    numeric_differences,
    row_differences,
)
from justesse.intervals.planning.numeric import mean_difference_n
from justesse.measures.regression import ALL, HEADLINE, NumericMeasure
from justesse.report.writing import Message, listed, message
from justesse.verbs.compare.paired_answers import put_together
from justesse.verbs.options.intervals import DrawOptions
from justesse.verbs.recorded import recorded
from justesse.verbs.regression.comparison import RegressionComparison, SliceDifference
from justesse.verbs.regression.options import NumericDecisionOptions, drops_rows

MOST_SLICES = 1000
FEW = 30
DOMINATES = 0.5  # share of the variance of the paired differences


@recorded
def compare_regression(
    data: Any = None,
    candidate_data: Any = None,
    *more: Any,
    y_true: Any = None,
    incumbent: Any = None,
    candidate: Any = None,
    on: str | None = None,
    common: bool = False,
    label: str | None = None,
    prediction: str | None = None,
    by: str | Sequence[str] | None = None,
    measure: str = NumericDecisionOptions.measure,
    margin: float = NumericDecisionOptions.margin,
    level: float = DrawOptions.level,
    alternative: Alternative = DrawOptions.alternative,
    draws: int = DrawOptions.draws,
    seed: int = DrawOptions.seed,
    missing: MissingLabels | None = None,
    drop_missing: bool = False,
) -> RegressionComparison:
    """Compare two models that predict numbers, on the same rows.

    Parameters
    ----------
    data
        The incumbent's table, or one table with the predictions of both: path, data frame or dict of arrays.
    candidate_data
        The candidate's table, if it is another one.
    more
        Refused: more than two values by position.
    y_true
        Array of labels, instead of `data`; `incumbent` and `candidate` are then arrays of predictions.
    incumbent
        Column of the incumbent's answers, if all answers are in one file.
    candidate
        Column of the candidate's answers, if all answers are in one file.
    on
        Column with an id that all files share. Default: rows in order, if all labels agree.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    by
        Column to slice by, or a list of columns. Default: no slices.
    measure
        Measure that decides: mse, rmse, mae, rmsle, rse, r2 or squared_correlation. Default: mae.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.1. Default: 0.
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

    Examples
    --------
    >>> comparison = compare_regression(y_true=[1.0, 2.0, 3.0, 4.0], incumbent=[2.0, 4.0, 4.0, 7.0],
    ...                                 candidate=[1.1, 2.2, 2.9, 4.2])
    >>> comparison.decision, round(comparison["mae"].difference.value, 3)
    ('replace', 1.6)
    """
    if more:
        raise InputError(
            f"{2 + len(more)} values passed by position, but compare_regression takes one or two tables. Name arrays: "
            "y_true=labels, incumbent=predictions, candidate=predictions."
        )
    confidence = Confidence(level=level, alternative=alternative, draws=draws, seed=seed)
    check_margin(margin)
    drops = drops_rows(missing, drop_missing)
    names = [known.name for known in ALL]
    if measure not in names:
        raise OptionError(f"There is no numeric measure {measure!r}. Measures: {', '.join(names)}.")
    data, candidate_data = watched(data), watched(candidate_data)
    others = [] if candidate_data is None else [candidate_data]
    slices = (by,) if isinstance(by, str) else tuple(by or ())

    def read() -> ReadNumericPairs:
        arrays = y_true, incumbent, candidate
        if data is None:
            several = isinstance(candidate, Mapping)
            arrays = (
                one_number_type(y_true, "y_true"),
                one_number_type(incumbent, "incumbent"),
                {name: one_number_type(values, str(name)) for name, values in candidate.items()}
                if several
                else one_number_type(candidate, "candidate"),
            )
        placed = put_together(
            data, others, arrays[1], arrays[2], arrays[0], None, None,
            on=on, common=common, label=label, prediction=prediction, true=None, by=slices,
        )  # fmt: skip
        if not isinstance(placed, tuple) or len(placed[1]) != 1:
            raise InputError(
                "Numeric predictions are compared for one incumbent and one candidate. Give one candidate."
            )
        own, [(other, table)] = placed
        pairs = numeric_pairs(table, drop_missing=drops)
        return ReadNumericPairs((own, other), pairs, table.columns, table.unmatched)

    rows = remembered("numbers", read)
    pairs = rows.pairs
    differences = numeric_differences(
        pairs.label, pairs.incumbent, pairs.candidate, confidence, rmsle_undefined=_rmsle_undefined(pairs)
    )
    decisive = next(each for each in differences if each.name == measure)
    ends = decisive.difference.interval
    decision = str(decide(ends.low if ends else math.nan, ends.high if ends else math.nan, margin))
    sources = [source for source in (data, candidate_data) if source is not None]
    for source in sources:
        check_unchanged(source)
    return RegressionComparison(
        decision=decision,  # type: ignore[arg-type]
        measure=measure,
        margin=margin,
        n=len(pairs.label),
        names=rows.names,
        differences=tuple(differences),
        slices=tuple(_slices(pairs, confidence)),
        histogram=tuple(error_difference_points(pairs.label - pairs.incumbent, pairs.label - pairs.candidate)),
        confidence=confidence,
        needed_n=_needed_n(pairs, decisive, decision, margin, confidence),
        columns={**rows.columns, **({"by": list(slices)} if slices else {})},
        dropped=pairs.dropped,
        warnings=tuple(_warnings(pairs, rows.unmatched)),
        sources=tuple(sources),
    )


def _rmsle_undefined(pairs: NumericPairs) -> str:
    columns = {"label": pairs.label, "incumbent": pairs.incumbent, "candidate": pairs.candidate}
    for name, values in columns.items():
        if (values <= -1).any():
            at = int((values <= -1).argmax())
            template = "needs values above -1: row {row} has {name} {value:number}"
            return str(message(template, row=at + 1, name=name, value=values[at]))
    return ""


def _gains(measure: NumericMeasure, pairs: NumericPairs) -> Array:
    return row_differences(measure, pairs.label, pairs.incumbent, pairs.candidate)


def _slices(pairs: NumericPairs, confidence: Confidence) -> list[SliceDifference]:
    """Compare the first headline measure, a mean over rows, in each slice, the largest loss first."""
    slices = []
    measure = HEADLINE[0]
    ours, theirs = (measure.row_errors(pairs.label, predictions) for predictions in (pairs.incumbent, pairs.candidate))
    for column, (codes, names) in pairs.slices.items():
        if len(names) > MOST_SLICES:
            raise InputError(f"Column {column!r} has {len(names):,} values; at most {MOST_SLICES:,} can be slices.")
        for code, name in enumerate(names):
            rows = codes == code
            if rows.any():
                estimate, _ = mean_difference(measure, ours[rows] - theirs[rows], confidence)
                slices.append(
                    SliceDifference(column, name, float(ours[rows].mean()), float(theirs[rows].mean()), estimate)
                )
    return sorted(slices, key=lambda part: part.difference.value)


def _needed_n(
    pairs: NumericPairs, decisive: NumericDifference, decision: str, margin: float, confidence: Confidence
) -> int | None:
    """Return how many more rows would settle it if the observed difference is the true one; `None` if not known."""
    if decision != "cannot_tell":
        return 0
    if decisive.difference.interval is None:
        return None
    measure = next(known for known in ALL if known.name == decisive.name)
    if not measure.is_mean:
        return None
    gain = _gains(measure, pairs)
    # replace once the low end is above the margin, keep (or equivalent) once the high end is below it
    distance = decisive.difference.value - margin
    open_side = {"greater": distance < 0, "less": distance > 0}.get(confidence.alternative, False)
    if not distance or open_side or len(gain) < 2 or not gain.std(ddof=1) > 0:
        return None
    side: Alternative = "two-sided" if confidence.alternative == "two-sided" else "greater"
    total = mean_difference_n(abs(distance), sd=float(gain.std(ddof=1)), level=confidence.level, alternative=side)
    return max(total - len(gain), 1)


def _warnings(pairs: NumericPairs, unmatched: Any) -> list[str]:
    cautions: list[Message] = []
    if pairs.dropped:
        cautions.append(
            message(
                "{n:count row} without a number left out. If such rows are harder, errors look too small.",
                n=pairs.dropped,
            )
        )
    if unmatched and any(unmatched.values()):
        alone = [
            message("{n:count} only in the {side}'s table", n=size, side=side)
            for side, size in unmatched.items()
            if size
        ]
        cautions.append(message("Rows without a partner were left out: {alone}.", alone=listed(alone)))
    if len(pairs.label) < FEW:
        cautions.append(
            message(
                "Only {n:count row}: intervals rely on errors that are close to normal. Collect more.",
                n=len(pairs.label),
            )
        )
    gain = _gains(HEADLINE[0], pairs)
    squares = (gain - gain.mean()) ** 2
    share = float(squares.max() / squares.sum()) if squares.sum() > 0 else 0.0
    if len(gain) >= FEW and share > DOMINATES:
        cautions.append(
            message(
                "One row makes up {share:whole_share} of the variance of the paired differences. Check that row.",
                share=share,
            )
        )
    return [str(caution) for caution in cautions]
