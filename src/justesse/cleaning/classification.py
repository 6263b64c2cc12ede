"""Classification filter: rows that a model trained on other rows would label otherwise."""

import numpy as np

from justesse.cleaning.evidence import LabelEvidence, check_share
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.core.arrays import FloatArray


def look(evidence: LabelEvidence, *, lead: float = 0.0) -> Suspicion:
    """Flag every row whose label is not the most probable class.

        flagged if p_label < max p_k - lead

    The oldest filter, and the greediest: every mistake of the model is flagged. Not for models that are wrong more
    often than the labels. Gamberger, Lavrač and Grošelj (1999); thesis 3.4.2.

    >>> look(LabelEvidence(np.array([0, 0]), ("a", "b"), np.array([[0.9, 0.1], [0.4, 0.6]]))).flagged.tolist()
    [False, True]
    """
    assert evidence.probabilities is not None
    return by_shares(evidence, evidence.probabilities, check_share("lead", lead))


def by_shares(evidence: LabelEvidence, shares: FloatArray, lead: float = 0.0) -> Suspicion:
    """Flag the rows whose label has a lower share than another class, by more than `lead`; a tie is not flagged."""
    own, best = evidence.own(shares), np.asarray(shares.argmax(axis=1))
    flagged = own < shares[np.arange(evidence.n), best] - lead
    suggested = np.where(flagged, best, evidence.labels)

    def reason(row: int) -> str:
        names, label, other = evidence.classes, int(evidence.labels[row]), int(best[row])
        if label == other:
            return f"The model finds {names[label]} most probable ({own[row]:.3g})."
        return f"The model predicts {names[other]} ({shares[row, other]:.3g}), not {names[label]} ({own[row]:.3g})."

    return Suspicion(np.clip(1 - own, 0, 1), flagged, suggested, reason, shares)


CLASSIFICATION = Filter(
    "classification",
    "Classification filter",
    "Flags every row that a model trained on other rows predicts otherwise.",
    ("probabilities",),
    look,
    "Gamberger, Lavrač and Grošelj (1999)",
    "The model is wrong more often than the labels: most flagged rows are then mistakes of the model.",
    {"lead": "by how much another class must be more probable than the label"},
)
