"""The audit file: whole or not there, never overwritten, recognised, safe when processes die or meet."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import FileError, InputError
from justesse.store.answers import AlreadyAnsweredError, Diary, Entry
from justesse.store.answers import read_entries as entries
from justesse.store.audit_file import new_audit, open_audit
from justesse.store.disagreements import (
    DisagreeingRow,
    read_disagreements,
    read_facts,
    start_record,
    write_disagreements,
)
from justesse.store.settled import settle


def record(connection, *answer, **how):
    diary = Diary.read(connection)
    entry = diary.add(*answer, **how)
    diary.save(connection)
    return entry


ASKED = [DisagreeingRow(at, f"id {at}", "a", "a", "b") for at in range(400)]


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "odd ?#%é.audit"
    with new_audit(place) as connection:
        write_disagreements(connection, ASKED, {"level": 0.95, "nothing": None})
    return place


@pytest.fixture
def audit(place):
    """An audit in a file, in a store on SQLite or in one on PostgreSQL."""
    with new_audit(place) as connection:
        write_disagreements(connection, ASKED, {"level": 0.95, "nothing": None})
    return place


def test_what_is_written_is_read_back_with_its_types(place):
    names = ["x", 1, True, 2.0, "", "1", "日本\n'\""]
    asked = [DisagreeingRow(at, f"{name!r}", name, name, "other", 0.5, None) for at, name in enumerate(names)]
    with new_audit(place) as connection:
        write_disagreements(connection, asked, {"classes": names})
    with open_audit(place).reading() as connection:
        found, about = read_disagreements(connection), read_facts(connection)
    assert found == asked
    assert [type(question.label) for question in found] == [type(name) for name in names]
    assert [type(name) for name in about["classes"]] == [type(name) for name in names]


def test_every_answer_is_synced_into_the_file_itself(path):
    with open_audit(path).writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "delete"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 3


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    def fill():
        with new_audit(tmp_path / "a") as connection:
            write_disagreements(connection, ASKED, {"level": 0.95})
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_refused_and_left_as_it_is(path, tmp_path):
    before = path.read_bytes()
    with pytest.raises(FileError, match="never overwritten"), new_audit(path):
        pass
    with pytest.raises(FileError, match="never overwritten"), new_audit(tmp_path / "late"):
        (tmp_path / "late").write_text("somebody else's")
    assert (tmp_path / "late").read_text() == "somebody else's"
    assert path.read_bytes() == before
    with pytest.raises(FileError, match="Create it first"), new_audit(tmp_path / "no" / "where"):
        pass


def other_database(place, version=0, mark=0):
    connection = sqlite3.connect(place)
    connection.execute("CREATE TABLE t (x)")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(f"PRAGMA application_id = {mark}")
    connection.commit()
    connection.close()


def test_what_is_no_audit_file_is_told_apart(path, tmp_path):
    (tmp_path / "text").write_text("id,class\n1,a\n")
    (tmp_path / "empty").write_bytes(b"")
    other_database(tmp_path / "database")
    for name, told in [("text", "not an audit file"), ("empty", "is empty. Name an audit file"), ("database", "not an audit"),
                       ("gone", "File '.*' not found"), (".", "is a directory")]:  # fmt: skip
        with pytest.raises(FileError, match=told):
            open_audit(tmp_path / name)


def test_a_newer_format_is_refused(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(FileError, match="newer version of justesse"):
        open_audit(path)


@pytest.mark.parametrize("damage", ["cut", "scribbled"])
def test_damage_is_noticed(path, damage):
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else whole[:4096] + b"\xff" * 8192 + whole[12288:])
    with pytest.raises(FileError, match="damaged"):
        open_audit(path)


def test_an_answer_is_corrected_only_on_purpose_and_the_old_one_stays(audit):
    file = open_audit(audit)
    with file.writing() as connection:
        first = record(connection, 0, "answer", "a", by="Ann")
        assert record(connection, 0, "answer", "a", by="Ann") is None
        with pytest.raises(AlreadyAnsweredError, match="a, by Ann"):
            record(connection, 0, "answer", "b", by="Ann")
        second = record(connection, 0, "answer", "b", by="Ann", correct=True)
        other = record(connection, 0, "cannot_say", None, by="Bob")
        gone = record(connection, 0, "withdrawn", None, by="Bob", correct=True)
        with pytest.raises(InputError, match="nothing to withdraw"):
            record(connection, 1, "withdrawn", None, by="Bob", correct=True)
    with file.reading() as connection:
        diary = entries(connection)
    assert diary == [first, second, other, gone]
    assert Diary(diary).standing(0) == [second]
    assert (second.corrects, gone.corrects) == (first.number, other.number)
    assert first.at <= second.at


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE answers SET said = '\"z\"'",
        "DELETE FROM answers",
        "UPDATE disputes SET label = '1'",
        "DELETE FROM facts",
    ],
)
def test_the_diary_cannot_be_rewritten(path, change):
    with open_audit(path).writing() as connection:
        record(connection, 0, "answer", "a", by="Ann")
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute(change)
    connection.close()


def test_one_and_true_are_different_answers(audit):
    with open_audit(audit).writing() as connection:
        record(connection, 0, "answer", 1, by="Ann")
        with pytest.raises(AlreadyAnsweredError):
            record(connection, 0, "answer", True, by="Ann")


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=7))
def test_the_majority_settles_and_a_tie_does_not(said):
    given = [Entry(at, 0, "answer" if x else "cannot_say", x, f"{at}", "", None) for at, x in enumerate(said)]
    found = settle(0, given)
    votes = {name: said.count(name) for name in said if name}
    best = [name for name, size in votes.items() if size == max(votes.values())]
    assert found.answer == (best[0] if len(best) == 1 else None)
    assert found.differ == (len(votes) > 1)
    assert len(found.people) == len(said)


WRITER = """
import sys
from justesse.store.audit_file import open_audit
from justesse.store.answers import Diary
path, by, start, end = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
file = open_audit(path)
for row in range(start, end):
    with file.writing() as connection:
        diary = Diary.read(connection)
        diary.add(row, "answer", "ab"[row % 2], by=by)
        diary.save(connection)
    print(row, flush=True)
