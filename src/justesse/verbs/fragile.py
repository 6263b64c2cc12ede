"""Warn that a plausible share of wrong labels could overturn a verdict or a claim."""

import math
from typing import TYPE_CHECKING

from justesse.core.shares import percent_of
from justesse.noise.plausible_noise import is_fragile_claim, plausible_noise
from justesse.report.writing import Message, message

if TYPE_CHECKING:
    from justesse.core.verdict import Verdict
    from justesse.noise.breakdown import Breakdown
    from justesse.noise.label_noise_report import LabelNoiseReport

PLAUSIBLE, NOISE_RATE = "--plausible-noise", "--noise-rate"


def option_of(asked: object, known: object) -> str:
    """Name the option that the plausible share comes from: the one asked for, or the known rate.

    >>> option_of(None, (0.0, 0.03)), option_of("2%", (0.0, 0.03)), option_of(None, None)
    ('--noise-rate', '--plausible-noise', '--plausible-noise')
    """
    return NOISE_RATE if asked is None and known is not None else PLAUSIBLE


def fragile_verdict_words(verdict: "Verdict", plausible: float, option: str = PLAUSIBLE) -> str:
    """Warn that a plausible share of wrong labels could overturn a verdict."""
    n = verdict.disagreement.n
    rows = round((verdict.breakdown.verdict or math.nan) * n)
    return str(
        message(
            "{wrong} of {n:count} ({share}) could {turned}; a share of {plausible:level} is plausible "
            "({option}). Check the labels where the two disagree (justesse audit start).",
            wrong=_labels(rows),
            n=n,
            share=percent_of(rows, n),
            turned="overturn this verdict" if verdict.replaces else 'change this verdict to "replace"',
            plausible=plausible,
            option=option,
        )
    )


def fragile_claim_words(broken: "Breakdown", plausible: float, option: str = PLAUSIBLE) -> str:
    """Warn that a plausible share of wrong labels could make a claim false."""
    rows = broken.count or 0
    return str(
        message(
            "{wrong} of {n:count} ({share}) could make the claim {claim} false; a share of {plausible:level} is plausible "
            "({option}). Have some labels re-checked (--audited).",
            wrong=_labels(rows),
            n=broken.n,
            share=percent_of(rows, broken.n),
            claim=broken.claim,
            plausible=plausible,
            option=option,
        )
    )


def fragile_claim(noise: "LabelNoiseReport | None", asked: float | str | None) -> list[str]:
    """Warn if a plausible share of wrong labels could make the claim false."""
    plausible = plausible_noise(asked, noise.known.rate if noise else None)
    if noise is None or not is_fragile_claim(noise.breakdown, plausible):
        return []
    return [fragile_claim_words(noise.breakdown, plausible, option_of(asked, noise.known.rate))]


def _labels(rows: int) -> Message | str:
    return "One wrong label" if rows == 1 else message("{n:count} wrong labels", n=rows)
