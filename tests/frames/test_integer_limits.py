"""Labels of every integer type, at both ends of what it can hold."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from justesse import count, evaluate
from justesse.cli.main import main

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
