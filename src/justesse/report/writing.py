"""How a number, an interval, a p-value or an undefined value is written: decided here, once, for every medium.

A format has a name (`count`, `value`, `interval`, …). Columns of a table name one, and so do the parts of a message:
`Message("Accuracy {accuracy:estimate}", accuracy=estimate)`. In messages a format may be followed by words:
`{n:count row}` is "1 row" or "2 rows", `{n:plural is|are}` the first word for 1 and the second for other numbers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from justesse.core.first_names import first_names
from justesse.core.printable import printable
from justesse.core.quantity import quantity
from justesse.core.results import level_percent
from justesse.report import written_intervals as intervals
from justesse.report import written_numbers as numbers
from justesse.report.written_numbers import NONE


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

    >>> written("value", 0.51234), written("value", float("nan")), written("count", 10_000), written("share", 0.9472)
    ('0.5123', 'undefined', '10,000', '94.7 %')
    >>> written("value", -1e-17), written("difference", -1e-17)
    ('0.0000', '+0.0000')
    >>> written("value", float("inf"))
    'infinite'
    """
    return FORMATS[kind](value)


def _and(value: Sequence[Any], most: int = 5) -> str:
    """List names as a sentence does; count those after the fifth if there are two or more.

    >>> _and(["a"]), _and(["a", "b", "c"]), _and(list("abcdefgh"))
    ('a', 'a, b and c', 'a, b, c, d, e and 3 others')
    """
    names = [printable(name) for name in value]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _text(value: Any) -> str:
    return NONE if value is None else printable(value)


def _or_dash(write: Callable[[Any], str]) -> Callable[[Any], str]:
    """Write a dash for what is missing."""
    return lambda value: NONE if value is None else write(value)


FORMATS: dict[str, Callable[[Any], str]] = {
    "text": _text,
    "words": _text,
    "sentence": _text,
    "name": lambda value: printable(repr(value)),
    "count": numbers.count,
    "effective_n": lambda value: numbers.plain(value, ",.1f"),
    "value": numbers.value_words,
    "difference": lambda value: numbers.value_words(value, "+"),
    "general": numbers.general,
    "digits": numbers.digits,
    "signed": lambda value: numbers.digits(value, "+"),
    "number": lambda value: numbers.plain(value, "g"),  # as the user wrote it, such as 0.05 or 2
    "price": lambda value: numbers.plain(value, ",.10g"),
    "ratio": lambda value: numbers.plain(value, ".2f"),
    "share": numbers.share,
    "rough_share": numbers.rough_share,
    "sized_share": numbers.sized_share,
    "whole_share": lambda value: numbers.plain(value, ".0f", " %", 100),
    "percent": lambda value: numbers.plain(value, "g", " %", 100),
    "points": intervals.points,
    "interval": intervals.interval_words,
    "share_interval": intervals.share_interval,
    "share_range": _or_dash(lambda values: intervals.range_words(values, numbers.share).replace(" % to", " to")),
    "count_range": _or_dash(lambda values: intervals.range_words(values, numbers.count)),
    "digits_interval": lambda value: (
        NONE if intervals.without_ends(value) else intervals.interval_words(value, numbers.digits)
    ),
    "signed_interval": lambda value: (
        NONE
        if intervals.without_ends(value)
        else intervals.interval_words(value, lambda number: numbers.digits(number, "+"))
    ),
    "difference_interval": intervals.difference_interval,
    "points_interval": intervals.points_interval,
    "interval_or_dash": lambda value: NONE if intervals.without_ends(value) else intervals.interval_words(value),
    "estimate": intervals.estimate_words,
    "short_estimate": intervals.short_estimate,
    "bounds": intervals.bounds,
    "short_bounds": lambda value: intervals.bounds(value, 3, "–"),
    "measured_bounds": intervals.measured_bounds,
    "bias": lambda value: NONE if value is None else numbers.value_words(value.bias, "+"),
    "pvalue": numbers.pvalue,
    "pvalue_or_dash": lambda value: NONE if value is None else numbers.pvalue(value),
    "p": numbers.p_words,
    "level": level_percent,
    "level_name": intervals.level_words,
    "method": intervals.method_name,
    "chance": _or_dash(numbers.chance),
    "capital": _or_dash(lambda value: f"{str(value)[:1].upper()}{str(value)[1:]}"),
    "decision": _or_dash(lambda value: value.replace("_", " ")),
    "names": lambda value: NONE if value is None else printable(first_names(value)),
    "list": lambda value: NONE if value is None else ", ".join(map(printable, value)),
    "and": _or_dash(_and),
}
WRAPPED = frozenset({"words", "sentence"})
TEXTS = WRAPPED | {"text", "name", "method", "capital", "decision", "names", "list", "and"}
WITH_WORDS: dict[str, Callable[[Any, str], str]] = {
    "count": quantity,
    "plural": lambda value, words: words.split("|")[0 if value == 1 else 1],
}
