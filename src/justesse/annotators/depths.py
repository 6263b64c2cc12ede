"""What a tree or a forest would answer if it had stopped growing earlier."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array


def answers_by_depth(model: Any, x: NDArray[np.float32]) -> Iterator[tuple[int, Array]]:
    """Walk all instances down a fitted tree, or the trees of a forest, and answer at every depth on the way.

    Every node knows the classes of the training instances that passed through it, so one fit gives all depths. The
    last one is the whole model. Wrong to use on features with gaps, which trees send their own way.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x, y = np.arange(4, dtype=np.float32)[:, None], np.array([0, 1, 1, 0])
    >>> [(depth, answers.tolist()) for depth, answers in answers_by_depth(DecisionTreeClassifier().fit(x, y), x)]
    [(1, [0, 1, 1, 1]), (2, [0, 1, 1, 0])]
    """
    trees = [fitted.tree_ for fitted in getattr(model, "estimators_", [model])]
    rows, nodes = np.arange(len(x)), np.zeros((len(trees), len(x)), dtype=np.intp)
    for depth in range(1, max(tree.max_depth for tree in trees) + 1):
        shares = np.zeros((len(x), len(model.classes_)))
        for tree, node in zip(trees, nodes, strict=True):
            down = tree.children_left[node] >= 0
            low = x[rows, np.maximum(tree.feature[node], 0)] <= tree.threshold[node]
            below = np.where(low, tree.children_left[node], tree.children_right[node])
            node[:] = np.where(down, below, node)
            counts = tree.value[node, 0, :]
            shares += counts / counts.sum(axis=1, keepdims=True)
        yield depth, model.classes_[shares.argmax(axis=1)]
