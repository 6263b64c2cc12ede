"""Test items that a version was trained on are refused by `justesse lifelong`, unless declared."""

import json

import numpy as np
import pytest

import justesse
from justesse.cli.main import main
from justesse.frames.trained_items import ItemKeys, leaked_items


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, " ".join(shown.err.split())


@pytest.fixture
def tables(tmp_path):
    """Two versions on ten items of two times; the second was trained on items 3 and 4, on which it is right."""
    test = ["id,version,time,label,prediction,note"]
    for version in ("v1", "v2"):
        for item in range(10):
            answer = "x" if version == "v2" and item in (3, 4) else "y"
            test.append(f"{item},{version},{item // 5 + 1},x,{answer},the note of item number {item} is long enough")
    paths = tmp_path / "test.csv", tmp_path / "training.csv"
    paths[0].write_text("\n".join(test) + "\n")
    paths[1].write_text("version,id\nv1,77\nv2,3\nv2,4\nv2,88\n")
    return paths


def test_trained_items_are_refused_by_name(tables, capsys):
    code, out, err = run(capsys, "lifelong", "score", tables[0], "--training", tables[1])
    assert (code, out) == (2, "")
    assert "version 'v2': 2 of 10 rows (id 3, 4)" in err
    assert "--leaked drop" in err
    assert "v1" not in err


def test_declared_leaks_are_dropped_or_allowed(tables, capsys):
    code, out, _ = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], "--leaked", "drop", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["n"] == [[5, 5], [3, 5]]
    assert data["matrix"][1] == [1, 1]
    assert data["leakage"]["versions"] == [{"version": "v2", "rows": 2, "of": 10, "first": ["3", "4"]}]
    ends = "are left out: their version was trained on the items."
    assert any(line.startswith("2 test rows of ") and line.endswith(ends) for line in data["warnings"])
    _, out, _ = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], "--leaked", "allow", "--json")
    assert json.loads(out)["matrix"][1] == [0.6, 1]


def test_versions_without_training_items_are_named(tables, capsys):
    tables[1].write_text("version,id\nv1,77\n")
    code, out, _ = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], "--json")
    data = json.loads(out)
    assert code == 0
    assert data["warnings"][0] == (
        f"{tables[1]} has no training item of 1 version of {tables[0]}, such as 'v2': its test items are not checked for "
        "items that it was trained on."
    )


def test_without_versions_all_were_trained_on_all(tables, capsys):
    tables[1].write_text("id\n3\n")
    _, _, err = run(capsys, "lifelong", "score", tables[0], "--training", tables[1])
    assert "version 'v1': 1 of 10 rows (id 3); version 'v2': 1 of 10 rows (id 3)" in err


def test_near_duplicates_of_texts_are_found(tables, capsys):
    tables[1].write_text("version,note\nv2,The note of item number 7 is long enough!\nv1,something else entirely\n")
    options = ["--training", tables[1], "--text", "note", "--near", "0.95"]
    _, _, err = run(capsys, "lifelong", "score", tables[0], *options)
    assert "version 'v2': 1 of 10 rows (row 18)" in err
    assert "v1" not in err


def test_equal_features_are_found(tables, capsys):
    tables[1].write_text("version,time,note\nv1,1,The note of item number 2 is long enough\n")
    _, _, err = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], "--features", "time,note")
    assert "version 'v1': 1 of 10 rows (row 3)" in err


def test_nearly_equal_features_are_found(tmp_path, capsys):
    test, training = tmp_path / "test.csv", tmp_path / "training.csv"
    rows = ((version, item) for version in ("v1", "v2") for item in range(10))
    test.write_text(
        "version,time,label,prediction,price\n" + "".join(f"{v},{i // 5},x,x,{i + 0.123456:.3f}\n" for v, i in rows)
    )
    training.write_text("version,price\nv2,3.12348\nv2,7.12346\nv1,4.5\nv1,40\n")
    words = ["lifelong", "score", test, "--training", training, "--features", "price"]
    assert run(capsys, *words)[0] == 0
    code, _, err = run(capsys, *words, "--tolerance", "0.001")
    assert code == 2
    assert "version 'v2': 2 of 10 rows (row 14, 18)" in err
    _, out, _ = run(capsys, *words, "--tolerance", "0.001", "--leaked", "drop", "--json")
    assert json.loads(out)["n"] == [[5, 5], [4, 4]]


def test_comparisons_leave_out_items_that_one_system_was_trained_on(tables, capsys):
    other = tables[0].with_name("other.csv")
    other.write_text(tables[0].read_text().replace(",y,", ",x,"))
    words = ["lifelong", "compare", tables[0], other, "--candidate-training", tables[1]]
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "other.csv tests versions on items that they were trained on" in err
    _, out, _ = run(capsys, *words, "--leaked", "drop", "--json")
    data = json.loads(out)
    assert [period["n"] for period in data["periods"]] == [3, 5]
    assert (data["unmatched"], data["leakage"]["incumbent"], data["leakage"]["candidate"]["rows"]) == (2, None, 2)


