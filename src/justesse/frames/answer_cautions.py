"""What looks odd about the answers as read: names written in two ways, words for missing values, columns of notes."""

from collections.abc import Mapping, Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.first_names import first_names
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.kinds import NUMBER
from justesse.frames.values import Named

MISSING_WORDS = frozenset({"na", "n/a", "nan", "none", "null"})
NO_ANNOTATOR = frozenset(
    {
        "gold",
        "truth",
        "true",
        "actual",
        "correct",
        "confidence",
        "certainty",
        "time",
        "timestamp",
        "date",
        "duration",
        "seconds",
        "comment",
        "comments",
        "note",
        "notes",
        "remark",
        "remarks",
        "id",
        "index",
        "text",
        "split",
        "source",
        "url",
    }
)
SHOWN = 5


def plain(name: ClassName) -> ClassName:
    """Write a text without case and spaces around it.

    >>> plain(" Big  Cat"), plain(3)
    ('big cat', 3)
    """
    return " ".join(name.split()).casefold() if isinstance(name, str) else name


def unanswered_words(
    classes: Mapping[tuple[type, ClassName], ClassName], codes: Array, position: Mapping[tuple[type, ClassName], int]
) -> str | None:
    """Say which known true classes nobody answers, and of how many items they are.

    Parameters
    ----------
    classes
        True class of each item.
    codes
        Its code for the answered items: -1 without one, the number of classes for a class that nobody answers.
    position
        Code of each class.
    """
    number = int((codes == len(position)).sum())
    if not number:
        return None
    strangers = list({key: name for name in classes.values() if (key := identity(name)) not in position}.values())
    known = int((codes >= 0).sum())
    share = "All" if number == known else f"{number:,} of"
    return (
        f"No answer is {first_names(strangers, 3)}. {share} {quantity(known, 'item')} with a known true class have "
        "such a class, so every answer and prediction there counts as wrong. Write classes alike in both tables, or "
        "list all of them with classes=… (--classes)."
    )


def look_alikes(names: Sequence[ClassName]) -> list[list[ClassName]]:
    """Group the names that differ only in case or spaces.

    >>> look_alikes(["Cat", "dog", "cat", "CAT ", 1])
    [['Cat', 'cat', 'CAT ']]
    """
    groups: dict[ClassName, list[ClassName]] = {}
    for name in names:
        if isinstance(name, str):
            groups.setdefault(plain(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def alike_words(what: str, names: Sequence[ClassName], advice: str) -> str | None:
    """Name the groups of names that differ only in case or spaces, if any.

    >>> alike_words("Annotators", ["Ann", "ann", "bob"], "Write them alike.")
    "Annotators 'Ann' and 'ann' differ only in case or spaces and count as different. Write them alike."
    """
    groups = look_alikes(names)
    if not groups:
        return None
    shown = "; ".join(_and([repr(name) for name in group]) for group in groups[:SHOWN])
    more = f"; {len(groups) - SHOWN:,} more" if len(groups) > SHOWN else ""
    return f"{what} {shown}{more} differ only in case or spaces and count as different. {advice}"


def decimal_words(what: str, names: Sequence[ClassName]) -> str | None:
    """Name whole numbers that are also written with a decimal point, if any.

    >>> decimal_words("Items", ["1", "1.0", "2", "3.5", "a"])
    "Items '1' and '1.0' count as different. Write them alike if they are the same."
    """
    decimals = [name for name in names if isinstance(name, str) and "." in name and NUMBER.fullmatch(name)]
    known = set(names) if decimals else set()
    pairs = [[whole, name] for name in decimals if (whole := name.split(".")[0]) in known]
    if not pairs:
        return None
    shown = "; ".join(listed(pair) for pair in pairs[:SHOWN])
    more = f"; {len(pairs) - SHOWN:,} more" if len(pairs) > SHOWN else ""
    return f"{what} {shown}{more} count as different. Write them alike if they are the same."


def missing_words(answers: Named) -> str | None:
    """Name the answers that look like missing values, if any."""
    words = [repr(name) for name in answers.names if isinstance(name, str) and plain(name) in MISSING_WORDS]
    if not words:
        return None
    return (
        f"{_and(sorted(words))} {'counts as a class' if len(words) == 1 else 'count as classes'}. "
        "Leave the cells empty if that means that there is no answer."
    )


def column_words(columns: Sequence[str], annotator: Array, answers: Named) -> str | None:
    """Name the columns of a wide table that may be no annotators: by their names, or by answers nobody else gives."""
    present = ~answers.missing
    pairs = np.unique(np.stack([annotator[present], answers.codes[present]]), axis=1)
    givers = np.bincount(pairs[1], minlength=len(answers.names))
    shared = np.bincount(pairs[0], weights=givers[pairs[1]] > 1, minlength=len(columns)) > 0
    answered = np.bincount(pairs[0], minlength=len(columns)) > 0
    alone = answered & ~shared & (len(columns) > 2)
    odd = [name for at, name in enumerate(columns) if name.lower() in NO_ANNOTATOR or alone[at]]
    if not odd:
        return None
    words = f"Column {odd[0]!r} counts as an annotator" if len(odd) == 1 else (
        f"Columns {_and([repr(name) for name in odd])} count as annotators"
    )  # fmt: skip
    why = "judging by the name or by answers that nobody else gives"
    return f"{words} but may be none, {why}. Name the annotators' columns with annotators=… (--annotators)."


def listed(names: Sequence[str]) -> str:
    """Write names of columns.

    >>> listed(["a", "b", "c"])
    "'a', 'b' and 'c'"
    """
    return _and([repr(name) for name in names])


def _and(words: Sequence[str]) -> str:
    shown = [*words[:SHOWN], f"{len(words) - SHOWN:,} others"] if len(words) > SHOWN + 1 else list(words)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
