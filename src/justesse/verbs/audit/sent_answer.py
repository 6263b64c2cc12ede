"""Answers as they come from a page, and the receipts that are sent back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import InputError
from justesse.store.answers import Kind

LONGEST_KEY, LONGEST_NOTE = 100, 10_000
USED_KEY = "Another answer was sent with the same key, so this one is not saved. Load the page again, then answer."


class UsedKeyError(InputError):
    """The key of a request was used before, for something else."""

    def __init__(self) -> None:
        super().__init__(USED_KEY)


@dataclass(frozen=True)
class SentAnswer:
    """An answer as it comes from a page.

    Parameters
    ----------
    key
        What tells this request from all others; sent again, it is not saved again.
    row
        Position of the question among the disputed rows.
    class_name
        The class, or several joined by the separator; `None` if `kind` has the answer.
    kind
        An answer that names no class.
    note
        What the person wrote beside it.
    credits
        Instead of a class, the credit of each answer, from 0 to 1; those left out get none.
    """

    key: str
    row: int
    class_name: Any = None
    kind: Kind | None = None
    note: str = ""
    credits: Mapping[str, float] | None = None

    @property
    def typed(self) -> Any:
        """The class, or the credits."""
        return self.class_name if self.credits is None else self.credits

    @property
    def content(self) -> tuple[Any, ...]:
        """What tells this answer from others with the same key; credits are last, and only if there are any."""
        credits = () if self.credits is None else (sorted(self.credits.items()),)
        return ("answer", self.row, self.class_name, self.kind, self.note, *credits)

    def check(self) -> None:
        """Refuse keys and texts that cannot be saved."""
        if not self.key or len(self.key) > LONGEST_KEY or len(self.note) > LONGEST_NOTE:
            raise InputError(f"A key has 1 to {LONGEST_KEY} characters, and a note at most {LONGEST_NOTE:,}.")
        for text in (self.key, self.note, str(self.class_name), *(self.credits or ())):
            check_text(text)


@dataclass(frozen=True)
class Receipt:
    """Whether an answer is saved; if it was refused, why.

    `used` tells that the key belongs to another request of the same person.
    """

    key: str
    saved: bool
    refused: str = ""
    used: bool = False


def check_text(text: str) -> None:
    """Refuse texts that not every database keeps.

    >>> check_text("a\\0b")
    Traceback (most recent call last):
    ...
    justesse.core.errors.InputError: The text has a character that cannot be saved (NUL, or half of a pair). Remove it.
    """
    if text.isascii() and "\0" not in text:
        return
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError("The text has a character that cannot be saved (NUL, or half of a pair). Remove it.")
