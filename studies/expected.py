"""What a study is expected to find: read, written, compared."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


def load(path: Path) -> list[dict[str, str]]:
    """Read rows; all values are text."""
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def save(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows, numbers with nine digits."""
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: short(value) for key, value in row.items()} for row in rows)


def surprises(found: Mapping[str, float], expected: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    """Say where figures are missing, not expected, or further from their (value, tolerance) than the tolerance.

    >>> list(surprises({"a": 1.0, "b": 2.0}, {"a": (1.2, 0.1), "c": (3.0, 0.1)}))
    ['a: 1.2 ± 0.1 was expected; got 1', 'c: was expected, and is missing', 'b: was not expected']
    """
    for name, (value, tolerance) in expected.items():
        if name not in found:
            yield f"{name}: was expected, and is missing"
        elif not math.isclose(found[name], value, rel_tol=0, abs_tol=tolerance):
            yield f"{name}: {value:g} ± {tolerance:g} was expected; got {found[name]:.9g}"
    yield from (f"{name}: was not expected" for name in found if name not in expected)


def short(value: Any) -> Any:
    """Write numbers with as many digits as are compared, whole ones without a point."""
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(f"{value:.9g}")
