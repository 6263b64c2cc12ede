"""Guardrails of an on-line comparison: what a candidate must not make worse, checked at every look."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.event_blocks import EventBlocks
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import lower_difference

Side = Literal["below", "above"]  # where the difference must stay


@dataclass(frozen=True)
class Guardrail:
    """What must stay true of a candidate: its mean minus the incumbent's stays below, or above, a limit.

    Parameters
    ----------
    name
        Column of the numbers.
    below
        Whether the difference must stay below the limit, or above it.
    limit
        The limit, in the unit of the numbers.
    low, high
        Smallest and largest number possible.
    """

    name: str
    below: bool
    limit: float
    low: float = 0.0
    high: float = 1.0

    @property
    def side(self) -> Side:
        """Where the difference must stay."""
        return "below" if self.below else "above"

    def __str__(self) -> str:
        return f"{self.name}{'<' if self.below else '>'}{self.limit:g}"


@dataclass(frozen=True)
class GuardrailLooks:
    """A guardrail at every look: the difference, and the bound that shows harm once it is past the limit."""

    guardrail: Guardrail
    difference: Array
    bound: Array
    events: Array
    n: int
    risk: float
    missing: int = 0

    @cached_property
    def breached(self) -> int | None:
        """The look at which harm was first shown, `None` if there is none."""
        past = self.bound >= self.guardrail.limit if self.guardrail.below else self.bound <= self.guardrail.limit
        return int(np.argmax(past)) if past.any() else None


def watch_guardrail(blocks: EventBlocks, guardrail: Guardrail, *, risk: float, share: float = 0.5) -> GuardrailLooks:
    """Check a guardrail for the second variant of the blocks, the candidate, at every look.

    Harm is shown once a bound on the difference that holds at all looks together is past the limit, so a candidate
    that keeps the guardrail is ever stopped by it with a chance of at most the risk.

    Parameters
    ----------
    blocks
        The guarded numbers of incumbent and candidate, scaled to 0 to 1.
    guardrail
        What must stay true.
    risk
        Chance that a candidate without harm is ever stopped.
    share
        Planned share of the candidate in the events of both.

    Examples
    --------
    >>> counts = np.array([[[900], [900]], [[90], [180]], [[90], [180]], [[0], [0]]])
    >>> looks = watch_guardrail(EventBlocks(("old", "new"), *counts), Guardrail("complaint", True, 0.02), risk=0.05)
    >>> looks.breached, looks.bound.round(3).tolist()
    (0, [0.046])
    """
    incumbent, candidate = (ArmSums.of_blocks(blocks.n[at], blocks.total[at], blocks.squares[at]) for at in (0, 1))
    scale = guardrail.high - guardrail.low
    if guardrail.below:
        bound = lower_difference(candidate, incumbent, risk=risk, share=share)
    else:
        bound = -lower_difference(incumbent, candidate, risk=risk, share=1 - share)
    n = int(incumbent.n[-1] + candidate.n[-1])
    missing = int(blocks.open.sum())
    difference = scale * (candidate.mean - incumbent.mean)
    return GuardrailLooks(guardrail, difference, scale * bound, blocks.events, n, risk, missing)
