"""`justesse inspect` as people type it."""

import jsonschema
import pytest

from justesse.verbs.schemas import schema

SCHEMA = schema("inspect")
TRAIN = "id,text,who,day,label\n" + "".join(
    f"{at},a sentence number {at} of training,ann,2024-01-{1 + at % 28:02},{at % 2}\n" for at in range(60)
)
TEST = "id,text,who,day,label\n" + "".join(
    f"{900 + at},some other words {at * 7919} here,bob,2024-03-{1 + at % 28:02},{at % 2}\n" for at in range(500)
)


@pytest.fixture
def files(write):
    return write("test.csv", TEST), write("train.csv", TRAIN)


def test_a_test_that_passes_exits_with_0(run, files):
    test, train = files
    done = run("inspect", test, "--train", train, "--text", "text", "--id", "id", "--time", "day", "--json")
    assert done.code == 0, done.out
    jsonschema.validate(done.json, SCHEMA)
    assert done.json["columns"]["compared"] == ["text"]


def test_the_test_rows_may_come_first_without_their_option(run, files):
    test, train = files
    words = ("--train", train, "--text", "text", "--json")
    done = run("inspect", test, *words)
    assert done.code == 0, done.out
    assert done.json == run("inspect", test, *words).json
    assert done.json["rows"] == {"test": 500, "train": 60}


def test_a_test_that_fails_exits_with_1_and_says_what_to_do(run, write, files):
    leaky = write("leaky.csv", TEST + "9999,A SENTENCE number 3 of training!,bob,2024-03-01,1\n")
    done = run("inspect", leaky, "--train", files[1], "--text", "text")
    assert done.code == 1
    assert "This test set cannot be trusted as it is." in done.out
    assert "1 of 501 test rows (0.2 %) is also in the training rows after normalising" in done.out
    assert "Remove these rows from the training rows" in done.out
    assert "JU301" in done.out


def test_a_data_sheet_alone_is_started_then_checked(run, tmp_path):
    path = tmp_path / "test.yaml"
    done = run("inspect", "--datasheet", path)
    assert done.code == 0
    assert f"Created: {path}" in done.out.replace("\n", "")
    assert path.exists()
    done = run("inspect", "--datasheet", path, "--json")
    assert done.code == 1
    jsonschema.validate(done.json, SCHEMA)
    assert done.json["counts"]["failed"] == 6
    assert done.json["datasheet"]["missing"]["collection"] == ["source", "period", "protocol", "left_out"]


def test_report_and_table(run, files, tmp_path):
    test, train = files
    done = run(
        "inspect",
        test,
        "--train",
        train,
        "--by",
        "who",
        "--report",
        tmp_path / "p.html",
        "-o",
        tmp_path / "c.csv",
    )
    assert done.code == 1  # who annotated is another slice in training
    assert "JU203" in done.out
    assert (tmp_path / "p.html").stat().st_size > 10_000
    assert (tmp_path / "c.csv").read_text().startswith('"code"')


