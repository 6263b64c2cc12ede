"""The page and the command line use one store at the same time."""

from dataclasses import replace

import pytest

import justesse
from justesse.store.address import StoreAddress
from justesse.web.store_shelf import StoreShelf
from web.clients import Clients, make_settings

ROWS = 60
FRAME = {"id": list(range(ROWS)), "label": [0] * ROWS, "old": [1] * 30 + [0] * 30, "new": [0] * 30 + [1] * 30}
CSV = "label,prediction\n" + "a,a\nb,b\na,b\n" * 30


@pytest.fixture
def clients(folder, url):
    settings = make_settings(folder)
    return Clients(replace(settings, shelf=StoreShelf(StoreAddress.read(url), folder)))


def test_answers_of_the_command_line_reach_the_page(clients, url):
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", store=url, to="my audit")
    owner = clients("olga")
    assert "my audit" in owner.get("/").text
    page = owner.get("/audits/my%20audit")
    assert page.status_code == 200, page.text
    for _ in range(2):
        question = justesse.audit_next(f"{url}#my audit", 1).questions[0]
        justesse.audit_answer(f"{url}#my audit", question.id, 0, by="Ann")
    table = owner.get("/audits/my%20audit/answers.csv").text
    assert table.count("Ann") == 2
    copy = owner.get("/audits/my%20audit/export")
    assert copy.status_code == 200
    assert copy.content.startswith(b"SQLite format 3")
    assert owner.get("/audits/none").status_code == owner.get("/audits/a%00b").status_code == 404


def test_a_new_audit_and_an_evaluation_go_into_the_store(clients, url, folder):
    owner = clients("olga")
    lines = [[f"{at},0,{FRAME[part][at]}\n" for at in range(ROWS)] for part in ("old", "new")]
    files = {
        part: (f"{part}.csv", "id,label,prediction\n" + "".join(rows))
        for part, rows in zip(("incumbent", "candidate"), lines, strict=True)
    }
    started = owner.post("/new", files=files, data={"name": "fresh"})
    assert started.status_code == 303, started.text
    assert len(justesse.audit_status(f"{url}#fresh.audit").audit.disputes) == 60
    taken = owner.post("/evaluations/new", files={"upload": ("test.csv", CSV)})
    key = taken.headers["location"].rpartition("=")[2]
    done = owner.post("/evaluations/columns", data={"file": key, "label": "label", "prediction": "prediction"})
    assert done.headers["location"] == "/evaluations/1"
    assert "test.csv" in owner.get("/evaluations").text
    assert list(folder.iterdir()) == []
