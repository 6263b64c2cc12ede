"""`justesse.dossier_replay`: do the same figures come out again?"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from justesse.core.errors import FileError, InputError
from justesse.core.version import SCHEMA, __version__
from justesse.dossier.canonical import marked
from justesse.frames.content_print import data_prints
from justesse.frames.watched import file_names
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.repeat import (
    figures,
    recorded_figures,
    repeated,
    unchecked_places,
    why_not,
)
from justesse.verbs.dossier.shape import read_as_dossier
from justesse.verbs.dossier.shown_differences import shown_differences
from justesse.verbs.dossier.sufficient import always_keeps, may_be_unkept
from justesse.verbs.dossier.words import data_change, shown_value

RepeatedFrom = Literal["counts", "data"]
NAMES: Mapping[RepeatedFrom, str] = {"counts": "Counts in the dossier", "data": "Data"}
SHOWN = 25


@dataclass(frozen=True)
class Repetition:
    """Figures computed again from one source: those that differ, or why nothing was computed.

    Parameters
    ----------
    source
        Counts or data.
    reason
        Why nothing was computed; `None` if something was.
    differing
        Place, old value and new value of each figure that differs.
    left_out
        Number of figures that the counts do not determine.
    broken
        Whether the dossier keeps counts, and they cannot be used.
    """

    source: RepeatedFrom
    reason: str | None = None
    differing: tuple[tuple[str, Any, Any], ...] = ()
    left_out: int = 0
    broken: bool = False

    @property
    def state(self) -> str:
        return "not computed" if self.reason else "differs" if self.differing else "same"

    def to_dict(self) -> dict[str, Any]:
        listed = [
            {"where": where, "before": old, "now": new, "difference": _gap(old, new)}
            for where, old, new in self.differing
        ]
        return {
            "from": self.source,
            "state": self.state,
            "reason": self.reason,
            "left_out": self.left_out,
            "differing": listed,
        }


@dataclass(frozen=True, repr=False)
class Replay(Result):
    """The figures of a dossier computed again, from its counts and from the data, and what became different."""

    file: str
    repetitions: tuple[Repetition, ...]
    data: tuple[tuple[str, str, str], ...]  # argument, state, words
    before_version: str

    @property
    def same(self) -> bool:
        """Whether something was computed again, and nothing differs."""
        done = any(repetition.reason is None for repetition in self.repetitions)
        return done and not any(repetition.differing or repetition.broken for repetition in self.repetitions)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "file": self.file,
            "same": self.same,
            "written_by": self.before_version,
            "data": [{"argument": name, "state": state, "finding": words} for name, state, words in self.data],
            "repetitions": [repetition.to_dict() for repetition in self.repetitions],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the differing figures out as columns."""
        rows = [(r.source, *place) for r in self.repetitions for place in r.differing]
        names = ("from", "where", "before", "now")
        return {name: [str(row[at]) for row in rows] for at, name in enumerate(names)}

    @property
    def headline(self) -> Message:
        """The answer in a sentence."""
        done = [r for r in self.repetitions if r.reason is None]
        if not done:
            return message("Nothing was computed again: {why}", why=self.repetitions[-1].reason)
        sources = " and from the ".join(NAMES[r.source].lower() for r in done)
        if broken := [r for r in self.repetitions if r.broken]:
            return message("The counts in the dossier cannot be computed with: {why}", why=broken[0].reason)
        if self.same:
            return message("Every figure came out the same, computed from the {sources}.", sources=sources)
        worst = max(done, key=lambda r: len(r.differing))
        template = "{n:count figure} {n:plural differs|differ}, computed from the {source}."
        return message(template, n=len(worst.differing), source=NAMES[worst.source].lower())

    @property
    def _verdict(self) -> Message:
        if self.same:
            return message("Same figures.")
        if any(r.differing or r.broken for r in self.repetitions):
            return message("Not the same figures.")
        return message("Not repeated.")

    def document(self) -> Document:
        rows = [[NAMES[r.source], r.state, r.reason or "", len(r.differing), r.left_out] for r in self.repetitions]
        head: list[str | Column] = ["computed from", "result", Column("why", "words"), Column("differing figures", "count"), Column("not determined", "count", 1)]  # fmt: skip
        sections = [Section("sources", "Computed again", [Table("", head, rows)], "headline")]
        if self.data:
            table = Table("", ["data", Column("finding", "sentence")], [[name, words] for name, _, words in self.data])
            sections.append(Section("data", "Data", [table], "headline"))
        for repetition in self.repetitions:
            if repetition.differing:
                listed = [
                    [
                        where,
                        shown_value(old),
                        shown_value(new),
                        shown_value(_gap(old, new)) if _gap(old, new) is not None else "",
                    ]
                    for where, old, new in repetition.differing
                ]
                columns: list[str | Column] = [Column("figure", "words"), "before", "now", "difference"]
                title = message("Differing figures: {source}", source=NAMES[repetition.source].lower())
                sections.append(
                    Section(
                        f"differing-{repetition.source}",
                        str(title),
                        [Table("", columns, listed, most=SHOWN)],
                        "headline",
                    )
                )
        return Document(
            "Replay of a dossier",
            self.headline,
            sections,
            self.to_dict(),
            verdict=self._verdict,
            tone="equivalent" if self.same else "keep",
            name="replay",
            facts=[("file", self.file), ("written by justesse", self.before_version), ("justesse", __version__)],
        )


