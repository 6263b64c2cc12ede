"""The scores of every version of a system on every test period."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.errors import OptionError


@dataclass(frozen=True)
class TimeBlocks:
    """What the cells of a score matrix were computed from: a row per version, a column per block of time.

    Parameters
    ----------
    period
        Test period of each block, from 0.
    totals
        Sum of the scores of the items, such as the number of errors; versions down, blocks across.
    sizes
        Number of items, in the same shape; 0 where a version was not tested.
    squares
        Sum of the squares of what items count, if they may count 2, as in penalised scores.
    """

    period: Array
    totals: FloatArray
    sizes: FloatArray
    squares: FloatArray | None = None

    def of_period(self, version: int, period: int) -> tuple[FloatArray, FloatArray]:
        """Return totals and sizes of the blocks of one cell that have items."""
        inside = (self.period == period) & (self.sizes[version] > 0)
        return self.totals[version, inside], self.sizes[version, inside]


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores s(M_i, t_j) of version i on test period j.

    Parameters
    ----------
    versions
        Names of the versions, in the order of their training.
    periods
        Names of the test periods, in the order of time.
    values
        Scores, versions down, periods across; NaN where a version was not tested.
    next_period
        First test period after the training of each version; the number of periods if there is none.
    higher_is_better
        Whether a higher score is better, as for accuracy. Error rates: no.
    blocks
        Counts behind the scores, if they are known: intervals need them.
    """

    versions: tuple[str, ...]
    periods: tuple[str, ...]
    values: FloatArray
    next_period: tuple[int, ...]
    higher_is_better: bool = False
    blocks: TimeBlocks | None = None

    @classmethod
    def from_scores(
        cls,
        values: ArrayLike,
        *,
        versions: Sequence[str] | None = None,
        periods: Sequence[str] | None = None,
        next_period: Sequence[int] | None = None,
        higher_is_better: bool = False,
    ) -> "ScoreMatrix":
        """Make a matrix of given scores; version i was trained just before period i unless `next_period` says else.

        Parameters
        ----------
        values
            Scores, versions down, periods across; NaN where there is none.
        versions, periods
            Their names. Default: 1, 2, ...
        next_period
            First test period after the training of each version, from 0.
        higher_is_better
            Whether a higher score is better.

        >>> ScoreMatrix.from_scores([[0.2, 0.3], [0.1, 0.2]]).seen(1, "paper")
        array([0])
        """
        scores = np.asarray(values, dtype=float)
        if scores.ndim != 2 or not scores.size:
            raise OptionError(
                f"A score matrix has a row for each version and a column for each period; got {scores.ndim} dimensions "
                f"and {scores.size} scores."
            )
        if np.isinf(scores).any():
            row, column = (int(at) for at in np.argwhere(np.isinf(scores))[0])
            raise OptionError(
                f"Scores must be finite numbers; the score of version {row + 1} on period {column + 1} is "
                f"{scores[row, column]}."
            )
        if next_period is None and scores.shape[0] != scores.shape[1]:
            raise OptionError(
                f"{scores.shape[0]} versions and {scores.shape[1]} periods: say which period comes first after the "
                "training of each version (next_period)."
            )
        after = tuple(range(len(scores))) if next_period is None else tuple(int(at) for at in next_period)
        if len(after) != len(scores) or not all(0 <= at <= scores.shape[1] for at in after):
            raise OptionError(
                f"next_period needs a period from 0 to {scores.shape[1]} for each of the {len(scores)} versions; "
                f"got {list(after)}."
            )
        return cls(
            _names(versions, len(scores), "version"),
            _names(periods, scores.shape[1], "period"),
            scores,
            after,
            higher_is_better,
        )

    @property
    def alternates(self) -> bool:
        """Whether version i was trained just before period i, for all of them, as figures of transfer need."""
        rows, columns = self.values.shape
        return rows == columns and self.next_period == tuple(range(rows))

    def seen(self, version: int, convention: LifelongConvention = "through-next") -> Array:
        """Return the periods that count for a version and have a score, as in `counting`."""
        periods = np.array(self.counting(version, convention), dtype=np.int64)
        return np.asarray(periods[~np.isnan(self.values[version, periods])])

    def counting(self, version: int, convention: LifelongConvention = "through-next") -> range:
        """Return the periods that count for a version, with or without a score.

        "through-next" takes the periods up to the first one after its training; "paper" those between the first
        training and its own (t_j in [l_1, l_i], equation 2 of Prokopalo et al. 2020), so that the first version has
        none.
        """
        paper = convention == "paper"
        last = self.next_period[version] + (0 if paper else 1)
        first = min(self.next_period) if paper else 0
        return range(first, min(last, len(self.periods)))


def _names(names: Sequence[str] | None, n: int, what: str) -> tuple[str, ...]:
    unique = tuple(str(at + 1) for at in range(n)) if names is None else tuple(map(str, names))
    if len(unique) != n:
        raise OptionError(f"Each {what} needs a name: {n} are in the matrix, {len(unique)} names were given.")
    if len(set(unique)) < n:
        raise OptionError(f"Each {what} needs a name of its own; got {list(unique)}.")
    return unique
