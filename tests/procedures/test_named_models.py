"""Models by name, by path, from a file; and the search over several of them."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from justesse.core.errors import FileError, InputError, OptionError
from justesse.procedures.best_of_several import best_of_several
from justesse.procedures.folds import Folds
from justesse.procedures.learners import ALL
from justesse.procedures.named_models import models_in, named_models
from justesse.procedures.nested import nested


def test_every_short_name_and_a_path_with_settings():
    found = named_models([*ALL, "sklearn.svm.SVC(C=10, kernel='linear')"])
    assert list(found)[: len(ALL)] == list(ALL)
    last = found["sklearn.svm.SVC(C=10, kernel='linear')"]
    assert isinstance(last, SVC)
    assert (last.C, last.kernel) == (10, "linear")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("tre", "did you mean 'tree'"),
        ("xgb", "there are tree, forest"),
        ("sklearn.svm.NoSuch", "the module 'sklearn.svm' has no 'NoSuch'"),
        ("sklearn.svm.SVC(c=1)", "cannot be made: TypeError"),
        ("numpy.array", "cannot be made"),
        ("collections.OrderedDict", "a model has fit and predict"),
        ("sklearn.svm.SVR", "answers numbers"),
        ("tree(__import__('os'))", "plain values"),
        ("tree(max_depth=open('x'))", "plain values"),
        ("tree(", "plain values"),
    ],
)
def test_what_names_no_model(word, words):
    with pytest.raises(OptionError, match=words):
        named_models([word])


def test_models_of_a_file(write):
    path = write("models.py", "from sklearn.svm import SVC\nmodels = {'a': SVC(), 7: SVC(C=2)}\n")
    assert list(models_in(path)) == ["a", "7"]
    with pytest.raises(FileError, match="there is no file"):
        models_in("nowhere.py")
    with pytest.raises(InputError, match="cannot be run: SyntaxError"):
        models_in(write("bad.py", "models ="))


def test_a_search_over_several_is_the_same_each_time_and_any_nested_evaluation_takes_it():
    x, y = load_iris(return_X_y=True)
    noisy = np.where(np.arange(150) % 4 == 0, (y + 1) % 3, y)
    pipelines = {
        "deep": Pipeline([("model", DecisionTreeClassifier(max_features=1))]),
        "svm": Pipeline([("model", SVC(kernel="linear", C=0.5, gamma=1.0))]),
    }
    search = best_of_several(pipelines, Folds(3), seed=1)
    assert [sorted(one) for one in search.param_grid][1] == ["chosen"]  # its settings were given: nothing is tuned
    one, other = (nested({"both": search}, x, noisy, Folds(3), seed=1)["both"] for _ in range(2))
    assert one.to_dict() == other.to_dict()
    assert len(one.inner) == 3


def test_settings_that_cannot_be_tried_are_not_chosen():
    rng = np.random.default_rng(0)
    y = np.arange(18) % 2
    x = 3 * y[:, None] + rng.normal(size=(18, 1))
    near = {"near": Pipeline([("model", KNeighborsClassifier())])}
    found = best_of_several(near, Folds(3)).fit(x, y)  # fifteen neighbours of twelve training rows
    assert found.best_params_["chosen__model__n_neighbors"] in (1, 5)
    none = {"far": Pipeline([("model", KNeighborsClassifier(16))])}
    with pytest.raises(InputError, match="no setting could be tried"):
        best_of_several(none, Folds(3)).fit(x, y)
