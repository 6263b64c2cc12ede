"""Who may use a route: every route names its rule, and the server does not start with one that does not."""

import hmac
from collections.abc import Iterable
from typing import Any

from fastapi import Depends, HTTPException, Request
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from justesse.web.people import ROLES, Person, Role
from justesse.web.sessions import WebSession

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
OUT_OF_DATE = "This form is out of date. Load the page again, and send it again."


class Access:
    """The rule of a route: the roles that may use it; everybody if there are none.

    `every_audit` keeps out people who were given certain audits only: what the route shows belongs to no audit.
    """

    def __init__(self, *roles: Role, every_audit: bool = False) -> None:
        self.roles, self.every_audit = roles, every_audit

    async def __call__(self, request: Request) -> None:
        """Refuse a person without the role, and a form that was not made by this server."""
        session = session_of(request)
        if (refused := self.refusal(session)) is not None:
            raise HTTPException(*refused)
        if session is None or not self.roles or request.method not in UNSAFE:
            return
        if not await _has_token(request, session):
            raise HTTPException(403, OUT_OF_DATE)

    def refusal(self, session: WebSession | None) -> tuple[int, str] | None:
        """Return why a person may not use the route, as status and sentence; needs nothing of the request's body."""
        if not self.roles:
            return None
        if session is None:
            return 401, "Log in first."
        if session.person.role not in self.roles:
            return 403, f"This page is for {' and '.join(f'{role}s' for role in self.roles)}."
        if self.every_audit and not session.person.sees_all:
            return 403, "This page is for people who may see everything here, not for certain audits only."
        return None


def rule_for(routes: Iterable[Any], scope: Scope) -> Access | None:
    """Return the rule of the route that will answer a request; `None` if there is no such route."""
    for route in routes:
        if route.matches(scope)[0] is Match.FULL:
            return rule_of(route)
    return None


async def _has_token(request: Request, session: WebSession) -> bool:
    """Tell whether a request carries the token of its session, in a header or in a form."""
    token: Any = request.headers.get("x-csrf-token")
    kind = request.headers.get("content-type", "")
    if token is None and kind.startswith(("multipart/form-data", "application/x-www-form-urlencoded")):
        token = (await request.form()).get("csrf")
    return isinstance(token, str) and hmac.compare_digest(token.encode(), session.csrf.encode())


def session_of(request: Request) -> WebSession | None:
    """Return the session of a request, if there is one."""
    session: WebSession | None = request.scope.get("justesse.session")
    return session


def person_of(request: Request) -> Person:
    """Return who sends a request; the route's rule has made sure that somebody does."""
    session = session_of(request)
    assert session is not None
    return session.person


EVERYBODY = Depends(Access())
MEMBERS = Depends(Access(*ROLES))
OWNERS = Depends(Access("owner"))
READERS = Depends(Access("owner", "reader"))
ALL_READERS = Depends(Access("owner", "reader", every_audit=True))
EXPERTS = Depends(Access("owner", "expert"))


def rule_of(route: APIRoute) -> Access:
    """Return the rule of a route; there must be exactly one."""
    rules = [each.dependency for each in route.dependencies if isinstance(each.dependency, Access)]
    if len(rules) != 1:
        raise TypeError(f"{sorted(route.methods or ())} {route.path} has {len(rules)} access rules; it needs one.")
    return rules[0]


def check_rules(routes: Iterable[Any]) -> None:
    """Refuse routes without a rule."""
    for route in routes:
        if not isinstance(route, APIRoute):
            raise TypeError(f"{route!r} is not an APIRoute, so it has no access rule.")
        rule_of(route)
