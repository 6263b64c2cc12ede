"""What a new user gets wrong first, and the sentence that helps."""

import os

import pytest

import justesse

ROWS = "".join(f"{at},{at}.25,{at}.75\n" for at in range(40))


def test_numbers_in_both_columns_lead_to_regression(run, write):
    ran = run("evaluate", write("ridge.csv", "id,label,prediction\n" + ROWS.replace(".25", ".0")))
    assert ran.code == 2
    assert "pass --regression (justesse.evaluate_regression)" in ran.err


def test_a_column_of_classes_is_no_id(run, write):
    text = "id,label,prediction\n" + "".join(f"{at},{at % 2},{at % 3 % 2}\n" for at in range(40))
    old, new = write("old.csv", text), write("new.csv", text)
    ran = run("compare", old, new, "--on", "label")
    assert ran.code == 2
    assert "does not look like an id: it has 2 different values in 40 rows. Name the id column (--on NAME)." in ran.err


def test_a_negative_rate_is_refused_as_a_rate(run, write):
    path = write("a.csv", "label,prediction\n" + "1,1\n0,0\n" * 20)
    for rate in ("-1%", "-1%:5%", "-1"):
        ran = run("evaluate", path, "--noise-rate", rate)
        assert ran.code == 2
        assert "A noise rate must be" in ran.err
        assert "requires an argument" not in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "compare a.csv b.csv --regression",
            "--regression. To compare predictions of numbers: justesse compare-regression",
        ),
        ("audit report my.audit --to a.html", "--to. Did you mean --report?"),
        ("audit start a.csv --file my.audit", "--file. Did you mean --to?"),
        ("evaluate a.csv --measure f1", "--measure. See justesse evaluate --help"),
        ("noise breakdown a.csv b.csv --on id", "--on. See justesse noise breakdown --help"),
        ("evaluate a.csv --lable y", "--lable. Did you mean --label?"),
        ("evaluate a.csv --pred y", "--pred. Did you mean --prediction?"),
    ],
)
def test_an_unknown_option_leads_to_a_near_spelling_or_to_the_help(run, words, message):
    ran = run(*words.split())
    assert ran.code == 2
    assert " ".join(ran.err.split()) == f"justesse: Unknown option: {message}"


def test_no_column_is_suggested_for_a_name_that_is_not_near(run, write):
    path = write("a.csv", "site,label,prediction\n" + "x,1,1\ny,0,0\n" * 20)
    ran = run("evaluate", path, "--label", "true")
    assert ran.code == 2
    assert "Column 'true' not found" in ran.err
    assert "Did you mean" not in ran.err


def test_dir_lists_only_public_names():
    names = [name for name in dir(justesse) if not name.startswith("__")]
    assert set(names) == {*justesse.__all__, *justesse.ROOMS} - {"__version__"}


@pytest.mark.parametrize("scores", [[0.9, 0.1, 0.8, 0.3], [9, 1, 8, 3]])
def test_calibration_explains_a_dash_only_if_there_is_one(scores):
    result = justesse.evaluate(y_true=[1, 0, 1, 0] * 10, y_score=scores * 10, positive=1, threshold=0.5)
    tables = [part for section in result.document().sections for part in section.parts]
    (table,) = [part for part in tables if getattr(part, "caption", "") == "Calibration"]
    assert ("A dash" in str(table.note)) == (scores[0] > 1)


EVENTS = "variant,outcome\n" + "old,1\nnew,0\n" * 50


@pytest.mark.parametrize("margin", ["1", "2"])
def test_a_margin_no_difference_can_exceed_is_refused(run, write, margin):
    models = "label,true,a,b,c\n" + "x,x,x,y,x\ny,y,y,y,x\n" * 30
    versions = "id,version,time,label,prediction\n" + "".join(f"{at},1,1,x,x\n" for at in range(40))
    commands = [
        ("ab", write("events.csv", EVENTS)),
        ("tournament", write("models.csv", models), "--judge", "paired"),
        ("lifelong", "compare", write("one.csv", versions), write("other.csv", versions)),
        ("compare", write("models.csv", models), "--incumbent", "a", "--candidate", "b"),
    ]
    for words in commands:
        ran = run(*words, "--margin", margin)
        assert ran.code == 2, words
        assert f"can be larger than the margin {margin}." in ran.err


