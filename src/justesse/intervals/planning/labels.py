"""A few labels by an expert, or many cheap ones with mistakes?"""

from dataclasses import dataclass
from typing import Literal

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.intervals.planning.precision import check_half_width, check_share, half_width_at
from justesse.intervals.planning.search import smallest


@dataclass(frozen=True)
class LabelChoice:
    """Both ways to the same half-width, and the price ratio at which they cost the same."""

    expert_n: int
    cheap_n: int
    expert_cost: float
    cheap_cost: float
    break_even: float
    apparent: float
    worst_bias: float

    @property
    def better(self) -> Literal["expert", "cheap"]:
        return "expert" if self.expert_cost <= self.cheap_cost else "cheap"


def label_choice(
    half_width: float,
    *,
    rate: float,
    expected: float = 0.9,
    classes: int = 2,
    expert_price: float = 1.0,
    cheap_price: float = 1.0,
    level: float = 0.95,
) -> LabelChoice:
    """Compute how many expert labels, or cheap labels wrong at this rate, give the same half-width.

    If mistakes are uniform and independent of the classifier's, the measured accuracy is
    s = q·(1-η) + (1-q)·η/(K-1), so q comes back from s stretched by 1/(1 - η·K/(K-1)): quantity wins once
    cheap labels cost less than `break_even` of an expert's. If mistakes are not uniform no quantity helps:
    `worst_bias` is how far the value so corrected can then be from the truth, as when annotators err exactly where the
    classifier does. Lam and Stork (2003); thesis 5.1.2.

    Parameters
    ----------
    half_width
        Half-width wanted, such as 0.01 for ±1 point.
    rate
        Share of wrong labels expected.
    expected
        Accuracy or share expected.
    classes
        Number of classes.
    expert_price
        Price of an expert label.
    cheap_price
        Price of a cheap label.
    level
        Confidence level.

    Examples
    --------
    >>> choice = label_choice(0.02, rate=0.05, expected=0.9, expert_price=5, cheap_price=1)
    >>> choice.expert_n, choice.cheap_n, choice.better
    (868, 1428, 'cheap')
    """
    check_half_width(half_width)
    check_share("the expected accuracy", expected)
    check_level(level)
    if classes < 2:
        raise OptionError(f"At least two classes are needed; got {classes!r}.")
    if not 0 <= rate < 1 - 1 / classes:
        raise OptionError(
            f"The noise rate must lie between 0 and {1 - 1 / classes:g}. From there on, labels of {classes} classes "
            f"carry no information. Got {rate!r}."
        )
    if not all(0 < price <= 1e12 for price in (expert_price, cheap_price)):
        raise OptionError(f"Prices must be above 0 and at most 10¹²; got {expert_price!r} and {cheap_price!r}.")
    kept = 1 - rate * classes / (classes - 1)
    apparent = expected * (1 - rate) + (1 - expected) * rate / (classes - 1)
    corrected = [(min(max(expected + moved, 0), 1) - rate / (classes - 1)) / kept for moved in (-rate, rate)]
    expert_n = smallest(lambda n: half_width_at(expected, n, level=level) <= half_width)
    cheap_n = smallest(lambda n: half_width_at(apparent, n, level=level) / kept <= half_width)
    return LabelChoice(
        expert_n,
        cheap_n,
        expert_n * expert_price,
        cheap_n * cheap_price,
        break_even=expert_n / cheap_n,
        apparent=apparent,
        worst_bias=max(abs(min(max(value, 0), 1) - expected) for value in corrected),
    )
