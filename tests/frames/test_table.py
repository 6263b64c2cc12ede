"""A whole table: written back as it came, and read as what it means."""

import csv

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import ColumnError, FileError, InputError, MissingValueError
from justesse.frames.features import features
from justesse.frames.table import as_numbers, read_table

TRICKY = 'id,a,A,"b,c",label\n007,1.50,,"x, ""y""",True\n008,1e3,z,,False\n'


def test_a_csv_is_written_back_value_for_value(write, tmp_path):
    path = read_table(write("a.csv", TRICKY)).save(tmp_path / "b.csv")
    with open(path, newline="") as one, open(tmp_path / "a.csv", newline="") as other:
        assert list(csv.reader(one)) == list(csv.reader(other))


def test_a_parquet_file_made_of_text_has_numbers(write, tmp_path):
    table = pa.parquet.read_table(read_table(write("a.csv", TRICKY)).save(tmp_path / "b.parquet"))
    assert [str(field.type) for field in table.schema] == ["string", "double", "string", "string", "string"]
    assert table["a"].to_pylist() == [1.5, 1000.0]
    assert table["A"].to_pylist() == [None, "z"]


def test_json_lines(write, tmp_path):
    lines = '{"x": 1, "y": "a\\"b", "label": true}\n{"y": "7", "x": 2.5, "label": false}\n'
    table = read_table(write("a.jsonl", lines))
    assert table.labels("label").tolist() == [True, False]
    assert table.save(tmp_path / "b.csv").read_text() == 'x,y,label\n1,"a""b",true\n2.5,7,false\n'
    assert table.typed["x"].to_pylist() == [1.0, 2.5]


@given(st.lists(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1))
def test_text_of_numbers_is_read_as_those_numbers(values):
    found = as_numbers(pa.array([str(value) for value in values]))
    assert found.to_pylist() == [pytest.approx(float(value), rel=1e-15) for value in values]


@pytest.mark.parametrize("names", [["01"], ["1", "-05"], ["nan"], ["1", "x"], [" 1"], ["e5"], ["1_0"], [None]])
def test_text_that_is_no_number_stays(names):
    assert as_numbers(pa.array(names, pa.string())).to_pylist() == names


@pytest.mark.parametrize("spelt", [["True", "False"], ["TRUE", "FALSE"], ["true", "false"], ["1", "0"], ["01", "1"]])
def test_other_labels_are_spelt_as_the_column_spells_them(write, spelt):
    table = read_table(write("a.csv", "y\n" + "\n".join([*spelt, *spelt])))
    labels = table.labels("y")
    names = tuple(np.unique(labels).tolist())
    old = np.searchsorted(names, labels)
    made = table.relabelled("y", "z", old, 1 - old, names)
    assert made.raw["z"].to_pylist() == [*spelt[::-1], *spelt[::-1]]
    assert made.typed["z"].type == made.typed["y"].type


def test_categories_and_classes_that_do_not_occur():
    frame = pd.DataFrame({"y": pd.Categorical(["a", "b"])})
    made = read_table(frame).relabelled("y", "z", np.array([0, 1]), np.array([2, 0]), ("a", "b", "c"))
    assert made.raw["z"].to_pylist() == ["c", "a"]
    with pytest.raises(InputError, match="cannot store all of"):
        read_table({"y": [1, 2]}).relabelled("y", "z", np.array([0, 1]), np.array([2, 0]), (1, 2, "c"))


def test_lazy_frames_are_collected():
    assert read_table(pl.LazyFrame({"x": [1, 2]})).typed["x"].to_pylist() == [1, 2]


def test_what_cannot_be_read_whole(write, tmp_path):
    write("a1.csv", TRICKY)
    write("a2.csv", TRICKY)
    for data, kind, reason in [
        (tmp_path / "a*.csv", FileError, "matches 2 files, but one is needed"),
        (write("b.csv", "x,y\n"), InputError, "No rows in"),
        (write("c.csv", "x,y\n1\n"), FileError, "fewer values"),
        (tmp_path / "no.csv", FileError, "File '.*' not found"),
    ]:
        with pytest.raises(kind, match=reason):
            read_table(data)
    with pytest.raises(MissingValueError, match="1 missing label in column 'A' .*: row 1\\."):
        read_table(tmp_path / "a1.csv").labels("A")


COLUMNS = {
    "id": [4, 5, 6],
    "name": ["x", "y", "z"],
    "site": ["x", "y", "x"],
    "size": [1.5, 2.5, 3.5],
    "n": [1, 1, 2],
    "old": [True, False, True],
    "when": pd.to_datetime(["2020-01-01"] * 3),
    "y": ["a", "b", "a"],
}


def test_what_is_learnt_from():
    table = read_table(pd.DataFrame(COLUMNS))
    all_kinds = features(table, chosen=None, without=["y"], text=True)
    assert all_kinds.names == ("site", "size", "n", "old")
    assert all_kinds.text == (0, 3)
    assert all_kinds.matrix.tolist() == [[0, 1.5, 1, 1], [1, 2.5, 1, 0], [0, 3.5, 2, 1]]
    assert "'id' (a different value in every row: an identifier?), 'name'" in all_kinds.warnings[0]
    assert "'when' (timestamp" in all_kinds.warnings[0]
    assert features(table, chosen=None, without=["y"], text=False).names == ("size", "n")
    chosen = features(table, chosen=["id", "size"], without=["y"], text=False)
    assert (chosen.names, chosen.warnings) == (("id", "size"), ())


@pytest.mark.parametrize(
    ("columns", "options", "kind", "reason"),
    [
        ({"x": [1.0, None]}, {}, MissingValueError, "Column 'x' of the arrays has no finite number in row 2"),
        ({"x": [1.0, np.inf]}, {}, MissingValueError, "no finite number in row 2"),
        ({"x": ["1", "NA"]}, {}, MissingValueError, "no number in row 2"),
        ({"x": ["u", None]}, {"text": True}, MissingValueError, "no value in row 2"),
        ({"x": ["u", "u"]}, {}, ColumnError, "'x' \\(not numbers\\) .*Name columns of numbers"),
        ({"x": ["u", "v"]}, {"chosen": ["x"]}, ColumnError, "Cannot learn from 'x' \\(not numbers\\)"),
        ({}, {}, ColumnError, "besides 'y'. Add columns of numbers"),
        ({"x": [1, 1]}, {"chosen": ["z"]}, ColumnError, "Column 'z' not found in .*feature column with features"),
        ({"x": [1, 1]}, {"chosen": ["y"]}, ColumnError, "cannot be both"),
    ],
)
def test_what_cannot_be_learnt_from(columns, options, kind, reason):
    with pytest.raises(kind, match=reason):
        features(
            read_table({**columns, "y": ["a", "b"]}), **{"chosen": None, "without": ["y"], "text": False, **options}
        )
