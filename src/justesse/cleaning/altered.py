"""What is done with flagged rows: nothing, removed, weighted, without label, corrected; and how much that flatters."""

from dataclasses import dataclass
from typing import get_args

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.probability_wrong import ProbabilityWrong
from justesse.cleaning.suspicion import NO_CLASS, Suspicion
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import CleaningAction
from justesse.core.errors import OptionError

ACTIONS: dict[CleaningAction, str] = {
    "flag": "flagged only",
    "remove": "removed",
    "weight": "weighted by the probability that the label is right",
    "drop-label": "left without a label",
    "correct": "given the suggested class",
}


@dataclass(frozen=True, eq=False)
class Altered:
    """Labels after an action (-1: no label), the rows kept, and the weight of each."""

    action: CleaningAction
    labels: Array
    kept: Array
    weights: FloatArray


@dataclass(frozen=True)
class Optimism:
    """Accuracy of the filter's own predictions: on the labels, on the cleaned ones, and expected on the true classes.

    `optimism` is the second less the third. All are NaN where the filter predicts no class or has no probabilities.
    """

    before: float
    after: float
    expected: float
    true: float | None = None

    @property
    def optimism(self) -> float:
        """By how much accuracy on the cleaned rows is too high, by the probabilities that labels are wrong."""
        return self.after - self.expected

    @property
    def true_optimism(self) -> float | None:
        """By how much it is too high by the true classes, if they are known."""
        return None if self.true is None else self.after - self.true


def altered(evidence: LabelEvidence, suspicion: Suspicion, wrong: ProbabilityWrong, action: CleaningAction) -> Altered:
    """Apply an action to the flagged rows.

    >>> from justesse.cleaning.classification import look
    >>> from justesse.cleaning.probability_wrong import probability_wrong
    >>> rows = LabelEvidence(np.array([0, 0]), ("a", "b"), np.array([[0.9, 0.1], [0.4, 0.6]]))
    >>> altered(rows, look(rows), probability_wrong(rows, look(rows)), "correct").labels.tolist()
    [0, 1]
    """
    if action not in get_args(CleaningAction):
        raise OptionError(f"action must be one of {', '.join(get_args(CleaningAction))}; got {action!r}.")
    flagged, labels = suspicion.flagged, evidence.labels.copy()
    kept, weights = np.ones(evidence.n, dtype=bool), np.ones(evidence.n)
    if action == "correct":
        if (suspicion.suggested[flagged] == NO_CLASS).any():
            raise OptionError(
                "This filter names no other class, so it cannot correct. Use remove, weight or drop-label."
            )
        labels[flagged] = suspicion.suggested[flagged]
    elif action == "weight":
        if wrong.basis == "nothing":
            raise OptionError(
                "Weights need a probability that the label is wrong. Give audited rows or probabilities, or use remove."
            )
        weights[flagged] = 1 - np.nan_to_num(wrong.values[flagged])
    elif action == "remove":
        kept = ~flagged
    elif action == "drop-label":
        labels[flagged] = NO_CLASS
    return Altered(action, labels, kept, weights)


def optimism(
    evidence: LabelEvidence, suspicion: Suspicion, wrong: ProbabilityWrong, cleaned: Altered, true: Array | None = None
) -> Optimism:
    """Estimate how much a cleaned test set flatters a classifier like the one that cleaned it.

        before    share of rows whose label is the prediction argmax q, q the filter's shares of classes
        after     the same on the cleaned labels and weights
        expected  mean of 1 - P(wrong) where they agree, and of P(wrong)·q_prediction/(1 - q_label) where they do not

    The filter removes rows on which it disagrees with the label, also where the label was right. Another classifier is
    flattered by as much as it errs on the same rows.

    >>> from justesse.cleaning.classification import look
    >>> from justesse.cleaning.probability_wrong import probability_wrong
    >>> rows = LabelEvidence(np.array([0, 0, 1]), ("a", "b"), np.array([[0.9, 0.1], [0.4, 0.6], [0.1, 0.9]]))
    >>> wrong = probability_wrong(rows, look(rows))
    >>> result = optimism(rows, look(rows), wrong, altered(rows, look(rows), wrong, "remove"))
    >>> round(result.before, 2), result.after, round(result.expected, 2)
    (0.67, 1.0, 0.67)
    """
    if suspicion.shares is None:
        return Optimism(np.nan, np.nan, np.nan)
    shares = suspicion.shares
    prediction = np.asarray(shares.argmax(axis=1))
    right = prediction == evidence.labels
    used = cleaned.kept & (cleaned.labels != NO_CLASS)
    weights = cleaned.weights * used
    whole = float(weights.sum())
    after = float(weights @ (prediction == cleaned.labels)) / whole if whole else np.nan
    chances, own = wrong.values, evidence.own(shares)
    other = shares[np.arange(evidence.n), prediction] / np.maximum(1 - own, 1e-12)
    expected = float(np.where(right, 1 - chances, chances * np.minimum(other, 1)).mean())
    known = None if true is None else float(np.mean(prediction == true))
    return Optimism(float(right.mean()), after, expected, known)
