"""Confident learning: as many rows as the confident joint counts, those whose label is least probable."""

from typing import get_args

import numpy as np
from numpy.typing import NDArray

from justesse.cleaning.confident_joint import NO_GUESS, ConfidentJoint, confident_joint
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import Prune
from justesse.core.errors import OptionError

TIE = 1e-12


def look(evidence: LabelEvidence, *, prune: Prune = "by-noise-rate") -> Suspicion:
    """Flag rows by the confident joint Q (see `confident_joint`).

        by-class       of each label i the n_i - Q_ii rows with the lowest p_i
        by-noise-rate  of each label i and class j the Q_ij rows with the highest p_j - p_i
        both           rows that both flag
        off-diagonal   rows counted outside the diagonal of the confident joint

    A row whose label is the most probable class is never flagged, and neither is the only row of a class. Rows of rare
    classes are flagged most easily, as models seldom predict them. Northcutt, Jiang and Chuang (2021).

    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    >>> look(LabelEvidence(np.array([0, 0, 0, 1, 1]), ("cat", "dog"), p)).flagged.tolist()
    [False, False, True, False, False]
    """
    if prune not in get_args(Prune):
        raise OptionError(f"prune must be one of {', '.join(get_args(Prune))}; got {prune!r}.")
    assert evidence.probabilities is not None
    labels, shares = evidence.labels, evidence.probabilities
    joint = confident_joint(labels, shares)
    if prune == "off-diagonal":
        flagged = (joint.guess != NO_GUESS) & (joint.guess != labels)
    else:
        flagged = np.ones(evidence.n, dtype=bool)
        if prune in ("by-class", "both"):
            flagged &= _by_class(labels, shares, joint.counts)
        if prune in ("by-noise-rate", "both"):
            flagged &= _by_noise_rate(labels, shares, joint)
    own, best = evidence.own(shares), joint.best
    flagged &= own < shares[np.arange(evidence.n), best] - TIE
    thresholds = joint.thresholds

    def reason(row: int) -> str:
        label, other = int(labels[row]), int(best[row])
        names = evidence.classes
        if label == other:
            return f"The model finds {names[label]} most probable ({own[row]:.3g})."
        return (
            f"The model gives {names[other]} {shares[row, other]:.3g} and {names[label]} {own[row]:.3g}; "
            f"rows labelled {names[label]} have {thresholds[label]:.3g} on average."
        )

    facts = {
        "prune": prune,
        "thresholds": [None if np.isinf(value) else float(value) for value in thresholds],
        "joint": joint.counts.tolist(),
        "noise_rate": joint.rate,
    }
    return Suspicion(np.clip(1 - own, 0, 1), flagged, best, reason, shares, facts=facts)


def _lowest(values: FloatArray, many: int) -> NDArray[np.int64]:
    """Give the positions of the lowest values; of equal ones the first."""
    if many >= len(values):
        return np.arange(len(values))
    bound = np.partition(values, many - 1)[many - 1]
    below = np.flatnonzero(values < bound)
    return np.concatenate([below, np.flatnonzero(values == bound)[: many - len(below)]])


def _by_class(labels: Array, shares: FloatArray, counts: Array) -> Array:
    flagged = np.zeros(len(labels), dtype=bool)
    for label, cells in enumerate(counts):
        if (many := int(cells.sum() - cells[label])) and cells.sum() > 1:
            rows = np.flatnonzero(labels == label)
            flagged[rows[_lowest(shares[rows, label], min(many, len(rows) - 1))]] = True
    return flagged


def _by_noise_rate(labels: Array, shares: FloatArray, joint: ConfidentJoint) -> Array:
    flagged = np.zeros(len(labels), dtype=bool)
    doubtful = np.flatnonzero(joint.best != labels)  # only there another class can be more probable than the label
    doubted = labels[doubtful]
    for label, cells in enumerate(joint.counts):
        others = [other for other in np.flatnonzero(cells) if other != label]
        if not others or cells.sum() <= 1:
            continue
        few = doubtful[doubted == label]
        columns = np.ascontiguousarray(shares[few].T)
        for other in others:
            margins, many = columns[label] - columns[other], int(cells[other])
            below = np.flatnonzero(margins < 0)
            if len(below) >= many:  # most often, and far fewer rows to sort
                flagged[few[below[_lowest(margins[below], many)]]] = True
            else:
                rows = np.flatnonzero(labels == label)
                flagged[rows[_lowest(shares[rows, label] - shares[rows, other], many)]] = True
    return flagged


CONFIDENT_LEARNING = Filter(
    "confident-learning",
    "Confident learning",
    "Flags as many rows as the confident joint counts as wrong, those whose label is least probable.",
    ("probabilities",),
    look,
    "Northcutt, Jiang and Chuang (2021)",
    "The probabilities come from models that were trained on these rows, or the model itself is biased.",
    {"prune": "rows to flag: by-noise-rate, by-class, both or off-diagonal"},
)
