"""Data sheets, and the plain YAML they are written in: PyYAML as oracle, where it is installed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import FileError
from justesse.store.datasheet import QUESTIONS, datasheet, template
from justesse.store.plain_yaml import read_plain_yaml

GOOD = [
    "a: one\nb: two",
    "---\n# a remark\na: one # why\n\nb: 'it''s'\nc: \"tab\\tquote\\\"\"",
    "a:\n  b: |\n    two\n      further\n\n    three\n  c: >\n    joined\n    lines\n\n    apart\n",
    "a: |-\n  no end\nb: >-\n  no\n  end\n",
    "a:\n  - one\n  - 'two: three'\nb:\n- four\n",
    "a: http://example.org/x#y\nb: a plain text\n  that goes on\nc: 3:4",
    'a: ""\nb: ""\n',
    "a: yes\nb: 0x1F\nc: 2024-05-17\nd: null\ne: ~",
    "a:\n    far: in\n    too: yes\nb: 1",
]


@pytest.mark.parametrize("text", GOOD)
def test_plain_yaml_is_read_as_a_yaml_library_reads_it(text):
    yaml = pytest.importorskip("yaml")
    assert read_plain_yaml(text) == yaml.load(text, Loader=yaml.BaseLoader)


@settings(max_examples=60)
@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=30))
def test_a_text_is_read_alike_or_refused_never_otherwise(text):
    yaml = pytest.importorskip("yaml")
    written = f"key: {text}\n"
    try:
        found, wanted = read_plain_yaml(written), yaml.load(written, Loader=yaml.BaseLoader)
    except (FileError, yaml.YAMLError):
        return
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x one", "line 1: '&x one' is not plain text"),
        ("a: !!python/object/apply:os.system [ls]", "is not plain text"),
        ("a: {b: c}", "is not plain text"),
        ("a: one: two", "is not plain text"),
        ("a: one\na: two", "line 2: the key 'a' stands there twice"),
        ("a:\n\tb: c", "line 2: a tab"),
        ("a: 'open", "a quote that does not close"),
        ("just words", "'key: text' is needed"),
        ("a:\n  b:\n    c: d", "nested one level deep"),
        ("a: |+\n  x", r"after \|"),
        ("a: one\n   b: two", "is not plain text"),
        ("a:\n  b: 1\n   c: 2", "is not plain text"),
        ('a: "\\q"', "cannot be read"),
    ],
)
def test_what_is_not_plain_is_refused_with_its_line(text, said):
    with pytest.raises(FileError, match=said):
        read_plain_yaml(text)


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
        ("test.yaml", "a: b\n", "needs its answers as keys below it"),
        ("test.yaml", "a:\n  b: c\n", "is no data sheet"),
        ("test.yaml", "", "is no data sheet"),
        ("test.toml", "", "is a .yaml file"),
    ],
)
def test_what_is_no_data_sheet(write, name, text, said):
    with pytest.raises(FileError, match=said):
        datasheet(write(name, text))


def test_a_sheet_that_is_not_text(write):
    with pytest.raises(FileError, match="write it again as UTF-8"):
        datasheet(write("test.yaml", b"collection:\n  source: \xe9\xff\n"))
