"""Invitations: links that log a person in once, the sessions they begin, and both revoked."""

import hashlib
import json
import os
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from justesse.core.errors import FileError
from justesse.web.people import ROLES, Person

LINK_SECONDS = 24 * 3600
State = Literal["open", "used", "revoked", "expired"]


@dataclass(frozen=True)
class Invitation:
    """An invitation: for whom, from whom and since when; when its link was used, and when it was revoked."""

    id: str
    person: Person
    by: str
    made: float
    used: float | None = None
    revoked: float | None = None

    @property
    def state(self) -> State:
        """Whether the link can be used, was used, was revoked, or has expired."""
        if self.revoked is not None:
            return "revoked"
        if self.used is not None:
            return "used"
        return "open" if time.time() < self.made + LINK_SECONDS else "expired"


class Invitations:
    """All invitations of a server, and the sessions that people ended themselves.

    They are kept in a file that only grows, one event on a line, so that a server and a command may write to it at the
    same time, and what was revoked stays revoked when the server restarts. Without a file they last as long as the
    process.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self._read = 0  # bytes of the file
        self._invitations: dict[str, Invitation] = {}
        self._links: dict[str, str] = {}
        self._ended: set[str] = set()
        self._lock = threading.Lock()

    def add(self, person: Person, *, by: str) -> str:
        """Invite a person; return the token of the link."""
        token, id = secrets.token_urlsafe(24), secrets.token_hex(8)
        self._write(
            {
                "event": "invited",
                "id": id,
                "link": link_digest(token),
                "name": person.name,
                "role": person.role,
                "audits": person.audits,
                "by": by,
                "at": time.time(),
            }
        )
        return token

    def open(self, token: str) -> Invitation | None:
        """Return the invitation of a link that can be used; `None` if it was used, revoked or has expired."""
        with self._lock:
            return self._open(token)

    def redeem(self, token: str) -> Invitation | None:
        """Use a link up; `None` if it was used, revoked or has expired."""
        with self._lock:
            invitation = self._open(token)
            if invitation is None:
                return None
            self._append({"event": "used", "id": invitation.id, "at": time.time()})
            return self._invitations[invitation.id]

    def revoke(self, id: str) -> Invitation | None:
        """Revoke an invitation: its link cannot be used, and its session ends; `None` if there is none."""
        if id not in (each.id for each in self):
            return None
        self._write({"event": "revoked", "id": id, "at": time.time()})
        return self._invitations[id]

    def end_session(self, nonce: str) -> None:
        """Remember that a session was ended."""
        self._write({"event": "ended", "nonce": nonce, "at": time.time()})

    def has_ended(self, nonce: str) -> bool:
        """Tell whether a session was ended."""
        with self._lock:
            self._update()
            return nonce in self._ended

    def lets_in(self, id: str) -> bool:
        """Tell whether the session of an invitation may go on."""
        with self._lock:
            self._update()
            invitation = self._invitations.get(id)
            return invitation is not None and invitation.state == "used"

    def __iter__(self) -> Iterator[Invitation]:
        """Go through all invitations, the newest first."""
        with self._lock:
            self._update()
            return iter(list(self._invitations.values())[::-1])

    def _open(self, token: str) -> Invitation | None:
        self._update()
        invitation = self._invitations.get(self._links.get(link_digest(token), ""))
        return invitation if invitation is not None and invitation.state == "open" else None

    def _write(self, event: dict[str, Any]) -> None:
        with self._lock:
            self._update()
            self._append(event)

    def _append(self, event: dict[str, Any]) -> None:
        """Add an event; it is on disk when this returns."""
        if self.file is not None:
            # a line of its own, also after one that was cut short by a crash
            text = f"\n{json.dumps(event)}\n".encode()
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    os.write(handle, text)
                    os.fsync(handle)
                finally:
                    os.close(handle)
            except OSError as error:
                raise FileError(
                    f"{self.file} cannot be written: {error.strerror}. Make its directory writable, and try again."
                ) from error
            self._update()
        else:
            self._take(event)

    def _update(self) -> None:
        """Read what was added to the file since."""
        if self.file is None:
            return
        try:
            if self.file.stat().st_size == self._read:
                return
            with open(self.file, "rb") as stream:
                stream.seek(self._read)
                text = stream.read()
        except FileNotFoundError:
            return
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue  # empty, or cut short by a crash
            self._take(event)

    def _take(self, event: Any) -> None:
        kind = event.get("event") if isinstance(event, dict) else None
        if kind == "ended":
            self._ended.add(event["nonce"])
        elif kind == "invited" and event["role"] in ROLES:
            audits = None if event["audits"] is None else tuple(event["audits"])
            person = Person(event["name"], event["role"], audits)
            self._invitations[event["id"]] = Invitation(event["id"], person, event["by"], event["at"])
            self._links[event["link"]] = event["id"]
        elif kind in ("used", "revoked") and event["id"] in self._invitations:
            before = self._invitations[event["id"]]
            self._invitations[event["id"]] = replace(before, **{kind: getattr(before, kind) or event["at"]})


def link_digest(token: str) -> str:
    """Return what is kept of a token: whoever reads it cannot log in with it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
