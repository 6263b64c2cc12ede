"""What a measure of numeric predictions knows of itself."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.regression.sums import Sums

ROW_ERRORS: dict[str, Callable[[Array], Array]] = {"absolute": np.abs, "squared": np.square}


@dataclass(frozen=True)
class NumericMeasure:
    """A function of sums over rows, with everything that those who compare, list or show it need to know.

    Parameters
    ----------
    name : str
        Name in JSON, such as `rmse`.
    title : str
        Name in words, as in the middle of a sentence.
    compute : callable
        The function of the sums.
    greater_is_better : bool
        The direction a comparison goes by.
    bounds : tuple of float
        Smallest and largest possible value.
    undefined : str
        Why it is undefined where it is NaN.
    in_label_unit : bool
        Whether the value is in the unit of the labels.
    headline : int
        Place among the headline figures, from 1; 0 if it is not one of them.
    mean_of : str
        The sum that it is the mean of, if it is a mean over rows or the root of one.
    root : bool
        Whether it is the root of that mean.
    """

    name: str
    title: str
    compute: Callable[[Sums], Array]
    greater_is_better: bool = False
    bounds: tuple[float, float] = (0.0, math.inf)
    undefined: str = "there are no rows"
    in_label_unit: bool = False
    headline: int = 0
    mean_of: str = ""
    root: bool = False
    is_share: ClassVar[bool] = False
    average: ClassVar[None] = None
    beta: ClassVar[None] = None

    def __call__(self, sums: Sums) -> Array:
        return self.compute(sums)

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of an error of each row, so that Student's interval applies to differences."""
        return self.mean_of in ROW_ERRORS and not self.root

    def row_errors(self, labels: Array, predictions: Array) -> Array:
        """Return the errors whose mean it is, one per row."""
        return np.asarray(ROW_ERRORS[self.mean_of](labels - predictions))
