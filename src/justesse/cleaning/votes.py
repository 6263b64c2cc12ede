"""Votes of several models on each row, as shares of classes."""

from collections.abc import Callable

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.suspicion import NO_CLASS, Suspicion
from justesse.core.arrays import Array, FloatArray


def vote_shares(votes: Array, classes: int) -> FloatArray:
    """Give the share of votes of each class, rows × classes; -1 is no vote, and a row without votes is all NaN.

    >>> vote_shares(np.array([[0, 1, 1, 1]]), 2).tolist()
    [[0.25, 0.75]]
    """
    rows, models = np.nonzero(votes >= 0)
    cells = np.bincount(rows * classes + votes[rows, models], minlength=len(votes) * classes)
    counts = cells.reshape(len(votes), classes).astype(float)
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def voted(evidence: LabelEvidence, votes: Array, agreed: Callable[[FloatArray], Array], who: str) -> Suspicion:
    """Flag rows by the share of votes for other classes than the label.

    Parameters
    ----------
    evidence
        Labels and classes.
    votes
        Code of each vote, rows × models; -1 where a model does not vote.
    agreed
        Function of the shares of votes against the labels that says which rows to flag.
    who
        Who votes, for reasons: "models", "neighbours".
    """
    shares = vote_shares(votes, len(evidence.classes))
    none: Array = np.asarray(np.isnan(shares).any(axis=1))
    even = np.where(none[:, None], 1 / len(evidence.classes), shares)
    against = np.where(none, 0.0, 1 - evidence.own(even))
    flagged = np.asarray(agreed(against)) & ~none
    others = even.copy()
    others[np.arange(evidence.n), evidence.labels] = -1.0
    rival = np.asarray(others.argmax(axis=1))
    suggested = np.where(flagged, rival, np.where(none, NO_CLASS, evidence.labels))
    number = (votes >= 0).sum(axis=1)

    def reason(row: int) -> str:
        names, label, other = evidence.classes, int(evidence.labels[row]), int(rival[row])
        if none[row]:
            return f"No {who} vote on this row."
        counts = np.rint(even[row] * number[row]).astype(int)
        return f"{counts[label]} of {number[row]} {who} vote for {names[label]}, {counts[other]} for {names[other]}."

    return Suspicion(np.clip(against, 0, 1), flagged, suggested, reason, even)
