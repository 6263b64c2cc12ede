"""Files made to take all time, memory or disk are refused early, or read; nothing is left behind."""

import gzip
import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet
import pytest

from justesse import compare, compare_folds, count, evaluate, evaluate_regression
from justesse.core.errors import ClassError, ColumnError, FileError, ScoreError
from justesse.frames import files
from justesse.frames.costs import cost_table
from justesse.frames.engine import connection
from justesse.frames.rankings import read_ranking

MEASURED = """
import resource, sys
from justesse.cli.main import main
code = main(["evaluate", sys.argv[1]])
status = open('/proc/self/status').read()  # ru_maxrss would count the parent's memory, too
print(code, int(status.split('VmHWM:')[1].split()[0]) // 1024)
"""


def _measured(path):
    """Give exit code, megabytes, seconds and the error of evaluating a file in a process of its own."""
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, timeout=300)
    code, megabytes = map(int, done.stdout.split()[-2:])
    return code, megabytes, time.monotonic() - started, done.stderr


def test_a_hundred_thousand_columns_are_refused_at_once(write):
    path = write("wide.csv", ",".join(["label", "prediction", *map(str, range(100_000))]) + "\n")
    started = time.monotonic()
    with pytest.raises(ColumnError, match="100,002 columns; at most 25,000"):
        count(path)
    assert time.monotonic() - started < 10


def test_many_columns_are_read_from_parquet(tmp_path):
    columns = {"label": ["a", "b"], "prediction": ["a", "a"], **{f"x{at}": [0, 1] for at in range(5_000)}}
    pa.parquet.write_table(pa.table(columns), tmp_path / "wide.parquet")
    assert count(tmp_path / "wide.parquet").n == 2


def test_a_header_of_more_than_a_megabyte_is_read_whole(write):
    names = ["label", *(f"column {at} {'z' * 600}" for at in range(2_500)), "prediction"]
    header = ",".join(names)
    assert len(header) > 1_500_000
    path = write("a.csv", f"{header}\n" + f"a,{'0,' * 2_500}b\n" * 3)
    assert count(path).cells() == [["a", "b", 3]]


def test_a_header_with_a_line_end_in_quotes_is_read_whole(write):
    names = ",".join(f'"two\n{at} {"z" * 100_000}\nlines"' for at in range(12))
    path = write("a.csv", f"{names},label,prediction\n{'1,' * 12}a,b\n")
    assert count(path).cells() == [["a", "b", 1]]


def test_a_first_line_without_end_is_refused(write):
    with pytest.raises(FileError, match="first line is longer than 16 MiB"):
        count(write("a.csv", "x" * (17 << 20)))


