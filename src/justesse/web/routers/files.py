"""Scripts and styles of the pages: only the files that belong to them."""

import mimetypes

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from justesse.web.access import EVERYBODY
from justesse.web.pages import static_files

router = APIRouter()


@router.get("/static/{name}", dependencies=[EVERYBODY], include_in_schema=False)
async def static(name: str) -> Response:
    """Return a file of the pages."""
    contents = static_files().get(name)
    if contents is None:
        raise HTTPException(404)
    kind = mimetypes.guess_type(name)[0] or "text/plain"
    return Response(contents, media_type=kind, headers={"cache-control": "max-age=300"})
