"""Models over splits: what they answered, the same wherever they ran, and nothing lost or made up."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import justesse
from justesse.core.errors import ClassError, OptionError
from justesse.procedures import fitting
from justesse.procedures.folds import Folds, LeaveOneOut
from justesse.procedures.holdout import Holdout
from justesse.procedures.run import run
from justesse.procedures.score import fold_scores, score

X, CODES = load_iris(return_X_y=True)
Y = load_iris().target_names[CODES]
MODELS = {"tree": DecisionTreeClassifier(max_features=1), "bayes": GaussianNB()}


def same(one, other):
    return one.table() == other.table()


@pytest.fixture(scope="module")
def found():
    return run(MODELS, X, Y, Folds(5, repeats=2), want=["probabilities", "memory"])


def test_every_answer_has_its_row_fold_and_repetition(found):
    table = found.table()
    assert list(table)[:5] == ["row", "repetition", "fold", "label", "tree"]
    assert table["label"] == Y[table["row"]].tolist()
    assert {type(one) for one in table["row"] + table["fold"]} == {int}
    for repetition in (0, 1):
        rows = [row for row, own in zip(table["row"], table["repetition"], strict=True) if own == repetition]
        assert sorted(rows) == list(range(150))
    probabilities = np.array([table[f"bayes: {name}"] for name in ("setosa", "versicolor", "virginica")])
    np.testing.assert_allclose(probabilities.sum(axis=0), 1)


def test_answers_are_those_of_scikit_learn():
    procedure = KFold(5, shuffle=True, random_state=3)
    table = run({"bayes": GaussianNB()}, X, Y, procedure).table()
    expected = cross_val_predict(GaussianNB(), X, Y, cv=procedure)
    assert table["bayes"] == expected[table["row"]].tolist()


def test_the_table_feeds_evaluate_and_compare(found):
    table = found.table()
    first = {
        name: [one for one, own in zip(values, table["repetition"], strict=True) if own == 0]
        for name, values in table.items()
    }
    evaluated = justesse.evaluate(first, label="label", prediction="bayes")
    wrong = np.mean([label != given for label, given in zip(first["label"], first["bayes"], strict=True)])
    assert {one.name: one.value for one in evaluated.estimates if one.class_name is None}["error"] == pytest.approx(
        wrong
    )
    assert justesse.compare(first, label="label", incumbent="tree", candidate="bayes").verdict
    assert justesse.compare_folds(fold_scores(found), lower_is_better=True).verdict.difference.n == 10


def test_side_by_side_and_elsewhere_change_nothing(found):
    wanted = ["probabilities"]
    assert same(found, run(MODELS, X, Y, Folds(5, repeats=2), want=wanted, n_jobs=2))
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert same(found, run(MODELS, X, Y, Folds(5, repeats=2), want=wanted))
    assert not same(found, run(MODELS, X, Y, Folds(5, repeats=2), want=wanted, seed=1))


def test_a_dask_cluster_of_two_processes_gives_the_same_bytes(found):
    distributed = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed: pip install distributed"
    )
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        again = run(MODELS, X, Y, Folds(5, repeats=2), want=["probabilities"])
    assert same(found, again)


def test_costs_are_measured(found):
    for fits in found.fits.values():
        for fit in fits:
            assert 0 < fit.fit_seconds < 60
            assert 0 < fit.predict_seconds < 60
            assert fit.peak_bytes > 1000
            assert fit.model_bytes > 100
    assert np.isnan(run(MODELS, X, Y, Folds(2)).fits["tree"][0].peak_bytes)


class Moody(ClassifierMixin, BaseEstimator):
    """Fails when the first training row is an odd one."""

    def fit(self, x, y):
        if int(x[0, 0]) % 2:
            raise RuntimeError("not today")
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.classes_[0])


def test_a_model_that_fails_now_and_then_is_reported_and_nothing_is_made_up():
    x = np.arange(150)[:, None]
    made = run({"moody": Moody(), "bayes": GaussianNB()}, x, Y, Folds(5, repeats=2))
    failed = made.failures
    assert 0 < len(failed) < 10
    assert {one["model"] for one in failed} == {"moody"}
    assert {one["failure"] for one in failed} == {"RuntimeError: not today"}
    table = made.table()
    places = {(one["repetition"], one["fold"]) for one in failed}
    for repetition, fold, answer in zip(table["repetition"], table["fold"], table["moody"], strict=True):
        assert (answer is None) == ((repetition, fold) in places)
    assert None not in table["bayes"]
    moody = score(made, "moody")
    assert moody.failed == len(failed)
    assert len(moody.scores) == 10 - len(failed)
    assert "failed in" in moody.warnings[0]
    assert len(fold_scores(made)["bayes"]) == 10 - len(failed)


def test_wrong_answers_are_failures():
    class Short(Moody):
        def fit(self, x, y):
            self.short_ = len(y) % 2 == 0
            self.classes_ = np.unique(y)
            return self

        def predict(self, x):
            return super().predict(x)[: -1 if self.short_ else None]

    with pytest.raises(
        OptionError,
        match="Every model failed in every split. The first failure: InputError: A model must return one answer",
    ):
        run({"short": Short()}, X, Y, Folds(5))


def test_non_finite_features_are_named_by_who_cannot_use_them():
    x = X.copy()
    x[0, 0] = np.inf
    with pytest.raises(OptionError, match="infinity"):
        run({"bayes": GaussianNB()}, x, Y, Holdout())
    x[0, 0] = np.nan
    made = run({"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}, x, Y, Holdout())
    assert [one["model"] for one in made.failures] == ["bayes"]


@pytest.mark.parametrize(
    ("models", "y", "error", "words"),
    [
        ({}, Y, OptionError, "At least one model"),
        (MODELS, Y[:9], OptionError, "Each row needs one label"),
        (MODELS, ["a"] * 150, ClassError, "At least two classes are required, but all 150 labels are 'a'"),
        (MODELS | {"line": LinearRegression()}, Y, OptionError, "Run them separately"),
        ({"line": LinearRegression()}, Y, OptionError, "need numeric labels"),
        ({"line": LinearRegression()}, np.full(150, np.nan), OptionError, "finite"),
    ],
)
def test_bad_input_is_said(models, y, error, words):
    with pytest.raises(error, match=words):
        run(models, X, y)


def test_a_stopped_run_goes_on_where_it_was(found, tmp_path, monkeypatch):
    class StoppedError(Exception):
        pass

    def stop(done, total):
        assert total == 20
        if done == 7:
            raise StoppedError

    with pytest.raises(StoppedError):
        run(MODELS, X, Y, Folds(5, repeats=2), want=["probabilities"], checkpoint=tmp_path, progress=stop)
    kept = list(tmp_path.iterdir())
    assert 7 <= len(kept) < 20
    fitted = []
    plain = fitting._fitted
    monkeypatch.setattr(fitting, "_fitted", lambda *all: fitted.append(1) or plain(*all))
    again = run(MODELS, X, Y, Folds(5, repeats=2), want=["probabilities"], checkpoint=tmp_path)
    assert same(found, again)
    assert len(fitted) == 20 - len(kept)
    assert [fit.train_error for fit in again.fits["bayes"]] == [fit.train_error for fit in found.fits["bayes"]]
    # other data, settings and seeds are other work
    run(MODELS, X[::-1], Y, Folds(5, repeats=2), want=["probabilities"], checkpoint=tmp_path)
    assert len(fitted) == 40 - len(kept)


def test_a_failure_is_tried_again(tmp_path):
    x = np.arange(150)[:, None]
    first = run({"moody": Moody()}, x, Y, Folds(5), checkpoint=tmp_path)
    assert len(list(tmp_path.iterdir())) == 5 - len(first.failures)


KILLED = """
import sys, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from justesse.procedures.folds import Folds
from justesse.procedures.run import run