def dossier_replay(
    file: str | os.PathLike[str],
    *,
    data: Any = None,
    counts_only: bool = False,
) -> Replay:
    """Compute the figures of a dossier again, from its counts and from the data, and say which differ and by how much.

    Parameters
    ----------
    file
        The dossier.
    data
        Directory to look for the data files in; in the library also a dict of data by argument. Default: in the current
        directory, or beside the dossier.
    counts_only
        Do not look for the data.

    Returns
    -------
    Replay
        `same` says whether all figures came out the same; `repetitions` has what differs.

    Examples
    --------
    >>> import justesse, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "first.json"
    >>> _ = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(path)
    >>> dossier_replay(path).same
    True
    """
    path = Path(file)
    record = opened_dossier(path)
    listed: list[tuple[str, str, str]] = []
    with read_as_dossier(path):
        repetitions = [_from_counts(record)]
        if not counts_only and record["data"]:
            sources, listed = data_sources(record, path, data)
            repetitions.append(_from_data(record, sources))
    return Replay(str(path), tuple(repetitions), tuple(listed), record["versions"]["justesse"])


def _from_counts(record: dict[str, Any]) -> Repetition:
    try:
        again = figures(repeated(record))
    except Exception as error:  # another version may refuse what this one kept
        return Repetition("counts", why_not(error), broken=always_keeps(record) and not may_be_unkept(record))
    faults = shown_differences(recorded_figures(record), marked(again))
    unchecked = unchecked_places(record, faults)
    kept = [place for place in faults if place[0] not in unchecked]
    return Repetition("counts", None, tuple(kept), len(faults) - len(kept))


def _from_data(record: dict[str, Any], sources: Mapping[str, Any] | str) -> Repetition:
    if isinstance(sources, str):
        return Repetition("data", sources)
    try:
        again = figures(repeated(record, sources))
    except Exception as error:  # options that were made up may break anything
        return Repetition("data", why_not(error))
    return Repetition("data", None, tuple(shown_differences(recorded_figures(record), marked(again))))


def data_sources(
    record: dict[str, Any], path: Path, data: Any, *, option: str = "--data"
) -> tuple[Mapping[str, Any] | str, list[tuple[str, str, str]]]:
    """Find the data of a dossier, and compare their fingerprints with those it has."""
    if isinstance(data, Mapping):
        passed, folder = dict(data), None
    else:
        passed, folder = {}, None if data is None else Path(data)
    if folder is not None and not folder.is_dir():
        raise FileError(f"Directory {str(folder)!r} not found. Name the directory of the data files.")
    unknown = [name for name in passed if name not in {entry["argument"] for entry in record["data"]}]
    if unknown:
        names = ", ".join(entry["argument"] for entry in record["data"])
        raise InputError(f"The dossier has no data called {unknown[0]!r}. Its data: {names}.")
    options = record["asked"]["options"]
    listed: list[tuple[str, str, str]] = []
    sources: dict[str, Any] = {}
    missing = ""
    for entry in record["data"]:
        name = entry["argument"]
        source = passed.get(name, _file(name, options, path, folder))
        if source is None:
            missing = str(
                message(
                    "{name} was not found in the directory of {option}, else the current one and that of the dossier; it is "
                    "not opened elsewhere. So nothing was computed from the data.",
                    option=option,
                    name=entry["files"][0]["file"] if entry["files"] else message("{name} (data in memory)", name=name),
                )
            )
            listed.append((name, "missing", "Not found."))
            continue
        sources[name] = source
        (now,) = data_prints(name, source)
        state, words = data_change(entry, now)
        listed.append((name, state, str(words)))
    return missing or sources, listed


def _file(name: str, options: Any, path: Path, folder: Path | None) -> str | None:
    """Find a file: in the directory named, or in the current one, or beside the dossier; nowhere else."""
    typed = _typed(name, options)
    if not isinstance(typed, str) or "\0" in typed or typed.startswith("~"):
        return None
    last = Path(typed).name
    if folder is not None:
        places, roots = [folder / typed, folder / last], [folder]
    else:
        places, roots = [Path(typed), path.parent / typed, path.parent / last], [Path(), path.parent]
    allowed = [place for place in places if any(_is_inside(place, root) for root in roots)]
    return next((str(place) for place in allowed if file_names(str(place))), None)


def _is_inside(place: Path, root: Path) -> bool:
    """Tell whether a place lies in a directory, going by its name: a dossier must not choose among all files."""
    return Path(os.path.abspath(place)).is_relative_to(os.path.abspath(root))


def _typed(name: str, options: Any) -> str | None:
    """Give the file name that was typed for an argument."""
    if isinstance(options, dict):
        if options.get("$data") == name:
            return options.get("file")
        options = list(options.values())
    if isinstance(options, list):
        return next((typed for item in options if (typed := _typed(name, item)) is not None), None)
    return None


def _gap(old: Any, new: Any) -> float | None:
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (old, new))
    return new - old if numbers else None
