"""The class most annotators gave, all alike or by their weight."""

from collections.abc import Sequence

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import Support
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError

MAJORITY = "every annotator is right more often than wrong in any one way, and all are equally good"
WEIGHTED = "an annotator's weight is the share of their answers that agree with the other answers to the same items"


def majority(annotations: Annotations) -> Consensus:
    """Take the class with most answers; its share of the answers is no probability of being right.

    >>> fit = majority(Annotations.of([(1, "a", "x"), (1, "b", "x"), (1, "c", "y"), (2, "a", "x"), (2, "b", "y")]))
    >>> fit.label.tolist(), fit.probability.round(2).tolist(), fit.ties
    ([0, 0], [0.67, 0.5], 1)
    """
    support = Support.of(annotations)
    shares = support.vote_shares()
    return Consensus("majority", support, shares, _proportions(support, shares), assumptions=(MAJORITY,))


def weighted(annotations: Annotations, weights: Sequence[float] | None = None) -> Consensus:
    """Take the class with the most weight behind it; by default weights are how far each agrees with the others.

    An answer with a stated confidence weighs that much less; one without counts as of mean confidence.

    >>> answers = [(1, "a", "x"), (1, "b", "x"), (2, "a", "y"), (2, "b", "y"), (2, "c", "x")]
    >>> fit = weighted(Annotations.of([*answers, (3, "a", "x"), (3, "c", "y")]))
    >>> fit.label.tolist(), fit.extra["weights"].round(2).tolist()
    ([0, 1, 0], [0.5, 0.75, 0.0])
    """
    support = Support.of(annotations)
    each = _agreement_with_others(annotations) if weights is None else np.asarray(weights, dtype=float)
    if len(each) != annotations.n_annotators or not (each >= 0).all():
        raise OptionError(f"One weight from 0 up is needed for each of {annotations.n_annotators} annotators.")
    heard = np.maximum(each, 1e-12)[annotations.annotator]
    stated = annotations.details.get("confidence")
    if stated is not None and np.isfinite(stated).any():
        heard = heard * np.maximum(np.where(np.isfinite(stated), stated, np.nanmean(stated)), 1e-12)
    behind, total = support.at_own(heard), support.totals(heard)
    shares = np.where(total > 0, behind / np.maximum(total, 1e-300), support.vote_shares())
    shares = support.with_gold(shares)
    assumptions = (WEIGHTED,) if weights is None else ()
    return Consensus(
        "weighted", support, shares, _proportions(support, shares), assumptions=assumptions, extra={"weights": each}
    )


def _proportions(support: Support, shares: FloatArray) -> FloatArray:
    counts = support.per_class(shares)
    return np.asarray(counts / max(counts.sum(), 1e-300))


def _agreement_with_others(annotations: Annotations) -> FloatArray:
    """Give the mean share of the other answers to an item that agree with an annotator's."""
    support = Support.of(annotations)
    same = np.bincount(support.own, minlength=len(support.item))[support.own] - 1
    others = annotations.per_item[annotations.item] - 1
    shared = others > 0
    sums = np.bincount(
        annotations.annotator[shared], weights=same[shared] / others[shared], minlength=annotations.n_annotators
    )
    n = np.bincount(annotations.annotator[shared], minlength=annotations.n_annotators)
    mean = float(sums.sum() / max(n.sum(), 1))
    return np.where(n > 0, sums / np.maximum(n, 1), mean)
