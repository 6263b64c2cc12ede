"""`justesse lifelong run` from the command line."""

import csv
import json

import pytest

from justesse.cli.main import main
from learners.systems import command, rows


@pytest.fixture
def stream(tmp_path):
    columns = rows()
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def run(capsys, *words):
    code = main(["lifelong", "run", *(str(word) for word in words)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_run_prints_its_score_and_what_it_spent(stream, tmp_path, capsys):
    words = ["--system", command(tmp_path), "--stream", stream, "--expert", "noisy", "--budget", "30", "--name", "near"]
    code, out, err = run(capsys, *words, "--to", tmp_path / "answers.csv", "--report", tmp_path / "page.html")
    assert (code, err) == (0, "")
    assert out.startswith("Mean error of near over 4 periods: ")
    assert "Spent 30 of 30 on 30 questions." in " ".join(out.split())
    assert f"Written: {tmp_path / 'answers.csv'}" in out
    assert (tmp_path / "page.html").exists()
    code, out, _ = run(capsys, *words, "--json")
    data = json.loads(out)
    assert data["budget"]["spent"] == 30
    assert [period["period"] for period in data["periods"]] == ["1", "2", "3", "4"]


def test_a_run_that_waits_for_people_exits_with_1(stream, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--system", command(tmp_path), "--stream", stream, "--expert", "ask.recheck", "--checkpoint", "my.run"]
    code, out, _ = run(capsys, *words)
    assert code == 1
    assert out.startswith("Waiting for 5 answers in ask.recheck.")


BAD = {
    "too few items": ('if do == "predict": items = items[1:]', "replied with 39 classes to 40 items"),
    "unknown classes": ('if do == "predict": print(json.dumps({"predictions": ["owl"] * len(items)}), flush=True); continue', "predicted 'owl'"),
    "garbage": ('print("hello", flush=True); continue', "which is not a JSON object"),
    "nothing at all": ("sys.exit()", "ended with exit code 0 without a reply to 'start'"),
    "hangs": ("time.sleep(600)", "did not reply to 'start' within 1 s"),
    "crash": ('raise KeyError("weights")', "KeyError: 'weights'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_system_exits_with_2_and_a_sentence(stream, tmp_path, capsys, kind):
    change, words = BAD[kind]
    timeout = ["--timeout", "1"] if kind == "hangs" else []
    system = command(tmp_path, change)
    code, out, err = run(capsys, "--system", system, "--stream", stream, *timeout, "--to", tmp_path / "answers.csv")
    assert (code, out) == (2, "")
    assert words in err
    assert "system.py" in err
    assert err.startswith("justesse: ")
    assert not (tmp_path / "answers.csv").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--stream", "data.csv"], "--system"),
        (["--system", "x", "--stream", "no.csv"], "no.csv"),
        (["--system", "x", "--stream", "data.csv", "--mode", "sometimes"], "on-line"),
        (["--system", "x", "--stream", "data.csv", "--to", "data.csv"], "would replace"),
        (["--system", "no-such-command", "--stream", "data.csv"], "cannot be started"),
    ],
)
def test_bad_options_exit_with_2(stream, capsys, monkeypatch, words, message):
    monkeypatch.chdir(stream.parent)
    code, _, err = run(capsys, *words)
    assert code == 2
    assert message in err
