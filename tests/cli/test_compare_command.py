"""`justesse compare` as a person types it."""

import json
import re
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.verbs.schemas import schema

SCHEMA = schema("compare")
KEYS = [
    "schema", "version", "verdict", "judge", "measure", "incumbent", "candidate", "difference", "interval", "disagreement",
    "pvalue", "breakdown_rate", "needed_n", "assumptions", "reason", "warnings", "seed", "comparisons",
]  # fmt: skip
RNG = np.random.default_rng(0)
ROWS = 500
LABEL = RNG.choice(["ham", "spam"], size=ROWS)


def answers(skill: float) -> np.ndarray:
    return np.where(RNG.random(ROWS) < skill, LABEL, np.where(LABEL == "ham", "spam", "ham"))


FRAME = pd.DataFrame(
    {"id": np.arange(ROWS), "label": LABEL, "old": answers(0.75), "new": answers(0.9), "bad": answers(0.6)}
)
FRAME["site"] = RNG.choice(["north", "south"], size=ROWS)
FRAME["p_old"] = np.round(np.where(FRAME["old"] == "spam", 0.7, 0.3) + RNG.uniform(-0.2, 0.2, ROWS), 3)
FRAME["p_new"] = np.round(np.where(FRAME["new"] == "spam", 0.7, 0.3) + RNG.uniform(-0.2, 0.2, ROWS), 3)
FOLDS = "fold,old,new\n1,.80,.85\n2,.84,.88\n3,.79,.84\n4,.83,.87\n5,.82,.87\n"


@pytest.fixture
def files(tmp_path):
    """One file per classifier, the candidates' shuffled, and one with all of them."""
    found = {"all": tmp_path / "all.parquet"}
    FRAME.to_parquet(found["all"])
    for name in ("old", "new", "bad"):
        part = FRAME[["id", "label", name, "site"]].rename(columns={name: "prediction"})
        found[name] = tmp_path / f"{name}.csv"
        (part if name == "old" else part.sample(frac=1, random_state=1)).to_csv(found[name], index=False)
    return found


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("incumbent", "candidate", "code", "verdict"),
    [("old", "new", 0, "replace"), ("new", "old", 1, "keep"), ("old", "old", 1, "cannot_tell")],
)
def test_the_exit_code_is_the_answer(run, files, incumbent, candidate, code, verdict):
    call = ["compare", files[incumbent], files[candidate], "--on", "id"]
    ran = run(*call, "--json")
    assert (ran.code, ran.json["verdict"]) == (code, verdict)
    assert run(*call, "--no-gate").code == 0
    assert run(*call, "--gate").code == code


def test_equivalent_keeps_too(run, files):
    ran = run("compare", files["old"], files["old"], "--on", "id", "--margin", "0.1", "--json")
    assert (ran.code, ran.json["verdict"]) == (1, "equivalent")
    assert ran.json["pvalue"] == 1


