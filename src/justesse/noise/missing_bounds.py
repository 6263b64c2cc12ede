"""How far missing answers could move the difference of two classifiers, whatever they would have been."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.tally import Tally
from justesse.measures import Confusion, Measure
from justesse.measures.accuracy import Share
from justesse.measures.averages import Averaged
from justesse.measures.cost import Cost
from justesse.measures.ratio import Ratio, RatioCells

SIDES = ("incumbent", "candidate")


@dataclass(frozen=True)
class MissingBounds:
    """The lowest and highest difference on all rows, if each missing answer may be any class or none of them.

    `sharp` says that both ends can be reached; otherwise the difference may be unable to go that far. `by_right` says
    that an end is reached if one side's missing answers are all right and the other's all wrong. A difference of means
    over classes is a mean of differences, over the classes where both classifiers have a value. `undefined` says why
    there are no bounds.
    """

    low: float = np.nan
    high: float = np.nan
    sharp: bool = True
    by_right: bool = False
    undefined: str | None = None

    @classmethod
    def of(
        cls,
        tally: Tally,
        blank: Mapping[str, Any],
        measure: Measure | None,
        *,
        class_at: int | None = None,
        several: bool = False,
    ) -> "MissingBounds":
        """Compute the bounds of the difference, positive if the candidate is better.

        Parameters
        ----------
        tally
            Counts of label × incumbent × candidate.
        blank
            Which cells have no answer, for each side.
        measure
            What is compared; `None` if it is computed from scores.
        class_at
            Place of the class, for a measure of one class.
        several
            Whether some labels accept several classes: then only the number of right answers has bounds.

        Notes
        -----
        A measure of one class k is a ratio of two linear functions of how many missing answers are k, on rows of k and
        on others. So its extremes are at the corners: none or all of the first, none or all of the second. A mean over
        classes lies between the means of these extremes, over the worst choice of the classes that have a value.

        >>> from dataclasses import replace
        >>> cells = [("a", "a", "a", 4), ("b", "b", "b", 4), ("b", "b", None, 2)]
        >>> tally = replace(Tally.of(("label", "incumbent", "candidate"), cells), others=(None,))
        >>> blank = {"incumbent": np.zeros(3, bool), "candidate": tally.codes[:, 2] == tally.classes.index(None)}
        >>> from justesse.measures import precision
        >>> bounds = MissingBounds.of(tally, blank, precision, class_at=0)
        >>> round(bounds.low, 4), bounds.high  # both missing answers may be a
        (-0.3333, 0.0)
        """
        if measure is None:
            return cls(undefined="it is computed from scores, not from answers")
        by_hits = isinstance(measure, Share) or (isinstance(measure, Averaged) and measure.how == "micro")
        if several and not by_hits:
            return cls(
                undefined="some labels accept several classes, and the answer decides for which one a row counts"
            )
        if isinstance(measure, (Ratio, Averaged)) and not by_hits:
            per_class = measure.class_measure if isinstance(measure, Averaged) else measure
            first, other = (Corners.of(tally, side, blank[side], per_class) for side in SIDES)
            by_label = per_class.numerator == RatioCells(hits=1) and per_class.denominator == RatioCells(labelled=1)
            if isinstance(measure, Averaged):
                weights = first.labelled if measure.how == "weighted" else np.ones(len(first.low))
                low = _lowest_mean(other.low - first.high, weights, first, other, tally.judged)
                high = -_lowest_mean(first.low - other.high, weights, first, other, tally.judged)
                return cls(low, high, sharp=by_label, by_right=by_label)
            k = class_at or 0
            return cls(float(other.low[k] - first.high[k]), float(other.high[k] - first.low[k]), by_right=by_label)
        if isinstance(measure, Cost):
            ranges = [_costs(tally, side, blank[side], measure.costs) for side in SIDES]
        elif by_hits:
            ranges = [_all_wrong_or_right(tally, side, blank[side], measure) for side in SIDES]
        else:
            return cls(undefined="it depends on the whole confusion matrix")
        (first_low, first_high), (other_low, other_high) = ranges
        if not measure.greater_is_better:
            return cls(first_low - other_high, first_high - other_low, by_right=by_hits)
        return cls(other_low - first_high, other_high - first_low, by_right=by_hits)


@dataclass(frozen=True)
class Corners:
    """The lowest and highest value of a per-class measure, whether it always has one, and the rows of each label."""

    low: Array
    high: Array
    always: Array
    labelled: Array

    @classmethod
    def of(cls, tally: Tally, side: str, blank: Any, measure: Ratio) -> "Corners":
        label, answer = (tally.codes[:, tally.axis(axis)] for axis in ("label", side))

        def rows(codes: Any, where: Any) -> Array:
            return np.bincount(codes[where], tally.counts[where], minlength=len(tally.classes)).astype(float)

        labelled, own = rows(label, label >= 0), rows(label, blank)  # own: missing on rows of the class itself
        elsewhere = own.sum() - own
        right = np.array([[0.0], [1.0], [0.0], [1.0]]) * own
        alarms = np.array([[0.0], [0.0], [1.0], [1.0]]) * elsewhere
        hits = rows(label, (label == answer) & ~blank) + right
        predicted = rows(answer, ~blank) + right + alarms
        values = measure.value(Confusion(hits, labelled, predicted, np.asarray(float(tally.counts.sum()))))
        undefined = np.isnan(values)
        low = np.where(undefined, np.inf, values).min(0)
        high = np.where(undefined, -np.inf, values).max(0)
        never = undefined.all(0)
        low[never] = high[never] = np.nan
        return cls(low, high, np.asarray(~undefined.any(0)), labelled)


def _lowest_mean(values: Array, weights: Array, incumbent: Corners, candidate: Corners, judged: Any) -> float:
    """Compute the lowest weighted mean over the classes that always have a value and any of those that may have one."""
    used = judged & ~np.isnan(values) & (weights > 0)
    sure = used & incumbent.always & candidate.always
    maybe = np.flatnonzero(used & ~sure)
    maybe = maybe[np.argsort(values[maybe], kind="stable")]  # the lowest join first
    start = (values[sure] * weights[sure]).sum(), weights[sure].sum()
    tops = start[0] + np.concatenate([[0.0], np.cumsum(values[maybe] * weights[maybe])])
    bottoms = start[1] + np.concatenate([[0.0], np.cumsum(weights[maybe])])
    means = tops[bottoms > 0] / bottoms[bottoms > 0]
    return float(means.min()) if len(means) else float("nan")


def _all_wrong_or_right(tally: Tally, side: str, blank: Any, measure: Measure) -> tuple[float, float]:
    """Compute a measure that depends on the number of right answers only, with all missing answers wrong or right."""
    codes = tally.codes.copy()
    codes[blank, tally.axis(side)] = codes[blank, tally.axis("label")]
    answered = Tally.canonical(tally.axes, tally.levels, codes, tally.counts, others=tally.others)
    tables = (item.marginal("label", side).renamed(**{side: "prediction"}) for item in (tally, answered))
    values = [float(measure.value(Confusion.of(table))) for table in tables]
    return min(values), max(values)


def _costs(tally: Tally, side: str, blank: Any, costs: Array) -> tuple[float, float]:
    """Compute the cost with each missing answer the cheapest or the costliest for its label."""
    label, answer = (tally.codes[:, tally.axis(axis)] for axis in ("label", side))
    least = most = costs[label, answer]
    possible = costs[:, tally.judged]
    least = np.where(blank, np.minimum(least, possible.min(1)[label]), least)
    most = np.where(blank, np.maximum(most, possible.max(1)[label]), most)
    n = tally.counts.sum()
    return float((least * tally.counts).sum() / n), float((most * tally.counts).sum() / n)
