"""Dossiers of the served directory, each verified when it is looked at."""

import asyncio
from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from justesse.core.errors import InputError
from justesse.report.html import as_page
from justesse.verbs.dossier.verify import dossier_verify
from justesse.web.access import ALL_READERS
from justesse.web.data_files import MOST_LISTED, is_dossier, reader_words, served_file
from justesse.web.pages import page, settings_of
from justesse.web.report_policy import report_policy

router = APIRouter(include_in_schema=False)
ENDING = ".json"


def _listed(folder: Path | None, users: Path | None) -> list[str]:
    """List the files of the directory that look like dossiers."""
    if folder is None:
        return []
    names = sorted(path.name for path in folder.glob(f"*{ENDING}"))[:MOST_LISTED]
    return [name for name in names if (file := served_file(folder, name, users)) is not None and is_dossier(file.path)]


@router.get("/dossiers", dependencies=[ALL_READERS])
def dossiers(request: Request) -> Response:
    """Show the list."""
    settings = settings_of(request)
    names = _listed(settings.shelf.folder, settings.people.file)
    return page(request, "dossiers.html", rows=[(name, quote(name, safe="")) for name in names])


@router.get("/dossiers/{name}", dependencies=[ALL_READERS])
async def dossier(request: Request, name: str) -> Response:
    """Verify a dossier, and show each check with what is wrong."""
    settings = settings_of(request)
    file = served_file(settings.shelf.folder, name, settings.people.file) if name.endswith(ENDING) else None
    if file is None:
        raise HTTPException(404, "There is no such dossier.")
    try:
        text = await asyncio.to_thread(lambda: as_page(dossier_verify(file.path).document()))
    except InputError as error:
        return page(request, "error.html", status=400, detail=reader_words(error, file))
    text = text.replace(f"{file.path.parent}/", "")
    return HTMLResponse(text, headers={"content-security-policy": report_policy(text)})
