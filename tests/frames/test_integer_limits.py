"""Labels of every integer type, at both ends of what it can hold."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from justesse import compare_regression, count, evaluate, evaluate_regression
from justesse.cli.main import main
from justesse.core.errors import ScoreError

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def _ends(kind):
    limits = np.iinfo(kind)
    return [int(limits.min), int(limits.min) + 1, int(limits.max) - 1, int(limits.max)]


@pytest.mark.parametrize("chosen", [slice(0, 2), slice(2, 4), slice(0, 4)], ids=["low", "high", "both"])
@pytest.mark.parametrize("kind", TYPES)
def test_every_integer_type_at_its_limits(kind, chosen):
    names = _ends(kind)[chosen]
    label = np.array(names * 3, dtype=kind)
    prediction = np.array((names * 2) + names[::-1], dtype=kind)
    wanted = dict.fromkeys(zip(label.tolist(), prediction.tolist(), strict=True), 0)
    for pair in zip(label.tolist(), prediction.tolist(), strict=True):
        wanted[pair] += 1
    columns = {"label": label, "prediction": prediction}
    for data in (columns, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        assert {(a, b): n for a, b, n in count(data).cells()} == wanted
    assert evaluate(label, prediction).tally.classes == tuple(sorted(names))


@pytest.mark.parametrize("kind", TYPES)
def test_they_reach_the_json_as_they_are(tmp_path, kind, capsys):
    names = _ends(kind)
    frame = pd.DataFrame({"label": np.array(names * 10, dtype=kind), "prediction": np.array(names * 10, dtype=kind)})
    frame.to_parquet(tmp_path / "a.parquet")
    assert main(["evaluate", str(tmp_path / "a.parquet"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"] == names


LARGE = [2**53 + 1 + at for at in range(40)]  # as floating-point numbers, every other one is its neighbour
ROUNDED = [2**53 + at for at in range(40)]


def test_numbers_that_would_be_rounded_are_refused_with_their_row(tmp_path, capsys):
    rows = "y,old,new\n" + "".join(f"{a},{b},{b}\n" for a, b in zip(LARGE, ROUNDED, strict=True))
    (tmp_path / "a.csv").write_text(rows)
    words = ["compare-regression", str(tmp_path / "a.csv"), "--label", "y", "--incumbent", "old", "--candidate", "new"]
    assert main(words) == 2
    assert "a.csv, row 1: 9007199254740993 in column 'y' cannot be computed with exactly" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "a.csv"), "--regression", "--label", "y", "--prediction", "old"]) == 2
    assert "row 1: 9007199254740993" in capsys.readouterr().err


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_frames_and_arrays_are_checked_too(frame):
    small = list(range(40))
    with pytest.raises(ScoreError, match="row 2: 9007199254740993"):
        evaluate_regression(frame({"label": [0, 2**53 + 1, *small[2:]], "prediction": small}))
    assert evaluate_regression(frame({"label": [0, 2**53 + 2, *small[2:]], "prediction": small})).n == 40


def test_arrays_are_checked_too():
    with pytest.raises(ScoreError, match="row 1: 9007199254740993"):
        evaluate_regression(y_true=np.array(LARGE), y_pred=np.array(ROUNDED))
    with pytest.raises(ScoreError, match="row 1: 9007199254740993"):
        compare_regression(y_true=LARGE, incumbent=ROUNDED, candidate=ROUNDED)


def test_large_numbers_that_are_exact_or_written_as_decimals_are_computed_with():
    exact = [2**60 + 2**10 * at for at in range(40)]
    assert evaluate_regression(y_true=exact, y_pred=exact)["mae"].value == 0
    assert evaluate_regression(y_true=[float(at) * 1e20 for at in range(40)], y_pred=exact).n == 40
