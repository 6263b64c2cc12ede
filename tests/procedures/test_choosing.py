"""Choosing apart from evaluating: three sets, refit, nested, validation curves, early stopping."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from justesse.core.errors import OptionError
from justesse.procedures.folds import Folds
from justesse.procedures.holdout import Holdout
from justesse.procedures.iterations import iterations
from justesse.procedures.nested import nested
from justesse.procedures.refit import choose_and_refit
from justesse.procedures.three_sets import three_sets
from justesse.procedures.validation_curve import validation_curve

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:240, :5], Y[:240]


class Guess(ClassifierMixin, BaseEstimator):
    """Answers at random, by its seed alone: no setting is better than another."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.random.default_rng([self.number, int(1e6 * abs(x[0, 0]))]).integers(2, size=len(x))


@pytest.mark.parametrize("kind", ["stratified", "plain", "grouped", "by-time"])
def test_three_sets_share_no_row(kind):
    groups = {"grouped": np.arange(240) // 4, "by-time": np.arange(240)[::-1]}.get(kind)
    found = three_sets(Y, kind=kind, groups=groups)
    parts = (found.train, found.validation, found.test)
    assert sorted(np.concatenate(parts).tolist()) == list(range(240))
    assert [len(part) for part in parts] == [144, 48, 48]
    if kind == "stratified":
        for part in parts:
            assert Y[part].mean() == pytest.approx(Y.mean(), abs=0.02)
    if kind == "grouped":
        assert not set(groups[found.train]) & set(groups[found.validation])
        assert not set(groups[found.chosen_from]) & set(groups[found.test])
    if kind == "by-time":
        assert groups[found.train].max() < groups[found.validation].min()
        assert groups[found.validation].max() < groups[found.test].min()


def test_a_search_chooses_on_validation_rows_alone():
    found = three_sets(Y)
    rows = found.chosen_from
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 15]}, cv=found.cv).fit(X[rows], Y[rows])
    model = KNeighborsClassifier(search.best_params_["n_neighbors"]).fit(X[found.train], Y[found.train])
    assert search.best_score_ == model.score(X[found.validation], Y[found.validation])
    with pytest.raises(OptionError, match="add up to 1"):
        three_sets(Y, shares=(0.5, 0.2, 0.2))


def test_settings_are_chosen_by_their_mean_and_trained_on_all_rows():
    models = {"naive": DummyClassifier(), "bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}
    found = choose_and_refit(models, X, Y, Folds(5))
    means = {one.model: one.estimate.value for one in found.scored}
    assert found.chosen == min(means, key=means.get)
    assert getattr(found.model, "class_count_", np.array([240])).sum() == 240
    assert "best of 3" in found.warning
    assert choose_and_refit({"bayes": GaussianNB()}, X, Y, Folds(3)).warning is None
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_best_of_many_guesses_flatters_and_nested_shows_it():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(120, 1)), np.arange(120) % 2
    search = GridSearchCV(Guess(), {"number": list(range(30))}, cv=Folds(3))
    found = nested({"guess": search}, x, y, Folds(5, repeats=2))["guess"]
    assert found.optimism.value > 0.04
    assert found.non_nested > 0.55
    assert found.scored.estimate.value == pytest.approx(0.5, abs=0.08)
    np.testing.assert_allclose(found.optimism.value, np.mean(np.subtract(found.inner, found.outer)))
    np.testing.assert_allclose(1 - np.array(found.outer), found.scored.scores)
    assert "different settings in 10 splits" in found.words
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_model_that_does_not_search_has_no_optimism_to_show():
    found = nested({"bayes": GaussianNB()}, X, Y, Folds(3))["bayes"]
    assert np.isnan(found.optimism.value)
    assert "no best_score_" in found.optimism.undefined
    assert found.scored.estimate.value < 0.3
    one = nested({"k": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3)}, X, Y, Holdout())["k"]
    assert one.optimism.undefined.startswith("no interval: one split")


def test_a_validation_curve_finds_the_middle():
    rng = np.random.default_rng(2)
    x = rng.uniform(-2, 2, size=(300, 1))
    y = (np.sin(3 * x[:, 0]) > 0) ^ (rng.random(300) < 0.15)
    values = [301 // 2, 51, 15, 5, 1]  # from the simplest
    found = validation_curve(KNeighborsClassifier(), x, y.astype(int), "n_neighbors", values, Folds(5))
    assert 0 < found.best < 4
    assert found.simplest <= found.best
    assert found.scored[-1].train_error == 0.0
    assert "over-fitting" in found.words
    assert found.scored[0].estimate.value > found.scored[found.best].estimate.value + 0.1
    json.dumps(found.to_dict(), allow_nan=False)
    edge = validation_curve(KNeighborsClassifier(), x, y.astype(int), "n_neighbors", values[:3], Folds(5))
    assert "try further" in edge.words
    with pytest.raises(OptionError, match="Settings: "):
        validation_curve(GaussianNB(), X, Y, "depth", [1])


def test_training_too_long_turns_up_and_stopping_is_chosen_on_validation_rows():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(300, 5))
    y = (x[:, 0] > 0) ^ (rng.random(300) < 0.25)
    model = GradientBoostingClassifier(n_estimators=120, learning_rate=0.5, max_depth=3)
    found = iterations(model, x, y.astype(int), most=120)
    assert found.stop == int(np.argmin(found.validation)) + 1
    assert found.stop < 60
    assert found.train[-1] < found.train[0]
    assert found.validation[-1] > found.validation[found.stop - 1]
    assert "over-fitting" in found.words
    sets = three_sets(y.astype(int))
    shuffled = y.astype(int).copy()
    shuffled[sets.test] = rng.permutation(shuffled[sets.test])
    other = iterations(model, x, shuffled, sets=sets, most=120)
    assert (other.stop, other.validation) == (found.stop, found.validation)  # test rows had no say
    assert other.test.value != found.test.value
    json.dumps(found.to_dict(), allow_nan=False)


def test_patience_ends_training_early():
    model = SGDClassifier()
    long, short = (iterations(model, X, Y, most=30, patience=one) for one in (None, 3))
    assert len(long.train) == 30
    assert len(short.train) == min(30, short.stop + 3)
    assert short.validation == long.validation[: len(short.validation)]
    x, y = load_diabetes(return_X_y=True)
    numbers = iterations(GradientBoostingRegressor(n_estimators=20), x, y)
    assert len(numbers.train) == 20
    assert numbers.test.interval.method == "student"
    with pytest.raises(OptionError, match="does not show its iterations"):
        iterations(DecisionTreeClassifier(), X, Y)
    with pytest.raises(OptionError, match="most=0"):
        iterations(model, X, Y, most=0)
