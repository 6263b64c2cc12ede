"""`justesse.assess`: the figures are those of scikit-learn and of the tests, and nothing pretends."""

import json
import math
import warnings

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from justesse import assess, compare, evaluate, tournament
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.frames.learnable import learnable
from justesse.frames.table import read_table
from justesse.procedures.folds import Folds
from justesse.procedures.model_measures import MEASURES
from justesse.significance.corrected_t import corrected_t
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.mcnemar import mcnemar
from justesse.verbs.schemas import schema

SCHEMA = schema("assess")
IRIS = load_iris()
NAMES = IRIS.target_names[IRIS.target].astype(object)
FRAME = pd.DataFrame(IRIS.data, columns=list("abcd")).assign(species=NAMES)
TWO = {"nearest": KNeighborsClassifier(1), "bayes": GaussianNB()}


def test_figures_are_those_of_scikit_learn_fold_by_fold():
    found = assess(FRAME, label="species", model=TWO, k=5, seed=3)
    for name, model in TWO.items():
        scores = []
        for train, test in Folds(5, random_state=3).split(IRIS.data, NAMES):
            fitted = make_pipeline(StandardScaler(), model).fit(IRIS.data[train], NAMES[train])
            scores.append(fitted.score(IRIS.data[test], NAMES[test]))
        own = found[name, "accuracy"]
        assert own.value == pytest.approx(np.mean(scores))
        assert own.interval.method == "student-nadeau-bengio"
        np.testing.assert_allclose(1 - np.array(found.scored[name].scores), scores)


def test_json_follows_the_schema_and_repeats_itself():
    options = {"label": "species", "model": ["bayes"], "k": 3, "select": True, "learning_curve": True}
    one, other = (assess(FRAME, **options).to_dict() for _ in range(2))
    jsonschema.validate(json.loads(json.dumps(one, allow_nan=False)), SCHEMA)
    for found in (one, other):
        assert all(seconds > 0 for seconds in found.pop("run")["fit_seconds"].values())
    assert one == other
    assert set(one["ranked"]) == {"bayes", "selected"}
    assert [curve["model"] for curve in one["learning_curves"]] == ["bayes"]


def test_pairs_over_folds_are_compared_by_the_corrected_t():
    found = assess(FRAME, label="species", model=TWO, k=5, repeats=2)
    (pair,) = found.pairs
    scores = {name: 1 - np.array(found.scored[name].scores) for name in TWO}
    expected = corrected_t(scores[pair.worse], scores[pair.better], test_over_train=1 / 4)
    assert pair.outcome.pvalue == pytest.approx(expected.pvalue)
    assert pair.difference.value >= 0
    assert pair.difference.interval.low == pytest.approx(expected.difference.interval.low)
    assert len(scores["bayes"]) == 10


def test_after_5x2_the_test_is_alpaydins():
    found = assess(FRAME, label="species", model=TWO, procedure="5x2")
    (pair,) = found.pairs
    scores = {name: (1 - np.array(found.scored[name].scores)).reshape(5, 2) for name in TWO}
    assert pair.outcome.test == "five-by-two-f"
    assert pair.outcome.pvalue == pytest.approx(five_by_two_f(scores[pair.worse], scores[pair.better]).pvalue)


def test_after_one_split_the_test_is_mcnemars_on_its_rows():
    models = {"nearest": KNeighborsClassifier(1), "naive": DummyClassifier()}
    found = assess(FRAME, label="species", model=models, procedure="holdout", test_share=0.4)
    table = found.predictions()
    right = {name: table[name] == table["label"] for name in models}
    only = int((right["nearest"] & ~right["naive"]).sum()), int((right["naive"] & ~right["nearest"]).sum())
    (pair,) = found.pairs
    assert (pair.better, pair.outcome.pvalue) == ("nearest", pytest.approx(mcnemar(only[1], only[0]).pvalue))
    assert pair.told_apart
    assert pair.difference.value == pytest.approx((only[0] - only[1]) / 60)
    assert found["nearest", "accuracy"].interval.method == "wilson"
    assert found.anova is None
    by_f1 = assess(FRAME, label="species", model=models, procedure="holdout", test_share=0.4, measure="f1")
    assert math.isnan(by_f1.pairs[0].outcome.pvalue)
    assert by_f1.pairs[0].difference.interval.low > 0


