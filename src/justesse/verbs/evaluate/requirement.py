"""What an evaluation must show: a measure whose confidence bound, not just its value, is good enough."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from justesse.core.errors import OptionError
from justesse.core.levels import identity, spelt_alike
from justesse.core.results import Alternative, Estimate, finite_or_none
from justesse.core.shares import share
from justesse.intervals.estimate import Confidence
from justesse.noise.claim import COMPARE, PATTERN, Comparison
from justesse.report.writing import message

EXAMPLE = "Examples: 'accuracy>=0.9', 'recall:spam>=80%', 'error<=5%', 'macro-f1>=0.7'."
Which = Literal["true", "re-checked", "labels", "answers"]
AGAINST = {
    "true": "Required {measure} against the true classes {comparison} {threshold:number}",
    "re-checked": "Required {measure} by the re-checked rows {comparison} {threshold:number}",
    "labels": "Required {measure} {comparison} {threshold:number}",
    "answers": "Required {measure} by the annotators' answers {comparison} {threshold:number}",
}


@dataclass(frozen=True)
class Requirement:
    """A requirement, the estimate it is about, and whether its bound meets it; `which` is what it is measured against."""

    text: str
    comparison: Comparison
    threshold: float
    estimate: Estimate
    which: Which

    @property
    def wants_much(self) -> bool:
        return self.comparison in (">=", ">")

    @property
    def bound(self) -> float | None:
        """The end of the interval that has to meet it: the lower one of what must be large, else the upper one."""
        interval = self.estimate.interval
        if interval is None:
            return None
        return interval.low if self.wants_much else interval.high

    @property
    def met(self) -> bool:
        return self.bound is not None and COMPARE[self.comparison](self.bound, self.threshold)  # type: ignore[arg-type]

    @property
    def words(self) -> str:
        """Say whether it is met, and by what."""
        interval = self.estimate.interval
        asked = message(
            AGAINST[self.which], measure=self.estimate.title, comparison=self.comparison, threshold=self.threshold
        )
        if self.bound is None or interval is None:
            undefined = self.estimate.undefined or "undefined"
            template = "{asked}: not met, as it has no interval ({reason})."
            return str(message(template, asked=asked, reason=undefined))
        template = "{asked}: not met (value {value:value}, {side} end of the {level:percent} CI {bound:value})."
        if self.met:
            template = "{asked}: met (value {value:value}, {side} end of the {level:percent} CI {bound:value})."
        side = "lower" if self.wants_much else "upper"
        parts = {"value": self.estimate, "side": side, "level": interval.level, "bound": self.bound}
        return str(message(template, asked=asked, **parts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "requirement": self.text,
            "met": self.met,
            "which": self.which,
            "bound": None if self.bound is None else finite_or_none(self.bound),
            "threshold": self.threshold,
            "measure": self.estimate.to_dict(),
        }


def requirement(
    text: str,
    estimates: Sequence[Estimate],
    alternative: Alternative,
    better: Sequence[Estimate] = (),
    which: Which = "true",
) -> Requirement:
    """Read a requirement and find the estimate it is about: a better one than by the labels where there is one.

    `better` are the estimates against the true classes or, if `which` is "re-checked", those from re-checked rows.

    The lower end of the interval must reach what is to be large, the upper end what is to be small. Several requirements
    need no correction: all must be met, so each has to hold at its own level.

    >>> from justesse.core.results import Interval
    >>> accuracy = Estimate("accuracy", 0.93, 500, Interval(0.904, 0.949, 0.95, "wilson"))
    >>> requirement("accuracy>=90%", [accuracy], "two-sided").met, requirement("accuracy>0.91", [accuracy], "two-sided").met
    (True, False)
    """
    parts = PATTERN.fullmatch(text)
    if not parts:
        raise OptionError(f"A requirement compares a measure with a number; got {text!r}. {EXAMPLE}")
    name, class_name, comparison, number = parts.groups()
    threshold = share(number, f"the number of {text!r}")
    if threshold != threshold:
        raise OptionError(f"A requirement compares a measure with a number; got {text!r}. {EXAMPLE}")
    if alternative == ("less" if comparison in (">=", ">") else "greater"):
        side = "lower" if alternative == "less" else "upper"
        raise OptionError(
            f"{text!r} needs {'a lower' if side == 'lower' else 'an upper'} bound, and alternative {alternative!r} gives only the other one. Leave out alternative."
        )
    known = {_key(item) for item in better}
    rest = [estimate for estimate in estimates if _key(estimate) not in known]
    estimate = _estimate(name, class_name, [*better, *rest], text)
    low, high = _reach(estimate)
    if not (math.isfinite(threshold) and low <= threshold <= high):
        raise OptionError(
            f"{text!r} is out of range: {estimate.title} lies between {low:g} and {high:g}. Write 95% or 0.95 for 95 percent."
        )
    about: Which = which if _key(estimate) in known else "labels"
    return Requirement(text, cast(Comparison, comparison), threshold, estimate, about)


def all_requirements(
    asked: str | Sequence[str] | None,
    estimates: Sequence[Estimate],
    truth: Sequence[Estimate],
    rechecked: Sequence[Estimate],
    confidence: Confidence,
) -> tuple[Requirement, ...]:
    """Read what is required: by the true classes where they are known, else by re-checked rows, else by the labels."""
    texts = (asked,) if isinstance(asked, str) else tuple(asked or ())
    better, which = (truth, "true") if truth else (rechecked, "re-checked")
    return tuple(requirement(text, estimates, confidence.alternative, better, cast(Which, which)) for text in texts)


def _key(estimate: Estimate) -> tuple[str, str | None, object]:
    return _plain(estimate.name), estimate.average, identity(estimate.class_name)


def _reach(estimate: Estimate) -> tuple[float, float]:
    """Give the least and the most a measure can be."""
    return estimate.interval.bounds if estimate.interval else (-math.inf, math.inf)


def _estimate(name: str, class_name: str | None, estimates: Sequence[Estimate], text: str) -> Estimate:
    spelled = _plain(name)
    named = [
        estimate
        for estimate in estimates
        if spelled in (_plain(estimate.name), _plain(f"{estimate.average} {estimate.name}"))
    ]
    if class_name:
        for item in named:
            if item.class_name is not None and (
                item.class_name == class_name or spelt_alike(item.class_name, class_name)
            ):
                return item
        if any(entry.class_name is not None for entry in named):
            classes = list(dict.fromkeys(entry.class_name for entry in named if entry.class_name is not None))
            listed = ", ".join(map(repr, classes[:20]))
            raise OptionError(f"Class {class_name!r} of {text!r} not found. Classes: {listed}. Name one of these.")
    else:
        for item in named:
            if item.class_name is None and (item.average is None or _plain(f"{item.average} {item.name}") == spelled):
                return item
        if len(named) == 1:  # the area of the one class that scores are about
            return named[0]
        if named:
            raise OptionError(
                f"{name!r} needs a class or an average; got {text!r}. Write {name}:CLASS or macro-{name}."
            )
    known = dict.fromkeys(
        f"{estimate.average}-{estimate.name}"
        if estimate.average
        else f"{estimate.name}:CLASS"
        if estimate.class_name is not None
        else estimate.name
        for estimate in estimates
    )
    raise OptionError(
        f"The measure of {text!r} is not part of this evaluation. Measures: {', '.join(known).replace('_', '-')}."
    )


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
