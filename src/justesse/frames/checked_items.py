"""The true class of items that were re-checked at random, beside annotators' answers."""

from dataclasses import dataclass
from typing import Any

from justesse.core.annotations import Annotations
from justesse.core.arrays import Array
from justesse.core.errors import ClassError, ColumnError, InputError
from justesse.core.first_names import first_names
from justesse.core.recording import remembering
from justesse.frames.columns import guess_column, has_column
from justesse.frames.drawn_sample import is_drawn
from justesse.frames.predicted_items import PredictionSource, joined_predictions
from justesse.frames.table import one_table


@dataclass(frozen=True, eq=False)
class CheckedItems:
    """Code of the true class of each item, -1 where it was not re-checked, and how many re-checked ids are no item."""

    codes: Array
    outside: int


@remembering
def checked_items(
    audited: Any, annotations: Annotations, where: str, *, on: str | None = None, as_text: bool = False
) -> CheckedItems:
    """Read re-checked items: their ids and a column `true`. Rows without a true class are not re-checked yet.

    Parameters
    ----------
    audited
        Path, data frame or dict of arrays with the re-checked items.
    annotations
        Who answered what.
    where
        Name of the answers, for messages.
    on
        Column with the ids, if the table has it. Default: the column named id, item, task or question.
    as_text
        Read classes as text.

    Examples
    --------
    >>> notes = Annotations.of([(1, "ann", "x"), (2, "ann", "y"), (3, "bob", "y")])
    >>> checked_items({"id": [3, 1], "true": ["x", "x"]}, notes, "answers").codes.tolist()
    [0, -1, 0]
    """
    table = one_table(audited)
    if is_drawn(table.columns):
        raise InputError(
            f"The rows of {table.name} were drawn with different probabilities, but a random sample of the items is "
            "needed here. Draw one, or use them with labels instead of answers."
        )
    if not has_column("true", table.columns, table.name):
        raise ColumnError(
            f"No column 'true' with the true classes in {table.name}. Columns: {first_names(table.columns, 20)}. "
            "Re-checked items need an id and 'true'."
        )
    column = guess_column("true", table.columns, table.name, None)
    source = PredictionSource(audited, column, "true")
    shared = on if on in table.columns else None
    joined = joined_predictions([source], annotations, where, on=shared, missing="drop", as_text=as_text)
    if joined.strangers:
        raise ClassError(
            f"Nobody answered {first_names(list(joined.strangers), 3)}, a true class in {table.name}. Write classes "
            "alike, or name all of them with classes=… (--classes)."
        )
    return CheckedItems(joined.codes[0], joined.unanswered)
