"""How true classes and predictions can go together within each label, when only the law of each is known."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.tally import Tally


def hits_range(rows: Tally, joint: Array) -> tuple[Array, Array]:
    """Bound the right answers per class, from true × label counts and the label × prediction tally.

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
    """Compute the lowest and highest possible cost: per label, a transport problem from true classes to predictions.

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
        price, from_true = _merged(costs[np.ix_(true, predicted)], joint[true, label])
        price, to_predicted = _merged(price.T, dense[label, predicted].astype(float))
        masses = to_predicted, from_true
        # row sums are the predictions, column sums the true classes
        sums = vstack(
            [
                kron(eye_array(len(to_predicted)), csr_array(np.ones((1, len(from_true))))),
                kron(csr_array(np.ones((1, len(to_predicted)))), eye_array(len(from_true))),
            ],
            format="csr",
        )
        # the last sum follows from the others; with it, rounding could make the programme impossible
        right = np.concatenate(masses)[:-1]
        for side, sign in enumerate((1.0, -1.0)):
            solved = linprog(sign * price.ravel(), A_eq=sums[:-1], b_eq=right, method="highs")  # type: ignore[call-overload]
            assert solved.success, solved.message
            total[side] += sign * solved.fun
    return float(total[0] / rows.n), float(total[1] / rows.n)


def _merged(price: Array, masses: Array) -> tuple[Array, Array]:
    """Merge rows of equal prices, so that a thousand classes nobody predicts are one column of the linear programme."""
    rows, which = np.unique(price, axis=0, return_inverse=True)
    return rows, np.bincount(which.ravel(), masses)


def difference_range(rows: Tally, joint: Array) -> tuple[float, float]:
    """Compute the lowest and highest possible lead of `candidate` over `incumbent`, label by label.

    `rows` counts label × incumbent × candidate, `joint` true × label, on the same classes. Only rows on which the two
    disagree count; which true classes they have is a flow of greatest gain.

    >>> cells = [("a", "a", "a", 40), ("a", "b", "a", 8), ("a", "a", "b", 2), ("b", "b", "b", 50)]
    >>> table = Tally.of(("label", "incumbent", "candidate"), cells)
    >>> [round(end, 3) for end in difference_range(table, np.array([[45.0, 5.0], [5.0, 45.0]]))]
    [-0.04, 0.1]
    """
    label, *answers = rows.codes.T
    apart = answers[0] != answers[1]
    total = np.zeros(2)
    for at in np.unique(label[apart]):
        disputed = apart & (label == at)
        size = float(rows.counts[label == at].sum())
        answered, which = np.unique(np.stack([codes[disputed] for codes in answers]), return_inverse=True)
        codes, other = which.reshape(2, -1) + 1
        known = joint[answered, at] / size
        # all classes that nobody answers are one, the first
        room = np.append(max(joint[:, at].sum() / size - known.sum(), 0.0), known)
        shares = rows.counts[disputed] / size
        total += size * np.array(
            [-_greatest_gain(shares, other, codes, room), _greatest_gain(shares, codes, other, room)]
        )
    return float(total[0] / rows.n), float(total[1] / rows.n)


def _greatest_gain(shares: Array, loses: Array, wins: Array, room: Array) -> float:
    """Share rows out over true classes: +1 where the class is `wins`, -1 where it is `loses`, nothing elsewhere.

    "Elsewhere" is written as two chains of classes, those before `loses` and those after it, instead of an arc to each.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    pair, class_ = np.arange(len(shares)), np.arange(len(room))
    before, after, end = (len(pair) + part * (len(room) + 1) for part in range(3))
    arcs = [
        (pair, end + wins, 1.0),
        (pair, end + loses, -1.0),
        (pair, before + loses - 1, 0.0),
        (pair, after + loses + 1, 0.0),
        (before + class_[1:], before + class_[:-1], 0.0),
        (before + class_, end + class_, 0.0),
        (after + class_, after + class_ + 1, 0.0),
        (after + class_, end + class_, 0.0),
    ]
    tail, head = (np.concatenate([arc[side] for arc in arcs]) for side in (0, 1))
    gain = np.concatenate([np.full(len(arc[0]), arc[2]) for arc in arcs])
    each = np.arange(len(gain))
    flow = csr_array(
        (np.repeat([1.0, -1.0], len(gain)), (np.append(tail, head), np.append(each, each))),
        shape=(end + len(room), len(gain)),
    )
    leaves = np.append(shares, np.zeros(end - len(pair)))
    solved = linprog(-gain, A_eq=flow[:end], b_eq=leaves, A_ub=-flow[end:], b_ub=room, method="highs")  # type: ignore[call-overload]
    assert solved.success, solved.message
    return -float(solved.fun)
