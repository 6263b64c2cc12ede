"""Two tables side by side: the same tally as a plain merge, and a sentence for whatever cannot be joined."""

import gzip
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
from justesse.frames.together import in_one, join_answers

RNG = np.random.default_rng(0)
ROWS = 400
NAMES = {
    "text": np.array(["été", "b,c", 'quo"te', "<d>"]),
    "integers": np.array([-1, 0, 7, 100]),
    "booleans": np.array([True, False, True, False]),
}
AXES = ("label", "incumbent", "candidate")


def frames(kind: str = "text", rows: int = ROWS) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The answers of two classifiers, the second one's rows in another order."""
    names = NAMES[kind]
    label = RNG.integers(4, size=rows)
    answers = [np.where(RNG.random(rows) < skill, label, RNG.integers(4, size=rows)) for skill in (0.7, 0.8)]
    one, other = (
        pd.DataFrame({"id": np.arange(rows) * 7 % 1000, "label": names[label], "prediction": names[answer]})
        for answer in answers
    )
    return one, other.sample(frac=1, random_state=1).reset_index(drop=True)


def merged(one: pd.DataFrame, other: pd.DataFrame) -> Tally:
    """The oracle: pandas merges, a loop counts."""
    both = one.merge(other, on="id", suffixes=("", "_other"))
    sums: dict[tuple, int] = {}
    for row in both[["label", "prediction", "prediction_other"]].itertuples(index=False):
        sums[tuple(row)] = sums.get(tuple(row), 0) + 1
    return Tally.of(AXES, [(*key, n) for key, n in sums.items()])


def tally(one, other, **options) -> Tally:
    return join_answers(one, other, **options).count()[0]


def written(frame: pd.DataFrame, folder: Path, kind: str) -> str:
    path = folder / f"{len(list(folder.iterdir()))}.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    elif kind == "tsv":
        frame.to_csv(path, index=False, sep="\t")
    elif kind == "parquet":
        frame.to_parquet(path, index=False)
    elif kind == "feather":
        frame.to_feather(path)
    else:
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    return str(path)


FILES = ["csv", "csv.gz", "tsv", "parquet", "feather", "jsonl", "jsonl.gz"]


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_every_two_kinds_of_files(tmp_path, kind):
    one, other = frames(kind)
    wanted = merged(one, other)
    left, right = ({name: written(frame, tmp_path, name) for name in FILES} for frame in (one, other))
    for first, second in zip(FILES, FILES[1:] + FILES[:1], strict=True):
        assert tally(left[first], right[second], on="id") == wanted, (first, second)
        assert tally(left[first], right[first], on="id") == wanted, first


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_every_frame_in_memory(kind):
    one, other = frames(kind)
    wanted = merged(one, other)
    connection = duckdb.connect()
    shapes = {
        "pandas": lambda frame: frame,
        "polars": pl.from_pandas,
        "arrow": pa.Table.from_pandas,
        "a relation": connection.from_df,
        "a relation of the default connection": duckdb.from_df,
        "lists": lambda frame: frame.to_dict("list"),
        "categories": lambda frame: frame if kind == "booleans" else frame.astype({"label": "category"}),
    }
    for name, shape in shapes.items():
        assert tally(shape(one), shape(other), on="id") == wanted, name
        assert tally(one, shape(other), on="id") == wanted, name
    assert tally(pl.from_pandas(one).lazy(), pl.from_pandas(other).lazy(), on="id") == wanted


def test_a_frame_beside_a_file(tmp_path):
    one, other = frames("integers")
    for kind in FILES:
        assert tally(one, written(other, tmp_path, kind), on="id") == merged(one, other), kind


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_patterns_of_files(tmp_path, form):
    one, other = frames()
    for at, part in enumerate(np.array_split(np.arange(ROWS), 3)):
        name = Path(written(other.iloc[part].reset_index(drop=True), tmp_path, form))
        name.rename(tmp_path / f"part-{at}.{form}")
    pattern = str(tmp_path / f"part-*.{form}")
    whole = written(one, tmp_path, "csv")
    assert tally(whole, pattern, on="id") == merged(one, other)
    ordered = written(other, tmp_path, "csv")
    assert tally(ordered, pattern) == merged(other, other)


