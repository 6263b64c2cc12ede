"""Four systems of the same logistic regression, which differ in the labels that each version learns from."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from justesse.core.arrays import Array
from studies.lifelong_policies.streams import BLOCK, TRAINING, Stream

SYSTEMS = ("static", "cumulative", "last block", "active")
ROUNDS = 4  # in which the active system asks for the labels of a block


def answers(stream: Stream) -> pd.DataFrame:
    """Return the answers of every version of every system to all test items."""
    tests = stream.tests
    tables = []
    for system in SYSTEMS:
        for block, learnt in enumerate(lessons(stream, system)):
            table = {
                "system": system,
                "version": f"v{block + 1}",
                "trained": block * BLOCK + TRAINING - 1,
                "id": tests,
                "time": stream.day[tests],
                "label": stream.label[tests],
                "prediction": fitted(stream, learnt).predict(stream.features[tests]),
            }
            tables.append(pd.DataFrame(table))
    return pd.concat(tables, ignore_index=True)


def lessons(stream: Stream, system: str) -> Iterator[Array]:
    """Yield the places of the items that each version of a system learns from."""
    seen = np.array([], dtype=int)
    for block in range(stream.blocks):
        new = stream.training(block)
        if system == "active":
            seen = asked(stream, seen, new)
        elif system == "cumulative" or block == 0:
            seen = np.concatenate([seen, new])
        elif system == "last block":
            seen = new
        yield seen


def asked(stream: Stream, seen: Array, new: Array) -> Array:
    """Add the labels of new items that the model is least sure about; without a model, evenly over time."""
    for _ in range(ROUNDS):
        left = np.setdiff1d(new, seen)
        most = stream.budget // ROUNDS
        if len(seen):
            sure = fitted(stream, seen).predict_proba(stream.features[left]).max(axis=1)
            picked = left[np.argsort(sure, kind="stable")[:most]]
        else:
            picked = left[np.linspace(0, len(left) - 1, most).astype(int)]
        seen = np.concatenate([seen, picked])
    return seen


def fitted(stream: Stream, learnt: Array) -> Pipeline:
    """Fit the model to some items."""
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return model.fit(stream.features[learnt], stream.label[learnt])
