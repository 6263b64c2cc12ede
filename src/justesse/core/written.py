"""How a tally is written down: one line, a table, JSON."""

import json
from typing import TYPE_CHECKING, Any

from justesse.core.levels import CLASS_AXES

if TYPE_CHECKING:
    from justesse.core.tally import Tally


class Written:
    """The text and JSON of a `Tally`."""

    def cells(self: "Tally") -> list[list[Any]]:
        """List the cells as `[name, …, name, n]`."""
        named = [[names[code] for code in self.codes[:, a].tolist()] for a, names in enumerate(self.levels)]
        return list(map(list, zip(*named, self.counts.tolist(), strict=True)))

    def to_dict(self: "Tally") -> dict[str, Any]:
        """Give the tally as JSON can hold it; `from_dict` reads it back.

        >>> from justesse.core.tally import Tally
        >>> table = Tally.from_dense([[5, 1], [0, 4]])
        >>> Tally.from_dict(table.to_dict()) == table
        True
        """
        found: dict[str, Any] = {
            "axes": list(self.axes),
            "levels": [list(names) for names in self.levels],
            "cells": self.cells(),
        }
        if self.weights is not None and self.squares is not None:
            found |= {"weights": self.weights.tolist(), "squares": self.squares.tolist()}
        return found

    def to_json(self: "Tally") -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def summary(self: "Tally") -> str:
        """Say in a few words what was counted."""
        parts = [" × ".join(self.axes), f"n = {self.n}"]
        if any(axis in CLASS_AXES for axis in self.axes):
            parts.append(f"{len(self.classes)} class{'es' if len(self.classes) != 1 else ''}")
        if self.weighted:
            parts.append(f"weighted, effective n = {self.effective_n:.1f}")
        return ", ".join(parts)

    def __repr__(self: "Tally") -> str:
        if self.counts.ndim > 1:
            return f"Tally({self.summary()}, {len(self.counts)} resamples)"
        cells = ["→".join(map(repr, cell[:-1])) + f" {cell[-1]}" for cell in self.cells()[:12]]
        more = f", … {len(self.codes) - 12} more" if len(self.codes) > 12 else ""
        return f"Tally({self.summary()}: {', '.join(cells)}{more})"

    def __str__(self: "Tally") -> str:
        if len(self.axes) != 2 or self.counts.ndim > 1 or max(map(len, self.levels)) > 20:
            return repr(self)
        dense = self.dense()
        body = [list(map(str, row)) if self.weights is None else [f"{x:g}" for x in row] for row in dense]
        head = [str(name) for name in self.levels[1]]
        first = [" \\ ".join(self.axes), *map(str, self.levels[0])]
        wide = [max(len(head[j]), *(len(row[j]) for row in body)) for j in range(len(head))]
        side = max(map(len, first))
        rows = zip(first, [head, *body], strict=True)
        return "\n".join(
            f"{name:<{side}}  " + "  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True))
            for name, row in rows
        )