def test_leave_one_out_and_the_bootstrap():
    small = FRAME.iloc[::3]
    alone = assess(small, label="species", model=["bayes"], procedure="leave-one-out")
    assert alone["bayes", "accuracy"].interval.method == "wilson"
    assert alone["bayes", "accuracy"].n == 50
    assert alone.pairs == ()
    assert alone.luck is None
    drawn = assess(small, label="species", model={"nearest": KNeighborsClassifier(1)}, procedure="bootstrap", draws=20)
    error = drawn.bootstrap["nearest"]
    assert error.resubstitution == 0
    assert error.e632.value < error.e632_plus.value <= error.out_of_bag.value
    jsonschema.validate(json.loads(json.dumps(drawn.to_dict(), allow_nan=False)), SCHEMA)


def test_baselines_are_of_the_rows_tested():
    uneven = FRAME.iloc[:90]
    found = assess(uneven, label="species", model=["bayes"], k=3)
    assert found.baselines[0].class_name == "setosa"
    assert found.baselines[0].measures[0].value == pytest.approx(50 / 90)
    assert "Always predicting 'setosa' would give 55.6 %" in found.headline


def test_the_luck_of_the_best_is_taken_off():
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(120, 3)), columns=list("abc")).assign(y=np.arange(120) % 2)
    many = {f"tree {at}": DecisionTreeClassifier(max_depth=3, random_state=at, splitter="random") for at in range(12)}
    found = assess(noise, label="y", model=many, k=5)
    assert found.luck.optimism > 0.02
    assert found.luck.corrected.value < found.luck.apparent
    assert found.luck.by_luck > 0.2
    assert sum(found.luck.wins.values()) == pytest.approx(1)
    assert found.anova.test == "anova-blocked-corrected"


def test_select_is_nested_and_shows_what_the_search_says_of_itself():
    rng = np.random.default_rng(1)
    noise = pd.DataFrame(rng.normal(size=(80, 6)), columns=list("abcdef")).assign(y=np.arange(80) % 2)
    found = assess(noise, label="y", model=["neighbours"], k=4, select=True)
    choice = found.selections["selected"]
    assert len(choice.inner) == len(choice.outer) == 4
    assert choice.optimism.value == pytest.approx(np.mean(np.subtract(choice.inner, choice.outer)))
    assert choice.non_nested > 0.5
    assert all("Classifier(" in chosen and "random_state" not in chosen for chosen in choice.chosen)
    assert np.mean(choice.outer) == pytest.approx(found["selected", "accuracy"].value)
    assert "selected" in found.models


def test_settings_that_were_given_are_not_tuned_away():
    found = assess(FRAME, label="species", model=["tree(max_depth=1)"], k=3, select=True)
    assert all("max_depth=1" in chosen for chosen in found.selections["selected"].chosen)


def test_own_searches_are_nested_too():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3)
    found = assess(FRAME, label="species", model={"search": search}, k=3)
    choice = found.selections["search"]
    assert set(choice.chosen) <= {"n_neighbors=1", "n_neighbors=9"}
    assert len(choice.inner) == 3
    assert choice.non_nested > 0.9


def test_a_model_that_fails_in_some_folds_is_reported_and_the_run_goes_on():
    far_out = FRAME[["a", "species"]].assign(a=FRAME["a"].where(FRAME.index > 0, 1000.0))
    models = {"bayes": GaussianNB(), "fails": FailsOnFirst()}
    found = assess(far_out, label="species", model=models, k=5)
    assert found.scored["fails"].failed == 4
    assert found.ranked == ("bayes", "fails")
    assert [one["model"] for one in found.to_dict()["failures"]] == ["fails"] * 4
    assert any("fails: It failed in 4 of 5 splits" in words for words in found.warnings)
    assert any("no thank you" in words for words in found.warnings)
    assert found["bayes", "accuracy"].n == 5
    assert found["fails", "accuracy"].interval is None
    assert found.pairs[0].difference.undefined == "fewer than two splits in which both models have a score"
    assert found.predictions()["fails"].isna().sum() == 120
    jsonschema.validate(json.loads(json.dumps(found.to_dict(), allow_nan=False)), SCHEMA)
    assert "failed" in repr(found)


