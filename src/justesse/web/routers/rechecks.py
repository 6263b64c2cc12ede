"""The page of a list to re-check: people answer one row at a time, about labels or about what a system answered."""

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from justesse.core.errors import InputError
from justesse.verbs.recheck.recheck import recheck_answer
from justesse.web.access import EXPERTS, person_of
from justesse.web.data_files import DataFile, reader_words
from justesse.web.pages import page, settings_of
from justesse.web.recheck_view import recheck_path, shown_list

router = APIRouter(include_in_schema=False)
LONGEST = 100_000  # letters of a typed text


def _path(request: Request, name: str) -> Path:
    """Return the path of a list that the person may see; others do not learn whether it exists."""
    settings = settings_of(request)
    path = recheck_path(settings.shelf.folder, name) if person_of(request).sees(name) else None
    if path is None:
        raise HTTPException(404, f"There is no list {name[:100]!r} in {settings.shelf.title}.")
    return path


def _shown(request: Request, name: str, *, problem: str = "", typed: str | None = None) -> Response:
    shown = shown_list(_path(request, name), person_of(request).name)
    status = 400 if problem else 200
    return page(
        request, "recheck.html", status=status, name=name, shown=shown, row=shown.row, problem=problem, typed=typed
    )


@router.get("/lists/{name}", dependencies=[EXPERTS])
def ask(request: Request, name: str) -> Response:
    """Show the row to answer next."""
    return _shown(request, name)


@router.post("/lists/{name}", dependencies=[EXPERTS])
def answer(
    request: Request,
    name: str,
    id: Annotated[str, Form(max_length=LONGEST)],
    class_name: Annotated[str | None, Form(max_length=LONGEST)] = None,
    text: Annotated[str | None, Form(max_length=LONGEST)] = None,
    kind: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """Save an answer, then show the next row.

    Parameters
    ----------
    request
        The request.
    name
        Name of the list.
    id
        Id of the row.
    class_name
        The class that was chosen.
    text
        What was typed, if people type.
    kind
        Answered without a class: cannot_say, or withdrawn for the last answer.
    """
    path, person = _path(request, name), person_of(request).name
    chosen = class_name if text is None else text.strip() or '""'
    try:
        if kind in ("cannot_say", "withdrawn"):
            recheck_answer(path, id, by=person, cannot_say=kind == "cannot_say", withdraw=kind == "withdrawn")
        elif chosen is None:
            raise InputError("Choose one answer.")
        else:
            recheck_answer(path, id, chosen, by=person)
    except InputError as error:
        return _shown(request, name, problem=reader_words(error, DataFile(name, name, path)), typed=text)
    return RedirectResponse(f"/lists/{quote(name, safe='')}", 303)
