"""What a careless person gives: one clear sentence, exit code 2, nothing half-written."""

import gzip
import os

import polars as pl
import pytest

GOOD = "label,prediction\na,a\nb,b\n"


def parquet(tmp_path, name="a.parquet", rows=5000):
    path = tmp_path / name
    pl.DataFrame({"label": ["a", "b"] * rows, "prediction": ["a", "a"] * rows}).write_parquet(path)
    return path


def truncated(path):
    path.write_bytes(path.read_bytes()[:-40])
    return path


CASES = {
    "missing file": (lambda w, t: t / "nowhere.csv", [], "there is no file"),
    "pattern without match": (lambda w, t: t / "no-*.csv", [], "no file matches"),
    "directory": (lambda w, t: t, [], "is a directory; name a file in it"),
    "empty file": (lambda w, t: w("a.csv", ""), [], "is empty: not even a header"),
    "empty parquet": (lambda w, t: w("a.parquet", ""), [], "is empty"),
    "header only": (lambda w, t: w("a.csv", "label,prediction\n"), [], "has no rows: only a header"),
    "blank header": (lambda w, t: w("a.csv", "\n\n"), [], "has no header"),
    "unknown ending": (lambda w, t: w("a.xlsx", "x"), [], "has an ending justesse does not read"),
    "no ending": (lambda w, t: w("predictions", GOOD), [], "has an ending justesse does not read"),
    "wrong column": (lambda w, t: w("a.csv", GOOD), ["--label", "lable"], "no column 'lable', asked for as label; did you mean 'label'"),
    "no usual name": (lambda w, t: w("a.csv", "a,b\n1,1\n"), [], "usual names of a label"),
    "two columns of a name": (lambda w, t: w("a.csv", "label,label,prediction\na,b,a\n"), [], "two columns named 'label'"),
    "ragged row": (lambda w, t: w("a.csv", GOOD + "a\n"), [], "line 4: the header names 2 columns and this row has fewer"),
    "open quote": (lambda w, t: w("a.csv", GOOD + '"a,b\n'), [], "quote that does not close"),
    "mixed types": (lambda w, t: w("a.csv", "label,prediction\n1,1\n1,x\n"), [], "holds integers such as 1 and column 'prediction' text such as '1'"),
    "missing values": (lambda w, t: w("a.csv", GOOD + ",a\n"), [], "1 in 'label'; the first are in"),
    "lists": (lambda w, t: w("a.jsonl", '{"label": [1], "prediction": [1]}\n'), [], "multi-label"),
    "not json": (lambda w, t: w("a.jsonl", '{"label": 1, "predi\n'), [], "line 1: this is not JSON"),
    "json later broken": (lambda w, t: w("a.jsonl", '{"label": 1, "prediction": 1}\n' * 2000 + "{oops\n"), [], "line 2001"),
    "json of numbers": (lambda w, t: w("a.jsonl", "3\n"), [], "an object such as"),
    "json array of numbers": (lambda w, t: w("a.json", "[1, 2]"), [], "an object such as|not one JSON object"),
    "empty json": (lambda w, t: w("a.jsonl", "\n\n"), [], "has no rows"),
    "negative weight": (lambda w, t: w("a.csv", "label,prediction,w\na,a,-1\n"), ["--weight", "w"], r"row 1: '-1'"),
    "weight that is no number": (lambda w, t: w("a.csv", "label,prediction,w\na,a,\n"), ["--weight", "w"], "not numbers from 0 up"),
    "nan weight": (lambda w, t: w("a.csv", "label,prediction,w\na,a,nan\n"), ["--weight", "w"], "not numbers from 0 up"),
    "truncated parquet": (lambda w, t: truncated(parquet(t)), [], "damaged, incomplete"),
    "parquet that is text": (lambda w, t: w("a.parquet", GOOD), [], "damaged, incomplete"),
    "truncated arrow": (lambda w, t: w("a.arrow", b"ARROW1\0\0abc"), [], "damaged, incomplete"),
    "truncated gzip": (lambda w, t: w("a.csv.gz", gzip.compress(GOOD.encode() * 500)[:-20]), [], "not a complete gzip"),
    "gzip that is text": (lambda w, t: w("a.csv.gz", GOOD), [], "not a complete gzip"),
    "latin-1": (lambda w, t: w("a.csv", "label,prediction\nété,été\n".encode("latin-1")), [], "line 2: the text is not UTF-8"),
    "latin-1 late": (lambda w, t: w("a.csv", b"label,prediction\n" + b"a,a\n" * 400_000 + b"\xe9,a\n"), [], "line 400002: the text is not UTF-8"),
    "utf-16": (lambda w, t: w("a.csv", GOOD.encode("utf-16")), [], "is UTF-16"),
    "too many labels": (
        lambda w, t: w("a.csv", "label,prediction\n" + "".join(f"i{i},i{i}\n" for i in range(100_000))),
        [],
        "100,000 different values in 'label'.*identifier",
    ),
    "scores as predictions": (lambda w, t: parquet_of(t, {"label": [0.0, 1.0], "prediction": [0.2, 0.9]}), [], "fractional numbers such as 0.2"),
    "level": (lambda w, t: w("a.csv", GOOD), ["--level", "95"], "level must lie between 0 and 1"),
    "few draws": (lambda w, t: w("a.csv", GOOD), ["--draws", "5"], "at least 100 draws"),
    "negative seed": (lambda w, t: w("a.csv", GOOD), ["--seed", "-1"], "seed"),
    "unknown method": (lambda w, t: w("a.csv", GOOD), ["--method", "bayes"], "bayes"),
    "unknown option": (lambda w, t: w("a.csv", GOOD), ["--labels", "x"], "labels"),
    "unknown positive": (lambda w, t: w("a.csv", GOOD), ["--positive", "z"], "there is no class 'z'; the classes are 'a', 'b'"),
    "class not listed": (lambda w, t: w("a.csv", GOOD), ["--classes", "a"], "not among the classes"),
    "beta": (lambda w, t: w("a.csv", GOOD), ["--beta", "-1"], "beta"),
    "half-width": (lambda w, t: w("a.csv", GOOD), ["--half-width", "2"], "half-width"),
    "slice that is absent": (lambda w, t: w("a.csv", GOOD), ["--by", "site"], "no column 'site', asked for as by"),
    "output of another kind": (lambda w, t: w("a.csv", GOOD), ["--output", "m.xlsx"], r"\.csv or \.parquet"),
    "output nowhere": (lambda w, t: w("a.csv", GOOD), ["--output", "/no/such/place/m.csv"], "there is no directory"),
}  # fmt: skip


