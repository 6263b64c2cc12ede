"""The web application: all pages, one guard in front of them."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from justesse.core.errors import JustesseError
from justesse.core.version import __version__
from justesse.web.access import check_rules, session_of
from justesse.web.desks import Desks
from justesse.web.login_guard import LoginGuard
from justesse.web.pages import page
from justesse.web.routers import ALL
from justesse.web.settings import WebSettings
from justesse.web.shield import Shield


def create_app(settings: WebSettings) -> FastAPI:
    """Put the application together; every route must name who may use it."""
    app = FastAPI(title="justesse", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.state.desks = Desks(settings.shelf)
    app.state.logins = LoginGuard()
    app.state.stopping = lambda: False  # the server that runs the application tells it
    for router in ALL:
        app.router.routes += router.routes  # as they are, so that each can be asked for its rule
    check_rules(app.routes)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(JustesseError, _bad_input)
    app.add_middleware(Shield, settings=settings, routes=app.routes, answer=_answer)
    return app


def _answer(request: Request, status: int, detail: str, headers: Any = None) -> Response:
    """Say what is wrong, as JSON to programs and as a page to people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": detail}, status, headers)
    if status == 401:
        answer: Response = page(request, "login.html", status=401, wrong="", closed=not _has_passwords(request))
    else:
        answer = page(request, "error.html", status=status, detail=detail)
    answer.headers.update(headers or {})
    return answer


def _has_passwords(request: Request) -> bool:
    settings: WebSettings = request.app.state.settings
    return settings.people.can_log_in


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    plain = {404: "There is no such page.", 405: "This page does not take such requests."}
    detail = error.detail
    if error.status_code in plain and detail in ("Not Found", "Method Not Allowed"):
        detail = plain[error.status_code]
    return _answer(request, error.status_code, detail, error.headers)


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    detail = f"The request cannot be read: {place}: {first['msg']}."
    if session_of(request) is None:
        return _answer(request, 401, "Log in first.")
    return _answer(request, 422, detail)


async def _bad_input(request: Request, error: Exception) -> Response:
    return _answer(request, 400, str(error))
