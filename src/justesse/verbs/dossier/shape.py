"""The types of what a dossier holds: a seal shows that nothing was changed, not that justesse wrote it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError, JustesseError

TEXT, NUMBER, LIST, OBJECT, NOTHING = (str,), (int,), (list,), (dict,), type(None)
TYPES: Mapping[type, str] = {str: "a text", int: "a whole number", list: "a list", dict: "an object", NOTHING: "null"}
_CHAIN = {"/chain": OBJECT, "/chain/number": NUMBER, "/chain/previous": (dict, NOTHING)}
_RUN = {"/run": OBJECT, "/run/who": TEXT, "/run/when": TEXT}
_ENVELOPE = {**_CHAIN, **_RUN, "/seal": OBJECT, "/seal/sha256": TEXT, "/signature": (dict, NOTHING)}
_VERSIONS = {"/versions": OBJECT, "/versions/justesse": TEXT}
PLAN = {**_ENVELOPE, **_VERSIONS, "/plan": OBJECT, "/plan/settings": OBJECT}
RESULT = {
    **_ENVELOPE,
    **_VERSIONS,
    "/asked": OBJECT,
    "/asked/verb": TEXT,
    "/asked/command": (str, NOTHING),
    "/asked/options": OBJECT,
    "/data": LIST,
    "/seeds": OBJECT,
    "/kept": OBJECT,
    "/results": OBJECT,
    "/assumptions": LIST,
    "/warnings": LIST,
    "/verdict": OBJECT,
    "/verdict/words": TEXT,
    "/recomputed": OBJECT,
    "/recomputed/from": LIST,
    "/recomputed/except": LIST,
    "/recomputed/why": (str, NOTHING),
    "/model": (dict, NOTHING),
    "/plan": (dict, NOTHING),
    "/sheet": (dict, NOTHING),
}
FILE = {"/file": TEXT, "/sha256": TEXT}
DATA = {"/argument": TEXT, "/kind": TEXT, "/files": LIST, "/rows": (int, NOTHING), "/columns": (list, NOTHING),
        "/content_sha256": (str, NOTHING)}  # fmt: skip
MODEL = {"/files": LIST, "/training": LIST, "/commit": (str, NOTHING), "/seed": (int, NOTHING)}
SIGNED = {"/signer": TEXT, "/public_key": TEXT, "/value": TEXT}


def shape_fault(record: Mapping[str, Any]) -> tuple[str, str] | None:
    """Say which part of a dossier, in the form of the newest schema, is not of its type; `None` if all are.

    >>> shape_fault({"kind": "plan", "chain": []})
    ('/chain', '/chain must be an object.')
    """
    fault = next(_faults(record), None)
    return None if fault is None else (fault[0], " ".join(fault) + ".")


def _faults(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    is_plan = record["kind"] == "plan"
    yield from _typed(record, PLAN if is_plan else RESULT)
    if (previous := record["chain"]["previous"]) is not None:
        yield from _typed(previous, FILE, "/chain/previous")
    if record["signature"] is not None:
        yield from _typed(record["signature"], SIGNED, "/signature")
    if is_plan:
        return
    for place in (record["assumptions"], "/assumptions"), (record["warnings"], "/warnings"):
        yield from _all(*place, str)
    yield from _all(record["recomputed"]["from"], "/recomputed/from", str)
    yield from _all(record["recomputed"]["except"], "/recomputed/except", str)
    for at, entry in enumerate(record["data"]):
        yield from _typed(entry, DATA, f"/data/{at}")
        yield from _files(entry["files"], f"/data/{at}/files")
    for name, values in record["kept"].items():
        yield from _all(values, f"/kept/{name}", dict, NOTHING)
    if record["model"] is not None:
        yield from _typed(record["model"], MODEL, "/model")
        yield from _files(record["model"]["files"], "/model/files")
        yield from _files(record["model"]["training"], "/model/training")
    if record["plan"] is not None:
        yield from _typed(record["plan"], {"/record": OBJECT, "/record/kind": TEXT}, "/plan")
        inner = {**record["plan"]["record"], "kind": "plan"}
        yield from ((f"/plan/record{where}", fault) for where, fault in _faults(inner))


def _typed(value: Any, types: Mapping[str, tuple[type, ...]], above: str = "") -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield above, "must be an object"
        return
    for where, kinds in types.items():
        *parents, key = where.split("/")[1:]
        holder = value
        for parent in parents:
            holder = holder[parent]
        if key not in holder:
            yield above + where, "is missing"
        elif not isinstance(holder[key], kinds) or isinstance(holder[key], bool):
            yield above + where, f"must be {_names(kinds)}"


def _all(values: Any, where: str, *kinds: type) -> Iterator[tuple[str, str]]:
    if not isinstance(values, list):
        yield where, "must be a list"
        return
    for at, value in enumerate(values):
        if not isinstance(value, kinds):
            yield f"{where}/{at}", f"must be {_names(kinds)}"


def _files(files: Any, where: str) -> Iterator[tuple[str, str]]:
    yield from _all(files, where, dict)
    for at, file in enumerate(files):
        yield from _typed(file, FILE, f"{where}/{at}")


def _names(kinds: tuple[type, ...]) -> str:
    return " or ".join(TYPES[kind] for kind in kinds)


# what odd values break, wherever they are used
BREAKS = (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError, ZeroDivisionError, RecursionError)


@contextmanager
def read_as_dossier(path: Path) -> Iterator[None]:
    """Turn what odd content of a dossier breaks into a refusal."""
    try:
        yield
    except JustesseError:
        raise
    except BREAKS as error:
        raise InputError(
            f"{path} holds what justesse does not write. It was edited and "
            "sealed again, or another version wrote it. Ask for the dossier as it was written."
        ) from error
