"""A new evaluation: a file, its columns with a preview, the page."""

import asyncio
import shlex
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from justesse.core.errors import InputError
from justesse.frames.columns import resolve
from justesse.frames.preview import Preview, preview
from justesse.report.html import as_page
from justesse.store.evaluations import add_evaluation
from justesse.verbs.evaluate.evaluate import evaluate
from justesse.web.access import OWNERS, person_of
from justesse.web.data_files import DataFile, Uploads, file_at, listed_files, reader_words
from justesse.web.pages import page, settings_of
from justesse.web.store_shelf import evaluations_of

router = APIRouter(include_in_schema=False)
COLUMNS = {
    "label": "Labels (what annotators wrote)",
    "prediction": "Predictions",
    "true": "True classes, if they are known as well",
    "weight": "Row weights",
    "cluster": "Groups of rows that belong together, such as patients",
    "by": "Slices to show separately",
}
LONG = 10_000


def uploads_of(request: Request) -> Uploads:
    """Return the files that were uploaded to this server."""
    state = request.app.state
    if not hasattr(state, "uploads"):
        state.uploads = Uploads()
    uploads: Uploads = state.uploads
    return uploads


def chosen_file(request: Request, key: str) -> DataFile:
    """Return the table that an address names."""
    settings = settings_of(request)
    return file_at(settings.shelf.folder, uploads_of(request), key, settings.people.file)


@router.get("/evaluations/new", dependencies=[OWNERS])
def new(request: Request) -> Response:
    """Ask for a file."""
    return _asking(request)


def _asking(request: Request, problem: str = "", status: int = 200) -> Response:
    settings = settings_of(request)
    files = listed_files(settings.shelf.folder, settings.people.file)
    return page(request, "evaluation_new.html", status=status, files=files, problem=problem)


@router.post("/evaluations/new", dependencies=[OWNERS])
def take(
    request: Request, upload: UploadFile | None = None, file: Annotated[str, Form(max_length=LONG)] = ""
) -> Response:
    """Take an uploaded file, or one of the served directory; it must be a table."""
    if upload is None or not upload.filename:
        if not file:
            return _asking(request, "Choose a file to upload, or one of the served directory.", 400)
        chosen = chosen_file(request, file)
    else:
        try:
            chosen = uploads_of(request).add(upload.filename, upload.file)
        except InputError as error:
            return _asking(request, str(error), 400)
    try:
        preview(chosen.path)
    except InputError as error:
        return _asking(request, reader_words(error, chosen), 400)
    return RedirectResponse(f"/evaluations/columns?file={quote(chosen.key, safe='')}", 303)


@router.get("/evaluations/columns", dependencies=[OWNERS])
def columns(request: Request, file: Annotated[str, Query(max_length=LONG)]) -> Response:
    """Show the first rows, and ask for the columns; the usual names are chosen already."""
    chosen = chosen_file(request, file)
    try:
        shown = preview(chosen.path)
    except InputError as error:
        return _asking(request, reader_words(error, chosen), 400)
    return _picking(request, chosen, shown, _guessed(shown, chosen), "")


def _guessed(shown: Preview, file: DataFile) -> dict[str, str]:
    try:
        roles = resolve(shown.columns, where=file.title)
    except InputError:
        return {}
    return {"label": roles.label, "prediction": roles.prediction, "true": roles.true or ""}


def _picking(
    request: Request, file: DataFile, shown: Preview, picked: dict[str, str], problem: str, status: int = 200
) -> Response:
    return page(
        request, "evaluation_columns.html", status=status, file=file, shown=shown, parts=COLUMNS,
        picked={**dict.fromkeys((*COLUMNS, "positive", "title"), ""), **picked}, problem=problem,
    )  # fmt: skip


@router.post("/evaluations/columns", dependencies=[OWNERS])
async def run(
    request: Request,
    file: Annotated[str, Form(max_length=LONG)],
    label: Annotated[str, Form(max_length=LONG)] = "",
    prediction: Annotated[str, Form(max_length=LONG)] = "",
    true: Annotated[str, Form(max_length=LONG)] = "",
    weight: Annotated[str, Form(max_length=LONG)] = "",
    cluster: Annotated[str, Form(max_length=LONG)] = "",
    by: Annotated[str, Form(max_length=LONG)] = "",
    positive: Annotated[str, Form(max_length=LONG)] = "",
    title: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Evaluate, keep the result and its page, and show it.

    Parameters
    ----------
    request
        The request.
    file
        The table: a name in the served directory, or the key of an upload.
    label
        Column with the labels.
    prediction
        Column with the predictions.
    true
        Column with the true classes.
    weight
        Column with row weights.
    cluster
        Column that says which rows belong together.
    by
        Column to slice by.
    positive
        Class of interest.
    title
        What the evaluation is called in lists.
    """
    chosen = chosen_file(request, file)
    picked = {
        "label": label, "prediction": prediction, "true": true, "weight": weight, "cluster": cluster, "by": by,
        "positive": positive, "title": title,
    }  # fmt: skip
    try:
        number = await asyncio.to_thread(_evaluated, request, chosen, picked)
    except InputError as error:
        problem = reader_words(error, chosen)
        try:
            shown = await asyncio.to_thread(preview, chosen.path)
        except InputError:
            return _asking(request, problem, 400)
        return _picking(request, chosen, shown, picked, problem, 400)
    return RedirectResponse(f"/evaluations/{number}", 303)


def _evaluated(request: Request, file: DataFile, picked: dict[str, str]) -> int:
    options = {part: picked[part] for part in COLUMNS if picked[part]}
    result = evaluate(file.path, **options, positive=picked["positive"].strip() or None)
    words = ["justesse", "evaluate", file.title]
    for name, value in {**options, "positive": picked["positive"].strip()}.items():
        words += [f"--{name}", value] if value else []
    command = shlex.join(words)
    document = result.document()
    store = evaluations_of(settings_of(request).shelf.store, create=True)
    assert store is not None
    return add_evaluation(
        store,
        title=_clean(picked["title"]) or file.title,
        command=command,
        by=person_of(request).name,
        headline=str(document.headline),
        result=result.to_dict(),
        page=as_page(document, command=command).encode(errors="replace"),
    )


def _clean(title: str) -> str:
    return "".join(letter for letter in title if letter.isprintable()).strip()
