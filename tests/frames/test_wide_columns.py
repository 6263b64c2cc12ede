"""Which columns of a wide table are annotators, and what is said about it."""

import pytest

import justesse
from justesse.core.errors import ColumnError, InputError
from justesse.frames.annotations import read_annotations

TABLE = {"item": [1, 2], "r1": ["x", "y"], "r2": ["x", "x"], "other": ["y", "x"], "comment": ["ok", "?"]}


def people(**options):
    read = read_annotations(TABLE, **options)
    return list(read.annotations.annotators), " ".join(read.warnings)


def test_columns_with_other_usual_names_are_left_out_and_named():
    names, words = people()
    assert names == ["r1", "r2", "other"]
    assert "Annotators: columns 'r1', 'r2' and 'other'." in words
    assert "Left out, judging by its name: 'comment'." in words


def test_annotators_are_named_one_by_one_or_by_pattern():
    assert people(annotators=["r1", "comment"])[0] == ["r1", "comment"]
    assert people(annotators=["other", "r*", "r1"])[0] == ["other", "r1", "r2"]
    assert people(annotators="r?")[0] == ["r1", "r2"]
    assert people(annotators=["*"])[0] == ["r1", "r2", "other", "comment"]
    assert "Left out" not in people(annotators=["r*"])[1]


def test_a_pattern_without_columns_and_two_kinds_of_tables_are_refused():
    with pytest.raises(ColumnError, match=r"No column of .* matches 'z\*'\. Columns: item, r1"):
        people(annotators=["z*"])
    with pytest.raises(ColumnError, match="'r9'"):
        people(annotators=["r9"])
    with pytest.raises(InputError, match="Leave one of them out"):
        people(annotators=["r1"], annotator="r2")


@pytest.mark.parametrize("verb", ["agree", "infer", "next", "compare"])
def test_every_part_takes_the_option(verb):
    table = {
        "item": list(range(30)),
        "a": ["x", "y"] * 15,
        "b": ["x", "y", "y"] * 10,
        "c": ["y", "y", "x"] * 10,
        "z": ["q"] * 30,
    }
    result = getattr(justesse, f"annotators_{verb}")(table, annotators=["a", "b", "c"])
    assert "'z'" not in str(result.to_dict()["warnings"])
