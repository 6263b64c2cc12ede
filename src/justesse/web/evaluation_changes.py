"""Two kept evaluations side by side: what differs in the data, and every measure that both have."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from justesse.core.levels import shown_name
from justesse.core.results import Interval
from justesse.measures import ALL
from justesse.report.written_intervals import interval_words, points, share_interval
from justesse.report.written_numbers import count, general, share, value_words

PARTS = {
    "n": "rows",
    "columns": "columns",
    "classes": "classes",
    "positive": "positive class",
    "dropped": "rows left out",
}
TITLES = {measure.name: measure.title for measure in ALL}
SHARES = {measure.name for measure in ALL if measure.is_share or measure.bounds == (0.0, 1.0)}


@dataclass(frozen=True)
class MeasureChange:
    """A measure in two evaluations, as words; the difference is empty if one of them is undefined."""

    title: str
    first: str
    second: str
    difference: str


@dataclass(frozen=True)
class DataChange:
    """Something about the data that differs."""

    title: str
    first: str
    second: str


def measure_changes(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[MeasureChange]:
    """List the measures that both results have, in the order of the first."""
    others = {_key(measure): measure for measure in second.get("measures", ())}
    rows = []
    for measure in first.get("measures", ()):
        other = others.get(_key(measure))
        if other is not None:
            rows.append(MeasureChange(_title(measure), _words(measure), _words(other), _difference(measure, other)))
    return rows


def data_changes(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[DataChange]:
    """List what differs in the data: rows, columns, classes.

    >>> data_changes({"n": 100, "classes": ["a"]}, {"n": 120, "classes": ["a"]})
    [DataChange(title='rows', first='100', second='120')]
    """
    pairs = ((words, first.get(key), second.get(key)) for key, words in PARTS.items())
    return [DataChange(words, _plain(one_side), _plain(other)) for words, one_side, other in pairs if one_side != other]


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(each)}" for key, each in value.items() if each)
    if isinstance(value, list):
        shown = ", ".join(str(shown_name(name)) for name in value[:12])
        return f"{shown}, … ({len(value)})" if len(value) > 12 else shown
    return count(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _key(measure: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(measure["name"]), repr(measure.get("class")), repr(measure.get("average"))


def _title(measure: Mapping[str, Any]) -> str:
    name = TITLES.get(measure["name"], str(measure["name"]).replace("_", " "))
    if measure.get("class") is not None:
        return f"{name} of {shown_name(measure['class'])}"
    return f"{name} ({measure['average']})" if measure.get("average") else name


def _words(measure: Mapping[str, Any]) -> str:
    if measure["value"] is None:
        return f"undefined: {measure.get('undefined') or 'no reason given'}"
    is_share = measure["name"] in SHARES
    value = share(measure["value"]) if is_share else value_words(measure["value"])
    if not (ends := measure.get("interval")):
        return f"{value} (n = {count(measure['n'])})"
    sides = {"alternative": ends["alternative"]} if "alternative" in ends else {}
    interval = Interval(_end(ends["low"], -1), _end(ends["high"], 1), ends["level"], ends["method"], **sides)
    written = share_interval(interval) if is_share else interval_words(interval)
    return f"{value} ({interval.name} {written}, n = {count(measure['n'])})"


def _end(value: float | None, sign: int) -> float:
    return sign * math.inf if value is None else value


def _difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    if first["value"] is None or second["value"] is None:
        return ""
    gap = second["value"] - first["value"]
    return points(gap) if first["name"] in SHARES else general(gap, "+")
