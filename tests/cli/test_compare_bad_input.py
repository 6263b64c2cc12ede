"""What a careless person gives to `compare`: one clear sentence, exit code 2, nothing written, nothing lost."""

import gzip
import re

import polars as pl
import pytest

ONE = "id,label,prediction\n1,a,a\n2,b,b\n3,a,b\n4,b,a\n"
OTHER = "id,label,prediction\n4,b,b\n3,a,a\n2,b,b\n1,a,a\n"
FOLDS = "fold,old,new\n1,.80,.85\n2,.84,.88\n3,.79,.84\n4,.83,.87\n5,.82,.87\n"
ON = ["--on", "id"]


def parquet(folder, damage=0):
    path = folder / "other.parquet"
    rows = range(1, 3001)
    pl.DataFrame({"id": rows, "label": ["a", "b"] * 1500, "prediction": ["a", "b"] * 1500}).write_parquet(path)
    path.write_bytes(path.read_bytes()[: -damage or None])
    return path


# the candidate's file (text, bytes or a function of the folder), the options, what is said
FILES = {
    "missing file": (lambda t: t / "nowhere.csv", ON, "File '.*' not found"),
    "pattern without match": (lambda t: t / "no-*.csv", ON, "No file matches"),
    "directory": (lambda t: t, ON, "is a directory. Name a file in it"),
    "empty file": ("", ON, "other.csv is empty. Write it again"),
    "header only": ("id,label,prediction\n", ON, "No rows in .*other.csv: the table is empty or has only a header"),
    "header only, in order": ("id,label,prediction\n", [], "No rows in .*other.csv: the table is empty or has only a header"),
    "blank header": ("\n\n", ON, "has no header"),
    "two columns of a name": ("id,label,label,prediction\n1,a,a,a\n", ON, "two columns named 'label'"),
    "ragged row": (OTHER + "7,a\n", ON, r"other\.csv, line 6: the header names 3 columns, but this row has fewer"),
    "ragged row, in order": (ONE + "7,a\n", [], r"other\.csv, line 6: the header names 3 columns"),
    "open quote": (OTHER + '7,"a,a\n', ON, r"other\.csv, line 6: unclosed quote"),
    "latin-1": ((OTHER + "5,é,é\n").encode("latin-1"), ON, r"other\.csv, line 6: the text is not UTF-8"),
    "latin-1 late": (OTHER.encode() + b"5,a,a\n" * 250_000 + "5,é,a\n".encode("latin-1"), ON, r"other\.csv, line 250006: the text is not UTF-8"),
    "utf-16": (OTHER.encode("utf-16"), ON, "is UTF-16"),
    "truncated parquet": (lambda t: parquet(t, 40), ON, r"other\.parquet is damaged, incomplete"),
    "truncated gzip": (lambda t: packed(t, gzip.compress(OTHER.encode() * 500)[:-20]), ON, "not a complete gzip"),
    "gzip that is text": (lambda t: packed(t, OTHER.encode()), ON, "not a complete gzip"),
    "mismatched ids": (OTHER.replace("4,b", "5,b"), ON, r"are not the same: 1 only in .*one\.csv \(such as '4'\); 1 only in .*other\.csv \(such as '5'\).*--common"),
    "no ids in common": (OTHER.replace("\n", "\nx")[:-1], ON, "ids in column 'id' .*no value in common: 4 only in .*'1'.*'x4'.*Write the ids the same way"),
    "duplicated ids": (OTHER + "4,b,a\n", ON, r"Duplicate ids in column 'id' of .*other\.csv: '4' \(2 times\)\. Keep one row"),
    "empty id": (OTHER.replace("4,b", ",b"), ON, r"1 only in .*one\.csv \(such as '4'\); 1 only in .*other\.csv \(rows without 'id'\)"),
    "different row counts": (ONE + "5,a,a\n", [], r"rows: 4 in .*one\.csv, 5 in .*other\.csv\. Join them by an id .*--on id"),
    "another order": (OTHER, [], r"in different orders: 'id' differs in 4 rows. Join them by it .*--on id"),
    "labels differ": (ONE.replace("3,a", "3,b"), [], r"labels of .* differ in 1 row \(row 3: 'a' and 'b'\)\. Both files need the same labels.*--on id"),
    "labels differ by id": (OTHER.replace("3,a", "3,b"), ON, r"differ in 1 row \(id 3: 'a' and 'b'\)"),
    "a label is missing": (OTHER.replace("3,a,a", "3,,a"), ON, r"1 in 'label'.*id 3\. A row without a label"),
    "different classes": (OTHER.replace("a,a", "a,cat").replace("b,b", "b,dog"), ON, r"No answer of the candidate \(other\.csv\) is a class of the labels. They are 'cat', 'dog'"),
    "numbers for names": (OTHER.replace("a,a", "a,0").replace("b,b", "b,1"), ON, "Column 'label' has text such as 'a', but column 'candidate' has integers"),
    "missing answer": (OTHER.replace("3,a,a", "3,a,"), ON, "1 in 'candidate', first in .*: id 3. Count each missing answer as wrong .*--missing wrong.*--missing drop"),
    "missing answer, in order": (ONE.replace("3,a,b", "3,a,"), [], r"1 in 'candidate', first in .*: row 3 \(header not counted\)"),
    "no id column": ("label,prediction\na,a\nb,b\na,b\nb,a\n", ON, r"Column 'id' not found in .*other\.csv.*id column with --on"),
    "no labels, in order": ("prediction\na\nb\na\nb\n", [], r"No label column found in .*other\.csv"),
    "no answers": ("id,label\n1,a\n", ON, r"No prediction column found in .*other\.csv"),
}  # fmt: skip


