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
    "durations": (pa.array(DAYS), "holds durations, which are not class names"),
    "bytes of 128-bit integers": (pa.array([bytes(16)] * 4, pa.binary(16)), "Write it as text or as 64-bit integers"),
    "bytes that are no text": (pa.array([b"a", b"\xff", b"a", b"b"]), "holds bytes that are not text"),
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
