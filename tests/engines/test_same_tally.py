"""The same tally, whatever holds the rows."""

import gzip
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from justesse import Tally, count

RNG = np.random.default_rng(0)
ROWS = 3000
LABEL = RNG.integers(4, size=ROWS)
ANSWER = np.where(RNG.random(ROWS) < 0.8, LABEL, RNG.integers(4, size=ROWS))
NAMES = {
    "text": np.array(["été", "b,c", 'quo"te', "d"]),
    "integers": np.array([-1, 0, 7, 100]),
    "booleans": np.array([True, False, True, False]),
}


@pytest.fixture(params=sorted(NAMES))
def frame(request) -> pd.DataFrame:
    names = NAMES[request.param]
    return pd.DataFrame(
        {
            "label": names[LABEL],
            "prediction": names[ANSWER],
            "site": np.array(["north", "south"])[RNG.permutation(ROWS) % 2],
            "w": np.round(RNG.random(ROWS) * 2, 2),
        }
    )


def counted(data) -> Tally:
    return count(data, by="site", weight="w")


def expected(frame: pd.DataFrame) -> Tally:
    cells, sums = [], {}
    for label, answer, site, _ in frame.itertuples(index=False):
        key = (label, answer, site)
        sums[key] = sums.get(key, 0) + 1
    cells = [(*key, n) for key, n in sums.items()]
    return Tally.of(["label", "prediction", "site"], cells)


def test_brute_force(frame):
    found = counted(frame)
    plain = Tally.of(found.axes, found.cells())
    assert plain == expected(frame)
    assert found.weights.sum() == pytest.approx(frame["w"].sum())
    assert found.squares.sum() == pytest.approx((frame["w"] ** 2).sum())


def test_every_frame_in_memory(frame):
    wanted = counted(frame)
    polars = pl.from_pandas(frame)
    connection = duckdb.connect()
    connection.register("rows", frame)
    for data in (
        polars,
        polars.lazy(),
        pa.Table.from_pandas(frame),
        connection.sql("SELECT * FROM rows"),
        frame.to_dict("list"),
        {name: frame[name].to_numpy() for name in frame},
        {name: polars[name] for name in frame},
        frame.astype({"site": "category"}),
        polars.with_columns(pl.col("site").cast(pl.Categorical)),
        polars.lazy().with_columns(pl.col("site").cast(pl.Categorical)),
    ):
        assert counted(data) == wanted, type(data)
    arrays = count(label=frame["label"], prediction=frame["prediction"].to_numpy(), weight=frame["w"])
    assert arrays == wanted.marginal("label", "prediction")


def test_dask(frame):
    import dask.dataframe as dd

    assert counted(dd.from_pandas(frame, npartitions=3)) == counted(frame)


@pytest.mark.filterwarnings("ignore")  # of pyspark's own making
def test_spark(frame):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed (extra: spark)")
    session = sql.SparkSession.builder.master("local[1]").getOrCreate()
    try:
        assert counted(session.createDataFrame(frame)) == counted(frame)
    finally:
        session.stop()


def write_stream(frame: pd.DataFrame, path: Path) -> None:
    table = pa.Table.from_pandas(frame)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)


WRITERS = {
    "a.csv": lambda frame, path: frame.to_csv(path, index=False),
    "a.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "semi.csv": lambda frame, path: frame.to_csv(path, index=False, sep=";"),
    "crlf.csv": lambda frame, path: frame.to_csv(path, index=False, lineterminator="\r\n"),
    "bom.csv": lambda frame, path: frame.to_csv(path, index=False, encoding="utf-8-sig"),
    "a.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "array.json": lambda frame, path: frame.to_json(path, orient="records"),
    "a.parquet": lambda frame, path: frame.to_parquet(path, row_group_size=500),
    "a.feather": lambda frame, path: frame.to_feather(path),
    "plain.arrow": lambda frame, path: pyarrow.feather.write_feather(frame, str(path), compression="uncompressed"),
    "stream.arrow": write_stream,
}


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_every_file(frame, name, tmp_path):
    path = tmp_path / name
    WRITERS[name](frame, path)
    wanted = counted(frame)
    assert counted(path) == wanted
    with open(path, "rb") as plain, gzip.open(f"{path}.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    assert counted(f"{path}.gz") == wanted


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_pattern_takes_all_shards(frame, name, tmp_path):
    for at in range(4):
        WRITERS[name](frame.iloc[at::4], tmp_path / f"part-{at}{Path(name).suffix}")
    assert counted(str(tmp_path / f"part-*{Path(name).suffix}")) == counted(frame)


def test_a_name_with_pattern_characters_is_a_name(frame, tmp_path):
    path = tmp_path / "it's [odd]*.csv"
    frame.to_csv(path, index=False)
    assert counted(path) == counted(frame)


def test_a_file_larger_than_the_engine_s_memory(tmp_path):
    from justesse.frames.engine import connection

    path = tmp_path / "large.parquet"
    duckdb.sql(
        f"COPY (SELECT (range * 7919) % 3 AS label, (range * 104729) % 3 AS prediction, md5(range::VARCHAR) AS padding "
        f"FROM range(3_000_000)) TO '{path}'"
    )
    assert path.stat().st_size > 50_000_000
    before = connection().sql("SELECT current_setting('memory_limit')").fetchall()[0][0]
    connection().execute("SET memory_limit = '48MB'")
    try:
        assert count(path).n == 3_000_000
    finally:
        connection().execute(f"SET memory_limit = '{before}'")
