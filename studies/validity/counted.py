"""Test sets with wrong labels for bounds from a transition table that was counted on other rows.

Bounds are mostly wide enough to hide that the table behind them is uncertain. So beside the three usual kinds of noise
there are the two where the truth sits at an end of its bounds: a candidate that repeats every wrong label (and an
incumbent that never does), and one that sees through all of them.
"""

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.measures import Measure, accuracy, averaged, cost, f1, precision, recall
from justesse.noise.bounds import Bounds, bounds_from_transition
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.paired_bounds import difference_from_counted
from justesse.noise.transition import Transition

Array = NDArray[Any]
Noise = Literal["uniform", "class", "feature", "repeated", "seen through"]
NOISES: tuple[Noise, ...] = get_args(Noise)
AXES = ("true", "label", "incumbent", "candidate")
RATE, HARD = 0.05, 0.25


def law(noise: Noise, classes: int, rate: float = RATE) -> Array:
    """Give the chances of true class × label × incumbent × candidate, the last class three times as rare as the first.

    >>> [round(float(1 - np.einsum("kkio->", law(noise, 3, 0.1))), 3) for noise in NOISES]
    [0.1, 0.1, 0.1, 0.1, 0.1]
    """
    shares = np.linspace(1.5, 0.5, classes) / classes
    same, others = np.eye(classes), (1 - np.eye(classes)) / (classes - 1)
    following = np.roll(same, 1, axis=1)

    def mistaken(chance: Any, to: Array) -> Array:
        chances = np.broadcast_to(chance, classes)[:, None]
        return np.asarray((1 - chances) * same + chances * to)

    answers = mistaken(0.2, others), mistaken(0.12, others)
    if noise in ("uniform", "class"):
        by_class = np.linspace(0.5, 1.5, classes)
        wrong = (
            mistaken(rate, others) if noise == "uniform" else mistaken(rate * by_class / (shares @ by_class), following)
        )
        return np.asarray(np.einsum("c,ca,ci,co->caio", shares, wrong, *answers))
    if noise == "feature":
        parts = ((1 - HARD, 0.2 * rate, 0.12, 0.06), (HARD, 3.4 * rate, 0.46, 0.35))
        return np.asarray(
            sum(
                weight * np.einsum("c,ca,ci,co->caio", shares, *(mistaken(one, following) for one in chances))
                for weight, *chances in parts
            )
        )
    wrong = mistaken(rate, others)
    off = wrong * (1 - same)
    repeats, sees = np.einsum("ca,ao->cao", off, same), np.einsum("ca,co->cao", off, same)
    incumbent, candidate = (
        np.einsum("ca,co->cao", wrong * same, usual) + part
        for usual, part in zip(answers, (sees, repeats) if noise == "repeated" else (repeats, sees), strict=True)
    )
    given = np.where(wrong[..., None] > 0, candidate / np.where(wrong > 0, wrong, 1.0)[..., None], 0.0)
    return np.asarray(np.einsum("c,cai,cao->caio", shares, incumbent, given))


def bounds_of(rows: Tally, transition: Transition, seed: int) -> Iterator[tuple[str, Bounds, float]]:
    """Yield the bounds of every kind of measure, with what is true of these rows."""
    last = len(rows.classes) - 1
    costs = cost(np.abs(np.subtract.outer(np.arange(last + 1.0), np.arange(last + 1.0))) / last)
    measures: list[Measure] = [accuracy, costs, averaged(f1, "macro"), precision, recall]
    truth, seen = (
        rows.marginal(axis, "candidate").renamed(**{axis: "label", "candidate": "prediction"})
        for axis in ("true", "label")
    )
    found = bounds_from_counted(seen, measures, transition, seed=seed).figures
    for measure in measures:
        # the rarest class, which comes last, stands for all in measures of one class
        wanted = [one for one in found if one.name == measure.name and one.average == measure.average][-1]
        yield " ".join(filter(None, (measure.average, measure.name))), wanted, float(np.atleast_1d(measure(truth))[-1])
    exact = bounds_from_transition(seen, [accuracy], transition).figures[0]
    yield "accuracy, table taken as exact", exact, float(accuracy(truth))
    case = Case(rows.marginal("label", "incumbent", "candidate"))
    before = rows.marginal("true", "incumbent").renamed(true="label", incumbent="prediction")
    ahead = float(accuracy(truth) - accuracy(before))
    yield "difference of accuracy", difference_from_counted(case, transition, seed=seed).figures[0], ahead


def drawn(chances: Array, n: int, rng: np.random.Generator) -> Tally:
    counts = rng.multinomial(n, chances.ravel())
    codes = np.array(np.unravel_index(np.flatnonzero(counts), chances.shape), dtype=np.int32).T
    names = tuple(range(len(chances)))
    return Tally.canonical(AXES, (names,) * 4, codes, counts[counts > 0])
