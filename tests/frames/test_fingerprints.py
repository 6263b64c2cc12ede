"""Equal rows: pandas and plain loops as oracles."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import ColumnError, FileError, InputError, OptionError
from justesse.frames.content import content
from justesse.frames.fingerprints import pairs_by_chance, repeated_rows, shared_rows
from justesse.frames.sides import side

CELL = st.one_of(st.none(), st.sampled_from(["a", "b", "ab", "A", " a", "a!", "é", "\x1e", "\x1f"]))
ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=12)


def frame(rows):
    return pd.DataFrame({"x": [a for a, _ in rows], "y": [b for _, b in rows]}, dtype="str")


@settings(max_examples=25)
@given(ROWS, ROWS)
def test_exactly_the_rows_a_plain_loop_finds(test, train):
    found = shared_rows(side(frame(test), "test"), side(frame(train), "train"), ["x", "y"])
    wanted = [at for at, row in enumerate(test) if row in train and row != (None, None)]
    assert found.rows.tolist() == wanted
    assert found.partners.tolist() == [train.index(test[at]) for at in wanted]


@settings(max_examples=15)
@given(ROWS)
def test_repeated_rows_are_those_pandas_marks(rows):
    found = repeated_rows(side(frame(rows), "test"), ["x", "y"])
    known = frame(rows)
    marked = known.duplicated() & ~known.isna().all(axis=1)
    assert found.rows.tolist() == np.flatnonzero(marked).tolist()


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("The CAT sat.", "the cat  sat", True),
        ("e\u0301te\u0301", "été", True),
        (":-)", ":-(", False),  # nothing but punctuation stays as it is
        ("3.14159265", "3.141593", True),
        ("-0.0", "0", True),
        ("1e3", "1000", True),
        ("3.1415", "3.1416", False),
        ("nan", "inf", False),
        ("naïve", "naive", False),
        ("1", "I", False),
    ],
)
def test_what_is_written_alike(one, other, alike):
    found = shared_rows(side({"x": [one]}, "test"), side({"x": [other]}, "train"), ["x"], how="written alike")
    assert bool(len(found.rows)) is alike


def test_values_do_not_run_into_each_other():
    found = shared_rows(side({"x": ["ab"], "y": ["c"]}, "test"), side({"x": ["a"], "y": ["bc"]}, "train"), ["x", "y"])
    assert not len(found.rows)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_a_file_and_any_frame_can_be_laid_side_by_side(make, write):
    path = write("train.csv", "x,y\n1,a\n2,b\n")
    found = shared_rows(side(make({"x": [2, 3], "y": ["b", "c"]}), "test"), side(path, "train"), ["x", "y"])
    assert found.rows.tolist() == [0]
    assert found.partners.tolist() == [1]


def test_several_files_are_one_side(write, tmp_path):
    write("a-1.csv", "x\na\nb\n")
    write("a-2.csv", "x\nc\n")
    found = shared_rows(side({"x": ["c", "z"]}, "test"), side(str(tmp_path / "a-*.csv"), "train"), ["x"])
    assert found.partners.tolist() == [2]


def test_labels_that_differ_are_marked():
    test = side({"x": ["a", "b"], "y": [1, 0]}, "test")
    train = side({"x": ["a", "a", "b"], "y": [0, 1, 1]}, "train")
    assert shared_rows(test, train, ["x"], label="y").label_differs.tolist() == [False, True]
    assert shared_rows(test, train, ["x"]).label_differs is None


def test_pairs_by_chance_are_the_mean_over_shuffles():
    rng = np.random.default_rng(0)
    test = pd.DataFrame({"a": rng.integers(0, 5, 200), "b": rng.integers(0, 8, 200), "c": rng.integers(0, 3, 200)})
    train = pd.DataFrame({"a": rng.integers(0, 7, 300), "b": rng.integers(0, 8, 300), "c": rng.integers(0, 3, 300)})
    counts = []
    for _ in range(200):
        mixed = train.apply(lambda column: rng.permutation(column.to_numpy()))
        counts.append(len(test.merge(mixed, on=["a", "b", "c"])))
    expected = pairs_by_chance(side(test, "test"), side(train, "train"), ["a", "b", "c"])
    assert expected == pytest.approx(np.mean(counts), abs=4 * np.std(counts) / math.sqrt(200))
    assert math.isnan(pairs_by_chance(side(test, "test"), side(train, "train"), ["a"]))


def test_digits_outside_their_range_are_refused():
    rows = side({"x": [1.0]}, "test")
    with pytest.raises(OptionError, match="1 to 17 digits; got 0"):
        shared_rows(rows, rows, ["x"], how="written alike", digits=0)


def test_an_empty_side_is_refused(write):
    with pytest.raises(InputError, match="No rows in"):
        side(write("a.csv", "x,y\n"), "test")


def test_damage_is_explained(write):
    ragged = write("a.csv", "x,y\n1,2\n1\n")
    with pytest.raises(FileError, match="line 3"):
        shared_rows(side({"x": [1], "y": [2]}, "test"), side(ragged, "train"), ["x", "y"])


def test_what_makes_up_a_case():
    rows = side({"ID": [5, 6], "label": [1, 0], "pred": [1, 1], "x": [1.5, 2.5], "who": ["a", "b"]}, "test")
    assert content([rows], roles=["who"]).columns == ("x",)
    assert content([rows], chosen=["ID", "x"]).columns == ("ID", "x")
    with pytest.raises(ColumnError, match="a feature and has another role"):
        content([rows], chosen=["who"], roles=["who"])
