"""Texts in CSV files that people open in a spreadsheet: a name such as `=cmd|…` must not run as a formula.

Spreadsheets take a cell for a formula if it begins with =, +, -, @, a tab or a carriage return. Such texts get an
apostrophe in front; plain numbers do not need one. `original` takes it off, so that a file can be filled in
and read back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_text(value: Any) -> Any:
    """Mark a text that a spreadsheet would run; leave anything else as it is.

    >>> as_text("=1+1"), as_text("-1"), as_text("'=x"), as_text(-1)
    ("'=1+1", '-1', "''=x", -1)
    """
    if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def original(text: str) -> str:
    """Take off the apostrophe that `as_text` put there.

    >>> original("'=1+1"), original("-1"), original("'tis")
    ('=1+1', '-1', "'tis")
    """
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def columns_as_text(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Mark the texts of a whole table, and the names of its columns.

    >>> columns_as_text({"class": ["@a", "b"], "n": [1, 2]})
    {'class': ["'@a", 'b'], 'n': [1, 2]}
    """
    return {as_text(name): [as_text(value) for value in values] for name, values in columns.items()}
