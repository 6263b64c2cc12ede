"""What a counts-based measure needs of a label × prediction table, and nothing more."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.tally import Tally


@dataclass(frozen=True)
class Confusion:
    """Right answers, labels and predictions per class, and n, batch axes in front.

    Every measure of this room is a function of these, so a table of a thousand classes is never laid out.
    Rows are labels and columns predictions everywhere in justesse.

    >>> table = Confusion.of(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"]))
    >>> table.hits.tolist(), table.labelled.tolist(), table.predicted.tolist(), float(table.n)
    ([190.0, 3590.0], [200.0, 3800.0], [400.0, 3600.0], 4000.0)
    """

    hits: Array
    labelled: Array
    predicted: Array
    n: Array
    cost: Array | None = None
    weighted: bool = False
    judged: Array | None = None  # which classes averages are over; all if None

    @classmethod
    def of(cls, counts: "Tally | Confusion", *, squares: bool = False, costs: Array | None = None) -> "Confusion":
        """Add up a tally's cells; `squares` adds up Σw² instead, `costs` is a class × class cost table."""
        if isinstance(counts, Confusion):
            return counts
        table = counts.marginal("label", "prediction")
        values = table.squares if squares and table.squares is not None else table.values
        values = np.asarray(values, dtype=float)
        label, prediction = table.codes.T
        right = label == prediction
        hits = np.zeros((*values.shape[:-1], len(table.classes)))
        hits[..., label[right]] = values[..., right]
        return cls(
            hits,
            table.sums("label", values),
            table.sums("prediction", values),
            values.sum(axis=-1),
            None if costs is None else values @ costs[label, prediction],
            table.weighted,
            table.judged if table.others else None,
        )

    @property
    def averaged_over(self) -> Array:
        """Mark the classes that averages are over, one entry per class."""
        return np.ones(self.hits.shape[-1], dtype=bool) if self.judged is None else self.judged

    @property
    def wide_n(self) -> Array:
        """n with an axis for classes, to stand beside the per-class numbers."""
        return np.asarray(self.n)[..., None]

    def settled(self, difference: Array, scale: Array) -> Array:
        """Set to 0 what is left of a difference of sums of weights by rounding alone; counts are exact as they are."""
        if not self.weighted:
            return difference
        return np.where(np.abs(difference) <= 1e-12 * scale, 0.0, difference)


@dataclass(frozen=True)
class Partials:
    """The derivative of a measure by each number of a `Confusion`.

    For a measure of one class each entry is about that class's own numbers.
    """

    hits: Array
    labelled: Array
    predicted: Array
    n: Array
    cost: float = 0.0


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Array:
    """Divide, with NaN (undefined) where there is nothing to divide by.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    above, below = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0))
