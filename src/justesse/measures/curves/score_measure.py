"""What a measure of scores knows of itself."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class ScoreMeasure:
    """A measure of scores or probabilities: its name, its direction, its bounds and why it can be undefined.

    Parameters
    ----------
    name : str
        Name in JSON, such as `roc_auc`.
    title : str
        Name in words, as in the middle of a sentence.
    reason : str
        Why it is undefined where it is NaN.
    greater_is_better : bool
        The direction a comparison goes by.
    bounds : tuple of float
        Smallest and largest possible value for one class against the rest.
    headline : int
        Place among the headline figures, from 1; 0 if it is not one of them.
    """

    name: str
    title: str
    reason: str
    greater_is_better: bool = True
    bounds: tuple[float, float] = (0.0, 1.0)
    headline: int = 0
    is_share: ClassVar[bool] = False  # areas and losses are no shares of rows
    average: ClassVar[None] = None
    beta: ClassVar[None] = None
