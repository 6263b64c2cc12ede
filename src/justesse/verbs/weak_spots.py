"""Where a good figure hides a bad one: little better than the majority answer, a class rarely found, a slice apart."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.measures import accuracy
from justesse.report.writing import Message, listed, message
from justesse.significance.low_recalls import low_recalls
from justesse.significance.majority_gap import MajorityGap, accepted_gap, majority_gap
from justesse.significance.two_shares import share_gaps

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Slice

SHOWN = 5
NO_BETTER = {
    "worse": "The accuracy ({accuracy:value}) is lower than always predicting {name:name} ({majority:value}): look at "
    "balanced accuracy and at each class.",
    "equal": "The accuracy ({accuracy:value}) is no better than always predicting {name:name} ({majority:value}): look "
    "at balanced accuracy and at each class.",
}
ROW_BY_ROW = {
    **NO_BETTER,
    "unclear": "The accuracy ({accuracy:value}) is not clearly better than always predicting {name:name} "
    "({majority:value}): chance alone could explain the difference.",
    "barely": "The accuracy ({accuracy:value}) is barely better than always predicting {name:name} ({majority:value}): "
    "it saves only {saved:rough_share} of its errors. Look at balanced accuracy and at each class.",
}
BY_INTERVAL = {
    **NO_BETTER,
    "unclear": "The accuracy is not clearly better than always predicting {name:name} ({majority:value}): its CI "
    "reaches down to {low:value}.",
}


def against_majority(tally: Tally, level: float) -> Iterator[str]:
    """Warn if predictions are not clearly, or hardly, better than always predicting the most frequent label."""
    yield from _gap_words(majority_gap(tally, level=level), ROW_BY_ROW)


def against_accepted(tally: Tally, accepted: Mapping[ClassName, float], level: float) -> Iterator[str]:
    """Do the same where rows accept several classes; `accepted` counts the rows that accept each class.

    >>> rows = Tally.of(("label", "prediction"), [("a", "a", 60), ("b", "a", 40)])
    >>> next(against_accepted(rows, {"a": 60, "b": 70}, 0.95))[:70]
    "The accuracy (0.6000) is lower than always predicting 'b' (0.7000): lo"
    """
    yield from interval_gap_words(accepted_gap(tally, accepted, level=level))


def interval_gap_words(gap: MajorityGap) -> Iterator[str]:
    """Warn if the interval of the accuracy does not lie above the majority answer."""
    yield from _gap_words(gap, BY_INTERVAL)


def _gap_words(gap: MajorityGap, templates: Mapping[str, str]) -> Iterator[str]:
    if gap.better in templates:
        saved = gap.saved if gap.better == "barely" else None
        parts = {"accuracy": gap.accuracy, "majority": gap.majority, "low": gap.low, "saved": saved}
        yield str(message(templates[gap.better], name=gap.class_name, **parts))


def poor_recalls(tally: Tally, level: float) -> Iterator[str]:
    """Name the classes that are rarely found although most rows are right, corrected for how many classes there are."""
    low = low_recalls(tally, level=level)
    if low:
        classes = [
            message("{name:name}: {recall:sized_share} (n = {n:count})", name=item.class_name, recall=(item.recall, item.n),
                    n=item.n)
            for item in low[:SHOWN]
        ]  # fmt: skip
        yield str(
            message(
                "Accuracy is {accuracy:sized_share}, but recall is poor for {n:plural class|classes} {classes}{more}: most rows of "
                "{n:plural this class|these classes} are missed.",
                accuracy=(float(accuracy(tally)), tally.n),
                n=len(low),
                classes=listed(classes),
                more=_more(len(low) - SHOWN, " and {n:count} more"),
            )
        )


def slices_apart(slices: "Sequence[Slice]", tally: Tally, level: float) -> Iterator[str]:
    """Name the slices whose accuracy differs from that of all other rows, corrected for how many slices there are."""
    if not slices:
        return
    shares = [next(estimate for estimate in part.estimates if estimate.name == accuracy.name) for part in slices]
    sizes = np.array([part.n for part in slices])
    hits = np.array([round(share.value * part.n) for share, part in zip(shares, slices, strict=True)])
    right = int(tally.counts[tally.codes[:, 0] == tally.codes[:, 1]].sum())
    gaps = share_gaps(hits, sizes, all_hits=right, n=tally.n, level=level, tried=len(slices))
    apart = sorted(np.flatnonzero(gaps.differ).tolist(), key=lambda at: float(gaps.gap[at]))
    if not apart:
        return
    parts = [
        message(
            "{slice} {here:sized_share} (n = {n:count}), elsewhere {elsewhere:sized_share}",
            slice=slices[at].title,
            here=(hits[at] / sizes[at], sizes[at]),
            n=sizes[at],
            elsewhere=((right - hits[at]) / (tally.n - sizes[at]), tally.n),
        )
        for at in apart[:SHOWN]
    ]
    yield str(
        message(
            "Accuracy differs by slice, beyond chance (corrected for {tried:count} slices): {slices}{more}.",
            tried=len(slices),
            slices=listed(parts, "; "),
            more=_more(len(apart) - SHOWN, "; and {n:count} more"),
        )
    )


def _more(n: int, template: str) -> Message | str:
    return message(template, n=n) if n > 0 else ""
