"""Event files: nothing acknowledged is lost, nothing counts twice, and any way of adding gives the same state."""

import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

import justesse
from justesse.core.errors import FileError, InputError
from justesse.store.event_file import add_events, new_events, open_events, read_events

WRITER = """
import os, sys
from justesse.verbs.ab.state import ab_add
path, first, last, step, name = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
for start in range(first, last, step):
    at = range(start, min(start + step, last))
    ab_add(path, {"id": [f"{name}{n}" for n in at], "variant": ["old", "new"][start // step % 2: ][:1] * len(at),
                  "outcome": [n % 3 % 2 for n in at]})
    os.write(1, f"{start}\\n".encode())
"""


def writer(path, first, last, step, name="e"):
    words = [sys.executable, "-c", WRITER, str(path), *map(str, (first, last, step)), name]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ids_of(path):
    with sqlite3.connect(path) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM journal ORDER BY number")]


def test_twenty_kills_lose_nothing_that_was_acknowledged(tmp_path):
    path, step = tmp_path / "my.ab", 5
    justesse.ab_start(path, incumbent="old", candidate="new")
    acknowledged, start = set(), 0
    for kill in range(20):
        process = writer(path, start, start + 100_000, step)
        for _ in range(1 + kill % 3):
            acknowledged.add(int(process.stdout.readline()))
        process.send_signal(signal.SIGKILL)
        acknowledged |= {int(word) for word in process.stdout.read().split()}
        process.communicate()
        start = max(acknowledged) - 3 * step if kill % 2 else max(acknowledged)  # adds again what is there already
        start = max(start, 0)
    kept = ids_of(path)
    assert len(set(kept)) == len(kept)
    wanted = {f"e{at}" for first in acknowledged for at in range(first, first + step)}
    assert wanted <= set(kept)
    assert len(kept) <= len(wanted) + 20 * step  # at most the addition that each kill cut off before it was announced
    assert len(kept) % step == 0  # an addition is there as a whole or not at all
    assert justesse.ab_status(path).events == len(kept)


def test_several_writers_at_once_lose_nothing(tmp_path):
    path = tmp_path / "my.ab"
    justesse.ab_start(path, incumbent="old", candidate="new")
    writers = [writer(path, 0, 60, 4, name) for name in ("a", "b", "a")]  # two of them add the same events
    for process in writers:
        _, error = process.communicate(timeout=240)
        assert process.returncode == 0, error
    kept = ids_of(path)
    assert sorted(kept) == sorted(f"{name}{at}" for name in "ab" for at in range(60))
    written = justesse.ab_status(path).to_dict()
    assert (written["events"], written["repeated_events"]) == (120, 60)


def test_entries_are_never_changed(tmp_path):
    path = tmp_path / "my.ab"
    justesse.ab_start(path, {"id": [1, 2], "variant": ["a", "b"], "outcome": [0, 1]})
    with sqlite3.connect(path) as connection:
        for words in ("UPDATE journal SET outcome = 1", "DELETE FROM journal", "UPDATE facts SET value = '1'"):
            with pytest.raises(sqlite3.Error, match="never changed"):
                connection.execute(words)


def test_a_failed_addition_leaves_no_trace(tmp_path):
    path = tmp_path / "my.ab"
    with new_events(path, {"level": 0.95}) as connection:
        add_events(connection, [("1", "a", 1.0, ())], "here")
    file = open_events(path)
    with (
        pytest.raises(InputError, match="row 2: event '1' came before with another outcome"),
        file.writing() as writing,
    ):
        add_events(writing, [("2", "a", 1.0, ()), ("1", "a", 0.0, ())], "there")
    with file.reading() as connection:
        assert [list(map(tuple, page)) for page in read_events(connection, 0, by_outcome=False)] == [[("a", 1.0)]]


def test_outcomes_that_come_late_are_placed_where_they_came_or_where_the_event_did(tmp_path):
    path = tmp_path / "my.ab"
    rows = [("1", "a", None, (0.5,)), ("2", "b", 0.0, (np.nan,)), ("1", "a", 1.0, (None,)), ("1", "a", 1.0, (0.5,))]
    with new_events(path, {"level": 0.95}) as connection:
        added = add_events(connection, rows, "here")
    assert (added.events, added.completed, added.repeated) == (2, 1, 1)
    with open_events(path).reading() as connection:
        by_event, by_outcome = (
            [tuple(row) for page in read_events(connection, 1, by_outcome=way) for row in page] for way in (False, True)
        )
    assert by_event == [("a", 1.0, 0.5), ("b", 0.0, None)]
    assert by_outcome == by_event[::-1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "not found. Create an event file with justesse ab start"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: path.touch(), "my.ab' is empty. Name an event file made by justesse ab start"),
        (lambda path: path.write_text("variant,outcome\na,1\n" * 200), "is not an event file"),
        (lambda path: sqlite3.connect(path).execute("CREATE TABLE t (x)").connection.close(), "not an event file"),
        (lambda path: (justesse.ab_start(path, incumbent="a", candidate="b"), path.write_bytes(path.read_bytes()[:5000])), "damaged"),
        (lambda path: (justesse.ab_start(path, incumbent="a", candidate="b"), changed(path, 9)), "newer version"),
    ],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, make, words):
    path = tmp_path / "my.ab"
    make(path)
    for reads in (
        justesse.ab_status,
        lambda path: justesse.ab_add(path, {"id": [1], "variant": ["a"], "outcome": [1]}),
    ):
        with pytest.raises(FileError, match=words):
            reads(path)


def test_a_new_file_is_named_as_the_user_named_it(tmp_path, monkeypatch):
    (tmp_path / "my.ab").mkdir()
    with pytest.raises(FileError, match="my.ab is a directory. Name a file in it"):
        justesse.ab_start(tmp_path / "my.ab", incumbent="a", candidate="b")

    def full(*where, **options):
        raise OSError(28, "No space left on device", "/somewhere/.justesse-draft")

    monkeypatch.setattr("justesse.store.database_file.tempfile.TemporaryDirectory", full)
    with pytest.raises(FileError, match=r"other.ab cannot be written: No space left on device") as refusal:
        justesse.ab_start(tmp_path / "other.ab", incumbent="a", candidate="b")
    assert ".justesse-draft" not in str(refusal.value)


def changed(path, version):
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


def test_a_file_of_the_first_format_is_read_and_converted_by_the_next_addition(tmp_path):
    path = tmp_path / "my.ab"
    rows = {"id": [1, 2, 3], "variant": ["a", "b", "a"], "outcome": [0, 1, None]}
    justesse.ab_start(path, rows, missing="random")
    changed(path, 1)
    before = justesse.ab_status(path).to_dict()
    justesse.ab_add(path, {"id": [3], "variant": ["a"], "outcome": [1]})
    assert (before["events"], justesse.ab_status(path).to_dict()["events"]) == (3, 3)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
