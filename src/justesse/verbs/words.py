"""Numbers in words that cannot be misread."""

import math
from collections.abc import Sequence

from justesse.core.printable import printable
from justesse.core.results import Alternative, Estimate
from justesse.intervals.estimate import Confidence


def number_words(found: Estimate) -> str:
    """Show a value, or say that it is undefined.

    >>> number_words(Estimate("f1", 0.51234, 100))
    '0.5123'
    """
    return "undefined" if math.isnan(found.value) else f"{found.value:.4f}"


def interval_words(found: Estimate, alternative: Alternative = "two-sided") -> str:
    """Show an interval, one bound of it, or why there is none.

    >>> interval_words(Estimate("precision", float("nan"), 0, undefined="it is never predicted"))
    'it is never predicted'
    """
    if found.interval is None:
        return found.undefined or ""
    return {
        "two-sided": f"{found.interval.low:.4f} to {found.interval.high:.4f}",
        "greater": f"≥ {found.interval.low:.4f}",
        "less": f"≤ {found.interval.high:.4f}",
    }[alternative]


def level_words(confidence: Confidence) -> str:
    """Name the interval.

    >>> level_words(Confidence(level=0.9, alternative="greater"))
    '90 % lower bound'
    """
    kind = {"two-sided": "interval", "greater": "lower bound", "less": "upper bound"}[confidence.alternative]
    return f"{100 * confidence.level:g} % {kind}"


def percent(share: float, n: float) -> str:
    """Show a share with the digits n rows can carry.

    >>> percent(0.93333, 30), percent(0.93333, 5000)
    ('93 %', '93.3 %')
    """
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay rows of words out as lines, the first column to the left and the others to the right.

    >>> in_columns([("name", "n"), ("a", "10")])
    ['name   n', 'a     10']
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(wide[0]), *(cell.rjust(w) for cell, w in zip(row[1:], wide[1:], strict=True))])
        for row in rows
    ]
