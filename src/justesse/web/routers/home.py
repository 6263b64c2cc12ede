"""The first page: all audits and evaluations that a person may see."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from justesse.web.access import MEMBERS, person_of
from justesse.web.pages import page, settings_of
from justesse.web.recheck_view import recheck_names

router = APIRouter(include_in_schema=False)


@router.get("/", dependencies=[MEMBERS])
def home(request: Request) -> Response:
    """Show the audits and the lists to re-check."""
    person, settings = person_of(request), settings_of(request)
    audits = [name for name in settings.shelf.audits() if person.sees(name)]
    lists = []
    if person.role != "reader":
        lists = [name for name in recheck_names(settings.shelf.folder) if person.sees(name)]
    return page(request, "home.html", audits=audits, lists=lists)