"""


def writer(path, by, start, end):
    words = [sys.executable, "-c", WRITER, str(path), by, str(start), str(end)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_a_killed_process_loses_no_answer_it_has_announced(audit):
    process = writer(audit, "Ann", 0, 400)
    told = [int(process.stdout.readline()) for _ in range(15)]
    process.send_signal(signal.SIGKILL)
    told += [int(line) for line in process.stdout.read().splitlines()]
    process.wait()
    process.stdout.close()
    with open_audit(audit).reading() as connection:
        kept = entries(connection)
    assert told == list(range(len(told)))
    # one answer may be on disk whose announcement the kill cut off
    assert [entry.row for entry in kept] in (told, [*told, len(told)])
    assert all(entry.answer == "ab"[entry.row % 2] for entry in kept)


def test_processes_that_answer_at_once_do_not_disturb_each_other(audit):
    both = [writer(audit, by, 0, 12) for by in ("Ann", "Bob", "Ann")]
    for process in both:
        process.communicate(timeout=120)
        assert process.returncode == 0
    with open_audit(audit).reading() as connection:
        diary = entries(connection)
    assert sorted((entry.by, entry.row) for entry in diary) == [(by, row) for by in ("Ann", "Bob") for row in range(12)]
    assert all(entry.corrects is None for entry in diary)


def test_a_reader_sees_one_state(audit):
    file = open_audit(audit)
    writing = threading.Thread(target=lambda: writer(audit, "Ann", 0, 1).communicate())
    with file.reading() as reader:
        assert entries(reader) == []
        writing.start()
        writing.join(3)
        assert entries(reader) == []
    writing.join(60)
    with file.reading() as reader:
        assert len(entries(reader)) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_place_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="read-only"), new_audit(tmp_path / "a"):
        pass


def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    start = time.monotonic()
    with pytest.raises(FileError, match="is a pipe or a device"):
        open_audit(tmp_path / "pipe")
    assert time.monotonic() - start < 5


def test_the_first_checksum_copies_no_row(monkeypatch):
    """Copying every row of an audit took most of the time of an answer."""

    def refuse(_value, _memo=None):
        raise AssertionError("a row was copied")

    rows = [DisagreeingRow(0, "a", 1, 2, 3, 0.5, "text"), DisagreeingRow(1, "b", "x", "y", None)]
    monkeypatch.setattr("copy.deepcopy", refuse)
    assert start_record({"on": "id"}, rows) == (
        -1,
        [[("on", "id")], [(0, "a", 1, 2, 3, 0.5, "text"), (1, "b", "x", "y", None, None, None)]],
    )
