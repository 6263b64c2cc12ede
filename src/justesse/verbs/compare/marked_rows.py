"""The column that marks rows as hard or as flagged, counted like a slice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from justesse.core.errors import OptionError
from justesse.core.levels import RANKS
from justesse.core.results import ClassName
from justesse.frames.together import Together
from justesse.verbs.compare.paired_answers import Pair


@dataclass(frozen=True)
class Marks:
    """A column that marks rows, and the option that named it: the axis of the tally bears its name."""

    column: str
    option: Literal["hard", "flagged"]

    @classmethod
    def of(cls, hard: str | None, flagged: str | None) -> "Marks | None":
        """Take the column that was named, if any; no judge takes both."""
        if hard is not None and flagged is not None:
            raise OptionError("hard and flagged belong to different judges, prudent_v2 and cleaned. Give one of them.")
        if flagged is not None:
            return cls(flagged, "flagged")
        return None if hard is None else cls(hard, "hard")


def with_marks(slices: tuple[str, ...], marks: Marks | None) -> tuple[str, ...]:
    """Have the column that marks rows counted like a slice."""
    if marks is None:
        return slices
    if marks.column in slices:
        raise OptionError(
            f"Column {marks.column!r} marks the {marks.option} rows, so it cannot be a slice too. Leave it out of by (--by)."
        )
    return (*slices, marks.column)


def marks_as_text(table: Together, marks: Marks | None) -> Together:
    """Have shares such as 0.25 counted: they are no class names, and there may be one for each row."""
    if marks is None:
        return table
    slices = {RANKS if axis == f"by {marks.column}" else axis: column for axis, column in table.slices.items()}
    return replace(table, slices=slices, texts=(marks.column,))


def marked_rows(pair: Pair, marks: Marks | None) -> Pair:
    """Take the column that was counted like a slice for what it is."""
    if marks is None:
        return pair
    slices = {name: column for name, column in pair.slices.items() if name != RANKS}
    at = pair.tally.axis(RANKS)
    levels = tuple(_marks(names) if place == at else names for place, names in enumerate(pair.tally.levels))
    tally = replace(pair.tally, levels=levels)
    return replace(pair, tally=tally if marks.option == RANKS else tally.renamed(hard=marks.option), slices=slices)


def check_marks(table: Together, marks: Marks | None) -> None:
    """Refuse two tables that mark different rows."""
    if marks is not None:
        table.check_alike(marks.column)


def _marks(names: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Read true, false and numbers; what is neither is left to the judge to refuse."""
    words = {"true": True, "false": False}
    try:
        return tuple(words[str(name).lower()] if str(name).lower() in words else float(str(name)) for name in names)
    except ValueError:
        return tuple(names)
