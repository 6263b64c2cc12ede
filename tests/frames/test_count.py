import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from justesse import count
from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, WeightError
from justesse.frames.count import counted


@pytest.mark.parametrize(
    ("label", "answer", "message"),
    [
        ([1, 0], ["1", "x"], "integers such as 1, but column 'prediction' has text such as '1'"),
        ([True, False], [1, 2], "booleans such as False, but column 'prediction' has integers"),
        ([1, "1"], [1, 1], r"mixes integers \(row 1: 1\) and text \(row 2: '1'\)"),
        ([1, True], [1, 1], "mixes integers"),
        ([1, 1.0], [1, 1], "mixes integers"),
        ([["a"], ["a", "b"]], ["a", "b"], "multi-label"),
        (np.eye(2), [0, 1], "shape"),
        ([0.25, 0.75], [0.25, 0.5], "fractional"),
        ([pd.Timestamp("2020-01-01")], ["a"], "TIMESTAMP|not class names"),
    ],
)
def test_values_that_cannot_be_classes_are_refused_by_name(label, answer, message):
    with pytest.raises(ClassError, match=message):
        count(label=label, prediction=answer)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda d: pl.DataFrame(d).lazy(), pa.table])
def test_list_valued_cells_are_refused_by_name(make):
    data = make({"label": [["a"], ["a", "b"]], "prediction": [["a"], ["b"]]})
    with pytest.raises(ClassError, match="'label'.*multi-label"):
        count(data)


def test_mixed_json_values_are_refused(write):
    path = write("a.jsonl", '{"label": 1, "prediction": 1}\n{"label": "1", "prediction": 1}\n')
    with pytest.raises(ClassError, match="'label' mixes integers such as 1 and text such as '1'"):
        count(path)
    assert count(path, as_text=True).classes == ("1",)
    lists = write("b.jsonl", '{"label": [1, 2], "prediction": 1}\n')
    with pytest.raises(ClassError, match="multi-label"):
        count(lists)


def test_json_escapes_and_kinds(write):
    rows = [{"label": "é", "prediction": "a"}, {"label": "a", "prediction": "é"}]
    text = "\n".join(json.dumps(row) for row in rows) + '\n{"label": "é", "prediction": "é"}\n'
    assert count(write("a.jsonl", text)).classes == ("a", "é")
    assert count(write("b.jsonl", '{"label": true, "prediction": false}\n')).classes == (False, True)


MISSING = {
    "pandas": lambda: pd.DataFrame({"label": ["a", None, "b"], "prediction": ["a", "b", None]}),
    "polars": lambda: pl.DataFrame({"label": ["a", None, "b"], "prediction": ["a", "b", None]}),
    "arrow": lambda: pa.table({"label": ["a", None, "b"], "prediction": ["a", "b", None]}),
    "dict": lambda: {"label": ["a", None, "b"], "prediction": ["a", "b", float("nan")]},
    "nan": lambda: pl.DataFrame({"label": [1.0, float("nan"), 2.0], "prediction": [1.0, 2.0, None]}),
    "empty text": lambda: pl.DataFrame({"label": ["a", "", "b"], "prediction": ["a", "b", None]}),
}


@pytest.mark.parametrize("kind", sorted(MISSING))
def test_missing_values_are_refused_with_their_rows_or_left_out_and_reported(kind):
    data = MISSING[kind]()
    with pytest.raises(MissingValueError, match=r"1 in 'label', 1 in 'prediction', first in .*: rows 2, 3"):
        count(data)
    found = counted(data, policy=AnswerPolicy("drop"))
    assert (found.tally.n, found.dropped) == (1, 2)
    assert len(found.tally.classes) == 1


def test_missing_values_of_a_csv_are_named_with_file_and_row(write):
    path = write("a.csv", "label,prediction\na,a\n,b\nb,\n")
    with pytest.raises(MissingValueError, match=r"a\.csv: rows 2, 3 \(header not counted\)"):
        count(path)
    assert count(path, drop_missing=True).n == 1
    with pytest.raises(MissingValueError, match="nothing is left"):
        count(write("b.csv", "label,prediction\n,a\nb,\n"), drop_missing=True)


def test_a_lazy_frame_counts_its_missing_values_too():
    with pytest.raises(MissingValueError, match="1 in 'label', 1 in 'prediction' of the lazy frame"):
        count(MISSING["polars"]().lazy())


def test_integers_with_gaps_are_integers_again():
    frame = pd.DataFrame({"label": [1, None, 0], "prediction": [1, 1, 0]})
    assert frame["label"].dtype == float
    assert count(frame, drop_missing=True).classes == (0, 1)


