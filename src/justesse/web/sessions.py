"""Who sends a request: signed cookies that survive a restart, one-time tokens, and tokens against forged forms."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from justesse.web.invitations import LINK_SECONDS, Invitations, link_digest
from justesse.web.people import ROLES, Person, Users
from justesse.web.shelf import Shelf

SECONDS = 7 * 24 * 3600
MOST_TOKENS = 1_000


@dataclass(frozen=True)
class WebSession:
    """A person who has logged in, and the token that forms of this session must carry."""

    person: Person
    csrf: str
    nonce: str


class Sessions:
    """Make and check sessions.

    A cookie holds name, role, audits and expiry, signed with a key that stays on this machine, so that people who
    answer stay logged in when the server restarts. At every request it is looked up whether the person is still a user,
    has the same password as when the session began, and whether the invitation was revoked.
    """

    def __init__(
        self, people: Users, *, place: str, key: bytes | None = None, invitations: Invitations | None = None
    ) -> None:
        self.people, self.invitations = people, invitations or Invitations()
        self._key = hmac.digest(key or kept_key(), place.encode(), "sha256")
        self._tokens: dict[str, tuple[Person, float]] = {}
        self._lock = threading.Lock()

    def token(self, person: Person) -> str:
        """Return a token that logs an owner in once, as long as this server runs; others are invited."""
        text = secrets.token_urlsafe(24)
        with self._lock:
            while len(self._tokens) >= MOST_TOKENS:
                self._tokens.pop(next(iter(self._tokens)))
            self._tokens[link_digest(text)] = (person, time.time() + LINK_SECONDS)
        return text

    def redeem(self, token: str) -> tuple[Person, str] | None:
        """Use a token up; return who logs in and the cookie of the new session."""
        with self._lock:
            person, until = self._tokens.pop(link_digest(token), (None, 0.0))
        if person is not None:
            return (person, self.cookie(person)) if time.time() < until else None
        invitation = self.invitations.redeem(token)
        if invitation is None:
            return None
        return invitation.person, self.cookie(invitation.person, invitation=invitation.id)

    def cookie(self, person: Person, *, by_password: bool = False, invitation: str = "") -> str:
        """Return the cookie of a new session."""
        about = {
            "name": person.name,
            "role": person.role,
            "audits": person.audits,
            "user": by_password,
            "invitation": invitation,
            "password": self._password_mark(person.name),
            "until": int(time.time()) + SECONDS,
            "nonce": secrets.token_urlsafe(12),
        }
        text = base64.urlsafe_b64encode(json.dumps(about).encode()).decode().rstrip("=")
        return f"{text}.{self._signature('session', text)}"

    def read(self, cookie: str) -> WebSession | None:
        """Return the session of a cookie; `None` if it was changed, has ended, or its person may no longer come in."""
        text, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature("session", text).encode()):
            return None
        about = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if about["until"] < time.time() or about["role"] not in ROLES or self.invitations.has_ended(about["nonce"]):
            return None
        # a new password ends all sessions of its person, also those that began with a link
        if about.get("password") != self._password_mark(about["name"]):
            return None
        invitation = about.get("invitation", "")
        if invitation and not self.invitations.lets_in(invitation):
            return None
        if not (invitation or about["user"] or about["role"] == "owner"):
            return None
        person: Person | None
        if about["user"]:
            person = self.people.named(about["name"])
        else:
            audits = about["audits"]
            person = Person(about["name"], about["role"], None if audits is None else tuple(audits))
        return None if person is None else WebSession(person, self._signature("csrf", about["nonce"]), about["nonce"])

    def end(self, session: WebSession) -> None:
        """End a session."""
        self.invitations.end_session(session.nonce)

    def _password_mark(self, name: str) -> str:
        """Return what tells a person's password from an earlier one, without giving it away; "" without a password."""
        secret = self.people.secret(name)
        return "" if secret is None else self._signature("password", secret)[:32]

    def _signature(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}\n{text}".encode(), hashlib.sha256).hexdigest()


def state_folder() -> Path:
    """Return the directory of what a server remembers on this machine."""
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "justesse"


def place_of(shelf: Shelf) -> str:
    """Return what tells one served place from others."""
    return f"{shelf.title}\n{shelf.folder}"


def kept_invitations(place: str) -> Invitations:
    """Return the invitations to a served place, which outlive its server if this machine can keep them."""
    folder = state_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return Invitations()
    if not os.access(folder, os.W_OK):
        return Invitations()
    return Invitations(folder / f"invitations-{hashlib.sha256(place.encode()).hexdigest()[:16]}.jsonl")


def kept_key() -> bytes:
    """Read the key of this user on this machine, or make it; if it cannot be kept, it lasts until the server ends."""
    file = state_folder() / "session.key"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            kept = file.read_bytes()
            return kept if len(kept) == 32 else secrets.token_bytes(32)
        with os.fdopen(handle, "wb") as stream:
            stream.write(key := secrets.token_bytes(32))
        return key
    except OSError:
        return secrets.token_bytes(32)
