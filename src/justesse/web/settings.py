"""What a server needs to know."""

from dataclasses import dataclass, field
from pathlib import Path

from justesse.web.people import Users
from justesse.web.sessions import Sessions
from justesse.web.shelf import Shelf

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class WebSettings:
    """What a server needs to know.

    Parameters
    ----------
    shelf
        Where audits and evaluations are.
    people
        Who may log in with a password.
    sessions
        Who is logged in.
    hosts
        Values of the header Host that are answered, such as 127.0.0.1:8000. Others may come from a page whose own name
        points to this machine.
    cookie
        Name of the cookie. Cookies do not tell ports apart, so it names the port.
    upload_limit
        Bytes of an uploaded form at most.
    body_limit
        Bytes of any other request at most.
    patience
        Seconds that a request may take to arrive.
    """

    shelf: Shelf
    people: Users
    sessions: Sessions
    hosts: frozenset[str]
    cookie: str = "justesse"
    upload_limit: int = 200 * MEGABYTE
    body_limit: int = MEGABYTE
    patience: float = 30.0
    media: tuple[Path, ...] = field(default=())
