"""Baselines: predictions that ignore the input, which every classifier must beat.

`majority` always predicts the most frequent label, `frequency` draws a class by its frequency among the labels,
`uniform` draws all classes alike. Random predictions are not simulated: the expected table (labels × shares of the
predictions) is exact, and so is the expected accuracy; other measures are those of that table. All of it is for the
labels at hand: only the constant prediction has the interval of a share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.levels import CLUSTERS
from justesse.core.results import ClassName, Estimate, Interval
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION, Ends
from justesse.intervals.estimate import Confidence
from justesse.measures import Confusion, Measure
from justesse.measures.cost import Cost

NAMES = ("majority", "frequency", "uniform")
EXACT = "no interval: it is the exact expectation for these labels"
SEVERAL = "not defined for a fixed prediction where labels accept several classes"


@dataclass(frozen=True)
class Baseline:
    """One baseline and its scores."""

    name: str
    class_name: ClassName
    measures: tuple[Estimate, ...]

    def __getitem__(self, measure: str) -> Estimate:
        return next(estimate for estimate in self.measures if estimate.name == measure)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "class": self.class_name,
            "measures": [estimate.to_dict() for estimate in self.measures],
        }


def baselines(
    tally: Tally,
    measures: Sequence[Measure],
    confidence: Confidence | None = None,
    accepted: Mapping[ClassName, float] | None = None,
) -> list[Baseline]:
    """Score the three baselines on the labels of a tally, with overall measures.

    `accepted` counts the rows that accept each class, if labels accept several: only accuracy and error are then
    defined, because the class of a row depends on the prediction.

    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
    >>> for baseline in baselines(table, [accuracy]):
    ...     print(baseline.name, baseline.class_name, baseline.measures[0].value, baseline.measures[0].interval)
    majority - 0.95 [0.9428, 0.9563]
    frequency None 0.905 None
    uniform None 0.5 None
    """
    confidence = confidence or Confidence()
    if accepted is not None:
        return [_accepted(name, measures, accepted, tally, confidence) for name in NAMES]
    labels = np.asarray(tally.sums("label"), dtype=float)
    total, classes, judged = labels.sum(), len(labels), tally.judged
    winner = int(labels.argmax())
    shares = {
        "majority": _unit(classes, winner),
        "frequency": labels / total,
        "uniform": judged / judged.sum(),
    }
    return [
        Baseline(
            name,
            tally.classes[winner] if name == "majority" else None,
            tuple(_score(measure, labels, shares[name], name, tally, confidence) for measure in measures),
        )
        for name in NAMES
    ]


def _accepted(
    name: str,
    measures: Sequence[Measure],
    accepted: Mapping[ClassName, float],
    tally: Tally,
    confidence: Confidence,
) -> Baseline:
    """Score one baseline where rows accept several classes."""
    total = float(tally.values.sum())
    shares = {first: size / total for first, size in accepted.items()}
    winner = max(shares, key=lambda class_name: shares[class_name])
    right = {
        "majority": shares[winner],
        "frequency": sum(share**2 for share in shares.values()) / sum(shares.values()),
        "uniform": sum(shares.values()) / len(shares),
    }[name]
    estimates = []
    for measure in measures:
        value = float("nan")
        if measure.judged_as == "accuracy":
            value = right if measure.greater_is_better else 1 - right
        interval: Interval | None = None
        reason: str | None = SEVERAL if np.isnan(value) else EXACT
        if name == "majority" and not np.isnan(value):
            ends = _share_ends(value, tally, None, confidence)
            interval = ends.intervals(bounds=measure.bounds, alternative=confidence.alternative)[0]
            reason = None
        estimates.append(Estimate.of(measure, value, tally.effective_n, interval, reason))
    return Baseline(name, winner if name == "majority" else None, tuple(estimates))


def _share_ends(value: float, tally: Tally, winner: int | None, confidence: Confidence) -> Ends:
    """Compute the interval of a share of rows; if they come in clusters, of the rows with this label or the others."""
    n = tally.effective_n
    if CLUSTERS in tally.axes and winner is not None:
        from justesse.intervals.clustered import clustered_share
        from justesse.intervals.clustered_measures import ClusterRows

        rows = ClusterRows.of(tally)
        hits = rows.sums(rows.label == winner)
        is_theirs = abs(float(hits.sum()) / n - value) > 1e-9
        return clustered_share(rows.sizes - hits if is_theirs else hits, rows.sizes, **confidence.sides)
    method = PROPORTION["wilson" if confidence.method == "delta" else confidence.method]
    return method(value * n, n, **confidence.sides)


def _unit(size: int, at: int) -> Array:
    unit = np.zeros(size)
    unit[at] = 1.0
    return unit


def _score(measure: Measure, labels: Array, share: Array, name: str, tally: Tally, confidence: Confidence) -> Estimate:
    judged = tally.judged if tally.others else None
    costs = measure.costs if isinstance(measure, Cost) else None
    total = labels.sum()
    paid = None if costs is None else np.asarray(labels @ costs @ share)
    table = Confusion(labels * share, labels, total * share, np.asarray(total), paid, tally.weighted, judged)
    value, n = float(measure.value(table)), tally.effective_n
    interval: Interval | None = None
    reason: str | None = measure.reason if np.isnan(value) else EXACT
    if name == "majority" and measure.proportion(table):
        ends = _share_ends(value, tally, int(share.argmax()), confidence)
        interval = ends.intervals(bounds=measure.bounds, alternative=confidence.alternative)[0]
        reason = None
    return Estimate.of(measure, value, n, interval, reason)
