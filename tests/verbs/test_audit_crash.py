"""Processes that die in the middle of hundreds of answers, and processes that answer at once."""

import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import justesse

ROWS = 600
FRAME = pd.DataFrame({"id": range(ROWS), "label": np.arange(ROWS) % 3})
# close enough, and the level high enough, that two hundred answers settle nothing
LAST = np.arange(ROWS) % 10
FRAME["old"] = np.where((LAST >= 5) & (LAST < 9), FRAME.label, (FRAME.label + 1) % 3)
FRAME["new"] = np.where(LAST < 5, FRAME.label, (FRAME.label + 2) % 3)
START = {"incumbent": "old", "candidate": "new", "on": "id", "budget": 590, "level": 1 - 1e-15}
# every answer follows from the id alone, so that a run that was killed can be compared with one that was not
EXPERT = """
import sys
import justesse
path, by, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
# what is open is finished before more is drawn, so that the questions do not depend on when a process died
while due := justesse.audit_next(path, len(justesse.audit_status(path).audit.open) or batch).questions:
    for one in due:
        kept = justesse.audit_answer(path, one.id, int(one.id) % 3, by=by)
        print(one.id, flush=True)
"""


def expert(path, by, batch):
    words = [sys.executable, "-c", EXPERT, str(path), by, str(batch)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def in_batches(path, batch, until):
    """Answer batch after batch in this process, until so many answers are there."""
    while missing := until - len(justesse.audit_status(path).audit.diary):
        due = justesse.audit_next(path, len(justesse.audit_status(path).audit.open) or batch).questions[:missing]
        assert due, "the audit stopped before so many answers were there"
        answers = {"id": [one.id for one in due], "class": [int(one.id) % 3 for one in due]}
        justesse.audit_answer(path, answers=answers, by="Ann")


def without_time(path):
    told = justesse.audit_status(path).to_dict()
    del told["run"]  # when each answer was given
    return {key: value for key, value in told.items() if key != "file"}


def test_a_run_that_was_killed_goes_on_as_if_nothing_had_happened(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for path in (killed, whole):
        justesse.audit_start(FRAME, **START, to=path)
    told = []
    for stop in (90, 80):
        process = expert(killed, "Ann", 40)
        told += [process.stdout.readline().strip() for _ in range(stop)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().split()
        process.communicate()
    kept = [one["id"] for one in justesse.audit_status(killed).to_dict()["answers"]]
    assert set(told) <= set(kept)  # what was announced is there
    assert len(set(kept)) == len(kept)
    assert len(kept) <= len(told) + 2  # at most the one that each kill cut off before it was announced
    many = 220
    for path in (killed, whole):
        in_batches(path, 40, many)
    assert len(justesse.audit_status(killed).to_dict()["answers"]) == many
    assert without_time(killed) == without_time(whole)


def test_two_processes_that_answer_at_once_spoil_nothing(tmp_path):
    path = tmp_path / "both"
    justesse.audit_start(FRAME, **{**START, "budget": 24}, to=path)
    people = [expert(path, by, 6) for by in ("Ann", "Bob")]
    for process in people:
        _, error = process.communicate(timeout=240)
        assert process.returncode == 0, error
    told = justesse.audit_status(path).to_dict()
    assert (told["asked"], told["answered"], told["differ"], told["open"]) == (24, 24, [], [])
    assert len({(one["id"], one["by"]) for one in told["answers"]}) == len(told["answers"])
    assert {one["turn"] for one in told["answers"]} == set(range(1, 25))
    assert all(one["class"] == int(one["id"]) % 3 for one in told["answers"])


def test_answers_in_any_order_give_the_same_verdict(tmp_path):
    orders = {"forwards": 1, "backwards": -1}
    for name, step in orders.items():
        justesse.audit_start(FRAME, **{**START, "level": 0.95}, to=tmp_path / name)
        due = justesse.audit_next(tmp_path / name, 12).questions[::step]
        for one in due:
            justesse.audit_answer(tmp_path / name, one.id, int(one.id) % 3, by="Ann")
    one, other = (justesse.audit_status(tmp_path / name) for name in orders)
    assert one.to_dict()["looks"] == other.to_dict()["looks"]
    assert one.decision == other.decision


def test_a_correction_counts_as_if_it_had_been_said_at_first(tmp_path):
    for name in ("corrected", "right"):
        justesse.audit_start(FRAME, **START, to=tmp_path / name)
    first, second = (one.id for one in justesse.audit_next(tmp_path / "right", 2).questions)
    justesse.audit_next(tmp_path / "corrected", 2)
    justesse.audit_answer(tmp_path / "corrected", first, (int(first) + 1) % 3, by="Ann")
    justesse.audit_answer(tmp_path / "corrected", second, int(second) % 3, by="Ann")
    justesse.audit_answer(tmp_path / "corrected", first, int(first) % 3, by="Ann", correct=True)
    for name in (first, second):
        justesse.audit_answer(tmp_path / "right", name, int(name) % 3, by="Ann")
    one, other = (justesse.audit_status(tmp_path / name).to_dict() for name in ("corrected", "right"))
    assert one["looks"] == other["looks"]
    assert [len(told["answers"]) for told in (one, other)] == [3, 2]


def test_a_file_can_be_copied_and_gone_on_with_elsewhere(tmp_path):
    justesse.audit_start(FRAME, **START, to=tmp_path / "here")
    one = justesse.audit_next(tmp_path / "here", 1).questions[0]
    justesse.audit_answer(tmp_path / "here", one.id, 0, by="Ann")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here"]  # one file, nothing beside it
    (tmp_path / "there").write_bytes((tmp_path / "here").read_bytes())
    assert without_time(tmp_path / "there") == without_time(tmp_path / "here")


@pytest.mark.parametrize("name", ["audit_start", "audit_next", "audit_answer", "audit_status", "audit_report"])
def test_the_library_has_every_part(name):
    assert callable(getattr(justesse, name))
    assert name in justesse.__all__
