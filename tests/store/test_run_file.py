"""The file of a run: steps are added, never changed, and damage is seen."""

import sqlite3

import pytest

from justesse.core.errors import FileError
from justesse.lifelong.journal import RunStep
from justesse.lifelong.ledger import Charge
from justesse.store.run_file import opened_run

ABOUT = {"budget": 5.0, "seed": 0}
STEPS = [
    RunStep(1, "predict", "abc", ["yes", 1, True, None]),
    RunStep(2, "ask", "def", ["7"], (Charge(1, "May", "question", "7", 1.5, 1.5, 30.0),), 0.25),
]


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "my.run"
    file = opened_run(place, ABOUT)
    for step in STEPS:
        file.append(step)
    return place


def test_steps_come_back_as_they_were(path):
    assert list(opened_run(path, ABOUT).read()) == STEPS


def test_other_settings_are_refused(path):
    with pytest.raises(FileError, match=r"budget was 5.0, and is 6.0 now"):
        opened_run(path, {**ABOUT, "budget": 6.0})


@pytest.mark.parametrize(
    "change", ["UPDATE steps SET reply = '[]'", "DELETE FROM steps", "UPDATE facts SET value = '9'"]
)
def test_nothing_is_changed_by_mistake(path, change):
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match="added, never changed"):
        connection.execute(change)


@pytest.mark.parametrize(
    ("trigger", "change"),
    [
        ("steps_no_update", "UPDATE steps SET charges = '[]' WHERE number = 2"),
        ("steps_no_delete", "DELETE FROM steps WHERE number = 2"),
        ("facts_no_update", "UPDATE facts SET value = '9.0' WHERE name = 'budget'"),
    ],
)
def test_a_change_on_purpose_is_seen(path, trigger, change):
    with sqlite3.connect(path) as connection:
        connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(change)
    connection.close()
    with pytest.raises(FileError, match="damaged"):
        opened_run(path, {**ABOUT, "budget": 9.0} if "facts" in change else ABOUT)


def test_two_runs_do_not_write_one_file(path):
    first, second = opened_run(path, ABOUT), opened_run(path, ABOUT)
    first.append(RunStep(3, "predict", "x", []))
    with pytest.raises(FileError, match="in use by another run"):
        second.append(RunStep(3, "predict", "x", []))


@pytest.mark.parametrize("content", [b"", b"id,label\n", b"SQLite format 3\0"])
def test_another_file_is_refused(tmp_path, content):
    place = tmp_path / "my.run"
    place.write_bytes(content)
    with pytest.raises(FileError):
        opened_run(place, ABOUT)
