"""Logging in and out, and what a stranger or another site can do."""

import json
from dataclasses import replace

import pytest

from justesse.core.errors import FileError, OptionError
from justesse.web.people import Person, Users, add_user
from web.clients import HOST, Clients, make_settings


def test_a_token_logs_in_once_and_the_session_outlives_the_server(clients, folder):
    client, token = clients.nobody(), clients.settings.sessions.token(Person("Ann", "owner"))
    first = client.get("/enter", params={"token": token})
    assert first.status_code == 200
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert client.get("/").status_code == 200
    assert clients.nobody().get("/enter", params={"token": token}).status_code == 401
    again = Clients(make_settings(folder)).nobody()
    again.cookies.update(client.cookies)
    assert again.get("/").status_code == 200
    other_key = Clients(make_settings(folder, key=b"x" * 32)).nobody()
    other_key.cookies.update(client.cookies)
    assert other_key.get("/").status_code == 401


def test_a_changed_cookie_is_refused(clients):
    client = clients("Eve", "reader")
    name = clients.settings.cookie
    value = client.cookies[name]
    client.cookies.clear()
    for changed in (value[:-1] + ("0" if value[-1] != "0" else "1"), "", ".", "a.b", value.replace(".", "")):
        client.cookies.set(name, changed, domain="127.0.0.1")
        assert client.get("/").status_code == 401, changed


def test_logging_out_ends_the_session(clients):
    client = clients("Ann")
    kept = dict(client.cookies)
    assert client.post("/logout").status_code == 303
    client.cookies.update(kept)
    assert client.get("/").status_code == 401


@pytest.mark.parametrize(
    "change",
    [
        {"x-csrf-token": "0" * 64},
        {"x-csrf-token": "é".encode("latin-1")},
        {"origin": "http://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_is_refused(clients, change):
    client = clients("Ann")
    assert client.post("/logout", headers=change).status_code == 403
    assert client.get("/").status_code == 200


def test_the_token_of_another_session_is_refused(clients):
    ann, bob = clients("Ann"), clients("Bob")
    assert ann.post("/logout", headers={"x-csrf-token": bob.headers["x-csrf-token"]}).status_code == 403
    del ann.headers["x-csrf-token"]
    assert ann.post("/logout", data={"csrf": bob.headers["x-csrf-token"]}).status_code == 403
    session = clients.settings.sessions.read(ann.cookies[clients.settings.cookie])
    assert ann.post("/logout", data={"csrf": session.csrf}).status_code == 303


def test_another_host_name_is_not_answered(clients):
    for host in ("evil.example", "127.0.0.1:8001", "127.0.0.1", ""):
        assert clients("Ann").get("/", headers={"host": host}).status_code == 421, host
    assert clients.nobody().get("/healthz", headers={"host": HOST}).status_code == 200


def test_passwords(folder, tmp_path):
    users = tmp_path / "people.json"
    add_user(users, Person("ann", "expert", ("my.audit",)), "correct horse")
    assert users.stat().st_mode & 0o077 == 0
    assert "correct" not in users.read_text()
    clients = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple", file=users)))
    for name, password, status in (
        ("ann", "correct horse", 303),
        ("olga", "battery staple", 303),
        ("ann", "battery staple", 401),
        ("olga", "", 422),
        ("nobody", "correct horse", 401),
    ):
        client = clients.nobody()
        assert client.post("/login", data={"name": name, "password": password}).status_code in (status, 401), name
        assert client.get("/").status_code == (200 if status == 303 else 401)
    client = clients.nobody()
    client.post("/login", data={"name": "ann", "password": "correct horse"})
    assert "ann (expert)" in client.get("/").text
    users.write_text("{}")  # removed: the session ends with the user
    assert client.get("/").status_code == 401


def test_guessing_passwords_is_slowed_down(folder):
    clients = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple")))
    client = clients.nobody()
    codes = [client.post("/login", data={"name": "olga", "password": f"guess {n}"}).status_code for n in range(7)]
    assert codes == [401] * 5 + [429] * 2
    assert client.post("/login", data={"name": "olga", "password": "battery staple"}).status_code == 429


@pytest.mark.parametrize(
    "contents",
    [
        "not json",
        "[]",
        '{"ann": 1}',
        '{"ann": {"role": "king", "password": "$argon2id$x"}}',
        '{"ann": {"role": "owner", "password": "x"}}',
        '{"ann": {"role": "owner", "password": "$argon2id$x", "audits": "all"}}',
    ],
)
def test_a_bad_file_of_users_is_refused_in_a_sentence(tmp_path, contents):
    file = tmp_path / "people.json"
    file.write_text(contents)
    with pytest.raises(FileError, match="people.json"):
        Users(owner="olga", file=file)


def test_short_passwords_and_empty_names_are_refused(tmp_path):
    with pytest.raises(OptionError, match="8 characters"):
        Users(owner="olga", password="short")
    with pytest.raises(OptionError, match="name of a user"):
        add_user(tmp_path / "people.json", Person(" ", "owner"), "long enough")
    assert not (tmp_path / "people.json").exists()


def test_an_oversize_body_ends_cleanly(folder):
    clients = Clients(replace(make_settings(folder), body_limit=1_000))
    client = clients("Ann")
    assert client.post("/logout", content=b"x" * 2_000).status_code == 413

    def parts():
        for _ in range(20):
            yield b"x" * 100

    # a body without a length is counted as it arrives
    del client.headers["x-csrf-token"]
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/logout", content=parts(), headers=kind).status_code == 413
    assert client.get("/").status_code == 200


def test_a_stranger_cannot_send_a_body(clients):
    assert clients.nobody().post("/logout", content=b"x" * 100_000).status_code == 401
    assert json.loads(clients.nobody().get("/api/nothing").text)["detail"] == "There is no such page."
