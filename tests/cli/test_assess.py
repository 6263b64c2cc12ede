"""`justesse assess`: what it prints, writes and refuses."""

import json
import os
import sys

import jsonschema
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from justesse import assess
from justesse.cli import output
from justesse.verbs.schemas import schema

SCHEMA = schema("assess")
IRIS = load_iris()
FRAME = pd.DataFrame(IRIS.data, columns=list("abcd")).assign(species=IRIS.target_names[IRIS.target], id=range(150))


@pytest.fixture
def iris(tmp_path):
    FRAME.to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv"


def test_it_says_how_right_each_is_and_which_is_better(run, iris):
    ran = run(
        "assess", iris, "--label", "species", "--model", "tree,bayes", "--model", "neighbours(n_neighbors=1)", "--k", 5
    )
    assert ran.code == 0
    for words in (
        "Best of 3 models by accuracy: ",
        "n = 150) on rows it was not trained on (stratified 5-fold cross-validation)",
        "Always predicting 'setosa' would give 33.3 %",
        "corrected t",
        "analysis of variance, corrected for shared training rows",
        "The best of several is partly lucky: corrected for the choice",
        "Columns not used: 'id' (a different value in every row",
        "Seed 0",
    ):
        assert words in " ".join(ran.out.split()), words
    assert "significant" not in ran.out
    assert ran.out.index("! Columns not used") < ran.out.index("Models, best first")


def test_full_adds_what_the_summary_leaves_out(run, iris):
    command = ["assess", iris, "--label", "species", "--model", "tree,bayes", "--k", 5]
    summary, full = (run(*command, *more).out for more in ([], ["--full"]))
    assert "--full also shows: How often each model is the best; Training and test error" in " ".join(summary.split())
    for words in ("always 'setosa'", "Error 0.0 % on its training rows", "worst F1 first"):
        assert words not in summary
        assert words in full


def test_what_a_model_prints_is_not_in_the_json(run, iris):
    ran = run("assess", iris, "--label", "species", "--k", 3, "--json", "--model", "forest(verbose=3,n_estimators=3)")
    assert ran.code == 0
    assert ran.json["n"] == 150


def test_json_is_what_the_library_gives(run, iris):
    words = [
        "--procedure",
        "stratified-kfold",
        "--k",
        5,
        "--repeats",
        2,
        "--level",
        0.9,
        "--seed",
        4,
        "--measure",
        "f1",
    ]
    found = run("assess", iris, "--label", "species", "--model", "tree,bayes", *words, "--json").json
    jsonschema.validate(found, SCHEMA)
    same = assess(iris, label="species", model=["tree", "bayes"], k=5, repeats=2, level=0.9, seed=4, measure="f1")
    expected = json.loads(json.dumps(same.to_dict()))
    for one in (found, expected):
        assert set(one.pop("run")["fit_seconds"]) == {"tree", "bayes"}
    assert found == expected
    assert found["splits"] == 10


def test_a_models_file_and_a_dotted_path(run, iris, write):
    path = write("models.py", "from sklearn.dummy import DummyClassifier\nmodels = {'naive': DummyClassifier()}\n")
    words = ["--models-file", path, "--model", "sklearn.naive_bayes.GaussianNB(var_smoothing=0.1)", "--k", 3, "--json"]
    found = run("assess", iris, "--label", "species", *words).json
    assert found["ranked"] == ["sklearn.naive_bayes.GaussianNB(var_smoothing=0.1)", "naive"]
    assert found["pairs"][0]["told_apart"]


def test_a_models_file_is_run_and_it_says_so(run, iris, write):
    path = write("models.py", "from sklearn.dummy import DummyClassifier\nmodels = {'naive': DummyClassifier()}\n")
    ran = run("assess", iris, "--label", "species", "--models-file", path, "--k", 3, "--json")
    assert ran.err == f"Running the Python file {str(path)!r} (--models-file).\n"
    assert ran.json["ranked"] == ["naive"]
    assert "The file is run" in " ".join(run("assess", "--help").out.replace("│", " ").split())