CASES = {
    "nothing": (lambda w, t: [], "Give the test rows"),
    "no file": (lambda w, t: [t / "no.csv"], "not found. The current directory is"),
    "no rows": (lambda w, t: [w("a.csv", "x,y\n")], "No rows in"),
    "no train": (lambda w, t: [w("a.csv", TEST), "--train", t / "no.csv"], "not found. The current directory is"),
    "empty train": (lambda w, t: [w("a.csv", TEST), "--train", w("b.csv", "text\n")], "No rows in"),
    "no such column": (lambda w, t: [w("a.csv", TEST), "--text", "txt"], "Did you mean 'text'"),
    "train lacks the text": (lambda w, t: [w("a.csv", TEST), "--train", w("b.csv", "x\n1\n"), "--text", "text"], "Column 'text' not found"),
    "a time that is none": (lambda w, t: [w("a.csv", TEST.replace("2024-03-05", "5 March")), "--time", "day"], "must contain times"),
    "empty time": (lambda w, t: [w("a.csv", "x,day\n1.5,\n2.5,\n"), "--time", "day"], "has no values"),
    "empty group": (lambda w, t: [w("a.csv", "x,g\n1.5,\n"), "--train", w("b.csv", "x,g\n1.5,1\n"), "--group", "g"], "has no values"),
    "no label at all": (lambda w, t: [w("a.csv", "x,label\n1.5,\n2.5,\n")], "lacks a label"),
    "ragged": (lambda w, t: [w("a.csv", TEST + "1,2\n")], "line 502"),
    "ragged train": (lambda w, t: [w("a.csv", TEST), "--train", w("b.csv", TRAIN + "1,2\n")], "line 62"),
    "mixed labels": (lambda w, t: [w("a.jsonl", '{"x": 1, "label": 1}\n{"x": 2, "label": "b"}\n')], "mixes integers"),
    "half a page": (lambda w, t: [w("a.csv", TEST), "--report", t / "p.pdf"], "must end in .html"),
    "over what is read": (lambda w, t: [w("a.csv", TEST), "-o", t / "a.csv"], "would replace a file that is read"),
    "sheet that is none": (lambda w, t: ["--datasheet", w("a.yaml", "x: [1\n")], "line 2"),
    "sheet of another kind": (lambda w, t: ["--datasheet", t / "a.json"], "must be a .yaml file"),
    "shares that are none": (lambda w, t: [w("a.csv", TEST), "--population", w("p.csv", "column,value,share\nlabel,1,half\n")], "'half'"),
    "power": (lambda w, t: [w("a.csv", TEST), "--power", "80"], "power"),
    "near without texts": (lambda w, t: [w("a.csv", TEST), "--near", "80"], "between 0.5 and 1"),
    "digits without numbers": (lambda w, t: [w("a.csv", TEST), "--digits", "99"], "1 to 17 digits; got 99"),
    "disagreement": (lambda w, t: [w("a.csv", TEST), "--disagreement", "3"], "must lie between 0 and 1, such as 0.1; got 3"),
    "near": (lambda w, t: [w("a.csv", TEST), "--train", w("b.csv", TRAIN), "--text", "text", "--near", "80"], "between 0.5 and 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_a_sentence_and_exit_code_2(run, write, tmp_path, case):
    make, said = CASES[case]
    done = run("inspect", *make(write, tmp_path))
    assert done.code == 2, done.out
    assert said in done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.glob("*.html"))


def test_help_is_light_and_names_every_option(run):
    done = run("inspect", "--help")
    assert done.code == 0
    assert "--test" not in done.out
    for option in ("TEST", "--train", "--population", "--annotator", "--datasheet", "--class-half-width", "--near"):
        assert option in done.out


def test_a_possible_leak_is_in_the_summary(run, write):
    """Rows of few distinct values: an equal row may be a copy, and the reader of the summary must know."""
    train = write("coarse.csv", "label,a,b\n" + "".join(f"{at % 2},{at % 7},{at % 5}\n" for at in range(60)))
    test = write(
        "equal.csv", "label,a,b\n0,900,1\n1,901,2\n0,3,3\n" + "".join(f"{at % 2},{50 + at},9\n" for at in range(700))
    )
    done = run("inspect", test, "--train", train)
    assert done.code == 0, done.out
    words = " ".join(done.out.split())
    assert "No check failed, but some rows may be copies of training rows." in words
    assert "1 check undecided (JU001)" in words
    assert "JU001 no test row is in the training rows" in words
    assert "1 of 703 test rows (0.1 %) equals a training row (row 3), not clearly more often" in words
    assert "It may be a different case that looks the same." in words
    page = run("inspect", test, "--train", train, "--format", "markdown").out
    assert "### Undecided: these rows may be copies of training rows" in page


def test_checks_that_do_not_apply_are_counted_with_their_reason(run, write):
    test = write(
        "constant.csv", "label,who,x\n" + "".join(f"1,{'ab'[at % 2]},{at * 0.37 % 1:.4f}\n" for at in range(700))
    )
    done = run("inspect", test, "--annotator", "who")
    words = " ".join(done.out.split())
    assert "3 checks do not apply (JU008, JU009, JU010)." in words
    assert "JU010 no accuracy is lost on unseen annotators: All rows have the same label." in words


def test_passed_and_skipped_checks_are_named(run, files):
    test, train = files
    words = " ".join(run("inspect", test, "--train", train, "--text", "text").out.split())
    assert "- JU004 no duplicate rows within the test set" in words
    assert "Give a group column (--group): JU006 no group is in both sets." in words


def test_the_page_names_the_kind_of_column_a_skipped_check_needs(run, files, tmp_path):
    test, train = files
    run("inspect", test, "--train", train, "--text", "text", "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    for need in ("Give an id column: JU005", "Give a group column: JU006", "Give an annotator column: JU007"):
        assert need in page
    assert "needs a column." not in page


def test_the_same_file_twice_is_one_leak_and_nothing_passes_for_the_opposite(run, files):
    done = run("inspect", files[1], "--train", files[1])
    words = " ".join(done.out.split())
    passed = words[words.index("Passed checks") : words.index("To run the skipped checks")]
    assert "JU002" not in passed
    assert "JU002 no test row is in the training rows after normalising: Covered by JU001" in words
    assert "if exactly one of the two is right" in words
    assert (
        "This test set cannot be trusted as it is. It is also too small for the precision or power required." in words
    )


def test_a_small_test_set_is_called_too_small_not_untrustworthy(run, write, files):
    small = write("small.csv", "\n".join(TEST.splitlines()[:40]) + "\n")
    done = run("inspect", small, "--train", files[1], "--text", "text")
    assert done.code == 1
    assert done.out.startswith("This test set is too small for the precision or power required.")


def test_an_id_column_of_both_files_is_suggested(run, files):
    test, train = files
    assert "If 'id' identifies a case in both files, say so (--id id)." in " ".join(
        run("inspect", test, "--train", train).out.split()
    )
    assert "(--id id)" not in run("inspect", test, "--train", train, "--id", "id").out
    assert "(--id id)" not in run("inspect", test).out
