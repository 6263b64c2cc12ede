"""A varied hundred out of hundreds: the two criteria of the thesis on what classifiers do with wrong labels (6.5.3)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
TINY = 1e-12  # a variance of rounding errors: equal gaps have none


@dataclass(frozen=True, eq=False)
class Indicators:
    """F_c^k, F_n^k and F_r^k of every class for every classifier: classifiers × indicators."""

    names: tuple[str, ...]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, true: Array, label: Array, answers: Array, classes: tuple[str, ...]) -> "Indicators":
        """Count them; those of classes that have no wrong (or no right) label to count are left out for all.

        >>> true, label = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
        >>> found = Indicators.of(true, label, np.array([[0, 1, 1, 0], [0, 0, 1, 1]]), ("a", "b"))
        >>> found.names
        ('F_c a', 'F_c b', 'F_n b', 'F_r a')
        >>> found.values.tolist()
        [[1.0, 0.5, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0]]
        """
        wrong = label != true
        names, columns = [], []
        for kind, rows, axis in (("F_c", ~wrong, true), ("F_n", wrong, label), ("F_r", wrong, true)):
            for code, name in enumerate(classes):
                asked = rows & (axis == code)
                if asked.any():
                    names.append(f"{kind} {name}")
                    columns.append((answers[:, asked] == code).mean(axis=1))
        return cls(tuple(names), np.column_stack(columns))


def elected(values: Array, model: Array, *, proximity: float) -> list[int]:
    """Leave out states too near to one elected before: the first criterion.

    Near is a mean squared difference of the indicators below the proximity (the thesis' τ). A state that is near to
    nothing but earlier states of its own model takes their place.

    >>> values = np.array([[0.1, 0.1], [0.9, 0.9], [0.9, 0.899], [0.101, 0.1]])
    >>> elected(values, np.array([0, 0, 0, 1]), proximity=1e-4)
    [0, 2]
    """
    kept: list[int] = []
    for at, own in enumerate(values):
        near = [one for one in kept if np.mean((values[one] - own) ** 2) < proximity]
        if all(model[one] == model[at] for one in near):
            kept = [one for one in kept if one not in near] + [at]
    return kept


def most_varied(values: Array, wanted: int, generator: np.random.Generator) -> list[int]:
    """Choose one after the other the state that spreads the chosen most and most evenly: the second criterion.

        m1 = mean over the indicators of the variance of the chosen values            (to be large)
        m2 = mean over the indicators of the variance of the gaps between neighbours  (to be small)

    The first is drawn, the second has the largest m1. The thesis does not say how the two combine afterwards: here
    m1/m2 is to be large, which is free of scale and, of the rules tried (differences, roots, sums of ranks or of
    standard scores), the only one that solves the example of its figure 6.4 wherever it starts: of ten points on a line
    whose two ends are there five times, take the ten.

    >>> line = np.concatenate([np.linspace(-1, 1, 10), np.repeat([-1, 1], 4)])[:, None]
    >>> starts = (np.random.default_rng(seed) for seed in range(5))
    >>> [len(np.unique(line[most_varied(line, 10, start)])) for start in starts]
    [10, 10, 10, 10, 10]
    """
    chosen = [int(generator.integers(len(values)))]
    while len(chosen) < min(wanted, len(values)):
        left = np.setdiff1d(np.arange(len(values)), chosen)
        worth = _spread(values[chosen], values[left])
        if len(chosen) > 1:
            worth /= np.maximum(_unevenness(values[chosen], values[left]), TINY)
        chosen.append(int(left[worth.argmax()]))
    return chosen


def _spread(chosen: Array, left: Array) -> Array:
    """Give m1 with each of those left added."""
    n = len(chosen) + 1
    mean = (chosen.sum(axis=0) + left) / n
    return np.asarray((((chosen**2).sum(axis=0) + left**2) / n - mean**2).mean(axis=1))


def _unevenness(chosen: Array, left: Array) -> Array:
    """Give m2 with each of those left added: one gap is cut in two, or a gap is added at an end."""
    total = np.zeros(len(left))
    for own, new in zip(np.sort(chosen, axis=0).T, left.T, strict=True):
        gaps = np.diff(own)
        after = np.searchsorted(own, new)
        below, above = own[np.maximum(after - 1, 0)], own[np.minimum(after, len(own) - 1)]
        inside = (after > 0) & (after < len(own))
        squares = (gaps**2).sum() + (new - below) ** 2 + np.where(inside, (above - new) ** 2 - (above - below) ** 2, 0)
        reach = np.maximum(own[-1], new) - np.minimum(own[0], new)
        total += squares / len(own) - (reach / len(own)) ** 2
    return np.asarray(total / left.shape[1])
