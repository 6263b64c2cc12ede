"""Differing figures in the order in which people read them: cells of counts by their classes, main figures first."""

from typing import Any

from justesse.verbs.dossier.repeat import DECIDING, differences, is_under

COUNTS = "counts"
MAIN = (*DECIDING, "/results/difference", "/results/interval", "/results/n")


def shown_differences(before: Any, now: Any, above: str = "") -> list[tuple[str, Any, Any]]:
    """List the places where two results differ.

    A cell of counts is compared with the cell of the same classes, not with the one at the same place: a new cell
    would shift all others.

    Parameters
    ----------
    before, now
        Both results.
    above
        Where they are in a dossier, such as /results.

    Examples
    --------
    >>> old = {"counts": [["a", "a", 2], ["b", "a", 1]], "headline": {"value": 0.7}}
    >>> shown_differences(old, {"counts": [["a", "a", 1], ["a", "b", 1], ["b", "a", 1]], "headline": {"value": 0.3}}, "/results")
    [('/headline/value', 0.7, 0.3), ('/counts/a, a', 2, 1), ('/counts/a, b', 0, 1)]
    """
    first, second = _by_cell(before, now)
    places = differences(first, second)
    return sorted(places, key=lambda item: _rank(f"{above}{item[0]}"))


def _rank(where: str) -> int:
    if is_under(where, list(MAIN)):
        return 0
    return 2 if f"/{COUNTS}/" in where else 1


def _by_cell(before: Any, now: Any) -> tuple[Any, Any]:
    """Turn the lists of counts in two values into cells by name; a cell that only one has is 0 in the other."""
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [_by_cell(a, b) for a, b in zip(before, now, strict=True)]
        return [a for a, _ in pairs], [b for _, b in pairs]
    if not isinstance(before, dict) or not isinstance(now, dict):
        return before, now
    first, second = dict(before), dict(now)
    for key in before.keys() & now.keys():
        cells = [cells_by_class(side[key]) for side in (before, now)] if key == COUNTS else [None]
        if None in cells:
            first[key], second[key] = _by_cell(before[key], now[key])
            continue
        names = dict.fromkeys([*cells[0], *cells[1]])  # type: ignore[misc]
        first[key], second[key] = ({name: own.get(name, 0) for name in names} for own in cells)  # type: ignore[union-attr]
    return first, second


def cells_by_class(value: Any) -> dict[str, Any] | None:
    """Name each cell by its classes; `None` if the value is no list of cells."""
    rows = isinstance(value, (list, tuple)) and all(isinstance(row, (list, tuple)) and len(row) > 1 for row in value)
    if not rows:
        return None
    cells = {", ".join(map(_name, row[:-1])): row[-1] for row in value}
    return cells if len(cells) == len(value) else None


def _name(value: Any) -> str:
    """Write the name of a class; 1.0 is the class 1 in a file."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
