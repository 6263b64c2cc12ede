"""`GET /healthz`: whether the server answers."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from justesse.web.access import EVERYBODY

router = APIRouter()


@router.get("/healthz", dependencies=[EVERYBODY], include_in_schema=False)
async def healthz() -> PlainTextResponse:
    """Answer."""
    return PlainTextResponse("ok\n")
