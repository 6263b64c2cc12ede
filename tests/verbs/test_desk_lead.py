"""Fast people do not get far ahead of those who hold a question; nobody waits if nothing is held."""

import random

import pytest

import justesse
from justesse.store import screens
from justesse.store.held import SECONDS
from justesse.verbs.audit.desk import AuditDesk
from justesse.verbs.audit.sent_answer import SentAnswer


@pytest.fixture
def desk(tmp_path):
    dice = random.Random(0)
    true = [dice.choice("ab") for _ in range(400)]
    rows = {"id": list(range(400)), "label": true, "old": [dice.choice("ab") for _ in true], "new": true}
    justesse.audit_start(
        rows, incumbent="old", candidate="new", on="id", to=tmp_path / "my.audit", answers_each=2, budget=150,
        futility=False,
    )  # fmt: skip
    desk = AuditDesk(tmp_path / "my.audit")
    yield desk
    desk.close()


def answers(desk, by, most):
    """Answer as many questions as this person is given."""
    turn, n = desk.turn(by).result(), 0
    while turn.rows and n < most:
        sent = SentAnswer(f"{by} {n}", turn.rows[0], None, "cannot_say")
        receipts, turn = desk.answer(by, [sent]).result()
        assert receipts[0].saved
        n += 1
    return n, turn.ended


def test_nobody_gets_far_ahead_of_one_who_holds_a_question(desk):
    held = desk.turn("slow").result().rows
    assert len(held) == 2
    assert answers(desk, "fast", 60) == (18, "waiting")  # 20 are open: two are on the other's screen
    assert len(desk.settled_parts().result().turns) == 20
    sent = SentAnswer("one", held[0], None, "cannot_say")
    desk.answer("slow", [sent]).result()
    assert answers(desk, "fast again", 1)[0] == 1  # a third person is given what is open


def test_nobody_waits_if_nothing_is_held(desk, monkeypatch):
    desk.turn("slow").result()
    now = screens.time.time()
    monkeypatch.setattr(screens.time, "time", lambda: now + SECONDS + 1)
    assert answers(desk, "fast", 60)[0] == 60


def test_one_person_alone_never_waits(desk):
    assert answers(desk, "alone", 60)[0] == 60
