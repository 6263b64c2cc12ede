"""Test items that a version was trained on: by their id, by features, or by a text that is nearly the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.recording import forgetting, remembering
from justesse.frames.columns import check_column
from justesse.frames.fingerprints import shared_rows
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.near_rows import near_rows
from justesse.frames.sides import Side, beside, side

NEAR = 0.8  # similarity of texts from which they count as the same item
SHOWN = 3  # ids named for each version


@dataclass(frozen=True)
class ItemKeys:
    """By what a test item is recognised among training items: its id, its features, or a text nearly the same.

    `tolerance` is by how much numbers among the features may differ, as a share of the standard deviation of their
    column; `near` is how similar texts are.
    """

    id: str | None = None
    features: tuple[str, ...] = ()
    tolerance: float = 0.0
    text: str | None = None
    near: float = NEAR

    @property
    def columns(self) -> dict[str, str]:
        """Columns by part."""
        named = {"on": self.id, "text": self.text, **{f"feature {name}": name for name in self.features}}
        return {part: name for part, name in named.items() if name}


@dataclass(frozen=True)
class LeakedVersion:
    """One version: how many of its test rows are items that it was trained on, of how many, and the first of them."""

    version: str
    rows: int
    tested: int
    first: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LeakedItems:
    """Which test rows are items that their version was trained on.

    Parameters
    ----------
    rows
        Places of these rows, from 0.
    versions
        Versions that have some, in the order of the table.
    where, training
        Names of the test table and of the table of training items.
    unchecked
        Versions without any training item, although other versions have some.
    """

    rows: Array
    versions: tuple[LeakedVersion, ...]
    where: str
    training: str
    unchecked: tuple[str, ...] = ()


@remembering
def leaked_items(test: Any, training: Any, version: str, keys: ItemKeys) -> LeakedItems:
    """Find the test rows whose item is among those that their version was trained on.

    Parameters
    ----------
    test
        Path, data frame or dict with a row for each test item and version.
    training
        The same with a row for each version and item that it was trained on. Without a column of versions, all
        versions were trained on all of them.
    version
        Column with the version.
    keys
        By what items are recognised.

    >>> test = {"version": ["a", "a", "b"], "id": [1, 2, 2]}
    >>> leaked = leaked_items(test, {"version": ["a", "b"], "id": [2, 7]}, "version", ItemKeys("id"))
    >>> leaked.rows.tolist(), leaked.versions
    ([1], (LeakedVersion(version='a', rows=1, tested=2, first=('2',)),))
    """
    ours, theirs = side(test, "test"), side(training, "training")
    for table in (ours, theirs):
        for part, name in keys.columns.items():
            check_column(table.columns, table.name, part.split()[0], name)
    shared = [version] if version in theirs.columns else []
    rows = [np.empty(0, dtype=np.int64)]
    if keys.id:
        rows.append(_by_id(ours, theirs, [*shared, keys.id]))
    if keys.features:
        rows.append(shared_rows(ours, theirs, [*shared, *keys.features], how="written alike").rows)
        if keys.tolerance:
            rows.append(near_rows(ours, theirs, keys.features, tolerance=keys.tolerance, equal=shared))
    if keys.text:
        rows.append(shared_rows(ours, theirs, [*shared, keys.text], how="written alike").rows)
        rows.append(_by_text(ours, theirs, version if shared else None, keys.text, keys.near))
    places = np.unique(np.concatenate(rows))
    unchecked = _untrained(ours, theirs, version) if shared else ()
    return LeakedItems(places, _by_version(ours, places, version, keys.id), ours.name, theirs.name, unchecked)


@forgetting
def without_rows(data: Any, rows: Array) -> Any:
    """Return the table, as Arrow, without the rows at these places."""
    import pyarrow as pa

    table = side(data, "test")
    kept = np.ones(table.size, dtype=bool)
    kept[rows] = False
    fetched = table.in_order(table.columns).to_arrow_table().rename_columns(list(table.columns))
    return fetched.filter(pa.array(kept))


def _untrained(ours: Side, theirs: Side, version: str) -> tuple[str, ...]:
    sql = (
        "SELECT t.c0 AS name FROM ours t WHERE t.c0 IS NOT NULL AND NOT EXISTS (FROM theirs r WHERE r.c0 = t.c0) "
        "GROUP BY t.c0 ORDER BY min(t.place)"
    )
    return tuple(map(str, beside((ours, theirs), sql, ours.numbered([version]), theirs.texts([version]))["name"]))


def _by_id(ours: Side, theirs: Side, columns: Sequence[str]) -> Array:
    same = " AND ".join(f"r.c{at} = t.c{at}" for at in range(len(columns)))
    sql = f"SELECT t.place AS place FROM ours t WHERE EXISTS (FROM theirs r WHERE {same})"
    result = beside((ours, theirs), sql, ours.numbered(columns), theirs.texts(columns))
    return np.asarray(result["place"], dtype=np.int64)


def _by_text(ours: Side, theirs: Side, version: str | None, text: str, near: float) -> Array:
    """Compare texts of each version with those that it was trained on."""
    if version is None:
        return near_duplicates(ours, theirs, text, near=near).rows
    tables = [item.in_order([version, text]).to_arrow_table() for item in (ours, theirs)]
    names = [np.asarray(table["c0"].to_pylist(), dtype=object) for table in tables]
    rows = [np.empty(0, dtype=np.int64)]
    for name in dict.fromkeys(names[0]):
        places = [np.flatnonzero(own == name) for own in names]
        if len(places[1]):
            first, second = (
                side({text: table["c1"].take(at)}, "texts") for table, at in zip(tables, places, strict=True)
            )
            rows.append(places[0][near_duplicates(first, second, text, near=near).rows])
    return np.concatenate(rows)


def _by_version(ours: Side, places: Array, version: str, id: str | None) -> tuple[LeakedVersion, ...]:
    fetched = ours.fetched(ours.in_order([version, *([id] if id else [])]))
    names = np.ma.filled(np.ma.asarray(fetched["c0"]).astype(object), "")
    ids = fetched["c1"] if id else np.arange(1, len(names) + 1)
    versions = []
    for name in dict.fromkeys(names[places].tolist()):
        own = places[names[places] == name]
        first = tuple(str(ids[at]) for at in own[:SHOWN].tolist())
        versions.append(LeakedVersion(str(name), len(own), int((names == name).sum()), first))
    return tuple(versions)


def check_some_left(leaked: LeakedItems) -> None:
    """Refuse to drop every test row of a version."""
    for version in leaked.versions:
        if version.rows == version.tested:
            raise InputError(
                f"Version {version.version!r} was trained on all of its {version.tested:,} test items in "
                f"{leaked.where}, so nothing is left to test it on. Remove it from the table."
            )
