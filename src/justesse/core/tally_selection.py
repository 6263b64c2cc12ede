"""The rows of a tally with certain names on some axes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.levels import identity, native
from justesse.core.results import ClassName

if TYPE_CHECKING:
    from justesse.core.tally import Tally


def selected(tally: "Tally", /, **names: ClassName | Sequence[ClassName]) -> "Tally":
    """Keep the rows with these names: one name drops its axis, a list of names keeps it.

    >>> from justesse.core.tally import Tally
    >>> table = Tally.of(["label", "prediction", "fold"], [("a", "a", 1, 3), ("a", "b", 2, 1)])
    >>> table.select(fold=1)
    Tally(label × prediction, n = 3, 2 classes: 'a'→'a' 3)
    """
    kept = np.ones(len(tally.codes), dtype=bool)
    dropped = []
    for axis, chosen in names.items():
        a = tally.axis(axis)
        if not isinstance(chosen, (list, tuple, set, frozenset)):
            dropped.append(axis)
            chosen = [chosen]  # type: ignore[list-item]
        known = {identity(name): code for code, name in enumerate(tally.levels[a])}
        for name in chosen:
            if identity(native(name)) not in known:
                raise OptionError(
                    f"{name!r} is not on axis {axis!r}. It holds: {', '.join(map(repr, tally.levels[a][:20]))}."
                )
        kept &= np.isin(tally.codes[:, a], [known[identity(native(name))] for name in chosen])
    cells = replace(
        tally,
        codes=tally.codes[kept],
        counts=tally.counts[..., kept],
        weights=None if tally.weights is None else tally.weights[kept],
        squares=None if tally.squares is None else tally.squares[kept],
    )
    return cells.marginal(*(axis for axis in tally.axes if axis not in dropped))
