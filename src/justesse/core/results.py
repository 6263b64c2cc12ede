"""What a computation hands back: a value, its interval, and what both rest on."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from justesse.core.choices import Alternative as Alternative
from justesse.core.errors import OptionError

Average = Literal["micro", "macro", "weighted"]
ClassName = bool | int | float | str | None


class DescribedMeasure(Protocol):
    """What an estimate takes from its measure."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def is_share(self) -> bool: ...

    @property
    def average(self) -> Average | None: ...

    @property
    def beta(self) -> float | None: ...


def check_level(level: float) -> float:
    """Return the confidence level if it is one.

    >>> check_level(95)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: the level must lie between 0 and 1, such as 0.95; got 95
    """
    if not 0 < level < 1:
        raise OptionError(f"The level must lie between 0 and 1, such as 0.95; got {level!r}.")
    return level


def tail_levels(level: float, alternative: Alternative) -> tuple[float, float]:
    """Give the probability left out below and above: half each, or all on one side for a one-sided bound.

    `"greater"` gives a lower bound ("the value is greater than ..."), `"less"` an upper one. A one-sided bound at level
    L is an end of the two-sided interval at level 2L - 1, so L must lie above 0.5.

    >>> [round(tail, 3) for tail in tail_levels(0.95, "two-sided")]
    [0.025, 0.025]
    >>> [round(tail, 3) for tail in tail_levels(0.95, "greater")]
    [0.05, 0.0]
    """
    risk = 1 - check_level(level)
    if risk >= 0.5 and alternative in ("greater", "less"):
        raise OptionError(f"The level of a one-sided bound or verdict must lie between 0.5 and 1; got {level!r}.")
    if alternative == "two-sided":
        return risk / 2, risk / 2
    if alternative == "greater":
        return risk, 0.0
    if alternative == "less":
        return 0.0, risk
    raise OptionError(f"The alternative must be 'two-sided', 'greater' or 'less'; got {alternative!r}.")


def level_name(level: float, alternative: Alternative = "two-sided") -> str:
    """Name an interval by its level and sides, for headings and sentences.

    >>> level_name(0.95), level_name(0.975, "greater"), level_name(0.9, "less")
    ('95 % CI', '97.5 % lower bound', '90 % upper bound')
    """
    kind = {"two-sided": "CI", "greater": "lower bound", "less": "upper bound"}[alternative]
    return f"{level_percent(level)} {kind}"


def level_percent(level: float) -> str:
    """Write a level in per cent, with four digits, or more if it would read 100 %.

    >>> level_percent(0.95), level_percent(0.983333), level_percent(0.99999)
    ('95 %', '98.33 %', '99.999 %')
    """
    digits = 4
    while level < 1 and digits < 16 and float(f"{100 * level:.{digits}g}") == 100:
        digits += 1
    return f"{100 * level:.{digits}g} %"


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """A confidence interval: a procedure that covers the true value in `level` of repetitions.

    `low` and `high` never leave the measure's range; the ends as computed stay in `unclipped_low` and
    `unclipped_high`, because a comparison of shifted intervals needs them.

    >>> Interval(0.92, 1.03, level=0.95, method="wald", bounds=(0, 1)).high
    1.0
    >>> Interval(0.92, 1.03, level=0.95, method="wald", bounds=(0, 1))
    Interval(95 % CI 0.9200 to 1.0000, wald)
    """

    unclipped_low: float
    unclipped_high: float
    level: float
    method: str
    bounds: tuple[float, float] = (-math.inf, math.inf)
    alternative: Alternative = "two-sided"

    @property
    def low(self) -> float:
        return float(min(max(self.unclipped_low, self.bounds[0]), self.bounds[1]))

    @property
    def high(self) -> float:
        return float(max(min(self.unclipped_high, self.bounds[1]), self.bounds[0]))

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        return {
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "level": self.level,
            "method": self.method,
        }

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"

    def __repr__(self) -> str:
        return f"Interval({self.words('.4f')}, {self.method})"

    @property
    def name(self) -> str:
        """Level and sides in words: `95 % CI`, `95 % lower bound`."""
        return level_name(self.level, self.alternative)

    def words(self, digits: str, *, times: float = 1.0, unit: str = "") -> str:
        """Write the name and the ends that exist, each multiplied by `times` and in the format `digits`.

        >>> Interval(0.01, 1.0, 0.95, "tango", (-1, 1), "greater").words("+.2f")
        '95 % lower bound +0.01'
        """
        ends = {"greater": (self.low,), "less": (self.high,)}.get(self.alternative, (self.low, self.high))
        return f"{self.name} {' to '.join(f'{times * end:{digits}}' for end in ends)}{unit}"


