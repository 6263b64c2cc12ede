"""How a number, an interval, a p-value or an undefined value is written: decided here, once, for every medium.

A format has a name (`count`, `value`, `interval`, …). Columns of a table name one, and so do the parts of a message:
`Message("Accuracy {accuracy:estimate}", accuracy=estimate)`. In messages a format may be followed by words:
`{n:count row}` is "1 row" or "2 rows", `{n:plural is|are}` the first word for 1 and the second for other numbers.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from justesse.core.first_names import first_names
from justesse.core.printable import printable
from justesse.core.quantity import quantity
from justesse.core.results import Estimate, Interval

HUGE = 1e15  # from here on, digits after the fourth mean nothing
UNDEFINED, INFINITE, NONE, OPEN = "undefined", "infinite", "–", "…"


@dataclass(frozen=True)
class Message:
    """A sentence with named parts: another language needs another template, not another program.

    >>> str(Message("{n:count} rows, p {p:pvalue}", {"n": 1234, "p": 1e-9}))
    '1,234 rows, p < 0.0001'
    """

    template: str
    parts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return _Sentences().vformat(self.template, (), self.parts)


def message(template: str, **parts: Any) -> Message:
    """Make a message of a template and its named parts.

    >>> str(message("Class {name:name} has {n:count} rows.", name="cat", n=3))
    "Class 'cat' has 3 rows."
    >>> str(message("{n:count row} {n:plural is|are} wrong: {ids:names}.", n=7, ids=range(7)))
    '7 rows are wrong: 0, 1, 2, 3, 4 and 2 more.'
    """
    return Message(template, parts)


def paragraph(*sentences: Message | str | None) -> Message:
    """Put sentences one after another; empty ones are left out.

    >>> str(paragraph(message("{n:count} rows.", n=3), "", "Collect more."))
    '3 rows. Collect more.'
    """
    return listed(sentences, " ")


def listed(texts: Iterable[Message | str | None], between: str = ", ") -> Message:
    """Put texts one after another, with something between them; empty ones are left out.

    >>> str(listed([message("{n:count} rows", n=3), message("{n:count} classes", n=2)]))
    '3 rows, 2 classes'
    """
    parts = {f"part{at}": text for at, text in enumerate(texts) if text}
    return Message(between.join(f"{{{name}}}" for name in parts), parts)


class _Sentences(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        kind, _, words = spec.partition(" ")
        if words and kind in WITH_WORDS:
            return WITH_WORDS[kind](value, words)
        return written(spec, value) if spec in FORMATS else str(super().format_field(value, spec))


def written(kind: str, value: Any) -> str:
    """Write a value in one of the formats.

    >>> written("value", 0.51234), written("value", math.nan), written("count", 10_000), written("share", 0.9472)
    ('0.5123', 'undefined', '10,000', '94.7 %')
    >>> written("value", -1e-17), written("difference", -1e-17)
    ('0.0000', '+0.0000')
    >>> written("value", math.inf)
    'infinite'
    """
    return FORMATS[kind](value)


def _number(value: Any) -> float:
    return float(value.value if isinstance(value, Estimate) else value)


def _count(value: Any) -> str:
    number = value.n if isinstance(value, Estimate) else value
    if number is None:
        return NONE
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def _value(value: Any, sign: str = "") -> str:
    if value is None:
        return NONE
    number = _number(value)
    if math.isinf(number):
        return INFINITE if number > 0 else f"minus {INFINITE}"
    return UNDEFINED if math.isnan(number) else _four_decimals(number, f"{sign}z")  # z: never -0.0000


def _four_decimals(number: float, sign: str = "") -> str:
    """Write a number with four decimals; one too large for that in scientific notation.

    >>> _four_decimals(0.51234), _four_decimals(5.125e60, "+")
    ('0.5123', '+5.125e+60')
    >>> _four_decimals(4.8e60)
    '4.800e+60'
    """
    return f"{number:{sign}.4f}" if abs(number) < HUGE else f"{number:{sign.rstrip('z')}.3e}"


def _general(value: Any, sign: str = "") -> str:
    """Write a number of any size: four digits that mean something, and whole numbers in full.

    >>> _general(0.123456), _general(16581), _general(1234567.8), _general(2.5)
    ('0.1235', '16,581', '1,234,568', '2.5')
    """
    if value is None:
        return NONE
    number = _number(value)
    if math.isnan(number):
        return UNDEFINED
    return f"{number:{sign},.0f}" if 1000 <= abs(number) < HUGE else f"{number:{sign}.4g}"


def _digits(value: Any, sign: str = "") -> str:
    """Write a measured number of any size with four digits, also if the last ones are 0.

    >>> _digits(3.05), _digits(0.123456), _digits(1234567.8), _digits(0.5, "+"), _digits(999.99), _digits(-0.0)
    ('3.050', '0.1235', '1,234,568', '+0.5000', '1,000', '0')
    """
    if value is None:
        return NONE
    number = _number(value)
    if math.isnan(number):
        return UNDEFINED
    if number == 0:
        return "0"
    return f"{number:{sign},.0f}" if 999.95 <= abs(number) < HUGE else f"{number:{sign}#.4g}"


def _plain(value: Any, spec: str, unit: str = "", times: float = 1) -> str:
    if value is None or math.isnan(_number(value)):
        return NONE if value is None else UNDEFINED
    return f"{times * _number(value):{spec}}{unit}"


def _share(value: Any, unit: str = " %") -> str:
    """Write a share in per cent: one decimal, more where it would read 0 or 100 without being it.

    Below 0.1 % it has two digits that mean something: one decimal could be twice the share.

    >>> _share(0.0005), _share(0.00045678), _share(0.004), _share(1)
    ('0.05 %', '0.046 %', '0.4 %', '100.0 %')
    """
    if value is None:
        return NONE
    number = 100 * _number(value)
    if math.isnan(number):
        return UNDEFINED
    digits = 1
    while digits < 6 and number not in (0.0, 100.0) and float(f"{number:.{digits}f}") in (0.0, 100.0, -100.0):
        digits += 1
    if 0 < abs(number) < 0.1 and digits < 6:
        return f"{float(f'{number:.2g}'):.6f}".rstrip("0") + unit
    return f"{number:.{digits}f}{unit}"


def _rough_share(value: Any) -> str:
    """Write a share in per cent with two digits, more where it would read 100 without being it.

    >>> _rough_share(0.0444), _rough_share(0.005), _rough_share(0.9996), _rough_share(1.0)
    ('4.4 %', '0.5 %', '99.96 %', '100 %')
    """
    if value is None or math.isnan(_number(value)):
        return NONE if value is None else UNDEFINED
    number = 100 * _number(value)
    return f"{number:.{2 if abs(number) < 99.5 else 4}g} %"


def _sized_share(value: tuple[float, float] | None) -> str:
    """Write a share and the number of rows it is of: with the digits that so many rows can carry.

    >>> _sized_share((0.93333, 30)), _sized_share((0.93333, 5000))
    ('93 %', '93.3 %')
    """
    if value is None:
        return NONE
    share, n = value
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"


def _points(value: Any, unit: str = " points") -> str:
    """Write a difference in percentage points with its sign, as precisely as its interval.

    >>> _points(0.0211), _points(Estimate("difference", 0.0004, 9, Interval(0.0002, 0.0007, 0.95, "betting")))
    ('+2.1 points', '+0.04 points')
    """
    if value is None:
        return NONE
    number = 100 * _number(value)
    return UNDEFINED if math.isnan(number) else f"{number:+.{_decimals(value, number)}f}{unit}"


def _points_interval(value: Any) -> str:
    """Write the ends of a difference in percentage points.

    >>> _points_interval(Estimate("difference", 0.0004, 9, Interval(0.0002, 0.0007, 0.95, "betting")))
    '+0.02 to +0.07'
    """
    return _interval(value, lambda end: f"{100 * end:+.{_decimals(value, 100 * end)}f}")


def _decimals(value: Any, number: float) -> int:
    """Count the decimals a number of points needs: to tell it from 0, and from the ends of its interval."""
    interval = value.interval if isinstance(value, Estimate) else value if isinstance(value, Interval) else None
    reach = math.inf
    if interval is not None:
        middle = _number(value) if isinstance(value, Estimate) else (interval.low + interval.high) / 2
        apart = {"greater": middle - interval.low, "less": interval.high - middle}
        reach = 100 * abs(apart.get(interval.alternative, interval.half_width))
    decimals = 1
    while decimals < 4 and (0 < reach < 10**-decimals or (number and not float(f"{number:.{decimals}f}"))):
        decimals += 1
    return decimals


def _interval(value: Any, end: Callable[[float], str] = _four_decimals) -> str:
    """Write both ends, one bound, or why there is no interval."""
    if isinstance(value, Estimate):
        if value.interval is None:
            return value.undefined or NONE
        value = value.interval
    if value is None:
        return NONE
    assert isinstance(value, Interval)
    if value.alternative == "greater":
        return f"≥ {end(value.low)}"
    if value.alternative == "less":
        return f"≤ {end(value.high)}"
    return " to ".join(end(number) if math.isfinite(number) else OPEN for number in (value.low, value.high))


def _share_interval(value: Any) -> str:
    return _interval(value, lambda number: _share(number, unit="")) + ("" if _without_ends(value) else " %")


def _difference_interval(value: Any) -> str:
    """Write the ends of a difference with their signs.

    >>> _difference_interval(Interval(-0.01, 0.02, 0.95, "tango", (-1.0, 1.0)))
    '-0.0100 to +0.0200'
    >>> _difference_interval(Interval(0.01, 1.0, 0.95, "tango", (-1.0, 1.0), "greater"))
    '≥ +0.0100'
    """
    return NONE if _without_ends(value) else _interval(value, lambda number: _four_decimals(number, "+"))


def _range(values: Sequence[float], end: Callable[[float], str]) -> str:
    """Write the smallest and the largest of several numbers, or the number they all are.

    >>> written("share_range", [0.05, 0.012]), written("count_range", [3, 3])
    ('1.2 to 5.0 %', '3')
    """
    return " to ".join(map(end, sorted({min(values), max(values)})))


def _without_ends(value: Any) -> bool:
    return (value.interval if isinstance(value, Estimate) else value) is None


def _estimate(value: Estimate) -> str:
    if math.isnan(value.value):
        return f"{UNDEFINED} ({value.undefined})" if value.undefined else UNDEFINED
    return _value(value) if value.interval is None else f"{_value(value)} ({_interval(value)})"


def _short_estimate(value: Any) -> str:
    """Write a value and its interval with three digits, for tables of many columns.

    >>> _short_estimate(Estimate("recall", 0.91234, 100, Interval(0.85, 1.0, 0.95, "wilson")))
    '0.912 (0.850–1.000)'
    """
    if value is None:
        return NONE
    if math.isnan(value.value):
        return UNDEFINED
    if value.interval is None:
        return f"{value.value:.3f}"
    ends = (value.interval.low, value.interval.high)
    low, high = (OPEN if not math.isfinite(end) else f"{end:.3f}" for end in ends)
    bound = {"two-sided": f"{low}–{high}", "greater": f"≥ {low}", "less": f"≤ {high}"}[value.interval.alternative]
    return f"{value.value:.3f} ({bound})"


def _bounds(value: Any, digits: int = 4, to: str = " to ") -> str:
    """Write the lowest and highest possible value; a star marks bounds that may be wider than necessary."""
    if value is None:
        return NONE
    if math.isnan(value.low):
        return UNDEFINED
    return f"{value.low:.{digits}f}{to}{value.high:.{digits}f}{'' if value.sharp else '*'}"


def _measured_bounds(value: Any) -> str:
    """Write the measured value and, in brackets, the lowest and highest possible one."""
    if value is None or math.isnan(value.low):
        return NONE if value is None else UNDEFINED
    measured = UNDEFINED if math.isnan(value.apparent) else f"{value.apparent:.3f}"
    return f"{measured} ({_bounds(value, 3, '–')})"


def _pvalue(value: float | None) -> str:
    """Write a p-value, never as 0.

    >>> _pvalue(0.0312), _pvalue(1e-9), _pvalue(float("nan"))
    ('0.0312', '< 0.0001', 'undefined')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _p(value: float | None) -> str:
    words = _pvalue(value)
    return f"p {words}" if words.startswith("<") or words == UNDEFINED else f"p = {words}"


