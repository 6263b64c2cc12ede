"""Consensus vote filter: rows that none of several models would label as they are."""

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.cleaning.votes import voted


def look(evidence: LabelEvidence) -> Suspicion:
    """Flag a row if no model, none of them trained on it, predicts its label.

        flagged if (votes for other classes) / votes = 1

    Careful: it keeps right labels, and misses wrong ones that a single model repeats. Brodley and Friedl (1999);
    thesis 3.4.2.

    >>> look(LabelEvidence([0, 0], ("a", "b"), votes=[[1, 1, 1], [0, 1, 1]])).flagged.tolist()
    [True, False]
    """
    assert evidence.votes is not None
    return voted(evidence, evidence.votes, lambda against: against >= 1 - 1e-9, "models")


CONSENSUS_VOTE = Filter(
    "consensus-vote",
    "Consensus of models",
    "Flags a row if all of several models predict another class than its label.",
    ("votes",),
    look,
    "Brodley and Friedl (1999)",
    "One of the models learns the wrong labels: it then vetoes what the others find.",
)
