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
    assert ran.out.startswith("Replace the incumbent with the candidate.\nMAE 1.261")
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


def test_the_headline_gives_the_margin_as_the_reason(run, write):
    file = write("both.csv", ROWS)
    ran = run("compare-regression", file, "--incumbent", "old", "--candidate", "new", "--margin", "0.9")
    assert "The interval includes gains above and below the margin of 0.9: not enough evidence." in " ".join(
        ran.out.split()
    )


def test_a_model_against_itself_is_explained_once(run, write):
    file = write("both.csv", ROWS)
    ran = run("compare-regression", file, "--incumbent", "old", "--candidate", "old")
    words = " ".join(ran.out.split())
    assert words.count("no interval: these rows do not show how much the value varies") == 1
    assert "no confidence interval (these rows do not show how much the value varies): no decision." in words
    assert "+0.000" not in words
    assert "-0.000" not in words


def test_perfect_predictions_are_explained_once_and_keep_their_zeros(run, write):
    perfect = write("perfect.csv", "label,prediction\n" + "".join(f"{at / 4},{at / 4}\n" for at in range(40)))
    words = " ".join(run("evaluate", perfect, "--regression").out.split())
    assert words.count("these rows do not show how much the value varies") == 1
    assert "R² 1.000" in words


def test_narrow_tables_of_slices_keep_the_candidate(run, write, monkeypatch):
    rows = "".join(f"{3 * i},{3 * i + 20 * (i % 7)},{3 * i + 20 * (i % 3)},{'ab'[i % 2]}\n" for i in range(80))
    monkeypatch.setenv("COLUMNS", "60")
    file = write("both.csv", "y,old,new,site\n" + rows)
    shown = run("compare-regression", file, "--incumbent", "old", "--candidate", "new", "--by", "site").out
    assert "MAE, candidate" in shown
    assert "Hidden columns: MAE, incumbent." in " ".join(shown.split())
