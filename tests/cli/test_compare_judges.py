"""Every judge through the command and the library: what each needs, and what it says if that is missing."""

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse import Tally, judges
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.noise.transition import Transition
from justesse.verbs.schemas import schema

SCHEMA = schema("compare")
NEEDS = {
    "prudent_v1": ["--noise-rate", "0.005"],
    "prudent_v2": ["--hard", "hard"],
    "sharp": ["--noise-rate", "0.005"],
    "cleaned": ["--true", "expert"],
    "reference": ["--true", "expert"],
}
SAID = {
    "prudent_v1": "--noise-rate",
    "prudent_v2": "--hard COL",
    "sharp": "--transition",
    "cleaned": "--true",
    "reference": "--true COL",
}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    names, n = np.array(["a", "b", "c"]), 1500
    true = rng.integers(0, 3, n)
    found = {"expert": true, "label": np.where(rng.random(n) < 0.03, rng.integers(0, 3, n), true)}
    for name, skill in (("old", 0.75), ("new", 0.95)):
        found[name] = np.where(rng.random(n) < skill, true, rng.integers(0, 3, n))
    rows = {name: names[codes] for name, codes in found.items()}
    return pd.DataFrame({"id": range(n), **rows, "hard": (rng.random(n) < 0.1).astype(int)})


@pytest.fixture
def file(table, tmp_path):
    path = tmp_path / "both.csv"
    table.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("name", sorted(NEEDS))
@pytest.mark.parametrize("measure", ["accuracy", "recall:b", "precision:c"])
def test_with_what_it_needs_it_judges(run, file, name, measure):
    call = ["compare", file, "--incumbent", "old", "--candidate", "new", "--measure", measure, "--judge", name]
    ran = run(*call, *NEEDS[name], "--json")
    assert ran.code == 0, ran.err
    jsonschema.validate(ran.json, SCHEMA)
    assert (ran.json["judge"], ran.json["verdict"]) == (name, "replace")
    assert run(*call[:3], "new", "--candidate", "old", *call[6:], *NEEDS[name]).code == 1
    shown = run(*call, *NEEDS[name])
    assert shown.code == 0
    assert "Replace the incumbent" in shown.out
    assert "does not enter it" not in shown.out


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_without_it_says_what_is_missing(run, file, name):
    ran = run("compare", file, "--incumbent", "old", "--candidate", "new", "--judge", name)
    assert ran.code == 2
    assert ran.out == ""
    assert SAID[name] in ran.err.replace("\n", " ")


@pytest.mark.parametrize("name", sorted(set(NEEDS) - {"cleaned", "reference"}))
def test_a_measure_it_cannot_judge_by(run, file, name):
    ran = run("compare", file, "--incumbent", "old", "--candidate", "new", "--judge", name, *NEEDS[name], "--measure", "mcc")  # fmt: skip
    assert ran.code == 2
    assert f"The judge {name} compares accuracy" in ran.err.replace("\n", " ")


def test_hard_rows_of_two_files_of_one_and_of_a_tally(run, table, tmp_path):
    for name in ("old", "new"):
        table[["id", "label", name, "hard"]].rename(columns={name: "prediction"}).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    ran = run("compare", tmp_path / "old.csv", tmp_path / "new.csv", "--on", "id", "--judge", "prudent_v2", "--hard", "hard", "--json")  # fmt: skip
    whole = justesse.compare(table, incumbent="old", candidate="new", judge="prudent_v2", hard="hard")
    assert ran.code == 0, ran.err
    assert ran.json["interval"] == whole.to_dict()["interval"]
    counts = table.groupby(["label", "old", "new", "hard"]).size().reset_index().to_numpy().tolist()
    tally = Tally.of(("label", "incumbent", "candidate", "difficult"), counts)
    same = justesse.compare(tally, judge="prudent_v2", hard="difficult")
    assert same.verdict.difference == whole.verdict.difference
    assert whole.verdict.difference == judges.prudent_v2(Case(tally.renamed(difficult="hard"))).difference
    with pytest.raises(OptionError, match="cannot be a slice too"):
        justesse.compare(table, incumbent="old", candidate="new", hard="hard", by="hard")
    with pytest.raises(OptionError, match="arrays have none"):
        justesse.compare(y_true=[1, 0], incumbent=[1, 0], candidate=[1, 1], hard="hard")


def test_what_is_known_of_the_labels_reaches_the_judge(table):
    how = {"incumbent": "old", "candidate": "new", "label": "label", "true": "expert"}
    counted = Transition.from_table(pd.crosstab(table["expert"], table["label"]).to_numpy(), ["a", "b", "c"])
    by_truth = justesse.compare(table, **how, judge="prudent_v1", measure="recall:a")
    by_table = justesse.compare(table, **how, judge="prudent_v1", measure="recall:a", transition=counted)
    assert by_table.verdict.difference.interval.low == pytest.approx(by_truth.verdict.difference.interval.low)
    by_rate = justesse.compare(table, **how, judge="sharp", noise_rate="0.01:0.04")
    assert by_rate.verdict.assumptions[0] == "at most 4 % of the labels are wrong"
    assert by_rate.judged[0].truth.judge == "paired"
    assert by_truth.judged[0].truth.judge == "classical"


