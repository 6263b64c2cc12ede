"""What a measure of numeric predictions knows of itself."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from justesse.core.arrays import Array
from justesse.measures.regression.sums import Sums


@dataclass(frozen=True)
class NumericMeasure:
    """A function of sums over rows, its name, its direction, its bounds and why it can be undefined.

    `in_label_unit` is true where the value is in the unit of the labels.
    """

    name: str
    compute: Callable[[Sums], Array]
    greater_is_better: bool = False
    bounds: tuple[float, float] = (0.0, math.inf)
    undefined: str = "there are no rows"
    in_label_unit: bool = False

    def __call__(self, sums: Sums) -> Array:
        return self.compute(sums)
