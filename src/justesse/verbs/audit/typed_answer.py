"""Answers as people type them: a class, several classes, or a word such as `both`."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from justesse.core.class_sets import SEPARATOR, joined_classes, split_classes
from justesse.core.errors import ClassError
from justesse.core.first_names import first_names
from justesse.core.levels import identity, spellings
from justesse.core.results import ClassName
from justesse.report.writing import message, paragraph
from justesse.store.answers import AnswerValue, Kind
from justesse.store.disagreements import DisagreeingRow
from justesse.store.pooled_rows import PooledRow

# in files, on the command line and at the prompt; a class of that name comes first, (both) is always the word
WORDS: dict[str, Kind] = {
    "?": "cannot_say",
    "cannot say": "cannot_say",
    "both": "both",
    "neither": "neither",
    "flawed": "flawed",
}
LISTED = 20
NUMBERED = re.compile(r"#(\d+)\s*(?:=\s*(-?\d*\.?\d+)\s*)?")
CREDIT = re.compile(r"(.*\S)\s*=\s*(-?\d*\.?\d+)\s*", re.DOTALL)


class UnknownClassError(ClassError):
    """A class that neither labels nor classifiers use; `short` leaves out what to do about it."""

    def __init__(self, typed: Any, near: Sequence[str], advice: str) -> None:
        hint = message("Did you mean {name:name}?", name=near[0]) if near else None
        self.short = str(
            paragraph(message("There is no class {typed:name} among labels and answers.", typed=typed), hint)
        )
        super().__init__(f"{self.short} {advice}")


class TypedAnswers:
    """Read answers: a known class, several in a list or joined by the separator, or a word such as `both`.

    Parameters
    ----------
    classes : list
        The known classes.
    separator : str, default "|"
        Separator of several right classes.
    new_class : bool, default False
        Accept classes that are not known.
    capitals : bool, default False
        Accept new classes that differ from a known one in capitals only.

    Examples
    --------
    >>> row = DisagreeingRow(0, "7", "cat", "cat", "dog")
    >>> typed = TypedAnswers(["cat", "dog", "owl"])
    >>> [typed.read(row, answer) for answer in ("owl", "dog|owl", "neither", "both")]
    [('answer', 'owl'), ('several', ('dog', 'owl')), ('neither', None), ('both', ('cat', 'dog'))]
    >>> typed = TypedAnswers(["cat", "dog", "neither"])
    >>> typed.read(row, "neither"), typed.read(row, "(neither)")
    (('answer', 'neither'), ('neither', None))
    """

    def __init__(
        self,
        classes: Sequence[ClassName],
        *,
        separator: str = SEPARATOR,
        new_class: bool = False,
        capitals: bool = False,
    ) -> None:
        self.classes, self.separator = tuple(classes), separator
        self.new_class, self.capitals = new_class, capitals
        self._known: dict[str, ClassName] = {}
        for name in classes:
            for text in spellings(name):
                self._known.setdefault(text, name)

    def read(
        self, row: DisagreeingRow | PooledRow, typed: Any, choices: Sequence[ClassName] = ()
    ) -> tuple[Kind, AnswerValue]:
        """Read the answer about a row; #1 is the first of the choices, and a=0.5 gives an answer half of the credit.

        A mapping such as {"a": 0.5} gives credits, too, whatever the names of the answers are.
        """
        if isinstance(typed, Mapping):
            return "credit", self._credited(typed.items())
        if isinstance(typed, list | tuple | set | frozenset):
            return self._several([*typed])
        if str(typed) in self._known:
            return "answer", self._known[str(typed)]
        text = str(typed).strip()
        if (kind := _word(text)) is not None:
            return self.without_class(kind, row)
        parts = [numbered(part, choices) for part in split_classes(text, self.separator)]
        if isinstance(row, PooledRow) and (credits := self._credits(parts)) is not None:
            return "credit", credits
        return (
            self._several(parts) if len(parts) > 1 else ("answer", self.known(typed if parts[0] == text else parts[0]))
        )

    def _credits(self, parts: Sequence[Any]) -> tuple[tuple[ClassName, float], ...] | None:
        """Read credits such as a=1|b=0.5; nothing if no part has one. A class of that name comes first."""
        pairs = [_credit(part) if str(part) not in self._known else None for part in parts]
        if all(pair is None for pair in pairs):
            return None
        return self._credited([pair or (part, 1.0) for part, pair in zip(parts, pairs, strict=True)])

    def _credited(self, pairs: Iterable[tuple[Any, float]]) -> tuple[tuple[ClassName, float], ...]:
        by_name: dict[ClassName, float] = {}
        for name, credit in pairs:
            if not 0 <= credit <= 1:
                raise ClassError(f"A credit must be a number from 0 to 1, such as {name}=0.5; got {credit:g}.")
            known = self.known(name)
            if known in by_name:
                raise ClassError(
                    f"The class {known!r} is named twice. Give each class one credit, such as {known}=0.5."
                )
            by_name[known] = abs(credit)
        return tuple((name, by_name[name]) for name in self._in_order([*by_name]))

    def without_class(self, kind: Kind, row: DisagreeingRow | PooledRow) -> tuple[Kind, AnswerValue]:
        """Return an answer that names no class; "both" keeps the two classes that are right."""
        if isinstance(row, PooledRow):
            different = row.different
            if kind == "both" and len(different) == 2 and None not in row.every:
                return "several", self._in_order(different)
            if kind == "both":
                raise ClassError(
                    f"Several classifiers answered {row.id!r}, so both says too little. Name the right classes, such as "
                    f"{joined_classes(row.different[:2], self.separator or SEPARATOR)}."
                )
            return kind, None
        both = (row.incumbent, row.candidate)
        if kind == "both" and None in both:
            raise ClassError("One of the two gave no answer, so both cannot be right. Name the class.")
        return kind, self._in_order(both) if kind == "both" else None

    def known(self, typed: Any) -> ClassName:
        """Return the class that was typed; refuse one that is not known, unless new classes are accepted."""
        if str(typed) in self._known:
            return self._known[str(typed)]
        alike = None if self.capitals else self._alike.get(str(typed).strip().lower())
        if alike is None and self.new_class:
            return self._new(typed)
        names = [str(name) for name in self.classes]
        near = [str(alike)] if alike is not None else difflib.get_close_matches(str(typed), names, n=1)
        shown = first_names(self.classes, LISTED)
        several = f" Write several right classes as {joined_classes(self.classes[:2], self.separator)}."
        raise UnknownClassError(
            typed,
            near,
            f"Classes: {shown}.{several if len(names) > 1 and self.separator else ''} For a new class, pass "
            "new_class (--new-class). If the class cannot be determined, pass cannot_say (--cannot-say).",
        )

    @cached_property
    def _alike(self) -> dict[str, ClassName]:
        return {str(name).strip().lower(): name for name in self.classes}

    def _several(self, typed: Sequence[Any]) -> tuple[Kind, AnswerValue]:
        if word := next((part for part in map(str, typed) if part not in self._known and _word(part)), None):
            raise ClassError(
                f"{word!r} is an answer of its own, not one of several classes. Give it alone, or name classes."
            )
        right = self._in_order([self.known(part) for part in typed])
        if not right:
            raise ClassError("Name at least one class, or answer neither.")
        return ("answer", right[0]) if len(right) == 1 else ("several", right)

    def _in_order(self, names: Sequence[ClassName]) -> tuple[ClassName, ...]:
        """Sort classes as the audit lists them: the order does not depend on who gave which answer."""
        rank = {identity(name): at for at, name in enumerate(self.classes)}
        right = {identity(name): name for name in names}
        return tuple(right[key] for key in sorted(right, key=lambda key: rank.get(key, len(rank))))

    def _new(self, typed: ClassName) -> ClassName:
        """Read a new class like the known ones: as a whole number if all of them are."""
        text = str(typed).strip()
        if not text:
            raise ClassError("The class is empty. Give its name.")
        whole = text.lstrip("-").isdigit() and all(type(name) is int for name in self.classes)
        return int(text) if whole else text


def numbered(part: str, choices: Sequence[ClassName]) -> Any:
    """Replace the number of a choice by the choice: #2, or #2=0.5.

    >>> numbered("#2", ["cat", "dog"]), numbered("#1=0.5", ["cat", "dog"]), numbered("#3", ["cat", "dog"])
    ('dog', ('cat', 0.5), '#3')
    """
    match = NUMBERED.fullmatch(part.strip())
    if match is None or not 1 <= int(match[1]) <= len(choices):
        return part
    name = choices[int(match[1]) - 1]
    return name if match[2] is None else (name, float(match[2]))


def _credit(part: Any) -> tuple[Any, float] | None:
    """Read an answer with its credit; `None` if it has none."""
    if isinstance(part, tuple):
        return part
    match = CREDIT.fullmatch(str(part))
    return None if match is None else (match[1].strip(), float(match[2]))


def _word(text: str) -> Kind | None:
    """Return the kind of answer that a word means, also in brackets; `None` for other text."""
    word = text.strip()
    if word.startswith("(") and word.endswith(")"):
        word = word[1:-1].strip()
    return WORDS.get(word.lower())
