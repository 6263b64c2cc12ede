"""People who try more than they may: other people's names and keys, odd characters, files that are not theirs."""

import asyncio
import contextlib
import csv
import io
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from justesse.core.errors import InputError, OptionError
from justesse.verbs.audit.desk import AuditDesk
from justesse.verbs.audit.sent_answer import SentAnswer
from justesse.web import people as web_people
from justesse.web.data_files import served_file
from justesse.web.people import Person, Users, add_user
from justesse.web.routers.owning import _changes
from justesse.web.shelf import Directory
from web.clients import Clients, make_settings
from web.samples import start

MINE = ("my.audit",)


@pytest.fixture
def desk(folder):
    start(folder / "my.audit")
    opened = AuditDesk(folder / "my.audit")
    yield opened
    with contextlib.suppress(InputError):
        opened.close()


def ask(client):
    return client.post("/api/audits/my.audit/questions").json()["questions"]


def answer(client, **answers):
    return client.post("/api/audits/my.audit/answers", json={"answers": [answers]})


def settle(client, truth):
    turn = client.post("/api/audits/my.audit/questions").json()
    while turn["questions"]:
        first = turn["questions"][0]
        turn = answer(client, key=f"k{first['row']}", row=first["row"], class_name=truth[first["id"]]).json()
    assert turn["ended"] == "settled"


def test_a_user_with_the_owners_name_is_refused(tmp_path):
    file = tmp_path / "people.json"
    add_user(file, Person("olga", "expert", MINE), "correct horse")
    with pytest.raises(OptionError, match="Rename the user"):
        Users(owner="olga", password="battery staple", file=file)
    assert Users(owner="olga", file=file).checked("olga", "correct horse") == Person("olga", "expert", MINE)


def test_a_user_who_gets_the_owners_name_later_stays_out(tmp_path):
    file = tmp_path / "people.json"
    add_user(file, Person("ann", "expert", MINE), "correct horse")
    users = Users(owner="olga", password="battery staple", file=file)
    add_user(file, Person("olga", "expert", MINE), "another horse")
    assert users.checked("olga", "another horse") is None
    assert users.checked("olga", "battery staple") == Person("olga", "owner") == users.named("olga")


def test_two_people_may_use_the_same_key(clients, folder):
    start(folder / "my.audit")
    ann, bob = clients("Ann", "expert"), clients("Bob", "expert")
    for client in (ann, bob):
        row = ask(client)[0]["row"]
        for _ in range(2):
            reply = answer(client, key="1", row=row, kind="neither").json()
            assert reply["receipts"][0]["saved"]
            assert reply["own"] == 1


def test_a_key_that_was_used_for_another_answer_is_never_acknowledged(clients, folder):
    start(folder / "my.audit")
    client = clients("Ann", "expert")
    first, second = ask(client)
    assert answer(client, key="1", row=first["row"], kind="neither").status_code == 200
    for change in ({"row": second["row"]}, {"kind": "flawed"}, {"note": "other"}):
        reply = answer(client, **{"key": "1", "row": first["row"], "kind": "neither", **change})
        assert (reply.status_code, reply.json()["receipts"][0]["saved"]) == (409, False), change
        assert "not saved" in reply.json()["receipts"][0]["refused"]
    token = client.headers["x-csrf-token"]
    form = {"csrf": token, "key": "1", "row": second["row"], "kind": "neither"}
    assert client.post("/audits/my.audit/answer", data=form).status_code == 409
    assert client.post("/api/audits/my.audit/undo", json={"key": "1"}).status_code == 409
    assert client.post("/audits/my.audit/undo", data={"csrf": token, "key": "1"}).status_code == 409
    assert answer(client, key="2", row=second["row"], kind="neither").json()["own"] == 2