def test_a_model_that_always_fails_has_no_figures_and_takes_no_place():
    found = assess(FRAME, label="species", model={"bayes": GaussianNB(), "never": Never()}, k=3, learning_curve=True)
    assert found.ranked == ("bayes",)
    assert math.isnan(found["never", "accuracy"].value)
    assert any("never failed in every split" in words for words in found.warnings)
    assert any("No learning curve for never" in words for words in found.warnings)
    assert "undefined" in repr(found)
    assert found.chart("boxes").to_dict()
    with pytest.raises(OptionError, match="Every model failed in every split. The first failure: RuntimeError: never"):
        assess(FRAME, label="species", model={"never": Never()}, k=3)


class Never(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        raise RuntimeError("never")

    def predict(self, x):
        raise NotImplementedError


class FailsOnFirst(ClassifierMixin, BaseEstimator):
    """Cannot be trained where the one row that lies far out is among the training rows."""

    def fit(self, x, y):
        if x.max() > 10:
            raise RuntimeError("no thank you")
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.classes_[0])


@pytest.fixture
def mixed():
    rng = np.random.default_rng(2)
    y = np.repeat(["spam", "ham"], 40)
    frame = pd.DataFrame({"size": rng.normal(size=80), "site": rng.choice(["x", "y", "z"], 80), "y": y})
    words = {"spam": ["cheap pills now for you", "win money cheap offer today"], "ham": ["see you at the meeting", "minutes of the last meeting"]}  # fmt: skip
    frame["subject"] = [f"{rng.choice(words[one])} number {at}" for at, one in enumerate(y)]
    frame.loc[3, "size"] = np.nan
    frame.loc[5, "site"] = None
    return frame


@pytest.mark.parametrize("model", ["tree", "forest(n_estimators=5)", "logistic", "neighbours", "bayes", "boosting"])
def test_gaps_names_and_texts_are_prepared_for_every_model(mixed, model):
    found = assess(mixed, label="y", model=[model], k=4)
    assert found[model, "accuracy"].value > 0.9
    assert found.runs.failures == []
    assert "'size' (1), 'site' (1)" in found.warnings[0]


def test_preparation_learns_from_training_rows_alone():
    class Spy(ClassifierMixin, BaseEstimator):
        def fit(self, x, y):
            seen.append((x.mean(axis=0), x.std(axis=0)))
            self.classes_ = np.unique(y)
            return self

        def predict(self, x):
            return np.full(len(x), self.classes_[0])

    seen = []
    assess(FRAME, label="species", model={"spy": Spy()}, k=4, jobs=1)
    for mean, deviation in seen:  # standardised by the very rows it is trained on, in every fold
        np.testing.assert_allclose(mean, 0, atol=1e-9)
        np.testing.assert_allclose(deviation, 1)


def test_predictions_feed_every_other_command(tmp_path):
    found = assess(FRAME, label="species", model=TWO, k=5, repeats=2, probabilities=True)
    path = found.save_predictions(tmp_path / "out.parquet")
    table = pd.read_parquet(path)
    assert sorted(table["row"]) == list(range(150))
    evaluated = evaluate(path, prediction="bayes")
    assert evaluated["accuracy"].value == pytest.approx((table["bayes"] == table["label"]).mean())
    assert evaluate(path, prediction="bayes", proba="bayes: ")["log_loss"].value < 0.5
    compared = compare(path, incumbent="nearest", candidate="bayes")
    assert compared.to_dict()["n"] == 150
    judged = tournament(path, models=list(TWO), true="label", noise_rates=[0.1], judges="paired")
    assert judged.names == tuple(TWO)
    assert len(pd.read_parquet(found.save_predictions(tmp_path / "all.parquet", every_repetition=True))) == 300


