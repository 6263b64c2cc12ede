"""Forgetting and transfer where labels are missing: what every label that they could have would give."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.lifelong.forgetting_noise import EXACT_CHOICES, NODES, choices
from justesse.lifelong.item_patterns import NO_LABEL, ItemPatterns
from justesse.lifelong.transfer import ALL, TransferConvention, followed


@dataclass(frozen=True)
class TransferBounds:
    """Lowest and highest value of a figure of transfer, whatever the missing labels are.

    Parameters
    ----------
    name, source
        Which figure, by whose definition.
    low, high
        Its ends; NaN if the figure needs scores that are not there.
    sharp
        Whether both ends can be reached; otherwise the figure may be unable to go that far.
    """

    name: str
    source: str
    low: float
    high: float
    sharp: bool


def missing_transfer(patterns: ItemPatterns) -> list[TransferBounds]:
    """Bound forgetting and transfer under every convention, over all labels that items without one could have.

    Parameters
    ----------
    patterns
        Items, with as many versions as periods, version i trained just before period i; the label of an item without
        one is `NO_LABEL`.

    Returns
    -------
    list of TransferBounds
        One for each convention; NaN for those that need scores before training or of a joint model.

    Notes
    -----
    An item without a label has one of the classes, the same for all versions. It moves a weighted sum of accuracies,
    Σ_ij c_ij·R_ij, by what each class would do to all versions at once; items do not depend on each other, so the sums
    of the lowest and of the highest moves are reached (Manski 1989). The fall from the best version (Chaudhry et al.)
    is a mean of maxima: its highest value is the highest of these sums over the versions that may be best in each
    period. Its lowest value is a small linear program for each period, in whole items; with very many kinds of items
    its relaxation, which may not be reached.

    >>> period = np.array([0, 0, 1])
    >>> label = np.array([0, NO_LABEL, 0])
    >>> patterns = ItemPatterns(period, label, np.array([[0, 1], [0, 1], [0, 0]]), np.array([8, 2, 10]), 2, 2)
    >>> bounds = [part for part in missing_transfer(patterns) if part.name == "forgetting"]
    >>> [(round(part.low, 2), round(part.high, 2), part.sharp) for part in bounds]
    [(0.6, 1.0, True), (0.6, 1.0, True)]
    """
    return [_bounded(convention, patterns) for convention in ALL]


def _bounded(convention: TransferConvention, patterns: ItemPatterns) -> TransferBounds:
    scores = patterns.accuracies
    if convention.needs or len(scores) < 2 or np.isnan(scores).any():
        return TransferBounds(convention.name, convention.source, np.nan, np.nan, False)
    if convention.weights is None:
        return TransferBounds(convention.name, convention.source, *_fall(patterns))
    low, high = (followed(convention, end) for end in _ends(patterns, convention.weights(len(scores))))
    return TransferBounds(convention.name, convention.source, low, high, True)


def _ends(patterns: ItemPatterns, weights: FloatArray) -> tuple[float, float]:
    """Lowest and highest value of a weighted sum of accuracies."""
    moves, missing = patterns.moves(weights), patterns.label == NO_LABEL
    start = float((weights * np.nan_to_num(patterns.accuracies)).sum())  # as if they were wrong for all versions
    many = moves.many[missing]
    return start + float(many @ moves.down[missing]), start + float(many @ moves.up[missing])


def _fall(patterns: ItemPatterns) -> tuple[float, float, bool]:
    """Lowest and highest mean fall from the best version, and whether both are reached."""
    last = len(patterns.accuracies) - 1
    low = high = 0.0
    sharp = True
    for period in range(last):
        ends = []
        for version in range(last):
            weights = np.zeros_like(patterns.accuracies)
            weights[version, period], weights[last, period] = 1.0, -1.0
            ends.append(_ends(patterns, weights)[1])
        least, reached = _lowest_fall(patterns, period)
        low, high, sharp = low + least / last, high + max(ends) / last, sharp and reached
    return low, high, sharp


def _lowest_fall(patterns: ItemPatterns, period: int) -> tuple[float, bool]:
    """Lowest fall from the best version in one period: all versions must be lowered together."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    scores = patterns.accuracies[:, period]
    last = len(scores) - 1
    falls = scores[:last] - scores[last]
    missing = patterns.part((patterns.period == period) & (patterns.label == NO_LABEL))
    if not len(missing.many):
        return float(falls.max()), True
    group, moved = choices(missing)
    shares = moved / patterns.sizes[:, period]
    kinds = len(group)
    # z ≥ the fall from each version, and every item has exactly one class
    lowered = (shares[:, last, None] - shares[:, :last]).T
    fall = LinearConstraint(csr_array(np.column_stack([lowered, np.ones(last)])), lb=falls)
    each = csr_array((np.ones(kinds), (group, np.arange(kinds))), shape=(len(missing.many), kinds + 1))
    whole = kinds <= EXACT_CHOICES
    result = milp(
        np.append(np.zeros(kinds), 1.0),
        constraints=[fall, LinearConstraint(each, lb=missing.many, ub=missing.many)],
        bounds=Bounds(np.append(np.zeros(kinds), -1.0), np.append(missing.many[group].astype(float), 1.0)),
        integrality=np.append(np.full(kinds, int(whole)), 0),
        options={"node_limit": NODES, "mip_rel_gap": 0.0} if whole else {},
    )
    if result.fun is None or not result.success:  # the search ended early: what it has shown is a bound
        bound = result.get("mip_dual_bound")
        return (-1.0 if bound is None else float(bound)), False
    return float(result.fun), whole
