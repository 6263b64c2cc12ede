"""What wrong labels can do to a score under a policy, and to the difference of two systems under it."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.lifelong.label_moves import LabelMoves
from justesse.lifelong.policy_difference import PairedBlocks


def score_moves(
    errors: FloatArray, sizes: FloatArray, periods: Sequence[int], weights: FloatArray, *, classes: int
) -> LabelMoves:
    """Group the items of one version by what a wrong label does to its error under a policy.

        right item of period j:  + P_j/n_j, whatever its true class is
        wrong item of period j:  - P_j/n_j if its true class is the prediction, 0 if it is a third class

    Parameters
    ----------
    errors, sizes
        Errors and items in each period that counts.
    periods
        These periods.
    weights
        Their weights, which add up to 1.
    classes
        Number of classes; with two, a wrong label leaves one true class only.

    >>> moves = score_moves(np.array([2.0]), np.array([10.0]), [0], np.array([1.0]), classes=3)
    >>> [round(end, 2) for end in moves.range((0.0, 0.3))]
    [-0.2, 0.3]
    """
    each = weights / sizes
    wrong_up = np.zeros_like(each) if classes > 2 else -each
    return LabelMoves(
        np.tile(np.asarray(periods), 2),
        np.concatenate([sizes - errors, errors]).astype(np.int64),
        np.concatenate([each, wrong_up]),
        np.concatenate([each, -each]),
    )


def difference_moves(
    pairs: PairedBlocks, periods: Sequence[int], weights: FloatArray, *, classes: int = 3
) -> LabelMoves:
    """Group the items that two systems answered by what a wrong label does to their difference under a policy.

    The difference is the accuracy of the second system minus that of the first. An item counts P_j/n_j. Where only the
    first is right, another true class moves it by 2·P_j/n_j (the second's answer) or P_j/n_j (a third class); where
    only the second is right, by as much the other way; where both are wrong in different ways, by P_j/n_j either way.
    Elsewhere nothing moves: both answered the same.

    Parameters
    ----------
    pairs
        Items that both answered.
    periods
        Periods that count.
    weights
        Their weights, which add up to 1.
    classes
        Number of classes; with two, a wrong label leaves one true class only.

    >>> period = np.array([0])
    >>> pairs = PairedBlocks(period, np.array([5.0]), np.array([15.0]), np.array([0.0]), np.array([100.0]))
    >>> [round(end, 2) for end in difference_moves(pairs, [0], np.array([1.0])).range((0.0, 0.05))]
    [-0.1, 0.1]
    """
    third = 1.0 if classes > 2 else 2.0
    kinds = ((2.0, third), (-third, -2.0), (1.0, -1.0), (0.0, 0.0))  # highest and lowest move of each kind of item
    period, many, up, down = [], [], [], []
    for weight, at in zip(weights.tolist(), periods, strict=True):
        first, second, neither, size = (float(part.sum()) for part in pairs.of_period(int(at)))
        for (highest, lowest), count in zip(
            kinds, (first, second, neither, size - first - second - neither), strict=True
        ):
            period.append(int(at))
            many.append(int(count))
            up.append(highest * weight / size)
            down.append(lowest * weight / size)
    return LabelMoves(np.array(period), np.array(many), np.array(up), np.array(down))