def test_a_file_of_the_pattern_that_lacks_a_column_is_named(tmp_path):
    one, other = frames()
    other[:200].to_csv(tmp_path / "part-1.csv", index=False)
    other[200:].rename(columns={"prediction": "answer"}).to_csv(tmp_path / "part-2.csv", index=False)
    with pytest.raises(ColumnError, match=r"Column 'prediction' not found in .*part-2\.csv"):
        tally(one, str(tmp_path / "part-*.csv"), on="id")


def test_rows_in_order(tmp_path):
    one, other = frames()
    other = one[["id"]].merge(other, on="id")
    for shape in (lambda frame: frame, pl.from_pandas, lambda frame: written(frame, tmp_path, "csv")):
        assert tally(shape(one), shape(other)) == merged(one, other)
        without = (shape(frame.drop(columns="id")) for frame in (one, other))
        assert tally(*without) == merged(one, other)


def test_order_survives_many_rows_and_threads(tmp_path):
    rows = 300_000
    label = RNG.integers(9, size=rows)
    one, other = (pd.DataFrame({"label": label, "prediction": (label + RNG.integers(2, size=rows))}) for _ in "ab")
    one.to_csv(tmp_path / "one.csv", index=False)
    for at, part in enumerate(np.array_split(np.arange(rows), 4)):
        other.iloc[part].to_parquet(tmp_path / f"part-{at}.parquet")
    found = tally(str(tmp_path / "one.csv"), str(tmp_path / "part-*.parquet"))
    agree = int((one["prediction"] == other["prediction"]).sum())
    assert sum(n for _, a, b, n in found.cells() if a == b) == agree
    assert found.n == rows


def test_an_id_column_in_another_order_is_noticed_even_if_labels_agree():
    one = pd.DataFrame({"id": [1, 2, 3, 4], "label": list("aaaa"), "prediction": list("abab")})
    with pytest.raises(InputError, match=r"in different orders: 'id' differs in 2 rows. Join them by it.*--on id"):
        tally(one, one.iloc[[0, 2, 1, 3]])
    assert tally(one, one.iloc[[0, 2, 1, 3]], on="id") == merged(one, one)


def test_ids_written_as_numbers_and_as_text(tmp_path):
    one, other = frames()
    text = other.astype({"id": str})
    assert tally(one, text, on="id") == merged(one, other)
    assert tally(pl.from_pandas(one).lazy(), pl.from_pandas(text).lazy(), on="id") == merged(one, other)
    assert tally(written(one, tmp_path, "parquet"), written(text, tmp_path, "parquet"), on="id") == merged(one, other)
    padded = other.assign(id=other["id"].map("{:04d}".format))
    with pytest.raises(
        InputError, match=r"no value in common: 400 only in .*'0'.*400 only in .*'0\d\d\d'.*the same way"
    ):
        tally(one, padded, on="id")


@pytest.mark.parametrize("gap", [None, np.nan, ""])
def test_rows_without_an_id_are_nobodys_partner(gap, tmp_path):
    one, other = frames("integers")
    kind = str if gap == "" else float
    holes = [frame.astype({"id": kind}).assign(id=lambda f: f["id"].where(f.index != 5, gap)) for frame in (one, other)]
    for shape in (
        lambda frame: frame,
        lambda frame: pl.from_pandas(frame, nan_to_null=False),
        lambda frame: written(frame, tmp_path, "csv"),
        lambda frame: written(frame, tmp_path, "parquet"),
        lambda frame: written(frame, tmp_path, "jsonl"),
    ):
        with pytest.raises(InputError, match="are not the same: "):
            tally(*map(shape, holes), on="id")
        found = join_answers(*map(shape, holes), on="id", common=True)
        assert found.count()[0].n == 398
        assert found.unmatched == {"incumbent": 2, "candidate": 2}
    both = one.astype({"id": kind}).assign(id=lambda f: f["id"].where(f.index != 5, gap))
    with pytest.raises(InputError, match="1 only in .*rows without 'id'.*--common"):
        tally(both, both, on="id")


