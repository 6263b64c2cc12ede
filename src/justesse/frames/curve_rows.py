"""Tables of scores against costs, a row for each system, seed and cost."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import InputError, MissingValueError
from justesse.core.recording import remembering
from justesse.frames.columns import guess_column, has_column
from justesse.frames.count import opened
from justesse.frames.rows import no_rows
from justesse.frames.values import named


@dataclass(frozen=True)
class CurveRows:
    """Costs and scores of every run, in the order of costs, by system and seed.

    Parameters
    ----------
    runs
        System → seed → its costs and its scores.
    columns
        Columns by role.
    where
        Name of the table.
    """

    runs: dict[str, dict[str, tuple[list[float], list[float]]]]
    columns: dict[str, str]
    where: str


@remembering
def curve_rows(
    data: Any,
    *,
    system: str | None = None,
    run: str | None = None,
    cost: str | None = None,
    score: str | None = None,
) -> CurveRows:
    """Read the scores of runs by what they had cost.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each system, seed and cost.
    system, run
        Columns of systems, and of seeds or runs. Default: columns with a usual name; without one, a single system, or
        a single run of each.
    cost, score
        Their columns. Default: columns with a usual name.

    >>> rows = curve_rows({"cost": [10, 0], "score": [0.7, 0.5]})
    >>> rows.runs
    {'system': {'1': ([0.0, 10.0], [0.5, 0.7])}}
    """
    tables = opened(data)
    if len(tables) > 1:
        raise InputError("Curves must come from one file. Combine the files first.")
    table = tables[0]
    numbers = {
        part: guess_column(part, table.columns, table.name, name) for part, name in (("cost", cost), ("score", score))
    }
    keys = {
        part: guess_column(part, table.columns, table.name, name)
        for part, name in (("system", system), ("run", run))
        if name is not None or has_column(part, table.columns, table.name)
    }
    fetched = table.arrays(list(keys.values()), list(numbers.values()))
    if not len(fetched.numbers):
        raise no_rows(table.name)
    names: dict[str, list[Any]] = {}
    for (part, column), values in zip(keys.items(), fetched.keys, strict=True):
        read = named(values, form=table.form, column=column, as_text=True)
        if read.missing.any():
            row = int(np.flatnonzero(read.missing)[0]) + 1
            raise MissingValueError(f"{table.name}, row {row}: no {part} in column {column!r}. Fill it in.")
        names[part] = [str(read.names[code]) for code in read.codes.tolist()]
    bad = np.argwhere(~np.isfinite(fetched.numbers))
    if len(bad):
        row, at = (int(place) for place in bad[0])
        raise InputError(
            f"{table.name}, row {row + 1}: column {list(numbers.values())[at]!r} must contain a finite number."
        )
    if len(below := np.flatnonzero(fetched.numbers[:, 0] < 0)):
        raise InputError(
            f"{table.name}, row {below[0] + 1}: a cost must be 0 or more (column {numbers['cost']!r}); got "
            f"{fetched.numbers[below[0], 0]:g}."
        )
    n = len(fetched.numbers)
    runs: dict[str, dict[str, dict[float, float]]] = {}
    rows = zip(names.get("system", ["system"] * n), names.get("run", ["1"] * n), fetched.numbers.tolist(), strict=True)
    for row, (name, start, (spent, value)) in enumerate(rows, 1):
        points = runs.setdefault(name, {}).setdefault(start, {})
        if spent in points:
            raise InputError(
                f"{table.name}, row {row}: seed {start!r} of system {name!r} has a score at cost {spent:g} already. "
                "Keep one, or name the column of seeds with run=… (--run)."
            )
        points[spent] = value
    for name, seeds in runs.items():
        for start, points in seeds.items():
            if len(points) < 2:
                raise InputError(
                    f"Seed {start!r} of system {name!r} in {table.name} has one point. A curve needs two or more."
                )
    ordered = {
        name: {start: (sorted(points), [points[spent] for spent in sorted(points)]) for start, points in seeds.items()}
        for name, seeds in runs.items()
    }
    return CurveRows(ordered, {**keys, **numbers}, table.name)
