"""How parts of a dossier are named to readers."""

from collections.abc import Mapping
from typing import Any

from justesse.report.writing import Message, message

SKIPPED = ("run", "schema", "version")


def data_words(entry: Mapping[str, Any]) -> Message:
    """Describe a set of data in a few words."""
    names = ", ".join(file["file"] for file in entry["files"]) or message("{kind} in memory", kind=entry["kind"])
    if entry["rows"] is None or entry["columns"] is None:
        return message("{names}", names=names)
    return message(
        "{names}, {rows:count row}, {columns:count column}",
        names=names,
        rows=entry["rows"],
        columns=len(entry["columns"]),
    )


def data_change(before: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> tuple[str, Message]:
    """Compare two fingerprints: same bytes, same rows in another order or form, or other rows."""
    if before is None or now is None:
        return "missing", message("Only in one of the two.")
    if before["files"] and [f["sha256"] for f in before["files"]] == [f["sha256"] for f in now["files"]]:
        return "same", message("Same bytes.")
    if before["content_sha256"] is not None and before["content_sha256"] == now["content_sha256"]:
        if not before["files"] or not now["files"]:
            return "same", message("Same content.")
        return "reordered", message("Same content in another order or form: the bytes differ, the rows do not.")
    if any(entry[key] is None for entry in (before, now) for key in ("rows", "columns")):
        return "other", message("Other bytes.")
    if before["columns"] != now["columns"]:
        more = [name for name in now["columns"] if name not in before["columns"]]
        fewer = [name for name in before["columns"] if name not in now["columns"]]
        template = "Other columns: {more:count} more, {fewer:count} fewer; {old:count} and {new:count} rows."
        return "other", message(template, more=len(more), fewer=len(fewer), old=before["rows"], new=now["rows"])
    if before["rows"] == now["rows"]:
        return "other", message("Other content in {n:count rows}.".replace("count rows", "count row"), n=now["rows"])
    return "other", message("Other content: {old:count} rows, then {new:count}.", old=before["rows"], new=now["rows"])


def shown_value(value: Any) -> str:
    """Write an option or a figure in a few words."""
    if isinstance(value, dict):
        if "$data" in value:
            return str(value.get("file", "data in memory"))
        for mark in ("$object", "$float"):
            if mark in value:
                return str(value[mark])
        if "$pairs" in value:
            return ", ".join(f"{shown_value(key)}: {shown_value(item)}" for key, item in value["$pairs"][:4])
        return ", ".join(f"{key}: {shown_value(item)}" for key, item in list(value.items())[:4])
    if isinstance(value, list):
        more = f" and {len(value) - 5} more" if len(value) > 5 else ""
        return ", ".join(map(shown_value, value[:5])) + more
    return "none" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)
