"""What knows nothing of the case: the answers every classifier must beat.

`majority` always gives the most frequent label, `frequency` draws a class as often as it occurs among the labels,
`uniform` draws any class alike. Random answers are not simulated: the expected table (labels × shares of the
answers) is exact, and so is the expected accuracy; other measures are those of that table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import ClassName, Estimate, tail_levels
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION
from justesse.intervals.delta import delta_ends
from justesse.intervals.estimate import Confidence
from justesse.measures import Confusion, Measure
from justesse.measures.confusion import Partials
from justesse.measures.cost import Cost

Array = NDArray[Any]
NAMES = ("majority", "frequency", "uniform")
EXACT = "no interval: this value does not depend on which rows were drawn"


@dataclass(frozen=True)
class Baseline:
    """One naive answer and how it scores."""

    name: str
    class_name: ClassName
    measures: tuple[Estimate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "class": self.class_name, "measures": [found.to_dict() for found in self.measures]}


def baselines(tally: Tally, measures: Sequence[Measure], confidence: Confidence | None = None) -> list[Baseline]:
    """Score the three naive answers on the labels of a tally, with overall measures.

    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
    >>> for found in baselines(table, [accuracy]):
    ...     print(found.name, found.class_name, found.measures[0].value, found.measures[0].interval)
    majority - 0.95 [0.9428, 0.9563]
    frequency None 0.905 [0.8928, 0.9172]
    uniform None 0.5 None
    """
    confidence = confidence or Confidence()
    labels = np.asarray(tally.sums("label"), dtype=float)
    spread = labels if tally.squares is None else np.asarray(tally.sums("label", tally.squares))
    total, classes = labels.sum(), len(labels)
    winner = int(labels.argmax())
    shares = {
        "majority": _unit(classes, winner),
        "frequency": labels / total,
        "uniform": np.full(classes, 1 / classes),
    }
    return [
        Baseline(
            name,
            tally.classes[winner] if name == "majority" else None,
            tuple(_score(measure, labels, spread, shares[name], name, tally, confidence) for measure in measures),
        )
        for name in NAMES
    ]


def _unit(size: int, at: int) -> Array:
    unit = np.zeros(size)
    unit[at] = 1.0
    return unit


def _score(
    measure: Measure, labels: Array, spread: Array, share: Array, name: str, tally: Tally, confidence: Confidence
) -> Estimate:
    costs = measure.costs if isinstance(measure, Cost) else None
    total = labels.sum()
    table = Confusion(
        labels * share,
        labels,
        total * share,
        np.asarray(total),
        None if costs is None else np.asarray(labels @ costs @ share),
    )
    value = float(measure.value(table))
    n = tally.effective_n
    found = {"name": measure.name, "value": value, "n": n, "average": measure.average, "beta": measure.beta}
    if np.isnan(value):
        return Estimate(**found, undefined=measure.reason)  # type: ignore[arg-type]
    if name == "majority" and measure.proportion(table):
        ends = PROPORTION[confidence.method](value * n, n, level=confidence.level, alternative=confidence.alternative)
    else:
        slopes = _slopes(measure.partials(table), labels, share, costs, share_moves=name == "frequency")
        # what does not move at all comes out as rounding noise
        error = np.sqrt((spread * slopes**2).sum()) * (np.abs(slopes).max() * total > 1e-9)
        tails = tail_levels(confidence.level, confidence.alternative)
        ends = delta_ends(np.asarray(value), np.asarray(error), level=confidence.level, tails=tails)
    interval = ends.intervals(bounds=measure.bounds)[0]
    return Estimate(**found, interval=interval, undefined=None if interval else EXACT)  # type: ignore[arg-type]


def _slopes(partials: Partials, labels: Array, share: Array, costs: Array | None, *, share_moves: bool) -> Array:
    """Differentiate the measure of the expected table by the number of labels of each class."""
    total = labels.sum()
    slopes = partials.hits * share + partials.labelled + (partials.predicted * share).sum() + partials.n
    by_share = partials.hits * labels + partials.predicted * total
    if costs is not None:
        slopes = slopes + partials.cost * (costs @ share)
        by_share = by_share + partials.cost * (labels @ costs)
    if share_moves:
        slopes = slopes + by_share / total - (by_share * labels).sum() / total**2
    return np.asarray(slopes)
