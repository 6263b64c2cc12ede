"""A small application for the tests of the web page, and clients of every role."""

import warnings

from justesse.web.app import create_app
from justesse.web.people import Person, Users
from justesse.web.sessions import Sessions
from justesse.web.settings import WebSettings
from justesse.web.shelf import Directory

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlette advises another client
    from fastapi.testclient import TestClient

HOST = "127.0.0.1:8000"


class Clients:
    """Clients of one app, by role."""

    def __init__(self, settings):
        self.settings = settings
        self.app = create_app(settings)

    def nobody(self):
        return TestClient(self.app, base_url=f"http://{HOST}", follow_redirects=False)

    def __call__(self, person, role="owner", audits=None):
        """Return a client that has logged in with a one-time token, and sends the token of its session."""
        client = self.nobody()
        chosen, sessions = Person(person, role, audits), self.settings.sessions
        token = sessions.token(chosen) if role == "owner" else sessions.invitations.add(chosen, by="olga")
        asked = client.get if role == "owner" else client.post
        sent = {"params": {"token": token}} if role == "owner" else {"data": {"token": token}}
        assert asked("/enter", **sent).status_code == 200
        session = self.settings.sessions.read(client.cookies[self.settings.cookie])
        client.headers["x-csrf-token"] = session.csrf
        return client


def make_settings(folder, *, key=b"k" * 32, people=None, **options):
    people = people or Users(owner="olga")
    sessions = Sessions(people, place=str(folder), key=key)
    return WebSettings(Directory(folder), people, sessions, hosts=frozenset({HOST}), **options)
