import io
import re
import sys
import time
from contextlib import redirect_stdout

import pytest

from justesse.cli import output
from justesse.cli.output import check_places
from justesse.core.errors import OptionError


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_progress_bar_appears_on_a_terminal_only_after_a_while(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    with output.patience("Counting", lambda: 0.5):
        time.sleep(1)
    assert "Counting" in screen.getvalue()
    assert re.search(r"50 %, 0:0\d left", re.sub("\x1b.*?[a-zA-Z]", "", screen.getvalue()))


def test_without_a_share_no_time_left_is_made_up(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    with output.patience("Counting"):
        time.sleep(0.4)
    assert "Counting" in screen.getvalue()
    assert "left" not in screen.getvalue()


def test_no_progress_bar_for_quick_work_nor_in_a_pipe(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with output.patience("Counting"):
        pass
    assert screen.getvalue() == ""
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    with output.patience("Counting"):
        time.sleep(0.1)
    assert pipe.getvalue() == ""


def test_results_after_a_progress_bar_go_to_standard_output(monkeypatch):
    """As `assess` does it: what models print while they are trained goes to standard error."""
    screen, file = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", file)
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    with output.patience("Training", lambda: 0.5), redirect_stdout(sys.stderr):
        time.sleep(0.5)
    print("the answer")
    assert "Training" in screen.getvalue()
    assert file.getvalue() == "the answer\n"


def test_a_closed_output_is_no_failure(monkeypatch):
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, None)
    output.console().print("said to nobody")
    with output.patience("Counting"):
        pass


def test_the_engine_says_how_far_it_is():
    from justesse.frames.engine import connection, progress

    connection().sql("SELECT 1").fetchall()
    share = progress()
    assert share is None or 0 <= share <= 1


def test_a_console_spells_out_what_would_steer_it(capsys):
    screen = output.console()
    screen.print("\n[red]name[/]\u202e\nforged\x07\n")
    output.say("Written: a\nforged\x1b")
    seen = capsys.readouterr().out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", seen)
    assert "[red]name[/]" in seen
    assert not [line for line in seen.splitlines() if line.startswith("forged")]


def test_an_error_cannot_forge_another_message(capsys):
    output.complain(ValueError("a\njustesse: fine\x1b"))
    assert capsys.readouterr().err == "justesse: a\n  justesse: fine\\x1b\n"


def test_an_option_is_named_as_it_is_typed(tmp_path):
    source, place = tmp_path / "rows.csv", tmp_path / "made.csv"
    source.touch()
    with pytest.raises(OptionError, match="^--recheck-to .* would replace a file that is read"):
        check_places([source], recheck_to=source)
    with pytest.raises(OptionError, match="^--to .* would replace what --cleaned-to writes"):
        check_places([], cleaned_to=place, to=place)
