"""Learning curves: error against training rows, its limit, and whether more rows would help."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import Estimate, Interval, check_level
from justesse.core.seeds import stream
from justesse.intervals.ends import z_value
from justesse.intervals.student import student
from justesse.procedures.holdout import Holdout
from justesse.procedures.kinds import rows_of
from justesse.procedures.power_laws import PowerLaws, fit_power_laws
from justesse.procedures.run import checked_data, run
from justesse.procedures.shared_limit import SharedLimit, shared_limit
from justesse.procedures.splits import name_of, split_count, splits

Answer = Literal["yes", "no", "cannot tell"]
DRAWS = 500
SIZES = 8
UNKNOWN = 0.5  # a limit whose interval is wider than this share of the error is unclear
BEYOND = "the power laws hold beyond the largest training set, where nothing was measured"
ASSUMPTIONS = (
    "training and test error follow power laws of the number of training rows, with one limit",
    "the limit is the error of this method with endless rows; it is the Bayes error only for a universal learner",
    BEYOND,
)
OWN_ASSUMPTIONS = (
    "the test error follows a power law of the number of training rows",
    "the limit is the asymptote of this learner, not the Bayes error",
    BEYOND,
)


@dataclass(frozen=True)
class Point:
    """Mean errors over the splits at one number of training rows."""

    rows: int
    train: Estimate
    test: Estimate


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Training and test error against training rows, the fitted power laws, and extrapolations.

    `limit` is the error with endless rows, `doubled` and `tenfold` the test error with two and ten times as many
    training rows, `gain` how much doubling lowers it; all four are extrapolated. `shared` tells whether training and
    test error approach one limit, which is the Bayes error for a universal learner. Otherwise the limit is that of this
    learner, fitted to the test errors only.
    """

    points: tuple[Point, ...]
    law: PowerLaws
    shared: SharedLimit
    limit: Estimate
    doubled: Estimate
    tenfold: Estimate
    gain: Estimate
    more_data: Answer
    words: str
    procedure: str
    n: int
    failed: int
    level: float
    seed: int

    @property
    def assumptions(self) -> tuple[str, ...]:
        return ASSUMPTIONS if self.shared else OWN_ASSUMPTIONS

    def to_dict(self) -> dict[str, Any]:
        names = ("limit", "a", "alpha", "train_limit", "b", "beta")
        law = {name: float(getattr(self.law, name)[0]) for name in names}
        return {
            "points": [
                {"rows": point.rows, "train": point.train.to_dict(), "test": point.test.to_dict()}
                for point in self.points
            ],
            "law": law,
            "shared_limit": self.shared.to_dict(),
            "extrapolated": [item.to_dict() for item in (self.limit, self.doubled, self.tenfold, self.gain)],
            "more_data": self.more_data,
            "words": self.words,
            "procedure": self.procedure,
            "n": self.n,
            "failed": self.failed,
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
        }


