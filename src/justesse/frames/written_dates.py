"""Dates written as text, in the usual formats; one format must fit all values of a column."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

from justesse.core.errors import InputError

# the date of a value; a time such as 10:30 or 10:30:00 may follow
FORMATS = ("%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y-%m", "%Y/%m",
           "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y")  # fmt: skip
CLOCKS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
READ = "2024-05-17, 2024/05/17, 17.05.2024, 05/17/2024, 17 May 2024, 2024-05, each also with a time such as 10:30"
LIKE_A_DATE = re.compile(r"^\s*\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?([T ]\d{1,2}:\d{2}.*)?\s*$")


class AmbiguousDatesError(InputError):
    """Days and months cannot be told apart: 01/02/2024."""


def read_dates(values: Iterable[str]) -> dict[str, float] | None:
    """Read dates as seconds since 1970 (UTC if no zone is given), by value; `None` if no format fits all of them.

    ISO 8601 comes first. Raises `AmbiguousDatesError` if both day/month and month/day fit and give different orders.

    >>> read_dates(["2012/01/02", "2012/01/01"])
    {'2012/01/02': 1325462400.0, '2012/01/01': 1325376000.0}
    >>> read_dates(["17.05.2024 10:30", "tomorrow"]) is None
    True
    >>> read_dates(["01/02/2024", "02/01/2024"])
    Traceback (most recent call last):
    justesse.frames.written_dates.AmbiguousDatesError: '01/02/2024' may be day/month or month/day
    """
    distinct = list(dict.fromkeys(values))
    with suppress(ValueError):
        return {value: _seconds(datetime.fromisoformat(value.strip())) for value in distinct}
    fitting = [dates for form in FORMATS for clock in CLOCKS if (dates := _read(distinct, form + clock)) is not None]
    if not fitting:
        return None
    orders = {tuple(sorted(distinct, key=lambda value: (dates[value], value))) for dates in fitting}
    if len(orders) > 1:
        raise AmbiguousDatesError(f"{distinct[0]!r} may be day/month or month/day")
    return fitting[0]


def look_like_dates(values: Iterable[str]) -> bool:
    """Tell whether all values are dates.

    >>> look_like_dates(["2024-05-17", "2024-05-18"]), look_like_dates(["1.5", "2.5"]), look_like_dates(["a"])
    (True, False, False)
    """
    distinct = list(dict.fromkeys(values))
    if not distinct or not LIKE_A_DATE.match(distinct[0]):
        return False
    try:
        return read_dates(distinct) is not None
    except AmbiguousDatesError:
        return True


def _read(values: Iterable[str], form: str) -> dict[str, float] | None:
    try:
        return {value: _seconds(datetime.strptime(value.strip(), form)) for value in values}
    except ValueError:
        return None


def _seconds(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
