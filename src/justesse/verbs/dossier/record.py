"""Write the dossier of a result: what was asked, of which data, what came out, and how it can be checked."""

import datetime
import getpass
import importlib.metadata
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError, InputError, OptionError
from justesse.core.recording import Recording
from justesse.core.version import __version__
from justesse.dossier.canonical import marked
from justesse.dossier.chain import locked, next_link
from justesse.dossier.layout import laid_out
from justesse.dossier.seal import SEAL, SIGNATURE, sealed
from justesse.dossier.signature import Signer, private_key, signed
from justesse.frames.content_print import data_prints
from justesse.frames.native import check_place, write_whole
from justesse.frames.watched import file_names, fingerprints
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.dossier.asked import without_password, written_options
from justesse.verbs.dossier.kinds import kept, kept_of
from justesse.verbs.dossier.repeat import (
    PROSE,
    CannotRepeatError,
    basis,
    differences,
    figures,
    is_under,
    repeated,
    why_not,
)

DOSSIER_SCHEMA = 3
LIBRARIES = ("numpy", "scipy", "duckdb", "pyarrow", "narwhals", "scikit-learn", "sqlalchemy")
SEEDS = ("seed", "model_seed")
MOST_PLACES = 200
AGENT = "agent"


def write_dossier(
    result: Result,
    recording: Recording,
    path: Path,
    *,
    project: str | os.PathLike[str] | None = None,
    sign: str | os.PathLike[str] | None = None,
    signer: str | None = None,
    plan: str | os.PathLike[str] | None = None,
    sheet: str | os.PathLike[str] | None = None,
    model_file: str | os.PathLike[str] | list[str] | None = None,
    model_commit: str | None = None,
    model_data: str | os.PathLike[str] | list[str] | None = None,
    model_seed: int | None = None,
    command: str | None = None,
) -> Path:
    """Write the dossier of a result; see `Result.dossier` for the options.

    Parameters
    ----------
    result, recording
        The result, and how it came about.
    path
        File to write.
    project, sign, signer, plan, sheet, command
        As `Result.dossier` has them.
    model_file, model_commit, model_data, model_seed
        What is known about the model.
    """
    key = signing_key(sign)
    options, data = written_options(recording.settings)
    body = {
        "asked": {"verb": recording.verb, "command": command and without_password(command), "options": options},
        "data": [entry for name, value in data.items() for entry in data_prints(name, value)],
        "model": model_facts(model_file, model_commit, model_data, model_seed),
        "versions": versions(),
        "seeds": {name: options[name] for name in SEEDS if isinstance(options.get(name), int)},
        "kept": kept(recording.memory) | kept_of(result),
        **figures(result),
        "plan": None if plan is None else embedded_plan(Path(plan)),
        "sheet": None if sheet is None else sheet_facts(Path(sheet)),
    }
    body["recomputed"] = recomputed(body)
    body["results"] = result.to_dict()
    return write_record(path, "result", body, project=project, key=key, signer=signer)


def write_record(
    path: Path,
    kind: str,
    body: Mapping[str, Any],
    *,
    project: str | os.PathLike[str] | None = None,
    key: Signer | None = None,
    signer: str | None = None,
) -> Path:
    """Put a record into the chain of its project, seal it, sign it if there is a key, and write it.

    Parameters
    ----------
    path
        File to write; one that is there is never replaced.
    kind
        Result or plan.
    body
        What is recorded.
    project
        Directory of the chain. Default: that of the file.
    key
        Key to sign with.
    signer
        Name of the person who is responsible. Default: the login name.
    """
    check_new(path)
    folder = path.absolute().parent if project is None else Path(project)
    if not folder.is_dir():
        raise FileError(f"Project directory {str(folder)!r} not found. Create it first.")
    who = signer or login_name()
    with locked(folder):
        record = sealed(
            marked(
                {
                    "dossier": DOSSIER_SCHEMA,
                    "kind": kind,
                    "chain": {"project": folder.resolve().name, **next_link(folder)},
                    **body,
                    "run": {
                        "who": who,
                        "when": now(),
                        "machine": platform.platform(),
                        "python": platform.python_version(),
                    },
                }
            )
        )
        record[SIGNATURE] = None if key is None else signed(record[SEAL]["sha256"], key, who)
        text = laid_out(record).encode()
        return write_whole(path, lambda temporary: Path(temporary).write_bytes(text))