def test_groups_stay_together_and_times_in_order():
    rng = np.random.default_rng(5)
    frame = FRAME.sample(frac=1, random_state=0).reset_index(drop=True)
    frame["patient"] = rng.integers(12, size=150)
    frame["when"] = pd.date_range("2024-01-01", periods=150).astype(str)
    found = assess(frame, label="species", model=["bayes"], group="patient", k=4)
    table = found.predictions()
    together = table.assign(patient=frame["patient"].to_numpy()[table["row"]]).groupby("patient")["fold"].nunique()
    assert (together == 1).all()
    assert "patient" not in found.plan.features
    later = assess(frame, label="species", model=["bayes"], time="when", k=4)
    rows = later.predictions()
    assert rows.groupby("fold")["row"].min().is_monotonic_increasing
    assert rows["row"].min() == 30
    assert later.procedure == "by-time 4-fold cross-validation"
    chosen = assess(frame, label="species", model=["bayes"], group="patient", k=3, select=True)
    assert any("inner folds that ignore groups" in words for words in chosen.warnings)


def test_columns_that_give_the_label_away_are_left_out_unless_they_are_named():
    frame = FRAME.assign(
        code=FRAME["species"].astype("category").cat.codes,
        old_pred="setosa",
        net=FRAME["species"].shift(7).fillna("setosa"),
    )
    options = {"label": "species", "model": ["bayes"], "k": 3}
    found = assess(frame, **options)
    assert not {"code", "old_pred", "net"} & set(found.plan.features)
    assert found["bayes", "accuracy"].value < 1
    [said] = [one for one in found.warnings if "may give the label away" in one]
    assert "'code' (its values match those of 'species' one to one)" in said
    assert "--features" in said
    insisted = assess(frame, **options, features=["code"])
    assert insisted.plan.features == ("code",)
    assert insisted["bayes", "accuracy"].value == 1
    assert any(
        one.startswith("Columns that may give the label away are used because you named them: 'code'")
        for one in insisted.warnings
    )
    with pytest.raises(ColumnError, match="No column to learn from in .*: 'code' .*--features"):
        assess(frame[["code", "species"]], **options)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "parquet", "feather"])
def test_categories_stay_categories_whatever_their_names(kind, tmp_path):
    numbers = pd.Categorical([str(at * 7 % 5) for at in range(150)])
    frame = pd.DataFrame({"shop": numbers, "year": numbers.rename_categories(int), "species": FRAME["species"]})
    arrow = pa.Table.from_pandas(frame)
    if kind == "parquet":
        frame.to_parquet(tmp_path / "a.parquet")
    if kind == "feather":
        pa.feather.write_feather(arrow, tmp_path / "a.arrow")
    data = {
        "pandas": frame,
        "polars": pl.DataFrame(frame[["shop", "species"]]),
        "arrow": arrow,
        "parquet": tmp_path / "a.parquet",
        "feather": tmp_path / "a.arrow",
    }[kind]
    table = read_table(data)
    found = learnable(table, chosen=None, without=["species"])
    assert found.numbers == ()
    assert len(found.categories) == len(table.columns) - 1
    assert set(found.matrix[:, 0]) == set("01234")


def test_few_times_mean_fewer_folds_and_a_sentence():
    years = FRAME.assign(year=[2019 + at % 4 for at in range(150)])
    options = {"label": "species", "model": ["bayes"], "time": "year"}
    found = assess(years, **options)
    assert found.procedure == "by-time 3-fold cross-validation"
    assert (
        "3 folds by time instead of 10: 'year' has 4 different times, and rows of one time stay together."
        in found.warnings
    )
    assert assess(years, **options, learning_curve=True).curves
    with pytest.raises(
        OptionError, match=r"5 folds by time need at least 6 different times, .* have 4 different times.*--k 3"
    ):
        assess(years, **options, k=5)
    two = FRAME.assign(year=[2019 + at % 2 for at in range(150)])
    with pytest.raises(
        OptionError, match="need at least 3 different times, .* have 2 different times.*--procedure holdout"
    ):
        assess(two, **options)
    assert assess(two, **options, procedure="holdout", test_share=0.5).procedure.startswith("by-time holdout")


