"""What a careless person gives the noise options: one clear sentence, exit code 2, nothing half-written."""

from itertools import product

import pytest

ROWS = "id,label,prediction\n" + "".join(f"{i},{'ab'[i % 2]},{'ab'[(i % 2) ^ (i % 7 == 0)]}\n" for i in range(100))
TRUE = "id,true\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(0, 100, 3))
GOOD = "true,a,b\na,0.9,0.1\nb,0.2,0.8\n"


@pytest.fixture
def place(write):
    """Write what the words name, and put the paths in."""

    def call(words, files):
        paths = {"ROWS": write("rows.csv", ROWS), **{name: write(name, text) for name, text in files.items()}}
        return [str(paths.get(word, word)) for word in words.split()]

    return call


RATES = ["-0.1", "1", "1.5", "x", "0.1:", "0.5:0.1", "nan", "0.1:0.2:0.3", "500%", "5%%", "1:2"]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("command", ["evaluate ROWS", "noise bounds ROWS", "compare ROWS ROWS"])
def test_rates_outside_zero_and_one(rate, command, place, run):
    ran = run(*place(command, {}), f"--noise-rate={rate}")
    assert ran.code == 2
    assert "A noise rate" in ran.err
    assert ran.out == ""


TABLES = {
    "rows do not sum to 1": ("true,a,b\na,0.9,0.2\nb,0.2,0.8\n", "'a' sums to 1.1. Each row must hold the shares of its labels and sum to 1"),
    "percentages": ("true,a,b\na,90.5,9.5\nb,20,80\n", "'a' sums to 100"),
    "a negative share": ("true,a,b\na,1.1,-0.1\nb,0,1\n", "0 or more"),
    "a class is missing": ("true,a\na,1.0\n", "No row for class 'b'"),
    "other classes": ("true,A,B\nA,0.9,0.1\nB,0.2,0.8\n", "Rows: 'A', 'B'. Every class needs a row"),
    "sides differ": ("true,a,c\na,0.9,0.1\nb,0.2,0.8\n", "must name the same classes"),
    "not square": ("true,a,b\na,0.9,0.1\n", "not square"),
    "a class twice": ("true,a,b\na,0.9,0.1\na,0.2,0.8\n", "two rows for 'a'"),
    "words": ("true,a,b\na,most,few\nb,0.2,0.8\n", "a number is needed; got 'most'"),
    "nothing counted": ("true,a,b\na,0,0\nb,0,0\n", "transition table is empty"),
    "nothing": ("", "has no rows"),
    "labels it cannot have made": ("true,a,b\na,0.1,0.9\nb,0.0,1.0\n", "does not fit these labels"),
    "classes it cannot tell apart": ("true,a,b\na,0.5,0.5\nb,0.5,0.5\n", "labels hardly distinguish some true classes"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(TABLES))
def test_transition_tables(case, place, run):
    text, message = TABLES[case]
    for command in ("evaluate ROWS", "noise bounds ROWS", "compare ROWS ROWS"):
        ran = run(*place(f"{command} --transition t.csv", {"t.csv": text}))
        assert ran.code == 2
        assert message in " ".join(ran.err.split())
        assert "Traceback" not in ran.err


CONTRADICTED = {
    "a counted table": ("--noise-rate 0.01 --transition t.csv", "According to the transition table counted on a sample, "),
    "a table of shares": ("--noise-rate 0.3:0.4 --transition g.csv", "According to the transition table, "),
    "re-checked rows": ("--noise-rate 0.2:0.3 --audited a.csv --on id", "According to the re-checked sample, 0 to "),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(CONTRADICTED))
@pytest.mark.parametrize("command", ["evaluate ROWS", "compare ROWS ROWS"])
def test_rates_that_something_else_contradicts(case, command, place, run):
    options, message = CONTRADICTED[case]
    ran = run(*place(f"{command} {options}", {"t.csv": "true,a,b\na,44,6\nb,5,35\n", "g.csv": GOOD, "a.csv": TRUE}))
    assert (ran.code, ran.out) == (2, "")
    said = " ".join(ran.err.split())
    assert message in said
    assert "This contradicts the noise rate given" in said


def test_a_rate_that_a_column_of_true_classes_contradicts(write, run):
    rows = [f"{i},{'ab'[i % 2]},{'ab'[i % 2]},{'ab'[i % 2]},{'ab'[(i % 2) ^ (i % 10 == 0)]}\n" for i in range(100)]
    data = str(write("t.csv", "id,label,prediction,other,true\n" + "".join(rows)))
    for command in (["evaluate", data], ["compare", data, "--incumbent", "prediction", "--candidate", "other"]):
        ran = run(*command, "--noise-rate", "0.05")
        assert (ran.code, ran.out) == (2, "")
        assert "According to the true classes, 10 % of the labels are wrong" in " ".join(ran.err.split())
        assert run(*command, "--noise-rate", "0.1:0.1").code in (0, 1)  # 1: both answer alike


AUDITS = {
    "unknown ids": ("id,true\n0,a\n500,b\n", "1 only in"),
    "no id in common": ("id,true\nx0,a\nx1,b\n", "no value in common"),
    "twice": (TRUE + "3,b\n", "Id '3' occurs 2 times"),
    "contradictory": (TRUE + "3,a\n", "Two true classes for id '3'"),
    "too small": ("id,true\n0,a\n", "At least two rows must be re-checked"),
    "empty": ("id,true\n", "No rows in"),
    "no true classes": ("id,class\n0,a\n1,b\n", "No column 'true' with the true classes"),
    "no ids": ("key,true\n0,a\n1,b\n", "Column 'id' not found in"),
    "gaps": ("id,true\n0,a\n1,\n", "Missing values: 1 in 'true'"),
    "classes of another kind": ("id,true\n0,1\n1,2\n", "'true' has integers such as 1"),
}  # fmt: skip


COMMANDS = ("evaluate ROWS", "compare ROWS ROWS", "noise estimate ROWS")
ENOUGH_TO_ESTIMATE = ("too small", "noise estimate ROWS")  # the rate of one row: see the next test


@pytest.mark.parametrize(
    ("case", "command"),
    [pair for pair in product(sorted(AUDITS), COMMANDS) if pair != ENOUGH_TO_ESTIMATE],
)
def test_re_checked_rows(case, command, place, run):
    text, message = AUDITS[case]
    ran = run(*place(f"{command} --audited checked.csv --on id", {"checked.csv": text}))
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def test_one_re_checked_row_says_next_to_nothing(place, run):
    ran = run(*place("noise estimate ROWS --audited c.csv --on id --json", {"c.csv": "id,true\n0,a\n"}))
    assert ran.code == 0
    assert ran.json["estimate"][0]["interval"]["high"] > 0.7
    assert ran.json["warnings"] == ["Only 1 row was re-checked: the intervals are rough."]


@pytest.mark.parametrize("command", ["evaluate ROWS", "compare ROWS ROWS"])
def test_a_rate_that_the_sample_contradicts(command, place, run):
    wrong = "id,true\n" + "".join(f"{i},{'ba'[i % 2] if i % 2 else 'ab'[i % 2]}\n" for i in range(60))
    ran = run(*place(f"{command} --audited checked.csv --on id --noise-rate 0.01", {"checked.csv": wrong}))
    assert ran.code == 2
    assert "contradicts the noise rate given, at most 1 %" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_sample_that_is_plainly_not_random(command, place, run):
    chosen = "id,true\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(0, 100, 2))
    ran = run(*place(f"{command} --audited checked.csv --on id --json", {"checked.csv": chosen}))
    assert ran.code in (0, 1)
    assert any("do not look like a random sample" in one for one in ran.json["warnings"])


CLAIMS = {
    "accuracy": "A claim compares a measure with a number; got 'accuracy'",
    "accuracy=0.9": "A claim compares a measure with a number",
    "accuracy>=much": "'much' is not a number",
    "accuracy>=90": "between 0 and 1",
    "recall>=0.9": "This claim needs recall:CLASS",
    "recall:z>=0.9": "Class 'z' not found. Classes: 'a', 'b'",
    "luck>=0.9": "Claims about 'luck' are not supported",
    "": "A claim compares a measure with a number; got ''",
}


@pytest.mark.parametrize("claim", sorted(CLAIMS))
@pytest.mark.parametrize("command", ["evaluate ROWS", "noise breakdown ROWS"])
def test_claims(claim, command, place, run):
    ran = run(*place(command, {}), "--claim", claim)
    assert ran.code == 2
    assert CLAIMS[claim] in " ".join(ran.err.split())


OPTIONS = {
    "evaluate ROWS --on id": "Pass them with --audited",
    "evaluate ROWS --audited c.csv": "Name its column with --on",
    "compare ROWS ROWS --audited c.csv": "Name its column with --on",
    "noise estimate ROWS": "has no column 'true'. True classes are needed",
    "noise estimate ROWS --on id": "Pass them with --audited",
    "noise estimate ROWS --audited c.csv --on id --true label": "Use one of them",
    "noise estimate ROWS --audited c.csv --on id --to t.parquet": "written as .csv",
    "noise bias ROWS": "This needs the true classes as well as the labels",
    "noise profile ROWS": "This needs the true classes as well as the labels",
    "noise bounds ROWS": "Bounds need either a noise rate (--noise-rate 0.03) or a transition table",
    "noise bounds ROWS --noise-rate 0.1 --transition t.csv": "Bounds need either",
    "evaluate ROWS --weight id --noise-rate 0.1": "not available for weighted rows",
    "evaluate ROWS --weight id --claim accuracy>0.1": "not available for weighted rows",
    "evaluate ROWS --regression --noise-rate 0.1": "--noise-rate is for classes, --regression for numbers",
    "evaluate ROWS --regression --transition t.csv": "--transition is for classes",
    "evaluate ROWS --regression --audited c.csv": "--audited is for classes",
    "evaluate ROWS --regression --on id": "--on is for classes",
    "evaluate ROWS --regression --claim accuracy>0.1": "--claim is for classes",
    "compare-folds ROWS --noise-rate 0.1": "--noise-rate is an option of justesse compare, not of justesse compare-folds",
    "compare-folds ROWS --transition t.csv": "--transition is an option of justesse compare",
    "compare-folds ROWS --audited c.csv": "--audited is an option of justesse compare",
}


@pytest.mark.parametrize("words", sorted(OPTIONS))
def test_options_that_do_not_go_together(words, place, run):
    ran = run(*place(words, {"c.csv": TRUE, "t.csv": GOOD}))
    assert ran.code == 2
    assert OPTIONS[words] in " ".join(ran.err.split())


@pytest.mark.parametrize(
    "words",
    [
        "noise bounds ROWS --noise-rate 0.1 --output ROWS",
        "noise bounds ROWS --transition t.csv --output t.csv",
        "noise estimate ROWS --audited c.csv --on id --to c.csv",
        "evaluate ROWS --audited c.csv --on id --output c.csv",
        "evaluate ROWS --transition t.csv --output t.csv",
        "compare ROWS ROWS --audited c.csv --on id --output c.csv",
    ],
)
def test_no_command_writes_over_what_it_reads(words, place, run):
    named = place(words, {"c.csv": TRUE, "t.csv": GOOD})
    ran = run(*named)
    assert ran.code == 2
    assert "would replace a file that is read" in ran.err


def test_two_results_are_not_written_to_one_place(place, run, tmp_path):
    words = place("noise estimate ROWS --audited c.csv --on id", {"c.csv": TRUE})
    ran = run(*words, "--to", tmp_path / "x.csv", "--output", tmp_path / "x.csv")
    assert ran.code == 2
    assert "would replace what --to writes" in ran.err
    assert not (tmp_path / "x.csv").exists()
