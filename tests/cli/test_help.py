"""Every `--help` can be read in a terminal of 80 columns."""

import inspect
import os
import re
import subprocess
import sys

import pytest
from cyclopts import App

from justesse.cli.main import app, main

FLAGS = {"--help", "-h", "--version"}


def commands(root: App, words: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], App]]:
    """List every command with the words that call it."""
    listed = [(words, root)]
    for name in root:
        if name not in FLAGS:
            listed += commands(root[name], (*words, name))
    return listed


COMMANDS = dict(commands(app))


@pytest.fixture
def printed(run, monkeypatch):
    def call(*words):
        monkeypatch.setenv("COLUMNS", "80")
        return run(*words, "--help").out

    return call


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_file_argument_is_not_an_option_too(words, printed):
    assert not re.search(r"\b(FILE|AUDIT) --", printed(*words))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_fits_80_columns_and_breaks_no_example(words, printed):
    text = printed(*words)
    assert max(map(len, text.splitlines())) <= 80
    examples = re.findall(r"^ +justesse .*$", inspect.cleandoc(COMMANDS[words].help or ""), re.M)
    lines = [line.rstrip() for line in text.splitlines()]
    assert all(example in lines for example in examples)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_has_no_oddities(words, printed):
    text = printed(*words)
    assert "[default:" not in text
    assert "--empty-" not in text
    assert set(re.findall(r"--no-[a-z-]+", text)) <= {"--no-browser", "--no-futility", "--no-gate", "--no-third"}


def test_the_first_help_says_what_each_command_does():
    done = subprocess.run(
        [sys.executable, "-m", "justesse"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    rows = [line.strip("│ ") for line in done.stdout.splitlines() if line.startswith("│ ")]
    for words in COMMANDS:
        if len(words) == 1:
            assert any(re.match(rf"{words[0]}\b.* {{2}}\w", row) for row in rows), words


def test_two_files_for_evaluate_lead_to_compare(run):
    ran = run("evaluate", "old.csv", "new.csv")
    assert ran.code == 2
    assert "To compare two classifiers: justesse compare old.csv new.csv" in ran.err


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("evaluate", "a.csv", "--labl", "y"), "--label?"),
        (("evaluat", "a.csv"), '"evaluate"?'),
        (("plan", "precision", "3", "--half-width", "0.01"), "See justesse plan precision --help"),
        (("evaluate", "a.csv", "--level", "x"), "a percentage such as 5%"),
        (("evaluate", "a.csv", "--draws", "2.7"), "a whole number is needed"),
        (("evaluate", "a.csv", "--score-bins", "2.7"), "a whole number is needed"),
        (("evaluate", "a.csv", "--plausible-noise", "few"), "a percentage such as 5%"),
        (("evaluate",), "justesse evaluate needs FILE"),
        (("plan", "precision"), "justesse plan precision needs --half-width"),
    ],
)
def test_a_wrong_command_line_is_answered_in_one_line(words, advice, run):
    ran = run(*words)
    assert ran.code == 2
    assert advice in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_installs(shell, tmp_path):
    script = tmp_path / "completion"
    words = [sys.executable, "-m", "justesse", "--install-completion", "--shell", shell, "--output", str(script)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "HOME": str(tmp_path)})
    assert str(script) in done.stdout
    text = script.read_text()
    for word in ("evaluate", "noise-rate", "clopper-pearson", "precision"):
        assert word in text, word
    assert [path.name for path in tmp_path.iterdir()] == ["completion"]  # no startup file was touched


@pytest.mark.parametrize(("shell", "startup"), [("bash", ".bashrc"), ("zsh", ".zshrc")])
def test_completion_is_loaded_by_the_next_shell(shell, startup, tmp_path):
    words = [sys.executable, "-m", "justesse", "--install-completion", "--shell", shell]
    env = {name: value for name, value in os.environ.items() if not name.startswith("ZSH")} | {"HOME": str(tmp_path)}
    subprocess.run(words, capture_output=True, text=True, check=True, env=env)
    assert "justesse" in (tmp_path / startup).read_text()


def test_completion_that_cannot_be_written_says_so(run, tmp_path):
    (tmp_path / "file").write_text("")
    ran = run("--install-completion", "--shell", "bash", "--output", tmp_path / "file" / "script")
    assert ran.code == 2
    assert "Choose a file with --output" in ran.err


@pytest.mark.parametrize("home", ["", "no/such/home", "/no/such/home"])
def test_completion_needs_a_home(run, monkeypatch, home):
    monkeypatch.setenv("HOME", home)
    ran = run("--install-completion", "--shell", "bash")
    assert ran.code == 2
    assert f"HOME is {home!r}, not a directory" in ran.err
    assert not os.path.lexists("/no")


def test_paths_are_called_path(capsys):
    for words in (["verify"], ["export"], ["reevaluate"], ["datasheet"]):
        assert main(["dossier", *words, "--help"]) == 0
        assert "PATHLIKE" not in capsys.readouterr().out
