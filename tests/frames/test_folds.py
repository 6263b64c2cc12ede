"""Scores per fold, wide or long, from whatever holds them."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import ColumnError, FileError, InputError
from justesse.frames.folds import read_folds

WIDE = pd.DataFrame({"fold": [1, 2, 3], "svm": [0.8, 0.9, 0.7], "tree": [0.75, 0.85, 0.8]})
LONG = WIDE.melt(id_vars="fold", var_name="model", value_name="score")


@pytest.mark.parametrize("frame", [WIDE, LONG], ids=["wide", "long"])
def test_every_kind_of_table(frame, tmp_path):
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.csv.gz", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    polars = pl.from_pandas(frame)
    tables = [frame, polars, polars.lazy(), pa.Table.from_pandas(frame), duckdb.from_df(frame), frame.to_dict("list")]
    for data in [*tables, *(str(path) for path in tmp_path.iterdir()), *tmp_path.iterdir()]:
        found = read_folds(data)
        assert found.models == ("svm", "tree"), data
        np.testing.assert_array_equal(found.scores, WIDE[["svm", "tree"]])
        assert found.repetitions is None
        assert found.folds_per_repetition == 3
        assert found.of("tree") == [0.75, 0.85, 0.8]


def test_the_rows_of_a_long_table_may_be_in_any_order():
    shuffled = LONG.sample(frac=1, random_state=3)
    found = read_folds(shuffled)
    order = list(dict.fromkeys(shuffled["fold"]))
    np.testing.assert_array_equal(found.scores[:, found.models.index("svm")], WIDE.set_index("fold")["svm"][order])


@pytest.mark.parametrize("name", ["fold", "Fold", "SPLIT", "dataset"])
def test_names_of_folds_are_no_scores(name):
    table = {name: ["iris", "wine"], "a": [0.8, 0.9], "b": [0.7, 0.6]}
    assert read_folds(table).models == ("a", "b")


@pytest.mark.parametrize("name", ["repetition", "Repeat", "rep", "run", "seed"])
@pytest.mark.parametrize("long", [False, True])
def test_repetitions(name, long):
    table = pd.DataFrame(
        {name: [1, 1, 2, 2], "fold": [1, 2, 1, 2], "a": [0.8, 0.9, 0.7, 0.6], "b": [0.7, 0.6, 0.5, 0.4]}
    )
    data = table.melt(id_vars=[name, "fold"], var_name="model", value_name="score") if long else table
    found = read_folds(data)
    assert found.models == ("a", "b")
    np.testing.assert_array_equal(found.scores, table[["a", "b"]])
    assert list(found.repetitions) == ["1", "1", "2", "2"]
    assert found.folds_per_repetition == 2


def test_repetitions_of_different_sizes():
    found = read_folds({"repetition": [1, 1, 2], "a": [0.8, 0.9, 0.7], "b": [0.7, 0.6, 0.5]})
    with pytest.raises(InputError, match=r"same number of folds; got 1, 2"):
        _ = found.folds_per_repetition


def test_a_model_nobody_knows():
    with pytest.raises(ColumnError, match="No scores found for model 'forest'. Models: 'svm', 'tree'"):
        read_folds(WIDE).of("forest")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"fold": [1, 2]}, "No column of scores in .*one column per model"),
        ({"fold": [], "a": [], "b": []}, "No rows in"),
        ({"fold": [1, 2], "a": [0.8, None], "b": [0.7, 0.6]}, "1 other value, first in column 'a', row 2. Correct"),
        ({"fold": [1, 2], "a": [0.8, 0.9], "b": [np.inf, 0.6]}, "column 'b', row 1"),
        ({"a": ["good", "bad"], "b": [0.7, 0.6]}, "has 2 other values, first in column 'a', row 1"),
        ({"fold": [1, 2], "a": [0.8, 0.9], "b": [0.7]}, "same number of rows"),
        ({"repetition": [1, None], "a": [0.8, 0.9], "b": [0.7, 0.6]}, "Missing 'repetition' in row 2"),
        ({"model": ["a", "b"], "score": [0.8, 0.9]}, "No column 'fold' in .*one row per model and fold"),
        ({"fold": [1, 1, 2], "model": ["a", "b", "a"], "score": [0.8, 0.9, 0.7]}, "No score of model 'b' for fold '2' in .*Every model"),
        ({"fold": [1, 1, 1], "model": ["a", "b", "a"], "score": [0.8, 0.9, 0.7]}, "row 3: a second score of 'a' for fold '1'"),
        ({"fold": [1, 1], "model": ["a", None], "score": [0.8, 0.9]}, "Missing 'model' in row 2 of .*Fill it in"),
        ({"fold": [None, 1], "model": ["a", "b"], "score": [0.8, 0.9]}, "Missing 'fold' in row 1"),
        ({"fold": [1, 1], "model": ["a", "b"], "score": [0.8, np.nan]}, "column 'score', row 2"),
        (None, "Fold scores must be a path, a data frame or a dict of lists; got NoneType"),
        ([0.8, 0.9], "got list"),
        (np.ones((3, 2)), "got ndarray"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(data, message):
    with pytest.raises(InputError, match=message):
        read_folds(data)


def test_fold_scores_come_from_one_file(tmp_path):
    for at in (1, 2):
        WIDE.to_csv(tmp_path / f"{at}.csv", index=False)
    with pytest.raises(InputError, match="come from one file. Combine"):
        read_folds(str(tmp_path / "*.csv"))
    with pytest.raises(FileError, match="File '.*' not found"):
        read_folds(str(tmp_path / "3.csv"))


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda k: st.lists(
            st.lists(st.floats(-1e6, 1e6), min_size=k, max_size=k), min_size=1, max_size=4
        )
    ),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_wide_and_long_say_the_same(columns, random):
    names = [f"m{at}" for at in range(len(columns))]
    wide = dict(zip(names, columns, strict=True))
    rows = [(fold, name, score) for name, scores in wide.items() for fold, score in enumerate(scores)]
    random.shuffle(rows)
    long = read_folds({"fold": [r[0] for r in rows], "model": [r[1] for r in rows], "score": [r[2] for r in rows]})
    folds = list(dict.fromkeys(row[0] for row in rows))
    for name in names:
        assert [long.of(name)[folds.index(at)] for at in range(len(columns[0]))] == read_folds(wide).of(name)


def test_a_fold_that_comes_twice_is_refused_with_its_row():
    with pytest.raises(InputError, match="row 3: fold '?1'? occurs twice, first in row 1. Keep one row per fold, or"):
        read_folds({"fold": [1, 2, 1], "svm": [0.8, 0.9, 0.7], "tree": [0.7, 0.8, 0.9]})
    repeated = {"repetition": [1, 1, 2, 2], "fold": [1, 2, 1, 1], "svm": [0.8, 0.9, 0.7, 0.6]}
    with pytest.raises(InputError, match="row 4: fold '?1'? of repetition '?2'? occurs twice, first in row 3"):
        read_folds(repeated)
    assert read_folds(repeated | {"fold": [1, 2, 1, 2]}).folds_per_repetition == 2


def test_a_second_score_is_refused_with_its_row():
    with pytest.raises(InputError, match="row 3: a second score of 'svm' for fold '?1'?"):
        read_folds({"fold": [1, 1, 1], "model": ["svm", "tree", "svm"], "score": [0.8, 0.7, 0.6]})