@pytest.mark.parametrize(
    "values", [np.linspace(0, 90, 150).round(), [f"{at}.0" for at in range(150)], [f"a text {at}" for at in range(150)]]
)
def test_amounts_ids_and_texts_are_no_classes(values):
    with pytest.raises(
        ClassError, match="different values in 150 rows: it holds numbers, identifiers or texts, not classes"
    ):
        assess(FRAME.assign(species=values), label="species", model=["bayes"])


@pytest.mark.parametrize("kind", ["date", "text"])
def test_dates_that_are_not_used_are_pointed_out(kind):
    days = pd.date_range("2024-01-01", periods=50)
    dated = FRAME.assign(day=list(days.repeat(3)) if kind == "date" else list(days.astype(str).repeat(3)))
    found = assess(dated, label="species", model=["bayes"], k=3)
    assert (
        "'day' holds dates, but the split ignores time. To test on later rows only, name the column of times (time='day', --time)."
        in found.warnings
    )
    in_order = assess(dated, label="species", model=["bayes"], time="day")
    assert not any("ignores time" in warning for warning in in_order.warnings)


DATES = ["%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y %H:%M", "%d %B %Y", "%Y-%m-%dT%H:%M:%S"]


@pytest.mark.parametrize("form", DATES)
def test_dates_in_the_usual_formats_are_ordered_alike(form):
    days = pd.date_range("2023-11-20", periods=150)
    options = {"label": "species", "model": ["bayes"], "time": "day", "k": 4}
    iso, written = (
        assess(FRAME.assign(day=days.strftime(one)).sample(frac=1, random_state=1), **options)
        for one in ("%Y-%m-%d", form)
    )
    assert written.predictions().equals(iso.predictions())
    forgotten = assess(
        FRAME.assign(day=days.strftime(form)), label="species", model=["bayes"], k=3, features=["a", "b"]
    )
    assert any("'day' holds dates" in warning for warning in forgotten.warnings) == ("B" not in form)


def test_days_that_may_be_months_are_refused():
    days = FRAME.assign(day=[f"{1 + at % 12:02d}/{1 + at % 11:02d}/2024" for at in range(150)])
    with pytest.raises(
        ColumnError,
        match="Ambiguous dates in column 'day' of .*: '01/01/2024' may be day/month or month/day. Write dates as",
    ):
        assess(days, label="species", model=["bayes"], time="day")


def test_few_groups_mean_fewer_folds_and_a_sentence():
    wards = FRAME.assign(ward=[at % 4 for at in range(150)])
    found = assess(wards, label="species", model=["bayes"], group="ward")
    assert found.procedure == "grouped 4-fold cross-validation"
    assert "4 folds instead of 10: 'ward' has 4 groups." in found.warnings


def test_a_checkpoint_is_taken_up(tmp_path, monkeypatch):
    options = {"label": "species", "model": TWO, "k": 3, "checkpoint": tmp_path / "kept"}
    first = assess(FRAME, **options).to_dict()
    monkeypatch.setattr(GaussianNB, "fit", lambda *_: pytest.fail("trained again"))
    assert assess(FRAME, **options).to_dict() == first


def test_progress_goes_from_nothing_to_all():
    shares = []
    options = {
        "model": ["bayes"],
        "k": 3,
        "learning_curve": True,
        "progress": lambda now, whole: shares.append(now / whole),
    }
    assess(FRAME, label="species", **options)
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[-1] == 1


def test_tables_of_the_callers_kind():
    found = assess(FRAME, label="species", model=["bayes"], k=3)
    table = found.to_frame()
    assert isinstance(table, pd.DataFrame)
    assert table.query("measure == 'recall' and `class` == 'setosa'")["value"].item() == 1.0
    assert set(table["measure"]) >= {"accuracy", "macro f1", "mcc", "precision"}
    assert "<table>" in found._repr_html_()
    assert found.measures.equals(table)
    assert "bayes" in repr(found)


