"""What wrong labels do to the difference of two systems under a policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.arrays import FloatArray
from justesse.core.results import Estimate, finite_or_none
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.policy_noise import difference_moves
from justesse.noise.rate_range import rate_words
from justesse.report.writing import message
from justesse.verbs.lifelong.label_noise import SHARED, by_place, rate_json


@dataclass(frozen=True)
class ComparisonNoise:
    """Bounds of the true difference for a noise rate, and the difference by the true classes, as far as known.

    Parameters
    ----------
    apparent
        Difference by the labels.
    rate
        Lowest and highest share of wrong labels, overall or by period.
    low, high
        Ends of the true difference; NaN without a noise rate.
    true
        Difference by the true classes.
    """

    apparent: float
    rate: tuple[float, float] | Mapping[str, tuple[float, float]] | None
    low: float
    high: float
    true: Estimate | None

    @property
    def bias(self) -> float | None:
        """Difference by the labels minus difference by the true classes."""
        return None if self.true is None else self.apparent - self.true.value

    @property
    def words(self) -> str:
        """The rate in words."""
        if isinstance(self.rate, Mapping):
            return "the given share of the labels of each period is wrong"
        return str(message("{rate} of the labels are wrong", rate=rate_words(*self.rate))) if self.rate else ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "noise_rate": rate_json(self.rate),
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "true": self.true.to_dict() if self.true else None,
            "bias": self.bias,
            "assumptions": [self.words, SHARED] if self.rate else [],
        }


def difference_bounds(
    pairs: PairedBlocks, seen: Sequence[int], weights: FloatArray, apparent: float, rate: Any, names: Sequence[str],
    *, classes: int,
) -> tuple[float, float]:  # fmt: skip
    """Bound the true difference for a noise rate; sharp, as both systems share the label of an item.

    Parameters
    ----------
    pairs
        Items that both answered.
    seen
        Periods that count.
    weights
        Their weights.
    apparent
        Difference by the labels.
    rate
        Lowest and highest share of wrong labels, overall or by period.
    names
        Names of all periods.
    classes
        Number of classes.
    """
    low, high = difference_moves(pairs, seen, weights, classes=classes).range(by_place(rate, names))
    return apparent + low, apparent + high
