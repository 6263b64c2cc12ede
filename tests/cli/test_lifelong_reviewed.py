"""Odd but valid input of lifelong commands, and options that must not be ignored."""

import json

import pytest

from justesse.cli.main import main

CONSTANT = "time,label,prediction\n" + "".join(f"{at},a,{'b' if at % 4 == 0 else 'a'}\n" for at in range(400))
VERSIONS = "version,time,id,label,prediction\n" + "".join(
    f"v{version},{month},{month}-{item},a,{'a' if item % (2 + version) else 'b'}\n"
    for version in (1, 2)
    for month in (1, 2)
    for item in range(30)
)
RUNS = "system,seed,cost,accuracy\n" + "".join(
    f"{name},{seed},{cost},{0.5 + cost * rate + seed / 100}\n"
    for name, rate in (("random", 0.002), ("margin", 0.004))
    for seed in (0, 1)
    for cost in (0, 50, 100)
)


def test_a_system_that_errs_where_nothing_changes_is_worse_than_no_change(run, write):
    ran = run("lifelong", "prequential", write("constant.csv", CONSTANT), "--json")
    assert json.loads(ran.out)["beats_no_change"] is False


def test_huge_weights_of_a_policy_count_alike(run, write):
    table = write("rows.csv", VERSIONS)
    weights = write("weights.csv", "period,weight\n1,1e308\n2,1e308\n")
    huge, even = (
        json.loads(run("lifelong", "score", table, "--policy", policy, "--json").out) for policy in (weights, "uniform")
    )
    assert [item["value"] for item in huge["score"]] == pytest.approx([item["value"] for item in even["score"]])


@pytest.mark.parametrize("rest", [["--reach", "nan", "--higher-is-better"], []])
def test_scores_have_a_direction_and_a_finite_aim(run, write, rest):
    ran = run("lifelong", "curve", write("runs.csv", RUNS), *rest, "--json")
    assert ran.code == 2
    assert "finite" in ran.err or "--higher-is-better" in ran.err


def test_a_score_beyond_the_budget_is_not_reached(run, write):
    words = ["lifelong", "curve", write("runs.csv", RUNS), "--reach", "0.65", "--higher-is-better", "--json"]
    free, cut = (json.loads(run(*words, *rest).out)["systems"] for rest in ([], ["--budget", "50"]))
    named = [{item["name"]: item["cost_to_reach"] for item in systems} for systems in (free, cut)]
    assert named[0]["random"]["value"] == pytest.approx(72.5)
    assert named[1]["random"]["value"] is None
    assert "never reach it within a cost of 50" in named[1]["random"]["undefined"]
    assert named[1]["margin"]["value"] == pytest.approx(36.25)


def test_leaks_are_not_dropped_without_the_training_items(run, write):
    ran = run("lifelong", "score", write("rows.csv", VERSIONS), "--leaked", "drop")
    assert ran.code == 2
    assert "--training" in ran.err


def test_a_margin_above_any_difference_is_refused(run, write):
    table = write("rows.csv", VERSIONS)
    ran = run("lifelong", "compare", table, table, "--margin", "5")
    assert ran.code == 2
    assert "One point is 0.01" in ran.err


def test_no_gate_works_as_in_compare(run, write):
    table = write("rows.csv", VERSIONS)
    assert run("lifelong", "compare", table, table).code == 1
    assert run("lifelong", "compare", table, table, "--no-gate").code == 0


def test_files_of_one_name_are_told_apart_in_a_map(run, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "answers.csv").write_text(VERSIONS)
    paths = [str(tmp_path / folder / "answers.csv") for folder in ("one", "two")]
    systems = json.loads(run("lifelong", "map", *paths, "--json").out)["systems"]
    assert [item["name"] for item in systems] == paths


def test_a_longest_delay_is_finite(run, write):
    changes = write("changes.csv", "time\n10\n30\n")
    ran = run(
        "lifelong", "alarms", write("alarms.csv", "time\n12\n"), "--changes", changes, "--max-delay", "inf", "--json"
    )
    assert ran.code == 2


def test_mixed_line_endings_are_bad_input(tmp_path, capsys):
    rows = "".join(f"{at},a,2024-01-01,x,x\r,0.5\n" for at in range(30))
    path = tmp_path / "broken.csv"
    path.write_bytes(f"id,version,time,label,prediction\r,asked\n{rows}".encode())
    assert main(["lifelong", "score", str(path)]) == 2
    assert "broken.csv: unclosed quote or mixed line endings" in " ".join(capsys.readouterr().err.split())


def test_a_script_without_a_page_is_refused(tmp_path, capsys):
    path = tmp_path / "answers.csv"
    path.write_text("id,version,time,label,prediction\n1,a,1,x,x\n2,a,1,x,y\n")
    assert main(["lifelong", "score", str(path), "--interactive"]) == 2
    assert "Name the page with --report" in " ".join(capsys.readouterr().err.split())
    assert main(["lifelong", "score", str(path), "--interactive", "--report", str(tmp_path / "page.html")]) == 0


@pytest.mark.parametrize(("adapt", "warned"), [("0.2", False), ("-0.2", True), ("20", True)])
def test_scores_outside_the_usual_range_are_warned_of(capsys, adapt, warned):
    assert main(["lifelong", "penalise", "--adapt", adapt, "--false", "0.3", "--cor", "0.1"]) == 0
    assert ("The score adapt is " in capsys.readouterr().out) == warned


@pytest.mark.parametrize("words", [["lifelong", "run"], ["lifelong", "alarms", "a.csv"], ["audit", "start"]])
def test_what_a_command_needs_is_said_of_the_command_itself(capsys, words):
    assert main(words) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert f"justesse {words[0]} {words[1]} needs " in error
    assert f"See justesse {words[0]} {words[1]} --help" in error
