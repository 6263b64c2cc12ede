"""Entropy criterion: rows that a model labels otherwise, and is sure about."""

import numpy as np

from justesse.cleaning.classification import by_shares
from justesse.cleaning.evidence import LabelEvidence, check_share
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion


def look(evidence: LabelEvidence, *, at_most: float = 0.3) -> Suspicion:
    """Flag a row if the model predicts another class and the entropy of its probabilities is low.

        H = -Σ p_k log p_k / log K;   flagged if argmax p ≠ label and H <= at_most

    Not for models that are sure of everything, as networks without calibration are. Sun et al. (2007); thesis 3.4.2.

    >>> p = np.array([[0.01, 0.99], [0.4, 0.6]])
    >>> look(LabelEvidence(np.array([0, 0]), ("a", "b"), p)).flagged.tolist()
    [True, False]
    """
    check_share("at_most", at_most)
    assert evidence.probabilities is not None
    shares = np.clip(evidence.probabilities, 1e-300, 1)
    entropy = np.clip(-(shares * np.log(shares)).sum(axis=1) / np.log(shares.shape[1]), 0, 1)
    plain = by_shares(evidence, evidence.probabilities)
    flagged = plain.flagged & (entropy <= at_most)
    suggested = np.where(flagged, plain.suggested, evidence.labels)
    # a sure prediction of another class first, a sure prediction of the label last
    score = np.where(plain.flagged, 0.5 + (1 - entropy) / 2, entropy / 2)

    def reason(row: int) -> str:
        return f"{plain.reason(row)} Its entropy is {entropy[row]:.3g} of the largest possible."

    return Suspicion(score, flagged, suggested, reason, evidence.probabilities, facts={"at_most": at_most})


ENTROPY = Filter(
    "entropy",
    "Entropy of the prediction",
    "Flags a row if a model trained on other rows predicts another class with low entropy.",
    ("probabilities",),
    look,
    "Sun et al. (2007)",
    "The model is sure of everything, as networks without calibration are.",
    {"at_most": "highest entropy of a sure prediction, as a share of the largest possible"},
)
