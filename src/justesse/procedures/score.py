"""The score of a model after a procedure, with the interval that fits the procedure."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval, finite_or_none, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.clustered import clustered_positive_mean, clustered_share
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.intervals.student import student
from justesse.measures import Measure, error
from justesse.measures.regression import ALL as NUMERIC
from justesse.measures.regression import Sums, mse
from justesse.measures.regression.sums import resampled_sums
from justesse.measures.titles import NAMED
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.fitting import Fit
from justesse.procedures.gap import gap_in_words
from justesse.procedures.run import OutOfSample
from justesse.procedures.splits import name_of
from justesse.significance.folds import overlap

AnyMeasure = Measure | Callable[[Sums], Array]
ONE_SPLIT = "after one split, the interval is for this trained model, not for other training sets"
ONE_OUT = "the errors of different rows are independent (nearly so: the models share all but one training row)"
CLUSTERS = "groups are drawn at random; rows of one group may depend on each other"
NEAR_NORMAL = "fold scores are close to normally distributed"
LATER = "the future resembles the past (each fold is later than its training rows)"
DRAWS = 2000


@dataclass(frozen=True)
class ModelScore:
    """One measure of one model: its value with its interval, its value in each split, and its assumptions.

    `train_error` and `test_error` are error rates, or mean squared errors; `words` explains their gap. `failed` counts
    the splits in which the model failed; no figure includes them.
    """

    model: str
    estimate: Estimate
    scores: tuple[float, ...]
    procedure: str
    n: int
    train_error: float
    test_error: float
    words: str
    failed: int
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "procedure": self.procedure,
            "n": self.n,
            "estimate": self.estimate.to_dict(),
            "scores": [finite_or_none(score) for score in self.scores],
            "train_error": finite_or_none(self.train_error),
            "test_error": finite_or_none(self.test_error),
            "gap": self.words,
            "failed": self.failed,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }


def score(
    runs: OutOfSample,
    model: str,
    measure: AnyMeasure | None = None,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> ModelScore:
    """Compute a measure of one model (default: the error), with the interval that fits the procedure.

        one holdout, leave-one-out      that of the measure on all test rows (Wilson for shares)
        one holdout by group            cluster-robust (CR2): Wilson's form for shares, the log scale for MSE
        anything that shares rows       mean ± t·sqrt(s²·(1/k + n_test/n_train)),   k-1 degrees of freedom

    The last is Nadeau and Bengio's (2003), a rule of thumb (docs/validity.md). For the error after a bootstrap use
    `bootstrap_errors`. Not for the best of several models, which was chosen by this score: see `luck_of_choice` and
    `nested`.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.folds import Folds
    >>> from justesse.procedures.run import run
    >>> made = score(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True), Folds(5)), "bayes")
    >>> round(made.estimate.value, 3), made.estimate.interval.method, len(made.scores)
    (0.047, 'student-nadeau-bengio', 5)
    """
    tail_levels(level, alternative)
    fits = runs.answered(model)
    failed = len(runs.fits[model]) - len(fits)
    chosen: AnyMeasure = (error if runs.data.classes else mse) if measure is None else measure
    if isinstance(chosen, Measure) and chosen.per_class:
        raise OptionError(f"{chosen.name} has a value for each class. Average it: averaged({chosen.name}, 'macro').")
    if isinstance(chosen, Measure) == (runs.data.classes is None):
        raise OptionError("For classes, use a measure of counts, such as accuracy. For numbers, use one such as mse.")
    kind, alone = getattr(runs.procedure, "kind", None), len(runs.fits[model]) == 1
    if not fits:
        made = _estimate(chosen, math.nan, 0, undefined="the model failed in every split")
        return ModelScore(model, made, (), name_of(runs.procedure), runs.n, math.nan, math.nan, "", failed, (), ())
    assumptions: tuple[str, ...]
    if alone and kind == "grouped":
        made, assumptions = _clustered(runs, fits[0], chosen, level, alternative), (ONE_SPLIT, CLUSTERS)
    elif rows_alone(runs):
        made = _pooled(runs, fits, chosen, level, alternative)
        assumptions = (ONE_SPLIT if alone else ONE_OUT,)
    else:
        made, ratio = _over_folds(runs, fits, chosen, level, alternative)
        assumptions = (overlap(ratio), NEAR_NORMAL)
    if kind == "by-time":
        assumptions = (*assumptions, LATER)
    train = float(np.mean([fit.train_error for fit in fits]))
    test = float(np.mean([runs.data.error(fit.test, np.asarray(fit.answers)) for fit in fits]))
    return ModelScore(
        model,
        made,
        tuple(scores_of(runs, fits, chosen)),
        name_of(runs.procedure),
        runs.n,
        train,
        test,
        gap_in_words(train, test, numbers=runs.data.classes is None),
        failed,
        assumptions,
        tuple(_cautions(runs, fits, failed)),
    )


def rows_alone(runs: OutOfSample) -> bool:
    """Tell whether rows, not splits, vary: after one split, or if each split tests one row."""
    fits = next(iter(runs.fits.values()))
    return len(fits) == 1 or (len(fits) == runs.n and all(len(fit.test) == 1 for fit in fits))


def _cautions(runs: OutOfSample, fits: Sequence[Fit], failed: int) -> Iterator[str]:
    if failed:
        yield f"It failed in {failed} of {failed + len(fits)} splits; its figures are of the other splits only."
    without = [fit for fit in fits if fit.unseen]
    if without:
        rows = int(sum(fit.unseen for fit in without))
        yield (
            f"In {len(without)} of {len(fits)} splits the test rows had a class that the training rows lacked ({rows} "
            "rows): no model can predict it. Use stratified folds, or add rows of that class or of more groups."
        )
    if getattr(runs.procedure, "second_draw", False):
        yield "Most test rows were also training rows, so models that memorise look too good. Test out of bag."


def scores_of(runs: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure) -> list[float]:
    """Compute a measure in every split; NaN where it is undefined."""
    return [_value(runs, [fit], measure) for fit in fits]


def fold_scores(runs: OutOfSample, measure: AnyMeasure | None = None) -> dict[str, list[Any]]:
    """Lay out a measure of every model in every split, for `compare_folds`; splits where a model failed are left out.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.folds import Folds
    >>> from justesse.procedures.run import run
    >>> list(fold_scores(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True), Folds(5))))
    ['repetition', 'fold', 'bayes']
    """
    chosen: AnyMeasure = (error if runs.data.classes else mse) if measure is None else measure
    whole = [fits for fits in zip(*runs.fits.values(), strict=True) if all(fit.answers is not None for fit in fits)]
    return {
        "repetition": [fits[0].repetition for fits in whole],
        "fold": [fits[0].fold for fits in whole],
        **{model: scores_of(runs, [fits[at] for fits in whole], chosen) for at, model in enumerate(runs.models)},
    }


def _estimate(
    measure: AnyMeasure, value: float, n: float, interval: Interval | None = None, undefined: str | None = None
) -> Estimate:
    known = measure if isinstance(measure, Measure) else NAMED.get(measure.__name__)
    if known is None:  # a function of one's own
        return Estimate(getattr(measure, "__name__", "measure"), value, n, interval, undefined)
    return Estimate.of(known, value, n, interval, undefined)


def _value(runs: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure) -> float:
    with np.errstate(invalid="ignore"):
        if isinstance(measure, Measure):
            return float(measure(runs.tally(fits)))
        return float(measure(runs.sums(fits).total))


def _pooled(
    runs: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure, level: float, alternative: Alternative
) -> Estimate:
    if isinstance(measure, Measure):
        confidence = Confidence(level=level, alternative=alternative, seed=runs.seed)
        return estimate(runs.tally(fits), [measure], confidence)[0]
    sums, value = runs.sums(fits), _value(runs, fits, measure)
    n = sum(len(fit.test) for fit in fits)
    if known := [each for each in NUMERIC if each.compute is measure]:
        confidence = Confidence(level=level, alternative=alternative, seed=runs.seed)
        return numeric_estimates(sums, n, confidence, measures=known)[0]
    with np.errstate(invalid="ignore"):
        drawn = measure(resampled_sums([sums], DRAWS, stream(runs.seed, "numeric score"))[0])
    drawn = drawn[np.isfinite(drawn)]
    if math.isnan(value) or not len(drawn) or np.ptp(drawn) == 0:
        return _estimate(measure, value, n, undefined="no interval: too few rows to estimate how much it varies")
    below, above = tail_levels(level, alternative)
    low = float(np.quantile(drawn, below)) if below else -math.inf
    high = float(np.quantile(drawn, 1 - above)) if above else math.inf
    ends = Interval(low, high, level, "bootstrap-percentile", alternative=alternative)
    return _estimate(measure, value, n, ends)


def _clustered(runs: OutOfSample, fit: Fit, measure: AnyMeasure, level: float, alternative: Alternative) -> Estimate:
    value, n = _value(runs, [fit], measure), len(fit.test)
    assert runs.groups is not None
    groups = np.unique(runs.groups[fit.test], return_inverse=True)[1]
    many = int(groups.max()) + 1
    mean_loss = measure.judged_as == "accuracy" if isinstance(measure, Measure) else measure is mse
    if not mean_loss or many < 2:
        why = "rows of one group are not independent; repeat the split, or use folds by group"
        return _estimate(measure, value, n, undefined=f"no interval: {why}")
    losses = runs.data.losses(fit.test, np.asarray(fit.answers))
    summed, sizes = np.bincount(groups, losses), np.bincount(groups)
    if isinstance(measure, Measure):
        hits = sizes - summed if measure.greater_is_better else summed
        ends = clustered_share(hits, sizes, level=level, alternative=alternative)
        return _estimate(measure, value, n, ends.intervals(alternative=alternative)[0])
    ends = clustered_positive_mean(summed, sizes, level=level, alternative=alternative)
    (interval,) = ends.intervals(bounds=(0.0, math.inf), alternative=alternative)
    reason = None if interval else "no interval: all groups have the same error"
    return _estimate(measure, value, n, interval, reason)


def _over_folds(
    runs: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure, level: float, alternative: Alternative
) -> tuple[Estimate, float]:
    ratio = overlap_ratio(runs, fits)
    values = [value for value in scores_of(runs, fits, measure) if math.isfinite(value)]
    if len(values) < 2:
        value = values[0] if values else math.nan
        return _estimate(measure, value, len(values), undefined="fewer than two folds have a value"), ratio
    made = student(values, level=level, alternative=alternative, test_over_train=ratio)
    bounds = measure.bounds if isinstance(measure, Measure) else (-math.inf, math.inf)
    interval = made.interval and replace(made.interval, bounds=bounds)
    return _estimate(measure, made.value, made.n, interval, made.undefined), ratio


def overlap_ratio(runs: OutOfSample, fits: Sequence[Fit]) -> float:
    """Return the mean of n_test/n_train; after a bootstrap, rows drawn several times count once."""
    drawn = isinstance(runs.procedure, Bootstrap)
    known = [runs.n * (1 - math.exp(-1)) if drawn else fit.trained for fit in fits]
    tested = [len(np.unique(fit.test)) for fit in fits]
    return float(np.mean([first / other for first, other in zip(tested, known, strict=True)]))