class Slow(GaussianNB):
    def fit(self, x, y):
        time.sleep(0.1)
        return super().fit(x, y)

found = run({"slow": Slow()}, *load_iris(return_X_y=True), Folds(5, repeats=4), checkpoint=sys.argv[1])
print(hash(tuple(found.table()["slow"])))
"""


def test_a_killed_run_loses_nothing(tmp_path):
    script, folder = tmp_path / "killed.py", tmp_path / "kept"
    script.write_text(KILLED)
    command = [sys.executable, str(script), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path(justesse.__file__).parents[1])}
    process = subprocess.Popen(command, env=environment)
    waited = time.monotonic() + 60
    while len(list(folder.glob("*.npz"))) < 3 and time.monotonic() < waited:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert 3 <= len(kept) < 20
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert len(list(folder.glob("*.npz"))) == 20
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    plain = run({"slow": GaussianNB()}, X, CODES, Folds(5, repeats=4))
    assert int(done.stdout) == hash(tuple(plain.table()["slow"]))


def test_numbers_can_be_learnt_too():
    x, y = load_diabetes(return_X_y=True)
    made = run({"line": LinearRegression()}, x, y)
    assert made.procedure == Folds(kind="plain")
    table = made.table()
    expected = cross_val_predict(LinearRegression(), x, y, cv=made.procedure)
    np.testing.assert_allclose(table["line"], expected[table["row"]])
    with pytest.raises(OptionError, match="no counts per class"):
        made.tally(made.answered("line"))


def test_a_class_that_a_fold_did_not_train_on_has_probability_0():
    y = np.array(["a"] * 10 + ["b"] * 10 + ["rare"])
    made = run({"bayes": GaussianNB()}, np.arange(21.0)[:, None], y, LeaveOneOut(), want=["probabilities"])
    assert made.table()["bayes: rare"][-1] == 0.0
