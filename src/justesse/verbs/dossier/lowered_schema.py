"""Whether a dossier claims an older schema than it has: older dossiers keep fewer counts, so less is computed again."""

import re
from collections.abc import Mapping
from typing import Any

from justesse.report.writing import Message, message
from justesse.verbs.dossier.sufficient import KEPT, KEPT_BEFORE

# the newest version of justesse that wrote a schema; today's schema has none
LAST_VERSION: Mapping[int, str] = {1: "0.1.0", 2: "0.1.0"}
_BEFORE = frozenset(name for verb in KEPT_BEFORE for name in KEPT[verb])
KEPT_LATER = frozenset(name for names in KEPT.values() for name in names) - _BEFORE


def lowered_schema(record: Mapping[str, Any]) -> tuple[str, Message] | None:
    """Say what a dossier has that its schema had not, and where; `None` if it may be of the schema that it names.

    >>> dossier = {"dossier": 2, "versions": {"justesse": "0.1.0"}, "kept": {"count_events": []}}
    >>> where, words = lowered_schema(dossier)
    >>> where, str(words)
    ('/kept/count_events', 'dossiers of schema 2 keep nothing of that name')
    >>> lowered_schema({**dossier, "dossier": 3}) is None
    True
    """
    schema, written_by = record["dossier"], record["versions"]["justesse"]
    if schema not in LAST_VERSION:
        return None
    if _numbers(written_by) > _numbers(LAST_VERSION[schema]) or not _numbers(written_by):
        template = "justesse {writer}, which is named as the writer, writes no dossiers of schema {schema}"
        return "/dossier", message(template, writer=written_by, schema=schema)
    later = next((name for name in record.get("kept", {}) if name in KEPT_LATER), None)
    if later is None:
        return None
    return f"/kept/{later}", message("dossiers of schema {schema} keep nothing of that name", schema=schema)


def _numbers(version: str) -> list[int]:
    """Give the leading numbers of a version.

    >>> _numbers("0.10.1.dev3") > _numbers("0.9")
    True
    """
    start = re.match(r"\d{1,9}(?:\.\d{1,9})*", version)
    return [int(part) for part in start[0].split(".")] if start else []
