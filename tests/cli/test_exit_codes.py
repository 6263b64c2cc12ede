"""An exit code means one thing: a crash is no answer, and Ctrl-C is Ctrl-C whenever it comes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from justesse.cli import main as door
from justesse.core.errors import FileError
from justesse.report.chart_files import write_charts

GOOD = "label,prediction\n" + "a,a\nb,b\na,b\n" * 20


def broken(*_, **__):
    raise RuntimeError("two\nlines")


def test_an_unexpected_error_exits_with_70_and_asks_for_a_report_in_one_line(run, write, monkeypatch):
    monkeypatch.setattr("justesse.verbs.evaluate.evaluate.evaluate", broken)
    monkeypatch.delenv("JUSTESSE_TRACEBACK", raising=False)
    ran = run("evaluate", write("a.csv", GOOD))
    assert ran.code == 70
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert "unexpected error (RuntimeError: two)" in ran.err
    assert "report" in ran.err
    assert "JUSTESSE_TRACEBACK=1" in ran.err


def test_the_traceback_is_shown_on_request(run, write, monkeypatch):
    monkeypatch.setattr("justesse.verbs.evaluate.evaluate.evaluate", broken)
    monkeypatch.setenv("JUSTESSE_TRACEBACK", "1")
    ran = run("evaluate", write("a.csv", GOOD))
    assert ran.code == 70
    assert "Traceback (most recent call last)" in ran.err


def test_a_crash_of_compare_is_not_a_verdict(run, write, monkeypatch):
    monkeypatch.setattr("justesse.verbs.compare.compare.compare", broken)
    path = write("a.csv", GOOD)
    assert run("compare", path, path).code == 70


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (MemoryError(), 2)])
def test_ctrl_c_and_too_little_memory_are_no_crash(run, write, monkeypatch, error, code):
    def raises(*_, **__):
        raise error

    monkeypatch.setattr("justesse.verbs.evaluate.evaluate.evaluate", raises)
    ran = run("evaluate", write("a.csv", GOOD))
    assert ran.code == code
    assert len(ran.err.splitlines()) == 1


def test_ctrl_c_that_a_library_turned_into_an_error_is_still_ctrl_c(run, write, monkeypatch):
    monkeypatch.setattr("justesse.verbs.evaluate.evaluate.evaluate", broken)
    door.STOPPED.set()
    try:
        assert run("evaluate", write("a.csv", GOOD)).code == 130
    finally:
        door.STOPPED.clear()


# says when the first thing is done that justesse does: what the interpreter shows before that is not ours
WATCHED = """
import os, signal
from justesse.__main__ import run
set_handler = signal.signal
def tell(*what):
    signal.signal = set_handler
    set_handler(*what)
    os.write(1, b"x")
signal.signal = tell
run()
"""


def test_ctrl_c_shows_no_traceback_however_early_it_comes(write):
    path = write("a.csv", GOOD)
    codes = []
    for at in range(30):
        process = subprocess.Popen(
            [sys.executable, "-c", WATCHED, "evaluate", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout.read(1) == "x"
        time.sleep(at * 0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        codes.append(process.returncode)
        assert "Traceback" not in err, f"{at}: {err}"
        # Python itself ends by the signal, which every shell shows as 130, if it interrupted the text of an `exec`
        assert process.returncode in (0, 130, -signal.SIGINT), f"{at}: {err}"
    assert codes[0] == 130


class Chart:
    def __init__(self, error=None):
        self.error = error

    def save(self, path, format):
        if self.error:
            raise self.error
        with open(path, "w") as stream:
            stream.write(format)


def test_charts_are_all_written_or_none(tmp_path):
    folder = tmp_path / "new" / "charts"
    for error in (ValueError("too deep\nat Object"), OSError(28, "No space left on device")):
        with pytest.raises(FileError):
            write_charts({"good": Chart(), "bad": Chart(error)}, folder)
        assert list(tmp_path.iterdir()) == []


def test_other_files_in_the_folder_of_charts_stay(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "good.svg").write_text("old")
    with pytest.raises(FileError, match="Chart 'bad' cannot be drawn \\(too deep\\). No chart was written"):
        write_charts({"good": Chart(), "bad": Chart(ValueError("too deep\nat Object"))}, tmp_path)
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"mine.txt": "mine", "good.svg": "old"}
    write_charts({"good": Chart()}, tmp_path)
    assert {one: (tmp_path / one).read_text() for one in os.listdir(tmp_path)} == {
        "mine.txt": "mine",
        "good.svg": "svg",
        "good.png": "png",
    }


def test_the_confusion_chart_of_thousands_of_classes_is_drawn(run, write, tmp_path):
    rows = "".join(f"c{at},c{at if at % 3 else (at + 7) % 2100}\n" for at in range(2100))
    ran = run("evaluate", write("a.csv", f"label,prediction\n{rows}"), "--charts", tmp_path / "charts")
    assert ran.code == 0, ran.err
    assert (tmp_path / "charts" / "confusion.svg").stat().st_size > 1000


def test_the_process_ends_with_all_its_output_and_without_its_temporary_files(write, tmp_path):
    # it ends without the interpreter's tidying up, so its own must have been done
    rows = "".join(f"class{number},class{number % 499}\n" for number in range(600))
    place = tmp_path / "temporary"
    place.mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "justesse", "evaluate", write("many.csv", "label,prediction\n" + rows), "--json"],
        capture_output=True,
        env=os.environ | {"TMPDIR": str(place)},
        check=True,
    )
    assert json.loads(ran.stdout)["n"] == 600
    assert len(ran.stdout) > 65_536  # more than a pipe holds
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--require", "accuracy>=0.1"], "Requirements: passed, exit code 0."),
        (["--require", "accuracy>=0.9"], "Requirements: not passed, exit code 1."),
        (["--claim", "accuracy>=0.9"], "Claim: not passed, exit code 1."),
        (["--claim", "accuracy>=0.5", "--require", "error<=1%"], "Requirements and claim: not passed, exit code 1."),
        (["--require", "accuracy>=0.9", "--format", "markdown"], "Requirements: not passed, exit code 1."),
        ([], None),
        (["--require", "accuracy>=0.9", "--json"], None),
    ],
)
def test_the_exit_code_stands_beside_the_verdict_for_people(run, write, options, line):
    ran = run("evaluate", write("a.csv", GOOD), *options)
    if line is None:
        assert "exit code" not in ran.out
        return
    assert ran.out.splitlines()[-1] == line
    assert f"exit code {ran.code}." in line


def test_a_gate_shows_its_exit_code_in_markdown(run, write):
    old, new = write("a.csv", GOOD), write("b.csv", GOOD)
    ran = run("compare", old, new, "--format", "markdown")
    assert ran.out.splitlines()[-2:] == ["", "Gate better: not passed, exit code 1."]
    assert ran.code == 1
