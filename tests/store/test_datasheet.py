"""Data sheets: YAML in which every answer is text."""

import os
import re

import pytest

from justesse.core.errors import FileError
from justesse.store.datasheet import QUESTIONS, datasheet, template


def read(write, text):
    """Read a sheet with this text as the answer to the first question."""
    return datasheet(write("test.yaml", text))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("one", "one"),
        ("one # why", "one"),
        ("'it''s'", "it's"),
        ('"tab\\tquote\\""', 'tab\tquote"'),
        ("|\n    two\n      further\n\n    three", "two\n  further\n\nthree"),
        (">\n    joined\n    lines\n\n    apart", "joined lines\napart"),
        ("\n    - one\n    - 'two: three'", "one; two: three"),
        ("[one, two]", "one; two"),
        ("http://example.org/x#y", "http://example.org/x#y"),
        ("yes", "yes"),
        ("0x1F", "0x1F"),
        ("2024-05-17", "2024-05-17"),
        ("~", "~"),
        ("!!python/object/apply:os.system [ls]", "ls"),
    ],
)
def test_every_answer_is_text(write, text, answer):
    assert read(write, f"collection:\n  source: {text}\n").answers["collection"]["source"] == answer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("collection:\n  source: one: two", "line 2: mapping values are not allowed here"),
        ("collection:\n  source: a\n  source: b", "line 3: the key 'source' is already in line 2. Keep one"),
        (
            "collection:\n  source: a\ncollection:\n  source: b",
            "line 3: the key 'collection' is already in line 1. Keep one",
        ),
        ("collection:\n\tsource: c", "line 2: found character"),
        ("collection:\n  source: 'open", "Put answers in quotes"),
        ("collection:\n  source: {a: b}", "must be a text or a list of texts"),
        ("collection:\n  source: [[a]]", "must be a text or a list of texts"),
        ("just words", "is not a data sheet"),
        ("- collection", "is not a data sheet"),
        ("a: " + "[" * 20_000, "nested too deeply"),
        ("collection: &a [" + "x, " * 40 + "]\nb: [" + "*a, " * 40 + "]", "aliases (*name) are not supported"),
        ("#" * 1_000_001, "larger than 1,000,000 characters"),
    ],
)
def test_what_is_not_a_data_sheet_is_refused_with_its_line(write, text, message):
    with pytest.raises(FileError, match=re.escape(message)):
        read(write, text)


def test_a_started_sheet_has_every_question_and_no_answer(tmp_path):
    path = tmp_path / "test.yaml"
    assert datasheet(path).started
    assert path.read_text() == template()
    found = datasheet(path)
    assert not found.started
    for section, (_, _, questions) in QUESTIONS.items():
        assert found.missing(section) == list(questions)


def test_answers_count_and_placeholders_do_not(tmp_path):
    path = tmp_path / "test.yaml"
    path.write_text(
        'collection:\n  source: "three hospitals"\n  period: TODO\n  protocol: |\n    every tenth\n  left_out: none\n'
    )
    found = datasheet(path)
    assert found.missing("collection") == ["period"]
    assert found.answers["collection"]["protocol"] == "every tenth"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("test.yaml", "a: b\ncollection: c\n", "needs its answers as keys below it"),
        ("test.yaml", "a:\n  b: c\n", "is not a data sheet"),
        ("test.yaml", "", "is not a data sheet"),
        ("test.toml", "", "must be a .yaml file"),
    ],
)
def test_what_is_no_data_sheet(write, name, text, said):
    with pytest.raises(FileError, match=said):
        datasheet(write(name, text))


def test_a_sheet_that_is_not_text(write):
    with pytest.raises(FileError, match="Save it as UTF-8"):
        datasheet(write("test.yaml", b"collection:\n  source: \xe9\xff\n"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "sheet.yaml")
    with pytest.raises(FileError, match="is a device or a pipe"):
        datasheet(tmp_path / "sheet.yaml")


def test_a_directory_is_not_a_data_sheet(tmp_path):
    (tmp_path / "sheet.yaml").mkdir()
    with pytest.raises(FileError, match="sheet.yaml is a directory, not a data sheet. Name a .yaml file in it."):
        datasheet(tmp_path / "sheet.yaml")
