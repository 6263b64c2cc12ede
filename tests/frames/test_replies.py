"""Answers in a file: odd ids, gaps, copies and contradictions."""

import pandas as pd
import pytest

from justesse.core.errors import ColumnError, InputError
from justesse.frames.replies import Reply, replies


def test_a_file_is_read_with_the_numbers_of_its_rows(write):
    path = write("answers.csv", 'key,class,by\n007,cat,Ann\n"a,b ", dog ,\n9,,Ann\n')
    assert replies(path, on="key") == [
        Reply(1, "007", "cat", "Ann"),
        Reply(2, "a,b ", "dog", None),
        Reply(3, "9", None, "Ann"),
    ]


@pytest.mark.parametrize("name", ["class", "Answer", "true"])
def test_usual_names_of_columns(name):
    assert replies(pd.DataFrame({"ID": [3], name: [1]}), on="id") == [Reply(1, "3", "1", None)]


def test_integers_with_gaps_stay_integers():
    found = replies(pd.DataFrame({"id": [1.0, 2.0], "class": [4.0, None]}), on="id")
    assert [(reply.id, reply.answer) for reply in found] == [("1", "4"), ("2", None)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,klass\n1,a\n", "No column 'class' or 'answer' or 'true' with the answers in .*Columns: 'id', 'klass'"),
        ("name,class\n1,a\n", "No column 'key' or 'id'"),
        ("id,class\n1,a\n,b\n", "Missing 'id' in row 2"),
        ("id,class\n1,a\n2,a\n1,b\n", "rows 1 and 3 answer '1' 'a' and 'b'"),
    ],
)
def test_what_cannot_be_used_is_told(write, text, told):
    with pytest.raises((ColumnError, InputError), match=told):
        replies(write("answers.csv", text), on="key")


def test_different_people_may_differ_and_copies_may_repeat(write):
    path = write("answers.csv", "id,class,by\n1,a,Ann\n1,b,Bob\n1,a,Ann\n")
    assert len(replies(path, on="id")) == 3
