"""What an audit is asked, how sure it must be, and how much it may cost."""

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from numpy.typing import ArrayLike

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import check_seed
from justesse.core.verdict import check_margin
from justesse.judges.audit_targets import QUESTIONS, About, Target, target

METHOD = "betting"
GROUP_SEQUENTIAL = "group-sequential"  # in files made while there was such a method


@dataclass(frozen=True, kw_only=True)
class AuditRule:
    """The question, the level and the margin as for every judge, the expert's error, and at most so many questions.

    With `futility` an audit gives up when the questions left will hardly settle it.
    """

    margin_below: ClassVar[float] = 1.0  # differences of shares are smaller

    seed: int = 0
    level: float = 0.95
    margin: float = 0.0
    alternative: Alternative = "two-sided"
    expert_error: float = 0.0
    budget: int = 200
    question: About = "test set"
    futility: bool = True

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if check_margin(self.margin) >= self.margin_below:
            raise OptionError(
                f"The margin is a difference of the measure, below 1 (one point is 0.01); got {self.margin!r}."
            )
        tail_levels(self.level, self.alternative)
        if not 0 <= self.expert_error < 0.5:
            raise OptionError(
                f"The expert's error rate must be at least 0 and below 0.5, such as 0.02; got {self.expert_error!r}."
            )
        if self.budget < 0:
            raise OptionError(f"The budget (how many questions may be asked) must be 0 or more; got {self.budget!r}.")
        if self.question not in QUESTIONS:
            raise OptionError(f"The question must be one of {', '.join(QUESTIONS)}; got {self.question!r}.")

    def target(self, n: ArrayLike, disputed: ArrayLike, about: About) -> Target:
        """Return the totals that would settle a question."""
        return target(
            n,
            disputed,
            about,
            level=self.level,
            margin=self.margin,
            alternative=self.alternative,
            expert_error=self.expert_error,
        )


@dataclass(frozen=True, kw_only=True)
class CostRule(AuditRule):
    """The same for costs, whose differences may be larger than 1."""

    margin_below: ClassVar[float] = inf


def check_method(method: str) -> None:
    """Refuse any method but betting.

    Group-sequential bounds rested on normal approximations: with few looks they broke their level, and where they kept
    it they took two to nine times as many answers as betting.
    """
    if method == GROUP_SEQUENTIAL:
        raise OptionError(
            "The method group-sequential was removed: with few answers it was wrong more often than its level allows, "
            "and betting needs fewer answers. Leave method (--method) out."
        )
    if method != METHOD:
        raise OptionError(f"The method must be {METHOD!r}; got {method!r}.")