def _chance(value: float) -> str:
    """Write the chance of an accident with two digits, never as 0 or 1.

    >>> _chance(0.0312), _chance(1e-9), _chance(0.999)
    ('3.1 %', 'less than 0.1 %', 'practically 1')
    """
    return "less than 0.1 %" if value < 0.001 else f"{100 * value:.2g} %" if value < 0.995 else "practically 1"


def _and(value: Sequence[Any], most: int = 5) -> str:
    """List names as a sentence does; count those after the fifth if there are two or more.

    >>> _and(["a"]), _and(["a", "b", "c"]), _and(list("abcdefgh"))
    ('a', 'a, b and c', 'a, b, c, d, e and 3 others')
    """
    names = [printable(name) for name in value]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _level_name(value: Any) -> str:
    """Name the level and sides of an interval: `95 % CI`, `95 % lower bound`."""
    interval = value.interval if isinstance(value, Estimate) else value
    return interval.name if interval else NONE


def _method(value: Any) -> str:
    interval = value.interval if isinstance(value, Estimate) else value
    return (interval if isinstance(interval, str) else interval.method if interval else NONE) or NONE


def _or_dash(write: Callable[[Any], str]) -> Callable[[Any], str]:
    """Write a dash for what is missing."""
    return lambda value: NONE if value is None else write(value)