REFUSED = [
    ({"k": 60}, ClassError, "60 stratified folds need at least 60 rows of each class, but class 'setosa' has 50"),
    ({"label": "gone"}, ColumnError, "Column 'gone' not found"),
    ({"model": ["tre"]}, OptionError, "Did you mean 'tree'"),
    ({"model": ["sklearn.svm.SVCC"]}, OptionError, r"Did you mean sklearn.svm.\w*SV"),
    ({"model": ["no_such_module.Model"]}, OptionError, "is not an estimator of scikit-learn"),
    ({"model": ["tree(max_depht=3)"]}, OptionError, "tree has no setting 'max_depht'"),
    ({"model": ["tree(print(1))"]}, OptionError, "Settings are plain values"),
    ({"model": ["tree", "tree"]}, OptionError, "Name each model once"),
    ({"model": {"label": GaussianNB()}}, OptionError, "cannot be called 'label'"),
    ({"model": {"forest": RandomForestRegressor()}}, OptionError, "predicts numbers"),
    ({"model": {"class": GaussianNB}}, OptionError, "is the class GaussianNB"),
    ({"model": {}}, OptionError, "At least one model"),
    ({"procedure": "jackknife"}, OptionError, "procedure must be one of"),
    ({"procedure": "holdout", "k": 5}, OptionError, "'holdout' takes no k. Use it with stratified-kfold, kfold, grouped, by-time"),
    ({"procedure": "grouped"}, OptionError, "--group"),
    ({"procedure": "by-time"}, OptionError, "--time"),
    ({"procedure": "kfold", "group": "a"}, OptionError, "on rows of one group"),
    ({"procedure": "bootstrap", "time": "a"}, OptionError, "on rows later than"),
    ({"group": "species"}, ColumnError, "must be different columns"),
    ({"measure": "auc"}, OptionError, "measure must be one of"),
    ({"time": "species"}, ColumnError, "'species' of .* cannot be read as times: row 1 is 'setosa'.*2024-05-17, 2024/05/17, 17.05.2024"),
    ({"features": ["species"]}, ColumnError, "'species' is the label, the group or the time"),
    ({"level": 95}, OptionError, "level"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "kind", "words"), REFUSED)
def test_bad_input_is_refused_in_words(options, kind, words):
    with pytest.raises(kind, match=words):
        assess(FRAME, **({"label": "species", "model": ["bayes"]} | options))


FAR = FRAME["a"].where(FRAME.index != 3, np.inf)
BAD_COLUMNS = [
    ({"species": "one"}, {}, ClassError, "is 'one' in all 150 rows"),
    ({"species": np.arange(150) + 0.5}, {}, ClassError, "holds fractional numbers, not classes"),
    ({"species": FRAME["species"].where(FRAME.index != 3)}, {}, MissingValueError, "1 missing label"),
    ({"a": FAR}, {}, InputError, "Column 'a' of .* is infinite in row 4"),
    ({"a": FAR.map(str)}, {}, InputError, "Column 'a' of .* is infinite in row 4"),
    ({"g": "x"}, {"group": "g"}, OptionError, "all rows are in group 'x'"),
    ({"g": [None] + ["x"] * 149}, {"group": "g"}, MissingValueError, "no group in row 1"),
    (
        {"g": np.where(NAMES == "setosa", "x", np.where(FRAME.index % 2, "y", "z"))},
        {"group": "g"},
        ClassError,
        "Class 'setosa' is in group 'x' only",
    ),
    ({"g": FRAME.index % 2}, {"group": "g", "k": 3}, OptionError, "3 folds by group need at least 3 groups; got 2"),
    ({"t": [None] + ["2024-01-01"] * 149}, {"time": "t"}, MissingValueError, "no time in row 1"),
    ({"t": "2024-01-01"}, {"time": "t"}, OptionError, "different times"),
]


@pytest.mark.parametrize(("columns", "options", "kind", "words"), BAD_COLUMNS)
def test_bad_columns_are_refused_in_words(columns, options, kind, words):
    with pytest.raises(kind, match=words):
        assess(FRAME.assign(**columns), label="species", model=["bayes"], **options)


