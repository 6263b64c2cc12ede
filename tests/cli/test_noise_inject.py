import os
import signal
import subprocess
import sys
import time

import jsonschema
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris

from justesse import noise_inject
from justesse.verbs.schemas import schema

SCHEMA = schema("noise_inject")
IRIS = load_iris()
FRAME = pd.DataFrame(IRIS.data, columns=list("abcd")).assign(species=IRIS.target_names[IRIS.target], id=range(1, 151))
TABLE = ",setosa,versicolor,virginica\nsetosa,1,0,0\nversicolor,0,0.7,0.3\nvirginica,0,0.2,0.8\n"


@pytest.fixture
def iris(tmp_path):
    FRAME.to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv"


def test_noisy_labels_take_the_place_of_the_labels_and_the_truth_is_kept(run, iris, tmp_path):
    ran = run(
        "noise",
        "inject",
        iris,
        "--label",
        "species",
        "--to",
        tmp_path / "n.csv",
        "--noise",
        "uniform",
        "--noise-rate",
        0.1,
    )
    assert ran.code == 0
    made = pd.read_csv(tmp_path / "n.csv")
    assert list(made.columns) == [*"abcd", "species", "id", "true"]
    pd.testing.assert_frame_equal(made[[*"abcd", "id"]], FRAME[[*"abcd", "id"]])
    assert made["true"].tolist() == FRAME["species"].tolist()
    wrong = (made["species"] != made["true"]).sum()
    assert ran.out.startswith(f"{wrong} of 150 labels made wrong ({100 * wrong / 150:.1f} %): uniform noise")
    assert f"species 10.0 % {100 * wrong / 150:.1f} % {wrong} 150 0" in " ".join(ran.out.split())
    assert "Counts: true classes down, labels across" in ran.out
    assert "Seed 0" in ran.out
    assert "Assumes that the labels given are right" in ran.out
    made.assign(pred=made["true"]).to_csv(tmp_path / "judged.csv")
    judged = run("evaluate", tmp_path / "judged.csv", "--label", "species", "--json").json
    assert judged["true"]["noise_rate"]["value"] == pytest.approx(wrong / 150)


@pytest.mark.parametrize("option", ["--to", "--output", "-o"])
def test_the_file_of_noisy_labels_is_written_once_whatever_the_option_is_called(run, iris, tmp_path, option):
    words = ["noise", "inject", iris, "--label", "species", "--noise", "uniform", "--noise-rate", 0.1]
    ran = run(*words, option, tmp_path / "n.csv")
    assert ran.code == 0
    assert ran.out.count("Written:") == 1
    assert "true" in pd.read_csv(tmp_path / "n.csv").columns
    refused = run(*words, "--to", tmp_path / "m.csv", "-o", tmp_path / "l.csv")
    assert (refused.code, refused.out) == (2, "")
    assert not (tmp_path / "m.csv").exists()
    lines = [line for line in run("noise", "inject", "--help").out.splitlines() if "-o" in line.split()]
    assert len(lines) == 1
    assert "--to" in lines[0]


def test_json_is_what_the_library_gives(run, iris, write, tmp_path):
    words = [
        "--label",
        "species",
        "--noise",
        "transition",
        "--transition",
        write("t.csv", TABLE),
        "--noise-rates",
        "0.02,0.1",
    ]
    found = run("noise", "inject", iris, "--to", tmp_path / "n.parquet", *words, "--seed", 5, "--json").json
    jsonschema.validate(found, SCHEMA)
    same = noise_inject(iris, to=tmp_path / "n.parquet", label="species", noise="transition",
                        transition=tmp_path / "t.csv", noise_rates=[0.02, 0.1], seed=5)  # fmt: skip
    assert same.to_dict() == found
    made = pd.read_parquet(tmp_path / "n.parquet")
    for version in found["inject"]:
        assert version["file"] == str(tmp_path / "n.parquet")
        assert (made[version["column"]] != made["true"]).mean() == version["realised"]
    assert made["a"].dtype == float
    assert made.loc[made["true"] == "setosa", "label_0.1"].eq("setosa").all()