def test_a_line_of_json_without_end_is_refused_within_a_gigabyte(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb", 1) as stream:
        stream.write(b'{"prediction": "b", "label": "')
        for _ in range(400):
            stream.write(b"a" * 1_000_000)
        stream.write(b'"}\n')
    code, megabytes, seconds, error = _measured(path)
    assert (code, "line 1 is longer than 16 MiB" in error) == (2, True)
    assert megabytes < 1000
    assert seconds < 30  # most of it to start Python on a busy machine


def test_an_id_given_as_label_is_refused_early_within_a_gigabyte(tmp_path):
    path = tmp_path / "ids.csv"
    with path.open("w") as stream:
        stream.write("label,prediction\n")
        stream.writelines(f"user-{row:012},user-{row:012}\n" for row in range(1_500_000))
    code, megabytes, seconds, error = _measured(path)
    assert (code, "50,000 different values in 'label' in its first 50,000 rows" in " ".join(error.split())) == (2, True)
    assert megabytes < 1000
    assert seconds < 30


def test_an_id_given_as_slice_or_label_of_two_files_is_refused_early():
    columns = {"label": ["a", "b"] * 5_000, "prediction": ["a", "b"] * 5_000, "who": list(range(10_000))}
    with pytest.raises(
        ClassError, match="10,000 different values in 'who' in its first 50,000 rows, more than the 1,000 sl"
    ):
        count(columns, by="who")
    ids = {"id": range(10_000), "label": range(10_000), "prediction": range(10_000)}
    with pytest.raises(ClassError, match="10,000 different values in 'label' in its first"):
        compare(ids, ids, on="id")


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_compressed_file_is_unpacked_up_to_a_limit_and_not_left_there(tmp_path, monkeypatch, kind):
    path = tmp_path / f"a.{kind}.gz"
    path.write_bytes(gzip.compress(b"\0" * 3_000_000))
    monkeypatch.setattr(files, "MOST_UNPACKED", 1 << 20)
    before = set(os.listdir(files.private_folder()))
    with pytest.raises(FileError, match="larger than 1 MiB once unpacked. Unpack it first"):
        count(path)
    assert set(os.listdir(files.private_folder())) == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_a_process_that_is_ended_leaves_nothing_in_the_temporary_folder(tmp_path):
    packed, temporary = tmp_path / "a.parquet.gz", tmp_path / "temporary"
    temporary.mkdir()
    packed.write_bytes(gzip.compress(b"\0" * 260_000_000, 1))
    command = [sys.executable, "-m", "justesse", "evaluate", str(packed)]
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not any(temporary.glob("justesse-*/*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error.strip()) == (143, b"justesse: stopped")
    assert not list(temporary.iterdir())


def test_the_temporary_folder_is_private_and_nobody_can_know_its_name(tmp_path):
    ((place,),) = connection().execute("SELECT current_setting('temp_directory')").fetchall()
    assert place == files.private_folder()
    assert os.stat(place).st_mode & 0o077 == 0
    show = "from justesse.frames.files import private_folder; print(private_folder())"
    names = {subprocess.run([sys.executable, "-c", show], capture_output=True, text=True).stdout for _ in range(2)}
    assert len(names) == 2
    assert not any(os.path.exists(name.strip()) for name in names)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "csv.gz"])
def test_devices_and_pipes_are_refused_at_once(tmp_path, ending):
    pipe, endless = tmp_path / f"pipe.{ending}", tmp_path / f"endless.{ending}"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path in (pipe, endless):
        for read in (count, lambda place: cost_table(str(place), [0, 1]), read_ranking):
            with pytest.raises(FileError, match="is a device or a pipe, not a file"):
                read(path)


@pytest.mark.parametrize("row", ["a,b,", "a,b,,", 'a,b,""', ",,"])
def test_rows_with_extra_empty_values_are_refused(write, row):
    path = write("a.csv", f"label,prediction\nq,q\n{row}\nq,q\n")
    with pytest.raises(FileError, match=r"a\.csv, line 3: the header names 2 columns, but this row has more values"):
        count(path)


def test_empty_values_of_named_columns_stay_missing(write):
    path = write("a.csv", 'label,prediction,note\na,a,\na,"",x\n,,\n')
    tally = count(path, missing="drop", missing_labels="drop")
    assert tally.cells() == [["a", "a", 1]]


def test_a_column_of_texts_is_refused_as_label_and_as_slice():
    texts = [f"{'x' * 20_000}{row % 20}" for row in range(200)]
    with pytest.raises(
        ClassError, match="'label' has a text of 20,002 characters. Names of classes and slices have at most 1,000"
    ):
        count(label=texts, prediction=texts)
    labels = ["a", "b"] * 100
    with pytest.raises(ClassError, match="'note' has a text of"):
        count(label=labels, prediction=labels, by={"note": texts})


@pytest.mark.parametrize("value", ["1e308", "-1e200", "1e71"])
def test_numbers_whose_powers_are_none_are_refused_without_a_warning(write, value):
    numbers = write("a.csv", "y,yhat\n" + "1.5,2\n" * 30 + f"2,{value}\n")
    folds = write("folds.csv", "fold,a,b\n" + "".join(f"{at},0.{at},0.2\n" for at in range(1, 9)) + f"9,{value},0.1\n")
    scores = write("scores.csv", "label,s\n" + "0,0.1\n1,0.2\n" * 20 + f"1,{value}\n")
    for call in (
        lambda: evaluate_regression(numbers),
        lambda: compare_folds(folds),
        lambda: evaluate(scores, score="s", positive=1, threshold=0.15),
    ):
        with pytest.raises(ScoreError, match=r"beyond ±1e\+70. Give the numbers in a larger unit"):
            call()


def test_large_numbers_are_evaluated_without_a_warning(write):
    rows = "".join(f"{at}e69,{at + at % 3}e69\n" for at in range(1, 40))
    result = evaluate_regression(write("a.csv", "y,yhat\n" + "1e69,2e69\n" * 30))
    assert result["mae"].value == pytest.approx(1e69)
    assert evaluate_regression(write("b.csv", "y,yhat\n" + rows.replace("e69", "e68")))["mae"].value > 0
