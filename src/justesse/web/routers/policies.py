"""The policy page: how much each period of time matters, drawn, and what that does to the ranking of systems."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter, Depends, Form, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from justesse.core.errors import FileError, InputError, OptionError
from justesse.frames.native import write_whole
from justesse.verbs.lifelong.ranking import SystemScores, system_scores
from justesse.web import policy_view as view
from justesse.web.access import ALL_READERS, OWNERS
from justesse.web.data_files import DataFile, listed_files, plain_title, reader_words
from justesse.web.pages import page, settings_of
from justesse.web.routers.evaluating import chosen_file, uploads_of

router = APIRouter(include_in_schema=False)
CALENDAR = ("day", "week", "month", "quarter", "year")
MOST_PERIODS = 120
MOST_SYSTEMS = 20
LONG = 10_000
Names = Annotated[list[str], Query(max_length=MOST_SYSTEMS)]
Weights = Annotated[list[str], Query(max_length=MOST_PERIODS)]


@dataclass(frozen=True)
class PolicyDrawing:
    """What is weighed: periods, and the systems that were tested in them, if there are any."""

    files: tuple[DataFile, ...]
    period: str
    periods: tuple[str, ...]
    scores: SystemScores | None

    @property
    def query(self) -> list[tuple[str, str]]:
        """What names this in an address."""
        return [("file", file.key) for file in self.files] + [("period", self.period), ("n", str(len(self.periods)))]


def _drawing(request: Request, names: list[str], period: str, n: int) -> PolicyDrawing:
    files = tuple(chosen_file(request, name) for name in dict.fromkeys(names))
    if not files:
        return PolicyDrawing((), "", tuple(str(at + 1) for at in range(max(2, min(n, MOST_PERIODS)))), None)
    scores = system_scores([file.path for file in files], _titles(files), period=_length(period))
    if len(scores.periods) > MOST_PERIODS:
        raise OptionError(f"There are {len(scores.periods)} periods, more than {MOST_PERIODS}. Choose longer periods.")
    return PolicyDrawing(files, period, scores.periods, scores)


def _titles(files: tuple[DataFile, ...]) -> list[str]:
    stems = [Path(file.title).stem for file in files]
    return stems if len(set(stems)) == len(stems) else [file.title for file in files]


def _length(period: str) -> str | float | None:
    text = period.strip()
    if not text or text in CALENDAR:
        return text or None
    try:
        return float(text)
    except ValueError as error:
        raise OptionError(f"A period is one of {', '.join(CALENDAR)}, or a number; got {text[:40]!r}.") from error


@router.get("/policies", dependencies=[ALL_READERS])
def choose(request: Request) -> Response:
    """Ask for the systems whose ranking the policy decides."""
    return _choosing(request)


def _choosing(request: Request, problem: str = "", status: int = 200) -> Response:
    settings = settings_of(request)
    files = listed_files(settings.shelf.folder, settings.people.file)
    return page(request, "policies.html", status=status, files=files, calendar=CALENDAR, problem=problem)


@router.post("/policies/upload", dependencies=[OWNERS])
def upload(request: Request, upload: list[UploadFile], period: Annotated[str, Form(max_length=40)] = "") -> Response:
    """Take the tables of systems, and go on to the drawing."""
    files = []
    for each in upload[:MOST_SYSTEMS]:
        try:
            files.append(uploads_of(request).add(each.filename, each.file))
        except InputError as error:
            return _choosing(request, str(error), 400)
    query = urlencode([*(("file", file.key) for file in files), ("period", period)])
    return RedirectResponse(f"/policies/draw?{query}", 303)


@router.get("/policies/draw", dependencies=[ALL_READERS])
def draw(
    request: Request,
    file: Names = [],  # noqa: B006 - FastAPI copies
    period: Annotated[str, Query(max_length=40)] = "",
    n: Annotated[int, Query(ge=0, le=LONG)] = 8,
    preset: Annotated[str, Query(max_length=40)] = "recent",
    w: Weights = [],  # noqa: B006 - FastAPI copies
    saved: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Show the curve, the table of weights and the ranking.

    Parameters
    ----------
    request
        The request.
    file
        Tables of the systems: names in the served directory, or keys of uploads.
    period
        Length of a period.
    n
        Number of periods, without systems.
    preset
        Policy to start from.
    w
        Weights of all periods, instead of a preset.
    saved
        File in which this policy was saved.
    """
    try:
        drawing = _drawing(request, file, period, n)
    except InputError as error:
        return _choosing(request, reader_words(error, *(chosen_file(request, name) for name in file)), 400)
    starts = view.presets(drawing.periods)
    weights = next((each.weights for each in starts if each.name == preset), starts[0].weights)
    problem = ""
    if w:
        try:
            weights = view.checked_weights(w, drawing.periods)
        except InputError as error:
            problem = str(error)
    return _drawn(request, drawing, starts, weights, problem, saved)