@dataclass(frozen=True, slots=True, repr=False)
class Estimate:
    """One number with its n, its interval, or the reason why there is none.

    `undefined` says why the value is missing or, beside a value, why its interval is. `words` is the name in words and
    `is_share` whether the number is read in percent: `Estimate.of` takes both from the measure.

    >>> Estimate("accuracy", 0.947, 228, Interval(0.91, 0.97, 0.95, "wilson", (0, 1)), is_share=True)
    Estimate(accuracy 94.7 %, 95 % CI 91.0 to 97.0 %, n = 228)
    >>> Estimate("recall", math.nan, 0, undefined="no row has this label", class_name="cat")
    Estimate(recall of 'cat' undefined: no row has this label)
    """

    name: str
    value: float
    n: float
    interval: Interval | None = None
    undefined: str | None = None
    class_name: ClassName = None
    average: Average | None = None
    beta: float | None = None
    words: str = field(default="", kw_only=True, compare=False)
    is_share: bool = field(default=False, kw_only=True, compare=False)

    def __post_init__(self) -> None:
        """Keep a whole number of rows as one: 899, not 899.0."""
        if not isinstance(self.n, int) and float(self.n).is_integer():
            object.__setattr__(self, "n", int(self.n))

    @classmethod
    def of(
        cls,
        measure: DescribedMeasure,
        value: float,
        n: float,
        interval: Interval | None = None,
        undefined: str | None = None,
        class_name: ClassName = None,
        average: Average | None = None,
    ) -> "Estimate":
        """Make the estimate of a measure, which names itself.

        Parameters
        ----------
        measure
            The measure; its name, its name in words, its unit, average and beta are taken over.
        value
            The number; NaN if it is undefined.
        n
            Number of rows, or effective number of rows.
        interval
            Confidence interval, if there is one.
        undefined
            Why the value, or only its interval, is missing.
        class_name
            The class, if the measure is of one class.
        average
            How values of classes were averaged. Default: as the measure says.
        """
        words = f"{average} {measure.title}" if average else measure.title
        return cls(
            measure.name,
            value,
            n,
            interval,
            undefined,
            class_name,
            average or measure.average,
            measure.beta,
            words=words,
            is_share=measure.is_share,
        )

    @property
    def title(self) -> str:
        """Name of the number: `precision of 'cat'`, `macro F1`.

        >>> Estimate("f1", 0.9, 100, average="macro", words="macro F1").title
        'macro F1'
        >>> Estimate("noise_rate", 0.9, 100, class_name="cat").title
        "noise rate of 'cat'"
        """
        name = self.words
        if not name:
            plain = self.name.replace("_", " ") if self.name.islower() else self.name  # F_c is a symbol
            name = f"{self.average} {plain}" if self.average else plain
        return name if self.class_name is None else f"{name} of {self.class_name!r}"

    def __repr__(self) -> str:
        title = self.title
        if math.isnan(self.value):
            return f"Estimate({title} undefined{f': {self.undefined}' if self.undefined else ''})"
        times, digits, unit = (100, ".1f", " %") if self.is_share else (1, ".4g" if abs(self.value) >= 1 else ".4f", "")
        ends = f", {self.interval.words(digits, times=times, unit=unit)}" if self.interval else ""
        return f"Estimate({title} {times * self.value:{digits}}{unit}{ends}, n = {self.n:,.10g})"

    def to_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "name": self.name,
            "class": self.class_name,
            "average": self.average,
            "value": finite_or_none(self.value),
            "n": self.n,
            "interval": self.interval.to_dict() if self.interval else None,
            "undefined": self.undefined,
        }
        return result if self.beta is None else {**result, "beta": self.beta}


@dataclass(frozen=True)
class TestResult:
    """What a test found: its statistic, its p-value, what it is about, and what it rests on.

    `n` is how many rows, folds or data sets it used. A p-value is the chance of a result at least as far from "no
    difference" if there is none; NaN, with the reason in `undefined`, where it cannot be known. `alternative="greater"`
    looks for a better candidate only.
    """

    __test__ = False  # not a test class, whatever pytest takes its name for

    test: str
    statistic: float
    pvalue: float
    n: float
    alternative: Alternative
    assumptions: tuple[str, ...]
    difference: Estimate | None = None
    df: tuple[float, ...] = ()
    undefined: str | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "statistic": finite_or_none(self.statistic),
            "degrees": list(self.df),
            "pvalue": finite_or_none(self.pvalue),
            "n": int(self.n) if float(self.n).is_integer() else self.n,
            "alternative": self.alternative,
            "difference": self.difference.to_dict() if self.difference else None,
            "undefined": self.undefined,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }


def finite_or_none(value: float) -> float | None:
    """Turn what JSON cannot hold (NaN, infinities) into `None`."""
    return float(value) if math.isfinite(value) else None
