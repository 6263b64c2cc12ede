"""Nothing acknowledged is lost or doubled: killed writers, a killed database server, a full disk."""

import resource
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from sqlalchemy import text

import justesse
from justesse.core.errors import FileError
from justesse.store.address import StoreAddress
from justesse.store.database import open_store
from justesse.verbs.audit.ask import Sitting
from postgres_server import need_server, own_server

ROWS = 2_000
FRAME = {
    "id": list(range(ROWS)),
    "label": [0] * ROWS,
    "old": [1] * 1_000 + [0] * 1_000,
    "new": [0] * 1_000 + [1] * 1_000,
}
START = {"incumbent": "old", "candidate": "new", "on": "id", "budget": ROWS}
# answers row after row, tries again after an error, and says what was acknowledged
WRITER = """
import os, sys, time
from justesse.core.errors import FileError
from justesse.store.answers import Diary
from justesse.store.audit_file import open_audit

path, by, start = sys.argv[1], sys.argv[2], int(sys.argv[3])
file, diary = None, None
for row in range(start, 2000):
    while True:
        try:
            file = file or open_audit(path)
            with file.writing() as connection:
                if diary is None:
                    diary = Diary.read(connection)
                diary.update(connection)
                diary.add(row, "answer", 0, by=by)
                diary.save(connection)
            break
        except FileError:
            diary = None  # it holds what may not have reached the disk
            time.sleep(0.02)
    os.write(1, f"{row}\\n".encode())
"""


def writer(path, by, start, out=subprocess.PIPE):
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), by, str(start)], stdout=out, text=True)


def kept(path):
    audit = justesse.audit_status(path).audit
    assert audit.broken is None
    assert [entry.number for entry in audit.diary] == list(range(1, len(audit.diary) + 1))
    return [(entry.by, entry.row) for entry in audit.diary]


def test_writers_that_are_killed_again_and_again_lose_and_double_nothing(url):
    justesse.audit_start(FRAME, **START, store=url, to="my")
    acknowledged, starts = [], {"Ann": 0, "Bob": 0}
    for _ in range(3):
        pair = {by: writer(f"{url}#my", by, starts[by]) for by in starts}
        for process in pair.values():
            process.stdout.readline()
        acknowledged += list(starts.items())
        time.sleep(0.05)
        for by, process in pair.items():
            process.kill()
            rows = [int(line) for line in process.stdout.read().splitlines()]
            process.wait()
            process.stdout.close()
            acknowledged += [(by, row) for row in rows]
            starts[by] = max([starts[by], *rows]) + 1
    saved = kept(f"{url}#my")
    assert len(acknowledged) > 9
    assert len(saved) == len(set(saved))
    assert set(acknowledged) <= set(saved)
    assert len(saved) - len(set(acknowledged)) <= 6  # on disk, but killed before it said so


def test_a_database_server_that_is_killed_again_and_again_loses_nothing(tmp_path):
    need_server()
    with own_server() as server:
        url = f"{server.database()}#my"
        justesse.audit_start(FRAME, **START, to=url)
        heard = tmp_path / "heard"
        with heard.open("w") as out:
            process = writer(url, "Ann", 0, out)
        try:
            for _ in range(2):
                _wait_for(heard, 20)
                server.kill()
                time.sleep(0.2)
                _start_again(server)
            _wait_for(heard, 5)
        finally:
            process.kill()
            process.wait()
        acknowledged = [int(line) for line in heard.read_text().split()]
        saved = [row for _, row in kept(url)]
    assert len(acknowledged) >= 45
    assert acknowledged == list(range(len(acknowledged)))
    assert saved in (acknowledged, [*acknowledged, len(acknowledged)])


def _wait_for(heard, more):
    """Wait until more answers are acknowledged than now."""
    end, before = time.monotonic() + 60, len(heard.read_text().split())
    while len(heard.read_text().split()) < before + more:
        assert time.monotonic() < end, f"{before} answers"
        time.sleep(0.01)


def _start_again(server):
    for _ in range(50):  # what is left of the killed processes must end first
        try:
            return server.start()
        except AssertionError:
            time.sleep(0.2)
    raise AssertionError((server.folder / "log").read_text()[-2000:])


@contextmanager
def largest_file(size):
    """Let no file of this process grow beyond a size, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def full(url):
    """Fill the disk: SQLite's files cannot grow, PostgreSQL reports what it reports when there is no space."""
    if not url.startswith("postgresql"):
        with largest_file(600):  # not even a page
            yield
        return
    store = open_store(StoreAddress.read(url))
    with store.writing() as connection:
        connection.execute(
            text(
                "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
                "'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"
            )
        )
        connection.execute(
            text(
                "CREATE CONSTRAINT TRIGGER no_space AFTER INSERT ON justesse_answers DEFERRABLE INITIALLY DEFERRED "
                "FOR EACH ROW EXECUTE FUNCTION no_space()"
            )
        )
    try:
        yield
    finally:
        with store.writing() as connection:
            connection.execute(text("DROP TRIGGER no_space ON justesse_answers"))


def test_an_answer_that_a_full_disk_refuses_is_not_acknowledged_and_can_be_given_again(place):
    justesse.audit_start(FRAME, **START, to=place)
    url = str(place).rpartition("#")[0] if isinstance(place, str) else "file"
    sitting = Sitting(place, by="Ann")
    acknowledged = []
    for _ in range(3):
        acknowledged.append(sitting.next().question.id)
        sitting.answer(acknowledged[-1], 0)
    refused = sitting.next().question.id
    with full(url), pytest.raises(FileError, match=r"cannot be written: .*\. Free some space"):
        sitting.answer(refused, 0)
    assert len(kept(place)) == len(sitting.done) == 3
    assert sitting.next().question.id == refused
    sitting.answer(refused, 0)
    disputes = justesse.audit_status(place).audit.disputes
    assert [disputes[row].id for _, row in kept(place)] == [*acknowledged, refused]
