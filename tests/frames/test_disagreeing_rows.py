"""Rows on which two classifiers disagree are fetched with what belongs to them, and nothing else."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from justesse.core.errors import InputError, ScoreError
from justesse.frames.disagreeing_rows import disagreeing_rows
from justesse.frames.together import in_one, join_answers

FRAME = pd.DataFrame(
    {
        "id": ["a/1", "b 2", "é", "d"],
        "label": ["x", "y", "x", "z"],
        "old": ["x", "x", "y", "z"],
        "new": ["x", "y", "x", "z"],
        "text": ["one", "two, \"quoted\"\nlines", None, "four"],
        "doubt": [0.1, 0.9, 0.5, np.nan],
        "expert": ["x", "y", None, "z"],
    }
)  # fmt: skip


def found_in(table, on="id", **columns):
    tally, _ = table.count()
    return disagreeing_rows(table, tally.classes, on=on, **columns)


def test_only_rows_that_differ_come_with_what_belongs_to_them():
    table = in_one(FRAME, incumbent="old", candidate="new", by=["text"])
    tally, _ = in_one(FRAME, incumbent="old", candidate="new").count()
    found = disagreeing_rows(table, tally.classes, on="id", true="expert", suspicion="doubt", shown={"text": "text"})
    assert found.ids == ("b 2", "é")
    assert [found.classes[code] for code in found.candidate] == ["y", "x"]
    assert [found.classes[code] for code in found.incumbent] == ["x", "y"]
    assert found.shown == ('two, "quoted"\nlines', None)
    assert found.suspicion.tolist() == [0.9, 0.5]
    assert found.true == ("y", None)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "polars"])
@pytest.mark.parametrize("values", [["x", "y"], [1, 2], [True, False]])
def test_joined_files_of_every_kind_give_the_same_rows(tmp_path, kind, values):
    rng = np.random.default_rng(3)
    label = np.array(values, dtype=object)[rng.integers(0, 2, 60)]
    frame = pd.DataFrame({"id": np.arange(100, 160), "label": label})
    sides = []
    for seed in (0, 1):
        own = frame.assign(prediction=np.array(values, dtype=object)[np.random.default_rng(seed).integers(0, 2, 60)])
        sides.append(own.infer_objects())
    expected = sides[0][(sides[0].prediction != sides[1].prediction).to_numpy()]
    tables = []
    for side, own in enumerate(sides):
        own = own.sample(frac=1, random_state=side)
        path = tmp_path / f"{side}.{kind}"
        if kind == "csv":
            own.to_csv(path, index=False)
        elif kind == "parquet":
            own.to_parquet(path)
        elif kind == "jsonl":
            own.to_json(path, orient="records", lines=True)
        tables.append(pl.from_pandas(own) if kind == "polars" else path)
    found = found_in(join_answers(*tables, on="id"))
    assert sorted(found.ids) == sorted(expected.id.astype(str))
    by_id = expected.set_index(expected.id.astype(str))
    for at, name in enumerate(found.ids):
        assert found.classes[found.incumbent[at]] == by_id.prediction[name]
        assert found.classes[found.label[at]] == by_id.label[name]


def test_spellings_of_one_class_are_no_disagreement(tmp_path):
    (tmp_path / "a.csv").write_text("id,label,prediction\n1,true,true\n2,false,true\n3,true,false\n")
    (tmp_path / "b.csv").write_text("id,label,prediction\n1,true,True\n2,false,False\n3,true,False\n")
    found = found_in(join_answers(tmp_path / "a.csv", tmp_path / "b.csv", on="id"))
    assert found.ids == ("2",)


def test_no_disagreement_gives_no_rows():
    found = found_in(in_one(FRAME, incumbent="old", candidate="old"))
    assert found.ids == ()
    assert len(found.label) == 0


def test_ids_that_repeat_or_are_missing_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"Duplicate ids in .*'d' \(2 times\)"):
        found_in(in_one(FRAME.assign(id=["d", "b", "c", "d"]), incumbent="old", candidate="new"))
    with pytest.raises(InputError, match=r"Missing 'id' in .*, first in row 4"):
        found_in(in_one(FRAME.assign(id=["d", "b", "c", None]), incumbent="old", candidate="new"))
    for name in ("1.csv", "2.csv"):
        FRAME.to_csv(tmp_path / name, index=False)
    with pytest.raises(InputError, match="Duplicate ids in column .* of different files"):
        found_in(in_one(tmp_path / "*.csv", incumbent="old", candidate="new"))


def test_suspicion_is_a_number_for_every_row_asked_about():
    with pytest.raises(ScoreError, match="must contain numbers"):
        found_in(in_one(FRAME, incumbent="old", candidate="new"), suspicion="text")
    with pytest.raises(ScoreError, match="no finite number in 1 disputed row"):
        found_in(in_one(FRAME.assign(doubt=[1, 2, np.inf, 3]), incumbent="old", candidate="new"), suspicion="doubt")


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_ids_that_a_frame_made_decimals_are_the_whole_numbers_they_were(kind):
    numbers = np.array([4, 2, 3, 16_777_216], dtype=kind)
    whole = found_in(in_one(FRAME.assign(id=numbers.astype(int)), incumbent="old", candidate="new"))
    assert found_in(in_one(FRAME.assign(id=numbers), incumbent="old", candidate="new")).ids == whole.ids


def test_lazy_frames_are_refused():
    with pytest.raises(InputError, match="Collect the frame first"):
        found_in(in_one(pl.from_pandas(FRAME).lazy(), incumbent="old", candidate="new"))
