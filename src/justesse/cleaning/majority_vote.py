"""Majority vote filter: rows that more than half of several models would label otherwise."""

from justesse.cleaning.evidence import LabelEvidence, check_share
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.cleaning.votes import voted


def look(evidence: LabelEvidence, *, more_than: float = 0.5) -> Suspicion:
    """Flag a row if more than half of the models, none of them trained on it, predict another class than its label.

        flagged if (votes for other classes) / votes > more_than

    Finds more wrong labels than consensus, and takes more right ones for wrong. Models that err alike count as several
    votes: use different kinds. Brodley and Friedl (1999); thesis 3.4.2.

    >>> look(LabelEvidence([0, 0], ("a", "b"), votes=[[0, 1, 1], [0, 0, 1]])).flagged.tolist()
    [True, False]
    """
    assert evidence.votes is not None
    check_share("more_than", more_than)
    return voted(evidence, evidence.votes, lambda against: against > more_than, "models")


MAJORITY_VOTE = Filter(
    "majority-vote",
    "Majority vote of models",
    "Flags a row if more than half of several models predict another class.",
    ("votes",),
    look,
    "Brodley and Friedl (1999)",
    "The models err alike: several models of one kind are one opinion.",
    {"more_than": "share of votes against the label, above which a row is flagged"},
)
