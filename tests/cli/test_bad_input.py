"""What a careless person gives: one clear sentence, exit code 2, nothing half-written."""

import gzip
import os
import sys

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
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
    "missing file": (lambda w, t: t / "nowhere.csv", [], "File '.*' not found"),
    "pattern without match": (lambda w, t: t / "no-*.csv", [], "No file matches"),
    "directory": (lambda w, t: t, [], "is a directory. Name a file in it"),
    "empty file": (lambda w, t: w("a.csv", ""), [], "is empty. Write it again"),
    "empty parquet": (lambda w, t: w("a.parquet", ""), [], "is empty"),
    "header only": (lambda w, t: w("a.csv", "label,prediction\n"), [], "No rows in .*only a header"),
    "blank header": (lambda w, t: w("a.csv", "\n\n"), [], "has no header"),
    "unknown ending": (lambda w, t: w("a.xlsx", "x"), [], "has an unknown ending"),
    "no ending": (lambda w, t: w("predictions", GOOD), [], "has an unknown ending"),
    "wrong column": (lambda w, t: w("a.csv", GOOD), ["--label", "lable"], "Column 'lable' not found in .*Did you mean 'label'.*label column with --label"),
    "no usual name": (lambda w, t: w("a.csv", "a,b\n1,1\n"), [], "No label column found"),
    "two columns of a name": (lambda w, t: w("a.csv", "label,label,prediction\na,b,a\n"), [], "two columns named 'label'"),
    "ragged row": (lambda w, t: w("a.csv", GOOD + "a\n"), [], "line 4: the header names 2 columns, but this row has fewer"),
    "open quote": (lambda w, t: w("a.csv", GOOD + '"a,b\n'), [], "unclosed quote"),
    "mixed types": (lambda w, t: w("a.csv", "label,prediction\n1,1\n1,x\n"), [], "has integers such as 1, but column 'prediction' has text such as '1'"),
    "missing values": (lambda w, t: w("a.csv", GOOD + ",a\n"), [], "1 in 'label', first in"),
    "lists": (lambda w, t: w("a.jsonl", '{"label": [1], "prediction": [1]}\n'), [], "has lists such as .1., not class names"),
    "not json": (lambda w, t: w("a.jsonl", '{"label": 1, "predi\n'), [], "line 1: not JSON"),
    "json later broken": (lambda w, t: w("a.jsonl", '{"label": 1, "prediction": 1}\n' * 2000 + "{oops\n"), [], "line 2001"),
    "json of numbers": (lambda w, t: w("a.jsonl", "3\n"), [], "not a JSON object such as"),
    "json array of numbers": (lambda w, t: w("a.json", "[1, 2]"), [], "not a JSON object"),
    "empty json": (lambda w, t: w("a.jsonl", "\n\n"), [], "has no rows"),
    "negative weight": (lambda w, t: w("a.csv", "label,prediction,w\na,a,-1\n"), ["--weight", "w"], r"row 1: '-1'"),
    "weight that is no number": (lambda w, t: w("a.csv", "label,prediction,w\na,a,\n"), ["--weight", "w"], "must be numbers from 0 up"),
    "nan weight": (lambda w, t: w("a.csv", "label,prediction,w\na,a,nan\n"), ["--weight", "w"], "must be numbers from 0 up"),
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
        "50,000 different values in 'label' in its first.*identifier",
    ),
    "scores as predictions": (lambda w, t: parquet_of(t, {"label": [0.0, 1.0], "prediction": [0.2, 0.9]}), [], "fractional numbers such as 0.2"),
    "level": (lambda w, t: w("a.csv", GOOD), ["--level", "95"], "level must lie between 0 and 1"),
    "few draws": (lambda w, t: w("a.csv", GOOD), ["--draws", "5"], r"draws \(--draws\) must be a whole number from 100 to 1,000,000; got 5"),
    "very many draws": (lambda w, t: w("a.csv", GOOD), ["--draws", "100000000000"], r"\(--draws\) must be a whole number from 100 to 1,000,000; got 100000000000"),
    "very high level": (lambda w, t: w("a.csv", GOOD), ["--level", "0.9999999999", "--bootstrap", "percentile"], "level of 0.9999999999 needs 99,999,991,726 resamples; 1,000,000 are possible. Use a lower level"),
    "very many draws of numbers": (lambda w, t: w("a.csv", "label,prediction\n1,2\n3,4\n"), ["--regression", "--draws", "100000000000"], r"\(--draws\) must be a whole number"),
    "negative seed": (lambda w, t: w("a.csv", GOOD), ["--seed", "-1"], "seed"),
    "unknown method": (lambda w, t: w("a.csv", GOOD), ["--method", "bayes"], "bayes"),
    "unknown option": (lambda w, t: w("a.csv", GOOD), ["--labels", "x"], "labels"),
    "unknown positive": (lambda w, t: w("a.csv", GOOD), ["--positive", "z"], "Class 'z' not found. Classes: 'a', 'b'"),
    "class not listed": (lambda w, t: w("a.csv", GOOD), ["--classes", "a"], "Class 'b' .label. is not in the list of classes"),
    "open quote in a long header": (lambda w, t: w("a.csv", 'label,"prediction\n' + "a,b\n" * 40_000), [], "header cannot be read|quote"),
    "stream cut at a batch": (lambda w, t: cut_stream(t), [], "its end is missing"),
    "damaged feather": (lambda w, t: damaged_feather(t), [], "damaged|cannot be read"),
    "damaged gzip": (lambda w, t: w("a.csv.gz", flipped(gzip.compress(GOOD.encode() * 500))), [], "not a complete gzip"),
    "gzip with a wrong checksum": (lambda w, t: w("a.csv.gz", gzip.compress(GOOD.encode())[:-8] + b"12345678"), [], "not a complete gzip"),
    "json with a mark": (lambda w, t: w("a.jsonl", b"\xef\xbb\xbf" + b'{"label": 1, "prediction": 1}\n'), [], "byte-order mark"),
    "broken json array": (lambda w, t: w("a.json", '[{"label": 1, "prediction": 1},\n {oops}]'), [], "array of JSON objects|not a JSON"),
    "deep json": (lambda w, t: w("a.jsonl", '{"label": ' + "[" * 5000 + "]" * 5000 + ', "prediction": 1}\n'), [], "line 1"),
    "a huge number": (lambda w, t: w("a.jsonl", '{"label": ' + "9" * 5000 + ', "prediction": 1}\n'), [], "line 1"),
    "two parquet columns": (lambda w, t: twin_parquet(t), [], "two columns named 'label'"),
    "tiny weights": (lambda w, t: w("a.csv", "label,prediction,w\na,a,1e-170\n"), ["--weight", "w"], "must be numbers from 0 up"),
    "empty name of a class": (lambda w, t: w("a.csv", GOOD), ["--classes", "a,b,"], "empty name"),
    "output over the input": (lambda w, t: w("a.csv", GOOD), ["--output", "SAME"], "would replace a file"),
    "output not to be written": (lambda w, t: w("a.csv", GOOD), ["--output", "/sys/m.csv"], "cannot be written"),
    "output with a long name": (lambda w, t: w("a.csv", GOOD), ["--output", "/tmp/" + "m" * 300 + ".csv"], "cannot be written"),
    "file with a long name": (lambda w, t: t / ("m" * 300 + ".csv"), [], "too long or has a null"),
    "large beta": (lambda w, t: w("a.csv", GOOD), ["--beta", "1e200"], "beta"),
    "slices by the answer": (lambda w, t: w("a.csv", GOOD), ["--by", "prediction"], "cannot be a slice"),
    "beta": (lambda w, t: w("a.csv", GOOD), ["--beta", "-1"], "beta"),
    "half-width": (lambda w, t: w("a.csv", GOOD), ["--half-width", "2"], "half-width"),
    "slice that is absent": (lambda w, t: w("a.csv", GOOD), ["--by", "site"], "Column 'site' not found in .*slice column with --by"),
    "output of another kind": (lambda w, t: w("a.csv", GOOD), ["--output", "m.xlsx"], r"must end in \.csv, \.parquet or \.pq; got"),
    "output nowhere": (lambda w, t: w("a.csv", GOOD), ["--output", "/no/such/place/m.csv"], "not found, so"),
}  # fmt: skip


