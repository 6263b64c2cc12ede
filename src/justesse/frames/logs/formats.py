"""The formats of logs, recognised by content, and the runs in a file or folder."""

import glob
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from justesse.core.errors import FileError
from justesse.frames.files import check_regular
from justesse.frames.logs import every_eval_ever, helm, inspect_ai, lighteval, lm_eval, openai_evals, promptfoo
from justesse.frames.logs.documents import Opening
from justesse.frames.logs.first_bytes import begins_like_log
from justesse.frames.logs.run import LogRun

MOST_FILES = 20_000


@dataclass(frozen=True)
class LogFormat:
    """A format of logs: its name, how it is recognised, and its reader."""

    name: str
    recognises: Callable[[Opening], bool]
    read: Callable[[Path], list[LogRun]]


def _format(module: ModuleType) -> LogFormat:
    return LogFormat(module.NAME, module.recognises, module.read)


ALL = tuple(map(_format, (lm_eval, inspect_ai, helm, every_eval_ever, openai_evals, promptfoo, lighteval)))


def recognised(path: Path) -> LogFormat | None:
    """Find the format of a file; `None` for a table or anything else.

    >>> recognised(Path("missing.jsonl")) is None
    True
    """
    if not begins_like_log(path):
        return None
    opening = Opening(path)
    return next((format for format in ALL if format.recognises(opening)), None)


def log_files(path: str) -> dict[Path, LogFormat]:
    """List the logs that a path, a folder or a pattern names, each with its format; empty if there are none.

    Files that only add up a run, or that belong to a run already listed, are left out.
    """
    text = os.path.expanduser(path)
    place = Path(text)
    if place.is_dir():
        names: Iterator[Path] | list[Path] = _below(place)
    elif place.exists() or not glob.has_magic(text):
        check_regular(place)
        names = [place]
    else:
        matched = [Path(name) for name in sorted(glob.glob(text, recursive=True))]
        names = [file for name in matched for file in (_below(name) if name.is_dir() else [name])]
    logs = {file: format for file in names if (format := recognised(file))}
    return logs if len(logs) < 2 else _without_totals(logs)


def read_runs(files: dict[Path, LogFormat]) -> list[LogRun]:
    """Read the runs of all files; a run that two files lead to counts once."""
    runs: list[LogRun] = []
    seen: set[tuple[str, str, str]] = set()
    for path, format in files.items():
        for run in _explained(path, format):
            if (key := (run.source, run.task, run.model)) not in seen:
                seen.add(key)
                runs.append(run)
    return runs


def _explained(path: Path, format: LogFormat) -> list[LogRun]:
    try:
        return format.read(path)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Check it.") from error
    except (AttributeError, TypeError, KeyError, IndexError) as error:
        raise FileError(
            f"{path} looks like a log of {format.name}, but a field is not as that format has it ({error}). Write the "
            "log again, or convert it to a table with columns id, label and prediction."
        ) from error


def _below(folder: Path) -> list[Path]:
    """List the files of a folder and the folders in it, in the order of their names."""
    files: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        files += [Path(place) / name for name in sorted(names) if not name.startswith(".")]
        if len(files) > MOST_FILES:
            raise FileError(f"{folder} has more than {MOST_FILES:,} files. Name the folder of one run.")
    return files


def _without_totals(files: dict[Path, LogFormat]) -> dict[Path, LogFormat]:
    """Leave out results files, records of totals, and all but one file of a HELM run."""
    kept: dict[Path, LogFormat] = {}
    folders: set[Path] = set()
    for path, format in files.items():
        opening = Opening(path)
        if format.name == helm.NAME:
            if path.parent in folders:
                continue
            folders.add(path.parent)
        beside = [other for other, kind in files.items() if kind is format and other.parent == path.parent]
        totals = (format.name == lm_eval.NAME and not lm_eval.is_samples(opening.record)) or (
            format.name == every_eval_ever.NAME and not every_eval_ever.is_samples(opening.record)
        )
        if totals and len(beside) > 1 and any(other != path for other in beside):
            continue
        kept[path] = format
    return kept or files
