"""The JSON interface: what the pages' scripts use, and programs may."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from justesse.core.version import __version__
from justesse.verbs.audit.desk_transaction import Turn
from justesse.verbs.audit.sent_answer import Receipt, SentAnswer, UsedKeyError, check_text
from justesse.web.access import EXPERTS, MEMBERS, READERS, person_of
from justesse.web.desks import desk_of
from justesse.web.pages import fragment, settings_of
from justesse.web.people import Person
from justesse.web.questions import ENDED, can_undo, shown_questions

router = APIRouter(prefix="/api")
MOST_ANSWERS = 1_000


def _kept(text: str) -> str:
    check_text(text)
    return text


Text = Annotated[str, AfterValidator(_kept)]
Key = Annotated[Text, Field(min_length=1, max_length=100, description="Tells this request from all others.")]
AuditName = Annotated[str, Path(description="Name of an audit, such as my.audit.")]


class Problem(BaseModel):
    """What is wrong with a request."""

    detail: str


class Strict(BaseModel):
    """A body without unknown keys."""

    model_config = ConfigDict(extra="forbid")


class AnswerBody(Strict):
    """One answer: a class, a kind of answer without one, or the credit of each answer."""

    key: Key
    row: int = Field(ge=0, le=2**53, description="The question, as it was given.")
    class_name: Text | None = Field(None, min_length=1, max_length=100_000, description="The class, or several as a|b.")
    kind: Literal["both", "neither", "flawed", "cannot_say"] | None = None
    note: Text = Field("", max_length=10_000)
    credits: dict[Text, Annotated[float, Field(ge=0, le=1)]] | None = Field(
        None, min_length=1, max_length=1_000, description="Credit of each answer; those left out get none."
    )


class AnswersBody(Strict):
    """Answers in the order in which they were given."""

    answers: list[AnswerBody] = Field(max_length=MOST_ANSWERS)


class UndoBody(Strict):
    """A request to withdraw the last answer."""

    key: Key


class QuestionOut(BaseModel):
    """A question as it is shown; nothing in it tells who gave which answer."""

    row: int
    id: str
    shows: Literal["nothing", "text", "row", "image", "audio"]
    text: str
    cells: list[tuple[str, str]]
    media: str | None
    choices: list[str]
    both: bool
    credits: bool
    html: str


class TurnOut(BaseModel):
    """The questions of a person now: the first is asked, the second comes next."""

    questions: list[QuestionOut]
    ended: str
    message: str
    own: int
    undo: bool


class ReceiptOut(BaseModel):
    """Whether an answer is saved; if not, why."""

    key: str
    saved: bool
    refused: str


class AnsweredOut(TurnOut):
    """Whether each answer was saved, and the next questions."""

    receipts: list[ReceiptOut]


class AuditOut(BaseModel):
    """An audit in a list."""

    name: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 405, 408, 413, 422)
}


@router.get("/openapi.json", dependencies=[MEMBERS], include_in_schema=False)
async def openapi(request: Request) -> Response:
    """Describe this interface."""
    routes = [route for route in request.app.routes if route.path.startswith("/api/")]
    return JSONResponse(get_openapi(title="justesse", version=__version__, routes=routes))


@router.get("/audits", dependencies=[MEMBERS], responses=REFUSALS)
def audits(request: Request) -> list[AuditOut]:
    """List the audits that this person may see."""
    person = person_of(request)
    return [AuditOut(name=name) for name in settings_of(request).shelf.audits() if person.sees(name)]


@router.get("/audits/{audit}", dependencies=[READERS], responses=REFUSALS)
async def status(request: Request, audit: AuditName) -> dict[str, Any]:
    """Return the status of an audit, exactly as justesse audit status --json."""
    desk = await desk_of(request, audit)
    return await asyncio.wrap_future(desk.look(lambda current: current.to_dict()))


@router.post("/audits/{audit}/questions", dependencies=[EXPERTS], responses=REFUSALS)
async def questions(request: Request, audit: AuditName) -> TurnOut:
    """Give this person the next questions; asking again gives the same ones."""
    desk = await desk_of(request, audit)
    turn = await asyncio.wrap_future(desk.turn(person_of(request).name))
    return TurnOut(**_turn(turn, audit, person_of(request)))


@router.post("/audits/{audit}/answers", dependencies=[EXPERTS], responses={**REFUSALS, 409: {"model": AnsweredOut}})
async def answers(request: Request, response: Response, audit: AuditName, body: AnswersBody) -> AnsweredOut:
    """Save answers, each once however often it is sent; return whether each was saved, and the next questions.

    The status is 409 if a key was used for another answer before; the receipts tell which answers are saved.
    """
    desk = await desk_of(request, audit)
    for each in body.answers:
        if sum(part is not None for part in (each.class_name, each.kind, each.credits)) != 1:
            raise HTTPException(422, f"Answer {each.key!r} needs one of class_name, kind and credits.")
    sent = [
        SentAnswer(each.key, each.row, each.class_name, each.kind, each.note, each.credits) for each in body.answers
    ]
    receipts, turn = await asyncio.wrap_future(desk.answer(person_of(request).name, sent))
    response.status_code = 409 if any(receipt.used for receipt in receipts) else 200
    return AnsweredOut(**_turn(turn, audit, person_of(request)), receipts=list(map(_receipt, receipts)))


@router.post("/audits/{audit}/undo", dependencies=[EXPERTS], responses={**REFUSALS, 409: {"model": Problem}})
async def undo(request: Request, audit: AuditName, body: UndoBody) -> TurnOut:
    """Withdraw this person's last answer; its question is the first of those returned."""
    desk = await desk_of(request, audit)
    person = person_of(request)
    try:
        turn = await asyncio.wrap_future(desk.undo(person.name, body.key, reopen=person.role == "owner"))
    except UsedKeyError as error:
        raise HTTPException(409, str(error)) from error
    return TurnOut(**_turn(turn, audit, person_of(request)))


def _receipt(receipt: Receipt) -> ReceiptOut:
    return ReceiptOut(key=receipt.key, saved=receipt.saved, refused=receipt.refused)


def _turn(turn: Turn, audit: str, person: Person) -> dict[str, Any]:
    return {
        "questions": [
            QuestionOut(
                row=each.row, id=each.id, shows=each.shows, text=each.text, cells=list(each.cells), media=each.media,
                choices=list(each.choices), both=each.both, credits=each.credits,
                html=fragment("question.html", question=each),
            )
            for each in shown_questions(turn, audit)
        ],
        "ended": turn.ended,
        "message": ENDED.get(turn.ended, ""),
        "own": turn.own,
        "undo": can_undo(turn, person),
    }  # fmt: skip
