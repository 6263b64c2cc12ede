"""The rows of one version of a system, as a table."""

from typing import Any

from justesse.frames.version_pairs import one_version


def version_rows(data: Any, column: str, version: str) -> Any:
    """Return the rows of one version, all columns, as an Arrow table.

    >>> version_rows({"v": ["a", "b"], "x": [1, 2]}, "v", "b")["x"].to_pylist()
    [2]
    """
    table = one_version(data, column, version)
    return table.relation(table.columns).to_arrow_table().rename_columns(list(table.columns))


def texts(values: list[Any]) -> list[str]:
    """Write ids and times as other tables do: 7.0 is 7.

    >>> texts([7.0, "a", 2])
    ['7', 'a', '2']
    """
    return [f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value) for value in values]
