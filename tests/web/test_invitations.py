"""Sessions end with the password, the user or the invitation they began with; links work once, until revoked."""

import re

import pytest

from justesse.cli.main import main
from justesse.web import invitations as web_invitations
from justesse.web.invitations import Invitations
from justesse.web.people import ROLES, Person, Users, add_user, remove_user
from justesse.web.sessions import Sessions, kept_invitations, place_of
from justesse.web.shelf import Directory
from web.clients import Clients, make_settings
from web.samples import start

INVITED = [role for role in ROLES if role != "owner"]


def logged_in(clients, name, password):
    client = clients.nobody()
    assert client.post("/login", data={"name": name, "password": password}).status_code == 303
    assert client.get("/").status_code == 200
    return client


def restarted(clients, folder, **options):
    """Make a server in the place of another, with the same key and invitations."""
    settings = make_settings(folder, **options)
    settings.sessions.invitations = clients.settings.sessions.invitations
    return Clients(settings)


def with_cookies(clients, client):
    again = clients.nobody()
    again.cookies.update(client.cookies)
    return again


@pytest.mark.parametrize("role", ROLES)
def test_a_new_password_ends_the_sessions_of_that_person_only(folder, tmp_path, role):
    users = tmp_path / "people.json"
    add_user(users, Person("ann", role), "correct horse")
    add_user(users, Person("bob", role), "correct horse")
    clients = Clients(make_settings(folder, people=Users(owner="olga", file=users)))
    phone, desk = (logged_in(clients, "ann", "correct horse") for _ in range(2))
    bob = logged_in(clients, "bob", "correct horse")
    add_user(users, Person("ann", role), "battery staple")
    assert [client.get("/").status_code for client in (phone, desk, bob)] == [401, 401, 200]
    assert clients.nobody().post("/login", data={"name": "ann", "password": "correct horse"}).status_code == 401
    logged_in(clients, "ann", "battery staple")


@pytest.mark.parametrize("role", ROLES)
def test_removing_a_user_ends_the_sessions_of_that_person_only(folder, tmp_path, role):
    users = tmp_path / "people.json"
    add_user(users, Person("ann", role), "correct horse")
    add_user(users, Person("bob", role), "correct horse")
    clients = Clients(make_settings(folder, people=Users(owner="olga", file=users)))
    ann, bob = (logged_in(clients, name, "correct horse") for name in ("ann", "bob"))
    remove_user(users, "ann")
    assert [ann.get("/").status_code, bob.get("/").status_code] == [401, 200]
    add_user(users, Person("ann", role), "correct horse")  # the same password, but a new hash: a new user
    assert ann.get("/").status_code == 401


def test_another_password_of_the_owner_ends_all_sessions_of_the_owner(folder):
    first = Clients(make_settings(folder, people=Users(owner="olga", password="battery staple")))
    by_password, by_link = logged_in(first, "olga", "battery staple"), first("olga")
    same = restarted(first, folder, people=Users(owner="olga", password="battery staple"))
    assert [with_cookies(same, each).get("/").status_code for each in (by_password, by_link)] == [200, 200]
    other = restarted(first, folder, people=Users(owner="olga", password="another staple"))
    assert [with_cookies(other, each).get("/").status_code for each in (by_password, by_link)] == [401, 401]


def test_logging_out_holds_when_the_server_restarts(clients, folder):
    client = clients("Ann")
    kept = with_cookies(clients, client)
    client.post("/logout")
    assert kept.get("/").status_code == 401
    assert with_cookies(restarted(clients, folder), kept).get("/").status_code == 401


@pytest.mark.parametrize("role", INVITED)
def test_the_owner_lists_and_revokes_invitations(clients, folder, role):
    start(folder / "my.audit")
    owner = clients("Olga")

    def invited(name):
        page = owner.post("/audits/my.audit/invite", data={"name": name, "role": role}).text
        link = re.search(r'<code class="link">http://[^/]*(/enter\?token=[^<]*)<', page)[1]
        return link, re.search(r'name="id" value="([0-9a-f]+)"', page)[1]

    (ann_link, ann_id), (bob_link, bob_id), (_, _) = invited("Ann"), invited("Bob"), invited("Cy")
    ann = clients.nobody()
    for _ in range(2):  # a chat that previews the link does not use it
        assert "Hello, <bdi>Ann</bdi>" in ann.get(ann_link).text
    assert ann.get("/").status_code == 401
    assert ann.post("/enter", data={"token": ann_link.partition("=")[2]}).status_code == 200
    assert clients.nobody().post("/enter", data={"token": ann_link.partition("=")[2]}).status_code == 401
    assert ann.get("/audits/my.audit/answer" if role == "expert" else "/audits/my.audit").status_code in (200, 303)
    page = owner.get("/audits/my.audit").text
    assert re.findall(r"logged in|link not used yet", page) == ["link not used yet", "link not used yet", "logged in"]
    for id in (ann_id, bob_id):
        assert owner.post("/audits/my.audit/revoke", data={"id": id}).status_code == 303
    assert ann.get("/").status_code == 401  # the session ends
    assert clients.nobody().get(bob_link).status_code == 401  # the link cannot be used
    assert clients.nobody().get(ann_link).status_code == 401
    assert owner.get("/audits/my.audit").text.count("revoked") == 2
    assert owner.post("/audits/my.audit/revoke", data={"id": "0" * 16}).status_code == 404


