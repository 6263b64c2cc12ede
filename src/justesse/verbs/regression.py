"""`justesse.evaluate_regression`: numeric predictions, each measure with its interval, beside what knows nothing."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError, ScoreError
from justesse.core.results import Estimate, Interval, finite_or_none, tail_levels
from justesse.core.seeds import stream
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import resolve
from justesse.frames.count import opened
from justesse.frames.native import native_frame, write_table
from justesse.frames.scores import check_weights
from justesse.intervals.estimate import Confidence
from justesse.measures.confusion import Array
from justesse.measures.regression import ALL, Sums

SHOWN = 5
BOUNDS = {"r2": (-math.inf, 1.0), "squared_correlation": (0.0, 1.0)}
REASONS = {
    "rse": "all labels are equal",
    "r2": "all labels are equal",
    "squared_correlation": "all labels or all predictions are equal",
}


@dataclass(frozen=True)
class NumericBaseline:
    """A naive prediction and its errors."""

    name: str
    prediction: float
    mse: float
    rmse: float
    mae: float

    def to_dict(self) -> dict[str, Any]:
        return {key: finite_or_none(value) if isinstance(value, float) else value for key, value in vars(self).items()}


@dataclass(frozen=True, repr=False)
class RegressionEvaluation:
    """Every measure of numeric predictions with its interval, and the baselines beside them."""

    n: int
    estimates: tuple[Estimate, ...]
    baselines: tuple[NumericBaseline, ...]
    confidence: Confidence
    columns: dict[str, str]
    dropped: int
    warnings: tuple[str, ...]
    source: Any

    assumptions = (
        "the labels are right",
        "the rows are independent draws from the population of interest, and played no part in training or choosing",
    )

    def __getitem__(self, name: str) -> Estimate:
        for found in self.estimates:
            if found.name == name:
                return found
        raise OptionError(f"there is no measure {name!r}; there are {', '.join(one.name for one in self.estimates)}")

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.n,
            "measures": [found.to_dict() for found in self.estimates],
            "baselines": [found.to_dict() for found in self.baselines],
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": self.columns,
            "dropped": self.dropped,
            "seed": self.confidence.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the estimates out as columns."""
        rows = [found.to_dict() for found in self.estimates]
        columns = {key: [row[key] for row in rows] for key in ("name", "value", "n", "undefined")}
        for key in ("low", "high", "level", "method"):
            columns[key] = [row["interval"][key] if row["interval"] else None for row in rows]
        return columns

    def to_frame(self) -> Any:
        """Give all measures as a data frame of the caller's kind."""
        return native_frame(self.to_columns(), like=self.source)

    measures = property(to_frame)

    def save(self, path: Path) -> Path:
        """Write the measures as a table: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    @property
    def headline(self) -> str:
        """The answer in a few sentences."""
        mae, naive = self["mae"], min(self.baselines, key=lambda one: one.mae)
        ends = (
            f" ({100 * self.confidence.level:g} % interval {mae.interval.low:.4g} to {mae.interval.high:.4g})"
            if mae.interval
            else ""
        )
        return (
            f"Predictions are off by {mae.value:.4g} on average{ends} over {self.n:,} rows, if the labels are right. "
            f"Always predicting the {naive.name} would be off by {naive.mae:.4g}."
        )

    def __repr__(self) -> str:
        lines = [f"{one.name:<20}  {_number(one.value):>12}  {ends_words(one)}" for one in self.estimates]
        return "\n".join([self.headline, "", *lines, *(f"! {warning}" for warning in self.warnings)])


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.6g}"


def ends_words(found: Estimate) -> str:
    """Show the interval of a number in any unit."""
    if found.interval is None:
        return found.undefined or ""
    return f"{found.interval.low:.6g} to {found.interval.high:.6g}"


def evaluate_regression(
    data: Any = None,
    *,
    y_true: Any = None,
    y_pred: Any = None,
    label: Any = None,
    prediction: Any = None,
    weight: Any = None,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
    drop_missing: bool = False,
) -> RegressionEvaluation:
    """Say how far numeric predictions are from numeric labels.

    Intervals are percentiles of a bootstrap of rows. RMSLE is undefined, with the reason, where a value is -1 or less.

    >>> found = evaluate_regression(y_true=[3.0, -0.5, 2.0, 7.0], y_pred=[2.5, 0.0, 2.0, 8.0])
    >>> round(found["mse"].value, 4), round(found["r2"].value, 4)
    (0.375, 0.9486)
    """
    confidence = Confidence(level=level, draws=draws, seed=seed)
    if data is None:
        label, prediction = (y_true if label is None else label), (y_pred if prediction is None else prediction)
        if label is None or prediction is None:
            raise InputError("give data, or arrays for both labels and predictions")
        given = {"label": label, "prediction": prediction} | ({} if weight is None else {"weight": weight})
        data = {name: _numbers(values, name) for name, values in given.items()}
        label, prediction, weight = "label", "prediction", None if weight is None else "weight"
    tables = opened(data)
    for table in tables[1:]:
        if not set(tables[0].columns) <= set(table.columns):
            raise InputError(f"{table.name} lacks columns of {tables[0].name}; make the files alike")
    roles = resolve(tables[0].columns, where=tables[0].name, label=label, prediction=prediction, weight=weight)
    names = [roles.label, roles.prediction, *([weight] if weight else [])]
    numbers = np.concatenate([table.arrays([], names).numbers for table in tables])
    numbers, dropped = _kept(numbers, names, tables[0].name, drop_missing)
    y, f, w = numbers[:, 0], numbers[:, 1], numbers[:, 2] if weight else np.ones(len(numbers))
    if weight:
        check_weights(w, f"column {weight!r} of {tables[0].name}")
    sums = Sums.of(y, f, w, seed=seed)
    estimates = tuple(_estimates(sums, _negative(y, f, names), confidence, float(w.sum() ** 2 / (w**2).sum())))
    naive = tuple(_baselines(y, w))
    return RegressionEvaluation(
        len(y),
        estimates,
        naive,
        confidence,
        {"label": roles.label, "prediction": roles.prediction, **({"weight": weight} if weight else {})},
        dropped,
        tuple(_warnings(estimates, naive, len(y), dropped)),
        data,
    )


def _numbers(values: Any, name: str) -> Array:
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers, one per row: {error}") from error
    return found.ravel() if found.ndim == 2 and 1 in found.shape else found


def _kept(numbers: Array, names: list[str], where: str, drop_missing: bool) -> tuple[Array, int]:
    if not len(numbers):
        raise InputError(f"{where} has no rows; there is nothing to evaluate")
    infinite = np.isinf(numbers).any(axis=1)
    if infinite.any():
        raise ScoreError(f"{where}, row {int(infinite.argmax()) + 1}: infinite numbers cannot be evaluated; mend them")
    bad = np.isnan(numbers).any(axis=1)
    if bad.any() and not drop_missing:
        rows = ", ".join(str(row + 1) for row in np.flatnonzero(bad)[:SHOWN])
        raise ScoreError(
            f"{bad.sum():,} rows of {where} have no number in {' or '.join(map(repr, names))}, the first in rows {rows}. "
            "Mend them, or pass drop_missing (--drop-missing) to leave them out"
        )
    if bad.all():
        raise InputError(f"no row of {where} has numbers in {' and '.join(map(repr, names))}; name the right columns")
    return numbers[~bad], int(bad.sum())


def _negative(y: Array, f: Array, names: list[str]) -> str:
    low = np.minimum(y, f)
    rows = np.flatnonzero(low <= -1)
    if not len(rows):
        return ""
    which = names[0] if y[rows[0]] <= -1 else names[1]
    return f"it needs values above -1: {len(rows):,} rows have less, the first is row {rows[0] + 1} ({which!r} {low[rows[0]]:g})"


def _estimates(sums: Sums, negative: str, confidence: Confidence, n: float) -> list[Estimate]:
    total = sums.total
    buckets = len(sums.weight)
    times = stream(confidence.seed, "regression").multinomial(
        buckets, np.full(buckets, 1 / buckets), confidence.enough_draws
    )
    drawn = sums.drawn(times.astype(float))
    tails = tail_levels(confidence.level, confidence.alternative)
    found = []
    for measure in ALL:
        name = measure.__name__
        with np.errstate(invalid="ignore"):
            value, values = float(measure(total)), measure(drawn)
        reason = negative if name == "rmsle" and negative else REASONS.get(name)
        values = values[np.isfinite(values)]
        if math.isnan(value):
            found.append(Estimate(name, value, n, None, reason or "there are no rows"))
        elif buckets < 2 or not len(values) or np.ptp(values) == 0:
            found.append(
                Estimate(
                    name, value, n, None, "no interval: the rows do not let the bootstrap see how far it could move"
                )
            )
        else:
            low, high = np.quantile(values, [tails[0], 1 - tails[1]])
            bounds = BOUNDS.get(name, (0.0, math.inf))
            found.append(
                Estimate(
                    name, value, n, Interval(float(low), float(high), confidence.level, "bootstrap-percentile", bounds)
                )
            )
    return found


def _baselines(y: Array, w: Array) -> list[NumericBaseline]:
    """Score the median, the mean, and another row's label drawn at random (expected errors, exact)."""
    order = np.argsort(y)
    ordered, heavy = y[order], w[order]
    up_to = np.cumsum(heavy)
    total = up_to[-1]
    median = float(ordered[np.searchsorted(up_to, total / 2)])
    mean = float(np.average(y, weights=w))
    found = []
    for name, guess in (("median", median), ("mean", mean)):
        squared = float(np.average((y - guess) ** 2, weights=w))
        found.append(
            NumericBaseline(name, guess, squared, math.sqrt(squared), float(np.average(np.abs(y - guess), weights=w)))
        )
    variance = float(np.average((y - mean) ** 2, weights=w))
    ordered = ordered - mean  # differences stay the same, and do not drown in a large offset
    below = np.concatenate([[0.0], up_to[:-1]])
    summed = np.concatenate([[0.0], np.cumsum(heavy * ordered)[:-1]])
    apart = max(0.0, float(2 * (heavy * (ordered * below - summed)).sum() / total**2))
    found.append(NumericBaseline("random label", math.nan, 2 * variance, math.sqrt(2 * variance), apart))
    return found


def _warnings(estimates: tuple[Estimate, ...], naive: tuple[NumericBaseline, ...], n: int, dropped: int) -> list[str]:
    by_name = {one.name: one for one in estimates}
    said = []
    if dropped:
        said.append(
            f"{dropped:,} rows without a number were left out, as asked: if they are harder than the others, every figure flatters."
        )
    if by_name["r2"].value <= 0:
        said.append("R² is not above 0: predicting the mean would do as well or better.")
    elif by_name["squared_correlation"].value - by_name["r2"].value > 0.05:
        said.append(
            "The squared correlation is well above R²: predictions follow the labels but are off in scale or offset; correct that first."
        )
    if n < 30:
        said.append(f"Only {n} rows: intervals by resampling are unreliable; gather more.")
    return said
