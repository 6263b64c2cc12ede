"""What a new user gets wrong first, and the sentence that helps."""

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
