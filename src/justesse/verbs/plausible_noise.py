"""Is a verdict, or a claim, broken by fewer wrong labels than test sets usually have?"""

import math
from typing import TYPE_CHECKING

from justesse.core.errors import OptionError
from justesse.core.shares import percent_up, percent_words, share

if TYPE_CHECKING:
    from justesse.core.verdict import Verdict
    from justesse.noise.breakdown import Breakdown

USUAL = 0.01  # many published test sets have more wrong labels than this: docs/explanation/assumptions.md


def plausible_noise(asked: float | str | None, known: tuple[float, float] | None = None) -> float:
    """Give the share of wrong labels that is plausible: as asked, else the known rate's upper end, else 1 %.

    >>> plausible_noise(None), plausible_noise("3%"), plausible_noise(None, (0.01, 0.05))
    (0.01, 0.03, 0.05)
    """
    if asked is None:
        return USUAL if known is None else known[1]
    rate = share(asked, "the plausible share of wrong labels")
    if not 0 <= rate < 1:
        raise OptionError(
            f"the plausible share of wrong labels is from 0 to below 1 (100 %), such as 1%; got {asked!r}"
        )
    return rate


def is_fragile(verdict: "Verdict", plausible: float) -> bool:
    """Say whether a plausible share of wrong labels, all against it, is known to overturn a verdict that says something.

    False does not mean robust: for many measures the breakdown rate is not known, see `verdict.breakdown.unknown`.
    """
    rate = verdict.breakdown.verdict
    return verdict.decision != "cannot_tell" and rate is not None and rate <= plausible


def fragile_words(verdict: "Verdict", plausible: float) -> str:
    """Warn of it."""
    rate, n = verdict.breakdown.verdict or math.nan, verdict.disagreement.n
    rows = round(rate * n)
    turned = "overturn this verdict" if verdict.replaces else 'change this verdict to "replace"'
    return (
        f"{_labels(rows)} of {n:,} ({percent_up(rate)}) could {turned}; a share of {percent_words(plausible)} is plausible "
        "(--plausible-noise). Check the labels where the two disagree (justesse audit start)."
    )


def fragile_claim(found: "Breakdown", plausible: float) -> str | None:
    """Warn if a plausible share of wrong labels could make a claim that holds false."""
    if not found.claim_holds or found.rate is None or found.count is None or found.rate > plausible:
        return None
    return (
        f"{_labels(found.count)} of {found.n:,} ({percent_up(found.rate)}) could make the claim {found.claim} false; "
        f"a share of {percent_words(plausible)} is plausible (--plausible-noise). Have some labels re-checked (--audited)."
    )


def _labels(rows: int) -> str:
    return "One wrong label" if rows == 1 else f"{rows:,} wrong labels"
