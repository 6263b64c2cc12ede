"""Start a new audit from two files of answers."""

import asyncio
import re
import shutil
import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from justesse.core.errors import InputError, JustesseError, OptionError
from justesse.frames.read import read
from justesse.verbs.audit.start import audit_start
from justesse.web.access import OWNERS
from justesse.web.data_files import DataFile, reader_words
from justesse.web.pages import page, settings_of
from justesse.web.shelf import AUDIT, Shelf, plain_name
from justesse.web.unpacked import check_unpacked

router = APIRouter(include_in_schema=False)
FORM = {"name": "", "on": "id", "show": "", "image": "", "budget": "", "instructions": "", "answers_each": "1"}


@router.get("/new", dependencies=[OWNERS])
async def new(request: Request) -> Response:
    """Show the form of a new audit."""
    return page(request, "new.html", form=FORM, problem="")


@router.post("/new", dependencies=[OWNERS])
async def start(
    request: Request,
    incumbent: UploadFile,
    candidate: UploadFile,
    name: Annotated[str, Form(max_length=100)] = "",
    on: Annotated[str, Form(max_length=1_000)] = "id",
    show: Annotated[str, Form(max_length=10_000)] = "",
    image: Annotated[str, Form(max_length=1_000)] = "",
    budget: Annotated[str, Form(max_length=20)] = "",
    instructions: Annotated[str, Form(max_length=20_000)] = "",
    answers_each: Annotated[str, Form(max_length=20)] = "1",
) -> Response:
    """Start an audit with the rows on which the two files disagree.

    Parameters
    ----------
    request
        The request.
    incumbent
        The incumbent's answers: CSV, Parquet or another format that justesse compare reads.
    candidate
        The candidate's answers.
    name
        Name of the audit.
    on
        Column with the ids.
    show
        Columns of text to show, separated by commas.
    image
        Column with the path of an image or sound in the served directory.
    budget
        Number of questions at most.
    instructions
        What annotators read first.
    answers_each
        Number of people who answer each question.
    """
    form = {
        "name": name, "on": on, "show": show, "image": image, "budget": budget, "instructions": instructions,
        "answers_each": answers_each,
    }  # fmt: skip
    shelf = settings_of(request).shelf
    try:
        place = await asyncio.to_thread(_started, shelf, [incumbent, candidate], form)
    except InputError as error:
        return page(request, "new.html", status=400, form=form, problem=str(error))
    return RedirectResponse(f"/audits/{quote(place, safe='')}", 303)


def _started(shelf: Shelf, uploads: list[UploadFile], form: dict[str, str]) -> str:
    title = form["name"].strip() or Path(uploads[1].filename or "").stem or "audit"
    title = title if title.endswith(AUDIT) else f"{title}{AUDIT}"
    if not plain_name(title):
        raise OptionError(f"{title!r} cannot be the name of an audit. Use letters, digits, spaces, - and _.")
    if shelf.place(title) is not None:
        raise OptionError(f"There is an audit {title!r} already. Choose another name.")
    columns = [column.strip() for column in form["show"].split(",") if column.strip()]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for part, upload in zip(("incumbent", "candidate"), uploads, strict=True):
            place = Path(folder) / part / safe_name(upload.filename or part)
            place.parent.mkdir()
            with open(place, "wb") as stream:
                shutil.copyfileobj(upload.file, stream)
            check_unpacked(place, place.name)
            files.append(place)
        budget = _whole("number of questions", form["budget"])
        try:
            _check_budget(budget, files[0])
            audit_start(
                files[0], files[1], to=shelf.new(title), on=form["on"].strip() or "id",
                show=columns or None, image=form["image"].strip() or None, budget=budget,
                answers_each=_whole("number of people", form["answers_each"]) or 1,
                instructions=form["instructions"].replace("\r\n", "\n").strip() or None,
            )  # fmt: skip
        except InputError as error:
            raise OptionError(reader_words(error, *(DataFile(each.name, "", each) for each in files))) from error
    return title


def safe_name(name: str) -> str:
    """Return the name of an uploaded file without anything that leads elsewhere.

    >>> safe_name("../../etc/pass wd.csv"), safe_name("C:\\\\x\\\\a*b.csv"), safe_name("..")
    ('pass wd.csv', 'a_b.csv', 'data')
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    return re.sub(r"[^\w. -]", "_", last)[-80:].lstrip(".") or "data"


def _check_budget(budget: int | None, file: Path) -> None:
    """Refuse more questions than there are rows."""
    if budget is None:
        return
    table = read(file)[0]
    try:
        n = int(table.relation(table.columns[:1]).aggregate("count(*)").fetchall()[0][0])
    except JustesseError:
        raise
    except Exception as error:
        raise table.explain(error) from error
    if budget > n:
        raise OptionError(
            f"{file.name} has {n:,} rows, and there is at most one question for each. Ask for {n:,} questions or "
            "fewer, or leave the field empty."
        )


def _whole(what: str, text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal():
        raise OptionError(f"The {what} must be a whole number; got {text!r}.")
    return int(text)
