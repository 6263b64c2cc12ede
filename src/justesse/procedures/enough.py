"""Condition (ii): the test set is large enough for the questions asked."""

import math
from typing import Any

from justesse.core.results import ClassName, check_level
from justesse.core.tally import Tally
from justesse.intervals.planning.difference import check_difference, difference_n, mcnemar_power
from justesse.intervals.planning.precision import check_half_width, check_share, half_width_at, precision_n
from justesse.procedures.conditions import Check


def check_precision(
    n: int, *, half_width: float, expected: float = 0.5, level: float = 0.95, groups: float | None = None
) -> Check:
    """Check that the confidence interval of the accuracy is narrow enough (Wilson, at the expected accuracy).

    `groups` is the effective number of groups (Kish): if all rows of a group are right or wrong together, only so many
    rows count.

    >>> check_precision(1000, half_width=0.05).sentence
    'With 1,000 rows the 95 % CI of an accuracy near 0.5 is ±0.0309.'
    """
    check_half_width(half_width)
    check_share("the expected accuracy", expected)
    reached = half_width_at(expected, n, level=check_level(level))
    figures = {"n": n, "half_width": reached, "wanted": half_width, "expected": expected}
    sentence = f"With {n:,} rows the {100 * level:g} % CI of an accuracy near {expected:g} is ±{reached:.4f}."
    if groups is not None:
        figures |= {"groups": groups, "half_width_of_groups": half_width_at(expected, groups, level=level)}
        sentence += (
            f" If rows of a group are right or wrong together, they count as {groups:,.0f} rows: "
            f"±{figures['half_width_of_groups']:.4f}."
        )
    if reached <= half_width:
        return Check("JU101", "passed", sentence, figures=figures)
    needed = precision_n(half_width, expected=expected, level=level)
    figures["needed"] = needed
    return Check(
        "JU101",
        "failed",
        f"{sentence} Required: ±{half_width:g}.",
        f"Label {needed - n:,} more rows, drawn at random ({needed:,} in all), or accept less precision (--half-width).",
        figures=figures,
    )


def check_smallest_class(labels: Tally, *, half_width: float, expected: float = 0.5, level: float = 0.95) -> Check:
    """Check that the confidence interval of the smallest class's recall is narrow enough.

    >>> check_smallest_class(Tally.of(["label"], [("cat", 950), ("lynx", 50)]), half_width=0.1).sentence
    "The smallest class, 'lynx', has 50 rows: the 95 % CI of its recall is ±0.1336. Required: ±0.1."
    """
    check_half_width(half_width)
    counts = labels.sums("label")
    at = int(counts.argmin())
    name, n = labels.classes[at], int(counts[at])
    reached = half_width_at(expected, n, level=level) if n else math.nan
    figures: dict[str, Any] = {
        "class": name,
        "n": n,
        "half_width": reached if n else None,
        "wanted": half_width,
        "expected": expected,
    }
    known = f"the {100 * level:g} % CI of its recall is ±{reached:.4f}" if n else "its recall cannot be estimated"
    sentence = f"The smallest class, {name!r}, has {n:,} row{'' if n == 1 else 's'}: {known}."
    if reached <= half_width:
        return Check("JU102", "passed", sentence, figures=figures)
    needed = precision_n(half_width, expected=expected, level=level)
    figures |= {"needed": needed, "too_small": _too_small(labels, needed)}
    return Check(
        "JU102",
        "failed",
        f"{sentence} Required: ±{half_width:g}.",
        f"Label more rows of this class ({needed:,} are needed), with weights if it is then over-represented; or do not "
        "report this class on its own.",
        figures=figures,
    )


def _too_small(labels: Tally, needed: int) -> list[list[ClassName | int]]:
    sizes = zip(labels.classes, labels.sums("label").tolist(), strict=True)
    return [[name, int(size)] for name, size in sizes if size < needed]


def detectable_difference(n: int, *, disagreement: float, power: float = 0.8, level: float = 0.95) -> float:
    """Return the smallest accuracy difference that McNemar's mid-p test detects on n rows with this power.

        the smallest d with P(test finds the better one | d, disagreement, n) ≥ power

    `disagreement` is how often exactly one of the two classifiers is right; no difference is larger. NaN if not
    even that one is detected. Miettinen (1968), exact here.

    >>> round(detectable_difference(862, disagreement=0.1), 3)
    0.03
    """
    check_difference(disagreement, disagreement)
    low, high = 0.0, disagreement

    def detected(difference: float) -> bool:
        return mcnemar_power(n, difference=difference, disagreement=disagreement, level=level) >= power

    if not detected(high):
        return math.nan
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (low, middle) if detected(middle) else (middle, high)
    return high


def check_difference_seen(
    n: int, *, difference: float, disagreement: float = 0.1, power: float = 0.8, level: float = 0.95
) -> Check:
    """Check that a difference that matters between two classifiers can be detected.

    >>> check_difference_seen(1000, difference=0.05).state
    'passed'
    """
    smallest = detectable_difference(n, disagreement=disagreement, power=power, level=level)
    needed = difference_n(difference, disagreement=disagreement, power=power, level=level)
    figures = {
        "n": n,
        "difference": None if math.isnan(smallest) else smallest,
        "wanted": difference,
        "disagreement": disagreement,
        "power": power,
        "needed": needed,
    }
    condition = f"if exactly one of the two is right on {100 * disagreement:g} % of rows"
    seen = (
        f"No difference between two classifiers can be detected with probability {power:g}"
        if math.isnan(smallest)
        else f"The smallest accuracy difference between two classifiers that is detected with probability {power:g} is "
        f"{smallest:.4f}"
    )
    if smallest <= difference:
        return Check("JU103", "passed", f"{seen}, {condition}.", figures=figures)
    return Check(
        "JU103",
        "failed",
        f"{seen}, {condition}. Required: {difference:g}.",
        f"Label {needed - n:,} more rows ({needed:,} in all), or accept that only larger differences are detected (--difference).",
        figures=figures,
    )
