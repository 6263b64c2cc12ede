"""Which columns make up a case, when two rows are asked whether they are the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from justesse.core.errors import ColumnError
from justesse.frames.columns import USUAL, check_column
from justesse.frames.sides import Side

ANSWERS = frozenset(name for part in ("label", "prediction", "true") for name in USUAL[part])
IDS = frozenset({"id", "_id", "row", "row_id", "rowid", "uid", "uuid", "index", "unnamed: 0", ""})
IDENTIFIER = "named like an identifier"


@dataclass(frozen=True)
class Content:
    """The columns compared, and those left out that nobody had named, each with the reason."""

    columns: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def content(sides: Sequence[Side], *, chosen: Sequence[str] = (), roles: Sequence[str] = ()) -> Content:
    """Take the columns named, or all that every side has but for those that play another part.

    Labels and answers are left out, and so is what looks like an identifier: it would make every row look new.

    >>> from justesse.frames.sides import side
    >>> rows = side({"id": [1, 2], "case": [7, 8], "x": ["a", "b"], "label": [0, 1]}, "test")
    >>> content([rows])
    Content(columns=('x',), left_out=(('id', 'named like an identifier'),
    ('case', 'a different whole number in every row')))
    """
    if chosen:
        for side in sides:
            for name in chosen:
                check_column(side.columns, side.name, "feature", name)
                if name in roles:
                    raise ColumnError(
                        f"Column {name!r} is a feature and has another role too. Name it for one of them only."
                    )
        return Content(tuple(dict.fromkeys(chosen)))
    shared = [name for name in sides[0].columns if all(name in item.columns for item in sides)]
    kept, left = [], []
    for name in shared:
        if name in roles or name.lower() in ANSWERS:
            continue
        if name.lower() in IDS:
            left.append((name, IDENTIFIER))
        elif all(_numbered(item, name) for item in sides):
            left.append((name, "a different whole number in every row"))
        else:
            kept.append(name)
    return Content(tuple(kept), tuple(left))


def _numbered(table_side: Side, column: str) -> bool:
    asked = "count(*) = count(DISTINCT c0) AND count(*) > 1 AND bool_and(regexp_full_match(c0, '-?[0-9]+')) AS numbered"
    return bool(table_side.fetched(table_side.texts([column]).aggregate(asked))["numbered"][0])
