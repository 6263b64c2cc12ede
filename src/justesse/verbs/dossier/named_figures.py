"""Figures that differ between two results, under the names that people use: "recall of 'dog'", not a place in JSON."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from justesse.core.results import Estimate
from justesse.dossier.prints import escaped
from justesse.measures.titles import NAMED, words_of
from justesse.report.writing import message
from justesse.report.written_numbers import four_decimals, general
from justesse.verbs.dossier.repeat import OUTSIDE, differences
from justesse.verbs.dossier.shown_differences import COUNTS, cells_by_class
from justesse.verbs.dossier.words import shown_value

MEASURED = ("name", "class", "average")  # of a measure
# what tells an entry of a list from the others
IDENTITY = ("name", "class", "average", "measure", "metric", "model", "judge", "by", "letter", "method", "practice", "code",
            "incumbent", "candidate", "first", "second", "policy", "version", "period", "annotator", "stratum", "step",
            "column", "value", "guardrail", "learner", "label", "true", "answer", "item", "id")  # fmt: skip
UNNAMED = ("measures", "per_class", "comparisons", "value")  # what is in them needs no further name
WORDS: Mapping[str, str] = {
    "headline": "main figure",
    "true": "against the true classes",
    "by": "slice",
    "noise": "wrong labels",
}
ELSEWHERE = ("gates", "warnings", "assumptions")  # compared on their own
CENTRES = ("value", "difference")  # of an interval
Name = tuple[str, ...]


@dataclass(frozen=True)
class ChangedFigure:
    """A figure that differs: its place in the dossier, its name in words, and how it reads in both."""

    where: str
    name: str
    before: str
    now: str


@dataclass(frozen=True)
class _Figure:
    where: str
    value: Any
    ends: tuple[float, float] | None = None

    def text(self, *, exact: bool) -> str:
        words = repr if exact else four_decimals if self.ends else general
        if self.ends and isinstance(self.value, (int, float)):
            parts = [words(float(number)) for number in (self.value, *self.ends)]
            return str(message("{value} ({low} to {high})", value=parts[0], low=parts[1], high=parts[2]))
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool):
            return words(self.value)
        return shown_value(self.value)


def changed_figures(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[ChangedFigure]:
    """List the figures that differ, the main one first and counts last; entries of lists are matched by their names.

    Parameters
    ----------
    before, now
        The results of both dossiers.

    Examples
    --------
    >>> old = {"measures": [{"name": "recall", "class": "cat", "value": 0.7, "interval": {"low": 0.6, "high": 0.8}}]}
    >>> new = {"measures": [{"name": "recall", "class": "cat", "value": 0.75, "interval": {"low": 0.65, "high": 0.85}}]}
    >>> for figure in changed_figures(old, new):
    ...     print(figure.name, "|", figure.before, "|", figure.now)
    recall of 'cat' | 0.7000 (0.6000 to 0.8000) | 0.7500 (0.6500 to 0.8500)
    """
    first, second = _named(before), _named(now)
    absent = _Figure("", None)
    changed = []
    for name in dict.fromkeys([*first, *second]):
        old, new = first.get(name, absent), second.get(name, absent)
        if differences([old.value, old.ends], [new.value, new.ends]):
            alike = old.text(exact=False) == new.text(exact=False)
            texts = [figure.text(exact=alike) for figure in (old, new)]
            changed.append(ChangedFigure(f"/results{new.where or old.where}", ", ".join(name), texts[0], texts[1]))
    return sorted(changed, key=_rank)


def _rank(figure: ChangedFigure) -> int:
    if figure.where.startswith("/results/headline"):
        return 0
    return 2 if f"/{COUNTS}/" in figure.where else 1


def _named(results: Mapping[str, Any]) -> dict[Name, _Figure]:
    """Give every figure of a result by its name; another one of the same name gets a number."""
    own = {key: value for key, value in results.items() if key not in OUTSIDE}
    match results.get("comparisons"):
        case [dict() as only]:  # what is in it is repeated beside it
            own["comparisons"] = [{key: value for key, value in only.items() if key not in results}]
        case [dict() as first, *_]:
            own = {key: value for key, value in own.items() if key not in first}
    figures: dict[Name, _Figure] = {}
    again: Counter[Name] = Counter()
    for name, figure in _figures(own, "", ()):
        if (known := figures.get(name)) and (known.value, known.ends) == (figure.value, figure.ends):
            continue  # such as macro recall, which is balanced accuracy
        again[name] += 1
        figures[name if again[name] == 1 else (*name, str(again[name]))] = figure
    return figures


def _figures(value: Any, where: str, names: Name) -> Iterator[tuple[Name, _Figure]]:
    if isinstance(value, dict):
        ends, is_measure = _ends(value), value.get("name") in NAMED
        if is_measure and (title := _measure(value)) not in names:
            names = (*names, title)
        for key, item in value.items():
            own = names if key in UNNAMED else (*names, WORDS.get(key, key.replace("_", " ")))
            place = f"{where}/{escaped(key)}"
            if key in ELSEWHERE or (ends and key == "interval") or (is_measure and key in MEASURED):
                continue
            if ends and key in CENTRES:
                yield own, _Figure(place, item, ends)
            elif key == COUNTS and (cells := cells_by_class(item)) is not None:
                yield from (
                    ((*own, cell), _Figure(f"{place}/{cell}", number)) for cell, number in cells.items() if number
                )
            else:
                yield from _figures(item, place, own)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for at, (item, name) in enumerate(zip(value, _entry_names(value), strict=True)):
            yield from _figures(item, f"{where}/{at}", (*names, *name))
    elif isinstance(value, list) and len(value) > 5:
        yield from (((*names, str(at)), _Figure(f"{where}/{at - 1}", item)) for at, item in enumerate(value, 1))
    else:
        yield names, _Figure(where, value)


def _entry_names(entries: list[dict[str, Any]]) -> list[Name]:
    """Name the entries of a list: by what tells them apart, otherwise by their number; a single one needs no name.

    >>> _entry_names([{"column": "site", "value": "Oslo"}, {"column": "site", "value": "Rome"}])
    [('site Oslo',), ('site Rome',)]
    >>> _entry_names([{"n": 3}, {"n": 3}]), _entry_names([{"n": 3}])
    ([('1',), ('2',)], [()])
    """
    by_measure = all(entry.get("name") in NAMED for entry in entries)
    keys = [key for key in IDENTITY if not (by_measure and key in MEASURED)]
    names = [
        # a value that has no column is a figure, and the figure 1.0 is written as 1
        " ".join(filter(None, (_name(entry.get(key)) for key in keys if key != "value" or "column" in entry)))
        for entry in entries
    ]
    if by_measure:  # their measures name them, too
        return [(name,) if name else () for name in names]
    if len(entries) == 1:
        return [(names[0],) if names[0] and "name" in entries[0] else ()]
    if len(set(names)) < len(names) or not all(names):
        return [(str(at),) for at in range(1, len(names) + 1)]
    return [(name,) for name in names]


def _name(value: Any) -> str:
    """Write what identifies an entry: a text, a whole number, or the name of a model."""
    own = value.get("name") if isinstance(value, dict) else value
    return str(own) if isinstance(own, (str, int)) and not isinstance(own, bool) else ""


def _measure(item: Mapping[str, Any]) -> str:
    """Name a measure, of a class or an average."""
    return words_of(Estimate(item["name"], math.nan, 0, class_name=item.get("class"), average=item.get("average")))


def _ends(item: Mapping[str, Any]) -> tuple[float, float] | None:
    """Give the ends of the interval beside a value."""
    interval = item.get("interval")
    if not isinstance(interval, dict) or not any(isinstance(item.get(key), (int, float)) for key in CENTRES):
        return None
    ends = interval.get("low"), interval.get("high")
    return ends if all(isinstance(end, (int, float)) for end in ends) else None  # type: ignore[return-value]
