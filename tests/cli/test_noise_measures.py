"""`justesse noise …`, and the noise options of `evaluate` and `compare`, as a person types them."""

import re

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.verbs.schemas import schema

SCHEMAS = {name: schema(name) for name in ("noise", "evaluate", "compare")}


@pytest.fixture
def files(tmp_path):
    """Answers of two models, a re-checked sample and a transition table."""
    rng = np.random.default_rng(0)
    n = 500
    true = rng.integers(3, size=n)
    label = np.where(rng.random(n) < 0.05, (true + 1) % 3, true)
    names, ids = np.array(["cat", "dog", "emu"]), rng.permutation(n)
    for name, skill in (("old", 0.75), ("new", 0.9)):
        answer = np.where(rng.random(n) < skill, true, rng.integers(3, size=n))
        frame = pd.DataFrame({"id": ids, "label": names[label], "prediction": names[answer]})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    frame.assign(true=names[true]).to_parquet(tmp_path / "all.parquet", index=False)
    pd.DataFrame({"id": ids[:100], "true": names[true[:100]]}).to_csv(tmp_path / "checked.csv", index=False)
    (tmp_path / "t.csv").write_text("true,cat,dog,emu\ncat,0.95,0.05,0\ndog,0,0.95,0.05\nemu,0.05,0,0.95\n")
    return tmp_path


WORDS = {
    "bounds": ["new.csv", "--noise-rate", "0.01:0.05"],
    "breakdown": ["new.csv", "--claim", "accuracy>=0.8", "--claim", "recall:cat>0.7"],
    "bias": ["all.parquet"],
    "profile": ["all.parquet", "--level", "0.9"],
    "estimate": ["new.csv", "--audited", "checked.csv", "--on", "id"],
}


def placed(files, words):
    return [str(files / word) if re.fullmatch(r"\w+\.(csv|parquet)", word) else word for word in words]


@pytest.mark.parametrize("part", sorted(WORDS))
def test_json_tables_and_files(part, files, run):
    words = ["noise", part, *placed(files, WORDS[part])]
    ran = run(*words, "--json")
    assert ran.code == 0
    jsonschema.validate(ran.json, SCHEMAS["noise"])
    shown = run(*words, "--output", files / "out.csv")
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert text.startswith(ran.json["answer"])
    assert f"Written: {files / 'out.csv'}" in shown.out
    assert len(pd.read_csv(files / "out.csv")) == len(ran.json[part])


def test_the_library_gives_exactly_the_json(files, run):
    found = run("noise", "bounds", files / "new.csv", "--transition", files / "t.csv", "--json").json
    assert justesse.noise_bounds(files / "new.csv", transition=files / "t.csv").to_dict() == found
    found = run("noise", "breakdown", files / "new.csv", "--json").json
    assert justesse.noise_breakdown(files / "new.csv").to_dict() == found
    words = ["--noise-rate", "0.05", "--claim", "accuracy>=0.8", "--bootstrap", "none"]
    found = run("evaluate", files / "new.csv", *words, "--json").json
    again = justesse.evaluate(files / "new.csv", noise_rate=0.05, claim="accuracy>=0.8", bootstrap="none")
    assert again.to_dict() == found


def test_the_parts_are_in_the_help(run):
    text = run("noise", "--help").out
    for part in WORDS:
        assert part in text
        helped = run("noise", part, "--help")
        assert helped.code == 0
        assert f"justesse noise {part}" in helped.out


def test_estimate_writes_a_table_that_the_others_take(files, run):
    table = files / "counted.csv"
    ran = run("noise", "estimate", files / "all.parquet", "--to", table)
    assert ran.code == 0
    assert f"Written: {table}" in ran.out
    for words in (["noise", "bounds", files / "new.csv"], ["evaluate", files / "new.csv", "--bootstrap", "none"]):
        assert run(*words, "--transition", table).code == 0
    assert run("compare", files / "old.csv", files / "new.csv", "--on", "id", "--transition", table).code == 0


@pytest.mark.parametrize(
    "words", [["noise", "bounds", "new.csv"], ["evaluate", "new.csv"], ["compare", "old.csv", "new.csv"]]
)
def test_whether_a_table_counts_these_rows_is_an_option(words, files, run):
    made = run("noise", "estimate", files / "all.parquet", "--to", files / "counts.csv")
    assert made.code == 0
    command = [*placed(files, words), "--transition", files / "counts.csv", "--json"]
    sample, these = run(*command), run(*command, "--transition-of", "these")
    assert "--transition-of these" in sample.out
    assert "random rows like these" in sample.out
    assert "random rows like these" not in these.out
    shares = run(*placed(files, words), "--transition", files / "t.csv", "--transition-of", "these")
    assert shares.code == 2
    assert "holds shares, not counts" in " ".join(shares.err.split())


