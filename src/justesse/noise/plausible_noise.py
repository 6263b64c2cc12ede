"""Could a plausible share of wrong labels overturn a verdict or a claim?"""

from typing import TYPE_CHECKING

from justesse.core.errors import OptionError
from justesse.core.shares import share

if TYPE_CHECKING:
    from justesse.core.verdict import Verdict
    from justesse.noise.breakdown import Breakdown

USUAL = 0.01  # many published test sets have more wrong labels than this: docs/explanation/assumptions.md


def plausible_noise(asked: float | str | None, known: tuple[float, float] | None = None) -> float:
    """Return the plausible share of wrong labels: the one asked for, the upper end of the known rate, or 1 %.

    >>> plausible_noise(None), plausible_noise("3%"), plausible_noise(None, (0.01, 0.05))
    (0.01, 0.03, 0.05)
    """
    if asked is None:
        return USUAL if known is None else known[1]
    rate = share(asked, "the plausible share of wrong labels")
    if not 0 <= rate < 1:
        raise OptionError(
            f"The plausible share of wrong labels must be at least 0 and below 1 (100 %), such as 1%; got {asked!r}."
        )
    return rate


def is_fragile(verdict: "Verdict", plausible: float) -> bool:
    """Return whether a plausible share of wrong labels is known to be able to overturn the verdict.

    False does not mean robust: the breakdown rate of many measures is not known, see `verdict.breakdown.unknown`.
    """
    rate = verdict.breakdown.verdict
    return verdict.decision != "cannot_tell" and rate is not None and rate <= plausible


def is_fragile_claim(broken: "Breakdown", plausible: float) -> bool:
    """Return whether a plausible share of wrong labels could make a true claim false."""
    return broken.claim_holds and broken.rate is not None and broken.rate <= plausible
