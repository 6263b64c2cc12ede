"""A speaker who talks for a while."""

from dataclasses import dataclass

import numpy as np

from justesse.core.errors import InputError

Region = tuple[float, float]


@dataclass(frozen=True)
class SpeakerSegment:
    """A stretch of time in which a speaker talks."""

    speaker: str
    start: float
    end: float

    def __post_init__(self) -> None:
        """Refuse segments that have no length."""
        if not (np.isfinite(self.start) and np.isfinite(self.end) and self.start < self.end):
            raise InputError(
                f"A segment must start before it ends; that of speaker {self.speaker!r} goes from {self.start!r} to "
                f"{self.end!r}."
            )
