"""Rows of several files keep their places, however many processes are at work: nothing is joined out of order."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from justesse import evaluate
from justesse.core.errors import InputError, MissingValueError
from justesse.frames.entrants import read_entrants
from justesse.frames.fingerprints import repeated_rows, shared_rows
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.sides import side
from justesse.frames.table import read_table
from justesse.frames.together import join_answers

CLASSES = 12
OVER_AND_OVER = """
import sys
from justesse.frames.together import join_answers
one, other, times = sys.argv[1:]
seen = set()
for _ in range(int(times)):
    tally, _ = join_answers(one, other).count()
    seen.add(str(sorted(tally.cells())))
print("\\n".join(seen))
"""


def _write(folder, name, columns, sizes, kind):
    """Write columns as files of these sizes, one after the other."""
    start = 0
    for at, size in enumerate(sizes):
        part = pa.table({key: pa.array(values[start : start + size]) for key, values in columns.items()})
        start += size
        path = folder / f"{name}-{at:02}.{kind}"
        if kind == "csv":
            pa.csv.write_csv(part, path)
        else:
            pa.parquet.write_table(part, path, row_group_size=1000)
    assert start == len(next(iter(columns.values())))
    return str(folder / f"{name}-*.{kind}")


@pytest.fixture
def answers():
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 30_000, 12).tolist()
    label, one, other = rng.integers(0, CLASSES, (3, sum(sizes)))
    expected = Counter(zip(label.tolist(), one.tolist(), other.tolist(), strict=True))
    return sizes, label, one, other, sorted([*key, n] for key, n in expected.items())


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_patterns_of_files_are_joined_in_order_by_several_processes_at_once(tmp_path, answers, kind):
    import pyarrow.csv  # noqa: F401

    sizes, label, one, other, expected = answers
    cut_differently = [sum(sizes[:5]), 1, sum(sizes[5:]) - 1]
    first = _write(tmp_path, "one", {"label": label, "prediction": one}, sizes, kind)
    second = _write(tmp_path, "other", {"label": label, "prediction": other}, cut_differently, kind)
    running = [
        subprocess.Popen([sys.executable, "-c", OVER_AND_OVER, first, second, "4"], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert {process.communicate(timeout=300)[0].strip() for process in running} == {str(expected)}
    assert [process.returncode for process in running] == [0] * 4


def test_scores_of_several_files_stay_beside_their_labels(tmp_path):
    rng = np.random.default_rng(2)
    label = rng.integers(0, 2, 60_000)
    columns = {"label": label, "prediction": label, "score": np.arange(60_000.0)}
    pattern = _write(tmp_path, "one", columns, [20_000, 5_000, 35_000], "parquet")
    rows = (
        join_answers(pattern, pattern, score="score")
        .tables[0]
        .arrays(["label"], ["incumbent score", "candidate score"])
    )
    np.testing.assert_array_equal(rows.keys[0], label)
    np.testing.assert_array_equal(rows.numbers, np.column_stack([np.arange(60_000.0)] * 2))


def test_an_error_names_the_right_row_of_several_files(tmp_path):
    label = np.arange(60_000) % 3
    other = label.copy()
    other[[41_234, 58_000]] = [0, 2]
    sizes = [20_000, 5_000, 35_000]
    one = _write(tmp_path, "one", {"label": label, "prediction": label}, sizes, "parquet")
    two = _write(tmp_path, "two", {"label": other, "prediction": label}, sizes, "parquet")
    with pytest.raises(InputError, match="differ in 2 rows .row 41235: 2 and 0, row 58001: 1 and 2"):
        join_answers(one, two).count()
    answers = [None if row == 33_333 else int(name) for row, name in enumerate(label)]
    gaps = _write(tmp_path, "gaps", {"label": label, "prediction": answers}, sizes, "parquet")
    with pytest.raises(MissingValueError, match="row 33334 "):
        join_answers(one, gaps).count()


def test_leaks_among_several_files_name_the_right_rows(tmp_path):
    texts = np.array([f"case number {row} of a long list of cases" for row in range(50_000)], dtype=object)
    texts[[45_000, 49_999]] = texts[[10, 30_000]]
    pattern = _write(tmp_path, "test", {"x": texts}, [20_000, 1, 29_999], "parquet")
    test = side(pattern, "test")
    repeated = repeated_rows(test, ["x"])
    assert (repeated.rows.tolist(), repeated.partners.tolist()) == ([45_000, 49_999], [10, 30_000])
    train = side({"x": ["something else entirely", texts[25_000]]}, "train")
    assert shared_rows(test, train, ["x"]).rows.tolist() == [25_000]
    unlike = np.array([f"{row:x} {row**5:x} {row**7 % 999_983:x} {row**9 % 999_979:x}" for row in range(3_000)])
    pattern = _write(tmp_path, "unlike", {"x": unlike}, [1_000, 1_500, 500], "parquet")
    train = side({"x": [f"{unlike[2_400]} !"]}, "train")
    assert near_duplicates(side(pattern, "test"), train, "x").rows.tolist() == [2_400]


def test_a_relation_without_an_order_is_fetched_once():
    """Two looks at a relation may give its rows in two orders: this one changes with every look."""
    import duckdb

    wanted = ", ".join(f"i % 7 AS {name}" for name in ("label", "true", "a", "b"))
    relation = duckdb.connect().sql(f"SELECT {wanted} FROM range(5000) AS t(i) ORDER BY random()")
    read = read_entrants({"": relation})
    assert (read.answers == read.true).all()
    assert (read.labels["label"] == read.true).all()
    table = read_table(relation)
    np.testing.assert_array_equal(table.labels("label"), table.typed["a"].to_numpy())


def test_one_file_is_read_in_its_order(tmp_path):
    """A file of many row groups and buffers, beside itself: whoever reads it out of order finds differences."""
    import pyarrow.csv  # noqa: F401

    label = np.random.default_rng(3).integers(0, 1000, 300_000)
    files = [
        _write(tmp_path, name, {"label": label, "prediction": label}, [len(label)], kind)
        for name, kind in (("one", "csv"), ("two", "parquet"))
    ]
    for _ in range(5):
        tally, _ = join_answers(*files).count()
        assert all(a == b == c for a, b, c, _ in tally.cells())
    assert evaluate(Path(files[0].replace("*", "00")))["accuracy"].value == 1
