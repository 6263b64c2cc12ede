"""Evaluations that were kept: the list, one of them, two side by side."""

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from justesse.core.errors import FileError, InputError
from justesse.store.database import Store
from justesse.store.evaluations import LISTED, KeptEvaluation, ListedEvaluation, listed_evaluations, read_evaluation
from justesse.web.access import ALL_READERS
from justesse.web.evaluation_changes import data_changes, measure_changes
from justesse.web.pages import page, settings_of
from justesse.web.report_policy import report_policy
from justesse.web.store_shelf import evaluations_of

router = APIRouter(include_in_schema=False)
LARGEST = 2**31 - 1
Number = Annotated[int, Query(ge=1, le=LARGEST)]
T = TypeVar("T")


async def _looked(request: Request, look: Callable[[Store], T], empty: T) -> T:
    """Look something up in the store; without a store there is nothing."""

    def look_there() -> T:
        store = evaluations_of(settings_of(request).shelf.store)
        return empty if store is None else look(store)

    return await asyncio.to_thread(look_there)


async def _kept(request: Request, number: int) -> KeptEvaluation:
    kept = None
    if 1 <= number <= LARGEST:
        try:
            kept = await _looked(request, lambda store: read_evaluation(store, number), None)
        except FileError:
            raise
        except InputError:
            pass  # there is none of this number
    if kept is None:
        raise HTTPException(404, f"There is no evaluation {number}.")
    return kept


@router.get("/evaluations", dependencies=[ALL_READERS])
async def evaluations(request: Request, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Show the list, or what a search finds."""
    words = q.replace("\0", " ")
    none: list[ListedEvaluation] = []
    rows = await _looked(request, lambda store: listed_evaluations(store, words), none)
    return page(request, "evaluations.html", rows=rows, q=words, most=LISTED)


@router.get("/evaluations/compare", dependencies=[ALL_READERS])
async def compare(request: Request, pick: Annotated[list[int], Query()] = []) -> Response:  # noqa: B006 - FastAPI copies
    """Show two evaluations side by side, the older first."""
    if len(set(pick)) != 2:
        raise HTTPException(400, "Choose two evaluations in the list, then compare them.")
    first, second = [await _kept(request, number) for number in sorted(set(pick))]
    return page(
        request, "evaluations_compare.html", first=first, second=second,
        measures=measure_changes(first.result, second.result), data=data_changes(first.result, second.result),
    )  # fmt: skip


@router.get("/evaluations/{number}", dependencies=[ALL_READERS])
async def evaluation(request: Request, number: int) -> Response:
    """Show what an evaluation is about, and where its page is."""
    kept = await _kept(request, number)
    return page(request, "evaluation.html", kept=kept, warnings=kept.result.get("warnings", []))


@router.get("/evaluations/{number}/report", dependencies=[ALL_READERS])
async def report(request: Request, number: int) -> Response:
    """Show the page that --report writes."""
    kept = await _kept(request, number)
    text = kept.page.decode(errors="replace")
    return HTMLResponse(text, headers={"content-security-policy": report_policy(text)})


@router.get("/evaluations/{number}/json", dependencies=[ALL_READERS])
async def result(request: Request, number: int) -> Response:
    """Send what --json prints."""
    kept = await _kept(request, number)
    text = json.dumps(kept.result, ensure_ascii=False, indent=1)
    name = quote(f"{kept.title}.json", safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(text, media_type="application/json", headers=headers)