def test_an_undo_sent_twice_is_one_undo_with_the_same_receipt(clients, folder):
    start(folder / "my.audit")
    client = clients("Ann", "expert")
    row = ask(client)[0]["row"]
    answer(client, key="1", row=row, kind="neither")
    first, again = (client.post("/api/audits/my.audit/undo", json={"key": "u"}) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json()["questions"][0]["row"] == again.json()["questions"][0]["row"] == row


def test_only_the_owner_reopens_an_audit_that_has_ended(clients, folder):
    truth = start(folder / "my.audit")
    client = clients("Ann", "expert", MINE)
    settle(client, truth)
    before = clients("Olga").get("/api/audits/my.audit").json()
    reply = client.post("/api/audits/my.audit/undo", json={"key": "u"})
    assert (reply.status_code, "has ended" in reply.text) == (400, True)
    assert clients("Olga").get("/api/audits/my.audit").json()["answered"] == before["answered"]
    owner = clients("Ann")  # the same person, as the owner
    assert owner.post("/api/audits/my.audit/undo", json={"key": "u"}).status_code == 200
    assert clients("Olga").get("/api/audits/my.audit").json()["answered"] == before["answered"] - 1


def test_characters_that_no_database_keeps_are_refused(clients, folder):
    start(folder / "my.audit")
    client, owner = clients("Ann", "expert"), clients("Olga")
    row = ask(client)[0]["row"]
    for change in ({"note": "a\0b"}, {"key": "a\0b"}, {"kind": None, "class_name": "a\0b"}):
        reply = answer(client, **{"key": "1", "row": row, "kind": "neither", **change})
        assert (reply.status_code, "cannot be saved" in reply.text) == (422, True), change
    token = client.headers["x-csrf-token"]
    for change in ({"note": "a\0b"}, {"key": "a\0b"}):
        form = {"csrf": token, "key": "1", "row": row, "kind": "neither", **change}
        assert client.post("/audits/my.audit/answer", data=form).status_code == 400, change
    assert client.post("/audits/my.audit/undo", data={"csrf": token, "key": "a\0b"}).status_code == 400
    assert owner.post("/audits/my.audit/invite", data={"name": "a\0b"}).status_code == 400
    assert owner.post("/audits/my.audit/instructions", data={"text": "a\0b"}).status_code == 400


def test_one_broken_request_does_not_fail_those_of_others(desk):
    people = [f"person {n}" for n in range(4)]
    rows = {person: desk.turn(person).result().rows[0] for person in people}
    door = threading.Event()
    desk.submit(lambda *_: door.wait(10))  # so that all others share a transaction
    time.sleep(0.05)

    def broken(*_):
        raise RuntimeError("broken")

    sent = {person: desk.answer(person, [SentAnswer("1", rows[person], None, "neither")]) for person in people[:2]}
    failed, left = desk.submit(broken), desk.turn("person 3")
    assert left.cancel()  # a sender who has gone
    sent |= {person: desk.answer(person, [SentAnswer("1", rows[person], None, "neither")]) for person in people[2:]}
    door.set()
    assert [future.result(10)[0][0].saved for future in sent.values()] == [True] * 4
    with pytest.raises(RuntimeError):
        failed.result(10)
    assert desk.look(lambda status: status.audit.state.answered).result(10) >= 0


def test_a_closed_desk_refuses_instead_of_waiting_for_ever(desk):
    desk.close()
    desk.close()
    with pytest.raises(InputError, match="Load the page again"):
        desk.turn("Ann")


def test_people_of_one_audit_see_no_other_pages(clients, folder):
    start(folder / "my.audit")
    (folder / "rows.csv").write_text("label,prediction\n1,1\n")
    paths = ("/evaluations", "/evaluations/1", "/evaluations/1/json", "/dossiers", "/dossiers/a.json", "/policies",
             "/policies/draw?file=rows.csv")  # fmt: skip
    reader, everywhere = clients("Rea", "reader", MINE), clients("Rae", "reader")
    assert [reader.get(path).status_code for path in paths] == [403] * len(paths)
    assert "/policies" not in reader.get("/").text
    assert reader.get("/audits/my.audit").status_code == 200
    assert [everywhere.get(path).status_code for path in ("/evaluations", "/dossiers", "/policies")] == [200] * 3


def test_the_file_of_users_is_never_served(folder):
    users = folder / "people.json"
    add_user(users, Person("ann", "expert"), "correct horse")
    (folder / "link.json").symlink_to(users)
    (folder / "rows.json").write_text("[]")
    clients = Clients(make_settings(folder, people=Users(owner="olga", file=users)))
    client = clients("Olga")
    for path in ("/policies", "/evaluations/new", "/dossiers"):
        text = client.get(path).text
        assert "people.json" not in text
        assert "link.json" not in text
    assert "rows.json" in client.get("/policies").text
    for name in ("people.json", "link.json"):
        for path in (f"/dossiers/{name}", f"/policies/draw?file={name}", f"/evaluations/columns?file={name}"):
            assert client.get(path).status_code == 404, path


def test_guesses_at_the_same_time_count_before_they_are_checked(folder, monkeypatch):
    clients = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple")))
    checked = []

    def slow(kept, password):
        checked.append(password)
        time.sleep(0.3)
        return password == "battery staple"

    monkeypatch.setattr(web_people, "matches", slow)
    with clients.nobody() as client, ThreadPoolExecutor(12) as pool:
        guess = {"name": "olga", "password": "a wrong guess"}
        codes = list(pool.map(lambda _: client.post("/login", data=guess).status_code, range(12)))
    assert (codes.count(401), codes.count(429), len(checked)) == (5, 7, 5)


def test_guesses_with_many_names_neither_take_the_machine_nor_end_sessions(folder, monkeypatch):
    clients = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple")))
    lock, running, most, checked = threading.Lock(), [0], [0], []

    def slow(kept, password):
        with lock:
            checked.append(password)
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.01)
        with lock:
            running[0] -= 1
        return password == "battery staple"

    monkeypatch.setattr(web_people, "matches", slow)
    right = {"name": "olga", "password": "battery staple"}
    inside = clients.nobody()
    assert inside.post("/login", data=right).status_code == 303
    with clients.nobody() as client, ThreadPoolExecutor(30) as pool:
        guesses = [{"name": f"guess {at}", "password": "a wrong guess"} for at in range(120)]
        codes = list(pool.map(lambda guess: client.post("/login", data=guess).status_code, guesses))
    assert set(codes) == {401, 429}
    assert most[0] == 2
    assert len(checked) == 1 + codes.count(401) <= 41
    for name in ("olga", *(f"more {at}" for at in range(60))):  # one after the other, until the limit of all is reached
        clients.nobody().post("/login", data={"name": name, "password": "a wrong guess"})
    assert len(checked) == 41
    assert clients.nobody().post("/login", data=right).status_code == 429
    assert inside.get("/").status_code == 200


