"""Area under the margin: rows whose label stayed improbable during training."""

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import NO_CLASS, Suspicion


def look(evidence: LabelEvidence, *, below: float = 0.0) -> Suspicion:
    """Flag a row if its margin, averaged over the epochs of training, is low.

        AUM = mean over epochs of (score of the label - highest other score);   flagged if AUM < below

    Rows given a class that does not exist tell what `below` should be: the 99th percentile of their AUM. At the end of
    training a network knows wrong labels by heart, so that late epochs hide them. The filter names no other class.
    Pleiss et al. (2020).

    >>> margins = np.array([[0.1, 0.5, 0.9], [-0.9, -0.6, 0.2]])
    >>> look(LabelEvidence(np.array([0, 1]), ("a", "b"), history=margins)).flagged.tolist()
    [False, True]
    """
    assert evidence.history is not None
    area = evidence.history.mean(axis=1)
    score = 1 / (1 + np.exp(np.clip(area, -700, 700)))

    def reason(row: int) -> str:
        return f"The margin of its label was {area[row]:.3g} on average over {evidence.history.shape[1]} epochs."  # type: ignore[union-attr]

    suggested = np.full(evidence.n, NO_CLASS)
    return Suspicion(score, area < below, suggested, reason, evidence.probabilities, facts={"below": below})


AREA_UNDER_MARGIN = Filter(
    "area-under-margin",
    "Area under the margin",
    "Flags a row whose label was less probable than another class over most of the training.",
    ("history",),
    look,
    "Pleiss et al. (2020)",
    "The epochs are all late ones: the model then knows wrong labels by heart.",
    {"below": "mean margin below which a row is flagged"},
)
