"""What each threshold gives, and the threshold for a wish: a recall, a specificity, the smallest cost.

A threshold chosen on the rows it is then evaluated on flatters: choose it on others.
"""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class Threshold:
    """Rows with at least this score are called positive."""

    value: float
    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def tally(self) -> Tally:
        """The confusion table at this threshold, the positive class first."""
        return Tally.from_dense(np.rint([[self.tp, self.fn], [self.fp, self.tn]]).astype(np.int64), [True, False])


def at(table: ScoreCounts, threshold: float) -> Threshold:
    """Call everything from this score on positive.

    >>> at(ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0]), 0.6)
    Threshold(value=0.6, tp=2.0, fp=1.0, fn=0.0, tn=1.0)
    """
    called = len(table.scores) - int(np.searchsorted(table.thresholds[::-1], threshold, side="left"))
    tp, fp = (float(up_to[called - 1]) if called else 0.0 for up_to in (table.true_positives, table.false_positives))
    return Threshold(float(threshold), tp, fp, table.n_positive - tp, table.n_negative - fp)


def threshold_words(threshold: Threshold, table: ScoreCounts) -> str:
    """Write a threshold with the fewest digits, four at least, that call the same rows positive.

    >>> table = ScoreCounts.of([0.999981, 0.99995, 0.6], [1, 0, 1])
    >>> threshold_words(at(table, 0.999981), table), threshold_words(at(table, 0.6), table)
    ('0.99998', '0.6')
    """
    value = threshold.value
    if np.isinf(value):
        return "above all"
    for digits in range(4, 17):
        nearest = f"{value:.{digits}g}"
        unit = Decimal(1).scaleb(Decimal(value).adjusted() - digits + 1)
        below = f"{Decimal(value).quantize(unit, ROUND_FLOOR).normalize():f}"
        for words in (nearest, below):
            again = at(table, float(words))
            if (again.tp, again.fp) == (threshold.tp, threshold.fp):
                return words
    return repr(value)


def for_recall(table: ScoreCounts, least: float) -> Threshold:
    """Return the highest threshold that keeps this recall.

    >>> for_recall(ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0]), 0.9).value
    0.6
    """
    _check("recall", least, table.n_positive)
    reached = table.true_positives / table.n_positive >= least - 1e-12
    return at(table, float(table.thresholds[reached.argmax()]))


def for_specificity(table: ScoreCounts, least: float) -> Threshold:
    """Return the lowest threshold that keeps this specificity.

    >>> for_specificity(ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0]), 0.9).value
    0.9
    """
    _check("specificity", least, table.n_negative)
    kept = 1 - table.false_positives / table.n_negative >= least - 1e-12
    last = int(kept.sum()) - 1
    return at(table, float(table.thresholds[last]) if last >= 0 else float("inf"))


def cheapest(table: ScoreCounts, *, false_negative: float, false_positive: float) -> Threshold:
    """Return the threshold with the smallest cost c_FN·FN + c_FP·FP, the highest one if several.

    >>> cheapest(ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0]), false_negative=10, false_positive=1).value
    0.6
    """
    if not (np.isfinite(false_negative) and np.isfinite(false_positive)) or false_negative == false_positive == 0:
        raise OptionError(f"Costs must be finite numbers, not both 0; got {false_negative!r} and {false_positive!r}.")
    best = int(np.argmin(_paid(table, false_negative, false_positive)))
    return at(table, float("inf") if best == 0 else float(table.thresholds[best - 1]))


@dataclass(frozen=True)
class CostCurve:
    """The best threshold for each ratio: the shares of all rows that it misses, and that are false alarms."""

    ratio: Array
    missed: Array
    alarmed: Array

    @property
    def cost(self) -> Array:
        """Cost per row."""
        return np.asarray((1 - self.ratio) * self.missed + self.ratio * self.alarmed)


def cost_curve(table: ScoreCounts, ratios: Array) -> CostCurve:
    """Return the smallest cost per row when a false positive costs r and a false negative 1-r, for each r.

    Its interval is `justesse.intervals.lowest_cost`. Drummond and Holte (2006).

    >>> cost_curve(ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0]), np.array([0.0, 0.5, 1.0])).cost.tolist()
    [0.0, 0.125, 0.0]
    """
    misses = np.maximum(table.n_positive - np.append(0.0, table.true_positives), 0.0)  # sums of weights are rounded
    alarms = np.append(0.0, table.false_positives)
    best = np.array([np.argmin((1 - ratio) * misses + ratio * alarms) for ratio in ratios], dtype=int)
    return CostCurve(np.asarray(ratios), misses[best] / table.total, alarms[best] / table.total)


def gathered(table: ScoreCounts, most: int) -> ScoreCounts:
    """Gather the rows of neighbouring scores, so that there are at most so many thresholds.

    >>> table = ScoreCounts.of([0.9, 0.8, 0.6, 0.4], [1, 0, 1, 0])
    >>> gathered(table, 2).positives.tolist(), gathered(table, 2).scores.tolist()
    ([1.0, 1.0], [0.9, 0.4])
    """
    if len(table.scores) <= most:
        return table
    last = np.unique(np.linspace(0, len(table.scores) - 1, most).astype(int))
    sides = (table.positives, table.negatives, table.positive_squares, table.negative_squares)
    return ScoreCounts(table.scores[last], *(np.diff(np.cumsum(side)[last], prepend=0.0) for side in sides))


def _paid(table: ScoreCounts, false_negative: float, false_positive: float) -> Array:
    missed = table.n_positive - np.append(0.0, table.true_positives)
    return np.asarray(false_negative * missed + false_positive * np.append(0.0, table.false_positives))


def _check(name: str, least: float, rows: float) -> None:
    if not 0 <= least <= 1:
        raise OptionError(f"The {name} asked for must lie between 0 and 1; got {least!r}.")
    if not rows:
        raise OptionError(f"The {name} is undefined: there are no rows of the class it needs.")