FORMATS: dict[str, Callable[[Any], str]] = {
    "text": lambda value: NONE if value is None else printable(value),
    "name": lambda value: printable(repr(value)),
    "count": _count,
    "effective_n": lambda value: _plain(value, ",.1f"),
    "value": _value,
    "difference": lambda value: _value(value, "+"),
    "general": _general,
    "digits": _digits,
    "signed": lambda value: _digits(value, "+"),
    "number": lambda value: _plain(value, "g"),  # as the user wrote it, such as 0.05 or 2
    "price": lambda value: _plain(value, ",.10g"),
    "ratio": lambda value: _plain(value, ".2f"),
    "share": _share,
    "rough_share": _rough_share,
    "sized_share": _sized_share,
    "whole_share": lambda value: _plain(value, ".0f", " %", 100),
    "percent": lambda value: _plain(value, "g", " %", 100),
    "points": _points,
    "interval": _interval,
    "share_interval": _share_interval,
    "share_range": _or_dash(lambda values: _range(values, _share).replace(" % to", " to")),
    "count_range": _or_dash(lambda values: _range(values, _count)),
    "digits_interval": lambda value: NONE if _without_ends(value) else _interval(value, _digits),
    "signed_interval": lambda value: (
        NONE if _without_ends(value) else _interval(value, lambda number: _digits(number, "+"))
    ),
    "difference_interval": _difference_interval,
    "points_interval": _points_interval,
    "interval_or_dash": lambda value: NONE if _without_ends(value) else _interval(value),
    "estimate": _estimate,
    "short_estimate": _short_estimate,
    "bounds": _bounds,
    "short_bounds": lambda value: _bounds(value, 3, "–"),
    "measured_bounds": _measured_bounds,
    "bias": lambda value: NONE if value is None else _value(value.bias, "+"),
    "pvalue": _pvalue,
    "pvalue_or_dash": lambda value: NONE if value is None else _pvalue(value),
    "p": _p,
    "level": lambda value: f"{100 * value:.4g} %",
    "level_name": _level_name,
    "method": _method,
    "chance": _or_dash(_chance),
    "capital": _or_dash(lambda value: f"{str(value)[:1].upper()}{str(value)[1:]}"),
    "decision": _or_dash(lambda value: value.replace("_", " ")),
    "names": lambda value: NONE if value is None else printable(first_names(value)),
    "list": lambda value: NONE if value is None else ", ".join(map(printable, value)),
    "and": _or_dash(_and),
}
WITH_WORDS: dict[str, Callable[[Any, str], str]] = {
    "count": quantity,
    "plural": lambda value, words: words.split("|")[0 if value == 1 else 1],
}
