"""Checks before a request is read, and headers after it: hosts, sessions, roles, sizes, content policy."""

from collections.abc import Callable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from justesse.web.access import rule_for
from justesse.web.limited_body import TOO_LARGE, LimitedBody
from justesse.web.settings import WebSettings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src "
    "'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without any, browsers send a form with the origin "null"
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_POSTS = frozenset({"/enter", "/login"})
FOREIGN = "This server does not answer for this host name. Use the address it printed."
UPLOADS = ("/new", "/evaluations/new", "/policies/upload")


class Shield:
    """Refuse what must not reach a page, and add the headers every answer has.

    Whoever may not use a route is refused before the body is read. A route may set its own content policy; every other
    header is the same everywhere.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: WebSettings,
        routes: Sequence[Any],
        answer: Callable[[Request, int, str], Response],
    ) -> None:
        self.app, self.settings, self.routes, self.answer = app, settings, routes, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        body = LimitedBody(receive, self._most(scope), self.settings.patience)

        sends = "expect" not in headers  # the others wait for an answer before they send the body

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message["headers"]}
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in names)]
                if scope["method"] not in SAFE and not (sends and await body.has_arrived()):
                    message["headers"].append((b"connection", b"close"))  # do not wait for the rest
            elif scope["method"] not in SAFE and sends and not body.ended and not message.get("more_body", False):
                # a connection that is closed while its sender still sends loses the answer on the way
                await send({**message, "more_body": True})
                await body.drain()
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        if headers.get("host") not in self.settings.hosts:
            await _plain(guarded_send, 421, FOREIGN)
            return
        cookie = _cookie(headers.get("cookie", ""), self.settings.cookie)
        scope["justesse.session"] = None if cookie is None else self.settings.sessions.read(cookie)
        refused = None if scope["method"] in SAFE else self._refused(scope, headers)
        if refused is not None:
            await self.answer(Request(scope), *refused)(scope, body.receive, guarded_send)
            return
        await self.app(scope, body.receive, guarded_send)

    def _refused(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Return why a request that changes something is refused before its body is read."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "This request comes from another site."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers["host"]:
            return 403, "This request comes from another site."
        session = scope["justesse.session"]
        if session is None and scope["path"] not in OPEN_POSTS:
            return 401, "Log in first."
        rule = rule_for(self.routes, scope)
        if rule is not None and (refused := rule.refusal(session)) is not None:
            return refused
        size = headers.get("content-length", "0")
        if size.isdigit() and int(size) > self._most(scope):
            return 413, TOO_LARGE
        return None

    def _most(self, scope: Scope) -> int:
        return self.settings.upload_limit if scope["path"] in UPLOADS else self.settings.body_limit


def _cookie(header: str, name: str) -> str | None:
    try:
        morsel: Any = SimpleCookie(header).get(name)
    except CookieError:
        return None
    return None if morsel is None else str(morsel.value)


async def _plain(send: Send, status: int, text: str) -> None:
    body = f"{text}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
