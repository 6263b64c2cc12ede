"""A fresh copy of an estimator whose chance comes from one seed."""

from typing import Any

import numpy as np


def seeded(estimator: Any, generator: np.random.Generator) -> Any:
    """Copy an estimator unfitted, and seed every `random_state` that was left open, also inside a pipeline.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(max_depth=2), np.random.default_rng(0))
    DecisionTreeClassifier(max_depth=2, random_state=1826701615)
    >>> seeded(DecisionTreeClassifier(random_state=7), np.random.default_rng(0))
    DecisionTreeClassifier(random_state=7)
    """
    from sklearn.base import clone

    copy = clone(estimator, safe=False)
    settings = copy.get_params() if hasattr(copy, "get_params") else {}
    for name in sorted(settings):
        if name.split("__")[-1] == "random_state" and settings[name] is None:
            copy.set_params(**{name: int(generator.integers(1 << 31))})
    return copy
