"""The error by the bootstrap: out of bag, .632 and .632+."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import Estimate, Interval, check_level
from justesse.intervals.ends import z_value
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.fitting import Data, Fit
from justesse.procedures.kinds import Kind, rows_of
from justesse.procedures.run import OutOfSample, run

BootstrapMethod = Literal["out-of-bag", ".632", ".632+"]
ASSUMPTIONS = (
    "rows are independent draws from one population",
    "the weights .632 and .368 are a rule of thumb; .632+ adapts them to how much the model over-fits",
    "the standard errors of .632 and .632+ are proportional to that of the out-of-bag error",
)
CAPPED = (
    "out-of-bag error above the no-information rate: .632+ uses the no-information rate in its place throughout, so "
    "that it never exceeds that rate (Efron and Tibshirani keep the uncapped error in their .632 part)"
)


@dataclass(frozen=True)
class BootstrapError:
    """The error of one model: out of bag, .632 and .632+, each with its interval, and their components.

    `no_information` is the error of the same answers if they were independent of the labels; `overfitting` is R of
    Efron and Tibshirani: 0 for none, 1 for a model that does no better than that on new rows.
    """

    model: str
    out_of_bag: Estimate
    e632: Estimate
    e632_plus: Estimate
    resubstitution: float
    no_information: float
    overfitting: float
    weight: float
    draws: int
    n: int
    left_out: int
    failed: int
    level: float
    seed: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def get(self, method: BootstrapMethod = ".632+") -> Estimate:
        """Return one of the three errors."""
        if method not in get_args(BootstrapMethod):
            raise OptionError(f"method must be one of {', '.join(get_args(BootstrapMethod))}; got {method!r}.")
        return {"out-of-bag": self.out_of_bag, ".632": self.e632, ".632+": self.e632_plus}[method]

    def to_dict(self) -> dict[str, Any]:
        three = (self.out_of_bag, self.e632, self.e632_plus)
        return {**vars(self), "assumptions": list(self.assumptions)} | {
            name: estimate.to_dict() for name, estimate in zip(("out_of_bag", "e632", "e632_plus"), three, strict=True)
        }


class _Resubstitution:
    """Train on all rows and test on the same rows."""

    name, folds = "resubstitution", 1

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        return 1

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        yield np.arange(rows_of(X)), np.arange(rows_of(X))


def bootstrap_errors(
    models: Mapping[str, Any],
    x: Any,
    y: ArrayLike,
    *,
    draws: int = 200,
    kind: Kind = "plain",
    groups: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> dict[str, BootstrapError]:
    """Estimate the error of models from draws with replacement.

        out of bag   e₁ = mean over rows of the mean error of the models that were not trained on the row
        .632         0.632·e₁ + 0.368·r,   r the error of the model trained on all rows, on those rows
        .632+        (1-w)·r + w·min(e₁, γ),   w = 0.632/(1 - 0.368·R),   R = (min(e₁, γ) - r)/(γ - r) between 0 and 1
        γ            Σ_k p_k·(1 - q_k),   p_k of labels and q_k of answers are k; numbers: mean (y_i - f_j)² of all i, j

    Parameters
    ----------
    models
        Name → anything with `fit` and `predict`.
    x
        Features of each row.
    y
        Label of each row.
    draws
        Number of draws.
    kind
        What is drawn: "plain" rows, "stratified" rows, or whole groups ("grouped").
    groups
        Group of each row, for `kind="grouped"`.
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
    The out-of-bag error is pessimistic (models saw 63 % of the rows), .632 far too optimistic for models that memorise
    their rows; .632+ suits both. It is still a little optimistic for models that memorise, so its interval reaches up
    to the upper end of the out-of-bag error: 95 % intervals then cover the error of one neighbour in 95 % instead of
    81 % of data sets (docs/validity.md). If e₁ > γ, γ replaces e₁ in both parts, and .632+ is γ; Efron and Tibshirani
    cap e₁ only in the second part of their formula (29) and would give .632·e₁ + .368·γ. `assumptions` then mentions
    it. Rows that belong together need `kind="grouped"`. The standard error is by the delta method after the bootstrap,
    minus what the finite number of draws adds. Efron (1983); Efron and Tibshirani (1997).

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(60, 5)), np.arange(60) % 2
    >>> result = bootstrap_errors({"nearest": KNeighborsClassifier(1)}, x, y, draws=100)["nearest"]
    >>> result.resubstitution, result.no_information, round(result.e632.value / result.out_of_bag.value, 3)
    (0.0, 0.5, 0.632)
    """
    check_level(level)
    procedure = Bootstrap(draws, kind=kind, random_state=seed)
    drawn = run(
        models, x, y, procedure, groups=groups, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
    )
    return errors_of_draws(models, drawn, level=level, n_jobs=n_jobs, checkpoint=checkpoint)


def errors_of_draws(
    models: Mapping[str, Any],
    drawn: OutOfSample,
    *,
    level: float = 0.95,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
) -> dict[str, BootstrapError]:
    """Compute the same from a run over the draws of a `Bootstrap`; models are trained once more, on all rows."""
    whole = run(
        models, drawn.data.x, drawn.data.y, _Resubstitution(), seed=drawn.seed, n_jobs=n_jobs, checkpoint=checkpoint
    )
    bags = [train for train, _ in drawn.procedure.split(np.arange(drawn.n), drawn.data.y, drawn.groups)]
    times = np.array([np.bincount(bag, minlength=drawn.n) for bag in bags])
    return {name: _combined(name, drawn, whole.fits[name][0], times, level) for name in models}


def _combined(name: str, drawn: OutOfSample, whole: Fit, times: Array, level: float) -> BootstrapError:
    losses = np.full(times.shape, np.nan)
    for at, fit in enumerate(drawn.fits[name]):
        if fit.answers is not None:
            losses[at, fit.test] = drawn.data.losses(fit.test, fit.answers)
    worked = ~np.all(np.isnan(losses), axis=1)
    losses, times = losses[worked], times[worked]
    seen = ~np.all(np.isnan(losses), axis=0)
    if whole.answers is None or not seen.any():
        raise OptionError(
            f"{name!r} failed on all rows or in every draw ({whole.failure or 'see run(...).failures'}). Correct "
            "the model, or leave it out."
        )
    by_row = np.nanmean(losses[:, seen], axis=0)
    first, resubstitution = float(by_row.mean()), drawn.data.error(np.arange(drawn.n), whole.answers)
    gamma = no_information(drawn.data, whole.answers)
    capped = min(first, gamma)
    overfitting = (capped - resubstitution) / (gamma - resubstitution) if capped > resubstitution else 0.0
    weight = 0.632 / (1 - 0.368 * overfitting)
    together = drawn.groups if drawn.procedure.kind == "grouped" else None
    unit = np.arange(drawn.n) if together is None else np.unique(together, return_inverse=True)[1]
    spread = _standard_error(losses, times, by_row, seen, unit)
    highest = 1.0 if drawn.data.classes else math.inf
    z = z_value((1 - level) / 2)

    def made(title: str, value: float, reaching: float = -math.inf) -> Estimate:
        wide = z * spread * (value / first if first else 1.0)
        high = max(value + wide, reaching)
        interval = Interval(value - wide, high, level, "bootstrap-delta", (0.0, highest)) if wide else None
        return Estimate(title, value, drawn.n, interval, None if wide else "no interval: the errors do not vary")

    return BootstrapError(
        name,
        made("out-of-bag error", first),
        made(".632 error", 0.632 * first + 0.368 * resubstitution),
        made(".632+ error", (1 - weight) * resubstitution + weight * capped, reaching=first + z * spread),
        resubstitution,
        gamma,
        overfitting,
        weight,
        len(losses),
        drawn.n,
        int((~seen).sum()),
        len(drawn.fits[name]) - len(losses),
        level,
        drawn.seed,
        (*ASSUMPTIONS, *([CAPPED] if first > gamma else [])),
    )


def no_information(data: Data, answers: Array) -> float:
    """Compute γ, the error of these answers if they were independent of the labels.

    >>> no_information(Data(None, np.array(["a", "b", "a", "b"]), ("a", "b")), np.array([0, 0, 0, 1]))
    0.5
    """
    if data.classes is None:
        return float(np.var(data.y) + np.var(answers) + (np.mean(data.y) - np.mean(answers)) ** 2)
    labels = np.array([np.mean(data.y == name) for name in data.classes])
    predicted = np.bincount(answers, minlength=len(data.classes)) / len(answers)
    return float(np.sum(labels * (1 - predicted)))


def _standard_error(losses: Array, times: Array, by_row: Array, seen: Array, unit: Array) -> float:
    """Compute the delta-method standard error of the out-of-bag error (Efron and Tibshirani 1997, theorem 2).

    A row moves the error by being tested and by being drawn. The second is a covariance over the draws, mostly noise
    with few draws: what noise adds to its square is subtracted. Rows of one unit, such as a group, are drawn together.
    """
    draws, n = losses.shape
    rows, first = int(seen.sum()), np.unique(unit, return_index=True)[1]
    many, times = len(first), times[:, first]
    per_draw = np.nansum(losses, axis=1) / n
    moved = (times - times.mean(axis=0)) * (per_draw - per_draw.mean())[:, None] * (1 - 1 / many) ** -many
    apart = np.bincount(unit[seen], (by_row - by_row.mean()) / rows, many)
    total = float((((2 + 1 / (many - 1)) * apart + moved.mean(axis=0)) ** 2).sum())
    by_chance = float(moved.var(axis=0, ddof=1).sum() / draws) if draws > 1 else 0.0
    # never below the spread of as many independent units
    return math.sqrt(max(total - by_chance, float((apart**2).sum())))
