"""What somebody typed as the answer to an audit's question: a class, several, or a word."""

import difflib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from justesse.core.class_sets import SEPARATOR, joined_classes, split_classes
from justesse.core.errors import ClassError
from justesse.core.levels import identity, spellings
from justesse.core.results import ClassName
from justesse.store.answers import Kind, Said
from justesse.store.disagreements import DisagreeingRow

# in files, on the command line and at the prompt; a class of that name comes first, and (both) is never a class
WORDS: dict[str, Kind] = {
    "?": "cannot_say",
    "cannot say": "cannot_say",
    "both": "both",
    "neither": "neither",
    "flawed": "flawed",
}
LISTED = 20


class TypedAnswers:
    """Read answers: a known class, several joined by the separator or in a list, or a word such as `both`.

    With `new_class` other classes are read, too, but not those that differ from a known one in capitals only, unless
    `capitals` says that these matter.

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

    def read(self, dispute: DisagreeingRow, typed: Any) -> tuple[Kind, Said]:
        """Read the answer about a row."""
        if isinstance(typed, list | tuple | set | frozenset):
            return self._several([*typed])
        if str(typed) in self._known:
            return "answer", self._known[str(typed)]
        text = str(typed).strip()
        if (kind := _word(text)) is not None:
            return self.without_class(kind, dispute)
        parts = split_classes(text, self.separator)
        return self._several(parts) if len(parts) > 1 else ("answer", self.known(typed))

    def without_class(self, kind: Kind, dispute: DisagreeingRow) -> tuple[Kind, Said]:
        """Give an answer that names no class; "both" keeps the two classes that are right."""
        both = (dispute.incumbent, dispute.candidate)
        if kind == "both" and None in both:
            raise ClassError("one of the two gave no answer, so that both cannot be right; name the class")
        return kind, self._in_order(both) if kind == "both" else None

    def known(self, typed: Any) -> ClassName:
        """Give the class that was typed, or refuse one that neither labels nor classifiers know."""
        if str(typed) in self._known:
            return self._known[str(typed)]
        alike = None if self.capitals else self._alike.get(str(typed).strip().lower())
        if alike is None and self.new_class:
            return self._new(typed)
        names = [str(name) for name in self.classes]
        near = [str(alike)] if alike is not None else difflib.get_close_matches(str(typed), names, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        shown = ", ".join(map(repr, self.classes[:LISTED])) + more
        several = f" Several right classes are written {joined_classes(self.classes[:2], self.separator)}."
        raise ClassError(
            f"there is no class {typed!r} among labels and answers; {hint}There are {shown}."
            f"{several if len(names) > 1 and self.separator else ''} If it is truly another one, pass new_class "
            "(--new-class); if it cannot be said, cannot_say (--cannot-say)"
        )

    @cached_property
    def _alike(self) -> dict[str, ClassName]:
        return {str(name).strip().lower(): name for name in self.classes}

    def _several(self, typed: Sequence[Any]) -> tuple[Kind, Said]:
        if word := next((part for part in map(str, typed) if part not in self._known and _word(part)), None):
            raise ClassError(
                f"{word!r} is an answer of its own, not a class among several: give it alone, or name classes"
            )
        right = self._in_order([self.known(part) for part in typed])
        if not right:
            raise ClassError("name at least one class; if neither classifier is right, answer neither")
        return ("answer", right[0]) if len(right) == 1 else ("several", right)

    def _in_order(self, names: Sequence[ClassName]) -> tuple[ClassName, ...]:
        """Sort classes as the audit lists them: the order tells nothing of who answered which."""
        rank = {identity(name): at for at, name in enumerate(self.classes)}
        right = {identity(name): name for name in names}
        return tuple(right[key] for key in sorted(right, key=lambda key: rank.get(key, len(rank))))

    def _new(self, typed: ClassName) -> ClassName:
        """Read a new class the way the known ones are: a whole number among whole numbers is one."""
        text = str(typed).strip()
        if not text:
            raise ClassError("a class needs a name; got an empty one")
        whole = text.lstrip("-").isdigit() and all(type(name) is int for name in self.classes)
        return int(text) if whole else text


def _word(text: str) -> Kind | None:
    """Give the kind of answer that a word means, also in brackets; `None` for other text."""
    word = text.strip()
    if word.startswith("(") and word.endswith(")"):
        word = word[1:-1].strip()
    return WORDS.get(word.lower())
