"""The interval of a share, moved back by the bias of wrong labels."""

from dataclasses import dataclass
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval
from justesse.intervals.wilson import wilson

MOVES = (
    "Wrong labels move this interval but do not widen it: its width reflects the number of rows, not how reliable the "
    "labels are."
)
NARROWS = "Wrong labels move the value away from one half here, so the interval is narrower than with right labels."
OUTSIDE = "The corrected value is outside [0, 1]: this bias does not fit these counts."
ASSUMPTIONS = (
    "the rows are independent draws",
    "the bias is known exactly; the interval does not include uncertainty about it",
)


@dataclass(frozen=True)
class CorrectedMeasure:
    """A value corrected for the bias of wrong labels, and what its interval does not say."""

    estimate: Estimate
    apparent: float
    bias: float
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.estimate.to_dict(),
            "apparent": self.apparent,
            "bias": self.bias,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }


def corrected(
    successes: float,
    trials: float,
    bias: float,
    *,
    name: str = "accuracy",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> CorrectedMeasure:
    """Shift Wilson's interval of k out of n by a known bias (apparent minus true).

        -bias + (e + z²/2n ± z·sqrt(e(1-e)/n + z²/4n²)) / (1 + z²/n),   e = k/n

    Parameters
    ----------
    successes
        k, the rows that count.
    trials
        n, all rows.
    bias
        The bias of the share, known exactly. Use bounds if it is only guessed.
    name
        Name of the measure.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Notes
    -----
    The ends are shifted as they are, and shown within [0, 1]. Thesis (6.30).

    Examples
    --------
    >>> result = corrected(750, 1000, -0.05)
    >>> round(result.estimate.value, 2), str(result.estimate.interval)
    (0.8, '[0.7722, 0.8258]')
    >>> corrected(875, 1000, 0.075).warnings[1] == NARROWS
    True
    """
    if not trials > 0:
        raise OptionError(f"At least one row is needed; got {trials!r}.")
    if not -1 <= bias <= 1:
        raise OptionError(f"The bias of a share must lie between -1 and 1; got {bias!r}.")
    apparent = successes / trials
    value = apparent - bias
    ends = wilson(successes, trials, level=level, alternative=alternative)
    # the end that a one-sided bound leaves open stays open
    low = float(ends.low) - bias if alternative != "less" else 0.0
    high = float(ends.high) - bias if alternative != "greater" else 1.0
    warnings = [MOVES]
    if abs(apparent - 0.5) > abs(value - 0.5):
        warnings.append(NARROWS)
    if not -1e-12 <= value <= 1 + 1e-12:
        warnings.append(OUTSIDE)
    interval = Interval(low, high, level, "wilson-shifted", (0.0, 1.0), alternative)
    return CorrectedMeasure(
        Estimate(name, value, trials, interval, is_share=True), apparent, bias, ASSUMPTIONS, tuple(warnings)
    )
