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
                made = _calendar(moments, kind)
                if len(made.names) <= MOST:
                    return made
            return made
        if length not in get_args(Calendar):
            raise OptionError(f"With dates, a period is one of {', '.join(get_args(Calendar))}; got {length!r}.")
        return _calendar(moments, str(length))
    try:
        step = float("nan") if length is None else float(length)
    except ValueError:
        step = float("nan")
    if not step > 0:
        raise OptionError(
            f"There are {len(moments):,} different times. Say how many units of time make a period, such as 30 "
            f"(period=…, --period); got {length!r}."
        )
    starts, codes = distinct_in_order(np.floor(moments / step) * step)
    names = [f"{start:.12g}" for start in starts.tolist()]
    return _of_codes(names, codes, moments, f"{step:g}")


def even_step(moments: FloatArray, parts: int = 20) -> float:
    """Return a round length of time that cuts these moments into about so many periods.

    >>> even_step(np.arange(1000.0)), even_step(np.array([0.0, 3.0]))
    (50.0, 0.2)
    """
    rough = float(moments[-1] - moments[0]) / parts or 1.0
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(factor * unit for factor in (1.0, 2.0, 5.0, 10.0) if factor * unit >= rough * (1 - 1e-9))


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


def moment_name(moment: float, dated: bool) -> str:
    """Write a number, or a day since 1970 with its time of day if it has one.

    >>> moment_name(2.5, False), moment_name(40.0, True), moment_name(40.5, True)
    ('2.5', '1970-02-10', '1970-02-10T12:00:00')
    """
    if not dated:
        return f"{moment:.12g}"
    written = datetime.fromtimestamp(round(moment * DAY), UTC).replace(tzinfo=None).isoformat()
    return written.removesuffix("T00:00:00")


def blocks_of(moments: FloatArray, of_period: Array, dated: bool) -> Array:
    """Number the blocks of time within which items may be alike: neighbouring days of a period, or single moments.

    A period of m days (or moments, if times are numbers or all of one day) has blocks of √m of them, rounded: items of
    a day may be alike, and so may neighbouring days. A period of one moment is one block.

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
    for period in np.flatnonzero(np.bincount(of_period)).tolist():
        inside = of_period == period
        own_units = units[inside]
        if own_units.min() == own_units.max():
            own_units = moments[inside]
        unit = distinct_in_order(own_units)[1]
        own = unit // block_length(int(unit.max()) + 1)
        blocks[inside] = start + own
        start += int(own.max()) + 1
    return blocks


def distinct_in_order(values: FloatArray) -> tuple[FloatArray, Array]:
    """Return the different values of numbers in order, and the place of each number among them.

    >>> distinct_in_order(np.array([1.0, 1.0, 4.0]))[1].tolist()
    [0, 0, 1]
    """
    first = np.concatenate([[True], values[1:] != values[:-1]])
    return values[first], np.cumsum(first) - 1


def block_length(units: int) -> int:
    """Return how many days or moments of a period make a block.

    >>> [block_length(units) for units in (1, 4, 30, 365)]
    [1, 2, 5, 19]
    """
    return max(1, round(math.sqrt(units)))


def _of_labels(labels: Sequence[str], moments: FloatArray, length: str) -> Periods:
    names = list(dict.fromkeys(labels))
    place = {name: at for at, name in enumerate(names)}
    return _of_codes(names, np.array([place[name] for name in labels], dtype=np.int64), moments, length)


def _calendar(moments: FloatArray, kind: str) -> Periods:
    """Group moments by the calendar; each day is named once, however many moments it has."""
    days, day = distinct_in_order(np.floor(moments))
    by_day = _of_labels([calendar_name(start, kind) for start in days.tolist()], days, kind)
    return _of_codes(by_day.names, by_day.of_moment[day], moments, kind)


def _of_codes(names: Sequence[str], codes: Array, moments: FloatArray, length: str) -> Periods:
    times = np.bincount(codes, moments) / np.bincount(codes)
    return Periods(tuple(names), codes, times, length)