@pytest.mark.parametrize(
    ("training", "options", "words"),
    [
        ("version,item\nv1,3\n", [], "Column 'id' not found"),
        ("version,id\nv1,3\n", ["--text", "body"], "Column 'body' not found"),
        ("version,id\nv1,3\n", ["--near", "0.1"], "between 0.5 and 1"),
        ("version,id\nv1,3\n", ["--near", "0.9"], "name their column with --text"),
        (
            "version,id\n" + "".join(f"v2,{at}\n" for at in range(10)),
            ["--leaked", "drop"],
            "nothing is left to test it on",
        ),
        ("version,id\n", [], "No rows"),
    ],
)
def test_bad_training_tables_get_a_sentence(tables, capsys, training, options, words):
    tables[1].write_text(training)
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], *options)
    assert code == 2
    assert words in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--tolerance", "0.1"], "tolerance (--tolerance) is about features"),
        (["--tolerance", "-1", "--features", "note"], "between 0 and 1"),
        (["--tolerance", "nan", "--features", "note"], "between 0 and 1"),
    ],
)
def test_tolerances_that_cannot_be_meant_are_refused(tables, capsys, options, words):
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--training", tables[1], *options)
    assert code == 2
    assert words in err


def test_features_need_training_items(tables, capsys):
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--features", "note")
    assert code == 2
    assert "add --training" in err


def test_ids_against_brute_force():
    rng = np.random.default_rng(0)
    test = {"version": rng.choice(["a", "b", "c"], 300).tolist(), "id": rng.integers(0, 60, 300).tolist()}
    train = {"version": rng.choice(["a", "b", "d"], 80).tolist(), "id": rng.integers(0, 60, 80).tolist()}
    learnt = set(zip(train["version"], train["id"], strict=True))
    wanted = [at for at, pair in enumerate(zip(test["version"], test["id"], strict=True)) if pair in learnt]
    assert leaked_items(test, train, "version", ItemKeys("id")).rows.tolist() == wanted


def test_dates_alone_refuse_nothing(tables):
    """Equation 2 scores a version on periods before its training by design."""
    rows = {"version": ["a"] * 4, "trained": [9] * 4, "time": [1, 2, 3, 4], "label": ["x"] * 4, "prediction": ["x"] * 4}
    assert justesse.lifelong_score(rows, trained="trained").scores[0].value == 0


def test_missing_answers_follow_the_options(tmp_path, capsys):
    path = tmp_path / "gaps.csv"
    path.write_text("id,version,time,label,prediction\n1,a,1,x,x\n2,a,1,x,\n3,a,1,,x\n4,a,1,x,x\n")
    code, _, err = run(capsys, "lifelong", "score", path)
    assert code == 2
    assert "--missing-labels drop" in err
    _, out, _ = run(capsys, "lifelong", "score", path, "--missing", "wrong", "--missing-labels", "drop", "--json")
    data = json.loads(out)
    assert (data["matrix"], data["n"]) == ([[pytest.approx(1 / 3)]], [[3]])
    assert data["warnings"][0].startswith("1 row without a label is left out, as if it was like the others.")
    _, out, _ = run(capsys, "lifelong", "compare", path, path, "--missing", "drop", "--json")
    assert json.loads(out)["difference"]["n"] == 2


def test_items_of_one_system_only_need_a_word(tables, capsys):
    fewer = tables[0].with_name("fewer.csv")
    fewer.write_text("".join(line for line in tables[0].read_text().splitlines(True) if not line.startswith("9,")))
    code, _, err = run(capsys, "lifelong", "compare", tables[0], fewer)
    assert code == 2
    assert "--common" in err
    _, out, _ = run(capsys, "lifelong", "compare", tables[0], fewer, "--common", "--json")
    data = json.loads(out)
    assert (data["difference"]["n"], data["unmatched"]) == (9, 1)


def test_the_exit_code_says_whether_to_replace(tables, capsys):
    better = tables[0].with_name("better.csv")
    better.write_text(tables[0].read_text().replace(",y,", ",x,"))
    code, out, _ = run(capsys, "lifelong", "compare", tables[0], better)
    assert code == 0
    assert "Gate better: passed, exit code 0." in out
    code, out, _ = run(capsys, "lifelong", "compare", better, tables[0])
    assert code == 1
    assert "Gate better: not passed, exit code 1." in out
    code, out, _ = run(capsys, "lifelong", "compare", better, tables[0], "--gate", "none")
    assert code == 0
    assert "Gate" not in out
