"""Moments grouped into test periods, and periods into blocks of time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError

Calendar = Literal["day", "week", "month", "quarter", "year"]
MOST = 60  # periods that are made without being asked for
DAY = 86400.0
TRAININGS = "between trainings"


@dataclass(frozen=True)
class Periods:
    """Test periods: their names, the period of each moment, the mean time of each, and how they were made."""

    names: tuple[str, ...]
    of_moment: Array
    times: FloatArray
    length: str


def grouped(moments: FloatArray, written: Sequence[str], dated: bool, length: str | float | None = None) -> Periods:
    """Group moments, in order, into periods.

    Parameters
    ----------
    moments
        Times in order: numbers, or days since 1970.
    written
        The same as they are written.
    dated
        Whether they are dates.
    length
        day, week, month, quarter or year for dates; a length in the unit of the times for numbers. Default: each
        moment if there are few, otherwise the shortest calendar period that gives few.

    >>> grouped(np.array([0.0, 1.0, 40.0]), ["a", "b", "c"], True, "month").names
    ('1970-01', '1970-02')
    """
    if length is None and len(moments) <= MOST:
        return _of_labels(list(written), moments, "moment")
    if dated:
        if length is None:
            for kind in get_args(Calendar):
                made = _of_labels([calendar_name(moment, kind) for moment in moments.tolist()], moments, kind)
                if len(made.names) <= MOST:
                    return made
            return made
        if length not in get_args(Calendar):
            raise OptionError(f"With dates, a period is one of {', '.join(get_args(Calendar))}; got {length!r}.")
        return _of_labels([calendar_name(moment, str(length)) for moment in moments.tolist()], moments, str(length))
    try:
        step = float("nan") if length is None else float(length)
    except ValueError:
        step = float("nan")
    if not step > 0:
        raise OptionError(
            f"There are {len(moments):,} different times. Say how many units of time make a period, such as 30 "
            f"(period=…, --period); got {length!r}."
        )
    starts = np.floor(moments / step) * step
    return _of_labels([f"{start:g}" for start in starts.tolist()], moments, f"{step:g}")


def between_trainings(moments: FloatArray, written: Sequence[str], trained: FloatArray) -> Periods:
    """Make a period of all moments between two trainings, so that both alternate; named by its first moment.

    Parameters
    ----------
    moments
        Times in order.
    written
        The same as they are written.
    trained
        Times of training, in order.

    >>> between_trainings(np.array([1.0, 2.0, 5.0]), ["1", "2", "5"], np.array([0.0, 3.0])).of_moment.tolist()
    [0, 0, 1]
    """
    gaps = np.searchsorted(np.unique(trained), moments, side="left")
    first = dict(zip(gaps.tolist()[::-1], list(written)[::-1], strict=True))
    return _of_labels([first[gap] for gap in gaps.tolist()], moments, TRAININGS)


def calendar_name(day: float, kind: str) -> str:
    """Name the calendar period of a day since 1970.

    >>> [calendar_name(40.5, kind) for kind in ("day", "week", "month", "quarter", "year")]
    ['1970-02-10', '1970-W07', '1970-02', '1970-Q1', '1970']
    """
    moment = datetime.fromtimestamp(day * DAY, UTC)
    if kind == "week":
        year, week, _ = moment.isocalendar()
        return f"{year}-W{week:02d}"
    if kind == "quarter":
        return f"{moment.year}-Q{(moment.month + 2) // 3}"
    return moment.strftime({"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}[kind])


def blocks_of(moments: FloatArray, of_period: Array, dated: bool) -> Array:
    """Number the blocks of time within which items may be alike: neighbouring days of a period, or single moments.

    A period of m days (or moments, if times are numbers) has blocks of √m of them, rounded: items of a day may be
    alike, and so may neighbouring days.

    Parameters
    ----------
    moments
        Times in order: numbers, or days since 1970.
    of_period
        Period of each moment.
    dated
        Whether times are dates.

    Returns
    -------
    array
        Block of each moment, numbered through all periods.

    >>> blocks_of(np.array([0.1, 0.9, 1.0, 2.0, 3.0]), np.zeros(5, dtype=int), True).tolist()
    [0, 0, 0, 1, 1]
    """
    units = np.floor(moments) if dated else moments
    blocks = np.zeros(len(moments), dtype=np.int64)
    start = 0
    for period in np.unique(of_period).tolist():
        inside = of_period == period
        unit = np.unique(units[inside], return_inverse=True)[1].reshape(-1)
        own = unit // block_length(int(unit.max()) + 1)
        blocks[inside] = start + own
        start += int(own.max()) + 1
    return blocks


def block_length(units: int) -> int:
    """Return how many days or moments of a period make a block.

    >>> [block_length(units) for units in (1, 4, 30, 365)]
    [1, 2, 5, 19]
    """
    return max(1, round(math.sqrt(units)))


def _of_labels(labels: Sequence[str], moments: FloatArray, length: str) -> Periods:
    names = list(dict.fromkeys(labels))
    place = {name: at for at, name in enumerate(names)}
    codes = np.array([place[name] for name in labels], dtype=np.int64)
    times = np.bincount(codes, moments) / np.bincount(codes)
    return Periods(tuple(names), codes, times, length)