@dataclass(frozen=True, eq=False)
class Growing:
    """Every split of a procedure with growing parts of its training rows; each part contains the one before."""

    procedure: Any
    sizes: tuple[int, ...]
    seed: int

    folds = 1

    @property
    def name(self) -> str:
        return f"{name_of(self.procedure)}, growing training sets"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return split_count(self.procedure, rows_of(X), y, groups) * len(self.sizes)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Return training and test rows: all sizes of the first split, then of the second, and so on."""
        by_time = getattr(self.procedure, "kind", None) == "by-time"
        for at, (train, test) in enumerate(self.procedure.split(X, y, groups)):
            order = train[::-1] if by_time else mixed(train, np.asarray(y), stream(self.seed, "growing", str(at)))
            yield from ((order[:size], test) for size in self.sizes)


def mixed(rows: Array, labels: Array, chance: np.random.Generator) -> Array:
    """Shuffle rows so that any first part holds each class in about its share; numbers are shuffled plainly.

    >>> labels = np.array([0] * 6 + [1] * 3)
    >>> labels[mixed(np.arange(9), labels, np.random.default_rng(0))].reshape(3, 3).sum(axis=1).tolist()
    [1, 1, 1]
    """
    rows = chance.permutation(rows)
    own = labels[rows]
    if own.dtype.kind == "f" and len(np.unique(own)) > len(own) / 2:
        return rows
    place = np.empty(len(rows))
    for name in np.unique(own):
        of_class = np.flatnonzero(own == name)
        place[of_class] = (np.arange(len(of_class)) + 0.5) / len(of_class)
    return np.asarray(rows[np.argsort(place, kind="stable")])


def learning_curve(
    model: Any,
    x: Any,
    y: ArrayLike,
    procedure: Any = None,
    *,
    sizes: Sequence[int] | None = None,
    worth: float | None = None,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Train on growing parts of the rows, fit power laws, and estimate whether more rows would help.

        E_test = E_B + a·n^-α,   E_train = E_B - b·n^-β

    Parameters
    ----------
    model
        Anything with `fit` and `predict`.
    x
        Features of each row.
    y
        Label of each row.
    procedure
        The splits; all sizes of one split share its test rows. Default: 20 holdouts of 20 %.
    sizes
        Numbers of training rows. Default: eight, up to all training rows.
    worth
        Smallest fall of the error that counts as help. Default: 0.01, or 1 % of a mean squared error.
    groups
        Group of each row, or its time for a procedure by time.
    level
        Confidence level.
    seed
        Seed of splits and models.
    n_jobs
        Models to train in parallel. Default: 1.
    checkpoint
        Folder that keeps finished work, so that a stopped run can continue.
    progress
        Called with the fits done and the total after each fit.

    Notes
    -----
    Both errors share the limit E_B only if the training error rises and a residual test does not reject the joint fit
    (`shared_limit`). Otherwise, as for trees and nearest neighbours, the test error is fitted alone and the limit is
    the asymptote of this learner.

    Intervals redraw the k splits with replacement and fit again. Deviations are widened for few splits (as Student's t)
    and for shared rows by sqrt(1 + k·m/(n-m)), where m is the number of rows an error is the mean of (as Nadeau and
    Bengio; coverage in docs/validity.md). The answer is "yes" if doubling the training rows lowers the error by `worth`
    or more at the low end of the interval, "no" if by less even at its high end. Not valid with one split, or if the
    curve is no power law (ordered rows, settings that change with n). Cortes et al. (1993); lecture 002 (14.5).

    >>> from sklearn.datasets import load_digits
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data, often = load_digits(return_X_y=True), Holdout(repeats=5)
    >>> result = learning_curve(GaussianNB(), *data, often, sizes=[50, 200, 800, 1400])
    >>> [point.rows for point in result.points], result.limit.name
    ([50, 200, 800, 1400], 'limit (extrapolated)')
    """
    check_level(level)
    data = checked_data({"model": model}, x, y, None)
    if procedure is None:
        procedure = Holdout(0.2, repeats=20, kind="plain" if data.classes is None else "stratified", random_state=seed)
    smallest = min(len(split.train) for split in splits(procedure, len(data.y), data.y, groups))
    growing = Growing(procedure, _sizes(sizes, smallest), seed)
    runs = run(
        {"model": model},
        x,
        y,
        growing,
        groups=groups,
        seed=seed,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        progress=progress,
    )
    fits = runs.fits["model"]
    failed = sum(fit.answers is None for fit in fits)
    shape = (-1, len(growing.sizes))
    errors = [np.nan if fit.answers is None else data.error(fit.test, fit.answers) for fit in fits]
    test = np.array(errors).reshape(shape)
    train = np.array([fit.train_error for fit in fits]).reshape(shape)
    whole = np.isfinite(test).all(axis=1)
    if whole.sum() < 2:
        why = next((f" ({fit.failure})" for fit in fits if fit.failure), "")
        raise OptionError(
            "A learning curve needs at least two splits where the model works at every size; got "
            f"{whole.sum()}{why}. Use more splits, or other sizes."
        )
    tested = float(np.mean([len(fit.test) for fit in fits]))
    return _curve(
        growing, test[whole], train[whole], tested, data.classes is None, worth, failed, len(data.y), level, seed
    )