def packed(folder, content):
    path = folder / "other.csv.gz"
    path.write_bytes(content)
    return path


def kept(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def told(ran) -> str:
    """Check that it was refused in one sentence, and give the sentence."""
    assert ran.code == 2
    assert ran.out == ""
    said = " ".join(re.sub("[│╭╮╰╯─]", " ", ran.err).split())
    assert "Traceback" not in said
    assert "Error:" not in said.replace("Invalid Input Error:", "")
    return said


@pytest.mark.parametrize("case", sorted(FILES))
def test_files_that_cannot_be_compared(case, run, write, tmp_path):
    content, options, message = FILES[case]
    one = write("one.csv", ONE)
    other = content(tmp_path) if callable(content) else write("other.csv", content)
    before = kept(tmp_path)
    said = told(run("compare", one, other, *options, "--report", tmp_path / "page.html"))
    assert re.search(message, said), said
    assert kept(tmp_path) == before


OPTIONS = {
    "nothing": ([], "Name the incumbent's file and the candidate's: justesse compare old.csv new.csv"),
    "one file": (["ONE"], "One table needs the names of two columns: --incumbent COL and --candidate COL. Name them"),
    "wrong prediction": (["ONE", "OTHER", *ON, "--prediction", "pred"], "Column 'pred' not found in .*Did you mean 'prediction'.*prediction column with --prediction"),
    "wrong label": (["ONE", "OTHER", *ON, "--label", "lable"], "Column 'lable' not found in .*Did you mean 'label'.*label column with --label"),
    "wrong slice": (["ONE", "OTHER", *ON, "--by", "site"], "Column 'site' not found in .*slice column with --by"),
    "wrong true": (["ONE", "OTHER", *ON, "--true", "truth"], "Column 'truth' not found in .*true class column with --true"),
    "wrong score": (["ONE", "OTHER", *ON, "--score", "p"], "Column 'p' not found in .*score column with --score"),
    "wrong candidate": (["ONE", "--incumbent", "prediction", "--candidate", "predictio"], "Column 'predictio' not found in .*Did you mean 'prediction'.*candidate column with --candidate"),
    "candidate twice": (["ONE", "--incumbent", "prediction", "--candidate", "id,id"], "Name each candidate once"),
    "unknown gate": (["ONE", "OTHER", *ON, "--gate", "maybe"], 'Invalid value "maybe" for --gate. Choose from: "better", "not-worse", "none"'),
    "file twice": (["ONE", "OTHER", "OTHER", *ON], "Name each candidate once"),
    "label as incumbent": (["ONE", "--incumbent", "label", "--candidate", "prediction"], "cannot be both the incumbent and the label"),
    "columns of two files": (["ONE", "OTHER", "--incumbent", "prediction"], "With several tables, use prediction"),
    "joining one file": (["ONE", *ON, "--incumbent", "prediction", "--candidate", "id"], "Rows of one table need no joining. Leave out --on and --common"),
    "prediction of one file": (["ONE", "--incumbent", "prediction", "--candidate", "id", "--prediction", "id"], "prediction is for tables of one classifier each"),
    "unknown measure": (["ONE", "OTHER", *ON, "--measure", "acuracy"], "Unknown measure 'acuracy'. Did you mean 'accuracy'"),
    "measure without class": (["ONE", "OTHER", *ON, "--measure", "recall"], "recall is about one class. Write recall:CLASS"),
    "unknown class": (["ONE", "OTHER", *ON, "--measure", "recall:zebra"], "Class 'zebra' not found. Classes: 'a', 'b'. Name a class of the labels or predictions"),
    "unknown positive": (["ONE", "OTHER", *ON, "--positive", "zebra"], "Class 'zebra' not found"),
    "classes that lack one": (["ONE", "OTHER", *ON, "--classes", "a"], "Class 'b' .label. is not in the list of classes"),
    "empty class": (["ONE", "OTHER", *ON, "--classes", "a,,b"], "empty name"),
    "area without scores": (["ONE", "OTHER", *ON, "--measure", "auc"], "needs the scores of both"),
    "cost without table": (["ONE", "OTHER", *ON, "--measure", "cost"], "needs a cost table"),
    "cost that is absent": (["ONE", "OTHER", *ON, "--cost", "no.csv"], "no.csv cannot be read"),
    "level 95": (["ONE", "OTHER", *ON, "--level", "95"], "level must lie between 0 and 1, such as 0.95; got 95"),
    "level nan": (["ONE", "OTHER", *ON, "--level", "nan"], "level must lie between 0 and 1"),
    "margin -1": (["ONE", "OTHER", *ON, "--margin=-1"], "margin, the smallest gain that matters, must be 0 or more; got -1"),
    "margin nan": (["ONE", "OTHER", *ON, "--margin", "nan"], "margin, .*; got nan"),
    "margin inf": (["ONE", "OTHER", *ON, "--margin", "inf"], "margin, .*; got inf"),
    "margin of a word": (["ONE", "OTHER", *ON, "--margin", "small"], "Invalid value for --margin"),
    "tried 0": (["ONE", "OTHER", *ON, "--tried", "0"], "candidates tried .--tried. must be a whole number from 1 to 1,000,000,000; got 0"),
    "tried very many": (["ONE", "OTHER", *ON, "--tried", "1" + 20 * "0"], "tried .--tried. must be a whole number from 1 to 1,000,000,000; got 10"),
    "folds tried very many": (["compare-folds", "FOLDS", "--tried", "1" + 20 * "0"], "tried .--tried. must be a whole number from 1 to 1,000,000,000"),
    "tried fewer than shown": (["ONE", "OTHER", "THIRD", *ON, "--tried", "1"], "2 candidates are shown, so at least 2 were tried; got tried=1"),
    "few draws": (["ONE", "OTHER", *ON, "--draws", "0"], "draws .--draws. must be a whole number from 100 to 1,000,000; got 0"),
    "very many draws": (["ONE", "OTHER", *ON, "--draws", "100000000000"], "draws .--draws. must be a whole number from 100 to 1,000,000"),
    "seed below 0": (["ONE", "OTHER", *ON, "--seed=-1"], "seed must be a whole number, 0 or more; got -1"),
    "unknown judge": (["ONE", "OTHER", *ON, "--judge", "harsh"], 'Invalid value "harsh" for --judge'),
    "unknown alternative": (["ONE", "OTHER", *ON, "--alternative", "bigger"], 'Invalid value "bigger"'),
    "unknown option": (["ONE", "OTHER", "--onn", "id"], "--onn"),
    "fold option": (["ONE", "OTHER", *ON, "--test", "paired-t"], "--test is an option of justesse compare-folds, not of justesse compare"),
    "lower is better": (["ONE", "OTHER", *ON, "--lower-is-better"], "--lower-is-better is an option of justesse compare-folds"),
    "output over an input": (["ONE", "OTHER", *ON, "--output", "ONE"], "--output .* would replace a file that is read"),
    "report over an input": (["ONE", "OTHER", *ON, "--report", "OTHER"], "--report .* would replace a file that is read"),
    "report over a file of a pattern": (["ONE", "PATTERN", *ON, "--report", "OTHER"], "--report .* would replace a file that is read"),
    "report over the output": (["ONE", "OTHER", *ON, "--output", "NEW.csv", "--report", "NEW.csv"], "--report .* would replace what --output writes"),
    "report nowhere": (["ONE", "OTHER", *ON, "--output", "NEW.csv", "--report", "/no/such/place/page.html"], "Directory '/no/such/place' not found"),
    "report into a directory": (["ONE", "OTHER", *ON, "--report", "FOLDER"], "is a directory. Name a file in it"),
    "output of another kind": (["ONE", "OTHER", *ON, "--output", "NEW.xlsx"], r"must end in \.csv, \.parquet or \.pq; got"),
    "charts into a file": (["ONE", "OTHER", *ON, "--charts", "ONE"], "would replace a file that is read"),
    "charts into another file": (["ONE", "OTHER", *ON, "--charts", "THIRD"], "is a file. Name a directory"),
    "folds and files": (["ONE", "--folds", "FOLDS"], "'.*' was not expected after justesse compare-folds"),
    "folds and rows": (["compare-folds", "FOLDS", *ON], "--on is an option of justesse compare, not of justesse compare-folds"),
    "folds as text": (["compare-folds", "FOLDS", "--as-text"], "--as-text is an option of justesse compare, not of justesse compare-folds"),
    "folds that are absent": (["compare-folds", "nowhere.csv"], "File 'nowhere.csv' not found"),
    "folds of a directory": (["compare-folds", "FOLDER"], "is a directory"),
    "five by two of five": (["compare-folds", "FOLDS", "--test", "5x2-t"], "five repetitions of two folds, ten scores of each model; got 5"),
    "unknown model": (["compare-folds", "FOLDS", "--incumbent", "svm"], "No scores found for model 'svm'. Models: 'old', 'new'"),
    "model against itself": (["compare-folds", "FOLDS", "--incumbent", "new", "--candidate", "new"], "'new' cannot be both"),
    "folds tried 0": (["compare-folds", "FOLDS", "--tried", "0"], "whole number from 1 to 1,000,000,000; got 0"),
    "folds level": (["compare-folds", "FOLDS", "--level", "95"], "level must lie"),
    "folds margin": (["compare-folds", "FOLDS", "--margin=-1"], "margin"),
    "split of nothing": (["compare-folds", "FOLDS", "--test-over-train", "0"], "above 0; got 0"),
    "split of independent folds": (["compare-folds", "FOLDS", "--test-over-train", ".2", "--independent"], "Leave out test_over_train"),
    "unknown test": (["compare-folds", "FOLDS", "--test", "magic"], 'Invalid value "magic" for --test'),
    "output over the folds": (["compare-folds", "FOLDS", "--output", "FOLDS"], "--output .* would replace a file that is read"),
    "report over the folds": (["compare-folds", "FOLDS", "--report", "FOLDS"], "--report .* would replace a file that is read"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(OPTIONS))
def test_options_that_cannot_be(case, run, write, tmp_path):
    words, message = OPTIONS[case]
    places = {
        "ONE": write("one.csv", ONE),
        "OTHER": write("other.csv", OTHER),
        "THIRD": write("third.csv", OTHER),
        "FOLDS": write("folds.csv", FOLDS),
        "PATTERN": tmp_path / "oth*.csv",
        "FOLDER": tmp_path,
        "NEW.csv": tmp_path / "new.csv",
        "NEW.xlsx": tmp_path / "new.xlsx",
    }
    before = kept(tmp_path)
    command = () if words[:1] == ["compare-folds"] else ("compare",)
    said = told(run(*command, *(places.get(word, word) for word in words)))
    assert re.search(message, said), said
    assert kept(tmp_path) == before


SCORES = {
    "text": (FOLDS.replace(".88", "good"), r"folds\.csv has 1 other value, first in column 'new', row 2\. Correct"),
    "nan": (FOLDS.replace(".88", "nan"), "other values?, first in column 'new', row 2"),
    "infinite": (FOLDS.replace(".88", "inf"), "must be finite numbers"),
    "a gap": (FOLDS.replace(".88", ""), "must be finite numbers"),
    "per cent": (FOLDS.replace(".88", "88%"), "must be finite numbers"),
    "ragged": (FOLDS + "6,.8\n", "line 7: the header names 3 columns"),
    "one fold": ("fold,old,new\n1,.8,.9\n", "At least two folds are needed to know how much scores vary; got one"),
    "one model": ("fold,old\n1,.8\n2,.9\n", "no candidate besides 'old'. Give scores of at least two models"),
    "no model": ("fold\n1\n2\n", "No column of scores"),
    "no rows": ("fold,old,new\n", "No rows in"),
    "empty": ("", "is empty. Write it again"),
    "two of a name": ("fold,a,a\n1,.8,.9\n", "two columns named 'a'"),
    "unequal repetitions": ("repetition,old,new\n1,.8,.9\n1,.7,.8\n2,.8,.9\n", r"same number of folds; got 1, 2"),
    "a fold missing for a model": ("fold,model,score\n1,old,.8\n1,new,.9\n2,old,.7\n", "No score of model 'new' for fold '2' in .*Every model needs a score for every fold"),
    "a fold twice": ("fold,model,score\n1,old,.8\n1,new,.9\n1,old,.7\n", "row 3: a second score of 'old' for fold '1'"),
    "a model without name": ("fold,model,score\n1,old,.8\n1,,.9\n", "Missing 'model' in row 2"),
    "no fold": ("model,score\nold,.8\nnew,.9\n", "No column 'fold'"),
    "latin-1": ("fold,é,new\n1,.8,.9\n".encode("latin-1"), "line 1: the text is not UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(SCORES))
def test_fold_scores_that_cannot_be_compared(case, run, write, tmp_path):
    content, message = SCORES[case]
    path = write("folds.csv", content)
    said = told(run("compare-folds", path, "--report", tmp_path / "page.html"))
    assert re.search(message, said), said
    assert [one.name for one in tmp_path.iterdir()] == ["folds.csv"]


def test_a_damaged_fold_file(run, tmp_path):
    assert re.search("damaged, incomplete", told(run("compare-folds", parquet(tmp_path, 40))))


def test_identical_files_are_no_error(run, write):
    path = write("one.csv", ONE)
    for options in ([], ON):
        ran = run("compare", path, path, *options, "--json")
        assert (ran.code, ran.json["pvalue"], ran.json["verdict"]) == (1, 1.0, "cannot_tell")


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("a", "b"), ("b", "a"), ("b", "c")])
def test_one_row_is_no_error(run, write, one, other):
    pair = [write(f"{at}.csv", f"id,label,prediction\n1,a,{answer}\n") for at, answer in enumerate((one, other))]
    ran = run("compare", *pair, "--json")
    assert (ran.code, ran.json["n"], ran.json["verdict"]) == (1, 1, "cannot_tell")
    assert run("compare", *pair).code == 1


def test_old_results_survive_a_failed_write(run, write, tmp_path, monkeypatch):
    old = {name: write(name, "precious") for name in ("page.html", "table.csv")}

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    one, other = write("one.csv", ONE), write("other.csv", OTHER)
    monkeypatch.setattr("os.replace", fail)
    for option, path in (("--report", old["page.html"]), ("--output", old["table.csv"])):
        said = told(run("compare", one, other, *ON, option, path))
        assert "cannot be written: No space left on device" in said
        assert path.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "other.csv", "page.html", "table.csv"]
