"""The order in which a table lists its items."""

from typing import Any

import numpy as np

from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.frames.columns import guess_column
from justesse.frames.item_classes import Identity, named_items
from justesse.frames.table import one_table


def item_order(source: Any, *, item: str | None = None) -> list[Identity]:
    """Give the items of a table in the order of their first rows, by the identity of their names.

    >>> [name for _, name in item_order({"item": [3, 1, 3, 2], "gold": ["x", "y", "x", "x"]})]
    [3, 1, 2]
    """
    table = one_table(source)
    column = guess_column("item", table.columns, table.name, item)
    items = named_items(table.arrays([column], []).keys[0], table, column)
    _, first = np.unique(items.codes, return_index=True)
    names: list[ClassName] = [items.names[code] for code in items.codes[np.sort(first)]]
    return [identity(name) for name in names]