def test_an_invitation_is_revoked_on_the_page_of_its_audit_only(clients, folder):
    start(folder / "my.audit")
    start(folder / "other.audit")
    owner, ann = clients("Olga"), clients("Ann", "expert", ("my.audit",))
    (invitation,) = clients.settings.sessions.invitations
    assert "Ann" not in owner.get("/audits/other.audit").text
    assert owner.post("/audits/other.audit/revoke", data={"id": invitation.id}).status_code == 404
    assert ann.get("/").status_code == 200
    reader = clients("Rea", "reader", ("my.audit",))
    assert "Revoke" not in reader.get("/audits/my.audit").text


def test_nobody_is_invited_under_the_name_of_a_user(folder, tmp_path):
    users = tmp_path / "people.json"
    add_user(users, Person("ann", "expert"), "correct horse")
    clients = Clients(make_settings(folder, people=Users(owner="olga", file=users)))
    start(folder / "my.audit")
    reply = clients("olga").post("/audits/my.audit/invite", data={"name": "ann"})
    assert (reply.status_code, "has a password" in reply.text) == (400, True)
    bob = clients("bob", "expert")
    assert bob.get("/").status_code == 200
    add_user(users, Person("bob", "expert"), "correct horse")  # from now on, only the password lets bob in
    assert bob.get("/").status_code == 401


def test_what_was_revoked_stays_so_after_a_crash(tmp_path, monkeypatch):
    file = tmp_path / "invitations.jsonl"
    first = Invitations(file)
    tokens = [first.add(Person(name, "expert"), by="olga") for name in ("ann", "bob", "cy")]
    (bob,) = [each for each in first if each.person.name == "bob"]
    first.revoke(bob.id)
    assert first.redeem(tokens[0]) is not None
    assert file.stat().st_mode & 0o077 == 0
    assert not any(token in file.read_text() for token in tokens)
    with open(file, "ab") as stream:
        stream.write(b'\n{"event": "revo')  # killed while it wrote
    again = Invitations(file)
    assert [again.redeem(token) is not None for token in tokens] == [False, False, True]
    assert {each.person.name: each.state for each in first} == {"cy": "used", "bob": "revoked", "ann": "used"}
    late = again.add(Person("dee", "expert"), by="olga")
    monkeypatch.setattr(web_invitations, "LINK_SECONDS", -1)
    assert again.redeem(late) is None


def test_a_cookie_of_an_expert_without_an_invitation_is_refused(folder):
    sessions = Sessions(Users(owner="olga"), place=str(folder), key=b"k" * 32)
    for role in ROLES:
        cookie = sessions.cookie(Person("ann", role))
        assert (sessions.read(cookie) is not None) == (role == "owner")


def test_invitations_and_users_from_the_command_line(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert main(["serve", str(folder), "--invitations"]) == 0
    assert "No invitations" in capsys.readouterr().out
    kept = kept_invitations(place_of(Directory(folder)))
    kept.add(Person("Ann", "expert", ("my.audit",)), by="olga")
    token = kept.add(Person("Bob", "reader"), by="olga")
    assert main(["serve", str(folder), "--invitations"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [re.sub(r"^[0-9a-f]{16}", "ID", line) for line in lines] == [
        "ID  open    Bob (reader, all audits), invited by olga",
        "ID  open    Ann (expert, my.audit), invited by olga",
    ]
    assert main(["serve", str(folder), "--revoke", "Bob"]) == 0
    assert kept.redeem(token) is None  # a server that runs sees it at once
    assert main(["serve", str(folder), "--revoke", lines[1][:16]]) == 0
    capsys.readouterr()
    assert main(["serve", str(folder), "--revoke", "Bob"]) == 2
    assert "--invitations" in capsys.readouterr().err
    users = tmp_path / "people.json"
    add_user(users, Person("ann", "expert"), "correct horse")
    assert main(["serve", "--users", str(users), "--remove-user", "bob"]) == 2
    assert "'ann'" in capsys.readouterr().err
    assert main(["serve", "--users", str(users), "--remove-user", "ann"]) == 0
    assert Users(owner="olga", file=users).named("ann") is None
    assert main(["serve", "--remove-user", "ann"]) == 2
