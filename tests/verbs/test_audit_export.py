"""Copies of audits have every answer, whenever they are made; changes that stay valid are noticed."""

import json
import shutil
import sqlite3
import subprocess
import sys

import pytest

import justesse
from justesse.core.errors import FileError
from justesse.store.audit_file import open_audit

ROWS = 60
FRAME = {"id": list(range(ROWS)), "label": [0] * ROWS, "old": [1] * 30 + [0] * 30, "new": [0] * 30 + [1] * 30}
START = {"incumbent": "old", "candidate": "new", "on": "id", "level": 0.9999999}
EXPERT = """
import sys
import justesse
for _ in range(25):
    one = justesse.audit_next(sys.argv[1], 1).questions[0]
    justesse.audit_answer(sys.argv[1], one.id, int(one.id) % 2, by="Ann")
    print(one.id, flush=True)
"""


@pytest.fixture
def audit(tmp_path):
    justesse.audit_start(FRAME, **START, to=tmp_path / "my.audit")
    return tmp_path / "my.audit"


@pytest.mark.parametrize("how", [justesse.audit_export, shutil.copy])
def test_a_copy_has_every_answer_that_was_acknowledged(audit, tmp_path, how):
    with subprocess.Popen([sys.executable, "-c", EXPERT, str(audit)], stdout=subprocess.PIPE, text=True) as expert:
        acknowledged = []
        for at in range(6):
            # an ordinary copy is right between two answers only: the expert waits for the pipe to be read
            acknowledged += [expert.stdout.readline().strip() for _ in range(3)]
            if how is justesse.audit_export:
                how(audit, tmp_path / f"copy {at}")
                kept = {one["id"] for one in justesse.audit_status(tmp_path / f"copy {at}").to_dict()["answers"]}
                assert set(acknowledged) <= kept
        acknowledged += expert.stdout.read().split()
    how(audit, tmp_path / "copy")
    told, copied = (justesse.audit_status(path).to_dict() for path in (audit, tmp_path / "copy"))
    assert {one["id"] for one in copied["answers"]} == set(acknowledged)
    assert {**told, "file": ""} == {**copied, "file": ""}
    assert not list(tmp_path.glob("*-*"))


def test_the_command_copies_and_overwrites_nothing(run, audit, tmp_path):
    due = justesse.audit_next(audit, 1).questions[0].id
    justesse.audit_answer(audit, due, 0, by="Ann")
    ran = run("audit", "export", audit, "--to", tmp_path / "copy.audit", "--json")
    assert (ran.code, ran.json["answers"], ran.json["asked"], ran.json["format"]) == (0, 1, 1, 2)
    again = run("audit", "export", audit, "--to", tmp_path / "copy.audit")
    assert (again.code, "never overwritten" in again.err) == (2, True)
    assert (
        run("audit", "export", audit, "--to", tmp_path / "other").out == f"Copied to {tmp_path}/other, with 1 answer.\n"
    )
    assert run("audit", "export", tmp_path / "gone", "--to", tmp_path / "x").code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.audit", "my.audit", "other"]


def changed(path, statement):
    """Change a file as a careless edit would, past what guards it."""
    connection = sqlite3.connect(path)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE answers SET said = '1' WHERE number = 3", "answer 3 ("),
        ("UPDATE answers SET by = 'Bob' WHERE number = 2", "by Bob"),
        ("UPDATE answers SET at = '2020-01-01T00:00:00' WHERE number = 4", "answer 4"),
        ("DELETE FROM answers WHERE number = 4", "answer 4"),
        ("INSERT INTO answers SELECT 9, row, kind, said, 'Cy', at, NULL FROM answers WHERE number = 1", "answer 9"),
        ("UPDATE asked SET weights = '[0.2,0.3,0.5]' WHERE turn = 2", "question 2"),
        ("UPDATE facts SET value = '0.9' WHERE name = 'level'", "settings or the disputed rows"),
        ("UPDATE disputes SET shown = 'x' WHERE row = 5", "settings or the disputed rows"),
        ("UPDATE seals SET digest = 'x' WHERE part = 'answers' AND number = 1", "answer 1 ("),
    ],
)
def test_status_says_where_the_chain_breaks_and_nothing_more_is_accepted(run, audit, statement, where):
    due = [one.id for one in justesse.audit_next(audit, 5).questions]
    for name in due[:4]:
        justesse.audit_answer(audit, name, 0, by="Ann")
    assert run("audit", "status", audit, "--json").json["broken"] is None
    changed(audit, statement)
    ran = run("audit", "status", audit)
    assert ran.code == 1
    assert ran.out.startswith("This audit file was changed")
    told = run("audit", "status", audit, "--json").json
    assert where in told["broken"]
    assert where in told["warnings"][0]
    for words in (["next", audit], ["answer", audit, due[4], "0"]):
        refused = run("audit", *words)
        assert refused.code == 2
        assert "damaged" in refused.err
    assert json.loads(json.dumps(told)) == told


