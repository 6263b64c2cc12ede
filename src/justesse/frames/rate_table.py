"""A table of periods or tasks and the share of wrong labels in each."""

from typing import Any

from justesse.core.errors import InputError
from justesse.core.recording import remembering
from justesse.frames.columns import check_column
from justesse.frames.count import opened


@remembering
def rate_table(data: Any, *, key: str = "period") -> dict[str, str]:
    """Read noise rates, as they are written, from a table with the columns period (or another key) and rate.

    >>> rate_table({"period": ["2024-Q1", "2024-Q2"], "rate": ["3%", "1%:5%"]})
    {'2024-Q1': '3%', '2024-Q2': '1%:5%'}
    """
    table = opened(data)[0]
    for name in (key, "rate"):
        check_column(table.columns, table.name, name, name)
    columns = table.arrays([key, "rate"], [])
    rates: dict[str, str] = {}
    for row, (period, rate) in enumerate(zip(*(values.tolist() for values in columns.keys), strict=True), 1):
        name = str(period)
        if name in rates:
            raise InputError(f"{table.name}, row {row}: {key} {name!r} has a rate already. Keep one row for it.")
        rates[name] = str(rate)
    if not rates:
        raise InputError(f"No rows in {table.name}. Write a row with the columns {key} and rate for each {key}.")
    return rates
