"""The first page: all audits and evaluations that a person may see."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from justesse.web.access import MEMBERS, person_of
from justesse.web.pages import page, settings_of

router = APIRouter(include_in_schema=False)


@router.get("/", dependencies=[MEMBERS])
def home(request: Request) -> Response:
    """Show the list of audits."""
    person = person_of(request)
    audits = [name for name in settings_of(request).shelf.audits() if person.sees(name)]
    return page(request, "home.html", audits=audits)
