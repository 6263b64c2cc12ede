"""The ladder of assumptions about label errors: its rungs, and what one rung finds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from justesse.intervals.prediction_powered import PredictionPowered


class Written(Protocol):
    """Something that JSON can hold."""

    def to_dict(self) -> dict[str, Any]: ...


FigureT = TypeVar("FigureT", bound=Written, covariant=True)
Letter = Literal["a", "b", "c", "d", "e", "f"]


@dataclass(frozen=True)
class RungKind:
    """A set of assumptions about label errors.

    Parameters
    ----------
    letter
        Place on the ladder. From (a) to (e) less is assumed and less can be concluded; (f) needs re-checked rows.
    name
        What is assumed or known.
    short
        Heading of its column in a table.
    term
        What the literature calls it.
    """

    letter: Letter
    name: str
    short: str
    term: str


PLAIN = RungKind("a", "the labels are right", "as measured", "no label noise")
INDEPENDENT = RungKind(
    "b", "label errors are independent of the classifier's errors", "independent errors",
    "label noise completely at random (NCAR); correction of Lam and Stork",
)  # fmt: skip
BY_TRUE_CLASS = RungKind(
    "c", "label errors depend on the true class only", "errors by class",
    "class-conditional label noise (NAR); transition matrix inverted",
)  # fmt: skip
FROM_RATE = RungKind(
    "d",
    "only the noise rate is known",
    "bounds from rate",
    "label noise not at random (NNAR); worst-case bounds from the rate",
)
FROM_TABLE = RungKind(
    "d", "only the transition table is known", "bounds from table",
    "label noise not at random (NNAR); worst-case bounds from the transition matrix",
)  # fmt: skip
NOTHING = RungKind("e", "nothing is known about the labels", "breakdown rate", "breakdown point")
RECHECKED = RungKind(
    "f", "a random sample was re-checked", "re-checked sample", "double sampling (prediction-powered inference)"
)
RUNG_KINDS = (PLAIN, INDEPENDENT, BY_TRUE_CLASS, FROM_RATE, FROM_TABLE, NOTHING, RECHECKED)


@dataclass(frozen=True)
class Rung(Generic[FigureT]):
    """What one set of assumptions gives: estimates, bounds or a breakdown rate, and when it fails.

    (a) the labels are right; (b) label errors are independent of the classifier's errors; (c) they depend on the true
    class only; (d) only the noise rate or the transition table is known; (e) nothing is known; (f) a random sample
    was re-checked. On (f), `powered` compares the accuracy, or its difference, with that of the re-checked rows alone.
    """

    kind: RungKind
    figures: tuple[FigureT, ...]
    assumptions: tuple[str, ...]
    fails_when: str
    warnings: tuple[str, ...] = ()
    powered: "PredictionPowered | None" = None

    @property
    def letter(self) -> Letter:
        """Place on the ladder."""
        return self.kind.letter

    @property
    def name(self) -> str:
        """What is assumed or known."""
        return self.kind.name

    def to_dict(self) -> dict[str, Any]:
        return {
            "letter": self.letter,
            "name": self.name,
            "found": [part.to_dict() for part in self.figures],
            "assumptions": list(self.assumptions),
            "fails_when": self.fails_when,
            "warnings": list(self.warnings),
            "term": self.kind.term,
            **({"powered": self.powered.to_dict()} if self.powered else {}),
        }
