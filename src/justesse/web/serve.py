"""Run the server: find a port, print the address, answer until it is stopped."""

import asyncio
import ipaddress
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from justesse.core.errors import OptionError
from justesse.verbs.audit.answer import user
from justesse.web.app import create_app
from justesse.web.people import Person, Users
from justesse.web.sessions import Sessions, kept_invitations, place_of
from justesse.web.settings import WebSettings
from justesse.web.shelf import Shelf

HEADER_SECONDS = 15.0
MOST_CONNECTIONS = 500  # below the usual limit of 1,024 open files; more are told to come back later
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


class PatientProtocol(H11Protocol):
    """HTTP with an end to the wait for every request: senders of half a header do not keep connections for ever."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()  # the header is complete
        elif self.timeout_keep_alive_task is None:
            self._wait()  # a header has begun; between requests, uvicorn itself waits

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is None:
            self._late = asyncio.get_running_loop().call_later(HEADER_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class ReadyServer(uvicorn.Server):
    """Tells when it has started: from then on, a signal stops it cleanly."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then tell."""
        await super().startup(sockets=sockets)
        self._started()


def is_local(host: str) -> bool:
    """Tell whether only programs on this machine reach a host.

    >>> [is_local(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.1.5", "example.org")]
    [True, True, True, False, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    shelf: Shelf,
    *,
    people: Users,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    ready: Callable[[str], None],
) -> None:
    """Serve until the process is stopped.

    Parameters
    ----------
    shelf
        Where the audits are.
    people
        Who may log in with a password.
    host
        Address to listen at.
    port
        Port to listen at; 0 takes a free one.
    browser
        Open a browser on the page.
    ready
        Called with the address and a one-time token, once the server can be reached.
    """
    listening = _listening(host, port)
    port = int(listening.getsockname()[1])
    name = f"[{host}]" if ":" in host else host
    place = place_of(shelf)
    sessions = Sessions(people, place=place, invitations=kept_invitations(place))
    settings = WebSettings(shelf, people, sessions, hosts=allowed_hosts(host, port), cookie=f"justesse-{port}")
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else name  # noqa: S104 - only compared
    address = f"http://{shown}:{port}/enter?token={sessions.token(Person(user(), 'owner'))}"
    app = create_app(settings)
    config = uvicorn.Config(
        app, http=PatientProtocol, log_level="error", access_log=False, server_header=False,
        proxy_headers=False, lifespan="off", ws="none", timeout_graceful_shutdown=2, timeout_keep_alive=30,
        limit_concurrency=MOST_CONNECTIONS,
    )  # fmt: skip

    def started() -> None:
        ready(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # may wait for the browser

    server = ReadyServer(config, started)
    app.state.stopping = lambda: server.should_exit
    server.run(sockets=[listening])


def allowed_hosts(host: str, port: int) -> frozenset[str]:
    """List the host names that are answered: a page of another name could be an attacker's."""
    names = {f"[{host}]" if ":" in host else host, *LOCAL_NAMES}
    if host in ("0.0.0.0", "::"):  # noqa: S104 - only compared
        names |= {socket.gethostname(), socket.getfqdn(), *_own_addresses()}
    return frozenset({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


def _own_addresses() -> set[str]:
    try:
        every = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return set()
    return {f"[{place[0]}]" if family == socket.AF_INET6 else str(place[0]) for family, _, _, _, place in every}


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(256)
    except (OSError, OverflowError) as error:
        made.close()
        reason = getattr(error, "strerror", None) or "a port is a number from 0 to 65535"
        raise OptionError(
            f"The server cannot listen at {host}, port {port}: {reason}. Choose another port; --port 0 takes a free "
            "one."
        ) from error
    return made
