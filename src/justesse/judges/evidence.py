"""The rule of a judge, and the evidence for its decision."""

from dataclasses import dataclass

from justesse.core.errors import OptionError
from justesse.core.resampling import check_draws
from justesse.core.results import Alternative, Interval, TestResult, tail_levels
from justesse.core.verdict import VerdictBreakdown, check_margin
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Confidence, Resampling, Sides

STILL = "it does not vary on these rows, so its standard error is unknown"
UNKNOWN = VerdictBreakdown(
    None, None, "the breakdown rate is available for accuracy and error, and with the judge paired for cost"
)


@dataclass(frozen=True)
class Rule:
    """The margin that matters, the level, which side is asked about, and how intervals are made.

    `bootstrap` is for differences that are not of shares: `none` linearises them (delta method), which covers better
    than resampling with few disagreements and depends on no luck (docs/validity.md).
    """

    margin: float = 0.0
    level: float = 0.95
    alternative: Alternative = "two-sided"
    draws: int = 2000
    seed: int = 0
    bootstrap: Resampling = "none"

    def __post_init__(self) -> None:
        check_margin(self.margin)
        check_draws(self.draws)
        if max(tail_levels(self.level, self.alternative)) >= 0.5:
            raise OptionError(f"the level of a one-sided verdict lies between 0.5 and 1; got {self.level!r}")

    @property
    def sides(self) -> Sides:
        return {"level": self.level, "alternative": self.alternative}

    @property
    def enough_draws(self) -> int:
        """As many resamples as the level needs."""
        return Confidence(draws=self.draws, **self.sides).enough_draws

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
    outcome: TestResult
    breakdown: VerdictBreakdown = UNKNOWN
    needed_n: int | None = None
    undefined: str | None = None
    assumptions: tuple[str, ...] = ()
