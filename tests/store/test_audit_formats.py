"""Audit files of earlier formats open, give what they gave, and are brought up to date by the first who writes."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

import justesse
from justesse.core.errors import FileError
from justesse.store.audit_file import open_audit

FORMATS = Path(__file__).with_name("formats")  # made by justesse before formats had migrations
SEEN = json.loads((FORMATS / "format-1.json").read_text())
KEPT = ("verdict", "stop", "test_set", "population", "answered", "cannot_say", "waiting", "asked", "pvalue", "classes")


@pytest.fixture(params=["format-1.audit", "format-1-wal.audit"])
def old(request, tmp_path):
    for path in FORMATS.glob(f"{request.param}*"):
        shutil.copy(path, tmp_path / path.name.replace(request.param, "old.audit"))
    return tmp_path / "old.audit"


def without_time(told):
    answers = [{key: value for key, value in one.items() if key != "at"} for one in told["answers"]]
    return {"answers": answers, "looks": told["looks"], "open": told["open"], **{name: told[name] for name in KEPT}}


def version(path):
    connection = sqlite3.connect(path)
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def test_a_file_of_format_1_gives_what_it_gave(old):
    told = justesse.audit_status(old)
    assert without_time(told.to_dict()) == without_time(SEEN)
    assert (told.to_dict()["format"], version(old)) == (1, 1)
    assert "format 1" in told.history[0]


def test_the_first_answer_brings_it_up_to_date_and_loses_nothing(old):
    justesse.audit_answer(old, "img-06", "cat", by="Ann")
    told = justesse.audit_status(old)
    found = told.to_dict()
    assert (found["format"], found["broken"], len(found["answers"])) == (2, None, 12)
    assert without_time({**found, "answers": found["answers"][:11]})["answers"] == without_time(SEEN)["answers"]
    assert found["looks"]["test_set"][:8] == SEEN["looks"]["test_set"]
    assert [path.name for path in old.parent.iterdir()] == ["old.audit"]
    assert found["amendments"][0]["value"] == {"from": 1, "answers": 11}
    assert "first 11 answers" in told.history[0]
    shutil.copy(old, old.with_name("copy"))
    assert len(justesse.audit_status(old.with_name("copy")).audit.diary) == 12


@pytest.mark.parametrize("number", [0, -5, 3, 99])
def test_formats_that_no_justesse_wrote_are_refused(tmp_path, number):
    shutil.copy(FORMATS / "format-1.audit", tmp_path / "odd.audit")
    connection = sqlite3.connect(tmp_path / "odd.audit")
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()
    with pytest.raises(FileError, match="newer version of justesse" if number > 2 else f"has format {number}, but"):
        justesse.audit_status(tmp_path / "odd.audit")


def as_nobody(act):
    """Do something in a process that may read, but not write."""
    ours, theirs = os.pipe()
    if (child := os.fork()) == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            told = repr(act())
        except BaseException as error:
            told = repr(error)
        os.write(theirs, told.encode())
        os._exit(0)
    os.close(theirs)
    os.waitpid(child, 0)
    with os.fdopen(ours) as stream:
        return stream.read()


@pytest.mark.parametrize("name", ["format-1.audit", "now.audit"])
def test_looking_needs_no_permission_to_write(tmp_path, name):
    folder = tmp_path / "folder"
    folder.mkdir()
    place = folder / name
    shutil.copy(FORMATS / "format-1.audit", place)
    if name == "now.audit":
        with open_audit(place).writing():
            pass
    before = justesse.audit_status(place).audit.state.answered  # everything is imported before the rights are dropped
    for part in (tmp_path, *tmp_path.parents):
        if "pytest" in str(part) and part.stat().st_uid == os.getuid():  # runners differ in how deep it lies
            part.chmod(0o755)
    place.chmod(0o444)
    folder.chmod(0o555)
    try:
        assert as_nobody(lambda: justesse.audit_status(place).audit.state.answered) == repr(before) == "7"
        assert "read-only" in as_nobody(lambda: justesse.audit_next(place))
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_left_overs_of_another_audit_are_refused(tmp_path, ending):
    rows = {"id": [1, 2, 3], "label": [0, 0, 0], "old": [0, 1, 0], "new": [1, 0, 0]}
    start = {"incumbent": "old", "candidate": "new", "on": "id", "to": tmp_path / "my.audit"}
    (tmp_path / f"my.audit{ending}").write_bytes(b"")
    with pytest.raises(FileError, match=f"my.audit{ending} is left over"):
        justesse.audit_start(rows, **start)
    assert [path.name for path in tmp_path.iterdir()] == [f"my.audit{ending}"]


def test_the_log_of_an_old_audit_does_not_enter_a_new_one(tmp_path):
    rows = {"id": [1, 2, 3], "label": [0, 0, 0], "old": [0, 1, 0], "new": [1, 0, 0]}
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=tmp_path / "my.audit")
    shutil.copy(FORMATS / "format-1-wal.audit-wal", tmp_path / "my.audit-wal")
    for act in (justesse.audit_status, justesse.audit_next):
        with pytest.raises(FileError, match="belongs to another audit"):
            act(tmp_path / "my.audit")
    (tmp_path / "my.audit-wal").unlink()
    assert justesse.audit_status(tmp_path / "my.audit").audit.diary == ()
    assert justesse.audit_status(tmp_path / "my.audit").audit.broken is None