def test_answers_joined_by_an_id_and_a_ranking_used_again(run, iris, tmp_path):
    rng = np.random.default_rng(0)
    codes = np.where(rng.random((150, 4)) < 0.3, rng.integers(3, size=(150, 4)), IRIS.target[:, None])
    answers = pd.DataFrame(IRIS.target_names[codes], columns=["ann", "bob", "cy", "di"]).assign(id=FRAME["id"])
    answers.sample(frac=1, random_state=0).to_csv(tmp_path / "answers.csv", index=False)
    words = ["noise", "inject", iris, "--label", "species", "--noise", "features", "--ranking", tmp_path / "r.parquet"]
    first = run(
        *words, "--to", tmp_path / "n.csv", "--noise-rate", 0.1, "--answers", tmp_path / "answers.csv", "--on", "id"
    )
    assert first.code == 0
    again = run(*words, "--to", tmp_path / "m.csv", "--noise-rate", 0.1)
    assert "! The ranking was read from" in again.out
    assert (tmp_path / "m.csv").read_bytes() == (tmp_path / "n.csv").read_bytes()
    in_order = noise_inject(
        FRAME, label="species", noise="features", noise_rate=0.1, answers=answers.drop(columns="id")
    )
    assert in_order.to_frame()["species"].tolist() == pd.read_csv(tmp_path / "n.csv")["species"].tolist()


def test_votes_from_a_parquet_file(run, iris, tmp_path):
    votes = np.random.default_rng(0).multinomial(9, [0.4, 0.3, 0.3], size=150)
    pd.DataFrame(votes, columns=IRIS.target_names).to_parquet(tmp_path / "votes.parquet")
    words = ["--label", "species", "--noise", "features", "--votes", tmp_path / "votes.parquet", "--noise-rate", 0.2]
    assert run("noise", "inject", iris, "--to", tmp_path / "n.csv", *words, "--json").json["inject"][0]["wrong"] == 30


