"""Dossiers of earlier schema versions, brought to today's form for the checks that need it; files stay as they are."""

from collections.abc import Mapping
from typing import Any

_ENVELOPE = ("dossier", "kind", "chain", "run", "seal", "signature")
_RESULT = ("asked", "data", "versions", "seeds", "kept", "results", "assumptions", "warnings", "verdict", "recomputed")
_PLAN = ("plan",)
# the keys of a record, by schema and kind
KEYS: Mapping[int, Mapping[str, tuple[str, ...]]] = {
    1: {"result": (*_ENVELOPE, *_RESULT)},
    2: {"result": (*_ENVELOPE, *_RESULT, "model", "plan", "sheet"), "plan": (*_ENVELOPE, *_PLAN, "versions")},
    3: {"result": (*_ENVELOPE, *_RESULT, "model", "plan", "sheet"), "plan": (*_ENVELOPE, *_PLAN, "versions")},
}


def upgraded(record: dict[str, Any]) -> dict[str, Any]:
    """Give a record in the form of the newest schema.

    Schema 1 had no model, no plan and no data sheet. Schema 2 kept the counts of fewer functions (see `sufficient`).

    >>> upgraded({"dossier": 1, "kind": "result"})["plan"] is None
    True
    """
    if record["dossier"] == 1:
        return {**record, "model": None, "plan": None, "sheet": None}
    return record
