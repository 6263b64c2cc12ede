"""How recorded labels differ from the truth, by annotators: a transition table with its uncertainty as counts."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.truth_draws import PredictedItems, truth_draws
from justesse.annotators.vote import majority
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ClassError, InputError
from justesse.core.first_names import first_names
from justesse.core.levels import spelt_alike

MAJORITY = "majority"


@dataclass(frozen=True, eq=False)
class RecordedLabels:
    """A table of true class × recorded label, as counts of so many re-checked rows as it is certain.

    Parameters
    ----------
    counts
        Whole numbers, true class × label: a Dirichlet with them has the mean and the spread of the posterior.
    mean
        Expected shares of all cells.
    items
        Number of items with a recorded label.
    """

    counts: Array
    mean: FloatArray
    items: int

    @property
    def worth(self) -> int:
        """How many re-checked rows would tell as much."""
        return int(self.counts.sum())


def recorded_labels(annotations: Annotations, labels_of: str = MAJORITY, *, seed: int = 0) -> RecordedLabels:
    """Give the transition table of the majority vote, or of one annotator, with its uncertainty.

    True classes are drawn from their posterior given all answers. Each draw gives counts of true class × label, and
    Dirichlet(counts + 1/K²) is what these say of the table. The mixture over draws is replaced by the Dirichlet with
    the same mean and the same total variance; its parameters are the counts.

    Do not use it for a label that people other than these annotators gave.

    Parameters
    ----------
    annotations
        Who answered what.
    labels_of
        `majority`, or the name of an annotator.
    seed
        Seed of the random draws.

    Examples
    --------
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"] * 20
    >>> notes = Annotations.of([(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)])
    >>> table = recorded_labels(notes, "c")
    >>> (table.counts / table.counts.sum(axis=1, keepdims=True)).round(1).tolist()
    [[0.7, 0.3], [0.3, 0.7]]
    >>> table.worth <= 120
    True
    """
    k = annotations.n_classes
    if k < 2:
        raise InputError("A transition table needs at least two classes. Name all with classes=… (--classes).")
    label = _labels(annotations, labels_of)
    draws = truth_draws(annotations, PredictedItems(label, k, np.arange(k)), answers_only=True, seed=seed)
    alpha = draws.tables + 1 / k**2
    total = alpha.sum(axis=(1, 2), keepdims=True)
    share = alpha / total
    mean = share.mean(axis=0)
    within = (share * (1 - share) / (total + 1)).mean(axis=0)
    variance = float((within + share.var(axis=0)).sum())
    size = float((mean * (1 - mean)).sum()) / variance - 1
    items = int((label >= 0).sum())
    size = min(size, float(items))
    return RecordedLabels(np.rint(mean * size).astype(np.int64), mean, items)


def _labels(annotations: Annotations, labels_of: str) -> Array:
    """Give the recorded label of each item, -1 where there is none or the vote is tied."""
    matching = [at for at, name in enumerate(annotations.annotators) if spelt_alike(name, labels_of)]
    if matching:
        mine = annotations.annotator == matching[0]
        label = np.full(annotations.n_items, -1)
        label[annotations.item[mine]] = annotations.answer[mine]
        return label
    if labels_of != MAJORITY:
        raise ClassError(
            f"Annotator {labels_of!r} not found. Annotators: {first_names(annotations.annotators, 10)}. Name one, or "
            f"{MAJORITY}."
        )
    fit = majority(annotations)
    code, _, equal = fit.support.best(fit.shares)
    return np.where((equal > 1) | (annotations.per_item == 0), -1, code)
