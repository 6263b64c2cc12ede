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
from justesse.procedures.written_model import written_model


def test_every_short_name_and_a_path_with_settings():
    found = named_models([*ALL, "sklearn.svm.SVC(C=10, kernel='linear')"])
    assert list(found)[: len(ALL)] == list(ALL)
    last = found["sklearn.svm.SVC(C=10, kernel='linear')"]
    assert isinstance(last, SVC)
    assert (last.C, last.kernel) == (10, "linear")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("tre", "Did you mean 'tree'"),
        ("xgb", "Models: tree, forest"),
        ("sklearn.svm.NoSuch", "Module 'sklearn.svm' has no 'NoSuch'"),
        ("sklearn.svm.SCV", "Did you mean sklearn.svm.SVC?"),
        ("sklearn.swm.SVC", "Module 'sklearn.swm' of scikit-learn cannot be imported"),
        ("sklearn.svm.SVC(c=1)", r"cannot be created \(TypeError"),
        ("tree(depth=1)", "tree has no setting 'depth'. Settings: ccp_alpha"),
        ("sklearn.preprocessing.StandardScaler", "needs fit and predict"),
        ("sklearn.svm.SVR", "predicts numbers"),
        ("tree(__import__('os'))", "plain values"),
        ("tree(max_depth=open('x'))", "plain values"),
        ("tree(", "plain values"),
    ],
)
def test_what_names_no_model(word, words):
    with pytest.raises(OptionError, match=words):
        named_models([word])


HOSTILE = [
    "os.system(command='touch mark')",
    "os.mkdir(path='mark')",
    "subprocess.Popen(args=['touch', 'mark'])",
    "pathlib.Path('mark').touch()",
    "builtins.exec(source='open(\"mark\", \"w\")')",
    "mark_on_import.Model",
    "mark_on_import.tests.Model()",
    "sklearn.os.mkdir(path='mark')",
    "sklearn.utils.os.mkdir(path='mark')",
    "sklearn.datasets.load_files(container_path='.')",
    "sklearn.datasets._base.Path(args='mark')",
    "sklearn.utils._testing.MinimalClassifier()",
    "sklearn.tests.test_base.K()",
    "sklearn.conftest.Model",
    "sklearn.externals.array_api_compat.numpy.load(file='x')",
    "sklearn.pipeline.make_pipeline()",
    "sklearn.utils.Bunch(fit=1, predict=1)",
    "sklearn.svm.SVC.__init__.__globals__",
    "sklearn.svm.SVC().fit",
    "sklearn.svm.SVC(C=open('mark', 'w'))",
    "sklearn.svm.SVC(C=os.mkdir(path='mark'))",
    "sklearn.svm.SVC(C=[tree(), {'a': os.mkdir(path='mark')}])",
    "sklearn.svm.SVC(kernel=lambda a, b: open('mark', 'w'))",
    "sklearn.svm.SVC(kernel=os.mkdir)",
    "sklearn.svm.SVC(kernel=f'{open(\"mark\", \"w\")}')",
    "sklearn.svm.SVC(C=(x := open('mark', 'w')))",
    "sklearn.svm.SVC(**{'C': 1})",
    "sklearn.svm.SVC(C=[*[1]])",
    "sklearn.svm.SVC(C={**{}})",
    "sklearn.svm.SVC(C=[open('mark', 'w') for x in [1]])",
    "sklearn.svm.SVC(C='a' * 10 ** 9)",
    "sklearn.svm.SVC(C=1, C=2)",
    "sklearn.svm.SVC(C={[]: 1})",
    "sklearn.svm.SVC(C={{}})",
    "sklearn.pipeline.Pipeline(steps=[('a', tree())], memory='.')",
    "tree(max_depth=-" + "-" * 5000 + "1)",
    "(" * 300 + "tree" + ")" * 300,
    "tree(a=" + "[" * 150 + "]" * 150 + ")",
    "sklearn" + ".a" * 4000,
    "tree" + "()" * 4000,
    "tree" * 10_000,
    "tree\0",
    "tree\n",
    "tree; import os",
    "tree(max_depth=9" + "9" * 5000 + ")",
    "(lambda: tree)()",
    "[tree][0]",
    "await tree",
    "yield tree",
    "",
    " ",
    "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_a_word_runs_nothing_but_estimators_of_scikit_learn(word, tmp_path, monkeypatch):
    """Every word is refused with a sentence, whatever it hides, and leaves no mark."""
    (tmp_path / "mark_on_import.py").write_text("open('mark', 'w')\nclass Model: fit = predict = None\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    if word == "tree\n":  # what surrounds a word is no part of it
        assert isinstance(named_models([word])[word], DecisionTreeClassifier)
        return
    with pytest.raises(OptionError):
        named_models([word])
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["mark_on_import.py"]


def test_settings_are_values_and_estimators():
    word = (
        "sklearn.pipeline.Pipeline(steps=[('scale', sklearn.preprocessing.StandardScaler(with_mean=False)), "
        "('bag', sklearn.ensemble.BaggingClassifier(estimator=tree(max_depth=+2, class_weight={'a': 1.5, 0: -1})))])"
    )
    made = named_models([word])[word].get_params()
    assert made["scale__with_mean"] is False
    assert made["bag__estimator__max_depth"] == 2
    assert made["bag__estimator__class_weight"] == {"a": 1.5, 0: -1}


def test_models_of_a_file(write):
    path = write("models.py", "from sklearn.svm import SVC\nmodels = {'a': SVC(), 7: SVC(C=2)}\n")
    assert list(models_in(path)) == ["a", "7"]
    with pytest.raises(FileError, match="File .* not found"):
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
    with pytest.raises(InputError, match="No setting worked in every inner fold"):
        best_of_several(none, Folds(3)).fit(x, y)


@pytest.mark.parametrize("grid", ['{"memory": ["folder"]}', '[{"a__memory": ["folder"]}]'])
def test_a_search_cannot_set_the_memory_of_a_pipeline(grid):
    steps = '[("s", sklearn.preprocessing.StandardScaler()), ("t", tree())]'
    word = (
        f"sklearn.model_selection.GridSearchCV(estimator=sklearn.pipeline.Pipeline(steps={steps}), param_grid={grid})"
    )
    with pytest.raises(OptionError, match="reads pickled objects"):
        written_model(word)
