"""The rule of a judge, and the evidence for its decision."""

from dataclasses import dataclass

from justesse.core.choice import check_choice
from justesse.core.choices import PairedResampling
from justesse.core.resampling import check_draws
from justesse.core.results import Alternative, Interval, TestResult, tail_levels
from justesse.core.verdict import VerdictBreakdown, check_margin
from justesse.intervals.ends import Sides, z_value
from justesse.intervals.estimate import Confidence

UNKNOWN = VerdictBreakdown(
    None, None, "the breakdown rate is available for accuracy and error, and with the judge paired for cost"
)


@dataclass(frozen=True)
class Rule:
    """The margin, the level and the side of a verdict, and how its intervals are computed.

    Parameters
    ----------
    margin
        Smallest difference that matters, in the measure's unit, such as 0.01 for one point of accuracy. Default: 0.
    level
        Confidence level of the rule, such as 0.9. Default: 0.95.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse. Default:
        two-sided.
    draws
        Number of permutations and bootstrap resamples. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    bootstrap
        How to resample differences that are not of shares; `none` uses the delta method. Default: none.

    Notes
    -----
    With few disagreements the delta method covers better than resampling, and it does not depend on the seed
    (docs/validity.md).
    """

    margin: float = 0.0
    level: float = 0.95
    alternative: Alternative = "two-sided"
    draws: int = 2000
    seed: int = 0
    bootstrap: PairedResampling = "none"

    def __post_init__(self) -> None:
        check_margin(self.margin)
        check_draws(self.draws)
        tail_levels(self.level, self.alternative)
        check_choice("bootstrap", self.bootstrap, PairedResampling)

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
    """The interval of the difference, a significance test, and what would change the verdict.

    `needed_n` is the number of further rows that would settle it, whatever the decision. `undefined` is the reason why
    there is no interval.
    """

    interval: Interval | None
    outcome: TestResult
    breakdown: VerdictBreakdown = UNKNOWN
    needed_n: int | None = None
    undefined: str | None = None
    assumptions: tuple[str, ...] = ()
