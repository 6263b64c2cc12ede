"""What a run has seen so far, so that one that was stopped goes on where it was and charges nothing twice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from justesse.lifelong.ledger import Charge


@dataclass(frozen=True)
class RunStep:
    """One reply of the system or of people.

    Parameters
    ----------
    number
        Its place, from 1.
    name
        What was asked for: start, predict, ask, replies, save, round, correction.
    request
        Checksum of what was sent, which must be the same when the run is repeated.
    reply
        What came back.
    charges
        Charges made with it; they are kept before any answer is given.
    seconds
        How long it took.
    """

    number: int
    name: str
    request: str
    reply: Any
    charges: tuple[Charge, ...] = ()
    seconds: float = 0.0


class Journal(Protocol):
    """A list of steps that only grows."""

    def read(self) -> Sequence[RunStep]:
        """Return the steps so far."""

    def append(self, step: RunStep) -> None:
        """Add a step; it is kept for good when this returns."""


class MemoryJournal:
    """A journal that ends with the process."""

    def __init__(self, steps: Iterable[RunStep] = ()) -> None:
        self._steps = list(steps)

    def read(self) -> Sequence[RunStep]:
        return tuple(self._steps)

    def append(self, step: RunStep) -> None:
        self._steps.append(step)
