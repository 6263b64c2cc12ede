import pytest

from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError
from justesse.frames.answers import read_answers, read_votes
from justesse.frames.table import read_table

TABLE = read_table({"id": [7, 8, 9], "y": [0, 1, 1]})
OPTIONS = {"label": "y", "classes": (0, 1), "on": None}


def test_answers_in_order_and_by_id(write):
    text = "id,ann,bob,y\n9,1,0,1\n7,0,,0\n8,1,1,1\n10,0,0,0\n"
    by_id = read_answers(write("a.csv", text), TABLE, **{**OPTIONS, "on": "id"})
    assert by_id.tolist() == [[0, -1], [1, 1], [1, 0]]
    assert read_answers({"ann": [0, None, 1]}, TABLE, **OPTIONS).tolist() == [[0], [-1], [1]]


def test_answers_are_the_classes_they_are_spelt_like(write):
    yes = read_table({"y": [True, False]})
    options = {**OPTIONS, "classes": (False, True)}
    assert read_answers(write("a.csv", "ann\nTRUE\nTRUE\n"), yes, **options).tolist() == [[1], [1]]
    padded = read_table({"y": ["1", "02"]})
    assert read_answers(write("b.csv", "ann\n1\n1\n"), padded, **{**OPTIONS, "classes": ("02", "1")}).tolist() == [
        [1],
        [1],
    ]


def test_votes_in_the_order_of_the_classes():
    votes = {"1": [1, 8, 9], "0": [9, 2, 1], "id": [7, 9, 8]}
    assert read_votes(votes, TABLE, **{**OPTIONS, "on": "id"}).tolist() == [[9, 1], [1, 9], [2, 8]]


@pytest.mark.parametrize(
    ("data", "on", "kind", "reason"),
    [
        ({"ann": [0, 1]}, None, InputError, "rows: 3 in the arrays, 2 in the arrays.*--on id"),
        ({"ann": [0, 1, 2]}, None, ClassError, "2 in column 'ann' of the arrays is not a class of .*0, 1"),
        ({"id": [7, 8, 9], "ann": [0, 1, 1]}, None, ClassError, "name the id column with on"),
        ({"ann": [0, 1, 1]}, "id", ColumnError, "Column 'id' not found in .*id column with on"),
        (
            {"id": [7, 8], "ann": [0, 1]},
            "id",
            InputError,
            "1 row of the arrays not found in the arrays, such as id '9'",
        ),
        ({"id": [7, 7, 9], "ann": [0, 1, 1]}, "id", InputError, "Duplicate ids in column 'id' .*'7'"),
        ({"id": [7, None, 9], "ann": [0, 1, 1]}, "id", MissingValueError, "Missing 'id' in row 2"),
        ({"y": [0, 1, 1]}, None, ColumnError, "No column of answers"),
    ],
)
def test_answers_that_do_not_fit(data, on, kind, reason):
    with pytest.raises(kind, match=reason):
        read_answers(data, TABLE, **{**OPTIONS, "on": on})


@pytest.mark.parametrize(
    ("data", "kind", "reason"),
    [
        ({"0": [1, 1, 1]}, ColumnError, "No column of votes for class 1"),
        ({"0": [1, 1, 1], "1": [1, 1, 1], "2": [1, 1, 1]}, ClassError, "Column '2' of the arrays is not a class"),
        ({"0": [1, -1, 1], "1": [1, 1, 1]}, InputError, "counts from 0 up. Correct row 2"),
        ({"0": [1, None, 1], "1": [1, 1, 1]}, InputError, "Correct row 2"),
        ({"0": [1, 1], "1": [1, 1]}, InputError, "rows: 3 in the arrays, 2 in"),
    ],
)
def test_votes_that_do_not_fit(data, kind, reason):
    with pytest.raises(kind, match=reason):
        read_votes(data, TABLE, **OPTIONS)
