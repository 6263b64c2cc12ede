from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris

import justesse
from justesse import noise_inject
from justesse.annotators.artificial import artificial_annotators
from justesse.annotators.one_model import one_model
from justesse.core.errors import ClassError, ColumnError, FileError, InputError, OptionError
from justesse.frames.rankings import read_ranking, write_ranking
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, Uniform, pair_flip, symmetric
from justesse.noise.ranking import Ranking
from justesse.verbs.schemas import schema

SCHEMA = schema("noise_inject")
X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]
CLASSES = ("setosa", "versicolor", "virginica")
FRAME = pd.DataFrame(X, columns=list("abcd")).assign(label=NAMES)
TABLE = [[0.8, 0.2, 0.0], [0.0, 0.7, 0.3], [0.1, 0.0, 0.9]]
VOTES = np.random.default_rng(0).multinomial(9, [0.5, 0.3, 0.2], size=150)


@pytest.mark.parametrize(
    ("options", "model"),
    [
        ({"noise": "uniform"}, Uniform(0.1, classes=CLASSES)),
        ({"noise": "symmetric"}, symmetric(0.1, CLASSES)),
        ({"noise": "pair-flip"}, pair_flip(0.1, CLASSES)),
        ({"noise": "pair-flip", "classes": CLASSES[::-1]}, pair_flip(0.1, CLASSES[::-1])),
        ({"noise": "transition", "transition": TABLE}, ByClass(TABLE, CLASSES)),
    ],
)
def test_labels_are_those_of_the_noise_model(options, model):
    found = noise_inject(FRAME, noise_rate=0.1, seed=3, **options)
    expected = inject(NAMES, model, rate=0.1, seed=3)
    frame = found.to_frame()
    assert frame["label"].tolist() == expected.label.tolist()
    assert frame["true"].tolist() == NAMES.tolist()
    pd.testing.assert_frame_equal(frame[list("abcd")], FRAME[list("abcd")])
    [version] = found.to_dict()["inject"]
    assert version["realised"] == np.mean(expected.label != NAMES) == version["wrong"] / version["n"]
    assert (version["model"], version["seed"], version["column"], version["file"]) == (
        options["noise"],
        3,
        "label",
        None,
    )
    assert sum(n for true, label, n in found.to_dict()["transition"] if true != label) == version["wrong"]
    jsonschema.validate(found.to_dict(), SCHEMA)


def test_a_transition_table_has_its_own_rate_unless_one_is_given():
    own = noise_inject(FRAME, noise="transition", transition=TABLE).versions[0].noisy
    assert own.rate == pytest.approx(0.2)
    assert noise_inject(FRAME, noise="transition", transition=TABLE, noise_rate=0.05).versions[0].noisy.rate == 0.05
    by_name = {name: dict(zip(CLASSES, row, strict=True)) for name, row in zip(CLASSES, TABLE, strict=True)}
    assert (
        noise_inject(FRAME, noise="transition", transition=by_name).versions[0].noisy.label.tolist()
        == own.label.tolist()
    )
    thirds = np.full((3, 3), 0.3333333)  # as people type it
    assert noise_inject(FRAME, noise="transition", transition=thirds).versions[0].noisy.rate == pytest.approx(2 / 3)


@pytest.mark.parametrize("model", ["uniform", "symmetric", "pair-flip", "transition", "features"])
def test_versions_of_several_rates_are_nested(model):
    given = {"transition": {"transition": TABLE}, "features": {"votes": dict(zip(CLASSES, VOTES.T, strict=True))}}
    found = noise_inject(FRAME, noise=model, noise_rates=[0.01, 0.05, 0.2], **given.get(model, {}))
    frame = found.to_frame()
    assert frame["label"].tolist() == frame["true"].tolist() == NAMES.tolist()
    columns = ["label_0.01", "label_0.05", "label_0.2"]
    assert [version.column for version in found.versions] == list(frame.columns[-3:]) == columns
    low, middle, high = (frame[name] for name in columns)
    for lower, higher in ((low, middle), (middle, high)):
        wrong = lower != NAMES
        assert (lower[wrong] == higher[wrong]).all()
    assert found.to_dict()["transition"] == found.versions[-1].noisy.tally.cells()


