"""Open a dossier that is to be read, not checked: it must be whole all the same."""

from pathlib import Path
from typing import Any, Literal

from justesse.core.errors import InputError
from justesse.dossier.layout import read_record
from justesse.dossier.seal import broken
from justesse.verbs.dossier.shape import shape_fault
from justesse.verbs.dossier.upgraded import KEYS, upgraded


def opened_dossier(path: Path, kind: Literal["result", "plan"] | None = "result") -> dict[str, Any]:
    """Read a dossier in the form of the newest schema, refusing one that was changed or is of another kind."""
    record = read_record(path)
    schema = record["dossier"]
    if not isinstance(schema, int) or isinstance(schema, bool) or schema not in KEYS:
        raise InputError(f"{path} has the schema {schema!r}, which this version of justesse does not know.")
    if places := broken(record):
        raise InputError(f"{path} was changed at {places[0].where}. See: justesse dossier verify {path}.")
    if kind is not None and record.get("kind") != kind:
        raise InputError(f"{path} is a {record.get('kind')}, and a {kind} is needed. Name another dossier.")
    if record.get("kind") not in KEYS[schema]:
        raise InputError(f"{path} is neither a result nor a plan. Name a file that --dossier wrote.")
    newer = upgraded(record)
    if fault := shape_fault(newer):
        raise InputError(f"{path} is not as justesse writes it: {fault[1]} Ask for the dossier as it was written.")
    return newer
