"""Every measure, and every difference of two classifiers, averaged over draws of the true classes."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Alternative, ClassName, Estimate, Interval
from justesse.intervals.ends import Ends
from justesse.intervals.estimate import NO_INTERVAL, Confidence
from justesse.intervals.posterior_mixture import Mixture, share_mixture, table_mixture
from justesse.measures import Confusion, Measure
from justesse.measures.cost import Cost

REPEATS = 8  # populations drawn for each table, at least
HIDDEN = "posterior-jaccard"


@dataclass(frozen=True)
class PosteriorEstimate:
    """An estimate, and the share of its interval's width that comes from doubt about the true classes."""

    estimate: Estimate
    doubt: float


def confusion_of(tables: Array, costs: FloatArray | None = None) -> Confusion:
    """Add up tables of true class × prediction; a last column beyond the classes holds other answers.

    >>> confusion_of(np.array([[[8, 2, 0], [1, 8, 1]]])).hits.tolist()
    [[8.0, 8.0, 0.0]]
    """
    k, columns = tables.shape[-2:]
    values = np.asarray(tables, dtype=float)
    beyond = columns - k
    hits = np.diagonal(values, axis1=-2, axis2=-1)[..., :k]
    judged = np.arange(columns) < k
    return Confusion(
        _padded(hits, beyond),
        _padded(values.sum(axis=-1), beyond),
        values.sum(axis=-2),
        values.sum(axis=(-2, -1)),
        None if costs is None else (values * costs[:k]).sum(axis=(-2, -1)),
        judged=judged if beyond else None,
    )


def posterior_estimates(
    tables: Array,
    imagined: FloatArray,
    classes: Sequence[ClassName],
    measures: Sequence[Measure],
    confidence: Confidence,
) -> list[PosteriorEstimate]:
    """Estimate measures from tables of true class × prediction, one table for each draw of the true classes.

    Shares of rows have a mixture of Jeffreys' posteriors, F1 of a class that of its hidden share, other measures that
    of tables whose cells are drawn. Values are means over the draws.

    Parameters
    ----------
    tables
        Counts, draw × class × prediction; a last column beyond the classes holds other answers.
    imagined
        Rows added to the cells when they are drawn.
    classes
        Names of the classes.
    measures
        Measures to compute.
    confidence
        Level, alternative, draws and seed.
    """
    costs = next((measure.costs for measure in measures if isinstance(measure, Cost)), None)
    table = confusion_of(tables, costs)
    k = len(classes)
    drawn = [m for m in measures if m.proportion(table) is None and m.hidden_share(table) is None]
    mixtures: dict[int, Mixture] = {}
    if drawn:
        widths = [k if measure.per_class else 1 for measure in drawn]
        joint = table_mixture(
            tables,
            imagined,
            lambda batch: _values(confusion_of(batch, costs), drawn, k),
            repeats=max(REPEATS, math.ceil(confidence.enough_draws / len(tables))),
            seed=confidence.seed,
            **confidence.sides,
        )
        for measure, part in zip(drawn, _split(joint, widths), strict=True):
            mixtures[id(measure)] = part
    results = []
    for measure in measures:
        share, hidden = measure.proportion(table), measure.hidden_share(table)
        rows = np.full(k if measure.per_class else 1, float(np.mean(np.asarray(table.n))))
        if share:
            mixture = share_mixture(
                _own(share.successes, measure, k), _own(share.trials, measure, k), **confidence.sides
            )
            rows = np.mean(np.broadcast_to(_own(share.trials, measure, k), (len(tables), len(rows))), axis=0)
        elif hidden:
            part = share_mixture(
                _own(hidden.successes, measure, k), _own(hidden.trials, measure, k), **confidence.sides
            )
            value = _values(table, [measure], k)
            low, high = (measure.of_share(np.clip(end, 0, 1)) for end in (part.low, part.high))
            mixture = Mixture(_defined_mean(value), low, high, part.doubt, HIDDEN)
        else:
            mixture = mixtures[id(measure)]
        results += _named(measure, mixture, rows, classes, confidence)
    return results


