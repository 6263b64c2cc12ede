"""`justesse ab` on the command line."""

import json

import pytest

from justesse.cli.main import main


@pytest.fixture
def events(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{'old' if at % 2 else 'new'},{int(at % 10 < (6 if at % 2 == 0 else 3))}\n" for at in range(2000))
    (tmp_path / "events.csv").write_text("variant,outcome\n" + rows)
    return tmp_path


def test_the_names_that_programs_rely_on(events, capsys):
    assert main(["ab", "events.csv", "--variant", "variant", "--outcome", "outcome", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["verdict"] == "replace"
    assert printed["interval"]["low"] < printed["difference"] < printed["interval"]["high"]


def test_the_gate_is_the_exit_code(events, capsys):
    assert main(["ab", "events.csv", "--incumbent", "new"]) == 1
    assert main(["ab", "events.csv", "--incumbent", "new", "--gate", "none"]) == 0
    assert main(["ab", "events.csv", "--incumbent", "new", "--no-gate"]) == 0
    assert main(["ab", "events.csv", "--margin", "2%", "--report", "page.html", "-o", "table.csv"]) == 0
    assert "<svg" in (events / "page.html").read_text()
    assert (events / "table.csv").read_text().startswith('"candidate","verdict"')


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("", [], "empty"),
        ("variant,outcome\n", [], "No rows"),
        ("variant,outcome\na,1\nb,two\n", [], "events.csv, row 2: 'two'"),
        ("variant,outcome\na,1\nb,\n", [], "--missing random"),
        ("variant,outcome\na,1\nb,7\n", [], "--outcome-range"),
        ("variant,outcome\na,1\n", [], "one variant only"),
        ("variant,outcome\na,1\nb,1,1\n", [], "row"),
        ("variant,outcome\na,1\nb,1\n", ["--candidate", "c"], "No event of variant 'c'"),
        ("v,outcome\na,1\nb,1\n", ["--outcome", "y", "--variant", "v"], "Column 'y' not found"),
    ],
)
def test_bad_input_exits_with_2(tmp_path, capsys, text, words, expected):
    path = tmp_path / "events.csv"
    path.write_text(text)
    assert main(["ab", str(path), *words]) == 2
    printed = capsys.readouterr()
    assert expected in printed.err
    assert printed.out == ""


def test_the_help_has_examples(capsys):
    main(["ab", "--help"])
    assert "justesse ab events.csv --incumbent old --margin 0.01 --ratio 9:1" in capsys.readouterr().out