def test_a_frame_comes_back_as_the_kind_it_was():
    for frame in (FRAME, pl.from_pandas(FRAME)):
        assert type(noise_inject(frame, noise="uniform", noise_rate=0.1).to_frame()) is type(frame)
    assert noise_inject({"y": [1, 2] * 20}, noise="uniform", noise_rate=0.1).to_frame().column_names == ["y", "true"]


def test_people_s_answers_decide_which_are_wrong():
    rng = np.random.default_rng(1)
    codes = np.where(rng.random((150, 5)) < 0.2, rng.integers(3, size=(150, 5)), Y[:, None])
    answers = {f"ann{at}": np.array(CLASSES)[codes[:, at]] for at in range(5)}
    expected = Ranking.from_answers(codes, NAMES, classes=CLASSES).noisy(NAMES, 0.1)
    found = noise_inject(FRAME, noise="features", noise_rate=0.1, answers=answers)
    assert found.versions[0].noisy.label.tolist() == expected.label.tolist()
    assert found.to_dict()["inject"][0]["seed"] is None
    assert found.document().seed is None


def test_rows_nobody_takes_for_another_class_are_left_right_and_said():
    votes = np.eye(3, dtype=int)[Y] * 9
    votes[0] = [5, 4, 0]
    found = noise_inject(FRAME, noise="features", noise_rate=0.1, votes=dict(zip(CLASSES, votes.T, strict=True)))
    [version] = found.to_dict()["inject"]
    assert (version["wrong"], version["spared"]) == (1, 14)
    assert "14 rows were left right: no annotator gave another class" in found.warnings[0]
    assert found.warnings[0] in repr(found)


def test_trained_annotators_and_their_ranking_file(tmp_path):
    path = tmp_path / "r.parquet"
    options = {"noise": "features", "noise_rates": [0.05, 0.3], "annotators": 6, "seed": 2, "ranking": path}
    seen = []
    first = noise_inject(FRAME, **options, progress=lambda done, of: seen.append((done, of)))
    answers = artificial_annotators(X, NAMES, n=6, seed=2)
    ranking = Ranking.from_answers(answers.answers, NAMES, classes=CLASSES)
    assert first.versions[1].noisy.label.tolist() == ranking.noisy(NAMES, 0.3).label.tolist()
    assert seen[-1][0] == seen[-1][1] >= 6
    again = noise_inject(FRAME, **{**options, "features": ["nothing"]})  # not even looked at
    assert again.to_dict()["inject"] == first.to_dict()["inject"]
    assert "read from" in again.warnings[0]
    assert "6 artificial annotators trained on these rows (seed 2)" in again.versions[0].noisy.model


def test_a_ranking_of_other_rows_is_refused(tmp_path):
    path = tmp_path / "r.parquet"
    options = {"noise": "features", "noise_rate": 0.1, "ranking": path}
    noise_inject(FRAME, **options, votes=dict(zip(CLASSES, VOTES.T, strict=True)))
    for other in (FRAME[:-1], FRAME[::-1], FRAME.assign(label=Y)):
        with pytest.raises(FileError, match="ranks other rows or labels"):
            noise_inject(other, **options)
    saved = read_ranking(path)
    write_ranking(path, replace(saved, columns={**saved.columns, "rank": saved.columns["rank"] * 0}))
    with pytest.raises(FileError, match="each position from 0 on once"):
        noise_inject(FRAME, **options)


def test_a_ranking_of_other_answers_is_not_used(tmp_path):
    options = {"noise": "features", "noise_rate": 0.1, "ranking": tmp_path / "r.parquet"}
    votes = dict(zip(CLASSES, VOTES.T, strict=True))
    first = noise_inject(FRAME, **options, votes=votes).to_dict()["inject"]
    assert noise_inject(FRAME, **options, votes=votes).to_dict()["inject"] == first
    others = dict(zip(CLASSES, VOTES[::-1, ::-1].T, strict=True))
    with pytest.raises(FileError, match="made from other votes than those named with --votes"):
        noise_inject(FRAME, **options, votes=others)


