"""What scores predict, counted against the labels."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.scores import ScoreRows


def predicted_tally(
    rows: ScoreRows, threshold: float | None, slices: Mapping[str, tuple[Array, Sequence[ClassName]]] | None = None
) -> Tally:
    """Count labels against what the scores predict: the likeliest class, or the positive one from a threshold on.

    `slices` are further axes, codes and names each.
    """
    classes = list(rows.classes)
    if threshold is not None and not math.isfinite(threshold):
        raise OptionError(f"The threshold must be a finite number; got {threshold!r}.")
    if len(rows.columns) > 1:
        answers = rows.scores.argmax(axis=1)
    else:
        if len(rows.classes) > 2:
            raise OptionError(
                "Scores of one class cannot predict the other classes. Name the prediction column (--prediction)."
            )
        score = rows.scores[:, 0]
        if threshold is None and not (score.min() >= 0 and score.max() <= 1):
            raise OptionError("Scores outside [0, 1] need a threshold. Pass it with threshold=… (--threshold).")
        at_least = score >= (0.5 if threshold is None else threshold)
        positive = rows.classes.index(rows.columns[0])
        if len(rows.classes) == 1:  # every label is the positive class: what is below the threshold is called otherwise
            classes = [*classes, _other(rows.classes[0])]
        answers = np.where(at_least, positive, 1 - positive)
    axes = {"label": (rows.labels, classes), "prediction": (answers, classes), **(slices or {})}
    place = np.zeros(rows.n, dtype=np.int64)
    for codes, names in axes.values():
        place = place * len(names) + codes
    cells, where = np.unique(place, return_inverse=True)
    coded: list[tuple[Array, Sequence[ClassName]]] = []
    for _, names in reversed(axes.values()):
        used, codes = np.unique(cells % len(names), return_inverse=True)
        coded.insert(0, (codes, [names[code] for code in used]))
        cells = cells // len(names)
    heavy: dict[str, Any] = {}
    if rows.weights is not None:
        heavy = {"weights": np.bincount(where, rows.weights), "squares": np.bincount(where, rows.weights**2)}
    return Tally.from_codes(tuple(axes), coded, np.bincount(where), **heavy)


def _other(name: ClassName) -> ClassName:
    """Name what is not the only class there is."""
    return (not name) if isinstance(name, bool) else (0 if name else 1) if isinstance(name, int) else f"not {name}"
