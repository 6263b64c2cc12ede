"""Stores of earlier formats open, keep everything, and are converted in one transaction, on SQLite and PostgreSQL."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, inspect, text

import justesse
from justesse.core.errors import FileError
from justesse.store.address import StoreAddress
from justesse.store.database import open_store
from justesse.store.evaluations import add_evaluation, listed_evaluations
from justesse.store.store_migrations import STEPS
from justesse.store.store_tables import APPLICATION, FORMAT

FORMATS = Path(__file__).with_name("formats")
SEEN = json.loads((FORMATS / "format-1.json").read_text())
COPIED = ("facts", "disputes", "asked", "answers")
ADDED = {"justesse_evaluations", "justesse_assigned", "justesse_received", "justesse_notes"}


@pytest.fixture
def old(url):
    """Make a store of format 1 from the SQL that made them, with an audit of format 1 in it."""
    address = StoreAddress.read(url)
    engine = create_engine(address.url, poolclass=NullPool)
    statements = (FORMATS / f"store-1.{engine.dialect.name}.sql").read_text().split(";;\n")
    with engine.begin() as connection, closing(sqlite3.connect(FORMATS / "format-1.audit")) as source:
        for statement in statements:
            if statement.strip():
                connection.execute(text(statement))
        connection.execute(text("INSERT INTO justesse_store VALUES ('format', '1'), ('justesse', '\"0.1\"')"))
        connection.execute(text("INSERT INTO justesse_audits (name, format, made) VALUES ('old', 1, '2026-01-01')"))
        for table in COPIED:
            rows = source.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            quoted = ", ".join(f'"{name}"' for name in ("audit", *names))
            values = ", ".join(f":{name}" for name in ("audit", *names))
            listed = [{"audit": 1, **dict(zip(names, row, strict=True))} for row in rows]
            connection.execute(text(f"INSERT INTO justesse_{table} ({quoted}) VALUES ({values})"), listed)
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    return url


def looked(url):
    """Give the format and the tables of a store, without opening it as one."""
    engine = create_engine(StoreAddress.read(url).url, poolclass=NullPool)
    with engine.begin() as connection:
        number = connection.scalar(text("SELECT value FROM justesse_store WHERE name = 'format'"))
        tables = set(inspect(connection).get_table_names())
    return int(number), tables


def test_an_old_store_is_converted_and_loses_nothing(old):
    assert looked(old)[0] == 1
    assert not looked(old)[1] & ADDED
    status = justesse.audit_status(f"{old}#old")
    found = status.to_dict()
    for name in ("verdict", "test_set", "population", "looks", "open"):
        assert found[name] == SEEN[name]
    assert (looked(old)[0], found["format"], len(found["answers"])) == (FORMAT, 1, 11)
    assert looked(old)[1] >= ADDED
    justesse.audit_answer(f"{old}#old", "img-06", "cat", by="Ann")
    found = justesse.audit_status(f"{old}#old").to_dict()
    assert (found["format"], found["broken"], len(found["answers"])) == (2, None, 12)
    assert not {"seals", "amendments"} & looked(old)[1]  # those of an audit file do not belong into a store


def test_what_a_converted_store_holds_cannot_be_rewritten(old):
    store = open_store(StoreAddress.read(old))
    add_evaluation(store, title="t", command="evaluate", by="Ann", headline="h", result={"n": 3}, page=b"<p>")
    assert len(listed_evaluations(store)) == 1
    for table in ("evaluations", "answers"):
        with pytest.raises(Exception, match="never changed"), store.writing() as connection:
            connection.execute(text(f"DELETE FROM justesse_{table}"))


KILLED = """
import os, signal, sys
from justesse.store import database, store_migrations
from justesse.store.address import StoreAddress
step = store_migrations.STEPS[0]
def killed(connection):
    step(connection)
    connection.exec_driver_sql("SELECT count(*) FROM justesse_notes").close()
    os.kill(os.getpid(), signal.SIGKILL)
store_migrations.STEPS = (killed,)
database.open_store(StoreAddress.read(sys.argv[1]))
"""


def test_a_conversion_that_is_killed_leaves_the_store_as_it_was(old):
    before = looked(old)
    done = subprocess.run([sys.executable, "-c", KILLED, old], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert looked(old) == before
    assert len(justesse.audit_status(f"{old}#old").audit.diary) == 11
    assert looked(old)[0] == FORMAT


def test_several_who_open_an_old_store_at_once_convert_it_once(old):
    program = "import justesse, sys; print(len(justesse.audit_status(sys.argv[1]).audit.diary))"
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(subprocess.run, [sys.executable, "-c", program, f"{old}#old"], capture_output=True, text=True)
                 for _ in range(3)]  # fmt: skip
    assert [call.result().stdout for call in calls] == ["11\n"] * 3, [call.result().stderr for call in calls]
    assert looked(old)[0] == FORMAT


def test_every_format_has_a_step():
    assert len(STEPS) == FORMAT - 1


def test_a_store_of_a_format_to_come_is_refused(old):
    engine = create_engine(StoreAddress.read(old).url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE justesse_store SET value = '{FORMAT + 1}' WHERE name = 'format'"))
    with pytest.raises(FileError, match=f"made by a newer version of justesse .format {FORMAT + 1}; .*Install a newer"):
        justesse.audit_status(f"{old}#old")


KILLED_FILE = """
import os, signal, sys
from justesse.store import migrations
migrations.set_format = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
import justesse
justesse.audit_answer(sys.argv[1], "img-06", "cat", by="Ann")
"""


@pytest.mark.parametrize("name", ["format-1.audit", "format-1-wal.audit"])
def test_an_audit_file_whose_conversion_is_killed_stays_usable(tmp_path, name):
    for path in FORMATS.glob(f"{name}*"):
        shutil.copy(path, tmp_path / path.name)
    done = subprocess.run([sys.executable, "-c", KILLED_FILE, tmp_path / name], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    status = justesse.audit_status(tmp_path / name).to_dict()
    assert (status["format"], len(status["answers"]), status["looks"]) == (1, 11, SEEN["looks"])
    justesse.audit_answer(tmp_path / name, "img-06", "cat", by="Ann")
    status = justesse.audit_status(tmp_path / name).to_dict()
    assert (status["format"], len(status["answers"]), status["broken"]) == (2, 12, None)
    assert sorted(os.listdir(tmp_path)) == [name]
