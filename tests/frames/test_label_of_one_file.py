"""A row that lacks its label in one of two files is a row without a label."""

import polars as pl
import pytest

import justesse
from justesse.core.errors import MissingValueError

WHOLE = {"id": [1, 2, 3, 4], "label": ["a", "b", "b", "a"], "prediction": ["a", "a", "b", "b"]}
LACKS = {"id": [1, 2, 3, 4], "label": ["a", "b", None, "a"], "prediction": ["a", "b", "b", "a"]}
PAIRS = {"incumbent lacks it": (LACKS, WHOLE), "candidate lacks it": (WHOLE, LACKS), "both lack it": (LACKS, LACKS | {"prediction": WHOLE["prediction"]})}  # fmt: skip


def written(table, path, ending):
    frame = pl.DataFrame(table)
    (frame.write_csv if ending == "csv" else frame.write_parquet)(path)
    return path


@pytest.mark.parametrize("case", sorted(PAIRS))
@pytest.mark.parametrize("kinds", [("csv", "csv"), ("parquet", "parquet"), ("csv", "parquet")])
@pytest.mark.parametrize("on", [None, "id"])
def test_it_is_dropped_if_asked(case, kinds, on, tmp_path):
    files = [
        written(table, tmp_path / f"{at}.{kind}", kind)
        for at, (table, kind) in enumerate(zip(PAIRS[case], kinds, strict=True))
    ]
    found = justesse.compare(*files, on=on, missing_labels="drop").to_dict()
    assert (found["verdicts"][0]["n"] if "verdicts" in found else found["n"]) == 3
    assert found["dropped"] == 1
    with pytest.raises(MissingValueError, match="missing_labels='drop'"):
        justesse.compare(*files, on=on)


@pytest.mark.parametrize("case", sorted(PAIRS))
def test_lazy_frames_do_the_same(case):
    frames = [pl.LazyFrame(table) for table in PAIRS[case]]
    assert justesse.compare(*frames, on="id", missing_labels="drop").to_dict()["dropped"] == 1
    with pytest.raises(MissingValueError, match="missing_labels='drop'"):
        justesse.compare(*frames, on="id")


def test_labels_that_differ_are_still_refused():
    other = WHOLE | {"label": ["b", "b", "b", "a"]}
    with pytest.raises(justesse.core.errors.InputError, match="differ in 1 row"):
        justesse.compare(pl.DataFrame(LACKS), pl.DataFrame(other), on="id", missing_labels="drop")
