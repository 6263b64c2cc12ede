"""One rung of the ladder: what is found, what that takes for granted, and when it fails."""

from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar


class Written(Protocol):
    """Something that JSON can hold."""

    def to_dict(self) -> dict[str, Any]: ...


Found = TypeVar("Found", bound=Written, covariant=True)
Letter = Literal["a", "b", "c", "d", "e", "f"]


@dataclass(frozen=True)
class Rung(Generic[Found]):
    """The findings of one set of assumptions: estimates, bounds or a breakdown rate.

    (a) the labels are right; (b) wrong labels have nothing to do with being right; (c) nor with the prediction once
    the true class is known; (d) only the noise rate or the transition table is known; (e) nothing is; (f) a random
    sample was re-checked. From (a) to (e) less is assumed and less is said; (f) needs work, not faith.
    """

    letter: Letter
    name: str
    found: tuple[Found, ...]
    assumptions: tuple[str, ...]
    fails_when: str
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "letter": self.letter,
            "name": self.name,
            "found": [one.to_dict() for one in self.found],
            "assumptions": list(self.assumptions),
            "fails_when": self.fails_when,
            "warnings": list(self.warnings),
        }