BAD = {
    "rate above 1": (["--noise", "uniform", "--noise-rate", 1.2], "A noise rate must be at least 0 and below 1"),
    "rate 1": (["--noise", "uniform", "--noise-rate", 1], "A noise rate must be at least 0"),
    "negative rates": (["--noise", "uniform", "--noise-rates=0.1,-0.1"], "A noise rate must be at least 0"),
    "rates that are words": (["--noise", "uniform", "--noise-rates", "low,high"], "takes numbers separated by commas"),
    "no rate": (["--noise", "pair-flip"], "needs a rate"),
    "unknown model": (["--noise", "normal", "--noise-rate", 0.1], "normal"),
    "no table": (["--noise", "transition"], "needs a table of P(label | true)"),
    "a table for another model": (["--noise", "uniform", "--noise-rate", 0.1, "--transition", "t.csv"], "is for transition noise"),
    "answers for another model": (["--noise", "uniform", "--noise-rate", 0.1, "--answers", "a.csv"], "is for features noise"),
    "rows that do not sum to one": (["--noise", "transition", "--transition", "odd.csv"], "sums to 0.9"),
    "classes that do not match": (["--noise", "transition", "--transition", "cats.csv"], "'setosa'"),
    "other row count": (["--noise", "features", "--noise-rate", 0.1, "--answers", "short.csv"], "numbers of rows: 150 in"),
    "missing answers": (["--noise", "features", "--noise-rate", 0.1, "--answers", "no.csv"], "File 'no.csv' not found"),
    "text features": (["--noise", "features", "--noise-rate", 0.1, "--features", "name"], "'name' (not numbers)"),
    "gaps": (["--noise", "features", "--noise-rate", 0.1, "--features", "gap"], "Column 'gap' of .* has no finite number in row 3"),
    "damaged ranking": (["--noise", "features", "--noise-rate", 0.1, "--ranking", "t.csv"], "not a Parquet file"),
    "no place for a ranking": (["--noise", "features", "--noise-rate", 0.1, "--ranking", "no/r.parquet"], "not found, so"),
    "checkpoint that is a file": (["--noise", "features", "--noise-rate", 0.1, "--checkpoint", "t.csv"], "is not a directory. Name a directory"),
    "truth twice": (["--noise", "uniform", "--noise-rate", 0.1, "--true", "a"], "already has a column 'a'"),
    "version twice": (["--noise", "uniform", "--noise-rates", "0.5"], "already has a column 'label_0.5'"),
    "missing labels": (["--noise", "uniform", "--noise-rate", 0.1, "--label", "gap"], "in column 'gap'"),
    "one class": (["--noise", "uniform", "--noise-rate", 0.1, "--label", "same"], "holds one class only, 'x'"),
    "no label": (["--noise", "uniform", "--noise-rate", 0.1, "--label", "specie"], "Did you mean 'species'"),
    "itself": (["--noise", "uniform", "--noise-rate", 0.1, "--to", "in.csv"], "would replace a file that is read"),
    "its ranking": (["--noise", "features", "--noise-rate", 0.1, "--to", "r.csv", "--ranking", "r.csv"], "would overwrite another file"),
    "ending": (["--noise", "uniform", "--noise-rate", 0.1, "--to", "n.xlsx"], "must end in .csv, .parquet or .pq"),
    "no directory": (["--noise", "uniform", "--noise-rate", 0.1, "--to", "no/n.csv"], "not found, so"),
    "seed": (["--noise", "uniform", "--noise-rate", 0.1, "--seed", "-1"], "seed"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_input_is_one_sentence_and_writes_nothing(run, write, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    frame = FRAME.assign(name="u", same="x", gap=[1.0, 2.0, None, *[3.0] * 147]).rename(columns={"d": "label_0.5"})
    frame.to_csv("in.csv", index=False)
    write("t.csv", TABLE)
    write("odd.csv", TABLE.replace("0.8", "0.7"))
    write("cats.csv", ",cat,dog\ncat,1,0\ndog,0,1\n")
    write("short.csv", "ann\nsetosa\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    words, reason = BAD[name]
    given = ["in.csv", "--label", "species", "--to", "n.csv"]
    for option in ("--label", "--to"):
        if option in words:
            at = given.index(option)
            del given[at : at + 2]
    ran = run("noise", "inject", *given, *words)
    assert (ran.code, ran.out) == (2, "")
    import re

    assert re.search(reason if ".*" in reason else re.escape(reason), ran.err)
    assert len(ran.err.strip().splitlines()) == 1 or "normal" in reason or "--seed" in words
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_that_was_killed_goes_on_where_it_was(run, tmp_path):
    digits = load_digits()
    frame = pd.DataFrame(digits.data[:300], columns=[f"p{at}" for at in range(64)]).assign(label=digits.target[:300])
    frame.to_csv(tmp_path / "digits.csv", index=False)
    folder, to = tmp_path / "work", tmp_path / "n.csv"
    words = [
        "noise",
        "inject",
        str(tmp_path / "digits.csv"),
        "--noise",
        "features",
        "--noise-rate",
        "0.2",
        "--annotators",
        "18",
    ]
    command = [sys.executable, "-m", "justesse", *words, "--checkpoint", str(folder), "--to", str(to)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(done := list(folder.glob("*.npz"))) < 3:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < until
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not to.exists()
    kept = {path: path.stat().st_mtime_ns for path in done}
    assert len(kept) < 18
    assert run(*words, "--checkpoint", folder, "--to", to).code == 0
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(list(folder.glob("*.npz"))) >= 18
    assert run(*words, "--to", tmp_path / "at-once.csv").code == 0
    assert to.read_bytes() == (tmp_path / "at-once.csv").read_bytes()
