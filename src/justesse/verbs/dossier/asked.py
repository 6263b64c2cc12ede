"""What was asked of a verb, as JSON: every option with its value, and which of them are data."""

import glob
import inspect
import math
import os
import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import InputError
from justesse.core.recording import Gone
from justesse.frames.watched import file_names

MOST_LISTED = 1_000
# written by the verb, or where it keeps its work
OUTPUTS = frozenset({"checkpoint", "cleaned_to", "confusion", "curve_to", "path", "penalised_to", "recheck_to", "to", "transition_to"})  # fmt: skip
# data, and nothing else: a word here is a file or a database
TABLES = frozenset({"alarms", "audited", "candidate_data", "candidates", "changes", "more", "resubstitution", "systems", "tables", "verdicts"})  # fmt: skip
ARRAYS = frozenset({"data", "y_pred", "y_score", "y_true"})  # the same, or a list of classes
# where something is written, signed or kept
FORBIDDEN = OUTPUTS | {"datasheet", "dossier", "key", "progress", "project", "report", "sign", "signer", "state", "store"}  # fmt: skip


def written_options(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Write the arguments of a verb as JSON, and list the data among them by their argument.

    >>> written_options({"data": "none.csv", "level": 0.9, "label": np.array([1, 2])})[0]
    {'data': 'none.csv', 'level': 0.9, 'label': {'$data': 'label'}}
    """
    options: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, (tuple, list)) and any(_is_data(name, item) for item in value):
            options[name] = [_written(f"{name} {at}", item, data, name) for at, item in enumerate(value, 1)]
        else:
            options[name] = _written(name, value, data, name)
    return options, data


def _written(key: str, value: Any, data: dict[str, Any], name: str) -> Any:
    if _is_data(name, value):
        data[key] = value
        return {"$data": key, "file": os.fspath(value)} if isinstance(value, (str, os.PathLike)) else {"$data": key}
    return _plain(value)


def _is_data(name: str, value: Any) -> bool:
    """Tell whether an argument is data: a file that is there, a table or an array."""
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return name not in OUTPUTS and len(text) < 4096 and ("." in text or os.sep in text) and bool(_files(text))
    if value is None or isinstance(value, (bool, int, float, np.generic)) or callable(value):
        return False
    if isinstance(value, (list, tuple)):
        return len(value) > MOST_LISTED
    if isinstance(value, Mapping):
        return any(isinstance(item, (list, tuple)) or hasattr(item, "__array__") for item in value.values())
    # tables, arrays, tallies; not estimators, which are described
    return (
        hasattr(value, "__array__") or hasattr(type(value), "columns") or type(value).__name__ in ("Tally", "LogTable")
    )


def _files(text: str) -> list[str]:
    try:
        return file_names(text)
    except (OSError, ValueError):
        return []


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return without_password(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, os.PathLike):
        return without_password(os.fspath(value))
    if isinstance(value, (list, tuple, range, Set)) and len(value) <= MOST_LISTED:
        return [_plain(item) for item in value]
    if isinstance(value, Mapping) and len(value) <= MOST_LISTED:
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {key: _plain(item) for key, item in value.items()}
        return {"$pairs": [[_plain(key), _plain(item)] for key, item in value.items()]}
    return {"$object": " ".join(repr(value).split())[:200]}


def called(verb: Any, options: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> Any:
    """Call a verb with options from a dossier; data are replaced by those passed, or by nothing.

    Parameters
    ----------
    verb
        The function.
    options
        Its options, as the dossier has them.
    data
        Data by their key. Default: what the verb reads is remembered.
    """
    signature = inspect.signature(verb)
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if name not in options or name in OUTPUTS:
            continue
        value = _filled(options[name], data)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            keywords |= value
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            positional.append(value)
        else:
            keywords[name] = value
    return verb(*positional, **keywords)


def _filled(value: Any, data: Mapping[str, Any] | None) -> Any:
    if isinstance(value, dict):
        if "$data" in value:
            return Gone() if data is None else data[value["$data"]]
        if "$float" in value:
            return float(value["$float"])
        if "$pairs" in value:
            return {_filled(key, data): _filled(item, data) for key, item in value["$pairs"]}
        return {key: _filled(item, data) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, data) for item in value]
    return value


def without_password(text: str) -> str:
    """Hide the password of a database in an address.

    >>> without_password("postgresql://ann:secret@db/lab#spam"), without_password("a.csv")
    ('postgresql://ann:***@db/lab#spam', 'a.csv')
    """
    if "://" not in text:
        return text
    text = re.sub(r"(://[^/\s:@]*):[^/\s@]*@", r"\1:***@", text)
    return re.sub(r"([?&][^=&\s]*(?:pass|secret|token|key)[^=&\s]*=)[^&#\s'\"]*", r"\1***", text, flags=re.IGNORECASE)


def has_objects(value: Any) -> bool:
    """Tell whether options hold something that is only described, such as a model: they cannot be repeated."""
    if isinstance(value, dict):
        return "$object" in value or any(map(has_objects, value.values()))
    return isinstance(value, list) and any(map(has_objects, value))


def harmless_options(options: Any, from_counts: bool = True) -> dict[str, Any]:
    """Give the options of a dossier that may be passed on: none that writes, and no word that would open a file.

    Parameters
    ----------
    options
        The options, as the dossier has them.
    from_counts
        Whether the counts answer: then data that the dossier only names are gone, as those it kept are.

    Examples
    --------
    >>> harmless_options({"data": "postgresql://somewhere/table", "level": 0.9, "report": "page.html"})
    {'data': {'$data': 'data'}, 'level': 0.9}
    """
    if not isinstance(options, dict):
        raise InputError("Entry /asked/options of the dossier must be an object. The file was edited.")
    own = {
        name: _harmless(name, value, from_counts=from_counts)
        for name, value in options.items()
        if name not in FORBIDDEN
    }
    return own | ({"state": {"$data": "state"}} if from_counts and "state" in options else {})


def _harmless(name: str, value: Any, *, from_counts: bool, listed: bool = False) -> Any:
    if isinstance(value, str):
        if name in TABLES or name in ARRAYS:
            if from_counts:
                return value if listed and name in ARRAYS else {"$data": name}
            raise InputError(f"The dossier names {value!r} as {name} without a fingerprint, so it is not opened.")
        if _may_open(value):
            raise InputError(
                f"Option {name} of the dossier is {value!r}, which would open a file or a database. It is not repeated."
            )
        return value
    if isinstance(value, list):
        return [_harmless(name, item, from_counts=from_counts, listed=True) for item in value]
    if isinstance(value, dict) and "$data" not in value:
        kept = {key: item for key, item in value.items() if key not in FORBIDDEN} if name == "options" else value
        return {
            key: _harmless(key if name == "options" else name, item, from_counts=from_counts, listed=True)
            for key, item in kept.items()
        }
    return value


def _may_open(text: str) -> bool:
    """Tell whether a word names a file that is there, a pattern of files, or an address."""
    if "://" in text:
        return True
    if len(text) >= 4096 or "\0" in text or not ("." in text or os.sep in text):
        return False
    if any(sign in text for sign in "*?[") and os.sep in text:
        return True
    return os.path.exists(os.path.expanduser(text)) or bool(glob.glob(text))


def folder_of(path: Path) -> Path:
    """Give the directory of a file."""
    return path.absolute().parent