def flipped(packed: bytes) -> bytes:
    middle = len(packed) // 2
    return packed[:middle] + bytes([packed[middle] ^ 0xFF]) + packed[middle + 1 :]


def cut_stream(tmp_path):
    path = tmp_path / "cut.arrow"
    table = pa.table({"label": ["a"] * 3000, "prediction": ["a"] * 3000})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=1000):
            writer.write_batch(batch)
            sink.flush()
            size = sink.tell() if batch.num_rows and path.stat().st_size else 0
    path.write_bytes(path.read_bytes()[: size - 4])
    return path


def damaged_feather(tmp_path):
    path = tmp_path / "damaged.feather"
    table = pa.table(
        {"label": [f"name {i % 7}" for i in range(1000)], "prediction": [f"name {i % 5}" for i in range(1000)]}
    )
    pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    raw = bytearray(path.read_bytes())
    raw[2000:2100] = bytes(byte ^ 0xFF for byte in raw[2000:2100])
    path.write_bytes(raw)
    return path


def twin_parquet(tmp_path):
    path = tmp_path / "twins.parquet"
    pyarrow.parquet.write_table(
        pa.Table.from_arrays(
            [pa.array(["a"]), pa.array(["b"]), pa.array(["a"])], names=["label", "label", "prediction"]
        ),
        path,
    )
    return path


