"""`justesse compare-regression` as people type it."""

import numpy as np
import pytest

ROWS = "id,y,old,new\n" + "".join(
    f"{at},{at},{at + np.sin(at) * 2:.4f},{at + np.cos(at * 3) / 2:.4f}\n" for at in range(80)
)


def test_verdict_table_gate_and_exit_code(run, write, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file = write("both.csv", ROWS)
    ran = run("compare-regression", file, "--incumbent", "old", "--candidate", "new")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("Replace the incumbent by the candidate.\nMAE 1.261")
    assert "Gate better: passed, exit code 0." in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    back = run("compare-regression", file, "--incumbent", "new", "--candidate", "old")
    assert back.code == 1
    assert "Keep the incumbent." in back.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "got 0 files"),
        (["{}", "{}", "{}"], "got 3 files"),
        (["{}"], "--incumbent"),
        (["{}", "--incumbent", "old", "--candidate", "now"], "now"),
        (["{}", "--incumbent", "old", "--candidate", "new", "--measure", "accuracy"], "accuracy"),
        (["{}", "--incumbent", "old", "--candidate", "new", "--gate", "not-worse"], "margin"),
        (["nowhere.csv", "--incumbent", "old", "--candidate", "new"], "nowhere.csv"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(run, write, words, message):
    file = str(write("both.csv", ROWS))
    ran = run("compare-regression", *(word.replace("{}", file) for word in words))
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_gates_and_missing_numbers_are_written_as_for_compare(run, write):
    file = write("both.csv", ROWS)
    words = ["compare-regression", file, "--incumbent", "new", "--candidate", "old"]
    assert run(*words, "--no-gate").code == 0
    assert run(*words, "--gate").code == 1
    holes = ["compare-regression", write("holes.csv", ROWS + "80,,1,2\n"), *words[2:], "--no-gate"]
    refused = run(*holes)
    assert refused.code == 2
    assert "--missing drop" in refused.err
    dropped = run(*holes, "--missing", "drop", "--json")
    assert dropped.json["n"] == 80
    old = run(*holes, "--drop-missing", "--json")
    assert old.json == dropped.json
    assert "--drop-missing is now called --missing drop" in old.err
