"""Pages from templates: one look for all of them, whatever is in them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from justesse.core.version import __version__
from justesse.report import html
from justesse.web.access import session_of
from justesse.web.people import Role
from justesse.web.settings import WebSettings

HERE = Path(__file__).parent


@dataclass(frozen=True)
class HeadLink:
    """A page that the head of every page leads to, and for whom."""

    title: str
    path: str
    roles: tuple[Role, ...]
    every_audit: bool = True  # not for people who were given certain audits only


LINKS: tuple[HeadLink, ...] = (
    HeadLink("New audit", "/new", ("owner",)),
    HeadLink("Evaluations", "/evaluations", ("owner", "reader")),
    HeadLink("Dossiers", "/dossiers", ("owner", "reader")),
    HeadLink("Policies", "/policies", ("owner", "reader")),
)


@cache
def environment() -> Environment:
    """Return the environment of templates; it escapes everything, and spells out characters that turn texts around."""
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=html.shown,
        auto_reload=False,  # otherwise every page asks the disk whether its template is still the same
    )


def settings_of(request: Request) -> WebSettings:
    """Return the settings of the server."""
    settings: WebSettings = request.app.state.settings
    return settings


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Make a page; templates know the session, the version and where they are."""
    session = session_of(request)
    text = environment().get_template(template).render(
        session=session,
        person=session and session.person,
        csrf=session.csrf if session else "",
        here=request.url.path,
        links=[
            link for link in LINKS
            if session and session.person.role in link.roles and (session.person.sees_all or not link.every_audit)
        ],
        version=__version__,
        place=settings_of(request).shelf.title if session else "",
        **context,
    )  # fmt: skip
    return HTMLResponse(text, status)


def fragment(template: str, **context: Any) -> str:
    """Make a part of a page, for a page that is open already."""
    return environment().get_template(template).render(version=__version__, **context)


@cache
def static_files() -> dict[str, bytes]:
    """Read the files that pages need: those of this room and the style that reports have."""
    files = {path.name: path.read_bytes() for path in (HERE / "static").iterdir() if path.is_file()}
    return files | {"page.css": (html.HERE / "page.css").read_bytes()}
