"""What each true class makes of a row: the candidate's gain in a measure that is a sum once classes are counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName
from justesse.judges.quantity import COST, Quantity, quantity

# measure = top·TP / (predicted·P + true·C): P rows predicted as the class, C rows of the class, TP of both
RATIOS: dict[str, tuple[float, float, float]] = {
    "precision": (1.0, 1.0, 0.0),
    "recall": (1.0, 0.0, 1.0),
    "f1": (2.0, 1.0, 1.0),
}
MACRO = {"balanced_accuracy": "recall", **{f"macro {name}": name for name in RATIOS}}
WITHIN = 0.1  # share by which the number of rows of a class may differ, unless the user says otherwise
FEWEST = 3  # rows by which the number of rows of a class may differ at least, if it may differ at all
SUPPORTED = (
    "accuracy, error, cost, precision:CLASS, recall:CLASS, f1:CLASS, macro-precision, macro-recall "
    "(balanced-accuracy), macro-f1"
)


@dataclass(frozen=True)
class Payoffs:
    """What a row adds to the difference of a measure, for each true class it may have.

        gain = candidate[true, its answer] - incumbent[true, its answer]

    Both tables have a last row for a true class that no label has, and a last column for a missing answer; what is
    not known is NaN. `stretch` and `slack` say how far the sum of the gains may be from the difference because the
    classes were counted by the labels, if each class has as many rows as labels, give or take the share
    `counts_within`, and at least three rows: the difference lies between `sum·stretch` (its least and its most) less
    and plus `slack`.
    `spread` is the estimated standard deviation of the difference over test sets drawn from the population. `fewest`
    is the smallest number of labels of a class that the measure counts; 0 if it counts none. `class_sizes` has, for
    each class that it counts, its code, its labels, and the least and the most rows it may have.
    """

    asked: Quantity
    incumbent: Array
    candidate: Array
    stretch: tuple[float, float]
    slack: tuple[float, float]
    spread: float
    reach: float
    counts_within: float = 0.0
    fewest: int = 0
    class_sizes: tuple[tuple[int, float, float, float], ...] = ()

    @cached_property
    def gains(self) -> Array:
        """Gains by incumbent's answer, candidate's answer and true class."""
        return self.candidate.T[None, :, :] - self.incumbent.T[:, None, :]

    @cached_property
    def least(self) -> Array:
        """The least gain of a row, by the answers of both."""
        return np.asarray(np.nanmin(self.gains, -1))

    @cached_property
    def most(self) -> Array:
        """The largest gain of a row, by the answers of both."""
        return np.asarray(np.nanmax(self.gains, -1))

    @property
    def matters(self) -> Array:
        """Which pairs of answers can change the difference: rows with others need not be asked about."""
        return np.asarray((self.least < 0) | (self.most > 0))

    def column(self, codes: Any) -> Array:
        """Return the place of each answer in the tables; a code that is no class is a missing answer."""
        return _placed(codes, len(self.incumbent) - 1)

    @property
    def counts_classes(self) -> bool:
        """Whether the difference depends on how many rows of each class there are."""
        return self.stretch != (1.0, 1.0) or self.slack != (0.0, 0.0)


def payoffs(
    measure: str, classes: Sequence[ClassName], cells: Array, *, costs: Any = None, counts_within: float = WITHIN
) -> Payoffs:
    """Work out the gains of a measure.

    Parameters
    ----------
    measure
        Name of the measure, such as `f1:spam`, `macro-recall` or `cost`.
    classes
        The classes; their places are the codes of `cells`.
    cells
        Codes of label, incumbent's and candidate's answer, and the number of rows, of all rows of the test set (first
        axis: cells); a missing answer has a code below 0.
    costs
        Cost of each prediction (columns) for each true class (rows), for `cost`; NaN where it is unknown.
    counts_within
        How far the number of rows of each class may be from that of the labels, as a share: 0.1 allows 10 % more, or
        as many times fewer. A class may have three rows more or fewer in any case, but at least one row: of few labels,
        a share allows hardly any change. 0: every class has exactly as many rows as labels.

    Returns
    -------
    Payoffs
        The gains, and how far their sum may be from the difference.

    Notes
    -----
    ::

        M = k·TP / (u·P + v·C)     precision: k, u, v = 1, 1, 0;  recall: 1, 0, 1;  F1: 2, 1, 1
        gain of a row of true class t = w_candidate[t]·[candidate says t] - w_incumbent[t]·[incumbent says t]
        w[t] = k / (u·P[t] + v·C[t]),  divided by the number of classes for a macro average

    P, the rows that a classifier predicts as a class, is known for all rows without any answer. So a precision, and a
    macro average of precisions, is a sum over rows exactly. For recall and F1 the number C of rows of the class is not
    known: the labels give C°, and C is assumed between C°/(1+x) and C°·(1+x) or, where that is wider, between C° - 3
    and C° + 3. The recalls of one class have the same denominator: their difference is the sum times C°/C (`stretch`).
    In the other measures w falls with C, so that the sum moves, in the class t, by at most::

        max(rows the candidate calls t · (w(C°) - w(C_max)),  rows the incumbent calls t · (w(C_min) - w(C°)))

    downwards, and with both exchanged upwards; rows that both call t move by no more than the difference of the two.
    These add up over the classes to the `slack`.

    Examples
    --------
    >>> cells = np.array([[0, 0, 0, 50], [0, 1, 0, 10], [1, 1, 1, 30], [1, 1, 0, 10]])
    >>> result = payoffs("precision:spam", ["spam", "ham"], cells)
    >>> result.gains[0, 0].round(4).tolist(), result.gains[1, 0].round(4).tolist()
    ([-0.0057, 0.0, 0.0], [0.0143, 0.0, 0.0])
    >>> [round(bound, 2) for bound in payoffs("recall:spam", ["spam", "ham"], cells).stretch]
    [0.91, 1.1]
    """
    asked = quantity(measure, classes, costs=None if costs is None else np.nan_to_num(np.asarray(costs, dtype=float)))
    if not 0 <= counts_within < np.inf:
        raise OptionError(f"counts_within is a share of 0 or more, such as 0.1; got {counts_within!r}.")
    rows = np.asarray(cells)
    n = float(rows[:, 3].sum())
    if asked.counts_errors:
        return _rights(asked, len(classes), n, rows)
    if asked.name == COST:
        return _costs(asked, np.asarray(costs, dtype=float), n, rows)
    ratio = asked.name if asked.class_name is not None else MACRO.get(asked.name, "")
    if ratio not in RATIOS:
        raise not_audited(measure)
    return _ratios(asked, RATIOS[ratio], classes, rows, counts_within)


def not_audited(measure: str) -> OptionError:
    """Return the error about a measure that an audit cannot compare."""
    return OptionError(f"An audit compares {SUPPORTED}; got {measure!r}. Name one of these with measure=… (--measure).")


def _rights(asked: Quantity, classes: int, n: float, rows: Array) -> Payoffs:
    credit = np.eye(classes + 1) / n
    credit[-1, -1] = 0.0  # a missing answer is never right
    return _summed(asked, credit, rows, 1.0)


def _costs(asked: Quantity, costs: Array, n: float, rows: Array) -> Payoffs:
    classes = len(costs)
    credit = np.full((classes + 1, classes + 1), np.nan)
    credit[:-1, :-1] = -costs / n
    credit[:-1, -1] = -costs.max(-1) / n  # a missing answer costs as much as the costliest
    return _summed(asked, credit, rows, float(np.nanmax(costs) - np.nanmin(costs)))


def _summed(asked: Quantity, credit: Array, rows: Array, reach: float) -> Payoffs:
    """Make the payoffs of a sum over rows: nothing depends on how many rows a class has."""
    result = Payoffs(asked, credit, credit, (1.0, 1.0), (0.0, 0.0), 0.0, reach)
    old, new = (_placed(rows[:, at], len(credit) - 1) for at in (1, 2))
    widest = np.maximum(np.abs(result.least), np.abs(result.most))[old, new]
    return Payoffs(asked, credit, credit, (1.0, 1.0), (0.0, 0.0), float(np.sqrt((rows[:, 3] * widest**2).sum())), reach)


def _ratios(
    asked: Quantity, ratio: tuple[float, float, float], classes: Sequence[ClassName], rows: Array, within: float
) -> Payoffs:
    top, by_predicted, by_true = ratio
    size, numbers = len(classes), rows[:, 3].astype(float)
    label, old, new = (_placed(rows[:, at], size) for at in range(3))
    true = np.bincount(label, weights=numbers, minlength=size + 1)[:size]
    judged = np.flatnonzero(true > 0) if asked.at is None else np.array([asked.at])
    predicted = [np.bincount(each, weights=numbers, minlength=size + 1)[:size] for each in (old, new)]
    for who, count in zip(("incumbent", "candidate"), predicted, strict=True):
        if not by_true and (never := [classes[at] for at in judged if not count[at]]):
            raise InputError(
                f"The {who} never predicts {never[0]!r}, so its precision is undefined. Audit recall or F1 instead."
            )
    if by_true and (empty := [classes[at] for at in judged if not true[at]]):
        raise InputError(f"No row has the label {empty[0]!r}, so its number of rows is unknown. Audit another class.")

    def weights(count: Array, times: Array | float) -> Array:
        result = np.zeros(size)
        result[judged] = top / (by_predicted * count[judged] + by_true * times * true[judged]) / len(judged)
        return result

    usual = [weights(count, 1.0) for count in predicted]
    ends = (np.full(len(judged), 1 / (1 + within)), np.full(len(judged), 1 + within))
    if within and by_true:
        labels = true[judged]
        ends = (np.minimum(ends[0], np.maximum(labels - FEWEST, 1) / labels), np.maximum(ends[1], 1 + FEWEST / labels))
    fewer, more = ([weights(count, times) for count in predicted] for times in ends)
    credits = [np.pad(np.diag(each), (0, 1)) for each in usual]
    stretch, slack = (1.0, 1.0), (0.0, 0.0)
    if not by_predicted and asked.at is not None:
        stretch = (float(1 / ends[1][0]), float(1 / ends[0][0]))
    elif by_true:
        both = np.bincount(np.where(old == new, old, size), weights=numbers, minlength=size + 1)[:size]
        alone = [count - both for count in predicted]
        slack = _slack(usual, fewer, more, alone, both)
    spread = _spread(ratio, rows, (label, old, new), true, usual, len(judged))
    fewest = int(true[judged].min()) if by_true else 0
    rows_of_class = np.column_stack([judged, true[judged], ends[0] * true[judged], ends[1] * true[judged]])
    sizes = tuple((int(at), *numbers) for at, *numbers in rows_of_class.tolist()) if by_true else ()
    return Payoffs(asked, credits[0], credits[1], stretch, slack, spread, 1.0, within, fewest, sizes)


def _slack(
    usual: list[Array], fewer: list[Array], more: list[Array], alone: list[Array], both: Array
) -> tuple[float, float]:
    """Bound by how much other class counts lower and raise the sum: the worst of both ends, class by class."""
    ends = []
    for sign in (1, -1):
        moved = []
        for end in (fewer, more):
            fall_old, fall_new = ((start - changed) * sign for start, changed in zip(usual, end, strict=True))
            moved.append(
                alone[1] * np.maximum(fall_new, 0)
                + alone[0] * np.maximum(-fall_old, 0)
                + both * np.maximum(fall_new - fall_old, 0)
            )
        ends.append(float(np.maximum(*moved).sum()))
    return ends[0], ends[1]


def _spread(
    ratio: tuple[float, float, float],
    rows: Array,
    coded: tuple[Array, Array, Array],
    true: Array,
    weights: list[Array],
    judged: int,
) -> float:
    """Estimate the standard deviation of the difference over test sets, by the influence of each row on it.

        influence of a row on M = w·([its class is t and it is called t] - M·(u·[called t] + v·[its class is t]) / k)

    It is √(Σ influence²) over the rows, with w and M by the labels. Where the two disagree, the true class with the
    largest influence counts, so that such rows never count too little. Where they agree, the label counts, although
    precision and F1 ask about some of these rows too: a wrong label there can make the spread too small.
    """
    top, by_predicted, by_true = ratio
    label, old, new = coded
    numbers, size = rows[:, 3].astype(float), len(true)
    per_row, credit = [], []
    for codes, weight in zip((old, new), weights, strict=True):
        right = np.bincount(np.where(codes == label, label, size), weights=numbers, minlength=size + 1)[:size]
        value = weight * right * judged  # the measure of each class, by the labels
        per_row.append(np.append(weight * value / top, 0.0))
        credit.append(np.append(weight, 0.0))
    anyway = by_predicted * (per_row[0][old] - per_row[1][new])  # whatever the true class
    by_class = by_true * (per_row[0] - per_row[1])

    def influence(true_class: Array) -> Array:
        won, lost = np.where(new == true_class, credit[1][new], 0.0), np.where(old == true_class, credit[0][old], 0.0)
        return np.asarray(np.abs(anyway + by_class[true_class] + won - lost))

    others = (np.full_like(old, at) for at in (by_class.argmin(), by_class.argmax()))
    widest = np.max([influence(each) for each in (old, new, *others)], axis=0)
    widest = np.where(old == new, influence(label), widest)
    return float(np.sqrt((numbers * widest**2).sum()))


def _placed(codes: Any, size: int) -> Array:
    """Return the place of class codes among `size` classes; any other code is put last."""
    values = np.asarray(codes, dtype=np.int64)
    return np.asarray(np.where((values >= 0) & (values < size), values, size))
