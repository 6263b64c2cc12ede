"""Short checksums of the single values of a record: they say where a record was changed.

They only locate a change. That there is one is known from the SHA-256 over the whole record.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from justesse.dossier.canonical import canonical, marked

DIGITS = 8
MOST_MATCHED = 500
How = Literal["changed", "removed", "added"]


@dataclass(frozen=True)
class RecordChange:
    """A place of a record, as a JSON pointer, and what happened to it."""

    where: str
    how: How
    value: Any = None

    def to_dict(self) -> dict[str, Any]:
        return {"where": self.where, "how": self.how, "value": self.value}


def prints(value: Any) -> Any:
    """Give the checksum of each value, nested as the values are; a row of a table has one.

    >>> prints({"n": 3, "rows": [["a", 1]]})
    {'n': '4e074085', 'rows': ['135f17a4']}
    """
    return _prints(marked(value))


def _prints(value: Any) -> Any:
    if isinstance(value, dict) and value:
        return {key: _prints(item) for key, item in value.items()}
    if isinstance(value, list) and value:
        return [_printed_item(item) for item in value]
    return _printed(value)


def _printed_item(item: Any) -> Any:
    if isinstance(item, list) and not any(isinstance(part, (dict, list)) for part in item):
        return _printed(item)
    return _prints(item)


def _printed(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:DIGITS]


def changes(tree: Any, value: Any) -> list[RecordChange]:
    """List the places where a record differs from its checksums.

    >>> tree = prints({"warnings": ["few rows", "old labels"], "n": 3})
    >>> changes(tree, {"warnings": ["old labels"], "n": 4})
    [RecordChange(where='/warnings/0', how='removed', value=None), RecordChange(where='/n', how='changed', value=4)]
    """
    return list(_changes(tree, _prints(marked(value)), value, ""))


def _changes(before: Any, now: Any, value: Any, where: str) -> Iterator[RecordChange]:
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict):
        for key in before:
            if key not in now:
                yield RecordChange(f"{where}/{escaped(key)}", "removed")
            else:
                yield from _changes(before[key], now[key], _item(value, key), f"{where}/{escaped(key)}")
        for key in now:
            if key not in before:
                yield RecordChange(f"{where}/{escaped(key)}", "added", _item(value, key))
    elif isinstance(before, list) and isinstance(now, list):
        yield from _list_changes(before, now, value, where)
    else:
        yield RecordChange(where or "/", "changed", value)


def _list_changes(before: list[Any], now: list[Any], value: Any, where: str) -> Iterator[RecordChange]:
    if len(before) == len(now):
        for at, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from _changes(old, new, _item(value, at), f"{where}/{at}")
        return
    if max(len(before), len(now)) > MOST_MATCHED:
        yield from _range_changes(before, now, value, where)
        return
    matcher = SequenceMatcher(None, list(map(str, before)), list(map(str, now)), autojunk=False)
    for what, first, last, start, end in matcher.get_opcodes():
        if what == "equal":
            continue
        shared = min(last - first, end - start)
        for step in range(shared):
            yield from _changes(
                before[first + step], now[start + step], _item(value, start + step), f"{where}/{start + step}"
            )
        yield from (RecordChange(f"{where}/{at}", "removed") for at in range(first + shared, last))
        yield from (RecordChange(f"{where}/{at}", "added", _item(value, at)) for at in range(start + shared, end))


def _range_changes(before: list[Any], now: list[Any], value: Any, where: str) -> Iterator[RecordChange]:
    """Say between which values a long list differs: matching all of them would take too long."""
    shorter = min(len(before), len(now))
    start = next((at for at in range(shorter) if before[at] != now[at]), shorter)
    end = next((at for at in range(shorter - start) if before[-1 - at] != now[-1 - at]), shorter - start)
    old, new = len(before) - start - end, len(now) - start - end
    for step in range(min(old, new, 1)):
        at = start + step
        yield from _changes(before[at], now[at], _item(value, at), f"{where}/{at}")
    how: How = "removed" if old > new else "added"
    first, last = start + min(old, new), start + max(old, new) - 1
    yield RecordChange(f"{where}/{first}" if first == last else f"{where}/{first}-{last}", how)


def _item(value: Any, key: Any) -> Any:
    """Give a part of a value; large integers stand for their marked form."""
    try:
        return value[key]
    except (TypeError, KeyError, IndexError):
        return value


def escaped(key: str) -> str:
    """Write a key in a JSON pointer.

    >>> escaped("a/b~c")
    'a~1b~0c'
    """
    return key.replace("~", "~0").replace("/", "~1")
