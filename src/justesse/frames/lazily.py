"""Two lazy frames side by side, joined by their own engine (Polars, Dask, Spark, …)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from justesse.core.errors import InputError
from justesse.core.quantity import quantity
from justesse.frames.joined import LABEL, THEIRS, Side, different_marks
from justesse.frames.rows import LazyRows

KEY = "the id"


@dataclass(frozen=True)
class LazilyJoined(LazyRows):
    """The rows of both, and how many of each have no partner."""

    unmatched: dict[Side, int] = field(default_factory=dict)

    def check_alike(self, column: str, ours: str, theirs: str) -> None:
        """Refuse marks that differ between the frames."""
        import narwhals as nw

        first, other = nw.col(ours), nw.col(theirs)
        apart = (first != other).fill_null(False) | (first.is_null() != other.is_null())
        if differ := _one(self.frame.filter(apart).select(n=nw.len())):
            raise different_marks(column, "the frames", differ)


def lazily_joined(
    sides: Mapping[Side, LazyRows], parts: Mapping[str, tuple[Side, str]], on: str | None, *, common: bool
) -> LazilyJoined:
    """Join two lazy frames by an id, and refuse ids that repeat or are missing on a side, and labels that differ.

    Only counts come back from the engine, so that an error cannot name the rows.
    """
    import narwhals as nw

    if on is None:
        raise InputError("Lazy frames have no row order. Join them by an id with on=….")
    frames, unmatched = {}, {}
    kinds = {rows.frame.collect_schema()[on] for rows in sides.values()}
    key = nw.col(on) if len(kinds) == 1 else nw.col(on).cast(nw.String)
    for side, rows in sides.items():
        own = [nw.col(column).alias(part) for part, (where, column) in parts.items() if where == side]
        frames[side] = rows.frame.select(key.alias(KEY), *own)
    try:
        joined = frames["incumbent"].join(frames["candidate"], on=KEY, how="inner")
    except TypeError as error:
        raise InputError(f"Lazy frames of different kinds cannot be joined: {error}. Collect them first.") from error
    matched = _one(joined.select(n=nw.len()))
    if not matched:
        raise InputError(
            f"The ids in column {on!r} of the frames have no value in common. Write the ids the same way in both."
        )
    for side, frame in frames.items():
        size = _one(frame.select(n=nw.len()))
        unmatched[side] = size - matched
        if _one(frame.select(n=nw.col(KEY).n_unique())) != size:
            raise InputError(f"Duplicate ids in column {on!r} of the {side}'s frame. Keep one row per id.")
    if any(unmatched.values()) and not common:
        alone = "; ".join(f"{size:,} only in the {side}'s" for side, size in unmatched.items() if size)
        raise InputError(
            f"The rows of the frames are not the same: {alone}. Add the missing rows, or pass common=True to "
            "compare on the rows both have."
        )
    if THEIRS in parts:
        first, other = nw.col(LABEL), nw.col(THEIRS)
        differ = _one(joined.filter((first != other).fill_null(False)).select(n=nw.len()))
        if differ:
            raise InputError(
                f"The labels of the frames differ in {quantity(differ, 'row')}. Both need the same labels. Correct "
                "them."
            )
        # a row that lacks its label in one of the frames is a row without a label
        joined = joined.with_columns(nw.when(~other.is_null()).then(first).alias(LABEL))
    return LazilyJoined(joined, unmatched=unmatched)


def _one(frame: Any) -> int:
    return int(frame.collect("pyarrow").to_arrow()["n"][0].as_py())
