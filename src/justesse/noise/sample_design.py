"""How re-checked rows were drawn, if some were likelier than others: strata, their sizes and their chances."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.results import ClassName
from justesse.core.tally import Tally

STRATUM, ORDER = "stratum", "order"  # axes of a sample that was drawn so


@dataclass(frozen=True)
class SampleDesign:
    """Strata that rows were drawn from at random, without replacement.

    Parameters
    ----------
    names
        Names of the strata, as the axis `stratum` of the sample has them.
    sizes
        Number of rows of each.
    chances
        Chance that a draw came from each, as long as it had rows left; nothing if the order of the draws is not known.
    fixed
        Number of first draws whose stratum was fixed instead.
    """

    names: tuple[ClassName, ...]
    sizes: tuple[int, ...]
    chances: tuple[float, ...] | None = None
    fixed: int = 0

    def codes(self, sample: Tally) -> Array:
        """Position among `names` of the stratum of each cell of a sample."""
        axis = sample.axes.index(STRATUM)
        places = {name: at for at, name in enumerate(self.names)}
        return np.array([places[sample.levels[axis][code]] for code in sample.codes[:, axis]], dtype=int)

    def seen(self, sample: Tally) -> Array:
        """Number of re-checked rows of each stratum."""
        return np.bincount(self.codes(sample), sample.counts, minlength=len(self.names))

    def check(self, rows: int) -> None:
        """Refuse a design that was made for another number of rows."""
        if sum(self.sizes) != rows:
            raise InputError(
                f"The re-checked rows were drawn from {sum(self.sizes):,} rows, but there are {rows:,} here. Evaluate "
                "the file they were drawn from, with the same rows left out."
            )
