"""How a tally is written down: one line, a table, JSON."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.levels import CLASS_AXES, check_levels, identity

if TYPE_CHECKING:
    from justesse.core.tally import Tally


def cells(tally: "Tally") -> list[list[Any]]:
    """List the cells as `[name, …, name, n]`."""
    named = [[names[code] for code in tally.codes[:, a].tolist()] for a, names in enumerate(tally.levels)]
    return list(map(list, zip(*named, tally.counts.tolist(), strict=True)))


def to_dict(tally: "Tally") -> dict[str, Any]:
    """Give the tally as JSON can hold it; `from_dict` reads it back.

    >>> from justesse.core.tally import Tally
    >>> table = Tally.from_dense([[5, 1], [0, 4]])
    >>> Tally.from_dict(table.to_dict()) == table
    True
    """
    result: dict[str, Any] = {
        "axes": list(tally.axes),
        "levels": [list(names) for names in tally.levels],
        "cells": cells(tally),
    }
    if tally.weights is not None and tally.squares is not None:
        result |= {"weights": tally.weights.tolist(), "squares": tally.squares.tolist()}
    if tally.others:
        result["others"] = list(tally.others)
    return result


def to_json(tally: "Tally") -> str:
    """Write it as JSON; `from_json` reads it back."""
    return json.dumps(to_dict(tally), ensure_ascii=False)


def summary(tally: "Tally") -> str:
    """Say in a few words what was counted."""
    parts = [" × ".join(tally.axes), f"n = {tally.n}"]
    if any(axis in CLASS_AXES for axis in tally.axes):
        parts.append(f"{len(tally.classes)} class{'es' if len(tally.classes) != 1 else ''}")
    if tally.weighted:
        parts.append(f"weighted, effective n = {tally.effective_n:.1f}")
    return ", ".join(parts)


def one_line(tally: "Tally") -> str:
    """Write it on one line, with its first cells."""
    if tally.counts.ndim > 1:
        return f"Tally({summary(tally)}, {len(tally.counts)} resamples)"
    shown = ["→".join(map(repr, cell[:-1])) + f" {cell[-1]}" for cell in cells(tally)[:12]]
    more = f", … {len(tally.codes) - 12} more" if len(tally.codes) > 12 else ""
    return f"Tally({summary(tally)}: {', '.join(shown)}{more})"


def laid_out(tally: "Tally") -> str:
    """Lay a small table out; one line for anything else."""
    if len(tally.axes) != 2 or tally.counts.ndim > 1 or max(map(len, tally.levels)) > 20:
        return one_line(tally)
    dense = tally.dense()
    body = [list(map(str, row)) if tally.weights is None else [f"{x:g}" for x in row] for row in dense]
    head = [str(name) for name in tally.levels[1]]
    first = [" \\ ".join(tally.axes), *map(str, tally.levels[0])]
    wide = [max(len(head[j]), *(len(row[j]) for row in body)) for j in range(len(head))]
    side = max(map(len, first))
    rows = zip(first, [head, *body], strict=True)
    return "\n".join(
        f"{name:<{side}}  " + "  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for name, row in rows
    )


def from_dict(kind: "type[Tally]", data: dict[str, Any]) -> "Tally":
    """Read a tally that `to_dict` wrote."""
    try:
        axes, levels, cells = tuple(data["axes"]), tuple(tuple(x) for x in data["levels"]), data["cells"]
        positions = [{identity(name): code for code, name in enumerate(names)} for names in levels]
        codes = np.array(
            [[at[identity(x)] for at, x in zip(positions, cell, strict=False)] for cell in cells], dtype=np.int32
        )
        counts = np.array([cell[len(axes)] for cell in cells], dtype=np.int64)
        extra = [np.array(data[key], dtype=float) if key in data else None for key in ("weights", "squares")]
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise OptionError(
            f"This is not a tally saved by justesse ({error!r}). Count the rows again with justesse count."
        ) from error
    for axis, names in zip(axes, levels, strict=True):
        check_levels(axis, names)
    others = tuple(data.get("others", ()))
    return kind.canonical(axes, levels, codes.reshape(-1, len(axes)), counts, extra[0], extra[1], others)


def from_json(kind: "type[Tally]", text: str) -> "Tally":
    """Read a tally that `to_json` wrote."""
    return from_dict(kind, json.loads(text))
