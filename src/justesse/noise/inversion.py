"""(c) Label errors depend on the true class only: the transition table, inverted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.resampling import CHUNK
from justesse.core.results import Estimate, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.ends import Ends
from justesse.intervals.estimate import NO_INTERVAL, Confidence
from justesse.intervals.quantile import quantile
from justesse.measures import Confusion, Measure
from justesse.measures.accuracy import Share
from justesse.measures.cost import Cost
from justesse.measures.ratio import Ratio
from justesse.noise.counted import counted, on_classes, padded
from justesse.noise.possible import once_each, possible
from justesse.noise.rung import BY_TRUE_CLASS, Rung
from justesse.noise.transition import Transition

TINY = 1e-9
NEGATIVE = "the corrected share of this class is not positive: too few rows, or the transition table does not fit"
LARGE = 2e10  # classes³ × draws of a transition table past which the fewest draws that reach into the tails must do
FEWER = "{classes} classes: the intervals from the transition table use only {draws} draws."
EXACT = "The transition table was given as shares, so the intervals treat it as exact."


def inversion(
    tally: Tally, measures: Sequence[Measure], transition: Transition, confidence: Confidence | None = None
) -> Rung[Estimate]:
    """Correct measures by inverting the transition table.

        joint(true, prediction) = T⁻ᵀ · joint(label, prediction),   T[i, j] = P(label j | true i)

    Parameters
    ----------
    tally
        Counts by label × prediction.
    measures
        The measures to correct.
    transition
        The transition table; with counts, its uncertainty is part of the intervals.
    confidence
        Confidence level, number of draws and seed.

    Notes
    -----
    The interval is a bootstrap of both tables: rows by multinomial draws and, if the transition table was counted, T
    by `Transition.draws`. The cost grows with the cube of the number of classes. Refused if T is nearly singular. If
    a classifier repeats the annotators' errors, the corrected values are too high. Patrini et al. (2017) use the same
    identity for learning.

    Examples
    --------
    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[430, 70], [70, 430]], ["a", "b"])
    >>> result = inversion(table, [accuracy], Transition.uniform(["a", "b"], 0.05)).figures[0]
    >>> round(result.value, 4), result.interval.method
    (0.9, 'bootstrap-percentile')
    """
    confidence = confidence or Confidence()
    tables = [measure.costs for measure in measures if isinstance(measure, Cost)]
    if len(tables) > 1:
        raise OptionError("Give one cost table per call.")
    costs = tables[0] if tables else None
    rows = on_classes(counted(tally, "label", "prediction"), transition.classes, what="the transition table")
    if not rows.n:
        raise OptionError("There are no rows to correct.")
    inverse = padded(transition.inverse(), len(rows.classes))
    point = corrected_table(rows, inverse, costs)
    values: list[list[Array]] = [[] for _ in measures]
    for table in _draws(rows, transition, inverse, costs, confidence):
        for kept, measure in zip(values, measures, strict=True):
            kept.append(_value(measure, table))
    estimates, outside, judged = [], [], rows.judged
    warnings = [EXACT] if transition.counts is None else []
    if len(values[0]) and (drawn_rows := sum(map(len, values[0]))) < confidence.enough_draws:
        warnings.append(FEWER.format(classes=len(rows.classes), draws=drawn_rows))
    for measure, drawn in zip(measures, values, strict=True):
        own, value = np.atleast_1d(measure.value(point)), np.atleast_1d(_value(measure, point))
        moved = np.concatenate(drawn).reshape(-1, len(value))
        if transition.counts is not None:
            # the prior of a table counted on few rows moves all draws the same way: only their spread is taken
            moved = moved + (value - quantile(moved, np.asarray(0.5)))
        intervals = _ends(moved, measure.bounds, confidence).intervals(
            bounds=measure.bounds, alternative=confidence.alternative
        )
        for at, name in enumerate(rows.classes if measure.per_class else (None,)):
            if measure.per_class and not judged[at]:
                continue
            interval = None if np.isnan(value[at]) else intervals[at]
            reason = None if interval else NO_INTERVAL
            if np.isnan(value[at]):
                reason = measure.reason if np.isnan(own[at]) else NEGATIVE
            estimate = Estimate.of(measure, float(value[at]), rows.n, interval, reason, name)
            estimate, warning = possible(estimate, bounds=measure.bounds)
            estimates.append(estimate)
            outside += [warning] if warning else []
    return Rung(
        BY_TRUE_CLASS,
        tuple(estimates),
        (
            "the rows are independent draws",
            "given the true class, labels and predictions are independent",
            "the transition table is exact for these rows"
            if transition.counts is None
            else "the transition table was counted on a random sample, independent of these rows",
        ),
        "annotators and classifier find the same rows hard, or the classifier learned the annotators' errors",
        (*warnings, *once_each(outside)),
    )


def corrected_table(tally: Tally, inverse: Array, costs: Array | None = None) -> Confusion:
    """Add up what measures need of T⁻ᵀ · table, without laying that table out.

        right_k = Σ_l T⁻¹[l, k]·n_lk      true_k = Σ_l T⁻¹[l, k]·labelled_l

    >>> inverse = Transition.uniform(["a", "b"], 0.05).inverse()
    >>> corrected_table(Tally.from_dense([[430, 70], [70, 430]], ["a", "b"]), inverse).hits.round(3).tolist()
    [450.0, 450.0]
    """
    label, prediction = tally.codes.T
    counts = tally.counts.astype(float)
    labelled = tally.sums("label", counts)
    return Confusion(
        tally.sums("prediction", counts * inverse[..., label, prediction]),
        (labelled[..., None, :] @ inverse)[..., 0, :],
        tally.sums("prediction", counts),
        counts.sum(axis=-1),
        None if costs is None else (counts * (inverse @ costs)[..., label, prediction]).sum(axis=-1),
        judged=tally.judged if tally.others else None,
    )


def _draws(
    rows: Tally, transition: Transition, inverse: Array, costs: Array | None, confidence: Confidence
) -> Iterator[Confusion]:
    draws, seed = confidence.enough_draws, confidence.seed
    if transition.counts is None:
        yield from (corrected_table(batch, inverse, costs) for batch in rows.resample(draws, seed))
        return
    chunk = max(1, CHUNK // len(rows.classes) ** 2)
    if len(rows.classes) ** 3 * draws > LARGE:
        draws = max(replace(confidence, draws=100).enough_draws, int(LARGE / len(rows.classes) ** 3))
    resampled = rows.resample(draws, seed, chunk=chunk)
    for batch, matrices in zip(resampled, transition.draws(draws, seed, chunk=chunk), strict=True):
        yield corrected_table(batch, padded(np.linalg.inv(matrices), len(rows.classes)), costs)


def _ends(drawn: Array, bounds: tuple[float, float], confidence: Confidence) -> Ends:
    """Compute the quantiles; a draw without a value could be anything, so it counts against both ends."""
    below, above = tail_levels(**confidence.sides)
    lowest, highest = (np.where(np.isnan(drawn), bound, drawn) for bound in bounds)
    blank = np.where(np.ptp(lowest, axis=0) <= TINY, np.nan, 0.0)  # draws that stand still tell nothing of the spread
    return Ends(
        (np.quantile(lowest, below, axis=0) if below else -np.inf) + blank,
        (np.quantile(highest, 1 - above, axis=0) if above else np.inf) + blank,
        confidence.level,
        "bootstrap-percentile",
    )


def _value(measure: Measure, table: Confusion) -> Array:
    """Measure, with no value where it would divide by a class share that came out negative."""
    value, impossible = np.asarray(measure.value(table)), table.labelled < -TINY
    if isinstance(measure, Ratio):
        return np.where(impossible, np.nan, value) if measure.denominator.labelled else value
    if isinstance(measure, (Share, Cost)):
        return value
    return np.where(impossible.any(axis=-1), np.nan, value)
