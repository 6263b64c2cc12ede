"""An audit is read and worked out once, however many answers it has; a sitting only takes in what is new."""

import pandas as pd
import pytest

import justesse
from justesse.judges.audit_state import AuditRun
from justesse.verbs.audit import audit as audits
from justesse.verbs.audit.ask import Sitting

ROWS = 240
FRAME = {"id": list(range(ROWS)), "label": [0] * ROWS, "old": [0, 1] * 120, "new": [1, 0] * 120}
FRAME |= {"title": [f"title {at}" for at in range(ROWS)], "text": [f"text {at}" for at in range(ROWS)]}
START = {"incumbent": "old", "candidate": "new", "on": "id", "level": 0.999999999, "futility": False}


@pytest.fixture
def audit(tmp_path):
    justesse.audit_start(FRAME, **START, to=tmp_path / "my.audit", budget=ROWS)
    return tmp_path / "my.audit"


@pytest.fixture
def work(monkeypatch):
    """Count how often an audit is put together from its file, and how many answers are judged."""
    done = {"loaded": 0, "judged": 0}
    load, judge = audits.loaded, AuditRun.take_all

    def loaded(*words):
        done["loaded"] += 1
        return load(*words)

    def take_all(run, questions, values):
        done["judged"] += len(questions)
        judge(run, questions, values)

    monkeypatch.setattr(audits, "loaded", loaded)
    monkeypatch.setattr(AuditRun, "take_all", take_all)
    return done


def answered(path, many):
    due = [one.id for one in justesse.audit_next(path, many).questions]
    return justesse.audit_answer(path, answers={"id": due, "class": [int(name) // 2 % 2 for name in due]}, by="Ann")


def test_a_file_of_answers_is_one_load_and_one_replay(audit, work):
    justesse.audit_next(audit, 150)
    work.update(loaded=0, judged=0)
    found = answered(audit, 150)
    assert work["loaded"] == 2  # next, and answer
    assert work["judged"] == 0  # nobody asked for the verdict
    assert "150 answers saved. Answers that count so far: 150." in repr(found)  # with the verdict, once it is sure
    assert found.to_dict()["answered"] == 150
    found.to_dict()
    assert work["judged"] == 150
    work.update(loaded=0, judged=0)
    told = justesse.audit_status(audit)
    told.to_dict()
    repr(told)
    assert work == {"loaded": 1, "judged": 150}


def test_a_sitting_takes_in_only_what_is_new(audit, work):
    answered(audit, 100)
    work.update(loaded=0, judged=0)
    sitting = Sitting(audit, by="Ann")
    for _ in range(5):
        due = sitting.next()
        sitting.answer(due.question.id, int(due.question.id) // 2 % 2)
    justesse.audit_answer(audit, sitting.next().question.id, 0, by="Bob")
    assert work == {"loaded": 2, "judged": 105}  # Bob's answer loads the file, but asks for no verdict
    last = sitting.next()
    assert (last.answered, work["judged"]) == (106, 106)
    sitting.answer(sitting.done[-1], None, "withdrawn")
    now, fresh = sitting.status(), justesse.audit_status(audit)
    assert {**now.to_dict(), "run": {}} == {**fresh.to_dict(), "run": {}}


def test_answers_given_before_they_were_drawn_are_judged_once(audit, work):
    rows = pd.DataFrame({"id": range(ROWS), "class": [at // 2 % 2 for at in range(ROWS)]})
    justesse.audit_answer(audit, answers=rows, by="Ann")
    work.update(loaded=0, judged=0)
    found = justesse.audit_next(audit, 10)
    assert found.questions == ()
    assert work == {"loaded": 1, "judged": ROWS}
    assert found.audit.state.answered == ROWS


def test_several_columns_are_shown(run, tmp_path):
    justesse.audit_start(FRAME, **START, show=["title", "text"], to=tmp_path / "a")
    one = justesse.audit_next(tmp_path / "a", 1).questions[0]
    assert one.shown == f"title: title {one.id}\ntext: text {one.id}"
    pd.DataFrame(FRAME).to_csv(tmp_path / "rows.csv", index=False)
    words = ["audit", "start", tmp_path / "rows.csv", "--incumbent", "old", "--candidate", "new", "--on", "id"]
    assert run(*words, "--to", tmp_path / "b", "--show", "title", "--show", "text").code == 0
    assert justesse.audit_next(tmp_path / "b", 1).questions[0].shown.startswith("title: title ")
    assert run(*words, "--to", tmp_path / "c", "--show", "title", "--show", "nowhere").code == 2