def check_new(path: Path) -> None:
    """Refuse a place where no new file can be: dossiers are only ever added."""
    check_place(path, endings=(".json",))
    if path.exists():
        raise OptionError(f"{path} exists, and a dossier is never overwritten. Choose another name.")


def signing_key(sign: str | os.PathLike[str] | None) -> Signer | None:
    """Open the key to sign with: a file, or one that an SSH agent holds."""
    if sign is None:
        return None
    text = os.fspath(sign)
    if text == AGENT or text.startswith(f"{AGENT}:"):
        from justesse.dossier.agent import agent_key

        return agent_key(text.partition(":")[2] or None)
    return private_key(Path(text))


def recomputed(body: Mapping[str, Any]) -> dict[str, Any]:
    """Try whether the figures follow from what is kept, and say which do not: those are only checked by their checksum."""
    try:
        again = figures(repeated(marked({"dossier": DOSSIER_SCHEMA, **body})))
    except CannotRepeatError as error:
        return {"from": [], "except": [""], "why": str(error)}
    except Exception as error:  # without its data a verb that keeps only a part may fail anywhere
        why = message("The figures need more than the counts: {why}", why=why_not(error))
        return {"from": [], "except": [""], "why": str(why)}
    own = {key: body[key] for key in again}
    places = [where for where, _, _ in differences(own, again)]
    if len(places) > MOST_PLACES:
        # sentences are named one by one: no dossier can exempt all of them
        places = list(
            dict.fromkeys(where if is_under(where, list(PROSE)) else "/".join(where.split("/")[:3]) for where in places)
        )
    return {"from": basis(body), "except": places, "why": None}


def versions() -> dict[str, str | None]:
    """List the versions of justesse and of what it computes with."""
    listed: dict[str, str | None] = {"justesse": __version__}
    for name in LIBRARIES:
        try:
            listed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            listed[name] = None
    return listed


def model_facts(
    files: str | os.PathLike[str] | Sequence[str] | None,
    commit: str | None,
    data: str | os.PathLike[str] | Sequence[str] | None,
    seed: int | None,
) -> dict[str, Any] | None:
    """Fingerprint the model: its files, the version of its code, its training data and its seed."""
    if files is None and commit is None and data is None and seed is None:
        return None
    return {
        "files": [fact for name in _names(files) for fact in file_prints(name, "Model file")],
        "commit": commit,
        "training": [fact for name in _names(data) for fact in file_prints(name, "Training data")],
        "seed": seed,
    }


def file_prints(name: str, what: str) -> list[dict[str, Any]]:
    """Fingerprint a file, or all files of a folder or pattern."""
    if not file_names(name):
        raise FileError(f"{what} {name!r} not found. Name a file or a folder.")
    return [{"file": str(path), "bytes": path.stat().st_size, "sha256": digest} for path, digest in fingerprints(name)]


def _names(values: str | os.PathLike[str] | Sequence[str] | None) -> list[str]:
    if values is None:
        return []
    return [os.fspath(values)] if isinstance(values, (str, os.PathLike)) else list(map(str, values))


def embedded_plan(path: Path) -> dict[str, Any]:
    """Read a plan that is whole, to be kept in the dossier of what followed it."""
    from justesse.dossier.layout import read_record
    from justesse.dossier.seal import broken

    record = read_record(path)
    if record.get("kind") != "plan":
        raise InputError(f"{path} is a dossier, but not a plan. Write one with: justesse dossier plan.")
    if places := broken(record):
        raise InputError(f"{path} was changed at {places[0].where}. Use the plan as it was written.")
    return {"file": path.name, "record": record}


def sheet_facts(path: Path) -> dict[str, Any]:
    """Read a data sheet, to be kept in the dossier."""
    from justesse.store.datasheet import datasheet

    if not path.exists():
        raise FileError(f"{path} not found. Begin a data sheet with: justesse dossier datasheet {path}.")
    sheet = datasheet(path)
    return {**sheet.to_dict(), "file": path.name, "sha256": fingerprints(str(path))[0][1]}


def login_name() -> str:
    """Give the name of the user, or a word for someone without one."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"


def now() -> str:
    """Give the time, in UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
