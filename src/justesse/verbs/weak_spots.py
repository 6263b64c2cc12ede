"""Where a good figure hides a bad one: little better than the majority answer, a class rarely found, a slice apart."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.first_names import first_names
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.intervals.wilson import wilson
from justesse.measures import Confusion
from justesse.significance.paired_difference import paired_difference
from justesse.significance.two_shares import share_gaps
from justesse.verbs.words import percent

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Slice

HIGH = 0.8  # an accuracy that looks good
POOR = 0.5  # a recall that does not
BARELY = 0.1  # share of the majority answer's errors that is saved
SHOWN = 5


def against_majority(tally: Tally, level: float) -> Iterator[str]:
    """Warn if predictions are not clearly, or hardly, better than always predicting the most frequent label."""
    labels = tally.sums("label", tally.counts)
    k = int(labels.argmax())
    right, always = tally.codes[:, 0] == tally.codes[:, 1], tally.codes[:, 0] == k
    only_model, only_majority = (int(tally.counts[at].sum()) for at in (right & ~always, always & ~right))
    accuracy, majority = int(tally.counts[right].sum()) / tally.n, int(labels[k]) / tally.n
    name = f"always predicting {tally.classes[k]!r} ({majority:.4f})"
    if accuracy <= majority:
        worse = "lower than" if accuracy < majority else "no better than"
        yield f"The accuracy ({accuracy:.4f}) is {worse} {name}: look at balanced accuracy and at each class."
    elif float(paired_difference(only_majority, only_model, tally.n, level=level).low) <= 0:
        yield f"The accuracy ({accuracy:.4f}) is not clearly better than {name}: chance alone could explain the difference."
    elif accuracy - majority < BARELY * (1 - majority):
        saved = 100 * (accuracy - majority) / (1 - majority)
        yield f"The accuracy ({accuracy:.4f}) is barely better than {name}: it saves only {saved:.2g} % of its errors. Look at balanced accuracy and at each class."


def against_accepted(tally: Tally, accepted: Mapping[ClassName, float], level: float) -> Iterator[str]:
    """Do the same where rows accept several classes; `accepted` counts the rows that accept each class.

    >>> rows = Tally.of(("label", "prediction"), [("a", "a", 60), ("b", "a", 40)])
    >>> next(against_accepted(rows, {"a": 60, "b": 70}, 0.95))[:70]
    "The accuracy (0.6000) is lower than always predicting 'b' (0.7000): lo"
    """
    best = max(accepted, key=lambda name: accepted[name])
    right = int(tally.counts[tally.codes[:, 0] == tally.codes[:, 1]].sum())
    accuracy, majority = right / tally.n, accepted[best] / tally.n
    low = float(wilson(right, tally.n, level=level).low)
    if accuracy <= majority:
        worse = "lower than" if accuracy < majority else "no better than"
        yield f"The accuracy ({accuracy:.4f}) is {worse} always predicting {best!r} ({majority:.4f}): look at balanced accuracy and at each class."
    elif low <= majority:
        yield f"The accuracy is not clearly better than always predicting {best!r} ({majority:.4f}): its CI reaches down to {low:.4f}."


def poor_recalls(tally: Tally, level: float) -> Iterator[str]:
    """Name the classes that are rarely found although most rows are right, corrected for how many classes there are."""
    table = Confusion.of(tally)
    labelled, hits = np.asarray(table.labelled), np.asarray(table.hits)
    accuracy = float(hits.sum() / tally.n)
    if accuracy < HIGH:
        return
    at = np.flatnonzero(labelled > 0)
    recall = hits[at] / labelled[at]
    if not (recall < POOR).any():  # the test below loads SciPy
        return
    apart = share_gaps(hits[at], labelled[at], all_hits=int(hits.sum()), n=tally.n, level=level, tried=len(at)).differ
    poor = [k for k in np.argsort(recall, kind="stable") if recall[k] < POOR and apart[k]]
    if poor:
        shown = first_names(
            poor,
            SHOWN,
            write=lambda k: (
                f"{tally.classes[at[k]]!r}: {percent(float(recall[k]), labelled[at[k]])} (n = {int(labelled[at[k]]):,})"
            ),
        )
        yield f"Accuracy is {percent(accuracy, tally.n)}, but recall is poor for class{'' if len(poor) == 1 else 'es'} {shown}: most rows of {'this class' if len(poor) == 1 else 'these classes'} are missed."


def slices_apart(slices: "Sequence[Slice]", tally: Tally, level: float) -> Iterator[str]:
    """Name the slices whose accuracy differs from that of all other rows, corrected for how many slices there are."""
    if not slices:
        return
    accuracy = [next(estimate for estimate in part.estimates if estimate.name == "accuracy") for part in slices]
    sizes = np.array([part.n for part in slices])
    hits = np.array([round(first.value * part.n) for first, part in zip(accuracy, slices, strict=True)])
    right = int(tally.counts[tally.codes[:, 0] == tally.codes[:, 1]].sum())
    gaps = share_gaps(hits, sizes, all_hits=right, n=tally.n, level=level, tried=len(slices))
    apart = sorted(np.flatnonzero(gaps.differ).tolist(), key=lambda at: float(gaps.gap[at]))
    if not len(apart):
        return
    shown = "; ".join(
        f"{slices[at].title} {percent(hits[at] / sizes[at], sizes[at])} (n = {sizes[at]:,}), elsewhere "
        f"{percent((right - hits[at]) / (tally.n - sizes[at]), tally.n)}"
        for at in apart[:SHOWN]
    )
    more = f"; and {len(apart) - SHOWN:,} more" if len(apart) > SHOWN else ""
    yield f"Accuracy differs by slice, beyond chance (corrected for {len(slices)} slices): {shown}{more}."
