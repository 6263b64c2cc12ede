"""How true classes and predictions can go together within each label, when only the law of each is known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.tally import Tally

Array = NDArray[Any]


def hits_range(rows: Tally, joint: Array) -> tuple[Array, Array]:
    """Give the fewest and the most right answers per class, from true × label counts and the label × prediction tally.

        Σ_a max(0, true_ka + predicted_ak - labelled_a)   to   Σ_a min(true_ka, predicted_ak)

    Within a label at most one class can be forced to be right, and filling the diagonal of one class takes nothing
    from another, so all these ends are reached together. Fréchet (1951).

    >>> fewest, most = hits_range(Tally.from_dense([[8, 2], [3, 7]]), np.array([[9.0, 1.0], [1.0, 9.0]]))
    >>> fewest.tolist(), most.tolist()
    ([7.0, 6.0], [9.0, 8.0])
    """
    predicted = rows.dense("label", "prediction").T
    labelled = rows.sums("label")
    forced = np.maximum(0.0, joint + predicted - labelled).sum(axis=1)
    return forced, np.minimum(joint, predicted).sum(axis=1)


def cost_range(rows: Tally, joint: Array, costs: Array) -> tuple[float, float]:
    """Give the least and the most a cost can be: per label, a transport problem from true classes to predictions.

    >>> least, most = cost_range(Tally.from_dense([[8, 2], [3, 7]]), np.array([[9.0, 1.0], [1.0, 9.0]]), 1 - np.eye(2))
    >>> round(least, 3), round(most, 3)
    (0.15, 0.35)
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, eye_array, kron, vstack

    total = np.zeros(2)
    dense = rows.dense("label", "prediction")
    for label in np.flatnonzero(dense.sum(axis=1)):
        true, predicted = np.flatnonzero(joint[:, label] > 0), np.flatnonzero(dense[label])
        masses = joint[true, label], dense[label, predicted].astype(float)
        price = costs[np.ix_(true, predicted)].ravel()
        # row sums are the true classes, column sums the predictions
        sums = vstack(
            [
                kron(eye_array(len(true)), csr_array(np.ones((1, len(predicted))))),
                kron(csr_array(np.ones((1, len(true)))), eye_array(len(predicted))),
            ],
            format="csr",
        )
        # the last sum follows from the others; with it, rounding could make the programme impossible
        right = np.concatenate(masses)[:-1]
        for side, sign in enumerate((1.0, -1.0)):
            solved = linprog(sign * price, A_eq=sums[:-1], b_eq=right, method="highs")  # type: ignore[call-overload]
            assert solved.success, solved.message
            total[side] += sign * solved.fun
    return float(total[0] / rows.n), float(total[1] / rows.n)
