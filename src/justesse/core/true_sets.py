"""Axes of a tally where true classes or labels accept several classes: labels and truth are then judged apart.

One class per row cannot express that the label accepts one answer and the true classes accept both. So a row bears its
label and both answers as the label judges them (`label`, `incumbent`, `candidate`), and once more as the true classes
judge them (`AGAINST_TRUTH`). Two flags complete it.
"""

import math

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.levels import AGAINST_TRUTH, CLUSTERS
from justesse.core.tally import Tally

TRUE = AGAINST_TRUTH["label"]
FITS = "label fits"  # whether label and true classes have a class in common
DIFFER = "answers differ"  # also where both are accepted


def has_true_sets(tally: Tally) -> bool:
    """Whether labels and true classes were judged apart because some accept several classes."""
    return TRUE in tally.axes


def knows_truth(tally: Tally) -> bool:
    return "true" in tally.axes or has_true_sets(tally)


def against_truth(tally: Tally) -> Tally:
    """Take the true classes for the labels: label × incumbent × candidate, by cluster if rows come in clusters.

    >>> cells = [("a", "b", "a", "b", 3), ("a", "a", "a", "b", 2)]
    >>> against_truth(Tally.of(("true", "label", "incumbent", "candidate"), cells)).cells()
    [['a', 'a', 'b', 5]]
    """
    clusters = (CLUSTERS,) if CLUSTERS in tally.axes else ()
    if has_true_sets(tally):
        back = {axis: name for name, axis in AGAINST_TRUTH.items()}
        return tally.marginal(*back, *clusters).renamed(**back)
    return tally.marginal("true", "incumbent", "candidate", *clusters).renamed(true="label")


def wrong_label_share(tally: Tally) -> float:
    """Compute the share of labels that are not the true class, or share no class with it; NaN if truth is unknown.

    >>> wrong_label_share(Tally.of(("true", "label"), [("a", "a", 3), ("a", "b", 1)]))
    0.25
    """
    if has_true_sets(tally):
        flag = tally.axis(FITS)
        fits = np.array(tally.levels[flag], dtype=bool)[tally.codes[:, flag]]
        return float(tally.counts[~fits].sum() / tally.n)
    if "true" not in tally.axes:
        return math.nan
    table = tally.marginal("label", "true")
    return float(table.counts[table.codes[:, 0] != table.codes[:, 1]].sum() / table.n)


def need_one_true_class(tally: Tally, what: str) -> None:
    """Refuse what needs the table of labels by true classes, which does not exist for sets."""
    if has_true_sets(tally):
        raise OptionError(
            f"{what[:1].upper()}{what[1:]} needs one class per row, but some rows accept several "
            "(--any-of). Use the judge paired, classical, reference or audited, or give the noise rate (--noise-rate)."
        )
