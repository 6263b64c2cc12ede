"""Re-checked rows beside the rows they are about: the same tally as a plain merge, a sentence for what cannot be."""

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justesse import Tally
from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.frames.audited import count_audited
from justesse.frames.joined import to_join
from justesse.frames.together import in_one, join_answers

ROWS = 300
NAMES = np.array(["été", "b,c", 'quo"te'])
AXES = {"label": "label", "prediction": "prediction"}


def frames(seed=0):
    """All rows, and a random sample of them with their true class, in another order."""
    rng = np.random.default_rng(seed)
    true = rng.integers(3, size=ROWS)
    label, prediction = (np.where(rng.random(ROWS) < 0.8, true, rng.integers(3, size=ROWS)) for _ in range(2))
    ids = rng.permutation(1000)[:ROWS]
    whole = pd.DataFrame({"id": ids, "label": NAMES[label], "prediction": NAMES[prediction]})
    picked = rng.permutation(ROWS)[:60]
    return whole, pd.DataFrame({"id": ids[picked], "true": NAMES[true[picked]]})


def merged(whole, checked, axes=("label", "prediction")):
    """The oracle: pandas merges, a loop counts."""
    sums: dict[tuple, int] = {}
    for row in checked.merge(whole, on="id")[["true", *axes]].itertuples(index=False):
        sums[tuple(row)] = sums.get(tuple(row), 0) + 1
    return Tally.of(["true", *axes], [(*key, n) for key, n in sums.items()])


def tally(whole, checked, on="id", **options):
    return count_audited(to_join(whole), AXES, checked, on=on, **options)


def written(frame, path: Path) -> str:
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    return str(path)