def test_a_question_is_not_withheld_by_a_clock_that_went_back(audit, monkeypatch):
    from justesse.store import held

    with open_audit(audit).writing() as connection:
        held.hold(connection, 3, by="Ann")
        assert held.held_by_others(connection, by="Bob") == {3}
        now = held.time.time()
        monkeypatch.setattr(held.time, "time", lambda: now - 86_400)
        assert held.held_by_others(connection, by="Bob") == set()
        monkeypatch.setattr(held.time, "time", lambda: now + 601)
        assert held.held_by_others(connection, by="Bob") == set()


def test_an_audit_that_was_changed_replaces_nothing(tmp_path):
    rows = {**FRAME, "new": [0] * ROWS, "is": [0] * ROWS}
    found = justesse.audit_start(rows, **{**START, "level": 0.95}, true="is", to=tmp_path / "a")
    assert found.replaces
    changed(tmp_path / "a", "UPDATE answers SET by = 'Bob' WHERE number = 2")
    assert not justesse.audit_status(tmp_path / "a").replaces
    with pytest.raises(FileError, match="answer 2"):
        justesse.audit_next(tmp_path / "a")


FACTS = [
    "seed",
    "level",
    "margin",
    "alternative",
    "expert_error",
    "budget",
    "question",
    "futility",
    "method",
    "n",
    "on",
    "shows",
    "incumbent",
    "candidate",
    "classes",
    "counts",
    "truth",
    "any_of",
    "label_sets",
    "suspicion",
    "files",
    "started",
    "justesse",
]


def as_format_1(path):
    connection = sqlite3.connect(path)
    for table in ("seals", "amendments"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("value", ["5", "null", "[]", '"x"', "1e999", None])
def test_a_setting_that_was_altered_is_damage_and_no_crash(run, audit, tmp_path, value, sealed):
    (tmp_path / "answers.csv").write_text("id,class\n1,0\n")
    justesse.audit_answer(audit, justesse.audit_next(audit, 1).questions[0].id, 0, by="Ann")
    for fact in FACTS:
        copy = tmp_path / f"{fact}.audit"
        shutil.copy(audit, copy)
        told = "DELETE FROM facts" if value is None else f"UPDATE facts SET value = '{value}'"
        changed(copy, f"{told} WHERE name = '{fact}'")
        if not sealed:
            as_format_1(copy)
        for words in (["status"], ["status", "--json"], ["report", "--report", tmp_path / f"{fact}.html"]):
            ran = run("audit", words[0], copy, *words[1:])
            assert ran.code in (0, 1, 2), (fact, words, ran.err)
            assert ran.code != 2 or "is damaged" in ran.err
        ran = run("audit", "answer", copy, "--file", tmp_path / "answers.csv", "--json")  # with the verdict
        assert ran.code in (0, 2), (fact, ran.err)


@pytest.mark.parametrize("fact", ["classes", "counts", "files"])
def test_an_altered_setting_is_named(run, audit, fact):
    changed(audit, f"UPDATE facts SET value = '5' WHERE name = '{fact}'")
    ran = run("audit", "status", audit)
    assert (ran.code, f"my.audit is damaged (its setting '{fact}' is malformed)" in ran.err) == (2, True)
