"""Versions in the order of their training, and moments in the order of time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import CLUSTERS
from justesse.core.tally import Tally
from justesse.frames.read_times import read_times
from justesse.frames.time_zones import check_zones, zone_of

VERSION, TRAINED = "version", "trained"


@dataclass(frozen=True)
class VersionColumns:
    """Which columns hold what: the version, the time of the item, and when the version was trained."""

    version: str
    time: str
    trained: str | None = None


@dataclass(frozen=True)
class PlacedVersions:
    """Versions in the order of training and moments in the order of time, and the place of each row among them."""

    versions: tuple[str, ...]
    moments: FloatArray
    written: tuple[str, ...]
    dated: bool
    trained: FloatArray | None
    at: tuple[Array, Array]

    def places(self, tally: Tally) -> tuple[Array, Array]:
        """Return the version and the moment of each cell of a tally."""
        return place_of(tally, VERSION, self.versions), place_of(tally, CLUSTERS, self.written)

    def sums(self, amounts: ArrayLike) -> FloatArray:
        """Add up an amount for each row, by version and moment."""
        totals = np.zeros((len(self.versions), len(self.moments)))
        np.add.at(totals, self.at, np.asarray(amounts, dtype=float))
        return totals


def place_of(tally: Tally, axis: str, names: Sequence[str]) -> Array:
    """Return the place of each cell of a tally among these names."""
    place = {name: at for at, name in enumerate(names)}
    own = np.array([place[str(name)] for name in tally.levels[tally.axis(axis)]], dtype=np.int64)
    return np.asarray(own[tally.codes[:, tally.axis(axis)]])


def placed_versions(
    version: tuple[Array, Sequence[Any]],
    moment: tuple[Array, Sequence[Any]],
    trained: tuple[Array, Sequence[Any]] | None,
    columns: VersionColumns,
    where: str,
) -> PlacedVersions:
    """Put versions in the order of their training and moments in the order of time.

    Parameters
    ----------
    version, moment, trained
        Code of each row, and the value of each code.
    columns
        Names of these columns.
    where
        Name of the table.
    """
    names, written = _complete(version[1], columns.version, where), _complete(moment[1], columns.time, where)
    moments, dated = read_times(written, columns.time, where)
    learnt = None
    if trained is not None:
        learnt = _trained(trained[0], trained[1], version[0], names, columns, where)
        if dated != learnt[1]:
            raise ColumnError(
                f"Columns {columns.time!r} and {columns.trained!r} of {where} must both contain dates, or both numbers."
            )
        if dated and columns.trained is not None:
            check_zones({columns.time: zone_of(written), columns.trained: zone_of(map(str, trained[1]))}, where)
    order = sorted(range(len(names)), key=lambda at: (learnt[0][at] if learnt else 0.0, _numbered(names[at])))
    places, ranks = np.argsort(moments, kind="stable"), np.argsort(order)
    return PlacedVersions(
        tuple(names[place] for place in order),
        moments[places],
        tuple(written[place] for place in places.tolist()),
        dated,
        None if learnt is None else learnt[0][order],
        (ranks[version[0]], np.argsort(places)[moment[0]]),
    )


def _complete(values: Sequence[Any], column: str, where: str) -> list[str]:
    if any(value is None for value in values):
        raise InputError(f"Column {column!r} of {where} has rows without a value. Fill them in, or remove those rows.")
    return [str(value) for value in values]


def _numbered(name: str) -> list[tuple[int, float, str]]:
    """Sort v2 before v10.

    >>> sorted(["v10", "v2", "v1"], key=_numbered)
    ['v1', 'v2', 'v10']
    """
    return [(0, float(part), "") if part.isdecimal() else (1, 0.0, part) for part in re.split(r"(\d+)", name) if part]


def _trained(
    codes: Array, levels: Sequence[Any], version: Array, names: Sequence[str], columns: VersionColumns, where: str
) -> tuple[FloatArray, bool]:
    assert columns.trained is not None
    written = _complete(levels, columns.trained, where)
    times, dated = read_times(written, columns.trained, where)
    own = np.full(len(names), np.nan)
    for at, name in enumerate(names):
        own_times = np.unique(times[codes[version == at]])
        if len(own_times) > 1:
            raise InputError(
                f"Version {name!r} in {where} has more than one time of training (column {columns.trained!r}). Give "
                "each version one time."
            )
        own[at] = own_times[0]
    return own, dated
