"""A claim about a classifier: a measure, at least or at most so much."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast

from justesse import measures
from justesse.core.errors import ClassError, OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.measures import PER_CLASS, Measure, averaged

Comparison = Literal[">=", ">", "<=", "<"]
COMPARE: dict[Comparison, Callable[[float | Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
BY_CLASS = {measure.name: measure for measure in PER_CLASS}
OVERALL: dict[str, Measure] = {
    **{measure.name: measure for measure in measures.OVERALL if measure.is_share},
    **{f"macro_{measure.name}": averaged(measure, "macro") for measure in PER_CLASS},
}
PATTERN = re.compile(r"\s*([^:<>=]+?)\s*(?::(.*?))?\s*(>=|<=|>|<)\s*([^<>=]*?)\s*", re.DOTALL)
EXAMPLE = "Examples: 'accuracy>=0.9', 'recall:cat>0.8', 'error<5%', 'macro-f1>=0.7'."


@dataclass(frozen=True)
class Claim:
    """A claim about a classifier; `class_name` as typed until it is looked up in a tally.

    >>> str(Claim.parse("recall:cat >= 80%"))
    'recall of cat >= 0.8'
    """

    measure: str
    comparison: Comparison
    threshold: Fraction
    class_name: ClassName = None

    @classmethod
    def parse(cls, text: str) -> "Claim":
        """Read a claim; the last comparison sign counts, so that a class name may hold one.

        >>> Claim.parse("accuracy>=0.9").threshold
        Fraction(9, 10)
        >>> Claim.parse("accuracy=0.9")
        Traceback (most recent call last):
        justesse.core.errors.OptionError: …
        """
        match = PATTERN.fullmatch(text)
        if not match:
            raise OptionError(f"A claim compares a measure with a number; got {text!r}. {EXAMPLE}")
        name, class_name, comparison, number = match.groups()
        name = name.lower().replace("-", "_")
        if name not in BY_CLASS and name not in OVERALL:
            known = ", ".join([*OVERALL, *(f"{measure}:CLASS" for measure in BY_CLASS)]).replace("_", "-")
            raise OptionError(f"Claims about {name!r} are not supported. Use one of {known}.")
        if (name in BY_CLASS) != bool(class_name):
            needed = f"{name}:CLASS" if name in BY_CLASS else f"{name} without a class"
            raise OptionError(f"This claim needs {needed}; got {text!r}. {EXAMPLE}")
        try:
            threshold = Fraction(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
        except (ValueError, ZeroDivisionError):
            raise OptionError(f"{number!r} is not a number. {EXAMPLE}") from None
        if not 0 <= threshold <= 1:
            raise OptionError(f"The number of a claim must lie between 0 and 1, or 0 % and 100 %; got {number!r}.")
        return cls(name, cast(Comparison, comparison), threshold, class_name)

    @classmethod
    def beats_majority(cls, tally: Tally) -> "Claim":
        """Claim that accuracy is above the share of the most frequent label, that share held fixed.

        >>> str(Claim.beats_majority(Tally.from_dense([[45, 5], [10, 40]])))
        'accuracy > 0.5'
        """
        if not tally.n:
            raise OptionError("There are no rows, so there is no most frequent label.")
        return cls("accuracy", ">", Fraction(int(tally.sums("label").max()), tally.n))

    def holds(self, value: float | Fraction) -> bool:
        """Return whether a value satisfies the claim.

        >>> Claim.parse("error<0.1").holds(0.1)
        False
        """
        if isinstance(value, float) and abs(value - self.threshold) < 1e-12:
            value = self.threshold
        return COMPARE[self.comparison](value, self.threshold)

    @property
    def wants_much(self) -> bool:
        """Whether the claim is that the measure is large."""
        return self.comparison in (">=", ">")

    def position(self, tally: Tally) -> int:
        """Find the claim's class in a tally."""
        for at, name in enumerate(tally.classes):
            if name == self.class_name or spelt_alike(name, self.class_name):
                return at
        listed = ", ".join(map(repr, tally.classes[:20]))
        raise ClassError(
            f"Class {self.class_name!r} not found. Classes: {listed}. Name a class of the labels or predictions."
        )

    def __str__(self) -> str:
        whose = "" if self.class_name is None else f" of {self.class_name}"
        exact, digits = f"{float(self.threshold):.12g}", f"{float(self.threshold):.6g}"
        if Fraction(exact) == self.threshold:
            digits = exact  # typed: it keeps its digits
        elif 0.001 <= self.threshold <= 0.999:
            digits = f"{float(self.threshold):.4f}"  # a computed share
        return f"{self.measure}{whose} {self.comparison} {digits}"
