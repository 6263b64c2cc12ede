"""One table with the answers of several systems, divided by system."""

from typing import Any

import numpy as np

from justesse.core.errors import InputError
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.frames.rows import DuckRows

MOST = 20  # systems that can be compared in pairs


def divided_by_system(data: Any, system: str) -> dict[str, Any]:
    """Divide a table by the column that names the system, in the order of their first rows.

    >>> list(divided_by_system({"s": ["b", "a", "b"], "x": [1, 2, 3]}, "s"))
    ['b', 'a']
    """
    import pyarrow as pa

    tables = opened_once(data)
    table = tables[0]
    if len(tables) > 1 or not isinstance(table, DuckRows):
        raise InputError(f"{table.name} and others: systems are read from one table. Combine the files.")
    check_column(table.columns, table.name, "system", system)
    rows = table.relation(table.columns).to_arrow_table().rename_columns(list(table.columns))
    names = np.array(["" if name is None else str(name) for name in rows[system].to_pylist()], dtype=object)
    if "" in names:
        raise InputError(f"Column {system!r} of {table.name} has rows without a value. Fill them in.")
    systems = list(dict.fromkeys(names.tolist()))
    if not 2 <= len(systems) <= MOST:
        raise InputError(
            f"Column {system!r} of {table.name} names {len(systems)} systems; 2 to {MOST} can be compared. Name the "
            "column with the system that answered."
        )
    return {name: rows.filter(pa.array(names == name)) for name in systems}