def test_right_passwords_do_not_count_as_guesses(folder, monkeypatch):
    clients = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple")))
    monkeypatch.setattr(web_people, "matches", lambda kept, password: True)
    right = {"name": "olga", "password": "battery staple"}
    assert {clients.nobody().post("/login", data=right).status_code for _ in range(8)} == {303}


class Streaming:
    """What the stream of events needs of a request."""

    query_params: dict = {}

    def __init__(self, clients, cookie):
        self.app, self.cookies = clients.app, {clients.settings.cookie: cookie}

    async def is_disconnected(self):
        return False


def test_the_stream_ends_with_the_user_and_with_the_desk(folder, tmp_path, desk):
    users = tmp_path / "people.json"
    add_user(users, Person("rea", "reader"), "correct horse")
    clients = Clients(make_settings(folder, people=Users(owner="olga", file=users)))
    sessions = clients.settings.sessions

    async def events_until(change, person, by_password):
        request = Streaming(clients, sessions.cookie(person, by_password=by_password))
        parts = []
        async with asyncio.timeout(5):
            async for part in _changes(request, desk, "my.audit"):
                parts.append(part)
                change()
        return len(parts)

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop may still run in this one
        ended = thread.submit(asyncio.run, events_until(lambda: users.write_text("{}"), Person("rea", "reader"), True))
        assert ended.result() == 1
        assert thread.submit(asyncio.run, events_until(desk.close, Person("olga", "owner"), False)).result() == 1


def test_names_that_are_too_long_are_not_there(clients, folder):
    client, name = clients("Olga"), "x" * 300
    paths = (f"/audits/{name}.audit", f"/api/audits/{name}.audit", f"/dossiers/{name}.json",
             f"/evaluations/columns?file={name}.csv", f"/policies/draw?file={name}.csv")  # fmt: skip
    assert [client.get(path).status_code for path in paths] == [404] * len(paths)
    table = ("a.csv", "id,label,prediction\n1,1,1\n")
    files = {"incumbent": table, "candidate": table}
    reply = client.post("/new", data={"name": "😀" * 90}, files=files)
    assert (reply.status_code, "cannot be the name" in reply.text) == (400, True)


def test_a_table_for_spreadsheets_holds_no_formulas(clients, folder):
    start(folder / "my.audit", classes=["=1+1", "-2", "owl"])
    client = clients("=HYPERLINK(1)", "expert")
    for question in ask(client):
        answer(client, key=str(question["row"]), row=question["row"], class_name="=1+1")
    rows = list(csv.reader(io.StringIO(clients("Olga").get("/audits/my.audit/answers.csv").text)))
    cells = {cell for row in rows for cell in row}
    assert {"'=1+1", "'=HYPERLINK(1)"} <= cells
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


def test_a_link_that_leads_out_of_the_directory_is_no_audit(folder, tmp_path):
    start(tmp_path / "secret.audit")
    (folder / "x.audit").symlink_to(tmp_path / "secret.audit")
    shelf = Directory(folder)
    assert (shelf.audits(), shelf.place("x.audit")) == ([], None)
    assert served_file(folder, "x" * 300 + ".csv") is None


def test_a_form_that_comes_back_holds_what_was_typed(clients):
    table = ("a.csv", "id,label,prediction\n1,1,1\n")
    typed = {"name": "a/b", "show": "width 5 mm", "instructions": 'Look at 5 mm and "2 %".'}
    reply = clients("Olga").post("/new", data=typed, files={"incumbent": table, "candidate": table})
    assert reply.status_code == 400
    assert 'value="width 5 mm"' in reply.text
    assert ">Look at 5 mm and &#34;2 %&#34;.<" in reply.text


def test_a_class_is_sent_as_it_is_written(clients, folder):
    start(folder / "my.audit", classes=["5 %", "10 %", "20 %"])
    text = clients("Ann", "expert").get("/audits/my.audit/answer").text
    assert re.search(r'name="class_name" value="\d+ %"', text)
    assert re.search(r'<option value="\d+ %"', text)