def _drawn(
    request: Request,
    drawing: PolicyDrawing,
    starts: list[view.Preset],
    weights: tuple[float, ...],
    problem: str,
    saved: str,
) -> Response:
    lines, difference, live = [], "", None
    if (scores := drawing.scores) is not None:
        ranked = scores.ranking(np.array(weights))
        lines = view.rank_lines(scores, ranked)
        live = {"systems": scores.systems, "accuracy": scores.accuracy.tolist(), "sizes": scores.sizes.tolist()}
        if len(ranked) > 1:
            first, second = (drawing.files[row.place].path for row in ranked[:2])
            table = dict(zip(drawing.periods, weights, strict=True))
            difference = view.compared(first, second, table, _length(drawing.period))
            for file in drawing.files:
                difference = difference.replace(f"{file.path.parent}/", "")
    return page(
        request, "policy.html", status=400 if problem else 200, problem=problem, saved=saved, drawing=drawing,
        presets=starts, points=view.curve(drawing.periods, weights), lines=lines, difference=difference, live=live,
        view=view, query=urlencode(drawing.query), can_save=settings_of(request).shelf.folder is not None,
    )  # fmt: skip


class PolicyForm:
    """The form of the policy page: weights, and what they weigh.

    Parameters
    ----------
    w
        Weights of all periods.
    file
        Tables of the systems.
    period
        Length of a period.
    n
        Number of periods, without systems.
    name
        Name of the file to write.
    """

    def __init__(
        self,
        w: Annotated[list[str], Form(max_length=MOST_PERIODS)],
        file: Annotated[list[str], Form(max_length=MOST_SYSTEMS)] = [],  # noqa: B006 - FastAPI copies
        period: Annotated[str, Form(max_length=40)] = "",
        n: Annotated[int, Form(ge=0, le=LONG)] = 8,
        name: Annotated[str, Form(max_length=100)] = "",
    ) -> None:
        self.w, self.file, self.period, self.n, self.name = w, file, period, n, name


Filled = Annotated[PolicyForm, Depends()]


@router.post("/policies/effect", dependencies=[ALL_READERS])
def effect(form: Filled) -> Response:
    """Show the page again with these weights; they are in its address, so that it can be kept and sent."""
    query = [("file", name) for name in form.file] + [("period", form.period), ("n", str(form.n))]
    return RedirectResponse(f"/policies/draw?{urlencode([*query, *(('w', text) for text in form.w)])}", 303)


@router.post("/policies/download", dependencies=[ALL_READERS])
def download(request: Request, form: Filled) -> Response:
    """Send the weights as the table that --policy reads."""
    drawing = _drawing(request, form.file, form.period, form.n)
    table = _table(drawing.periods, view.checked_weights(form.w, drawing.periods))
    headers = {"content-disposition": 'attachment; filename="policy.csv"'}
    return Response(table, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/policies/save", dependencies=[OWNERS])
def save(request: Request, form: Filled) -> Response:
    """Save the weights in the served directory, as the table that --policy reads; no file is overwritten."""
    drawing = _drawing(request, form.file, form.period, form.n)
    starts = view.presets(drawing.periods)
    weights = starts[0].weights
    try:
        weights = view.checked_weights(form.w, drawing.periods)
        title = _written(settings_of(request).shelf.folder, form.name, _table(drawing.periods, weights))
    except InputError as error:
        return _drawn(request, drawing, starts, weights, str(error), "")
    query = urlencode([*drawing.query, *(("w", f"{weight:g}") for weight in weights), ("saved", title)])
    return RedirectResponse(f"/policies/draw?{query}", 303)


def _table(periods: tuple[str, ...], weights: tuple[float, ...]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["period", "weight"])
    writer.writerows(zip(periods, (f"{weight:.10g}" for weight in weights), strict=True))
    return text.getvalue()


def _written(folder: Path | None, name: str, table: str) -> str:
    if folder is None:
        raise FileError("This server has no directory to save in. Download the table instead.")
    title = plain_title(name.strip()) or "policy"
    title = title if title.lower().endswith(".csv") else f"{title}.csv"
    place = folder / title
    if place.exists() or place.is_symlink():
        raise FileError(f"{title} exists already. Choose another name.")
    write_whole(place, lambda temporary: Path(temporary).write_text(table, encoding="utf-8"))
    return title
