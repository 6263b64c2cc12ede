"""What knows nothing of the case: the answers every classifier must beat.

`majority` always gives the most frequent label, `frequency` draws a class as often as it occurs among the labels,
`uniform` draws any class alike. Random answers are not simulated: the expected table (labels × shares of the
answers) is exact, and so is the expected accuracy; other measures are those of that table. All is said of the labels
at hand: only the constant answer, its class taken as given, has the interval of a share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import ClassName, Estimate, Interval
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION
from justesse.intervals.estimate import Confidence
from justesse.measures import Confusion, Measure
from justesse.measures.cost import Cost

Array = NDArray[Any]
NAMES = ("majority", "frequency", "uniform")
EXACT = "no interval: it is the exact expectation for these labels"


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
    frequency None 0.905 None
    uniform None 0.5 None
    """
    confidence = confidence or Confidence()
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
        method = PROPORTION["wilson" if confidence.method == "delta" else confidence.method]
        ends = method(value * n, n, **confidence.sides)
        interval, reason = ends.intervals(bounds=measure.bounds)[0], None
    return Estimate(measure.name, value, n, interval, reason, average=measure.average, beta=measure.beta)