def test_weights():
    found = count(label=["a", "a", "b"], prediction=["a", "a", "a"], weight=[0.5, 1.5, 2.0])
    assert found.weights.tolist() == [2.0, 2.0]
    assert found.squares.tolist() == [2.5, 4.0]
    assert found.effective_n == pytest.approx(16 / 6.5)


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), None])
@pytest.mark.parametrize("kind", ["pandas", "lazy", "csv"])
def test_bad_weights_are_refused(bad, kind, write):
    frame = pd.DataFrame({"label": ["a", "b"], "prediction": ["a", "b"], "w": [1.0, bad]})
    data = {"pandas": frame, "lazy": pl.from_pandas(frame).lazy()}.get(kind)
    if kind == "csv":
        data = write("a.csv", frame.to_csv(index=False))
    with pytest.raises(WeightError, match="Column 'w' .* other values in 1 row"):
        count(data, weight="w")


def test_weights_that_are_words_or_all_zero(write):
    with pytest.raises(WeightError, match="row 1: 'heavy'"):
        count(write("a.csv", "label,prediction,w\na,a,heavy\n"), weight="w")
    with pytest.raises(WeightError, match="add up to 0"):
        count(label=["a"], prediction=["a"], weight=[0.0])


def test_slices_keep_missing_values_as_a_slice():
    found = count({"label": ["a", "a"], "prediction": ["a", "b"], "site": ["x", None]}, by="site")
    assert found.levels[2] == ("x", None)
    assert found.select(site=None).n == 1


def test_a_hundred_thousand_labels_are_an_identifier():
    names = [f"id-{i}" for i in range(100_000)]
    with pytest.raises(ClassError, match="50,000 different values in 'label' in its first.*identifier"):
        count(label=names, prediction=names)


def test_too_many_slices():
    names = list(range(1001))
    with pytest.raises(ClassError, match="1,001 different values in 'site'.*slices"):
        count({"label": ["a"] * 1001, "prediction": ["a"] * 1001, "site": names}, by="site")


def test_declared_classes():
    found = count(label=["low"], prediction=["high"], classes=["low", "medium", "high"])
    assert found.classes == ("low", "medium", "high")
    with pytest.raises(ClassError, match="Class 'high' .*not in the list"):
        count(label=["high"], prediction=["low"], classes=["low"])
    found = count(label=["low"], prediction=["high"], classes=["low", "medium"], others="wrong")
    assert (found.classes, found.others) == (("low", "medium", "high"), ("high",))


def test_arguments_that_make_no_sense():
    with pytest.raises(InputError, match="Pass data"):
        count()
    with pytest.raises(InputError, match="got int"):
        count(3)
    with pytest.raises(InputError, match="name of a column"):
        count({"label": ["a"], "prediction": ["a"]}, label=["a"])
    with pytest.raises(ColumnError, match="label has 1, prediction has 2"):
        count(label=["a"], prediction=["a", "b"])
    with pytest.raises(InputError, match="No rows"):
        count(pd.DataFrame({"label": [], "prediction": []}, dtype=str))
    with pytest.raises(ColumnError, match="Two columns"):
        count(pd.DataFrame([["a", "a", "b"]], columns=["label", "prediction", "label"]))


def test_shards_with_other_columns_or_formats_are_refused(write, tmp_path):
    write("p1.csv", "label,prediction\na,a\n")
    write("p2.csv", "label,pred\na,a\n")
    with pytest.raises(InputError, match="name their columns differently"):
        count(tmp_path / "p*.csv")
    write("q1.csv", "label,prediction\n1,1\n")
    pl.DataFrame({"label": [1], "prediction": [1]}).write_parquet(tmp_path / "q2.parquet")
    with pytest.raises(InputError, match="different formats"):
        count(tmp_path / "q*")


def test_shards_of_other_types_are_refused(tmp_path):
    pl.DataFrame({"label": [1], "prediction": [1]}).write_parquet(tmp_path / "q1.parquet")
    pl.DataFrame({"label": ["1"], "prediction": ["1"]}).write_parquet(tmp_path / "q2.parquet")
    with pytest.raises(ClassError, match="mixes integers such as 1 and text such as '1'"):
        count(tmp_path / "q*.parquet")


def test_only_the_columns_needed_are_touched():
    frame = pd.DataFrame({"label": ["a"], "prediction": ["a"], "junk": [object()]})
    assert count(frame).n == 1
