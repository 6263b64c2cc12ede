"""(d) Only the noise rate, or only the transition table, is known: worst-case bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Average, ClassName, finite_or_none
from justesse.core.tally import Tally
from justesse.measures import Confusion, Measure, accuracy
from justesse.measures.accuracy import Share
from justesse.measures.averages import Averaged
from justesse.measures.cost import Cost
from justesse.measures.ratio import Ratio
from justesse.noise.counted import counted, on_classes, padded
from justesse.noise.macro import macro_range, macro_weights
from justesse.noise.rate_range import Rate, rate_range, rate_words, whole_rows
from justesse.noise.relabelling import accuracy_range, corners, linear_range
from justesse.noise.rung import FROM_RATE, FROM_TABLE, Rung

if TYPE_CHECKING:
    from justesse.noise.transition import Transition

NOT_SAMPLING = "the bounds are about these rows only, not about other samples"


@dataclass(frozen=True)
class Bounds:
    """Lowest and highest possible value of a measure; `sharp` if both can be reached."""

    name: str
    class_name: ClassName
    average: Average | None
    apparent: float
    low: float
    high: float
    sharp: bool
    assumption: str
    n: int
    beta: float | None = None
    undefined: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "class": self.class_name,
            "average": self.average,
            "apparent": finite_or_none(self.apparent),
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "sharp": self.sharp,
            "assumption": self.assumption,
            "n": self.n,
            "undefined": self.undefined,
        }


def bounds_from_rate(tally: Tally, measures: Sequence[Measure], rate: Rate) -> Rung[Bounds]:
    """Bound measures when only the noise rate is known: the wrong labels may be on any rows.

        accuracy, at most η wrong:  [max(0, A-η), min(1, A+η)]
        accuracy, exactly η wrong:  the same, but high = 2-A-η if η > 1-A; low = 0, or η-A for two classes, if η > A

    Parameters
    ----------
    tally
        Counts by label × prediction.
    measures
        Accuracy, error, cost, measures of one class, or macro averages of them.
    rate
        A single rate means at most that rate; (low, high) a range, (η, η) exactly η.

    Notes
    -----
    Labels are wrong in whole rows: η is ⌊η·n⌋/n (`whole_rows`). Bounds of accuracy, cost, macro precision and
    measures of one class are sharp: both ends can be reached. Macro averages of recall and F have outer bounds
    (`sharp` is False). The bounds are certain if the rate is right. They are not a confidence interval, and say
    nothing about other rows. Thesis 6.5.4 has the rough form A ± η.

    Examples
    --------
    >>> from justesse.measures import precision
    >>> table = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
    >>> for end in bounds_from_rate(table, [accuracy, precision], 0.1).figures:
    ...     print(end.name, end.class_name, round(end.apparent, 3), round(end.low, 3), round(end.high, 3))
    accuracy None 0.85 0.75 0.95
    precision a 0.818 0.636 1.0
    precision b 0.889 0.667 1.0
    """
    rows = counted(tally, "label", "prediction")
    classes, n = len(rows.classes), rows.n
    if classes < 2 or not n:
        raise OptionError(
            f"Bounds need at least one row and two classes; got {n} rows and the classes {list(rows.classes)!r}."
        )
    low, high = rate_range(rate if isinstance(rate, tuple) else (0.0, rate))
    words = f"{rate_words(low, high)} of the labels are wrong"
    table = Confusion.of(rows)
    fewest, most = whole_rows(low, high, n)
    bounds: list[Bounds] = []
    for measure in measures:
        sharp = None not in rows.others  # no label makes a missing answer right
        if isinstance(measure, Ratio):
            hits, true = corners(table, fewest=fewest, most=most)
            reached = measure.value(_around(table, hits, true))
            ends = np.fmin.reduce(reached), np.fmax.reduce(reached)
        elif isinstance(measure, Cost):
            ends = linear_range(rows, measure.costs / n, fewest=fewest, most=most)
        elif isinstance(measure, Share) or measure.proportion(table):
            right = accuracy_range(float(accuracy(table)), fewest / n, most / n, classes)
            ends = (1 - right[1], 1 - right[0]) if isinstance(measure, Share) and not measure.right else right
        elif isinstance(measure, Averaged) and measure.how == "macro":
            weights = macro_weights(measure.class_measure, table)
            if weights:
                ends = linear_range(rows, weights.by_row, fewest=fewest, most=most, start=weights.start)
            else:
                ends, sharp = macro_range(measure.class_measure, table, most), False
        else:
            raise OptionError(
                f"Bounds of {measure.name!r} are not available from the noise rate alone. Give a transition table, or "
                "choose accuracy, error, cost, a macro average or a measure of one class."
            )
        bounds += named_bounds(rows, measure, ends, sharp, words)
    return Rung(
        FROM_RATE,
        tuple(bounds),
        (words, NOT_SAMPLING),
        "the noise rate is higher than given",
    )


def bounds_from_transition(
    tally: Tally, measures: Sequence[Measure], transition: "Transition", *, shares: ArrayLike | None = None
) -> Rung[Bounds]:
    """Bound measures when only the transition table is known: within a label, the wrong ones may be on any rows.

        given label a, c_k = P(true k | a) and p_k = P(predicted k | a):
        max(0, c_k + p_k - 1)  ≤  P(true k, predicted k | a)  ≤  min(c_k, p_k)

    Parameters
    ----------
    tally
        Counts by label × prediction.
    measures
        The measures to bound.
    transition
        P(label | true), exact for these rows. Use `bounds_from_counted` for a table counted on other rows.
    shares
        Shares of the true classes. Default: those of the counts, or those that the labels imply.

    Notes
    -----
    All classes and labels reach their ends together, and the shares of the true classes are fixed. So the bounds of
    every measure of counts are sharp, averages included. Cost is a linear programme per label. Fréchet (1951).

    Examples
    --------
    >>> from justesse.noise.transition import Transition
    >>> table = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
    >>> known = Transition.from_table([[18, 2], [2, 18]], ["a", "b"])
    >>> result = bounds_from_transition(table, [accuracy], known).figures[0]
    >>> round(result.low, 3), round(result.high, 3)
    (0.75, 0.95)
    """
    from justesse.noise.coupling import cost_range, hits_range  # linear programmes: not for a plain evaluation

    rows = on_classes(counted(tally, "label", "prediction"), transition.classes, what="the transition table")
    if not rows.n:
        raise OptionError("Bounds need at least one row.")
    labels = rows.sums("label")[: len(transition.classes)]
    joint = padded(transition.joint(labels, shares=shares), len(rows.classes))
    fewest, most = hits_range(rows, joint)
    observed = Confusion.of(rows)
    two = _around(observed, np.stack([fewest, most]), np.broadcast_to(joint.sum(axis=1), (2, len(joint))))
    bounds: list[Bounds] = []
    for measure in measures:
        if isinstance(measure, Cost):
            ends = cost_range(rows, joint, measure.costs)
        else:
            reached = np.asarray(measure.value(two))
            ends = np.minimum(*reached), np.maximum(*reached)
        bounds += named_bounds(rows, measure, ends, True, "the transition table is right")
    return Rung(
        FROM_TABLE,
        tuple(bounds),
        ("the transition table is exact for these rows", NOT_SAMPLING),
        "the table was counted on too few rows, or on different rows",
    )


def _around(table: Confusion, hits: Array, true: Array) -> Confusion:
    """Stack tables with the same predictions and other truths."""
    predicted = np.broadcast_to(table.predicted, hits.shape)
    return Confusion(hits, true, predicted, np.full(len(hits), float(table.n)), judged=table.judged)


def named_bounds(rows: Tally, measure: Measure, ends: tuple[Any, Any], sharp: bool, assumption: str) -> list[Bounds]:
    """Write the ends of a measure down, one object per class where it has classes."""
    apparent = np.atleast_1d(measure(rows)).tolist()
    names, n, judged = rows.classes if measure.per_class else (None,), rows.n, rows.judged
    lows, highs = (np.atleast_1d(np.asarray(end, dtype=float)).tolist() for end in ends)
    return [
        Bounds(
            measure.name,
            name,
            measure.average,
            value,
            low,
            high,
            sharp,
            assumption,
            n,
            measure.beta,
            measure.reason if np.isnan(low) else f"with these labels: {measure.reason}" if np.isnan(value) else None,
        )
        for at, (name, value, low, high) in enumerate(zip(names, apparent, lows, highs, strict=True))
        if not measure.per_class or judged[at]
    ]
