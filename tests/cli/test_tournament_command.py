"""`justesse tournament`: what it prints, writes and refuses."""

import json
import os
import re

import jsonschema
import numpy as np
import pandas as pd
import pytest

from justesse import tournament
from justesse.verbs.schemas import schema

SCHEMA = schema("tournament")
ROWS = "id,label,true,a,b,c\n1,x,x,x,x,y\n2,y,y,y,x,y\n3,x,y,x,y,y\n4,y,y,y,y,x\n"


@pytest.fixture
def path(tmp_path):
    rng = np.random.default_rng(3)
    true = rng.choice(["x", "y"], 400)
    frame = pd.DataFrame({"id": range(400), "label": np.where(rng.random(400) < 0.1, "x", true), "true": true})
    for at, skill in enumerate((0.6, 0.75, 0.9)):
        frame[f"net_{at}"] = np.where(rng.random(400) < skill, true, rng.permutation(true))
    frame["text"] = [f"row {at}" for at in range(400)]
    frame.to_csv(tmp_path / "predictions.csv", index=False)
    return tmp_path / "predictions.csv"


def test_it_prints_the_rates_of_every_judge_against_both_references(run, path):
    ran = run("tournament", path, "--judge", "classical,paired", "--full")
    assert ran.code == 0
    assert "3 classifiers, 6 ordered pairs, accuracy, n = 400" in ran.out
    for words in (
        "Errors against the overlap reference",
        "Errors against the paired reference",
        "type I",
        "type II",
        "Worse candidates accepted",
        "classical",
        "paired",
    ):
        assert words in ran.out
    assert "Columns not used as classifiers: 'id', 'text'" in ran.out


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_no_number_is_cropped_whatever_the_width(run, path, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("tournament", path, "--judge", "paired,prudent_v2", "--noise-rates", "0.05,0.1")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= columns
    assert not any(line.rstrip().endswith("…") for line in lines)
    rates = run("tournament", path, "--judge", "paired,prudent_v2", "--noise-rates", "0.05,0.1", "--json").json
    shown = " ".join(ran.out.split())
    for held in rates["rounds"]:
        for judge in held["judges"]:
            interval = judge["worse_accepted"]["interval"]
            assert f"{100 * interval['low']:.1f} to {100 * interval['high']:.1f} %" in shown
            assert judge["judge"] in shown


def test_json_is_the_librarys_own(run, path):
    words = ("--judge", "classical,paired", "--measure", "accuracy,recall:x", "--level", "0.9", "--margin", "0.01")
    ran = run("tournament", path, "--label", "label", "--true", "true", "--model", "net_0,net_2", *words, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    same = tournament(
        path, models=["net_0", "net_2"], judges=["classical", "paired"], measure=["accuracy", "recall:x"], level=0.9, margin=0.01
    )  # fmt: skip
    assert ran.json == json.loads(json.dumps(same.to_dict()))


def test_a_sweep_over_rates(run, path):
    ran = run("tournament", path, "--noise-rates", "0.01,0.2", "--judge", "paired", "--json")
    assert [one["asked"] for one in ran.json["rounds"]] == [0.01, 0.2]
    shown = run("tournament", path, "--noise-rates", "0.01,0.2", "--judge", "paired")
    assert re.search(r"paired +20.0 % ", shown.out)


def test_it_writes_what_it_is_asked_for(run, path, tmp_path):
    written = ("-o", tmp_path / "rates.csv", "--report", tmp_path / "page.html", "--charts", tmp_path / "charts")
    ran = run("tournament", path, "--judge", "paired", *written)
    assert ran.code == 0
    assert pd.read_csv(tmp_path / "rates.csv")["judge"].tolist() == ["paired", "paired"]
    assert "justesse " in (tmp_path / "page.html").read_text()
    assert len(list((tmp_path / "charts").iterdir())) == 6
    assert ran.out.count("Written:") == 3


def test_several_files_of_one_classifier_each(run, write):
    for name, answers in (("a", "xyxy"), ("b", "xxyy"), ("c", "yyyx")):
        rows = "".join(
            f"{at},{one},{two},{said}\n"
            for at, (one, two, said) in enumerate(zip("xyxy", "xyyy", answers, strict=True))
        )
        write(f"{name}.csv", "id,label,true,prediction\n" + rows)
    folder = write("x", "").parent
    ran = run("tournament", *(folder / f"{name}.csv" for name in "abc"), "--on", "id", "--judge", "paired", "--json")
    assert ran.json["models"] == ["a.csv", "b.csv", "c.csv"]


def test_help_shows_examples(run):
    ran = run("tournament", "--help")
    assert "justesse tournament predictions.parquet" in ran.out
    assert "--noise-rates" in ran.out


BAD = {
    "no file": ([], None, "No file given"),
    "missing file": (["nowhere.csv"], None, "File 'nowhere.csv' not found"),
    "empty file": ([], "", "is empty. Write it again"),
    "header only": ([], "label,true,a,b\n", "No rows"),
    "no such id": (["--on", "key"], ROWS, "Column 'key' not found in .*id column with --on"),
    "all and an unknown judge": (["--judge", "all,clasical"], ROWS, "Unknown judge 'clasical'. Did you mean"),
    "half a seed": (["--seed", "1.5"], ROWS, "a whole number is needed; got '1.5'"),
    "table without ending": (["--output", "rates.txt"], ROWS, "must end in .csv, .parquet or .pq"),
    "one class": ([], "label,true,a,b\nx,x,x,x\nx,x,x,x\n", "there is only one: name all classes"),
    "no true column": (["--judge", "paired"], ROWS.replace("true", "expert"), "Judges need the true classes"),
    "no label column": ([], ROWS.replace("label", "votes"), "No label column found"),
    "one model": ([], "label,true,a\nx,x,x\ny,y,y\n", r"at least two classifiers; got 1 \('a'\)"),
    "no model": ([], "label,true\nx,x\ny,y\n", "at least two classifiers"),
    "unknown model": (["--model", "a,bb"], ROWS, "Column 'bb' not found in .*Did you mean 'b'.*model column with --model"),
    "a model twice": (["--model", "a,a"], ROWS, "Name each classifier once"),
    "unknown label": (["--label", "lable"], ROWS, "Did you mean 'label'"),
    "missing value": ([], ROWS.replace("2,y,y,y", "2,y,y,"), "in 1 row of .*: row 2, columns 'a'.*--missing wrong.*--missing drop"),
    "other classes": (["--model", "a,b"], "label,true,a,b\nx,x,u,x\ny,y,u,y\n", "'a' never answers with a true class"),
    "mixed kinds": (["--model", "a,b"], "label,true,a,b\n0,0,0,n\n1,1,1,m\n", "Write the classes the same way"),
    "unknown judge": (["--judge", "clasical"], ROWS, "Unknown judge 'clasical'. Did you mean 'classical'"),
    "unknown measure": (["--measure", "f2"], ROWS, "Unknown measure 'f2'"),
    "measure of no share": (["--measure", "mcc"], ROWS, "accuracy, recall:CLASS or precision:CLASS"),
    "unknown class": (["--measure", "recall:z"], ROWS, "Class 'z' not found"),
    "rates that are no numbers": (["--noise-rates", "low"], ROWS, "--noise-rates takes numbers"),
    "rates in percent": (["--noise-rates", "5"], ROWS, "at least 0 and below 1"),
    "label and rates": (["--label", "label", "--noise-rates", "0.1"], ROWS, "not both"),
    "votes without rates": (["--votes", "v.csv"], ROWS, "Give noise_rates too"),
    "cleaning in words": (["--cleaning", "good"], ROWS, "--cleaning takes s:e or s:e:c"),
    "level": (["--level", "95"], ROWS, "between 0 and 1"),
    "margin": (["--margin", "-1"], ROWS, "the smallest gain that matters"),
    "seed": (["--seed", "-1"], ROWS, "0 or more"),
    "report over the data": (["--report", "FILE"], ROWS, "would replace a file that is read"),
    "report without ending": (["--report", "page.txt"], ROWS, "must end in .html"),
    "alternative": (["--alternative", "more"], ROWS, "alternative"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_words(name, run, write):
    words, text, said = BAD[name]
    file = [] if text is None else [write("data.csv", text)]
    ran = run("tournament", *file, *(file[0] if word == "FILE" else word for word in words))
    assert ran.code == 2
    assert re.search(said, ran.err.replace("\n", " "))
    assert "Traceback" not in ran.err
    assert not ran.out


def test_recall_of_every_class_whatever_its_name(run, write):
    names = [" a ", "b,c", "d:e", "🦉"]
    rows = "".join(f'"{name}","{name}","{name}","{names[at % 3]}"\n' for at, name in enumerate(names * 3))
    ran = run(
        "tournament",
        write("odd.csv", "label,true,a,b\n" + rows),
        "--measure",
        "recall",
        "--judge",
        "classical",
        "--json",
    )
    assert [one["class"] for one in ran.json["rounds"]] == names


def test_charts_into_a_file_are_refused_before_the_work(run, path, write):
    ran = run("tournament", path, "--charts", write("notes.txt", "mine"))
    assert ran.code == 2
    assert "is a file. Name a directory" in ran.err


def test_a_place_where_nothing_can_be_written_is_refused_before_the_work(run, path, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    ran = run("tournament", path, "--report", tmp_path / "page.html")
    assert ran.code == 2
    assert "is read-only. Choose another directory" in ran.err


def test_duplicated_ids_are_refused(run, write):
    one = write("one.csv", "id,label,true,prediction\n1,x,x,x\n2,y,y,y\n")
    other = write("other.csv", "id,prediction\n1,x\n1,y\n2,y\n")
    ran = run("tournament", one, other, "--on", "id")
    assert ran.code == 2
    assert "Duplicate ids in column 'id' of" in ran.err


IRIS = "row,repetition,fold,label,tree,bayes,near\n" + "".join(
    f"{at},0,{at % 5},{at % 2},{(at % 2) ^ (at % 10 == 0)},{(at % 2) ^ (at % 7 == 0)},{at % 2}\n" for at in range(140)
)


def test_predictions_of_assess_enter_with_their_labels_as_true_classes(run, write):
    path = write("out.csv", IRIS)
    ran = run("tournament", path, "--true", "label", "--noise-rates", "0.05,0.1", "--judge", "paired", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["models"] == ["tree", "bayes", "near"]
    assert ran.json["ignored"] == ["row", "repetition", "fold"]
    assert not any("not used as classifiers" in warning for warning in ran.json["warnings"])
    other = write("other.csv", IRIS.replace("row,", "place,", 1))
    ran = run("tournament", other, "--true", "label", "--noise-rates", "0.05", "--judge", "paired", "--json")
    assert any("not used as classifiers: 'place'" in warning for warning in ran.json["warnings"])


@pytest.mark.parametrize("options", [("--judge", "paired"), ("--true", "label")])
def test_a_file_with_labels_alone_is_told_how_to_take_part(run, write, options):
    ran = run("tournament", write("out.csv", IRIS), *options)
    assert ran.code == 2
    assert "--noise-rates 0.05" in ran.err


def test_assessed_predictions_are_judged(run, write, tmp_path):
    """From assess to tournament, as the how-to shows it."""
    rng = np.random.default_rng(1)
    rows = pd.DataFrame(rng.normal(size=(120, 3)), columns=["a", "b", "c"]).round(3)
    rows["species"] = np.where(rows.a + 0.5 * rng.normal(size=120) > 0, "x", "y")
    path, out = write("rows.csv", rows.to_csv(index=False)), tmp_path / "out.parquet"
    made = run("assess", path, "--label", "species", "--model", "tree,bayes", "--k", "3", "--predictions", out)
    assert made.code == 0, made.err
    ran = run("tournament", out, "--true", "label", "--noise-rates", "0.1", "--judge", "paired", "--json")
    assert ran.json["models"] == ["tree", "bayes"]
    assert ran.json["n"] == 120


def test_judges_that_are_equally_good_are_all_named(run, write):
    """Two judges that decide alike on every pair: neither is called the best."""
    ran = run(
        "tournament", write("out.csv", IRIS), "--true", "label", "--noise-rates", "0.02", "--judge", "paired,sharp"
    )
    assert ran.code == 0, ran.err
    assert "Both miss equally many gains: 0.0 % of those" in " ".join(ran.out.split())


def test_rows_of_noise_rates_say_what_share_became_wrong(run, write):
    ran = run("tournament", write("out.csv", IRIS), "--true", "label", "--noise-rates", "0.05,0.1", "--judge", "paired")
    wrong = [100 * held["realised"] for held in run(
        "tournament", write("out.csv", IRIS), "--true", "label", "--noise-rates", "0.05,0.1", "--judge", "paired", "--json"
    ).json["rounds"]]  # fmt: skip
    for share, asked in zip(wrong, ("5 %", "10 %"), strict=True):
        assert f"{share:.1f} % wrong ({asked} asked)" in ran.out


def test_the_summary_beside_judges_leads_the_leaderboard_with_its_answer_and_five_lines(run, write):
    rng = np.random.default_rng(5)
    true = rng.integers(0, 3, 300)
    rows = {"true": true, "label": np.where(rng.random(300) < 0.05, (true + 1) % 3, true)}
    for at in range(8):
        rows[f"m{at}"] = np.where(rng.random(300) < 0.5 + 0.05 * at, true, (true + 1) % 3)
    place = write("pool.csv", pd.DataFrame(rows).to_csv(index=False))
    board = run("tournament", place, "--judge", "paired").out.partition("\nLeaderboard\n")[2]
    assert re.search(r"may be the most accurate: .*Highest accuracy: m7", board.replace("\n", " "))
    table = board.partition("Classifiers from the best down")[2].partition("more rows with --full")[0]
    known = tournament(place, judges=["paired"]).leaderboard.board
    assert re.findall(r"^m\d", table, re.MULTILINE) == [known.names[at] for at in known.whole.order[:5]]
    full = run("tournament", place, "--judge", "paired", "--full").out.partition("Classifiers from the best down")[2]
    assert len(re.findall(r"^m\d +\d", full.partition("Accuracy by column")[0], re.MULTILINE)) == 8


@pytest.mark.parametrize(
    ("option", "judge"),
    [
        (("--pc", "0.1"), "prudent_v2"),
        (("--hard-by", "random"), "prudent_v2"),
        (("--difficulty", "text"), "prudent_v2"),
        (("--cleaning", "0.6:0.1"), "cleaned"),
        (("--filter", "majority-vote"), "cleaned"),
        (("--budget", "200"), "audited"),
        (("--expert-error", "0"), "audited"),
    ],
)
def test_options_of_a_judge_that_does_not_take_part_are_refused(run, path, option, judge):
    """Also a value that is the default: it was typed, so something was expected of it."""
    ran = run("tournament", path, "--judge", "paired", *option)
    assert ran.code == 2
    assert f"({option[0]}) is for the judge {judge}, which does not take part" in ran.err.replace("\n", " ")


@pytest.mark.parametrize("option", [("--pc", "0.1"), ("--budget", "200"), ("--alternative", "two-sided")])
def test_options_of_judges_are_refused_without_judges(run, tmp_path, option):
    (tmp_path / "board.csv").write_text(ROWS.replace(",true,", ",text,"))
    without_truth = run("tournament", tmp_path / "board.csv", "--model", "a,b,c", *option)
    assert without_truth.code == 2
    assert "Judges need the true classes" in without_truth.err
    alone = run("tournament", tmp_path / "board.csv", "--model", "a,b,c", "--judge", "none", *option)
    assert alone.code == 2
    assert "no judge takes part (--judge none)" in alone.err.replace("\n", " ")
