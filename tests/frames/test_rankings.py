import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from justesse.core.errors import FileError
from justesse.frames.rankings import KEY, SavedRanking, read_ranking, write_ranking
from justesse.noise.ranking import Ranking

RANKING = Ranking.from_votes([[9, 1, 0], [2, 3, 5], [0, 4, 0]], classes=("cat", 7, True))


def saved(path):
    return write_ranking(path, SavedRanking(RANKING.to_columns(), RANKING.classes, RANKING.method, 3))


def test_what_is_written_is_read_back(tmp_path):
    found = read_ranking(saved(tmp_path / "r.parquet"))
    assert found.classes == ("cat", 7, True)
    assert [type(name) for name in found.classes] == [str, int, bool]
    assert (found.method, found.seed) == (RANKING.method, 3)
    again = Ranking.from_columns(found.columns, classes=found.classes, method=found.method)
    for one, other in zip(vars(again).values(), vars(RANKING).values(), strict=True):
        assert np.array_equal(one, other)
    assert [path.name for path in tmp_path.iterdir()] == ["r.parquet"]


def test_any_parquet_reader_sees_the_columns(tmp_path):
    table = pa.parquet.read_table(saved(tmp_path / "r.parquet"))
    assert table.column_names == ["rank", "difficulty", "wrong", "plausibility"]
    assert json.loads(table.schema.metadata[KEY])["classes"] == ["cat", 7, True]


def cut(path):
    path.write_bytes(saved(path).read_bytes()[:-30])


def about(facts, columns=None):
    def write(path):
        table = pa.table(columns or {name: list(values) for name, values in RANKING.to_columns().items()})
        pa.parquet.write_table(table.replace_schema_metadata({KEY: facts}), path)

    return write


GOOD = b'{"classes": ["a"], "method": "m", "seed": null}'


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: None, "damaged or not a Parquet file"),
        (lambda path: path.mkdir(), "damaged or not a Parquet file"),
        (lambda path: path.write_bytes(b""), "damaged or not a Parquet file"),
        (lambda path: path.write_text("rank,wrong\n0,1\n"), "damaged or not a Parquet file"),
        (cut, "damaged or not a Parquet file"),
        (lambda path: pa.parquet.write_table(pa.table({"rank": [0]}), path), "not a ranking written by justesse"),
        (about(b"\x80\x04K\x01."), "not a ranking written by justesse"),  # a pickle is text like any other
        (about(b"[]"), "not a ranking written by justesse"),
        (about(b'{"classes": 3, "method": "m", "seed": 0}'), "not a ranking written by justesse"),
        (about(GOOD, {"rank": ["a"]}), "not a ranking written by justesse"),
        (about(GOOD, {"rank": [0, None]}), "not a ranking written by justesse"),
    ],
)
def test_other_files_are_refused(tmp_path, spoil, reason):
    path = tmp_path / "r.parquet"
    spoil(path)
    with pytest.raises(FileError, match=reason):
        read_ranking(path)
