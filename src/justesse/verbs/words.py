"""Numbers in words that cannot be misread."""

import math

from justesse.core.results import Estimate
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence


def number_words(found: Estimate) -> str:
    """Show a value, or say that it is undefined.

    >>> number_words(Estimate("f1", 0.51234, 100))
    '0.5123'
    """
    return "undefined" if math.isnan(found.value) else f"{found.value:.4f}"


def interval_words(found: Estimate) -> str:
    """Show an interval, or why there is none.

    >>> interval_words(Estimate("precision", float("nan"), 0, undefined="it is never predicted"))
    'it is never predicted'
    """
    if found.interval is None:
        return found.undefined or ""
    low, high = (f"{end:.4f}" if math.isfinite(end) else "…" for end in (found.interval.low, found.interval.high))
    return f"{low} to {high}"


def percent(share: float, n: float) -> str:
    """Show a share with the digits n rows can carry.

    >>> percent(0.93333, 30), percent(0.93333, 5000)
    ('93 %', '93.3 %')
    """
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"


def headline(tally: Tally, accuracy: Estimate, confidence: Confidence) -> str:
    """Say what was found, what the interval is, and what it is not.

    >>> from justesse.intervals.estimate import estimate
    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
    >>> print(headline(table, estimate(table, [accuracy])[0], Confidence()))
    The prediction is the label in 94.5 % of 4,000 rows (2 classes). 95 % interval: 93.7 % to 95.2 %, by a procedure
    that covers the true accuracy in 95 % of repetitions, if the labels are right.
    """
    n, interval = tally.n, accuracy.interval
    plural = "" if len(tally.classes) == 1 else "es"
    weighed = f", weighted to an effective {tally.effective_n:,.0f}" if tally.weighted else ""
    what = f"The prediction is the label in {percent(accuracy.value, n)} of {n:,} row{'' if n == 1 else 's'}"
    first = f"{what}{weighed} ({len(tally.classes)} class{plural})."
    if interval is None:
        return first
    level = f"{100 * confidence.level:g} %"
    ends = {
        "two-sided": f"{level} interval: {percent(interval.low, n)} to {percent(interval.high, n)}",
        "greater": f"{level} lower bound: {percent(interval.low, n)}",
        "less": f"{level} upper bound: {percent(interval.high, n)}",
    }[confidence.alternative]
    return f"{first} {ends}, by a procedure\nthat covers the true accuracy in {level} of repetitions, if the labels are right."
