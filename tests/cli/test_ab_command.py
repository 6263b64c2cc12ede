"""`justesse ab` on the command line."""

import json
import random
import signal
import subprocess
import sys

import pytest

import justesse
from justesse.cli.main import main
from justesse.verbs.ab.frame import frame


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
        (
            "variant,outcome,g\na,1,1\nb,,1\n",
            ["--proxy", "g", "--missing", "random"],
            "always taken as missing at random",
        ),
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


def test_a_comparison_in_a_file(events, capsys):
    rows = (events / "events.csv").read_text().splitlines()
    numbered = [f"{at},{row}" for at, row in enumerate(rows[1:])]
    (events / "first.csv").write_text("\n".join(["id,variant,outcome", *numbered[:700]]) + "\n")
    (events / "then.csv").write_text("\n".join(["id,variant,outcome", *numbered[600:]]) + "\n")
    assert main(["ab", "start", "my.ab", "first.csv", "--margin", "1%", "--guardrail", "outcome>-0.2"]) == 0
    assert "700 events added to my.ab" in capsys.readouterr().out
    assert main(["ab", "add", "my.ab", "then.csv", "--json"]) == 0
    added = json.loads(capsys.readouterr().out)
    assert (added["added"], added["repeated"], added["events"]) == (1300, 100, 2000)
    assert main(["ab", "status", "my.ab", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert main(["ab", "events.csv", "--margin", "1%", "--guardrail", "outcome>-0.2", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert {**status, "repeated_events": 0, "warnings": []} == {**whole, "warnings": []}
    assert main(["ab", "status", "my.ab", "--gate", "not-worse", "--report", "page.html"]) == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ab", "add", "none.ab", "events.csv"], "justesse ab start none.ab"),
        (["ab", "add", "events.csv", "events.csv"], "is not an event file"),
        (["ab", "add", "my.ab"], "justesse ab add needs EVENTS"),
        (["ab", "start", "other.ab", "events.csv"], "No id column found"),
        (["ab", "start", "other.ab"], "name the variants: --incumbent and --candidate"),
        (["ab", "status", "my.ab"], "no events yet"),
        (["ab", "status", "my.ab", "--levl", "1"], "Unknown option: --levl"),
        (["ab", "watch", "none.csv"], "not found"),
        (["ab", "watch", "my.ab", "--margin", "1%"], "Leave out margin"),
        (["ab", "events.csv", "--guardrail", "x"], "A guardrail says"),
    ],
)
def test_bad_use_of_the_parts_exits_with_2(events, capsys, words, expected):
    assert main(["ab", "start", "my.ab", "--incumbent", "old", "--candidate", "new"]) == 0
    capsys.readouterr()
    assert main(words) == 2
    printed = capsys.readouterr()
    assert expected in printed.err
    assert printed.out == ""
    assert sorted(path.name for path in events.iterdir()) == ["events.csv", "my.ab"]


def test_watching_prints_a_line_in_a_pipe_and_ends_when_decided(events, capsys):
    assert main(["ab", "watch", "events.csv", "--until-decided"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("2,000 events: new - old +0.4000 (95 % CI +0.3")
    assert main(["ab", "watch", "events.csv", "--incumbent", "new", "--seconds", "0.1", "--every", "0.05"]) == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["events.csv", "--outcome", "nope", "--seconds", "0.1"], "Column 'nope' not found"),
        (["events.csv", "--outcome", "nope", "--until-decided"], "Column 'nope' not found"),
        (["events.csv", "--guardrail", "cost<0.1", "--until-decided"], "'cost' not found"),
        (["open.csv", "--until-decided"], "open.csv, row 2: no outcome"),
        (["events.csv", "--seconds", "-5"], "must be 0 or more"),
        (["."], "is a directory"),
    ],
)
def test_watching_wrong_input_exits_with_2(events, capsys, words, expected):
    (events / "open.csv").write_text("variant,outcome\nold,1\nnew,\nold,0\n")
    assert main(["ab", "watch", *words]) == 2
    printed = capsys.readouterr()
    assert expected in printed.err
    assert printed.out == ""


def test_a_contradicted_decision_does_not_pass(events, capsys):
    rows = "old,0\nnew,1\n" * 100 + "old,1\nnew,0\n" * 1000
    (events / "flip.csv").write_text("variant,outcome\n" + rows)
    assert main(["ab", "flip.csv"]) == 1
    assert capsys.readouterr().out.startswith("Decided early: replace. But all events so far say the opposite")
    assert main(["ab", "watch", "flip.csv", "--until-decided"]) == 1


def test_a_mismatch_of_traffic_fails_the_gate_unless_it_is_accepted(events, capsys):
    rows = [f"{at},old,{int(at % 10 < 3)}" for at in range(2000)] + [
        f"n{at},new,{int(at % 10 < 6)}" for at in range(1500)
    ]
    random.Random(1).shuffle(rows)
    (events / "lossy.csv").write_text("\n".join(["id,variant,outcome", *rows]) + "\n")
    assert main(["ab", "lossy.csv"]) == 1
    assert capsys.readouterr().out.startswith("Cannot tell: traffic was not split as planned.")
    assert main(["ab", "lossy.csv", "--accept-mismatch"]) == 0
    assert main(["ab", "lossy.csv", "--ratio", "4:3"]) == 0
    assert main(["ab", "start", "my.ab", "lossy.csv"]) == 0
    for look in (["status", "my.ab"], ["watch", "my.ab", "--until-decided"], ["watch", "lossy.csv", "--until-decided"]):
        assert main(["ab", *look]) == 1
        assert main(["ab", *look, "--accept-mismatch"]) == 0


def test_ctrl_c_ends_watching_with_the_verdict_so_far(events):
    for words, code in (([], 0), (["--incumbent", "new"], 1)):
        process = subprocess.Popen(
            [sys.executable, "-m", "justesse", "ab", "watch", "events.csv", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert "2,000 events" in process.stdout.readline()
        waiting = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert (process.returncode, waiting + error) == (code, "Waiting for more events; Ctrl-C ends.\n")


def test_the_drawing_fits_the_terminal():
    result = justesse.ab({"variant": ["old", "new"] * 400, "outcome": [0, 1, 1, 1, 0, 0, 1, 0] * 100})
    for width in (40, 80, 120):
        lines = frame(result, width, 8)
        assert len(lines) == 1 + 2 + 8
        assert max(map(len, lines[1:])) <= width
        for line, look in zip(lines[3:], result.verdict.looks[-8:], strict=True):
            assert line.split()[0] == f"{look[0]:,}"
            assert line.count("●") == line.count("├") == line.count("┤") == 1
            assert "┼" in line or "│" in line or abs(look[1]) < 0.02  # 0 may be under the estimate
