"""Many classifiers from one table or from several: which columns they are, in which order, and what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.frames import entrants as module
from justesse.frames.entrants import read_entrants

TRUE = ["cat", "dog", "cat", "car", "dog", "cat"]
LABEL = ["cat", "dog", "dog", "car", "dog", "cat"]
A = ["cat", "dog", "cat", "cat", "dog", "cat"]
B = ["dog", "dog", "cat", "car", "cat", "cat"]
BASE = {"id": [1, 2, 3, 4, 5, 6], "label": LABEL, "true": TRUE, "a": A, "b": B}


def test_codes_mean_the_same_class_everywhere():
    found = read_entrants({"": BASE})
    names = np.array(found.classes)
    assert found.classes == ("car", "cat", "dog")
    assert names[found.answers].tolist() == [A, B]
    assert names[found.true].tolist() == TRUE
    assert names[found.labels["label"]].tolist() == LABEL
    assert found.ignored == ("id",)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "pandas", "polars", "lazy"])
def test_every_kind_of_table_gives_the_same(kind, tmp_path):
    frame = pd.DataFrame(BASE)
    made = {
        "csv": lambda: frame.to_csv(tmp_path / "x.csv", index=False) or tmp_path / "x.csv",
        "parquet": lambda: frame.to_parquet(tmp_path / "x.parquet") or tmp_path / "x.parquet",
        "jsonl": lambda: frame.to_json(tmp_path / "x.jsonl", orient="records", lines=True) or tmp_path / "x.jsonl",
        "pandas": lambda: frame,
        "polars": lambda: pl.DataFrame(BASE),
        "lazy": lambda: pl.LazyFrame(BASE),
    }[kind]()
    found = read_entrants({"": made})
    assert found.names == ("a", "b")
    assert found.answers.tolist() == read_entrants({"": BASE}).answers.tolist()


def test_a_thousand_columns_are_fetched_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(0)
    data = {**BASE, **{f"m{at}": rng.choice(["cat", "dog"], 6) for at in range(30)}}
    whole = read_entrants({"": data})
    monkeypatch.setattr(module, "AT_ONCE", 12)
    assert read_entrants({"": data}).answers.tolist() == whole.answers.tolist()


def test_columns_of_other_things_are_no_classifiers():
    others = {
        "text": list("uvwxyz"), "share": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "lists": [[1], [2], [3], [4], [5], [6]],
        "label_0.05": LABEL, "Y": LABEL, "empty": [None] * 6,
    }  # fmt: skip
    found = read_entrants({"": pl.DataFrame({**BASE, **others})})
    assert found.names == ("a", "b")
    assert found.ignored == ("id", *others)


def test_models_may_be_named_and_may_answer_with_a_class_of_their_own():
    found = read_entrants({"": {**BASE, "c": ["cow", *A[1:]]}}, models=["c", "a"])
    assert found.names == ("c", "a")
    assert found.others == (("c", "cow", 1),)
    assert "cow" not in found.classes
    assert found.answers[0, 0] == len(found.classes)  # never the code of a label
    assert "cow" in read_entrants({"": {**BASE, "c": ["cow", *A[1:]]}}, policy=AnswerPolicy(others="class")).classes


def test_a_stray_or_missing_answer_costs_no_classifier_its_place():
    found = read_entrants({"": {**BASE, "c": ["cow", *A[1:]]}})
    assert found.names == ("a", "b", "c")
    assert found.others == (("c", "cow", 1),)
    silent = read_entrants({"": {**BASE, "c": [None, *A[1:]]}}, policy=AnswerPolicy("wrong"))
    assert silent.missing == {"a": 0, "b": 0, "c": 1}
    assert (silent.answers[2] == silent.true).tolist() == [
        False,
        *(one == true for one, true in zip(A[1:], TRUE[1:], strict=True)),
    ]
    left = read_entrants({"": {**BASE, "c": ["cow", *A[1:]]}}, policy=AnswerPolicy("drop", others="missing"))
    assert (left.dropped, left.answers.shape) == (1, (3, 5))
    with pytest.raises(ClassError, match="Class 'dog' .label. is not in the list"):
        read_entrants({"": BASE}, classes=["cat"])


def test_constant_answers_are_fine():
    assert read_entrants({"": {**BASE, "c": ["cat"] * 6}}).names == ("a", "b", "c")


def test_several_versions_of_the_labels():
    found = read_entrants({"": {**BASE, "label_2": TRUE}}, label=["label", "label_2"])
    assert list(found.labels) == ["label", "label_2"]
    assert found.labels["label_2"].tolist() == found.true.tolist()


def test_rows_with_gaps_are_refused_or_left_out():
    data = {**BASE, "a": [None, *A[1:]], "label": [*LABEL[:5], None]}
    with pytest.raises(
        MissingValueError,
        match=r"in 2 rows of the arrays: rows 1, 6, columns 'label', 'a'.*--missing wrong.*--missing-labels drop",
    ):
        read_entrants({"": data})
    found = read_entrants({"": data}, policy=AnswerPolicy("drop"), difficulty="id")
    assert found.dropped == 2
    assert found.kept.tolist() == [1, 2, 3, 4]
    assert found.difficulty.tolist() == [2, 3, 4, 5]
    assert found.answers.shape == (2, 4)


def test_whole_numbers_with_gaps_are_still_the_same_classes():
    data = pd.DataFrame({"true": [0, 1, 2, 1], "label": [0, 1, 2, 2], "a": [0, 1, None, 1], "b": [1, 1, 2, 1]})
    assert read_entrants({"": data}, policy=AnswerPolicy("drop")).classes == (0, 1, 2)


def test_files_of_one_classifier_each_are_joined_by_their_id(write):
    first = write("a.csv", "id,label,true,prediction\n1,x,x,x\n2,y,y,x\n3,y,x,y\n")
    second = write("b.csv", "id,prediction\n3,x\n1,y\n2,y\n")
    found = read_entrants({"a.csv": first, "b.csv": second}, on="id")
    assert found.names == ("a.csv", "b.csv")
    assert found.answers.tolist() == [[0, 0, 1], [1, 1, 0]]


def test_files_in_order_must_have_the_same_labels(write):
    first = write("a.csv", "label,true,prediction\nx,x,x\ny,y,x\n")
    assert read_entrants({"a": first, "b": write("b.csv", "label,prediction\nx,y\ny,y\n")}).answers.tolist() == [
        [0, 0],
        [1, 1],
    ]
    for name, text, said in (
        ("c", "label,prediction\ny,y\nx,y\n", r"'label' differs between .*a\.csv and .*c\.csv in 2 rows \(rows 1, 2"),
        ("d", "prediction\ny\ny\n", "No column 'label'"),
        ("e", "label,prediction\nx,y\n", "2 in .* 1 in .*e.csv"),
    ):
        with pytest.raises(InputError, match=said):
            read_entrants({"a": first, name: write(f"{name}.csv", text)})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,prediction\n1,y\n2,y\n", r"1 row not found in .*b\.csv, such as id '3'"),
        ("id,prediction\n1,y\n2,y\n3,y\n4,x\n", r"1 row not found in .*a\.csv, such as id '4'"),
        ("id,prediction\n1,y\n2,y\n3,y\n3,x\n", r"Duplicate ids in column 'id' of .*b\.csv, such as '3'"),
        ("id,prediction\n1,y\n,y\n3,y\n", r"Missing 'id' in row 2"),
        ("key,prediction\n1,y\n2,y\n3,y\n", r"Column 'id' not found"),
    ],
)
def test_ids_that_do_not_match_are_refused(text, said, write):
    first = write("a.csv", "id,label,true,prediction\n1,x,x,x\n2,y,y,x\n3,y,x,y\n")
    with pytest.raises(InputError, match=said):
        read_entrants({"a": first, "b": write("b.csv", text)}, on="id")


def test_a_pattern_of_files_is_one_table(write, tmp_path):
    for day in (1, 2):
        write(f"day-{day}.csv", f"label,true,a,b\nx,x,x,y\ny,y,x,{'x' if day == 1 else 'y'}\n")
    found = read_entrants({"": tmp_path / "day-*.csv"})
    assert found.answers.tolist() == [[0, 0, 0, 0], [1, 0, 1, 1]]


REFUSED = {
    "no true column": ({k: v for k, v in BASE.items() if k != "true"}, {}, ColumnError, "Judges need the true classes"),
    "no label column": ({k: v for k, v in BASE.items() if k != "label"}, {}, ColumnError, "No label column found"),
    "one model": ({k: v for k, v in BASE.items() if k != "b"}, {}, InputError, r"at least two classifiers; got 1 \('a'\) from the arrays\. Columns with other values"),
    "no model": ({"label": LABEL, "true": TRUE}, {}, InputError, "got 0 .*Name their columns"),
    "one model named": (BASE, {"models": ["a"]}, InputError, r"at least two classifiers"),
    "a model twice": (BASE, {"models": ["a", "a"]}, OptionError, "Name each classifier once"),
    "an unknown model": (BASE, {"models": ["a", "B2"]}, ColumnError, "Column 'B2' not found in .*model column with models"),
    "label as model": (BASE, {"models": ["a", "label"]}, ColumnError, "cannot be a classifier and have another role"),
    "label is true": (BASE, {"label": ["true"]}, ColumnError, "both a label and the true class"),
    "unknown label": (BASE, {"label": ["lable"]}, ColumnError, "Did you mean 'label'"),
    "other classes": ({**BASE, "b": list("xyzxyz")}, {"models": ["a", "b"]}, ClassError, "'b' never answers with a true class"),
    "numbers for names": ({**BASE, "b": [1, 2, 3, 1, 2, 3]}, {"models": ["a", "b"]}, ClassError, "Write the classes the same way"),
    "text for numbers": ({"label": [0, 1], "true": [0, 1], "a": [0, 1], "b": ["0", "x"]}, {"models": ["a", "b"]}, ClassError, "--as-text"),
    "fractions": ({**BASE, "b": [0.5, 1.0, 2.0, 1.0, 2.0, 1.0]}, {"models": ["a", "b"]}, ClassError, "fractional numbers"),
    "a class not declared": (BASE, {"classes": ["cat", "dog"]}, ClassError, "Class 'car' .label. is not in the list"),
    "no rows": ({k: [] for k in BASE}, {"models": ["a", "b"]}, InputError, "No rows"),
    "nothing left": ({**BASE, "a": [None] * 6}, {"models": ["a", "b"], "policy": AnswerPolicy("drop")}, MissingValueError, "nothing is left"),
    "difficulty is text": ({**BASE, "hard": list("abcdef")}, {"difficulty": "hard"}, InputError, "Difficulties must be numbers"),
    "prediction of one table": (BASE, {"prediction": "a"}, OptionError, "name the columns of the classifiers with models"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_in_words(name):
    data, options, error, said = REFUSED[name]
    with pytest.raises(error, match=said):
        read_entrants({"": data}, **options)


def test_models_of_several_tables_are_refused():
    with pytest.raises(OptionError, match="each is one classifier"):
        read_entrants({"a": BASE, "b": BASE}, models=["a"])
