"""The page of an owner: the live state of an audit, pause, instructions, export."""

import asyncio
import csv
import io
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from justesse.report.html import as_page
from justesse.verbs.audit.desk import AuditDesk
from justesse.verbs.audit.export import audit_export
from justesse.verbs.audit.status_result import status_of
from justesse.web.access import MEMBERS, OWNERS, READERS, person_of
from justesse.web.desks import desk_of
from justesse.web.owner_view import owner_view
from justesse.web.pages import fragment, page, settings_of
from justesse.web.report_policy import report_policy

router = APIRouter(include_in_schema=False)
MOST_INVITATIONS = 200  # on a page, the newest
INVITATION_STATES = {
    "open": "link not used yet",
    "used": "logged in",
    "revoked": "revoked",
    "expired": "link expired",
}
LOOK_SECONDS = 0.3
OTHERS_SECONDS = 3.0  # how often answers of other processes are looked for


@router.get("/audits/{audit}", dependencies=[MEMBERS])
async def overview(request: Request, audit: str) -> Response:
    """Show an owner or reader the state of an audit; an expert must not see it, and is led to the questions."""
    desk = await desk_of(request, audit)
    if person_of(request).role == "expert":
        return RedirectResponse(f"/audits/{quote(audit, safe='')}/instructions", 303)
    return await audit_page(request, audit, desk)


async def audit_page(request: Request, audit: str, desk: AuditDesk, *, link: str = "", invited: str = "") -> Response:
    """Show the state of an audit, its invitations, and a link that was just made."""
    view = await asyncio.wrap_future(desk.look(owner_view))
    invitations = []
    if person_of(request).role == "owner":
        invitations = [each for each in settings_of(request).sessions.invitations if each.person.sees(audit)]
    return page(
        request, "audit.html", audit=audit, view=view, link=link, invited=invited,
        invitations=invitations[:MOST_INVITATIONS], states=INVITATION_STATES,
    )  # fmt: skip


@router.get("/audits/{audit}/events", dependencies=[READERS])
async def events(request: Request, audit: str) -> Response:
    """Send the live part of the page whenever an answer arrives, until the reader leaves or the server stops."""
    desk = await desk_of(request, audit)
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(_changes(request, desk, audit), media_type="text/event-stream", headers=headers)


async def _changes(request: Request, desk: AuditDesk, audit: str) -> AsyncIterator[str]:
    seen, since, once = -1, 0.0, "once" in request.query_params
    while True:
        if desk.closed or request.app.state.stopping() or not _still_reads(request, audit):
            return
        if desk.version != seen or since >= OTHERS_SECONDS:
            view, since = await asyncio.wrap_future(desk.look(owner_view)), 0.0
            if desk.version != seen:
                seen = desk.version
                yield f"data: {json.dumps(fragment('live.html', view=view))}\n\n"
                if once:
                    return
            else:
                yield ": here\n\n"  # a reader who has left is noticed when something is sent
        await asyncio.sleep(LOOK_SECONDS)
        since += LOOK_SECONDS
        if await request.is_disconnected():
            return


def _still_reads(request: Request, audit: str) -> bool:
    """Tell whether the session goes on and its person may still see the audit."""
    settings = settings_of(request)
    session = settings.sessions.read(request.cookies.get(settings.cookie, ""))
    return session is not None and session.person.role in ("owner", "reader") and session.person.sees(audit)


@router.post("/audits/{audit}/pause", dependencies=[OWNERS])
async def pause(request: Request, audit: str, paused: Annotated[bool, Form()]) -> Response:
    """Give no further questions, or give them again; the audit file keeps who did it and when."""
    desk = await desk_of(request, audit)
    await asyncio.wrap_future(desk.amend("paused", paused, by=person_of(request).name))
    return RedirectResponse(f"/audits/{quote(audit, safe='')}", 303)


@router.post("/audits/{audit}/instructions", dependencies=[OWNERS])
async def instruct(request: Request, audit: str, text: Annotated[str, Form(max_length=20_000)] = "") -> Response:
    """Change the instructions to annotators; the audit file keeps the old ones."""
    desk = await desk_of(request, audit)
    text = text.replace("\r\n", "\n").strip()
    await asyncio.wrap_future(desk.amend("instructions", text, by=person_of(request).name))
    return RedirectResponse(f"/audits/{quote(audit, safe='')}", 303)


@router.get("/audits/{audit}/export", dependencies=[OWNERS])
async def export(request: Request, audit: str) -> Response:
    """Send a copy of the audit file, with every answer."""
    desk = await desk_of(request, audit)

    def copy() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "copy.audit"
            audit_export(desk.file.path, place)
            return place.read_bytes()

    contents = await asyncio.to_thread(copy)
    return Response(contents, media_type="application/octet-stream", headers=_as_file(audit))


@router.get("/audits/{audit}/answers.csv", dependencies=[READERS])
async def answers_table(request: Request, audit: str) -> Response:
    """Send all answers as a table."""
    desk = await desk_of(request, audit)
    columns = await asyncio.wrap_future(desk.look(lambda status: status.to_columns()))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=_as_file(f"{audit}.csv"))


@router.get("/audits/{audit}/report", dependencies=[READERS])
async def report(request: Request, audit: str) -> Response:
    """Show the same page as justesse audit report."""
    desk = await desk_of(request, audit)
    path = desk.file.path

    def make() -> str:
        from justesse.verbs.audit.audit import read_audit

        return as_page(status_of(read_audit(path), "report").document())

    text = await asyncio.to_thread(make)
    return HTMLResponse(text, headers={"content-security-policy": report_policy(text)})


def _cell(value: Any) -> Any:
    """Keep a text from being run as a formula when a spreadsheet opens the table; numbers stay as they are.

    >>> _cell("=1+1"), _cell("-1.5"), _cell("cat")
    ("'=1+1", '-1.5', 'cat')
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("=", "+", "-", "@")):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _as_file(name: str) -> dict[str, str]:
    return {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
