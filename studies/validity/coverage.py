"""Coverage of every interval, exactly where the counts can be enumerated and by simulation elsewhere."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION, spread, student
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.mover import mover
from justesse.measures import (
    Measure,
    averaged,
    balanced_accuracy,
    cost,
    f1,
    kappa,
    mcc,
    specificity,
)

Array = NDArray[Any]


@dataclass(frozen=True)
class Coverage:
    """How often an interval covered, and how often there was none."""

    covered: float
    absent: float = 0.0
    width: float = float("nan")


def proportion(method: str, n: int, p: float, *, level: float = 0.95, alternative: Any = "two-sided") -> float:
    """Sum the chances of all counts whose interval contains p: exact."""
    from scipy.stats import binom

    k = np.arange(n + 1)
    ends = PROPORTION[method](k, n, level=level, alternative=alternative)
    inside = (ends.low <= p + 1e-12) & (p - 1e-12 <= ends.high)
    return float(binom.pmf(k, n, p)[inside].sum())


def true_table(classes: int, right: float, imbalance: float) -> Array:
    """Give the chances of every label and prediction: class k is `imbalance` times as frequent as class k+1."""
    shares = imbalance ** -np.arange(classes, dtype=float)
    shares /= shares.sum()
    table = shares[:, None] * np.full((classes, classes), (1 - right) / (classes - 1))
    table[np.diag_indices(classes)] = shares * right
    return np.asarray(table)


COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])


def measures_of(classes: int) -> list[Measure]:
    """Give the measures that are not proportions."""
    costs = np.resize(COSTS, (classes, classes)) * (1 - np.eye(classes))
    return [averaged(f1, "macro"), mcc, kappa, balanced_accuracy, averaged(specificity, "micro"), cost(costs)]


def by_simulation(
    how: str,
    *,
    classes: int,
    right: float,
    imbalance: float,
    n: int,
    repetitions: int,
    draws: int = 1000,
    seed: int = 0,
) -> dict[str, Coverage]:
    """Draw tables again and again, and see how often each measure's interval contains its true value."""
    chances = true_table(classes, right, imbalance)
    measures = measures_of(classes)
    large = Tally.from_dense(np.rint(chances * 1e12).astype(np.int64))
    truth = [float(measure(large)) for measure in measures]
    rng = stream(seed, "validity", how, str(classes), str(right), str(n))
    confidence = Confidence(bootstrap=how, draws=draws)  # type: ignore[arg-type]
    found = []
    for at in range(repetitions):
        table = rng.multinomial(n, chances.ravel() / chances.sum()).reshape(classes, classes)
        found.append(estimate(Tally.from_dense(table), measures, replace(confidence, seed=at)))
    return {
        f"{measure.average or ''} {measure.name}".strip(): _summed([row[at].interval for row in found], truth[at])
        for at, measure in enumerate(measures)
    }


def _summed(intervals: list[Any], truth: float) -> Coverage:
    present = [interval for interval in intervals if interval]
    covered = np.mean([one.low <= truth <= one.high for one in present]) if present else float("nan")
    width = np.mean([one.high - one.low for one in present]) if present else float("nan")
    return Coverage(float(covered), 1 - len(present) / len(intervals), float(width))


def mean_of_shares(how: str | None, *, right: float, rare: float, n: int, repetitions: int, seed: int = 0) -> Coverage:
    """Cover balanced accuracy with a rare class, by the default (MOVER) or by resampling."""
    chances = np.array([[(1 - rare) * right, (1 - rare) * (1 - right)], [rare * (1 - right), rare * right]])
    rng = stream(seed, "mover", str(right), str(rare), str(n))
    found = []
    for at in range(repetitions):
        table = Tally.from_dense(rng.multinomial(n, chances.ravel()).reshape(2, 2))
        found.append(estimate(table, [balanced_accuracy], Confidence(bootstrap=how, draws=500, seed=at))[0])  # type: ignore[arg-type]
    return _summed([one.interval for one in found], right)


def tails_of_means(
    classes: int, rows: int, right: float, *, repetitions: int, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Give how often the mean of many recalls lies below its interval, and above: MOVER as given here, and delta."""
    rng = stream(seed, "many classes", str(classes), str(rows), str(right))
    return _tails(np.full(classes, rows), np.full(classes, right), repetitions, rng)


def tails_of_unequal_classes(
    rows: tuple[int, ...], recalls: tuple[float, ...], *, repetitions: int, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Give the same tails for classes of different sizes and recalls."""
    rng = stream(seed, "unequal classes", str(rows), str(recalls))
    return _tails(np.array(rows), np.array(recalls), repetitions, rng)


def _tails(rows: Array, recalls: Array, repetitions: int, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    outside: dict[str, list[tuple[bool, bool]]] = {"mover": [], "delta": []}
    right = recalls.mean()
    for drawn in rng.binomial(rows, recalls, size=(repetitions, len(rows))):
        ends = mover(drawn, rows)
        share = drawn / rows
        wide = z_value(0.025) * np.sqrt((share * (1 - share) / rows).sum()) / len(rows)
        for name, (low, high) in (
            ("mover", (ends.low, ends.high)),
            ("delta", (share.mean() - wide, share.mean() + wide)),
        ):
            outside[name].append((bool(right < low), bool(right > high)))
    return {
        name: (float(both[0]), float(both[1])) for name, some in outside.items() for both in [np.mean(some, axis=0)]
    }


def folds(kind: str, k: int, *, repetitions: int, seed: int = 0) -> dict[str, Coverage]:
    """Draw k independent scores, normal or skewed, with mean 1 and standard deviation 0.5."""
    rng = stream(seed, "folds", kind, str(k))
    shape = (repetitions, k)
    scores = rng.normal(1, 0.5, size=shape) if kind == "normal" else rng.exponential(0.5, size=shape) + 0.5
    means, spreads = (
        [student(row.tolist()).interval for row in scores],
        [spread(row.tolist()).interval for row in scores],
    )
    return {"mean, student": _summed(means, 1.0), "spread, chi-square": _summed(spreads, 0.5)}


def overlapping(*, rows: int = 100, splits: int = 20, repetitions: int, seed: int = 0) -> dict[str, Coverage]:
    """Repeat a holdout on the same rows: nearest centroid on two Gaussians, error on the held-out tenth."""
    rng = stream(seed, "overlap")
    test = rows // 10

    def sample(size: int) -> tuple[Array, Array]:
        label = rng.integers(2, size=size)
        return rng.normal(size=(size, 5)) + 0.5 * label[:, None], label

    def error(x: Array, y: Array, test_x: Array, test_y: Array) -> float:
        centres = np.stack([x[y == c].mean(axis=0) for c in (0, 1)])
        nearest = ((test_x[:, None, :] - centres) ** 2).sum(axis=2).argmin(axis=1)
        return float(np.mean(nearest != test_y))

    truth = float(np.mean([error(*sample(rows - test), *sample(2000)) for _ in range(400)]))
    plain, corrected = [], []
    for _ in range(repetitions):
        x, y = sample(rows)
        scores = []
        for _ in range(splits):
            order = rng.permutation(rows)
            train, held = order[test:], order[:test]
            scores.append(error(x[train], y[train], x[held], y[held]))
        plain.append(student(scores).interval)
        corrected.append(student(scores, test_over_train=test / (rows - test)).interval)
    return {"plain Student": _summed(plain, truth), "Nadeau-Bengio": _summed(corrected, truth)}