def test_ids_that_one_side_lacks():
    one, other = frames()
    with pytest.raises(InputError, match=r"are not the same: 100 only in .*incumbent.*such as '100'.*--common"):
        tally(one, other[other["id"].isin(one["id"][:300])], on="id")
    found = join_answers(one[:250], other[100:], on="id", common=True)
    assert found.count()[0] == merged(one[:250], other[100:])
    inside = set(one["id"][:250]) & set(other["id"][100:])
    assert found.unmatched == {"incumbent": 250 - len(inside), "candidate": 300 - len(inside)}
    lazy = join_answers(pl.from_pandas(one[:250]).lazy(), pl.from_pandas(other[100:]).lazy(), on="id", common=True)
    assert lazy.count()[0] == merged(one[:250], other[100:])
    assert lazy.unmatched == found.unmatched
    for shape in (lambda frame: frame, lambda frame: pl.from_pandas(frame).lazy()):
        with pytest.raises(InputError, match="no value in common"):
            tally(shape(one[:200]), shape(one[200:]), on="id", common=True)


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("side", [0, 1])
def test_ids_that_repeat(side, common):
    pair = list(frames())
    pair[side] = pd.concat([pair[side], pair[side][:2]])
    first = pair[side]["id"].tolist()[:2]
    name = ("incumbent", "candidate")[side]
    with pytest.raises(
        InputError, match=f"Duplicate ids in column 'id' of the data frame .{name}.: .*2 times.*Keep one"
    ) as told:
        tally(*pair, on="id", common=common)
    assert all(f"{one} (2 times)" in str(told.value) for one in first)
    with pytest.raises(InputError, match=f"Duplicate ids in column 'id' of the {name}'s frame"):
        tally(*(pl.from_pandas(one).lazy() for one in pair), on="id", common=common)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_labels_that_differ_are_shown_with_their_rows(tmp_path, kind):
    one, other = frames("integers")
    wrong = other.copy()
    wrong.loc[wrong["id"].isin([7, 14]), "label"] = 55
    truth = one.set_index("id")["label"]
    with pytest.raises(InputError, match="differ in 2 rows.*Correct them.$") as told:
        tally(written(one, tmp_path, kind), written(wrong, tmp_path, kind), on="id")
    for at in (7, 14):
        assert f"id {at}: {truth[at]} and 55" in str(told.value).replace("'", "")
    ordered = one.copy()
    ordered.loc[3, "label"] = 55
    with pytest.raises(InputError, match=r"differ in 1 row \(row 4: .* and '?55'?\).*--on id.*another order"):
        tally(written(one, tmp_path, kind), written(ordered, tmp_path, kind))


def test_a_label_that_one_side_lacks_is_missing():
    one, other = frames()
    other.loc[other["id"] == 21, "label"] = None
    with pytest.raises(MissingValueError, match=r"1 in 'label'.*id 21\b"):
        tally(one, other, on="id")
    with pytest.raises(MissingValueError, match="1 in 'label'"):
        tally(pl.from_pandas(one).lazy(), pl.from_pandas(other).lazy(), on="id")
    # a question mark is a label like any other
    other.loc[other["id"] == 21, "label"] = "?"
    with pytest.raises(InputError, match=r"id 21: .* and '\?'"):
        tally(one, other, on="id")