def parquet_of(tmp_path, columns):
    path = tmp_path / "p.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_clear_sentence_and_exit_code_two(case, run, write, tmp_path):
    make, options, message = CASES[case]
    path = make(write, tmp_path)
    before = sorted(os.listdir(tmp_path))
    ran = run("evaluate", path, *options)
    assert ran.code == 2
    assert ran.out == ""
    said = " ".join(ran.err.replace("│", " ").split())
    import re

    assert re.search(message, said), said
    assert "Traceback" not in said
    assert sorted(os.listdir(tmp_path)) == before


COSTS = {
    "not square": ("label,a,b\na,0,1\n", "not square"),
    "ragged": ("label,a,b\na,0,1\nb,1\n", "line 3: 3 values are needed"),
    "missing entry": ("label,a,b\na,0,\nb,1,0\n", "cost of predicting b for a must be a finite number; got ''"),
    "a word": ("label,a,b\na,0,much\nb,1,0\n", "got 'much'"),
    "infinite": ("label,a,b\na,0,inf\nb,1,0\n", "got 'inf'"),
    "missing class": ("label,a,c\na,0,1\nc,1,0\n", "no label 'b'"),
    "missing column": ("label,a,c\na,0,1\nb,1,0\n", "no prediction 'b'"),
    "empty": ("", "has no rows"),
}


@pytest.mark.parametrize("case", sorted(COSTS))
def test_cost_tables_with_holes(case, run, write):
    text, message = COSTS[case]
    ran = run("evaluate", write("a.csv", GOOD), "--cost", write("costs.csv", text))
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class,weight\na,1\n", "no weight for the class 'b'"),
        ("class,weight\na,1\nb,x\n", "weight of b must be a finite number"),
        ("class,weight\na,1\nb,-2\n", "numbers from 0 up"),
        ("class\na\nb\n", "two columns"),
    ],
)
def test_class_weights_with_holes(text, message, run, write):
    ran = run("evaluate", write("a.csv", GOOD), "--class-weight", write("w.csv", text))
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def test_a_file_that_may_not_be_read_is_said(run, write, monkeypatch):
    path = write("a.csv", GOOD)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("justesse.frames.read._read_csv", refuse)
    ran = run("evaluate", path)
    assert ran.code == 2
    assert "may not be read: permission denied" in ran.err


def test_an_old_result_survives_a_failed_write(run, write, tmp_path, monkeypatch):
    old = write("m.csv", "precious")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.csv.write_csv", fail)
    ran = run("evaluate", write("a.csv", GOOD), "--output", old)
    assert ran.code == 2
    assert "cannot be written: No space left on device" in ran.err
    assert old.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "m.csv"]
