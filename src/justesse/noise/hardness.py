"""Which rows are hard, without knowing the true classes.

The thesis ranks by the artificial annotators that also placed its noise: `Ranking.difficulty`. That ranking knows too
much; these do not. All give a number for each row, the higher the harder; `hardest` marks the hardest.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import stream
from justesse.noise.ranking import hardest_first


def at_random(rows: int, *, seed: int = 0) -> Array:
    """Rank rows at random: what any other ranking has to beat.

    >>> at_random(3).shape
    (3,)
    """
    return stream(seed, "hardness").random(rows)


def by_disagreement(predictions: ArrayLike) -> Array:
    """Return, for each row, the share of classifiers that disagree with the majority (classifiers × rows).

        1 - max_k (classifiers that answer k) / M

    Do not use it with a pool of look-alikes: rows that all get wrong in the same way look easy.

    >>> by_disagreement([[0, 1, 2], [0, 1, 1], [0, 2, 0]]).round(2).tolist()
    [0.0, 0.33, 0.67]
    """
    answers = np.asarray(predictions)
    if answers.ndim != 2 or not answers.size or answers.dtype.kind not in "iu":
        raise OptionError(
            f"Codes of answers are needed, classifiers × rows; got {answers.dtype} of shape {answers.shape}."
        )
    most = np.zeros(answers.shape[1], dtype=np.int64)
    for k in np.unique(answers):
        np.maximum(most, (answers == k).sum(axis=0), out=most)
    return 1 - most / len(answers)


def by_margin(probabilities: ArrayLike) -> Array:
    """Return one minus the margin between the two most probable classes; probabilities are rows × classes.

        1 - (p_(1) - p_(2))

    Do not use it with a model that is one of the two to be judged, or that was trained on these rows.

    >>> by_margin([[0.9, 0.1], [0.5, 0.5]]).round(2).tolist()
    [0.2, 1.0]
    """
    chances = np.asarray(probabilities, dtype=float)
    if chances.ndim != 2 or chances.shape[1] < 2 or not np.all((chances >= 0) & (chances <= 1)):
        raise OptionError(f"Probabilities from 0 to 1 are needed, rows × classes; got shape {chances.shape}.")
    second, first = np.partition(chances, -2, axis=1)[:, -2:].T
    return np.asarray(1 - (first - second))


def hardest(hardness: ArrayLike, pc: float) -> NDArray[np.bool_]:
    """Mark the hardest share of the rows, equals in their order.

    >>> hardest([0.1, 0.9, 0.5, 0.5], 0.5).tolist()
    [False, True, True, False]
    """
    ranked = hardest_first(_checked(hardness))
    if not 0 <= pc <= 1:
        raise OptionError(f"pc, the share of rows that count as hard, must lie between 0 and 1; got {pc!r}.")
    marked = np.zeros(len(ranked), dtype=bool)
    marked[ranked[: int(np.floor(pc * len(ranked) + 0.5))]] = True
    return marked


def _checked(hardness: ArrayLike) -> Array:
    values = np.asarray(hardness, dtype=float)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise OptionError(f"One finite number per row is needed; got shape {values.shape}.")
    return values
