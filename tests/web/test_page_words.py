"""What pages say when something is refused: words for a page, without options of the command line or paths."""

import re

import pytest

from justesse.web.people import Users
from web.clients import Clients, make_settings
from web.samples import start

OLD = b"id,label,prediction\n1,a,a\n2,b,b\n3,a,b\n"
NEW = b"id,label,prediction\n1,a,b\n2,b,b\n3,a,a\n"


def problem(reply):
    return re.search(r'<p class="problem"[^>]*>(.*?)</p>', reply.text, re.DOTALL)[1]


@pytest.mark.parametrize(
    "candidate",
    [
        b"id,truth,guess\n1,a,b\n",
        b"id,label,prediction\n1,a,b\n1,a,b\n3,a,b\n",
        b"id,label,prediction\n1,a,b\n",
        b"id,label,prediction\n1,a,\n2,b,b\n3,a,a\n",
        b"\x00\x01\x02",
        b"",
    ],
)
def test_a_wrong_file_of_a_new_audit_is_refused_without_paths_and_options(clients, candidate):
    files = {"incumbent": ("old.csv", OLD), "candidate": ("bar_v.csv", candidate)}
    reply = clients("Ann").post("/new", data={"name": "mine"}, files=files)
    assert reply.status_code == 400
    words = problem(reply)
    assert "/candidate/" not in words
    assert "/tmp" not in words
    assert not re.search(r"--[a-z]|\w+=…", words), words


@pytest.mark.parametrize(("budget", "status"), [("4", 400), ("10000000000000000000", 400), ("3", 303)])
def test_a_new_audit_asks_no_more_questions_than_there_are_rows(clients, folder, budget, status):
    files = {"incumbent": ("old.csv", OLD), "candidate": ("new.csv", NEW)}
    reply = clients("Ann").post("/new", data={"name": "mine", "budget": budget}, files=files)
    assert reply.status_code == status
    assert (folder / "mine.audit").exists() == (status == 303)
    if status == 400:
        assert "old.csv has 3 rows, and there is at most one question for each." in problem(reply)


def test_refused_answers_say_what_to_do_on_the_page(clients, folder):
    start(folder / "my.audit", budget=40, futility=False)
    client = clients("Ann", "expert")
    question = client.post("/api/audits/my.audit/questions").json()["questions"][0]

    def refused(key, name):
        body = {"answers": [{"key": key, "row": question["row"], "class_name": name}]}
        return client.post("/api/audits/my.audit/answers", json=body).json()["receipts"][0]["refused"]

    words = refused("a", "zebra")
    assert "zebra" in words
    assert "Choose one of the classes" in words
    first, second = question["choices"][:2]
    assert refused("b", first) == ""
    again = refused("c", second)
    assert again.startswith(f"You answered this question before, with {first!r}. If it was your last answer, undo it")
    for text in (words, again):
        assert not re.search(r"--[a-z]|\bpass\b|new_class", text), text


@pytest.mark.parametrize("name", ["olga", "OLGA", "Ann", "ab\u202ecd", "\u2066x", "a\u200bb", "x\u200f", "a\x7fb"])
def test_nobody_is_invited_under_an_owners_name_or_one_that_looks_like_another(folder, name):
    start(folder / "my.audit")
    clients = Clients(make_settings(folder, people=Users(owner="olga")))
    reply = clients("Ann").post("/audits/my.audit/invite", data={"name": name})
    assert reply.status_code == 400
    assert not list(clients.settings.sessions.invitations)


@pytest.mark.parametrize("name", ["Åsa", "محمد", "می‌خواهم", "李雷", "O'Neil"])
def test_names_of_all_scripts_are_invited(clients, folder, name):
    start(folder / "my.audit")
    assert clients("Ann").post("/audits/my.audit/invite", data={"name": name}).status_code == 200