def test_audited_asks_the_true_classes_of_a_few_rows(run, file, table):
    call = ["compare", file, "--incumbent", "old", "--candidate", "new", "--judge", "audited"]
    ran = run(*call, "--true", "expert", "--json")
    assert ran.code == 0, ran.err
    jsonschema.validate(ran.json, SCHEMA)
    assert (ran.json["judge"], ran.json["verdict"]) == ("audited", "replace")
    disputed = int((table["old"] != table["new"]).sum())
    assert f"of the {disputed} rows on which the two disagree" in ran.json["reason"]
    few = run(*call, "--true", "expert", "--budget", "3", "--json")
    assert (few.code, few.json["verdict"]) == (1, "cannot_tell")
    nobody = run(*call)
    assert nobody.code == 2
    assert "justesse audit start" in nobody.err.replace("\n", " ")
    assert run(*call, "--true", "expert", "--measure", "recall:b").code == 2


def test_options_of_one_judge_alone(run, file):
    call = ["compare", file, "--incumbent", "old", "--candidate", "new", "--true", "expert"]
    mended = run(*call, "--judge", "cleaned", "--cleaning", "1:0:1", "--json")
    truth = run(*call, "--judge", "reference", "--json")
    assert mended.json["difference"] == pytest.approx(truth.json["difference"])
    for judge, option, value, said in (
        ("paired", "--pc", "0.1", "pc is for the judge prudent_v2"),
        ("sharp", "--cleaning", "0.6:0.1", "cleaning is for the judge cleaned"),
        ("cleaned", "--budget", "9", "budget is for the judge audited"),
        ("cleaned", "--cleaning", "0.6", "(s, e) or (s, e, c)"),
        ("cleaned", "--cleaning", "a:b", "--cleaning takes s:e or s:e:c"),
        ("cleaned", "--cleaning", "2:0.1", "0 to 1"),
    ):
        ran = run(*call, "--judge", judge, option, value)
        assert ran.code == 2
        assert said in ran.err.replace("\n", " "), ran.err


def test_pc_doubts_as_many_of_the_ranked_rows(table):
    ranked = table.assign(harder=np.linspace(0, 0.999, len(table)).round(3))
    how = {"incumbent": "old", "candidate": "new", "label": "label", "judge": "prudent_v2", "hard": "harder"}
    lows = [justesse.compare(ranked, **how, pc=pc).verdict.difference.interval.low for pc in (0.0, 0.05, 0.5)]
    assert lows == sorted(lows, reverse=True)
    assert lows[0] > lows[2]


def test_a_rank_for_each_of_thousands_of_rows(run, tmp_path):
    rng = np.random.default_rng(5)
    n = 3000
    label = rng.integers(3, size=n)
    answers = {name: np.where(rng.random(n) < skill, label, rng.integers(3, size=n)) for name, skill in (("old", 0.7), ("new", 0.8))}  # fmt: skip
    table = pd.DataFrame({"label": label, **answers, "harder": rng.permutation(n) / n, "part": rng.integers(2, size=n)})
    table.to_csv(tmp_path / "rows.csv", index=False)
    words = ["compare", tmp_path / "rows.csv", "--incumbent", "old", "--candidate", "new", "--judge", "prudent_v2"]
    ran = run(*words, "--hard", "harder", "--pc", "0.2", "--by", "part", "--json")
    marked = table.assign(harder=table["harder"] < 0.2)
    whole = justesse.compare(marked, incumbent="old", candidate="new", judge="prudent_v2", hard="harder")
    assert ran.json["interval"]["low"] == pytest.approx(whole.verdict.difference.interval.low)
    assert any("600 of 3,000 rows are hard" in one for one in ran.json["assumptions"])


def test_a_column_of_zeros_marks_no_row_or_all(table):
    how = {"incumbent": "old", "candidate": "new", "judge": "prudent_v2", "hard": "hard"}
    with pytest.raises(OptionError, match="`hard` is 0 in every row"):
        justesse.compare(table.assign(hard=0), **how)
    none = justesse.compare(table.assign(hard=False), **how).verdict
    assert any(one.startswith("0 of") for one in none.assumptions)


def test_true_classes_written_in_another_way_are_refused(run, write):
    rows = "".join(f"{label},{label.upper()},{label},b\n" for label in "abab")
    ran = run("compare", write("rows.csv", "label,true,old,new\n" + rows), "--incumbent", "old", "--candidate", "new")
    assert ran.code == 2
    assert (
        "Columns 'label' and 'true' have no class in common: 'a' and 'A' differ only in capitals or spaces" in ran.err
    )


def test_hard_rows_are_for_the_judge_that_doubts_them(run, write):
    path = write("rows.csv", "label,old,new,hard\na,a,b,1\nb,a,b,0\n")
    ran = run("compare", path, "--incumbent", "old", "--candidate", "new", "--hard", "hard")
    assert ran.code == 2
    assert "hard is for the judge prudent_v2, not for paired" in ran.err