def test_classes_nobody_labelled_can_be_named():
    few = FRAME[FRAME.label != "virginica"]
    votes = {name: np.full(100, 4 - at) for at, name in enumerate(CLASSES)}
    with pytest.raises(ClassError, match="'virginica' of the arrays is not a class"):
        noise_inject(few, noise="features", noise_rate=0.1, votes=votes)
    found = noise_inject(few, noise="features", noise_rate=0.6, votes=votes, classes=CLASSES)
    assert found.versions[0].noisy.classes == CLASSES
    many = noise_inject(few, noise="uniform", noise_rate=0.5, classes=CLASSES).to_frame()
    assert set(many["label"]) == set(CLASSES)
    trained = noise_inject(
        few, noise="features", noise_rate=0.02, annotators=3, classes=("virginica", "setosa", "versicolor")
    )
    assert set(trained.to_frame()["label"]) == {"setosa", "versicolor"}


def test_one_model():
    found = noise_inject(FRAME, noise="one-model", noise_rates=[0.05, 0.2], annotators=6)
    for version, rate in zip(found.versions, (0.05, 0.2), strict=True):
        assert version.noisy.label.tolist() == one_model(X, NAMES, rate, n=6).label.tolist()
    assert "Each rate comes from another model" in found.warnings[0]
    jsonschema.validate(found.to_dict(), SCHEMA)


def test_the_result_shows_itself():
    shown = repr(noise_inject(FRAME, noise="uniform", noise_rate=0.1))
    assert "column  rate asked  realised  wrong labels  rows  not changed" in shown
    assert shown.startswith("14 of 150 labels made wrong (9.3 %): uniform noise: each label wrong with probability 0.1")
    assert "noise_inject" in dir(justesse)


def test_old_names_of_the_options_still_work_with_a_hint():
    new = noise_inject(FRAME, noise="uniform", noise_rate=0.1, true="truth")
    with pytest.warns(FutureWarning) as hints:
        old = noise_inject(FRAME, model="uniform", rate=0.1, true_column="truth")
    assert [str(hint.message).split(". ")[0] for hint in hints] == [
        "noise_inject: 'model' is now called 'noise'", "noise_inject: 'rate' is now called 'noise_rate'",
        "noise_inject: 'true_column' is now called 'true'",
    ]  # fmt: skip
    assert {hint.filename for hint in hints} == {__file__}
    assert old.to_dict() == new.to_dict()
    with pytest.raises(OptionError, match="'model' is the old name of 'noise'. Use only 'noise'"):
        noise_inject(FRAME, model="uniform", noise="uniform", noise_rate=0.1)


@pytest.mark.parametrize(
    ("options", "kind", "reason"),
    [
        ({"noise": "uniform"}, OptionError, "Uniform noise needs a rate"),
        ({"noise": "gaussian", "noise_rate": 0.1}, OptionError, "noise must be one of uniform, .*; got 'gaussian'"),
        ({"noise": "uniform", "noise_rate": 0.1, "noise_rates": [0.1]}, OptionError, "not both"),
        ({"noise": "uniform", "noise_rates": []}, OptionError, "at least one rate"),
        ({"noise": "uniform", "noise_rate": 0.1, "seed": -1}, OptionError, "seed"),
        ({"noise": "features", "noise_rate": 0.1, "answers": {}, "votes": {}}, OptionError, "Use one of them"),
        ({"noise": "uniform", "noise_rate": 0.1, "true": "label"}, ColumnError, "already has a column 'label'"),
        ({"noise": "one-model", "noise_rate": 0.1, "features": ["label"]}, ColumnError, "cannot be both"),
        ({"noise": "features", "noise_rate": 0.1, "annotators": 0}, OptionError, "n must be at least 1"),
        ({"noise": "transition", "transition": [[1.0]]}, InputError, "must be 3 × 3"),
        ({"noise": "transition", "transition": np.eye(3), "noise_rate": 0.1}, OptionError, "has no wrong labels"),
    ],
)
def test_what_cannot_be_asked(options, kind, reason):
    with pytest.raises(kind, match=reason):
        noise_inject(FRAME, **options)


def test_too_few_rows_to_train_on_is_said():
    with pytest.raises(InputError, match="annotators"):
        noise_inject({"x": [1.0, 2.0], "y": ["a", "b"]}, noise="features", noise_rate=0.5, annotators=2)
