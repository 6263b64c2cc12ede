"""What `noise resist` shows about cleaning the training labels: differences to no cleaning, and the filters."""

from collections.abc import Callable, Sequence
from typing import Any

from justesse.core.results import Estimate, finite_or_none
from justesse.procedures.cleaned_training import CleanedLearner
from justesse.procedures.training_arms import ARMS
from justesse.report.document import Column, Figure, Part, Section, Table, Text
from justesse.report.writing import Message, message

MOST = 24


def cleaned_keys(rows: Sequence[CleanedLearner]) -> list[dict[str, Any]]:
    """Write each row for JSON."""
    return [
        {
            "learner": row.learner,
            "rate": row.rate,
            "filter": row.filter,
            "arm": row.arm,
            "error": finite_or_none(row.error.value),
            "interval": row.error.to_dict()["interval"],
            "difference": finite_or_none(row.difference.value),
            "difference_interval": row.difference.to_dict()["interval"],
            "n": row.difference.n,
            "undefined": row.difference.undefined,
            "flagged": row.flagged,
            "detected": finite_or_none(row.detected),
            "false_detected": finite_or_none(row.false_detected),
        }
        for row in rows
    ]


def cleaned_sentence(rows: Sequence[CleanedLearner], *, splits: int) -> Message:
    """Count the rows at the highest rate whose interval lies above 0, or below; with one split, for its test rows."""
    own = [row.difference.interval for row in rows if row.rate == max(row.rate for row in rows)]
    known = [interval for interval in own if interval is not None]
    return message(
        "Cleaning the training labels at {rate:share}: clearly better in {better:count} of {n:count} cases, clearly worse in "
        "{worse:count} (not corrected for several cases{one}).",
        one="; on the test rows of one split, another training set can differ" if splits == 1 else "",
        rate=max(row.rate for row in rows),
        better=sum(interval.low > 0 for interval in known),
        worse=sum(interval.high < 0 for interval in known),
        n=len(own),
    )


def cleaned_sections(rows: Sequence[CleanedLearner], level: str, draw: Callable[[], Any]) -> list[Section]:
    """Lay out the differences, and how much of the labels each filter flags."""
    head: list[str | Column] = [
        "learner", Column("noise rate", "share"), "filter", "arm", Column("error", "value", 1),
        Column("difference", "points"), Column(level, "points_interval"),
    ]  # fmt: skip
    dashes = dict.fromkeys(row.difference.undefined for row in rows if row.difference.undefined)
    why: Text = message(" No value: {reasons}.", reasons="; or ".join(dashes)) if dashes else ""
    arms = "; ".join(f"{arm}: {words}" for arm, words in ARMS.items() if any(row.arm == arm for row in rows))
    note = message(
        "Difference: accuracy after cleaning less accuracy without, on the same test rows. {arms}.{why}",
        arms=arms,
        why=why,
    )
    lines = [
        [row.learner, row.rate, row.filter, row.arm, _plain(row.error), _plain(row.difference), _ends(row.difference)]
        for row in rows
    ]
    parts: list[Part] = [Table("Training on cleaned labels", head, lines, note, most=MOST)]
    if any(finite_or_none(row.difference.value) is not None for row in rows):
        parts.insert(0, Figure(draw))
    return [
        Section("cleaned", "What cleaning the training labels is worth", parts, "headline"),
        Section("filters", "What the filters flag", [_filters(rows)], "summary"),
    ]


def _plain(estimate: Estimate) -> Estimate | None:
    return estimate if finite_or_none(estimate.value) is not None else None


def _ends(estimate: Estimate) -> Estimate | None:
    return estimate if estimate.interval is not None else None


def _filters(rows: Sequence[CleanedLearner]) -> Table:
    own = dict.fromkeys((row.rate, row.filter, row.flagged, row.detected, row.false_detected) for row in rows)
    head: list[str | Column] = [
        "filter", Column("noise rate", "share"), Column("flagged", "share"), Column("wrong labels found", "share"),
        Column("right labels flagged", "share"),
    ]  # fmt: skip
    lines = [[name, rate, flagged, finite_or_none(s), e] for rate, name, flagged, s, e in own]
    note = "Means over the training parts of the splits. Found: share of the wrong labels that the filter flags."
    return Table("Filters on the training rows", head, lines, note)
