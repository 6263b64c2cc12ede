"""Warn that a plausible share of wrong labels could overturn a verdict or a claim."""

import math
from typing import TYPE_CHECKING

from justesse.core.shares import percent_of, percent_words

if TYPE_CHECKING:
    from justesse.core.verdict import Verdict
    from justesse.noise.breakdown import Breakdown


def fragile_verdict_words(verdict: "Verdict", plausible: float) -> str:
    """Warn that a plausible share of wrong labels could overturn a verdict."""
    n = verdict.disagreement.n
    rows = round((verdict.breakdown.verdict or math.nan) * n)
    turned = "overturn this verdict" if verdict.replaces else 'change this verdict to "replace"'
    return (
        f"{_labels(rows)} of {n:,} ({percent_of(rows, n)}) could {turned}; a share of {percent_words(plausible)} "
        "is plausible (--plausible-noise). Check the labels where the two disagree (justesse audit start)."
    )


def fragile_claim_words(broken: "Breakdown", plausible: float) -> str:
    """Warn that a plausible share of wrong labels could make a claim false."""
    count = broken.count or 0
    return (
        f"{_labels(count)} of {broken.n:,} ({percent_of(count, broken.n)}) could make the claim {broken.claim} false; a share of "
        f"{percent_words(plausible)} is plausible (--plausible-noise). Have some labels re-checked (--audited)."
    )


def _labels(rows: int) -> str:
    return "One wrong label" if rows == 1 else f"{rows:,} wrong labels"
