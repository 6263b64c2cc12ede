"""No column name a user chose may collide with another or with ours."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from justesse import count, evaluate
from justesse.core.errors import ColumnError

ODD = [
    "n",
    "N",
    "w",
    "w2",
    "bad",
    "c0",
    "c1",
    "row",
    "k0",
    "self",
    "incumbent",
    "candidate",
    "LABEL",
    'the "x"; drop',
    "",
    "é",
]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("make", ["csv", "jsonl", "parquet", "pandas", "lazy", "arrow"])
def test_slices_and_weights_under_any_name(name, make, tmp_path):
    columns = {
        "label": ["a", "a", "b", "b"],
        "prediction": ["a", "b", "b", "b"],
        name: [10, 20, 10, 20],
        "wt": [1.0, 2.0, 3.0, 4.0],
    }
    data = pd.DataFrame(columns)
    if name in {"parquet": ("LABEL", ""), "lazy": ("",), "jsonl": ("",)}.get(make, ()):
        return  # the format or its reader cannot hold or tell apart such columns
    if make == "csv":
        data.to_csv(tmp_path / "a.csv", index=False)
        data = tmp_path / "a.csv"
    elif make == "jsonl":
        data.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
        data = tmp_path / "a.jsonl"
    elif make == "parquet":
        data.to_parquet(tmp_path / "a.parquet")
        data = tmp_path / "a.parquet"
    elif make == "lazy":
        data = pl.from_pandas(data).lazy()
    elif make == "arrow":
        data = pa.Table.from_pandas(data)
    if make == "jsonl" and name == "LABEL":
        with pytest.raises(ColumnError, match="case"):
            count(data, by=name)
        return
    found = evaluate(data, by=name, weight="wt")
    assert found.tally.n == 4
    assert found.tally.classes == ("a", "b")
    assert found.tally.weights.sum() == 10
    assert [(part.value, part.n) for part in found.slices] == [(10, 2), (20, 2)]


@pytest.mark.parametrize("name", ["n", "w", "bad", "incumbent"])
def test_a_label_under_any_name(name):
    rows = {name: [1, 0, 1], "prediction": [1, 1, 1]}
    assert count(rows, label=name).cells() == [[0, 1, 1], [1, 1, 2]]


def test_a_bad_weight_is_seen_beside_a_column_named_bad():
    rows = {"label": ["a", "b"], "prediction": ["a", "b"], "bad": [0, 0], "wt": [1.0, -1.0]}
    with pytest.raises(ValueError, match="other values in 1 row "):
        count(rows, by="bad", weight="wt")


def test_slices_by_a_column_that_bears_the_name_of_a_part():
    frame = pd.DataFrame({"label": ["a", "b"] * 20, "model_b": ["a", "a"] * 20, "prediction": ["x", "y"] * 20})
    found = evaluate(frame, prediction="model_b", by="prediction")
    assert [(part.column, part.value, part.n) for part in found.slices] == [
        ("prediction", "x", 20),
        ("prediction", "y", 20),
    ]


def test_the_index_pandas_writes_by_default_is_no_obstacle(tmp_path):
    frame = pd.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"]})
    frame.to_csv(tmp_path / "a.csv")
    assert count(tmp_path / "a.csv") == count(frame)


def test_column_names_that_are_numbers():
    frame = pd.DataFrame([["a", "a"], ["b", "a"]])
    assert count(frame, label="0", prediction="1").n == 2


@pytest.mark.parametrize(("columns", "levels"), [(8, 256), (64, 2)])
def test_very_many_slices_do_not_overflow(columns, levels):
    rows = {f"s{at}": list(range(levels)) * 2 for at in range(columns)}
    rows |= {"label": ["a"] * levels + ["b"] * levels, "prediction": ["a"] * 2 * levels}
    tally = count(rows, by=[f"s{at}" for at in range(columns)])
    assert tally.n == 2 * levels
    assert tally.sums("label").tolist() == [levels, levels]


def test_costs_as_a_pandas_frame_follow_its_names():
    costs = pd.DataFrame([[0, 1], [100, 0]], index=["b", "a"], columns=["b", "a"])
    assert evaluate(y_true=["a", "a", "b"], y_pred=["b", "b", "a"], cost=costs)["cost"].value == pytest.approx(67.0)


def test_names_as_people_spell_them(tmp_path):
    (tmp_path / "a.csv").write_text("label,prediction\ntrue,false\ntrue,true\nfalse,false\n")
    (tmp_path / "c.csv").write_text("label,true,false\ntrue,0,3\nfalse,1,0\n")
    found = evaluate(tmp_path / "a.csv", positive="true", cost=tmp_path / "c.csv")
    assert found.positive is True
    assert found["cost"].value == 1.0
    assert evaluate({"label": [1.0, 2.0], "prediction": [1.0, 1.0]}, positive="1").positive == 1.0


def test_gaps_on_one_side_only():
    rows = pl.DataFrame({"label": [1.0, None, 2.0], "prediction": [1.0, 2.0, 2.0]})
    assert count(rows, drop_missing=True).classes == (1, 2)


@pytest.mark.parametrize("values", [{"a", "b"}, "ab", 3, {"a": 1}, b"ab"])
def test_what_is_not_a_column(values):
    with pytest.raises(ColumnError, match="one value per row"):
        evaluate(y_true=values, y_pred=["a", "b"])


@pytest.mark.parametrize(
    "values",
    [
        [2**63, 1],
        np.array([1j, 2]),
        np.array([(1, 2)], dtype=[("a", int), ("b", int)]),
        ["\ud800", "a"],
        np.array([b"\xff"]),
    ],
)
def test_arrays_that_cannot_hold_classes(values):
    with pytest.raises(ValueError, match=r"class|UTF|value|types"):
        evaluate(y_true=values, y_pred=["a"] * len(values))


def test_empty_and_all_missing_columns():
    with pytest.raises(ValueError, match="No rows"):
        evaluate(y_true=[], y_pred=[])
    with pytest.raises(ValueError, match="2 in 'label'"):
        evaluate(y_true=[None, None], y_pred=["a", "b"])


def test_masked_arrays_are_missing_values():
    label = np.ma.masked_array([1, 0, 1], mask=[False, True, False])
    with pytest.raises(ValueError, match="1 in 'label'"):
        count(label=label, prediction=[1, 0, 1])


def test_huge_and_tiny_weights_and_slices_without_weight():
    labels, answers = ["a", "b", "a"], ["a", "b", "b"]
    values = [evaluate(y_true=labels, y_pred=answers, weight=[w] * 3)["mcc"].value for w in (1e-90, 1.0, 1e80)]
    assert values == pytest.approx([0.5] * 3)
    rows = {
        "label": ["a", "b"] * 2,
        "prediction": ["a", "b"] * 2,
        "wt": [0.0, 0.0, 1.0, 1.0],
        "s": ["x", "x", "y", "y"],
    }
    found = evaluate(rows, weight="wt", by="s").to_dict()
    assert found["by"][0]["measures"][0]["value"] is None
    assert found["by"][1]["measures"][0]["value"] == 1.0


def test_every_pair_of_shards_adds_up_to_the_same():
    rows = {"label": ["a", "b", "c", "a"], "prediction": ["b", "b", "a", "a"]}
    whole = count(rows)
    for at in itertools.combinations(range(4), 2):
        one = {name: [values[i] for i in at] for name, values in rows.items()}
        two = {name: [values[i] for i in range(4) if i not in at] for name, values in rows.items()}
        assert count(one) + count(two) == whole