def _sizes(sizes: Sequence[int] | None, smallest: int) -> tuple[int, ...]:
    if sizes is None:
        sizes = np.unique(np.geomspace(max(10, smallest // 20), smallest, SIZES).round().astype(int)).tolist()
    counts = tuple(sorted(set(map(int, sizes))))
    if len(counts) < 3 or counts[0] < 2 or counts[-1] > smallest:
        raise OptionError(
            f"A learning curve needs at least three sizes, from 2 to {smallest} training rows; got {list(counts)!r}."
        )
    return counts


def _curve(
    growing: Growing,
    test: Array,
    train: Array,
    tested: float,
    numbers: bool,
    worth: float | None,
    failed: int,
    n: int,
    level: float,
    seed: int,
) -> LearningCurve:
    sizes, k = np.array(growing.sizes, dtype=float), len(test)
    errors_of_splits = np.hstack([test, train])
    mean = errors_of_splits.mean(axis=0)
    averaged_over = np.concatenate([np.full(len(sizes), tested), sizes])
    ratios = averaged_over / (n - averaged_over)
    spread = errors_of_splits.var(axis=0, ddof=1) * (1 / k + ratios)
    weights = 1 / np.maximum(spread, max(spread.mean() / 10, 1e-12))
    drawn = stream(seed, "learning curve").multinomial(k, np.full(k, 1 / k), DRAWS) / k
    # a hard row is either tested or trained on, so that splits move the two errors apart; the luck of all rows
    # together, which is what an interval is about, moves both alike
    sides = np.repeat([1.0, -1.0], len(sizes))
    deviations = sides * _widened(k, ratios, level) * (drawn @ errors_of_splits - mean)
    shared = shared_limit(sizes, mean, weights, deviations, train)
    law, laws = (
        fit_power_laws(sizes, curves[..., : len(sizes)], curves[..., len(sizes) :], weights, shared=bool(shared))
        for curves in (mean, mean + deviations)
    )
    last, bounds = float(sizes[-1]), (0.0, math.inf if numbers else 1.0)

    def beyond(name: str, quantity: Any, limits: tuple[float, float]) -> Estimate:
        low, high = np.quantile(quantity(laws), [(1 - level) / 2, (1 + level) / 2])
        interval = Interval(float(low), float(high), level, "bootstrap-of-splits", limits)
        return Estimate(f"{name} (extrapolated)", float(quantity(law)[0]), k, interval)

    limit = beyond("limit" if shared else "asymptote of this learner", lambda fit: fit.limit, bounds)
    doubled = beyond("error with twice the rows", lambda fit: fit.test(2 * last), bounds)
    tenfold = beyond("error with ten times the rows", lambda fit: fit.test(10 * last), bounds)
    gain = beyond("gain by twice the rows", lambda fit: fit.test(last) - fit.test(2 * last), (0.0, math.inf))
    enough = worth if worth is not None else (0.01 * float(mean[len(sizes) - 1]) if numbers else 0.01)
    assert gain.interval is not None
    answer: Answer = "cannot tell"
    if gain.interval.low >= enough:
        answer = "yes"
    elif gain.interval.high < enough:
        answer = "no"
    points = tuple(
        Point(
            size,
            _mean("train error", train[:, at], level, ratios[len(sizes) + at]),
            _mean("test error", test[:, at], level, ratios[at]),
        )
        for at, size in enumerate(growing.sizes)
    )
    words = _in_words(answer, growing.sizes[-1], gain, doubled, limit, enough)
    words += "" if shared else f" {shared.reason}"
    return LearningCurve(
        points, law, shared, limit, doubled, tenfold, gain, answer, words, growing.name, n, failed, level, seed
    )


def _widened(k: int, ratios: Array, level: float) -> Array:
    """Return the factor that widens the plain bootstrap: for shared rows, for k instead of k-1, for t instead of z."""
    from scipy.special import stdtrit

    tail = (1 - level) / 2
    student_over_normal = float(stdtrit(k - 1, 1 - tail)) / z_value(tail)
    return np.asarray(np.sqrt((1 + k * ratios) * k / (k - 1)) * student_over_normal)


def _mean(name: str, errors: Array, level: float, ratio: float) -> Estimate:
    made = student(errors.tolist(), level=level, test_over_train=ratio)
    return Estimate(name, made.value, made.n, made.interval, made.undefined)


def _in_words(answer: Answer, rows: int, gain: Estimate, doubled: Estimate, limit: Estimate, worth: float) -> str:
    start = {"yes": "More rows would help", "no": "More rows would hardly help"}
    head = start.get(answer, "Whether more rows would help is unclear")
    assert gain.interval is not None
    assert limit.interval is not None
    unclear = limit.interval.high - limit.interval.low > UNKNOWN * doubled.value
    level = f"{100 * gain.interval.level:g} % CI"

    def around(estimate: Estimate) -> str:
        assert estimate.interval is not None
        return f"({level} {estimate.interval.low:.4f} to {estimate.interval.high:.4f})"

    return (
        f"{head}. From {rows:,} to {2 * rows:,} training rows the error is expected to fall by {gain.value:.4f} "
        f"{around(gain)} to {doubled.value:.4f}; a fall of {worth:.3g} or more counts as help. Its limit with endless "
        f"rows is {'unclear: ' if unclear else ''}{limit.value:.4f} {around(limit)}. This is extrapolated."
    )
