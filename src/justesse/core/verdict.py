"""What a judge answers."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.case import Disagreement
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, ClassName, Estimate, TestResult, finite_or_none

Decision = Literal["replace", "keep", "equivalent", "cannot_tell"]
DECISIONS: tuple[Decision, ...] = ("cannot_tell", "keep", "equivalent", "replace")


def check_margin(margin: float) -> float:
    """Return the margin if it is one."""
    if not (np.isfinite(margin) and margin >= 0):
        raise OptionError(f"The margin, the smallest gain that matters, must be 0 or more; got {margin!r}.")
    return margin


def decide(low: ArrayLike, high: ArrayLike, margin: float = 0.0) -> NDArray[Any]:
    """Decide by where the interval of the difference lies; no interval (NaN) decides nothing.

        replace if low > m; else equivalent if m > 0, low > -m and high < m; else keep if high < m or high < 0;
        else cannot_tell

    >>> decide([0.01, -0.03, -0.01, -0.03], [0.05, -0.01, 0.01, 0.02]).tolist()
    ['replace', 'keep', 'cannot_tell', 'cannot_tell']
    >>> decide([0.01, -0.01], [0.05, 0.01], margin=0.02).tolist()
    ['cannot_tell', 'equivalent']
    """
    check_margin(margin)
    lower, upper = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    alike = (margin > 0) & (lower > -margin) & (upper < margin)
    below = (upper < margin) | (upper < 0)
    words: list[Decision] = ["replace", "equivalent", "keep"]
    return np.select([lower > margin, alike, below], words, "cannot_tell")


@dataclass(frozen=True)
class VerdictBreakdown:
    """The smallest shares of wrong labels that could change the sign of the difference, and the verdict.

    `None` where no number of wrong labels could, or, with the reason, where it is not known.
    """

    sign: float | None
    verdict: float | None
    unknown: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"sign": self.sign, "verdict": self.verdict, "unknown": self.unknown}


@dataclass(frozen=True, repr=False)
class Verdict:
    """Replace, keep, equivalent or cannot tell (the last two keep), the evidence, and what would change it.

    `needed_n` is how many additional labelled rows would settle it, if what was seen is how things are: 0 if it is
    settled, `None` if no number would. `counts_errors` is true where the measure is the share of right or wrong rows:
    then a difference is so many errors per 100 cases. `title` is the measure in words, `unit` that of a difference.
    """

    decision: Decision
    judge: str
    measure: str
    class_name: ClassName
    incumbent: Estimate
    candidate: Estimate
    difference: Estimate
    margin: float
    level: float
    alternative: Alternative
    disagreement: Disagreement
    outcome: TestResult
    breakdown: VerdictBreakdown
    needed_n: int | None
    assumptions: tuple[str, ...]
    reason: str
    seed: int
    warnings: tuple[str, ...] = ()
    greater_is_better: bool = True
    counts_errors: bool = False
    title: str = ""
    unit: str = "percentage points"

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.measure)

    def __repr__(self) -> str:
        interval = self.difference.interval
        ends = f", {interval.words('+.4f')}" if interval else ""
        return (
            f"Verdict({self.decision}: difference in {self.measure} {self.difference.value:+.4f}{ends}, "
            f"n = {self.disagreement.n:,.10g}, judge {self.judge})"
        )

    @property
    def replaces(self) -> bool:
        return self.decision == "replace"

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        return {
            "verdict": self.decision,
            "judge": self.judge,
            "measure": self.measure,
            "incumbent": _figures(self.incumbent),
            "candidate": _figures(self.candidate),
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
            "margin": self.margin,
            "level": self.level,
            "alternative": self.alternative,
            "n": int(self.disagreement.n),
            "disagreement": self.disagreement.to_dict(),
            "pvalue": finite_or_none(self.outcome.pvalue),
            "test": self.outcome.test,
            "breakdown_rate": self.breakdown.to_dict(),
            "needed_n": self.needed_n,
            "assumptions": list(self.assumptions),
            "reason": self.reason,
            "warnings": list(self.warnings),
            "seed": self.seed,
        }


def _figures(estimate: Estimate) -> dict[str, Any]:
    written = estimate.to_dict()
    return {key: written[key] for key in ("value", "n", "interval", "undefined")}
