"""Which columns of a table with a row for each item are annotators."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from justesse.core.errors import ColumnError
from justesse.frames.answer_cautions import NO_ANNOTATOR, listed
from justesse.frames.columns import check_column


def wide_columns(
    columns: Sequence[str], where: str, annotators: Sequence[str] | None, taken: set[str]
) -> tuple[list[str], str | None]:
    """Return the columns of annotators, and what to say if some columns are left out.

    Columns are named one by one or by patterns; without either they are all but those already taken for something else
    and those whose names are usual for something else.

    >>> wide_columns(["item", "r1", "r2", "comment"], "a.csv", ["r*"], {"item"})
    (['r1', 'r2'], None)
    >>> wide_columns(["item", "ann", "bob", "comment"], "a.csv", None, {"item"})[0]
    ['ann', 'bob']
    """
    if annotators is not None:
        return list(dict.fromkeys(name for word in annotators for name in _matching(columns, where, word, taken))), None
    rest = [name for name in columns if name not in taken]
    chosen = [name for name in rest if name.lower() not in NO_ANNOTATOR]
    left = [name for name in rest if name.lower() in NO_ANNOTATOR]
    if len(chosen) < 2:
        raise ColumnError(
            f"No column of annotators in {where}. Name one with annotator=… (--annotator) if every row is one answer. "
            "A table with one row for each item needs a column for each annotator: name them with annotators=… "
            "(--annotators)."
        )
    if not left:
        return chosen, None
    words = (
        f"Annotators: columns {listed(chosen)}. Left out, judging by {'its name' if len(left) == 1 else 'their names'}"
    )
    return (
        chosen,
        f"{words}: {listed(left)}. Name the annotators' columns to choose others: annotators=… (--annotators).",
    )


def _matching(columns: Sequence[str], where: str, word: str, taken: set[str]) -> list[str]:
    """Return the columns that a name or a pattern means."""
    if word in columns or not any(sign in word for sign in "*?["):
        return [check_column(columns, where, "annotators", word)]
    matches = [name for name in columns if fnmatchcase(name, word) and name not in taken]
    if not matches:
        raise ColumnError(
            f"No column of {where} matches {word!r}. Columns: {', '.join(columns)}. Change the pattern in annotators=… "
            "(--annotators)."
        )
    return matches
