"""Invite people to an audit, and revoke invitations."""

import asyncio
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from justesse.core.errors import OptionError
from justesse.web.access import OWNERS, person_of
from justesse.web.desks import desk_of
from justesse.web.pages import settings_of
from justesse.web.people import LONGEST_NAME, Person, check_person_name
from justesse.web.routers.owning import audit_page

router = APIRouter(include_in_schema=False)


@router.post("/audits/{audit}/invite", dependencies=[OWNERS])
async def invite(
    request: Request,
    audit: str,
    name: Annotated[str, Form(min_length=1, max_length=LONGEST_NAME)],
    role: Annotated[Literal["expert", "reader"], Form()] = "expert",
) -> Response:
    """Make a link that logs a person in once, for this audit only."""
    desk = await desk_of(request, audit)
    check_person_name(name)
    person, settings = Person(name.strip(), role, (audit,)), settings_of(request)
    if person.name.casefold() in (settings.people.owner.casefold(), person_of(request).name.casefold()):
        raise OptionError(f"{person.name!r} is the name of an owner of this server. Choose another name for the link.")
    if settings.people.named(person.name) is not None:
        raise OptionError(f"{person.name!r} has a password and logs in with it. Choose another name for the link.")
    token = await asyncio.to_thread(settings.sessions.invitations.add, person, by=person_of(request).name)
    link = f"{request.url.scheme}://{request.headers['host']}/enter?token={token}"
    return await audit_page(request, audit, desk, link=link, invited=person.name)


@router.post("/audits/{audit}/revoke", dependencies=[OWNERS])
async def revoke(request: Request, audit: str, id: Annotated[str, Form(max_length=100)]) -> Response:
    """Revoke an invitation: its link cannot be used any more, and the session that it began ends."""
    await desk_of(request, audit)
    invitations = settings_of(request).sessions.invitations
    of_audit = {each.id for each in invitations if each.person.sees(audit)}
    if id not in of_audit:
        raise HTTPException(404, "There is no such invitation to this audit.")
    await asyncio.to_thread(invitations.revoke, id)
    return RedirectResponse(f"/audits/{quote(audit, safe='')}#invitations", 303)
