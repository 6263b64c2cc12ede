"""Columns for models: what is a number, a name, a text, and what is left out."""

import numpy as np
import pytest

from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.frames.learnable import learnable
from justesse.frames.table import read_table
from justesse.frames.times import times

TEXTS = ["the cat sat here", "a dog ran far away", "no bird sang this morning", "one fish swam upstream slowly"]


def test_kinds_and_what_is_missing(write):
    path = write("a.csv", "n,gap,name,text,flag,y\n" + "".join(
        f"{at}.5,{gap},{name},{text},{flag},{at % 2}\n"
        for at, (gap, name, text, flag) in enumerate(zip(["1", "NA", "", "4"], ["a", "b", "", "a"], TEXTS, ["true", "false"] * 2, strict=True))
    ))  # fmt: skip
    found = learnable(read_table(path), chosen=None, without=["y"])
    assert found.names == ("n", "gap", "name", "text", "flag")
    assert (found.numbers, found.categories, found.texts) == ((0, 1), (2, 4), (3,))
    assert found.matrix[:, 1].tolist() == pytest.approx([1.0, np.nan, np.nan, 4.0], nan_ok=True)
    assert found.matrix[2, 2] == ""
    assert found.warnings == (
        "Missing values: 'gap' (2), 'name' (1). Missing numbers are replaced by the median of the training rows and marked; a "
        "missing category is a category of its own.",
    )


def test_numbers_alone_are_an_array_of_numbers():
    found = learnable(
        read_table({"a": [1, 2, 1], "b": [True, False, True], "y": [0, 1, 0]}), chosen=None, without=["y"]
    )
    assert found.matrix.dtype == float
    assert found.matrix.tolist() == [[1, 1], [2, 0], [1, 1]]


def test_identifiers_are_left_out_unless_they_are_named():
    table = read_table({"id": [1, 2, 3], "key": ["x", "y", "z"], "a": [1.0, 2.0, 3.0], "y": [0, 1, 0]})
    assert learnable(table, chosen=None, without=["y"]).names == ("a",)
    assert learnable(table, chosen=["id", "key"], without=["y"]).names == ("id", "key")
    assert learnable(table, chosen=["a", "key"], without=["y"], text=["key"]).texts == (1,)


@pytest.mark.parametrize(
    ("columns", "options", "kind", "words"),
    [
        ({"a": [1.0, np.inf]}, {}, InputError, "'a' of .* is infinite in row 2"),
        ({"a": ["1", "-inf"]}, {}, InputError, "'a' of .* is infinite in row 2"),
        ({"a": ["", ""]}, {}, ColumnError, "no value in any row"),
        ({"a": [1, 2]}, {"text": ["a"]}, ColumnError, "has type int64, not text"),
        ({"a": [1, 2]}, {"chosen": ["y"]}, ColumnError, "is the label, the group or the time"),
        ({"a": [1, 2]}, {"chosen": ["b"]}, ColumnError, "Column 'b' not found"),
        ({}, {}, ColumnError, "No column to learn from in .* besides 'y'"),
    ],
)
def test_what_cannot_be_learnt_from(columns, options, kind, words):
    table = read_table({**columns, "y": [0, 1]})
    with pytest.raises(kind, match=words):
        learnable(table, **({"chosen": None, "without": ["y"]} | options))


def test_times_are_numbers_dates_and_iso_texts():
    from datetime import date

    table = read_table(
        {"n": [3, 1], "d": [date(2024, 1, 2), date(2024, 1, 1)], "z": ["2024-01-01T12:00+02:00", "2024-01-01T11:00"]}
    )
    assert times(table, "n").tolist() == [3, 1]
    assert np.diff(times(table, "d")).tolist() == [-86400]
    assert np.diff(times(table, "z")).tolist() == [3600]  # noon in a zone two hours ahead is ten o'clock


@pytest.mark.parametrize(
    ("values", "kind", "words"),
    [
        (["2024-01-01", "yesterday"], ColumnError, "Column 't' of .* cannot be read as times: row 2 is 'yesterday'"),
        (["2024-01-01", None], MissingValueError, "no time in row 2"),
        ([True, False], ColumnError, "has type bool"),
        (["1", "2", "3", "inf"], ColumnError, "row 4 is 'inf'"),
        (["1", "2", "x", "4"], ColumnError, "row 3 is 'x'"),
        (["2024-01-01", "2024-01-02", "17.05.2024"], ColumnError, "row 3 is '17.05.2024'"),
        ([1.0, 2.0, float("inf")], ColumnError, "is infinite in row 3"),
    ],
)
def test_what_is_no_time(values, kind, words):
    with pytest.raises(kind, match=words):
        times(read_table({"t": values}), "t")


def test_numbers_too_large_to_compute_with_are_refused_by_row():
    table = read_table({"x": [1.0, 1e300, 2.0, -1e39], "y": [0, 1, 0, 1]})
    with pytest.raises(InputError, match=r"Column 'x' of .* is beyond ±1e\+38 in rows 2, 4, too large for models"):
        learnable(table, chosen=["x"], without=["y"])
