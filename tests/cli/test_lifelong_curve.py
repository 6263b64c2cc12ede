"""`justesse lifelong curve`."""

import json

import pytest

from justesse.cli.main import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def runs(tmp_path):
    """Three seeds of two systems: margin gains twice as fast as random."""
    rows = ["strategy,seed,labels,accuracy"]
    for name, speed in (("Random", 1), ("margin", 2)):
        for seed in range(3):
            rows += [f"{name},{seed},{cost},{0.5 + speed * cost / 200 + seed / 100}" for cost in (40, 0, 20)]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_areas_costs_and_deficiency(runs, capsys):
    code, out, _ = run(capsys, "lifelong", "curve", runs, "--higher-is-better", "--reach", "0.65", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["columns"] == {"system": "strategy", "run": "seed", "cost": "labels", "score": "accuracy"}
    assert (data["start"], data["budget"], data["random"]) == (0, 40, "Random")
    random, margin = data["systems"]
    assert random["area"]["value"] == pytest.approx(0.61)
    assert margin["area"]["value"] == pytest.approx(0.71)
    assert margin["cost_to_reach"]["value"] == pytest.approx(14)  # 15, 14 and 13
    assert margin["area_gain"]["value"] == pytest.approx(0.1)
    assert "all seeds are equal" in margin["area_gain"]["undefined"]
    assert margin["deficiency"]["value"] == pytest.approx(0, abs=1e-12)  # random ends 0.1 above its mean, margin has it
    assert random["deficiency"] is None
    assert [point["cost"] for point in margin["curve"]] == [0, 20, 40]
    assert "fewer than 5 seeds" in data["warnings"][0]


def test_a_budget_cuts_the_curves(runs, capsys):
    _, out, _ = run(capsys, "lifelong", "curve", runs, "--higher-is-better", "--budget", "20", "--json")
    assert json.loads(out)["systems"][0]["area"]["value"] == pytest.approx(0.56)
    _, out, _ = run(capsys, "lifelong", "curve", runs, "--higher-is-better", "--budget", "60", "--json")
    data = json.loads(out)
    assert data["systems"][0]["area"]["value"] == pytest.approx((40 * 0.61 + 20 * 0.71) / 60)
    assert "end before the budget" in data["warnings"][0]


def test_words(runs, capsys):
    code, out, _ = run(capsys, "lifelong", "curve", runs, "--higher-is-better")
    assert code == 0
    assert out.startswith("margin has the best mean score of 2 systems. Mean score of margin from cost 0 to 40: 0.7100")
    code, _, err = run(capsys, "lifelong", "curve", runs)
    assert code == 2
    assert "a higher score is better" in err


def test_a_single_run_has_no_interval(tmp_path, capsys):
    path = tmp_path / "run.csv"
    path.write_text("cost,error\n0,0.5\n10,0.3\n")
    code, out, _ = run(capsys, "lifelong", "curve", path, "--reach", "0.1", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["systems"][0]["area"]["interval"] is None
    assert "one seed" in data["systems"][0]["area"]["undefined"]
    assert data["systems"][0]["cost_to_reach"]["value"] is None
    assert run(capsys, "lifelong", "curve", path, "--reach", "0.1")[0] == 0


HEAD = "system,seed,cost,score\n"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEAD, [], "No rows"),
        (HEAD + "a,1,0,x\na,1,1,1\n", [], "row 1: column 'score' must contain a finite number"),
        (HEAD + "a,1,,1\na,1,1,1\n", [], "row 1: column 'cost' must contain a finite number"),
        (HEAD + "a,1,0,1\na,1,-5,1\n", [], "row 2: a cost must be 0 or more (column 'cost'); got -5."),
        (HEAD + ",1,0,1\na,1,1,1\n", [], "row 1: no system in column 'system'"),
        (HEAD + "a,1,0,1\n", [], "has one point"),
        (HEAD + "a,1,0,1\na,1,0,2\n", [], "row 2: seed '1' of system 'a' has a score at cost 0 already"),
        (HEAD + "a,1,0,1\na,1,5,2\n", ["--random", "b"], "has no system 'b'"),
        (HEAD + "a,1,3,1\na,1,5,2\n", ["--budget", "2"], "No costs in common"),
        ("cost,value,score_b\n1,2,3\n", ["--score", "score_c"], "'score_c' not found"),
        ("time,score\n1,2\n", [], "No cost column found"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(tmp_path, capsys, text, options, words):
    path = tmp_path / "runs.csv"
    path.write_text(text)
    code, out, err = run(capsys, "lifelong", "curve", path, *options)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())
