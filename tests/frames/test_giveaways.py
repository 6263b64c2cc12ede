"""Columns that give the label away, and those that do not."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from justesse.frames.giveaways import giveaways

rng = np.random.default_rng(0)
KINDS = np.array(["cat", "dog", "fox"])
CODES = rng.integers(0, 3, 300)
LABELS = KINDS[CODES]
GUESSED = np.where(rng.random(300) < 0.3, rng.choice(KINDS, 300), LABELS)
SHARES = rng.dirichlet([1, 1, 1], 300)


def found(columns, target="animal", labels=LABELS):
    return giveaways({name: pa.array(list(values)) for name, values in columns.items()}, target, labels)


@pytest.mark.parametrize(
    "name",
    ["prediction", "pred", "y_pred", "yhat", "y_hat", "Y-Hat", "animal_predicted", "predictedClass", "model1.preds"],
)
def test_predictions_by_name(name):
    assert found({name: rng.choice(["x", "y"], 300), "size": rng.normal(size=300)}) == {name: "named like a prediction"}


@pytest.mark.parametrize(
    "name", ["score", "y_score", "proba", "probability", "animal_prob", "p_cat", "proba_dog", "confidence", "scoreFox"]
)
def test_probabilities_by_name(name):
    assert found({name: rng.random(300)}) == {name: "named like a probability or score"}


def test_a_probability_for_each_class():
    columns = {f"tree: {kind}": SHARES[:, at] for at, kind in enumerate(KINDS)}
    assert set(found(columns)) == set(columns)
    assert found({**columns, "tree: fox": SHARES[:, 2] + 0.5}) == {}


def test_answers_of_models_by_what_they_hold():
    assert found({"net": GUESSED}) == {"net": found({"net": GUESSED})["net"]}
    assert "agrees with it in" in found({"net": GUESSED})["net"]
    assert found({"other": rng.choice(KINDS, 300)}) == {}  # as often right as chance
    assert "label" in found({"truth": rng.choice(KINDS, 300)})["truth"]


@pytest.mark.parametrize(
    "values",
    [
        CODES,
        CODES * 1.0,
        [None, *CODES[1:] * 1.0],
        [float("nan"), *CODES[1:] * 1.0],
        KINDS[CODES].astype(object),
        [f"class {code}" for code in CODES],
    ],
)
def test_the_label_under_another_name(values):
    assert "one to one" in found({"kind": values})["kind"]


def test_a_finer_label():
    finer = [f"{kind} {at % 4}" for at, kind in enumerate(LABELS)]
    assert found({"breed": finer})["breed"] == "each of its 12 values occurs with only one class of 'animal'"
    nearly = [*finer[:-1], finer[0] if LABELS[0] != LABELS[-1] else finer[np.flatnonzero(LABELS[-1] != LABELS)[0]]]
    assert found({"breed": nearly}) == {}


def test_what_is_not_taken_for_an_answer():
    answers = np.where(rng.random(300) < 0.5, "yes", "no")
    smoker = np.where(rng.random(300) < 0.25, np.where(answers == "yes", "no", "yes"), answers)
    assert found({"smoker": smoker}, "ill", answers) == {}  # kappa 0.5: of yes and no that is a feature
    bits = (answers == "yes").astype(int)
    columns = {
        "y": rng.normal(size=300),  # a coordinate
        "p": rng.normal(size=300),
        "p1": rng.normal(size=300) * 9,  # a pressure, not P(1)
        "credit_score": rng.normal(size=300),
        "prob_rain": rng.random(300),
        "precondition": rng.choice(["a", "b"], 300),
        "seen": rng.integers(0, 2, 300),
        "step": np.where(bits == 1, 2.5, 1.5),  # a measurement may separate classes
        "empty": [None] * 300,
        "lists": [[1, 2]] * 300,
    }
    assert found(columns, "ill", bits) == {}


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_no_real_measurement_is_suspected(load):
    data = load()
    frame = pd.DataFrame(data.data, columns=data.feature_names)
    assert found({name: frame[name] for name in frame}, "kind", data.target_names[data.target]) == {}
    coarse = frame.rank(pct=True).mul(5).round().astype(int)
    assert found({name: coarse[name] for name in coarse}, "kind", data.target) == {}
