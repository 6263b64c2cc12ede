"""Logging in with a one-time token or a password, and logging out."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from justesse.web.access import EVERYBODY, MEMBERS, session_of
from justesse.web.login_guard import LoginGuard, TooManyAttemptsError
from justesse.web.pages import page, settings_of
from justesse.web.sessions import SECONDS

router = APIRouter(include_in_schema=False)
LONGEST_TOKEN = 100


def _logged_in(request: Request, response: Response, cookie: str) -> Response:
    response.set_cookie(
        settings_of(request).cookie,
        cookie,
        max_age=SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.get("/enter", dependencies=[EVERYBODY])
async def enter(request: Request, token: str = "") -> Response:
    """Log the owner in with a one-time token, or ask whoever was invited to begin.

    Only the button of that page uses an invitation up: chats and mail programs open links to preview them.
    """
    invitation = await asyncio.to_thread(settings_of(request).sessions.invitations.open, token)
    if invitation is not None:
        return page(request, "invited.html", invitation=invitation, token=token)
    return await _entered(request, token)


@router.post("/enter", dependencies=[EVERYBODY])
async def begin(request: Request, token: Annotated[str, Form(max_length=LONGEST_TOKEN)]) -> Response:
    """Log in with an invitation, and use it up."""
    return await _entered(request, token)


async def _entered(request: Request, token: str) -> Response:
    """Log in with a token, and use it up.

    The answer is a page that leads on, not a redirect: a browser that comes from another site would not send a
    SameSite=Strict cookie to the redirect's target.
    """
    entered = await asyncio.to_thread(settings_of(request).sessions.redeem, token)
    if entered is None:
        if session_of(request) is not None:
            return RedirectResponse("/", 303)
        return page(request, "login.html", status=401, wrong=USED, closed=not settings_of(request).people.can_log_in)
    person, cookie = entered
    target = f"/audits/{person.audits[0]}/answer" if person.audits and person.role == "expert" else "/"
    answer = page(request, "enter.html", target=target)
    return _logged_in(request, answer, cookie)


USED = "This link was used before, was revoked or has expired. Ask for a new one, or start the server again."
WRONG = "Wrong name or password."
MANY = "Too many attempts. Wait a minute."


@router.get("/login", dependencies=[EVERYBODY])
async def login_page(request: Request) -> Response:
    """Show the form to log in."""
    return page(request, "login.html", wrong="", closed=not settings_of(request).people.can_log_in)


@router.post("/login", dependencies=[EVERYBODY])
async def login(request: Request, name: Annotated[str, Form()], password: Annotated[str, Form()]) -> Response:
    """Log in with a password."""
    people = settings_of(request).people
    guard: LoginGuard = request.app.state.logins
    try:
        person = await guard.checked(people, name, password) if people.can_log_in else None
    except TooManyAttemptsError:
        return page(request, "login.html", status=429, wrong=MANY, closed=False)
    if person is None:
        return page(request, "login.html", status=401, wrong=WRONG, closed=not people.can_log_in)
    cookie = settings_of(request).sessions.cookie(person, by_password=True)
    return _logged_in(request, RedirectResponse("/", 303), cookie)


@router.post("/logout", dependencies=[MEMBERS])
async def logout(request: Request) -> Response:
    """Log out."""
    session = session_of(request)
    assert session is not None
    settings_of(request).sessions.end(session)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(settings_of(request).cookie, httponly=True, samesite="strict")
    return answer
