"""How a judge was asked to judge, and what it goes by."""

from dataclasses import dataclass

from justesse.core.results import Alternative, Interval, Outcome, tail_levels
from justesse.core.verdict import Breakdown, check_margin
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Sides

UNKNOWN = Breakdown(None, None, "the breakdown rate is worked out for accuracy, error and cost only")


@dataclass(frozen=True)
class Rule:
    """The margin that matters, the level, which side is asked about, and how resamples are drawn."""

    margin: float = 0.0
    level: float = 0.95
    alternative: Alternative = "two-sided"
    draws: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        check_margin(self.margin)
        tail_levels(self.level, self.alternative)

    @property
    def sides(self) -> Sides:
        return {"level": self.level, "alternative": self.alternative}

    @property
    def z(self) -> float:
        """How many standard errors the interval reaches to each side asked about."""
        return z_value(max(tail_levels(self.level, self.alternative)))


@dataclass(frozen=True)
class Evidence:
    """The interval of the difference, a test beside it, and what would change the verdict.

    `needed_n` is how many more rows would settle it, whatever the decision; `undefined` why there is no interval.
    """

    interval: Interval | None
    outcome: Outcome
    breakdown: Breakdown = UNKNOWN
    needed_n: int | None = None
    undefined: str | None = None
    assumptions: tuple[str, ...] = ()