def test_what_has_no_interval_is_said_below_the_tables():
    clear = pd.DataFrame({"a": np.repeat([0.0, 10.0], 30) + np.arange(60) % 7 / 10, "y": np.repeat(["x", "z"], 30)})
    found = assess(clear, label="y", model=["bayes", "tree"], k=3)
    scores, differences = [warning for warning in found.warnings if warning.startswith("No interval for")]
    assert scores.startswith("No interval for the accuracy of bayes and the accuracy of tree: all scores are equal")
    assert differences.startswith("No interval for bayes vs tree: all differences are equal")
    assert repr(found).count("all scores are equal") == 1
    groups = FRAME.assign(g=np.arange(150) % 10)
    once = assess(groups, label="species", model=TWO, group="g", procedure="holdout")
    assert math.isnan(once.pairs[0].adjusted_pvalue)
    assert any("one split by group" in words for words in once.warnings)


class RightButFails(ClassifierMixin, BaseEstimator):
    """Always right, by the one column it is given, but for training sets with the row that lies far out."""

    def fit(self, x, y):
        if x.max() > 5:
            raise RuntimeError("no thank you")
        self.nearest_ = KNeighborsClassifier(1).fit(x, y)
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return self.nearest_.predict(x)


def test_a_model_that_fails_in_some_splits_does_not_come_first():
    y = np.arange(80) % 2
    clear = pd.DataFrame({"a": y + np.arange(80) % 5 / 100, "y": y})
    clear.loc[7, "a"] = 40.0
    models = {"naive": DummyClassifier(), "right": RightButFails()}
    found = assess(clear, label="y", model=models, procedure="repeated-holdout", repeats=25)
    assert 0 < found.scored["right"].failed < 24
    assert found["right", "accuracy"].value > found["naive", "accuracy"].value
    assert found.ranked == ("naive", "right")
    assert (found.pairs[0].better, found.pairs[0].worse) == ("right", "naive")
    assert found.pairs[0].difference.value > 0
    assert found.luck is None


def test_old_names_of_keywords_work_with_a_warning():
    new = assess(FRAME, label="species", model=["bayes"], k=3, jobs=1).to_dict()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        old = assess(FRAME, target="species", models=["bayes"], k=3, n_jobs=1).to_dict()
    hints = [str(one.message) for one in caught if one.category is FutureWarning]
    assert hints == [
        f"assess: {old_name!r} is now called {new_name!r}. The old name still works."
        for old_name, new_name in (("target", "label"), ("models", "model"), ("n_jobs", "jobs"))
    ]
    assert {**old, "run": None} == {**new, "run": None}
    with pytest.raises(OptionError, match="'target' is the old name of 'label'. Use only 'label'"):
        assess(FRAME, label="species", target="species")


def test_a_measure_where_less_is_better_ranks_the_other_way_round():
    by_error = assess(FRAME, label="species", model=TWO | {"naive": DummyClassifier()}, k=5, measure="error")
    by_accuracy = assess(FRAME, label="species", model=TWO | {"naive": DummyClassifier()}, k=5)
    assert by_error.ranked == by_accuracy.ranked
    assert by_error.ranked[-1] == "naive"
    for one, other in zip(by_error.pairs, by_accuracy.pairs, strict=True):
        assert (one.better, one.worse) == (other.better, other.worse)
        assert one.difference.value == pytest.approx(other.difference.value)
        assert one.outcome.pvalue == pytest.approx(other.outcome.pvalue)


def test_the_schema_knows_every_measure():
    assert SCHEMA["properties"]["measure"]["enum"] == list(MEASURES)


def test_one_measure_of_one_model():
    result = assess(FRAME, label="species", model="bayes", k=3)
    assert result["bayes", "accuracy"] is result.estimates["bayes"]["accuracy"]
    for wrong in (("tree", "accuracy"), ("bayes", "auc")):
        with pytest.raises(OptionError, match="There is no"):
            result[wrong]