def test_a_margin_is_in_the_unit_of_the_outcomes(run, write):
    ran = run("ab", write("events.csv", EVENTS), "--outcome-range", "0,100", "--margin", "2", "--json")
    assert ran.json["margin"] == 2


def test_a_read_only_file_is_not_replaced(run, write, monkeypatch):
    page = write("page.html", "mine")
    writable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(page) and writable(path, mode))
    ran = run("evaluate", write("a.csv", "label,prediction\n" + "1,1\n0,0\n" * 20), "--report", page)
    assert ran.code == 2
    assert f"{page} is read-only. Choose another name, or make it writable." in ran.err
    assert page.read_text() == "mine"


def test_the_value_that_makes_a_column_text_is_named(run, write):
    ran = run("evaluate", write("a.csv", "label,prediction\n" + "0,0\n1,1\n0,cat\n" * 20))
    assert ran.code == 2
    assert "Column 'label' has integers such as 0, but column 'prediction' has text such as '0' and 'cat'." in ran.err


def test_numbers_of_two_models_lead_to_compare_regression(run, write):
    rows = "id,label,prediction\n" + ROWS
    ran = run("compare", write("old.csv", rows), write("new.csv", rows), "--on", "id")
    assert ran.code == 2
    assert "compare two models with justesse compare-regression" in ran.err


@pytest.mark.parametrize(("word", "meant"), [("statsu", "status"), ("starts", "start"), ("wach", "watch")])
def test_a_misspelt_command_beside_a_file_is_recognised(run, write, word, meant):
    ran = run("ab", word, write("events.csv", EVENTS))
    assert ran.code == 2
    assert f"justesse ab has no command {word}. Did you mean justesse ab {meant}?" in ran.err


def test_a_column_named_as_the_verdict_is_not_taken_for_the_judge(run, write):
    verdicts = "id,judge,human\n" + "".join(f"{at},{at % 2},{at // 2 % 2}\n" for at in range(80))
    path = write("verdicts.csv", verdicts)
    ran = run("llm-judge", path, "--human", path, "--item", "id", "--verdict", "judge", "--rating", "human", "--json")
    assert ran.code == 0
    assert ran.json["n"] == ran.json["rated"] == 80


def test_the_name_of_a_model_begins_a_sentence_as_it_is_written(run, write):
    rows = "".join(f"{at},{name},{at % 3 % 2}\n" for name in ("gpt", "llama") for at in range(120))
    people = "".join(f"{at},{name},{at % 3 % 2}\n" for name in ("gpt", "llama") for at in range(60))
    judged, rated = write("v.csv", "item,model,verdict\n" + rows), write("h.csv", "item,model,rating\n" + people)
    ran = run("llm-judge", judged, "--human", rated)
    assert "gpt: 60 ratings with the judge" in ran.out
    assert "Gpt" not in ran.out


def test_one_warning_covers_the_probabilities_of_all_classes(run, write):
    rows = [f"{'abc'[at % 3]}," + ",".join("0.4" if at % 3 == k else "0.3" for k in range(3)) for at in range(90)]
    ran = run("evaluate", write("p.csv", "label,p_a,p_b,p_c\n" + "\n".join(rows)), "--proba", "p_", "--json")
    (warning,) = [item for item in ran.json["warnings"] if "are off by" in item]
    assert "Probabilities of 'a' are off by 0." in warning
    assert warning.endswith(" The same holds for 2 other classes.")


def test_a_list_without_answers_claims_nothing_about_its_labels(run, write, tmp_path):
    rows = "label,a,b\n" + "".join(f"{'pn'[at % 2]},{at % 7},{at % 2 + at % 3}\n" for at in range(120))
    place = tmp_path / "ask.recheck"
    assert run("clean", write("rows.csv", rows), "--recheck-to", place, "--recheck", 40).code == 0
    ran = run("recheck", "next", place)
    assert ran.out.startswith("0 of 40 rows answered. 40 rows open.")
