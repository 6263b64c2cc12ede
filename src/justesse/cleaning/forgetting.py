"""Forgetting events: rows that were never learnt, or learnt and forgotten again and again during training."""

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import NO_CLASS, Suspicion
from justesse.core.errors import OptionError


def look(evidence: LabelEvidence, *, events: int = 3) -> Suspicion:
    """Flag a row if it was never predicted as labelled, or was forgotten often.

        a row is right in an epoch if its margin is above 0;   events = epochs in which a row is no longer right
        flagged if it was never right, or has at least `events` events

    Hard rows are forgotten too: it finds rows worth a look, not only wrong labels. The filter names no other class.
    Toneva et al. (2019).

    >>> margins = np.array([[-1.0, 1, 1], [-1, -1, -1], [1, -1, 1]])
    >>> look(LabelEvidence(np.array([0, 1, 0]), ("a", "b"), history=margins), events=2).flagged.tolist()
    [False, True, False]
    """
    if events < 1:
        raise OptionError(f"events must be 1 or more; got {events!r}.")
    assert evidence.history is not None
    right = evidence.history > 0
    forgotten = (right[:, :-1] & ~right[:, 1:]).sum(axis=1)
    never = np.asarray(~right.any(axis=1))
    most = max(right.shape[1] // 2, 1)
    score = np.where(never, 1.0, np.minimum(forgotten / (most + 1), 1.0))

    def reason(row: int) -> str:
        if never[row]:
            return f"Its label was never predicted in {right.shape[1]} epochs."
        return f"Its label was forgotten {forgotten[row]} times in {right.shape[1]} epochs."

    suggested = np.full(evidence.n, NO_CLASS)
    flagged = never | (forgotten >= events)
    return Suspicion(score, flagged, suggested, reason, evidence.probabilities, facts={"events": events})


FORGETTING = Filter(
    "forgetting",
    "Forgetting events",
    "Flags a row that was never learnt, or was forgotten several times during training.",
    ("history",),
    look,
    "Toneva et al. (2019)",
    "Hard rows matter: they are forgotten as wrong labels are.",
    {"events": "times forgotten from which a row is flagged"},
)
