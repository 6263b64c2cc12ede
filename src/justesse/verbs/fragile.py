"""Warn that a plausible share of wrong labels could overturn a verdict or a claim."""

import math
from typing import TYPE_CHECKING

from justesse.core.shares import percent_up, percent_words

if TYPE_CHECKING:
    from justesse.core.verdict import Verdict
    from justesse.noise.breakdown import Breakdown


def fragile_verdict_words(verdict: "Verdict", plausible: float) -> str:
    """Warn that a plausible share of wrong labels could overturn a verdict."""
    rate, n = verdict.breakdown.verdict or math.nan, verdict.disagreement.n
    turned = "overturn this verdict" if verdict.replaces else 'change this verdict to "replace"'
    return (
        f"{_labels(round(rate * n))} of {n:,} ({percent_up(rate)}) could {turned}; a share of {percent_words(plausible)} "
        "is plausible (--plausible-noise). Check the labels where the two disagree (justesse audit start)."
    )


def fragile_claim_words(broken: "Breakdown", plausible: float) -> str:
    """Warn that a plausible share of wrong labels could make a claim false."""
    count, rate = broken.count or 0, broken.rate or math.nan
    return (
        f"{_labels(count)} of {broken.n:,} ({percent_up(rate)}) could make the claim {broken.claim} false; a share of "
        f"{percent_words(plausible)} is plausible (--plausible-noise). Have some labels re-checked (--audited)."
    )


def _labels(rows: int) -> str:
    return "One wrong label" if rows == 1 else f"{rows:,} wrong labels"
