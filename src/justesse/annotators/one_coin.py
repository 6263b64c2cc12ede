"""One-coin model: each annotator is right with one chance, whatever the class; wrong answers are spread evenly."""

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import TINY, Support
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator is right with the same chance on every item, and all wrong classes are equally likely",
)


def one_coin(annotations: Annotations, *, prior: float = 1.0, most: int = 200, tolerance: float = 1e-7) -> Consensus:
    """Fit the one-coin model by EM; the prior adds as many right as wrong answers to each annotator's.

    >>> lines = ["xxy", "yyx", "xxx", "yyy", "zzx"]
    >>> answers = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> fit = one_coin(Annotations.of(answers))
    >>> fit.label.tolist(), fit.extra["right"].round(2).tolist()
    ([0, 1, 0, 1, 2], [0.84, 0.84, 0.43])
    """
    support = Support.of(annotations)
    k = max(annotations.n_classes, 2)
    shares = support.vote_shares()
    before, likelihood = -np.inf, -np.inf
    right: FloatArray = np.array([])
    proportions = np.array([])
    iteration, converged = 0, False
    while iteration < most and not converged:
        iteration += 1
        proportions = support.per_class(shares)
        proportions = np.maximum(proportions / proportions.sum(), TINY)
        hits = np.bincount(annotations.annotator, weights=shares[support.own], minlength=annotations.n_annotators)
        right = np.clip((hits + prior) / (annotations.per_annotator + 2 * prior), TINY, 1 - TINY)
        off = np.log((1 - right) / (k - 1))
        gain = np.log(right) - off
        logs = support.totals(off[annotations.annotator]) + support.at_own(gain[annotations.annotator])
        shares, evidence = support.normalised(logs + np.log(proportions)[support.label])
        likelihood = float(evidence.sum())
        converged = abs(likelihood - before) <= tolerance * max(annotations.n_items, 1)
        before = likelihood
    warnings = () if converged else (f"EM stopped after {most} iterations: probabilities may change.",)
    return Consensus(
        "one-coin",
        support,
        shares,
        proportions,
        log_likelihood=likelihood,
        iterations=iteration,
        converged=converged,
        assumptions=ASSUMPTIONS,
        warnings=warnings,
        extra={"right": right},
    )
