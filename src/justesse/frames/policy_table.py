"""A table of periods and their weights."""

import math
from typing import Any

from justesse.core.errors import InputError
from justesse.core.recording import remembering
from justesse.frames.columns import check_column
from justesse.frames.count import opened


@remembering
def policy_table(data: Any) -> dict[str, float]:
    """Read the weights of periods from a table with the columns period, or date, and weight.

    >>> policy_table({"period": ["2024-Q1", "2024-Q2"], "weight": [1, 3]})
    {'2024-Q1': 1.0, '2024-Q2': 3.0}
    >>> policy_table({"date": ["2024-05-17"], "weight": [2]})
    {'2024-05-17': 2.0}
    """
    table = opened(data)[0]
    named = "date" if "date" in table.columns and "period" not in table.columns else "period"
    for name in (named, "weight"):
        check_column(table.columns, table.name, name, name)
    columns = table.arrays([named, "weight"], ["weight"])
    weights: dict[str, float] = {}
    for row, (period, weight) in enumerate(
        zip(columns.keys[0].tolist(), columns.numbers[:, 0].tolist(), strict=True), 1
    ):
        name = str(period)
        if not (math.isfinite(weight) and weight >= 0):
            cell = columns.keys[1].tolist()[row - 1]
            raise InputError(
                f"{table.name}, row {row}: the weight of period {name!r} must be a number of 0 or more; got "
                f"{'nothing' if cell is None else repr(str(cell))}."
            )
        if name in weights:
            raise InputError(f"{table.name}, row {row}: period {name!r} has a weight already. Keep one row for it.")
        weights[name] = weight
    if not weights:
        raise InputError(f"No rows in {table.name}. Write a row with the columns period and weight for each period.")
    return weights
