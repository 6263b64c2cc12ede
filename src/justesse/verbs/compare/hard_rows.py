"""The column that marks hard rows, counted like a slice."""

from collections.abc import Sequence
from dataclasses import replace

from justesse.core.errors import OptionError
from justesse.core.levels import RANKS
from justesse.core.results import ClassName
from justesse.frames.together import Together
from justesse.verbs.compare.paired_answers import Pair


def with_hard(slices: tuple[str, ...], hard: str | None) -> tuple[str, ...]:
    """Have the column that marks hard rows counted like a slice."""
    if hard in slices:
        raise OptionError(
            f"Column {hard!r} marks the hard rows, so it cannot be a slice too. Leave it out of by (--by)."
        )
    return slices if hard is None else (*slices, hard)


def hard_as_text(table: Together, hard: str | None) -> Together:
    """Have shares such as 0.25 counted: they are no class names, and there may be one for each row."""
    if hard is None:
        return table
    slices = {RANKS if axis == f"by {hard}" else axis: column for axis, column in table.slices.items()}
    return replace(table, slices=slices, texts=(hard,))


def hard_marked(pair: Pair, hard: str | None) -> Pair:
    """Take the column that was counted like a slice for what it is."""
    if hard is None:
        return pair
    slices = {name: column for name, column in pair.slices.items() if name != RANKS}
    at = pair.tally.axis(RANKS)
    levels = tuple(_marks(names) if place == at else names for place, names in enumerate(pair.tally.levels))
    return replace(pair, tally=replace(pair.tally, levels=levels), slices=slices)


def _marks(names: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Read true, false and numbers; what is neither is left to the judge to refuse."""
    words = {"true": True, "false": False}
    try:
        return tuple(words[str(name).lower()] if str(name).lower() in words else float(str(name)) for name in names)
    except ValueError:
        return tuple(names)
