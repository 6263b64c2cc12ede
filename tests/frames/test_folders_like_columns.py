"""A folder such as `label=cat` is a place, never a column: what is read is what the file holds."""

import gzip
import json

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from justesse import count
from justesse.frames.table import read_table
from justesse.frames.together import join_answers

COLUMNS = {"label": ["cat", "dog", "cat", "dog"], "prediction": ["cat", "cat", "dog", "dog"]}
COUNTS = [["cat", "cat", 1], ["cat", "dog", 1], ["dog", "cat", 1], ["dog", "dog", 1]]
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def _delimited(path, mark):
    path.write_text("\n".join([mark.join(COLUMNS), *(mark.join(row.values()) for row in RECORDS)]) + "\n")


WRITERS = {
    "csv": lambda path: _delimited(path, ","),
    "tsv": lambda path: _delimited(path, "\t"),
    "jsonl": lambda path: path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS)),
    "json": lambda path: path.write_text(json.dumps(RECORDS)),
    "parquet": lambda path: pyarrow.parquet.write_table(pa.table(COLUMNS), path),
    "arrow": lambda path: pyarrow.feather.write_feather(pa.table(COLUMNS), str(path)),
}
FOLDERS = ["label=cat", "prediction=dog", "label=cat/prediction=cat", "h0=cat", "c0=cat", "json=cat", "LABEL=cat"]


def _written(folder, kind, *, zipped=False, name="part"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.{kind}"
    WRITERS[kind](path)
    if zipped:
        packed = path.with_name(f"{path.name}.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
        return packed
    return path


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_named_like_a_column_changes_nothing(tmp_path, folder, kind, zipped):
    path = _written(tmp_path / folder, kind, zipped=zipped)
    assert count(path).cells() == COUNTS
    assert {name: column.to_pylist() for name, column in read_table(path).raw.items()} == COLUMNS


@pytest.mark.parametrize("kind", WRITERS)
def test_a_pattern_over_such_folders_counts_what_the_files_hold(tmp_path, kind):
    for folder in ("label=cat", "label=dog"):
        _written(tmp_path / folder, kind)
    assert count(f"{tmp_path}/label=*/part.{kind}").cells() == [[*names, 2 * n] for *names, n in COUNTS]


@pytest.mark.parametrize("kind", WRITERS)
def test_equal_files_in_such_folders_agree_everywhere(tmp_path, kind):
    one, other = (_written(tmp_path / folder, kind) for folder in ("prediction=cat", "prediction=dog"))
    tally, _ = join_answers(one, other).count()
    assert all(incumbent == candidate for _, incumbent, candidate, _ in tally.cells())
