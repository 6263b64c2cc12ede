"""The name that an interval bears, with what it means."""

from dataclasses import dataclass


@dataclass(frozen=True)
class IntervalMethod:
    """A name that intervals bear.

    Parameters
    ----------
    name
        The name in `method`.
    explanation
        What the interval is made from, in one sentence.
    reference
        Who published it.
    """

    name: str
    explanation: str
    reference: str