def test_the_json_has_its_keys_and_is_what_the_library_gives(run, files):
    ran = run("compare", files["old"], files["new"], "--on", "id", "--by", "site", "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert [key for key in ran.json if key in KEYS] == KEYS
    assert set(KEYS) <= set(ran.json)
    assert set(ran.json["disagreement"]) == {
        "both_right", "only_incumbent", "only_candidate", "both_wrong_alike", "both_wrong_differently"
    }  # fmt: skip
    assert ran.json == justesse.compare(files["old"], files["new"], on="id", by="site").to_dict()
    assert (ran.json["incumbent"]["name"], ran.json["candidate"]["name"]) == ("old.csv", "new.csv")
    assert ran.err == ""


def test_words_for_people_the_verdict_first(run, files):
    ran = run("compare", files["old"], files["new"], "--on", "id", "--by", "site", "--full")
    lines = ran.out.splitlines()
    assert lines[0] == "Replace the incumbent with the candidate."
    said = words(ran.out)
    assert re.search(r"The candidate makes 1\d\.\d fewer errors per 100 cases \(95 % CI", said)
    assert "McNemar's mid-p test: p < 0.0001." in said
    assert "p = <" not in said
    assert said.index("fewer errors") < said.index("Measures of both") < said.index("Where each is right")
    assert "measure old.csv new.csv difference 95 % CI method" in said
    assert "site = north" in said
    assert "Recall of 'ham'" in said
    assert "Assumes that the labels are right" in said
    assert "Seed 0" in said
    assert "nan" not in said.lower()
    for text in (ran.out, run("compare", "--help").out):
        assert "significant" not in text.lower()


def test_one_file(run, files):
    ran = run("compare", files["all"], "--incumbent", "old", "--candidate", "new", "--json")
    joined = run("compare", files["old"], files["new"], "--on", "id", "--json").json
    assert ran.code == 0
    assert {key: ran.json[key] for key in ("difference", "interval", "pvalue", "counts")} == {
        key: joined[key] for key in ("difference", "interval", "pvalue", "counts")
    }


@pytest.mark.parametrize("how", [["--candidate", "bad,new"], ["--candidate", "bad", "--candidate", "new"]])
def test_several_columns(run, files, how):
    ran = run("compare", files["all"], "--incumbent", "old", *how, "--tried", "20", "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert [one["candidate"]["name"] for one in ran.json["comparisons"]] == ["bad", "new"]
    assert (ran.code, ran.json["tried"], ran.json["candidate"]["name"]) == (0, 20, "new")
    assert "20 candidates were tried" in ran.json["warnings"][0]
    said = words(run("compare", files["all"], "--incumbent", "old", *how).out)
    assert said.startswith("Replace the incumbent with new.")
    assert "Each candidate against old" in said
    assert "97.5 % CI" in said


def test_several_files(run, files):
    ran = run("compare", files["old"], files["bad"], files["new"], "--on", "id", "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert [one["verdict"] for one in ran.json["comparisons"]] == ["keep", "replace"]
    assert ran.code == 0


def test_a_table_that_is_cut_says_so(run, tmp_path):
    frame = FRAME[["label", "old"]].assign(
        **{f"a rather long name of candidate {at}": answers(0.7) for at in range(24)}
    )
    path = tmp_path / "many.parquet"
    frame.to_parquet(path)
    names = [name for name in frame if name.startswith("a rather")]
    ran = run("compare", path, "--incumbent", "old", *(w for name in names for w in ("--candidate", name)))
    assert "… and 4 more rows with --full" in ran.out
    full = run("compare", path, "--incumbent", "old", *(w for one in names for w in ("--candidate", one)), "--full").out
    assert all(name in full for name in names)
    assert all(len(line) <= 120 for line in ran.out.splitlines())
    assert "tango" in ran.out


@pytest.mark.parametrize("measure", ["error", "mcc", "macro-f1", "recall:spam", "auc"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_measures_and_sides(run, files, measure, alternative):
    scores = ["--score", "p_old", "--candidate-score", "p_new", "--positive", "spam"] if measure == "auc" else []
    call = ["compare", files["all"], "--incumbent", "old", "--candidate", "new", "--measure", measure]
    call += [*scores, "--alternative", alternative]
    ran = run(*call, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert ran.json["difference"] > 0
    assert ran.code == (1 if alternative == "less" else 0)
    said = words(run(*call).out)
    assert "nan" not in said.lower()
    assert {"two-sided": "95 % CI", "greater": "95 % lower bound", "less": "95 % upper bound"}[alternative] in said


def test_a_cost_table(run, files, write):
    costs = write("costs.csv", "label,ham,spam\nham,0,10\nspam,1,0\n")
    ran = run("compare", files["old"], files["new"], "--on", "id", "--cost", costs, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert (ran.json["measure"], ran.code) == ("cost", 0)


def test_the_classical_judge(run, files):
    ran = run("compare", files["old"], files["new"], "--on", "id", "--judge", "classical", "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert (ran.json["judge"], ran.code) == ("classical", 0)


def test_common_rows_and_rows_with_gaps(run, files, tmp_path):
    part = tmp_path / "part.csv"
    pd.read_csv(files["new"])[:300].to_csv(part, index=False)
    assert run("compare", files["old"], part, "--on", "id").code == 2
    ran = run("compare", files["old"], part, "--on", "id", "--common", "--json")
    assert ran.json["unmatched"] == {"incumbent": 200, "candidate": 0}
    gaps = tmp_path / "gaps.csv"
    pd.read_csv(files["new"]).assign(prediction=lambda f: f["prediction"].where(f["id"] > 9)).to_csv(gaps, index=False)
    ran = run("compare", files["old"], gaps, "--on", "id", "--drop-missing", "--json")
    assert ran.json["dropped"] == 10


def test_missing_answers_are_wrong_or_dropped_and_the_verdict_says_if_that_decides(run, write):
    rows = [("a", "a" if at % 4 else "b", "a" if at % 4 or at % 8 else "") for at in range(400)]
    one = write(
        "one.csv", "id,label,prediction\n" + "".join(f"{at},{x},{y}\n" for at, (x, y, _) in enumerate(rows)) + "x,b,b\n"
    )
    two = write(
        "two.csv", "id,label,prediction\n" + "".join(f"{at},{x},{z}\n" for at, (x, _, z) in enumerate(rows)) + "x,b,b\n"
    )
    both = ["compare", one, two, "--on", "id"]
    assert run(*both).code == 2
    wrong, drop = (run(*both, "--missing", how, "--json").json for how in ("wrong", "drop"))
    assert (wrong["missing"]["policy"], wrong["dropped"], drop["dropped"]) == ("wrong", 0, 50)
    assert wrong["missing"]["answers"] == drop["missing"]["answers"] == {"incumbent": 0, "candidate": 50}
    assert wrong["missing"]["other_on_missing"]["candidate"] == {"n": 50, "right": 0, "accuracy": 0}
    shown = run(*both, "--missing", "wrong").out.replace("\n", " ")
    assert "The candidate leaves 50 of 401 rows unanswered" in shown
    assert "The incumbent is right on 0.0 % of them (0 of 50)" in shown
    assert run(*both, "--missing", "wrong", "--drop-missing").code == 2


def test_everything_it_writes(run, files, tmp_path, monkeypatch):
    page, table, charts = tmp_path / "page.html", tmp_path / "table.csv", tmp_path / "charts"
    call = ["compare", files["all"], "--incumbent", "old", "--candidate", "new,bad", "--by", "site"]
    call += ["--report", page, "--output", table, "--charts", charts]
    monkeypatch.setattr("sys.argv", ["justesse", *map(str, call)])
    ran = run(*call)
    assert ran.code == 0
    for path in (page, table, charts):
        assert f"Written: {path}" in ran.out
    assert pd.read_csv(table)["verdict"].tolist() == ["replace", "keep"]
    assert {path.name for path in charts.iterdir()} == {
        f"{name}.{kind}"
        for name in ("difference", "disagreement", "noise", "classes", "slices", "verdicts")
        for kind in ("svg", "png")
    }
    text = re.sub(r"</?span[^>]*>", "", page.read_text())
    assert f"justesse compare {files['all']} --incumbent old" in text
    assert "SHA-256" in text


def test_folds(run, write, tmp_path):
    path = write("scores.csv", FOLDS)
    ran = run("compare-folds", path, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert [key for key in ran.json if key in KEYS] == KEYS
    assert (ran.code, ran.json["verdict"], ran.json["judge"]) == (0, "replace", "folds")
    assert ran.json == justesse.compare_folds(path).to_dict()
    turned = run("compare-folds", path, "--incumbent", "new", "--candidate", "old", "--json")
    assert (turned.code, turned.json["verdict"]) == (1, "keep")
    said = words(run("compare-folds", path, "--measure", "f1").out)
    assert said.startswith("Replace the incumbent with the candidate. Over 5 folds the mean f1 of new is 0.0460 better")
    assert "candidate verdict its mean incumbent's difference 95 % CI p ──" in said
    assert "p (Holm)" not in said
    page, table, charts = tmp_path / "page.html", tmp_path / "table.parquet", tmp_path / "charts"
    ran = run("compare-folds", path, "--report", page, "-o", table, "--charts", charts)
    assert ran.code == 0
    assert "Comparison over folds" in page.read_text()
    assert pd.read_parquet(table)["verdict"].tolist() == ["replace"]
    assert {one.stem for one in charts.iterdir()} == {"difference", "pairs", "boxes"}


def test_folds_say_what_matters_once(run, write, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path = write(
        "scores.csv", "fold,incumbent,candidate\n" + "".join(f"{k},0.9{k},0.9{(k * 7) % 10}\n" for k in range(10))
    )
    page = tmp_path / "page.html"
    text = words(run("compare-folds", path, "--full", "--report", page).out)
    assert "incumbent: incumbent" not in text
    assert "(95 % CI of the difference" in text
    assert "candidate its mean incumbent's difference 95 % CI p ──" in text
    assert "candidate candidate better incumbent better" in text
    assert "at most 0" not in text
    html = page.read_text()
    assert html.index("The folds are taken as those of a 10-fold") < html.index("Mean score over 10 folds")
    margin = words(run("compare-folds", path, "--full", "--margin", 0.01).out)
    assert "candidate better equivalent incumbent better" in margin
    assert "Equivalent means a difference of at most 0.01." in margin


def test_folds_of_several_models(run, write):
    rows = "".join(
        f"{at},{0.8 + 0.01 * (at % 3)},{0.85 + 0.01 * (at % 4)},{0.7 + 0.02 * (at % 2)}\n" for at in range(10)
    )
    path = write("scores.csv", "fold,a,b,c\n" + rows)
    ran = run("compare-folds", path)
    said = words(ran.out)
    assert ran.code == 0
    assert said.startswith("Replace the incumbent with b.")
    assert re.search(r"analysis of variance, corrected for shared training rows \d+\.\d{4} < 0\.0001", said)
    assert "Ranks (Friedman, Nemenyi) need independent data sets" in said
    apart = words(run("compare-folds", path, "--independent").out)
    assert re.search(r"Friedman's test, F \S+ < 0\.0001", apart)
    assert "97.5 % CI" in said
    jsonschema.validate(run("compare-folds", path, "--json").json, SCHEMA)


def test_odd_class_names_survive(run, write):
    rows = [("<b>a</b>", '"b"'), ("[bold]x[/]", "é ✓"), ("[/]", "a\\b")]
    label = [name for pair in rows for name in pair] * 10
    frame = pd.DataFrame({"label": label, "old": label[1:] + label[:1], "new": label})
    path = write("odd.csv", frame.to_csv(index=False))
    ran = run("compare", path, "--incumbent", "old", "--candidate", "new", "--full")
    assert ran.code == 0
    for name in ("<b>a</b>", "[bold]x[/]", "[/]"):
        assert name in ran.out
    found = run("compare", path, "--incumbent", "old", "--candidate", "new", "--json").json
    assert set(found["classes"]) == set(label)


def test_same_seed_same_bytes(run, files):
    call = [
        "compare",
        files["old"],
        files["new"],
        "--on",
        "id",
        "--measure",
        "mcc",
        "--bootstrap",
        "percentile",
        "--json",
    ]
    one, two, other = (run(*call, "--seed", seed).out for seed in (7, 7, 8))
    assert one == two != other


def test_as_a_program(files):
    call = [sys.executable, "-m", "justesse", "compare", files["new"], files["old"], "--on", "id", "--json"]
    done = subprocess.run(list(map(str, call)), capture_output=True, text=True)
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "keep"
    assert done.stderr == ""
