"""Values, tenths, known shares, times and samples to learn from."""

import numpy as np
import pandas as pd
import pytest

from justesse.core.errors import ColumnError, InputError
from justesse.frames.annotated_sample import annotated_sample
from justesse.frames.period import all_numbers, period
from justesse.frames.sides import side
from justesse.frames.spreads import known_shares, spread, tenths


def test_tenths_hold_a_tenth_each():
    rng = np.random.default_rng(0)
    rows = side({"age": rng.normal(50, 10, 1000)}, "population")
    edges = tenths(rows, "age")
    assert edges == pytest.approx(
        np.quantile(rows.fetched(rows.texts(["age"]))["c0"].astype(float), np.arange(1, 10) / 10)
    )
    assert list(spread(rows, "age", edges).values()) == [100] * 10


def test_few_numbers_stay_values():
    rows = side({"grade": [1, 2, 3] * 10}, "test")
    assert tenths(rows, "grade") == []
    assert spread(rows, "grade") == {"1": 10, "2": 10, "3": 10}


def test_too_many_values_are_no_slices():
    with pytest.raises(ColumnError, match="too many for slices"):
        spread(side({"name": [f"n{at}" for at in range(2000)]}, "test"), "name")


def test_rows_are_no_table_of_shares():
    assert known_shares(side({"column": ["a"], "value": [1], "share": [1], "label": [0]}, "population")) is None


@pytest.mark.parametrize(("share", "said"), [("x", "'x'"), ("-1", "'-1'"), ("", "None"), ("inf", "'inf'")])
def test_a_share_that_is_none(write, share, said):
    path = write("p.csv", f"column,value,share\nsite,north,{share}\n")
    with pytest.raises(InputError, match=said):
        known_shares(side(path, "population"))


def test_a_value_named_twice(write):
    with pytest.raises(InputError, match="'north' of column 'site' occurs twice"):
        known_shares(side(write("p.csv", "column,value,count\nsite,north,1\nsite,north,2\n"), "population"))


@pytest.mark.parametrize(
    "values", [["2024-01-02", "2024-01-10"], ["2024-01-02 03:04:05", "2024-01-10"], ["9", "10"], ["1.5e3", "2e3"]]
)
def test_times_are_in_order(values):
    rows = side({"t": values}, "test")
    found = period(rows, "t", numbers=all_numbers(rows, "t"))
    assert found.values[0] < found.values[1]
    assert (found.first, found.last) == tuple(values)


def test_times_of_typed_columns_and_gaps():
    rows = side(pd.DataFrame({"t": pd.to_datetime(["2024-05-01", None, "2023-05-01"])}), "test")
    found = period(rows, "t", numbers=False)
    assert found.missing == 1
    assert found.first.startswith("2023-05-01")


@pytest.mark.parametrize("bad", ["17/05/2024x", "yesterday", "2024-13-40"])
def test_a_time_that_does_not_parse(bad):
    with pytest.raises(ColumnError, match=r"must contain times. It has 1 other value \(row 2"):
        period(side({"t": ["2024-05-17", bad]}, "test"), "t", numbers=False)


def test_a_column_without_times():
    with pytest.raises(ColumnError, match="has no values"):
        period(side({"t": [None, None], "x": [1, 2]}, "test"), "t", numbers=True)


def test_one_row_for_each_id_and_a_sample_of_the_size_asked_for():
    rows = side(
        {
            "id": [1, 1, 2, 3] * 50,
            "x": ["a", "b", "c", None] * 50,
            "y": [0, 1, 0, 1] * 50,
            "who": ["p", "q", "p", "q"] * 50,
        },
        "test",
    )
    assert len(annotated_sample([rows], ["x"], label="y", annotator="who", id="id")) == 3
    assert len(annotated_sample([rows], ["x"], label="y", annotator="who", most=20)) == 21
    one = annotated_sample([rows], ["x"], label="y", annotator="who", most=20, seed=1)
    same = annotated_sample([rows], ["x"], label="y", annotator="who", most=20, seed=1)
    assert (one.x == same.x).all()


def test_numbers_that_are_not_finite_count_as_gaps():
    rows = side({"x": ["1", "inf", "nan", "3"], "y": [0, 1, 0, 1], "who": ["p", "q", "p", "q"]}, "test")
    found = annotated_sample([rows], ["x"], label="y", annotator="who")
    assert np.isfinite(found.x).all()
    assert found.x[:, 1].tolist() == [0, 1, 1, 0]
