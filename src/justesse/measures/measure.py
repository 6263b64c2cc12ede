"""What every measure of this room knows of itself."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from justesse.core.arrays import Array
from justesse.core.choices import Judgeable
from justesse.core.results import Average
from justesse.core.tally import Tally
from justesse.measures.confusion import Confusion, Partials

SameRows = Literal["all", "labelled", "not labelled"]


@dataclass(frozen=True)
class Proportion:
    """A measure that is a share of independent rows: successes out of trials."""

    successes: Array
    trials: Array


@dataclass(frozen=True)
class Measure(ABC):
    """A function of counts, vectorised over a batch axis in front; NaN where it is undefined.

    Everything that compares, lists or shows measures asks the measure, so that a new one needs no second list.

    Parameters
    ----------
    name : str
        Name in options and JSON, such as `balanced_accuracy`.
    reason : str
        Why it is undefined where it is NaN.
    average : {"micro", "macro", "weighted"}, optional
        How a per-class measure was averaged.
    per_class : bool
        Whether it returns one number per class, on the last axis.
    bounds : tuple of float
        Smallest and largest possible value.
    beta : float, optional
        Weight of recall in an F measure.
    greater_is_better : bool
        The direction a comparison goes by.
    title : str
        Name in words, as in the middle of a sentence. Default: the name with spaces.
    short_title : str
        Name in the heading of a narrow column. Default: the title.
    unit : str
        Unit of the value. Default: none, a number on the scale of `bounds`.
    headline : int
        Place among the headline figures, from 1; 0 if it is not one of them. For a per-class measure it is the place of
        its macro average.
    class_headline : int
        Place among the headline figures of a single class, from 1; 0 if it is not one of them.
    """

    name: str
    reason: str
    average: Average | None = None
    per_class: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)
    beta: float | None = None
    greater_is_better: bool = True
    title: str = ""
    short_title: str = ""
    unit: str = ""
    headline: int = 0
    class_headline: int = 0

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name.replace("_", " "))
        if not self.short_title:
            object.__setattr__(self, "short_title", self.title)

    def __call__(self, counts: Tally | Confusion) -> Array:
        return self.value(Confusion.of(counts))

    @abstractmethod
    def value(self, table: Confusion) -> Array:
        """Compute the measure."""

    @abstractmethod
    def partials(self, table: Confusion) -> Partials:
        """Differentiate it, for the delta method (one table, no batch)."""

    def proportion(self, table: Confusion) -> Proportion | None:
        """Return the share of rows it is, or `None` if it is not one. A share has an interval of its own n.

        Both numbers are linear in the cells, so that on Σw² they give the effective n.
        """
        return None

    def disjoint_shares(self, table: Confusion) -> Proportion | None:
        """Return the shares of disjoint rows whose plain mean it is, one per class, or `None`."""
        return None

    def hidden_share(self, table: Confusion) -> Proportion | None:
        """Return the share of rows that it is an increasing function of (`of_share`), or `None`."""
        return None

    def of_share(self, share: Array) -> Array:
        """Compute the measure from its hidden share."""
        return share

    def unlabelled_gain(self, table: Confusion) -> float:
        """Return how much higher it would be if classes that no row is labelled as did as well as the others."""
        return 0.0

    @property
    def is_share(self) -> bool:
        """Whether it is a share of rows, or a mean of such shares: then it is shown in per cent."""
        return False

    @property
    def same_rows(self) -> SameRows | None:
        """The rows of which it counts the right (or wrong) ones, if they are the same for every classifier."""
        return None

    @property
    def judged_as(self) -> Judgeable | None:
        """The share that judges which allow for wrong labels can compare it by, if there is one."""
        return None

    @property
    def difference_unit(self) -> str:
        """Unit of a difference of two values."""
        return "percentage points" if self.bounds == (0.0, 1.0) and not self.unit else f"unit of {self.title}"
