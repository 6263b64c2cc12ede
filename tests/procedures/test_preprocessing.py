"""Preparation inside a pipeline: against scikit-learn's own parts, on training rows alone."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from justesse.procedures.preprocessing import prepared

X = np.array(
    [[1.0, "a", "red fish"], [np.nan, "b", "blue fish"], [3.0, "a", "red sky"], [9.0, "c", "green sky"]], dtype=object
)
Y = [0, 1, 0, 1]


def test_the_median_and_the_scale_are_those_of_the_training_rows():
    model = prepared(GaussianNB(), numbers=[0]).fit(X[:3], Y[:3])
    made = model[0].transform(X)
    filled = np.array([1, 2, 3])  # 2: the median of 1 and 3, without the 9 that is not trained on
    assert made[:, 0].tolist() == pytest.approx(((np.array([1, 2, 3, 9]) - filled.mean()) / filled.std()).tolist())
    assert len(set(made[[0, 2, 3], 1])) == 1
    assert made[1, 1] > made[0, 1]


def test_a_name_not_seen_in_training_is_none_of_those_seen():
    made = prepared(GaussianNB(), categories=[1]).fit(X[:3], Y[:3])[0].transform(X)
    assert made.tolist() == [[1, 0], [0, 1], [1, 0], [0, 0]]


def test_texts_are_tf_idf_and_stay_sparse_for_models_that_take_it():
    expected = TfidfVectorizer(sublinear_tf=True).fit_transform(X[:, 2]).toarray()
    sparse = prepared(LogisticRegression(), texts=[2]).fit(X, Y)[0].transform(X)
    np.testing.assert_allclose(sparse.toarray(), expected)
    dense = prepared(GaussianNB(), texts=[2]).fit(X, Y)[0].transform(X)
    np.testing.assert_allclose(dense, expected)


def test_many_rare_names_share_a_column():
    rng = np.random.default_rng(0)
    names = np.array([f"name {at}" for at in rng.integers(400, size=1000)], dtype=object)[:, None]
    assert prepared(GaussianNB(), categories=[0]).fit(names, np.arange(1000) % 2)[0].transform(names).shape == (
        1000,
        100,
    )
