"""The page of an expert: one question at a time; it works without a script."""

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from typing import Annotated, get_args
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import FileResponse, RedirectResponse, Response

from justesse.core.errors import InputError
from justesse.store.answers import Kind
from justesse.verbs.audit.desk import AuditDesk
from justesse.verbs.audit.desk_transaction import Turn
from justesse.verbs.audit.sent_answer import SentAnswer, UsedKeyError
from justesse.web.access import EXPERTS, MEMBERS, person_of
from justesse.web.desks import desk_of
from justesse.web.pages import page, settings_of
from justesse.web.questions import ENDED, can_undo, media_path, other_classes, shown_questions

router = APIRouter(include_in_schema=False)
KINDS = {kind for kind in get_args(Kind) if kind not in ("answer", "several", "credit", "withdrawn")}


async def instructions_of(desk: AuditDesk) -> str:
    """Return the instructions to annotators."""
    return (await asyncio.wrap_future(desk.settled_parts())).instructions


def _read_cookie(request: Request, audit: str) -> str:
    return f"{settings_of(request).cookie}-read-{hashlib.sha256(audit.encode()).hexdigest()[:12]}"


def _read_mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def typed_credits(named: Sequence[str], typed: Sequence[str]) -> dict[str, float] | None:
    """Read the credits of answers as a page sends them; `None` if it sends none.

    >>> typed_credits(["cat", "dog"], ["1", " "])
    {'cat': 1.0, 'dog': 0.0}
    """
    if not named:
        return None
    if len(named) != len(typed) or not any(map(str.strip, typed)):
        raise InputError("Give one of the answers a credit from 0 to 1, or choose another answer.")
    try:
        return {name: float(text.strip() or 0) for name, text in zip(named, typed, strict=True)}
    except ValueError:
        raise InputError("A credit must be a number from 0 to 1, such as 0.5.") from None


@router.get("/audits/{audit}/instructions", dependencies=[EXPERTS])
async def instructions(request: Request, audit: str) -> Response:
    """Show what annotators are to read first."""
    text = await instructions_of(await desk_of(request, audit))
    answer = page(request, "instructions.html", audit=audit, text=text)
    mark = _read_mark(text)
    answer.set_cookie(_read_cookie(request, audit), mark, httponly=True, samesite="strict", max_age=90 * 86_400)
    return answer


@router.get("/audits/{audit}/answer", dependencies=[EXPERTS])
async def ask(request: Request, audit: str) -> Response:
    """Show the next question, after the instructions have been shown."""
    desk = await desk_of(request, audit)
    text = await instructions_of(desk)
    if text and request.cookies.get(_read_cookie(request, audit)) != _read_mark(text):
        return RedirectResponse(f"/audits/{quote(audit, safe='')}/instructions", 303)
    return await _asked(request, audit, await asyncio.wrap_future(desk.turn(person_of(request).name)))


async def _asked(request: Request, audit: str, turn: Turn, *, problem: str = "", status: int = 200) -> Response:
    return page(
        request, "answer.html", status=status, audit=audit, ended=ENDED.get(turn.ended, ""), why=turn.ended,
        problem=problem, own=turn.own, undo=can_undo(turn, person_of(request)), questions=shown_questions(turn, audit),
        classes=other_classes(turn.audit), instructions=turn.audit.instructions, undo_key=secrets.token_urlsafe(16),
    )  # fmt: skip


@router.post("/audits/{audit}/answer", dependencies=[EXPERTS])
async def answer(
    request: Request,
    audit: str,
    row: Annotated[int, Form()],
    key: Annotated[str, Form(max_length=100)],
    class_name: Annotated[str | None, Form()] = None,
    kind: Annotated[str | None, Form()] = None,
    named: Annotated[Sequence[str], Form()] = (),
    credit: Annotated[Sequence[str], Form()] = (),
    note: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """Save an answer, then show the next question.

    Parameters
    ----------
    request
        The request.
    audit
        Name of the audit.
    row
        The question.
    key
        Tells this request from all others.
    class_name
        The class.
    kind
        An answer without a class.
    named
        The answers that may get credit.
    credit
        The credit of each of them, as it was typed; nothing counts as 0.
    note
        What the person wrote beside it.
    """
    desk = await desk_of(request, audit)
    person = person_of(request).name
    problem, status = "", 400
    try:
        credits = typed_credits(named, credit)
    except InputError as error:
        problem, credits = str(error), None
    if credits is None and ((kind is not None and kind not in KINDS) or (kind is None) == (not class_name)):
        problem = problem or "Choose one answer."
    if problem:
        turn = await asyncio.wrap_future(desk.turn(person))
    else:
        sent = SentAnswer(key, row, None if kind else class_name, kind, note, credits)  # type: ignore[arg-type]
        receipts, turn = await asyncio.wrap_future(desk.answer(person, [sent]))
        problem, status = receipts[0].refused, 409 if receipts[0].used else 400
    if problem:
        return await _asked(request, audit, turn, problem=problem, status=status)
    return RedirectResponse(f"/audits/{quote(audit, safe='')}/answer", 303)


@router.post("/audits/{audit}/undo", dependencies=[EXPERTS])
async def undo(request: Request, audit: str, key: Annotated[str, Form(max_length=100)]) -> Response:
    """Withdraw the last answer, and show its question again."""
    desk = await desk_of(request, audit)
    person, reopen = person_of(request).name, person_of(request).role == "owner"
    try:
        turn = await asyncio.wrap_future(desk.undo(person, key, reopen=reopen))
    except InputError as error:
        turn = await asyncio.wrap_future(desk.turn(person))
        return await _asked(
            request, audit, turn, problem=str(error), status=409 if isinstance(error, UsedKeyError) else 400
        )
    return await _asked(request, audit, turn)


@router.get("/audits/{audit}/media/{row}", dependencies=[MEMBERS])
async def media(request: Request, audit: str, row: int) -> Response:
    """Send the image or sound of a question, if it is inside the served directory."""
    desk = await desk_of(request, audit)
    person, settings = person_of(request), settings_of(request)
    folders = [folder for folder in (settings.shelf.folder, *settings.media) if folder is not None]
    if person.role == "expert" and not await asyncio.wrap_future(desk.was_given(person.name, row)):
        raise HTTPException(404, "This question was not given to you.")
    place = media_path(await asyncio.wrap_future(desk.settled_parts()), row, folders)
    if place is None:
        raise HTTPException(404, "There is no image or sound for this question in the served directory.")
    headers = {"content-security-policy": "default-src 'none'; sandbox", "cache-control": "private, max-age=3600"}
    return FileResponse(place[0], media_type=place[1], headers=headers)