def test_a_model_on_the_command_line_runs_nothing_else(run, iris, tmp_path):
    mark = tmp_path / "mark"
    for word in (
        f"os.system(command='touch {mark}')",
        f"os.mkdir(path='{mark}')",
        f"pathlib.Path.touch(self='{mark}')",
    ):
        ran = run("assess", iris, "--label", "species", "--model", word)
        assert ran.code == 2
        assert "is not an estimator of scikit-learn" in " ".join(ran.err.split())
        assert not mark.exists()


def test_models_within_models_and_commas_within_brackets(run, iris):
    bagged = "sklearn.ensemble.BaggingClassifier(estimator=tree(max_depth=1, min_samples_leaf=2), n_estimators=3)"
    found = run("assess", iris, "--label", "species", "--model", f"{bagged},bayes", "--k", 3, "--json").json
    assert sorted(found["ranked"]) == ["bayes", bagged]


OWN = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

def commonest(y):
    return max(set(y), key=list(y).count)

class Commonest(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.answer_ = commonest(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.answer_)

models = {"own": Commonest()}
"""


def test_a_class_of_the_models_file_goes_to_other_processes_and_into_checkpoints(run, iris, write, tmp_path):
    words = [
        "--label",
        "species",
        "--models-file",
        write("models.py", OWN),
        "--procedure",
        "kfold",
        "--k",
        4,
        "--json",
    ]
    found = [
        run("assess", iris, *words, *more).json
        for more in ([], ["--jobs", 2], ["--checkpoint", tmp_path / "kept"], ["--checkpoint", tmp_path / "kept"])
    ]
    for one in found:
        assert one["failures"] == []
        assert one["models"][0]["errors"] == found[0]["models"][0]["errors"]
    assert found[2] == found[3]  # the seconds of training as well: they are those that were kept


def test_a_checkpoint_of_another_models_file_is_not_read(run, iris, write, tmp_path):
    """The class has the same name and settings; only what it does has changed."""

    def errors(text, *more):
        words = ["--label", "species", "--models-file", write("models.py", text), "--k", 3, "--json"]
        return run("assess", iris, *words, *more).json["models"][0]["errors"]

    kept = ["--checkpoint", tmp_path / "kept"]
    rarest = OWN.replace("max(", "min(").replace("len(x), self.answer_", "len(x), 'virginica'")
    first, second = (errors(text, *kept) for text in (OWN, rarest))
    assert first == errors(OWN)
    assert second == errors(rarest)
    assert first != second


def test_what_it_writes_is_read_by_the_other_commands(run, iris, tmp_path):
    out, again = tmp_path / "out.parquet", tmp_path / "again.csv"
    words = ["--model", "tree,bayes,neighbours", "--k", 3, "--repeats", 2]
    ran = run("assess", iris, "--label", "species", *words, "--predictions", out, "-o", tmp_path / "measures.csv")
    assert ran.out.count("Written:") == 2
    assert run("evaluate", out, "--prediction", "tree", "--json").json["n"] == 150
    assert run("compare", out, "--incumbent", "tree", "--candidate", "bayes", "--json").json["n"] == 150
    words_of_judges = [
        "--true",
        "label",
        "--noise-rates",
        "0.1",
        "--model",
        "tree,bayes,neighbours",
        "--judge",
        "paired",
    ]
    ran = run("tournament", out, *words_of_judges, "--json")
    assert ran.code == 0, ran.err
    assert pd.read_csv(tmp_path / "measures.csv")["model"].nunique() == 3
    words += ["--probabilities", "--every-repetition", "--predictions", again]
    assert run("assess", iris, "--label", "species", *words).code == 0
    assert len(pd.read_csv(again)) == 300
    assert run("evaluate", again, "--prediction", "bayes", "--proba", "bayes: ").code == 0


def test_page_and_charts(run, iris, tmp_path):
    words = [
        "--model",
        "bayes,tree(max_depth=2)",
        "--k",
        3,
        "--report",
        tmp_path / "page.html",
        "--charts",
        tmp_path / "charts",
    ]
    ran = run("assess", iris, "--label", "species", *words)
    assert ran.code == 0, ran.err
    page = (tmp_path / "page.html").read_text()
    for title in ("Models", "Differences between models", "Training and test error", "Choosing the best model"):
        assert title in page
    assert sorted(path.name for path in (tmp_path / "charts").glob("*.svg")) == ["boxes.svg", "gap.svg", "pairs.svg"]


def test_progress_is_shown_on_a_terminal_alone(run, iris, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    ran = run("assess", iris, "--label", "species", "--model", "bayes", "--json")
    assert ran.code == 0
    assert "Training models" in ran.err
    assert ran.json["ranked"] == ["bayes"]


REFUSED = [
    (["--k", 60], "60 stratified folds need at least 60 rows of each class"),
    (["--features", "a,gone"], "Column 'gone' not found"),
    (["--model", "forrest"], "Did you mean 'forest'?"),
    (["--models-file", "nowhere.py"], "File 'nowhere.py' not found"),
    (["--time", "species"], "cannot be read as times: row 1 is 'setosa'"),
    (["--group", "species"], "must be different columns"),
    (["--predictions", "out.txt"], "written as .csv or .parquet"),
    (["--report", "page.txt"], "must end in .html"),
    (["--procedure", "5x2", "--repeats", 3], "'5x2' takes no repeats"),
    (["--procedure", "magic"], "magic"),
    (["--seed", -1], "The seed must be a whole number"),
    (["--k", 2.7], "a whole number is needed; got '2.7'."),
    (["--k", 1], "The number of folds, k (--k), must be at least 2; got 1."),
    (["--procedure", "holdout", "--test-share", "some"], "a number such as 0.05 or a percentage such as 5% is needed"),
    (["--measure", "auc"], "measure must be one of accuracy, error, "),
    (["--jobs", 0], "jobs (--jobs) is the number of models to train in parallel, from 1 to 1,000"),
    (["--jobs", 10**11], "jobs (--jobs) is the number of models to train in parallel, from 1 to 1,000"),
    (["--repeats", 10**11], "repeats (--repeats) must be a whole number from 1 to 100,000; got 100000000000"),
    (["--procedure", "bootstrap", "--draws", 10**11], "draws (--draws) must be a whole number from 1 to 100,000"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_bad_input_is_said_in_words_with_exit_code_2(run, iris, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("assess", iris, "--label", "species", "--model", "bayes", *words)
    assert ran.code == 2
    assert said in " ".join((ran.err + ran.out).split())
    assert "Traceback" not in ran.err


def test_a_missing_target_and_a_constant_one(run, write):
    path = write("a.csv", "x,kind\n" + "1,a\n2,b\n" * 20)
    ran = run("assess", path, "--model", "tree")
    assert ran.code == 2
    assert "No label column found in" in ran.err
    ran = run("assess", write("b.csv", "x,y\n" + "1,a\n2,a\n" * 20), "--model", "tree")
    assert (ran.code, "is 'a' in all 40 rows" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models = 3", "needs a dict"),
        ("1/0", "ZeroDivisionError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("models = {'a': 3}", "needs fit and predict"),
    ],
)
def test_a_models_file_that_is_none(run, iris, write, text, said):
    ran = run("assess", iris, "--label", "species", "--models-file", write("models.py", text))
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize(
    ("option", "said"),
    [("--checkpoint", "is not a directory. Name a"), ("--models-file", "is not a regular file. Name a")],
)
def test_a_pipe_is_neither_a_directory_nor_a_file_of_models(run, iris, option, said, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    ran = run("assess", iris, "--label", "species", option, tmp_path / "pipe")
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())