def parquet_of(tmp_path, columns):
    path = tmp_path / "p.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_clear_sentence_and_exit_code_two(case, run, write, tmp_path):
    make, options, message = CASES[case]
    path = make(write, tmp_path)
    options = [str(path) if option == "SAME" else option for option in options]
    before = {entry.name: entry.stat().st_size for entry in tmp_path.iterdir()}
    ran = run("evaluate", path, *options)
    assert ran.code == 2
    assert ran.out == ""
    said = " ".join(ran.err.replace("│", " ").split())
    import re

    assert re.search(message, said), said
    assert "Traceback" not in said
    assert {entry.name: entry.stat().st_size for entry in tmp_path.iterdir()} == before


COSTS = {
    "not square": ("label,a,b\na,0,1\n", "not square"),
    "ragged": ("label,a,b\na,0,1\nb,1\n", "line 3: 3 values are needed"),
    "missing entry": ("label,a,b\na,0,\nb,1,0\n", "must be a finite number; got ''"),
    "a word": ("label,a,b\na,0,much\nb,1,0\n", "got 'much'"),
    "infinite": ("label,a,b\na,0,inf\nb,1,0\n", "got 'inf'"),
    "missing class": ("label,a,b\na,0,1\nc,1,0\n", "Label 'b' not found"),
    "missing column": ("label,a,c\na,0,1\nb,1,0\n", "Prediction 'b' not found"),
    "empty": ("", "has no rows"),
    "two rows of a label": ("label,a,b\na,0,1\na,1,0\n", "two rows for 'a'"),
    "two columns of a prediction": ("label,a,a\na,0,1\nb,1,0\n", "names a prediction twice"),
    "open quote": ('label,a,b\na,0,1\nb,1,"0' + "x" * 140_000, "cannot be read"),
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
        ("class,weight\na,1\n", "No weight for class 'b'"),
        ("class,weight\na,1\nb,x\n", "must be a finite number; got 'x'"),
        ("class,weight\na,1\nb,-2\n", "numbers of 0 or more"),
        ("class\na\nb\n", "two columns"),
        ("a,1\nb,2\n", "header"),
        ("class,weight\na,1\nb,2\nb,3\n", "two rows for 'b'"),
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
    assert "cannot be read: permission denied" in ran.err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_name_that_is_not_utf8(run, tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.csv")
    with open(path, "w") as file:
        file.write(GOOD)
    ran = run("evaluate", os.fsdecode(path))
    assert ran.code == 2
    assert ran.err.endswith("caf\\udce9.csv is not UTF-8 and cannot be read. Rename the file.\n")


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