def posterior_difference(
    tables: Array,
    imagined: FloatArray,
    sides: tuple[Array, Array],
    value: Callable[[Array], FloatArray],
    *,
    sign: int,
    confidence: Confidence,
    margin: float = 0.0,
) -> tuple[Mixture, float]:
    """Give the posterior of a difference of two classifiers, and the chance that it is above a margin.

    Parameters
    ----------
    tables
        Counts, draw × class × code of both predictions.
    imagined
        Rows added to the cells when they are drawn.
    sides
        For each classifier, which code belongs to which prediction, as a matrix of code × prediction.
    value
        The measure, as a function of tables of class × prediction.
    sign
        1 if more is better, -1 if less is.
    confidence
        Level, alternative, draws and seed.
    margin
        Smallest gain that matters.
    """
    above: list[FloatArray] = []

    def difference(batch: Array) -> FloatArray:
        first, second = (value(batch @ side) for side in sides)
        gain = sign * (second - first)
        above.append(gain)
        return gain[:, None]

    mixture = table_mixture(
        tables,
        imagined,
        difference,
        repeats=max(REPEATS, math.ceil(confidence.enough_draws / len(tables))),
        seed=confidence.seed,
        **confidence.sides,
    )
    gains = np.concatenate(above[:-1])  # the last call is about the tables themselves
    gains = gains[~np.isnan(gains)]
    return mixture, float(np.mean(gains > margin)) if len(gains) else math.nan


def difference_estimate(
    name: str, mixture: Mixture, n: float, confidence: Confidence, *, reason: str, class_name: ClassName = None
) -> PosteriorEstimate:
    """Make the estimate of a difference.

    Parameters
    ----------
    name
        Name of the difference.
    mixture
        Its posterior.
    n
        Number of items.
    confidence
        Level and alternative.
    reason
        Why it is undefined, if it is.
    class_name
        Class it is about. Default: all.
    """
    value = float(mixture.value.ravel()[0])
    interval = _ends(mixture, confidence.level, confidence.alternative, (-math.inf, math.inf))[0]
    undefined = reason if math.isnan(value) else None if interval else NO_INTERVAL
    estimate = Estimate(name, value, n, None if math.isnan(value) else interval, undefined, class_name)
    return PosteriorEstimate(estimate, float(mixture.doubt.ravel()[0]))


def _named(
    measure: Measure, mixture: Mixture, rows: FloatArray, classes: Sequence[ClassName], confidence: Confidence
) -> list[PosteriorEstimate]:
    names: Sequence[ClassName] = classes if measure.per_class else (None,)
    intervals = _ends(mixture, confidence.level, confidence.alternative, measure.bounds)
    results = []
    for at, name in enumerate(names):
        value, interval = float(mixture.value.ravel()[at]), intervals[at]
        reason = None
        if math.isnan(value):
            interval, reason = None, measure.reason
        elif interval is None or interval.unclipped_low == interval.unclipped_high:
            interval, reason = None, NO_INTERVAL
        estimate = Estimate.of(measure, value, float(rows[at]), interval, reason, name)
        results.append(PosteriorEstimate(estimate, float(mixture.doubt.ravel()[at]) if interval else math.nan))
    return results


def _ends(
    mixture: Mixture, level: float, alternative: Alternative, bounds: tuple[float, float]
) -> list[Interval | None]:
    ends = Ends(mixture.low, mixture.high, level, mixture.method)
    return ends.intervals(bounds=bounds, alternative=alternative)


def _values(table: Confusion, measures: Sequence[Measure], k: int) -> FloatArray:
    """Put the values of all measures side by side, the classes of those per class one after another."""
    return np.concatenate([_own(measure.value(table), measure, k) for measure in measures], axis=1)


def _own(values: Array, measure: Measure, k: int) -> FloatArray:
    """Lay values out as draw × number, without answers beyond the classes."""
    values = np.asarray(values, dtype=float)
    return values[..., :k] if measure.per_class else values.reshape(len(values), 1)


def _split(mixture: Mixture, widths: Sequence[int]) -> list[Mixture]:
    edges = np.cumsum([0, *widths])
    m = mixture
    return [
        Mixture(m.value[start:stop], m.low[start:stop], m.high[start:stop], m.doubt[start:stop], m.method)
        for start, stop in itertools.pairwise(edges)
    ]


def _defined_mean(values: FloatArray) -> FloatArray:
    defined = ~np.isnan(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def _padded(values: FloatArray, beyond: int) -> FloatArray:
    return values if not beyond else np.concatenate([values, np.zeros((*values.shape[:-1], beyond))], axis=-1)
