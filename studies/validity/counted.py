"""How often bounds from a counted transition table hold: two, three and ten classes, few and many counted rows.

Bounds are mostly wide enough to hide that the table behind them is uncertain. So beside the three usual kinds of noise
there are the two where the truth sits at an end of its bounds: a candidate that repeats every wrong label (and an
incumbent that never does), and one that sees through all of them.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from justesse.core.case import Case
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.measures import Measure, accuracy, averaged, cost, f1, precision, recall
from justesse.noise.bounds import Bounds, bounds_from_transition
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.paired_bounds import difference_from_counted
from justesse.noise.transition import Transition
from studies.tables import table

Array = NDArray[Any]
Noise = Literal["uniform", "class", "feature", "repeated", "seen through"]
NOISES: tuple[Noise, ...] = get_args(Noise)
CLASSES, COUNTED = (2, 3, 10), (100, 300, 1000)
AXES = ("true", "label", "incumbent", "candidate")
RATE, ROWS, HARD, REPETITIONS, TINY = 0.05, 2000, 0.25, 150, 1e-9


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


def counted_bounds() -> Iterator[str]:
    """Write the table of docs/validity.md."""
    found = counted_coverage(repetitions=REPETITIONS, jobs=2)
    few, some, many = (f"{size:,}" for size in COUNTED)
    yield "### Bounds from a table that was counted on other rows\n"
    yield (
        f"How often, in % of {REPETITIONS} repetitions (two standard errors are about three points), the bounds (d) of "
        f"`--transition` contain what is true of {ROWS:,} rows with {100 * RATE:g} % wrong labels, for tables "
        f"counted on "
        f"{few} / {some} / {many} others. In the last two kinds of noise the true value is at an end of its "
        f"bounds: in `repeated` the candidate repeats every wrong label and the incumbent finds every true class; "
        f"`seen through` is the reverse. Precision and recall are of the rarest class; cost is the distance of the "
        "classes.\n"
    )
    names = list(dict.fromkeys(one["measure"] for one in found))
    shown = {(one["measure"], one["noise"], one["classes"], one["counted"]): one["covered"] for one in found}
    rows = [
        [noise, str(k), *(" / ".join(f"{100 * shown[name, noise, k, size]:.0f}" for size in COUNTED) for name in names)]
        for noise, k in product(NOISES, CLASSES)
    ]
    yield table(["noise", "classes", *names], rows, words=1)
    yield (
        "They hold at their level or above it, most of them nearly always: bounds are wide, and the uncertainty of "
        "the table matters only if the true value is at an end. Treating the table as exact gives bounds that are "
        "too narrow. Each cell of a table with many classes is estimated from few rows, which would also make "
        "bounds too narrow; so bounds from a counted table use shares of many rows and not its cells.\n"
    )


def counted_coverage(*, repetitions: int, seed: int = 0, jobs: int = 1) -> list[dict[str, Any]]:
    """Draw rows and counted rows again and again, and see how often the bounds contain what is true of the rows.

    One object per measure, kind of noise, number of classes and of counted rows.
    """
    settings = list(product(NOISES, CLASSES, COUNTED))
    found = Parallel(n_jobs=jobs)(delayed(_one_setting)(*setting, repetitions, seed) for setting in settings)
    return [row for rows in found for row in rows]


def _one_setting(noise: Noise, classes: int, counted: int, repetitions: int, seed: int) -> list[dict[str, Any]]:
    chances, rng = law(noise, classes), stream(seed, "counted", noise, str(classes), str(counted))
    seen: dict[str, list[tuple[Bounds, float]]] = {}
    while len(seen.get("accuracy", ())) < repetitions:
        rows = _drawn(chances, ROWS, rng)
        other = Transition.from_tally(_drawn(chances, counted, rng))
        if np.any(rows.sums("label")[other.counts.sum(axis=0) == 0]):  # type: ignore[union-attr]
            continue  # a label that was never counted is refused
        for name, bounds, truth in _bounds(rows, other, len(seen.get("accuracy", ()))):
            seen.setdefault(name, []).append((bounds, truth))
    return [
        {
            "measure": name,
            "noise": noise,
            "classes": classes,
            "counted": counted,
            "covered": float(np.mean([one.low - TINY <= truth <= one.high + TINY for one, truth in some])),
            "width": float(np.mean([one.high - one.low for one, _ in some])),
        }
        for name, some in seen.items()
    ]


def _bounds(rows: Tally, transition: Transition, seed: int) -> Iterator[tuple[str, Bounds, float]]:
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


def _drawn(chances: Array, n: int, rng: np.random.Generator) -> Tally:
    counts = rng.multinomial(n, chances.ravel())
    codes = np.array(np.unravel_index(np.flatnonzero(counts), chances.shape), dtype=np.int32).T
    names = tuple(range(len(chances)))
    return Tally.canonical(AXES, (names,) * 4, codes, counts[counts > 0])
