"""Parquet columns that would be read as something else are refused, with what to do."""

import datetime

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import justesse
from justesse.core.errors import ClassError

DAYS = [datetime.timedelta(days=day) for day in (1, 2, 1, 2)]
REFUSED = {
    "durations": (pa.array(DAYS), "has durations, which cannot be read as classes or numbers"),
    "bytes of 128-bit integers": (pa.array([bytes(16)] * 4, pa.binary(16)), "Write it as text or as 64-bit integers"),
    "structs": (pa.array([{"x": 1}] * 4), "has structs (STRUCT(x BIGINT)), not class names"),
    "lists": (pa.array([[1]] * 4), "has lists (BIGINT[]), not class names"),
    "maps": (
        pa.array([[("x", 1)]] * 4, pa.map_(pa.string(), pa.int64())),
        "has maps (MAP(VARCHAR, BIGINT)), not class names",
    ),
    "bytes that are no text": (pa.array([b"a", b"\xff", b"a", b"b"]), "has bytes that are not text"),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
@pytest.mark.parametrize("as_text", [[], ["--as-text"]])
def test_a_column_that_is_no_class_name(case, as_text, run, tmp_path):
    values, message = REFUSED[case]
    pq.write_table(pa.table({"label": values, "prediction": values}), tmp_path / "rows.parquet")
    ran = run("evaluate", tmp_path / "rows.parquet", *as_text)
    assert ran.code == 2
    assert message in ran.err
    assert "iconv" not in ran.err


def test_durations_are_no_numbers_either(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"y": [1.0, 2.0, 3.0, 4.0], "a": DAYS, "b": [1.0, 2.0, 3.0, 5.0]}), path)
    with pytest.raises(ClassError, match="Column 'a' of .* has durations, which cannot be read as classes or numbers"):
        justesse.compare_regression(path, label="y", incumbent="a", candidate="b")


def test_other_columns_do_not_matter(tmp_path):
    table = {
        "label": [1, 2, 1, 2],
        "prediction": [1, 2, 1, 1],
        "took": DAYS,
        "hash": pa.array([bytes(16)] * 4, pa.binary(16)),
    }
    pq.write_table(pa.table(table), tmp_path / "rows.parquet")
    assert justesse.evaluate(tmp_path / "rows.parquet")["accuracy"].value == 0.75


def test_bytes_that_are_text_are_read(tmp_path):
    pq.write_table(pa.table({"label": [b"a", b"b"], "prediction": [b"a", b"a"]}), tmp_path / "rows.parquet")
    assert justesse.evaluate(tmp_path / "rows.parquet").tally.classes == ("a", "b")


def test_a_frame_of_128_bit_integers_says_what_to_cast():
    frame = pl.DataFrame({"label": [1, 2], "prediction": [1, 1]}, schema={"label": pl.Int128, "prediction": pl.Int128})
    with pytest.raises(ClassError, match="Cast it to Int64 or to text"):
        justesse.evaluate(frame)
    assert justesse.evaluate(frame.cast(pl.Int64))["accuracy"].value == 0.5