def test_true_is_one_where_labels_are_true_and_false_only():
    one = pd.DataFrame({"id": [1, 2], "label": [True, False], "prediction": [True, True]})
    other = pd.DataFrame({"id": [1, 2], "label": [1, 0], "prediction": [True, True]})
    assert tally(one, other, on="id").cells() == [[False, True, True, 1], [True, True, True, 1]]
    with pytest.raises(InputError, match="labels of .* differ in 2 rows"):
        tally(one, other.assign(label=[1, 2]), on="id")


def test_booleans_as_pandas_and_as_others_write_them(tmp_path):
    one, other = frames("booleans")
    path = written(one, tmp_path, "csv")
    small = tmp_path / "small.csv"
    small.write_text(
        Path(written(other, tmp_path, "csv")).read_text().replace("True", "true").replace("False", "false")
    )
    assert tally(path, str(small), on="id") == merged(one, other)
    wrong = other.copy()
    wrong.loc[wrong["id"] == 7, "label"] ^= True
    with pytest.raises(InputError, match=r"differ in 1 row \(id 7: '(True|False)' and '(true|false)'\)"):
        tally(path, written(wrong, tmp_path, "parquet"), on="id")


def test_gaps_are_pointed_at_by_their_id(tmp_path):
    one, other = frames()
    other.loc[other["id"].isin([7, 14]), "prediction"] = None
    for shape in (lambda frame: frame, lambda frame: written(frame, tmp_path, "csv")):
        with pytest.raises(
            MissingValueError, match=r"2 in 'candidate', first in .*: ids 14, 7\. Count each missing answer"
        ):
            tally(shape(one), shape(other), on="id")
    found, gaps = join_answers(one, other, on="id").count(policy=AnswerPolicy("drop"))
    assert gaps.dropped == 2
    assert found == merged(one, other.dropna())
    ordered = one.copy()
    ordered.loc[2, "prediction"] = None
    with pytest.raises(MissingValueError, match=r"1 in 'candidate', first in .*: row 3 \(header not counted\)"):
        tally(one, ordered)


@pytest.mark.parametrize(
    ("one", "other", "options", "message"),
    [
        ({"label": [1, 0], "prediction": [1, 0]}, {"label": [1], "prediction": [1]}, {}, "2 in .* 1 in .*on=…"),
        ({"label": [1], "prediction": [1]}, {"label": [1], "prediction": [1]}, {"on": "id"}, "Column 'id' not found in .*id column with on"),
        ({"id": [1], "label": [1], "prediction": [1]}, {"label": [1], "prediction": [1]}, {"on": "id"}, "Column 'id' not found"),
        ({"id": [1], "label": [1], "prediction": [1]}, {"id": [], "label": [], "prediction": []}, {"on": "id"}, "No rows in .*candidate"),
        ({"label": [], "prediction": []}, {"label": [], "prediction": []}, {}, "No rows in .*incumbent"),
        ({"label": [1], "prediction": [1]}, {"prediction": [1]}, {}, "No label column found"),
        ({"id": [1], "prediction": [1]}, {"id": [1], "label": [1], "prediction": [1]}, {"on": "id"}, "No label column found"),
        ({"label": [1], "prediction": [1]}, {"label": [1]}, {}, "No prediction column found"),
        ({"label": [1], "prediction": [1]}, {"label": [1], "prediction": [1]}, {"by": ["site"]}, "Column 'site' not found in .*slice column with by"),
        ({"label": [1], "prediction": [1]}, {"label": [1], "prediction": [1]}, {"score": "p"}, "Column 'p' not found in .*score column with score"),
        ({"label": [1], "prediction": [1]}, {"label": [1], "prediction": [1]}, {"true": "label"}, "'label' .* cannot be the true"),
        ({"a": [1], "label": [1], "prediction": [1]}, {"a": [1], "label": [1], "prediction": [1]}, {"on": ["a"]}, r"by one column .*got \['a'\]"),
    ],
)  # fmt: skip
def test_what_cannot_be_joined(one, other, options, message):
    with pytest.raises(InputError, match=message):
        tally(one, other, **options)


