"""The sections of an evaluation's page, each made of plain results."""

import math
from collections.abc import Sequence

from justesse.core.results import Estimate
from justesse.report.old_document import Section, Table, Words


def number(value: float, digits: int = 4) -> str:
    """Show a number, or that it is undefined."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def ends(one: Estimate) -> str:
    """Show an interval, or why there is none."""
    if one.interval is None:
        return one.undefined or "–"
    shown = (f"{end:.4f}" if math.isfinite(end) else "…" for end in (one.interval.low, one.interval.high))
    return " to ".join(shown)


def measured(facts: Sequence[tuple[str, str]], title: str = "What was measured") -> Section:
    """Say what was measured: the file, its fingerprint, n, classes, settings."""
    return Section(
        "measured",
        title,
        [Table("The data and the settings", ["what", "value"], list(facts), words=True)],
    )


def careful(warnings: Sequence[str]) -> Section:
    """List the warnings, or say that there are none."""
    words = Words(list(warnings), listed=True) if warnings else Words(["Nothing stood out."])
    return Section("careful", "What to be careful about", [words])


MEASURES = (
    "Proportions (accuracy, precision, recall, …) have intervals of their own n; macro averages, MCC and kappa are "
    "resampled from the counts or, where the table says delta, linearised. Undefined values are left out of averages."
)


def method(assumptions: Sequence[str], level: float, command: str, how: Sequence[str] = (MEASURES,)) -> Section:
    """Say how it was done, what it rests on, and how to do it again."""
    lines = [
        f"Every interval is made by a procedure that covers the true value in {100 * level:.4g} % of repetitions. It is not "
        "a statement about this one interval.",
        *how,
        f"All of it assumes that {'; '.join(assumptions)}.",
        f"To make this page again: {command}",
    ]
    return Section("method", "How it was done, and what it rests on", [Words(lines)])