@pytest.mark.parametrize("option", ["--cluster", "--group"])
def test_items_answered_several_times(option, files, run):
    rng = np.random.default_rng(3)
    hard = np.repeat(rng.random(1500) < 0.1, 4)
    rows = pd.DataFrame({"item": np.repeat(np.arange(1500), 4), "true": "cat", "label": np.where(hard, "dog", "cat")})
    rows.loc[0, ["true", "label"]] = "dog"
    rows.to_csv(files / "answers.csv", index=False)
    plain = run("noise", "estimate", files / "answers.csv", "--json").json
    ran = run("noise", "estimate", files / "answers.csv", option, "item", "--json")
    assert ran.code == 0
    jsonschema.validate(ran.json, SCHEMAS["noise"])
    ends = [one["estimate"][0]["interval"] for one in (plain, ran.json)]
    widths = [one["high"] - one["low"] for one in ends]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.05)  # four equal answers tell as much as one
    assert "the 1,500 clusters by 'item' are independent" in " ".join(ran.json["assumptions"])
    assert ran.json == justesse.noise_estimate(files / "answers.csv", cluster="item").to_dict()
    wrong = run("noise", "estimate", files / "answers.csv", option, "label")
    assert wrong.code == 2
    assert "cannot name the clusters" in " ".join(wrong.err.split())


def test_evaluate_prints_a_section(files, run):
    words = ["--noise-rate", "0.01:0.05", "--transition", files / "t.csv", "--audited", files / "checked.csv"]
    words += ["--on", "id", "--claim", "accuracy>=0.8", "--bootstrap", "none", "--draws", "200"]
    ran = run("evaluate", files / "new.csv", *words)
    assert ran.code == 0
    text = " ".join(ran.out.split())
    after = text[text.index("If some labels are wrong") :]
    assert "The claim accuracy >= 0.8 survives up to" in after
    for head in ("bounds from rate", "independent errors", "bounds from table", "errors by class", "re-checked sample"):
        assert head in after
    assert "a random sample was re-checked" in after
    assert "fails when the re-checked rows were not drawn at random" in after
    assert "In brackets: 95 % CI." in after
    found = run("evaluate", files / "new.csv", *words, "--json").json
    jsonschema.validate(found, SCHEMAS["evaluate"])
    assert f"{found['noise']['measures'][0]['corrected'][-1]['value']:.3f}" in after


def test_evaluate_always_says_what_would_break_it(files, run):
    text = " ".join(run("evaluate", files / "new.csv", "--bootstrap", "none").out.split())
    assert "(better than always predicting the most frequent label) survives up to" in text
    already = " ".join(
        run("evaluate", files / "new.csv", "--bootstrap", "none", "--claim", "accuracy>0.99").out.split()
    )
    assert "The claim accuracy > 0.99 is false with the labels as they are." in already


def test_compare_prints_what_is_left(files, run):
    words = ["compare", files / "old.csv", files / "new.csv", "--on", "id"]
    known = ["--noise-rate", "0.06", "--transition", files / "t.csv", "--audited", files / "checked.csv"]
    ran = run(*words, *known)
    assert ran.code == 0
    text = " ".join(ran.out.split())
    for said in ("at most 6 % of the labels are wrong", "the transition table is right", "for these rows",
                 "a random sample was re-checked"):  # fmt: skip
        assert said in text
    found = run(*words, *known, "--json").json
    jsonschema.validate(found, SCHEMAS["compare"])
    assert f"{found['noise']['rungs'][2]['found'][0]['value']:+.4f}" in text
    assert "if some labels are wrong" not in run(*words).out


def test_re_checked_rows_of_one_file_with_two_columns(files, run):
    old, new = (pd.read_csv(files / f"{name}.csv") for name in ("old", "new"))
    old.assign(new=new["prediction"]).to_csv(files / "both.csv", index=False)
    words = [
        "--incumbent",
        "prediction",
        "--candidate",
        "new",
        "--audited",
        files / "checked.csv",
        "--on",
        "id",
        "--json",
    ]
    one = run("compare", files / "both.csv", *words).json
    two = run(
        "compare", files / "old.csv", files / "new.csv", "--audited", files / "checked.csv", "--on", "id", "--json"
    )
    assert one["noise"] == two.json["noise"]


def test_reports_and_charts(files, run):
    known = ["--noise-rate", "0.05", "--audited", files / "checked.csv", "--on", "id"]
    page, charts = files / "page.html", files / "charts"
    assert run("evaluate", files / "new.csv", *known, "--report", page, "--charts", charts).code == 0
    text = page.read_text()
    assert '<h2 id="noise">If some labels are wrong</h2>' in text
    assert "Assumptions</span></caption>" in text
    assert {"noise.png", "noise.svg"} <= {path.name for path in charts.iterdir()}
    assert run("compare", files / "old.csv", files / "new.csv", *known, "--report", page).code == 0
    assert "True difference of accuracy" in page.read_text()