@pytest.mark.parametrize("one", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("other", ["csv", "parquet", "jsonl"])
def test_every_two_kinds_of_files(tmp_path, one, other):
    whole, checked = frames()
    paths = written(whole, tmp_path / f"rows.{one}"), written(checked, tmp_path / f"checked.{other}")
    assert tally(*paths) == merged(whole, checked)


def test_every_frame_in_memory():
    whole, checked = frames(1)
    wanted, connection = merged(whole, checked), duckdb.connect()
    shapes = {
        "pandas": lambda frame: frame,
        "polars": pl.from_pandas,
        "arrow": pa.Table.from_pandas,
        "a relation of its own": connection.from_df,
        "a relation of the default connection": duckdb.from_df,
        "lists": lambda frame: frame.to_dict("list"),
        "categories": lambda frame: frame.astype({name: "category" for name in frame.columns if name != "id"}),
    }
    for name, shape in shapes.items():
        assert tally(shape(whole), shape(checked)) == wanted, name
        assert tally(whole, shape(checked)) == wanted, name
        assert tally(shape(whole), checked) == wanted, name


def test_ids_written_as_text_and_as_integers():
    whole, checked = frames(2)
    texts = checked.astype({"id": str})
    assert tally(whole, texts) == tally(whole.astype({"id": str}), checked) == merged(whole, checked)
    assert tally(whole.astype({"id": str}), texts) == merged(whole, checked)


def test_ids_that_became_decimals():
    """7.0 is not spelt as 7: that is said, not guessed."""
    whole, checked = frames(2)
    with pytest.raises(InputError, match="ids in column 'id' .*no value in common.*Write the ids the same way"):
        tally(whole, checked.astype({"id": float}))


def test_patterns_of_files_on_both_sides(tmp_path):
    whole, checked = frames(3)
    for name, frame in (("rows", whole), ("checked", checked)):
        for at, part in enumerate(np.array_split(np.arange(len(frame)), 3)):
            written(frame.iloc[part], tmp_path / f"{name}-{at}.csv")
    assert tally(str(tmp_path / "rows-*.csv"), str(tmp_path / "checked-*.csv")) == merged(whole, checked)


@pytest.mark.parametrize("kind", ["integers", "booleans"])
def test_classes_of_other_kinds(kind, tmp_path):
    whole, checked = frames(4)
    codes = {name: at for at, name in enumerate(NAMES)} if kind == "integers" else {n: n == NAMES[0] for n in NAMES}
    whole, checked = (frame.replace(codes).infer_objects() for frame in (whole, checked))
    assert tally(whole, checked) == merged(whole, checked)
    assert tally(written(whole, tmp_path / "w.csv"), written(checked, tmp_path / "c.parquet")) == merged(whole, checked)


def test_a_true_class_that_no_label_is():
    whole, checked = frames(5)
    checked.loc[0, "true"] = "neither"
    found = tally(whole, checked)
    assert found == merged(whole, checked)
    assert "neither" in found.classes


def test_other_columns_are_no_matter():
    whole, checked = frames(6)
    assert tally(whole, checked.assign(label="x", prediction="y", who="Ann")) == merged(whole, checked)


@given(st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_sample_of_any_rows(data):
    n = data.draw(st.integers(1, 12))
    classes = st.sampled_from(["a", "b", "c"])
    ids = data.draw(st.lists(st.integers(0, 99), min_size=n, max_size=n, unique=True))
    whole = pd.DataFrame({"id": ids, **{axis: [data.draw(classes) for _ in ids] for axis in AXES}})
    picked = data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    checked = pd.DataFrame({"id": picked, "true": [data.draw(classes) for _ in picked]})
    assert tally(whole, checked) == merged(whole, checked)


def test_two_files_joined_by_an_id_and_the_re_checked_rows_by_the_same(tmp_path):
    whole, checked = frames(7)
    other = whole.assign(prediction=np.roll(whole["prediction"], 5)).sample(frac=1, random_state=0)
    both = whole.rename(columns={"prediction": "incumbent"}).merge(
        other[["id", "prediction"]].rename(columns={"prediction": "candidate"}), on="id"
    )
    wanted = merged(both, checked, ("label", "incumbent", "candidate"))
    for one, two in ((whole, other), (written(whole, tmp_path / "a.csv"), written(other, tmp_path / "b.parquet"))):
        assert join_answers(one, two, on="id").count_audited(checked, on="id") == wanted
    assert in_one(both, incumbent="incumbent", candidate="candidate").count_audited(checked, on="id") == wanted
    relation = duckdb.connect().from_df(both)
    assert in_one(relation, incumbent="incumbent", candidate="candidate").count_audited(checked, on="id") == wanted


def test_only_rows_that_both_files_have_can_be_re_checked():
    whole, checked = frames(8)
    part = whole[whole["id"].isin(checked["id"][:50])]
    joined = join_answers(whole, part, on="id", common=True)
    with pytest.raises(InputError, match="Re-checked rows not found in .*: 10 only in"):
        joined.count_audited(checked, on="id")
    assert joined.count_audited(checked[:50], on="id").n == 50


def test_gaps_are_refused_or_left_out():
    whole, checked = frames(9)
    first = checked["id"][0]
    unsure = checked.assign(true=checked["true"].where(checked["id"] != first))
    with pytest.raises(MissingValueError, match=f"1 in 'true'.*id {first}.*missing-labels drop"):
        tally(whole, unsure)
    assert tally(whole, unsure, policy=AnswerPolicy("drop")) == merged(whole, checked[1:])
    silent = whole.assign(prediction=whole["prediction"].where(whole["id"] != first))
    with pytest.raises(MissingValueError, match="1 in 'prediction'"):
        tally(silent, checked)
    assert tally(silent, checked, policy=AnswerPolicy("drop")) == merged(whole, checked[1:])


def changed(checked, **cells):
    return pd.concat([checked, pd.DataFrame({name: [value] for name, value in cells.items()})], ignore_index=True)


BAD = {
    "unknown id": (lambda w, c: (w, changed(c, id=5000, true="b,c")), "1 only in the data frame .re-checked rows. .such as '5000'.*Only rows of this test set"),
    "no id in common": (lambda w, c: (w, c.assign(id=c["id"] + 5000)), "no value in common"),
    "answered twice": (lambda w, c: (w, pd.concat([c, c[:1]])), "Id [0-9]+ occurs 2 times in column 'id' .* Keep one row"),
    "answered in two ways": (lambda w, c: (w, changed(c, id=c["id"][0], true="other")), "Two true classes for id .* Keep the right row"),
    "rows that repeat": (lambda w, c: (pd.concat([w, w]), c), "Duplicate ids in column 'id' of the data frame"),
    "no id in the rows": (lambda w, c: (w.drop(columns="id"), c), "Column 'id' not found in .*id column with on"),
    "no id in the sample": (lambda w, c: (w, c.rename(columns={"id": "key"})), "Column 'id' not found in .*id column with on"),
    "no true classes": (lambda w, c: (w, c.rename(columns={"true": "expert"})), "No column 'true' with the true classes in .*Columns: 'id', 'expert'. Re-checked rows need 'id' and 'true'"),
    "nothing re-checked": (lambda w, c: (w, c[:0]), "No rows in .*re-checked rows"),
    "classes of another kind": (lambda w, c: (w, c.assign(true=1)), "'true' has integers such as 1"),
    "lazy rows": (lambda w, c: (pl.from_pandas(w).lazy(), c), "Collect the frame first"),
    "a lazy sample": (lambda w, c: (w, pl.from_pandas(c).lazy()), "Collect the frame first"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(BAD))
def test_what_cannot_be_re_checked(case):
    make, message = BAD[case]
    with pytest.raises(InputError, match=message):
        tally(*make(*frames(10)))


def test_answers_that_differ_across_files(tmp_path):
    whole, checked = frames(11)
    written(checked, tmp_path / "c-1.csv")
    written(checked[:1].assign(true="other"), tmp_path / "c-2.csv")
    with pytest.raises(InputError, match="Duplicate ids in column 'id' of .*c-1.csv"):
        tally(whole, str(tmp_path / "c-*.csv"))


def test_an_id_is_needed():
    with pytest.raises(InputError, match="Name its column with on=… .--on id."):
        tally(*frames(), on=None)
    whole, checked = frames()
    with pytest.raises(ColumnError, match="Column 'Id' not found in .*Did you mean 'id'.*id column with on"):
        tally(whole, checked, on="Id")