def test_lazy_frames_say_what_they_need():
    one, other = (pl.from_pandas(frame) for frame in frames())
    with pytest.raises(InputError, match="no row order"):
        tally(one.lazy(), other.lazy())
    with pytest.raises(InputError, match="One frame is lazy"):
        tally(one.lazy(), other, on="id")


def test_the_candidate_needs_no_labels_if_there_is_an_id():
    one, other = frames()
    assert tally(one, other.drop(columns="label"), on="id") == merged(one, other)
    assert tally(one, other.drop(columns="label"), on="id", label="label") == merged(one, other)


def test_strange_column_names(tmp_path):
    one, other = frames()
    names = {"id": 'the "id"', "label": "C0", "prediction": "c0 "}
    pair = [written(frame.rename(columns=names), tmp_path, "csv") for frame in (one, other)]
    found = tally(*pair, on='the "id"', label="C0", prediction="c0 ")
    assert found == merged(one, other)


def test_slices_and_true_classes_come_along():
    one, other = frames()
    site = one["id"].map(lambda name: "even" if name % 2 == 0 else None)
    found, _ = join_answers(one.assign(true=one["label"], site=site), other, on="id", by=["site"]).count()
    assert found.axes == (*AXES, "true", "by site")
    assert found.sums("by site").sum() == ROWS
    other = other.assign(site=other["id"] % 3)
    found, _ = join_answers(one, other, on="id", by=["site"]).count()
    assert dict(zip(found.levels[-1], found.sums("by site"), strict=True)) == dict((other["site"]).value_counts())


def test_both_answers_in_one_table():
    one, other = frames()
    both = one.merge(other.drop(columns="label"), on="id", suffixes=("_a", "_b"))
    for data in (both, pl.from_pandas(both), pl.from_pandas(both).lazy(), both.to_dict("list")):
        together = in_one(data, incumbent="prediction_a", candidate="prediction_b")
        assert together.count()[0] == merged(one, other)
        assert together.unmatched == {}
    for wrong, message in (
        ({"incumbent": "label", "candidate": "prediction_b"}, "both the incumbent and the label"),
        ({"incumbent": "prediction_a", "candidate": "prediction_b", "true": "prediction_b"}, "both the candidate and the true"),
        ({"incumbent": "prediction_c", "candidate": "prediction_b"}, "Column 'prediction_c' not found in .*incumbent column with incumbent"),
    ):  # fmt: skip
        with pytest.raises(ColumnError, match=message):
            in_one(both, **wrong)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_two_tables_give_what_a_merge_gives(data):
    ids = data.draw(st.lists(st.integers(0, 30), unique=True, min_size=1, max_size=20))
    kept = [data.draw(st.lists(st.sampled_from(ids), unique=True, min_size=1)) for _ in "ab"]
    truth = {one: data.draw(st.sampled_from("xyz")) for one in ids}
    pair = [
        pd.DataFrame(
            {
                "id": part,
                "label": [truth[one] for one in part],
                "prediction": [data.draw(st.sampled_from("xyz")) for _ in part],
            }
        )
        for part in kept
    ]
    shared = set(kept[0]) & set(kept[1])
    shape = data.draw(st.sampled_from([lambda f: f, pl.from_pandas, lambda f: pl.from_pandas(f).lazy()]))
    if not shared:
        with pytest.raises(InputError, match="no value in common"):
            tally(*map(shape, pair), on="id", common=True)
        return
    found = join_answers(*map(shape, pair), on="id", common=True)
    assert found.count()[0] == merged(*pair)
    assert found.unmatched == {
        "incumbent": len(kept[0]) - len(shared),
        "candidate": len(kept[1]) - len(shared),
    }
    if set(kept[0]) != set(kept[1]):
        with pytest.raises(InputError, match="are not the same"):
            tally(*map(shape, pair), on="id")
