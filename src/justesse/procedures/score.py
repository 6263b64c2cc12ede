"""A model's figure after a procedure, with the interval that is right for that procedure."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval, finite_or_none, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.student import student
from justesse.measures import Measure, error
from justesse.measures.regression import Sums, mse
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.fitting import Fit
from justesse.procedures.gap import gap_in_words
from justesse.procedures.run import OutOfSample
from justesse.procedures.splits import name_of
from justesse.significance.folds import overlap

AnyMeasure = Measure | Callable[[Sums], Array]
ONE_SPLIT = "one split: the interval is for this trained model on its test rows, not for another training set"
ONE_OUT = "the errors of different rows are taken as independent; models that share all but one row make them nearly so"
CLUSTERS = "groups are drawn at random; rows of one group may be as alike as they like"
NEAR_NORMAL = "fold scores are close to normal"
LATER = "each fold follows in time what it was trained on; the past is taken to be like the future"
DRAWS = 2000


@dataclass(frozen=True)
class ModelScore:
    """One measure of one model: its value with its interval, split by split, and what it rests on.

    `train_error` and `test_error` are shares of wrong answers, or mean squared errors; `words` says what their gap
    means. `failed` counts the splits in which the model failed: they are in no figure.
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
    found: OutOfSample,
    model: str,
    measure: AnyMeasure | None = None,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> ModelScore:
    """Give a measure (the error unless another is named) of one model, with the interval its procedure calls for.

        one holdout, leave-one-out      that of the measure on all test rows (Wilson for shares)
        one holdout by group            mean ± t·sqrt(G/(G-1)·Σ_g (Σ_i∈g (e_i - ē))²)/n,   G-1 degrees of freedom
        anything that shares rows       mean ± t·sqrt(s²·(1/k + n_test/n_train)),   k-1 degrees of freedom

    The last is Nadeau and Bengio's (2003), a rule of thumb (docs/validity.md). For the error after a bootstrap
    `bootstrap_errors` knows better. Wrong to use for the best of several models: it was chosen by this very figure (see
    `nested`).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.folds import Folds
    >>> from justesse.procedures.run import run
    >>> made = score(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True), Folds(5)), "bayes")
    >>> round(made.estimate.value, 3), made.estimate.interval.method, len(made.scores)
    (0.047, 'student-nadeau-bengio', 5)
    """
    tail_levels(level, alternative)
    fits = found.answered(model)
    failed = len(found.fits[model]) - len(fits)
    chosen: AnyMeasure = (error if found.data.classes else mse) if measure is None else measure
    if isinstance(chosen, Measure) and chosen.per_class:
        raise OptionError(f"{chosen.name} has a value for every class: average it, as averaged({chosen.name}, 'macro')")
    if isinstance(chosen, Measure) == (found.data.classes is None):
        raise OptionError("classes need a measure of counts, numbers a measure of numbers; got the other")
    kind, alone = getattr(found.procedure, "kind", None), len(found.fits[model]) == 1
    if not fits:
        made = Estimate(_name(chosen), math.nan, 0, undefined="the model failed in every split")
        return ModelScore(model, made, (), name_of(found.procedure), found.n, math.nan, math.nan, "", failed, (), ())
    assumptions: tuple[str, ...]
    if alone and kind == "grouped":
        made, assumptions = _clustered(found, fits[0], chosen, level, alternative), (ONE_SPLIT, CLUSTERS)
    elif rows_alone(found):
        made = _pooled(found, fits, chosen, level, alternative)
        assumptions = (ONE_SPLIT if alone else ONE_OUT,)
    else:
        made, ratio = _over_folds(found, fits, chosen, level, alternative)
        assumptions = (overlap(ratio), NEAR_NORMAL)
    if kind == "by-time":
        assumptions = (*assumptions, LATER)
    train = float(np.mean([fit.train_error for fit in fits]))
    test = float(np.mean([found.data.error(fit.test, np.asarray(fit.answers)) for fit in fits]))
    return ModelScore(
        model,
        made,
        tuple(scores_of(found, fits, chosen)),
        name_of(found.procedure),
        found.n,
        train,
        test,
        gap_in_words(train, test, numbers=found.data.classes is None),
        failed,
        assumptions,
        tuple(_cautions(found, fits, failed)),
    )


def rows_alone(found: OutOfSample) -> bool:
    """Say whether rows, not splits, are what varies: after one split, or where each split tests one row."""
    fits = next(iter(found.fits.values()))
    return len(fits) == 1 or (len(fits) == found.n and all(len(fit.test) == 1 for fit in fits))


def _cautions(found: OutOfSample, fits: Sequence[Fit], failed: int) -> Iterator[str]:
    if failed:
        yield f"It failed in {failed} of {failed + len(fits)} splits; the figures speak of the others alone."
    without = [fit for fit in fits if fit.unseen]
    if without:
        rows = int(sum(fit.unseen for fit in without))
        yield (
            f"In {len(without)} of {len(fits)} splits a class was tested that no training row had ({rows} rows): it "
            "could not be right there. Stratify, or gather more of that class or of its groups."
        )
    if getattr(found.procedure, "second_draw", False):
        yield "Most rows tested were trained on too: the figure flatters every model that remembers. Test out of bag."


def scores_of(found: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure) -> list[float]:
    """Compute a measure in every split; NaN where it is undefined."""
    return [_value(found, [fit], measure) for fit in fits]


def fold_scores(found: OutOfSample, measure: AnyMeasure | None = None) -> dict[str, list[Any]]:
    """Lay out a measure of every model in every split, as `compare_folds` reads it, without splits where one failed.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.folds import Folds
    >>> from justesse.procedures.run import run
    >>> list(fold_scores(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True), Folds(5))))
    ['repetition', 'fold', 'bayes']
    """
    chosen: AnyMeasure = (error if found.data.classes else mse) if measure is None else measure
    whole = [fits for fits in zip(*found.fits.values(), strict=True) if all(fit.answers is not None for fit in fits)]
    return {
        "repetition": [fits[0].repetition for fits in whole],
        "fold": [fits[0].fold for fits in whole],
        **{model: scores_of(found, [fits[at] for fits in whole], chosen) for at, model in enumerate(found.models)},
    }


def _name(measure: AnyMeasure) -> str:
    return measure.name if isinstance(measure, Measure) else measure.__name__


def _value(found: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure) -> float:
    with np.errstate(invalid="ignore"):
        if isinstance(measure, Measure):
            return float(measure(found.tally(fits)))
        return float(measure(found.sums(fits).total))


def _pooled(
    found: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure, level: float, alternative: Alternative
) -> Estimate:
    if isinstance(measure, Measure):
        confidence = Confidence(level=level, alternative=alternative, seed=found.seed)
        return estimate(found.tally(fits), [measure], confidence)[0]
    sums, value = found.sums(fits), _value(found, fits, measure)
    buckets, n = len(sums.weight), sum(len(fit.test) for fit in fits)
    times = stream(found.seed, "numeric score").multinomial(buckets, np.full(buckets, 1 / buckets), DRAWS)
    with np.errstate(invalid="ignore"):
        drawn = measure(sums.drawn(times.astype(float)))
    drawn = drawn[np.isfinite(drawn)]
    if math.isnan(value) or not len(drawn) or np.ptp(drawn) == 0:
        return Estimate(_name(measure), value, n, undefined="no interval: too few rows to see it vary")
    below, above = tail_levels(level, alternative)
    low = float(np.quantile(drawn, below)) if below else -math.inf
    high = float(np.quantile(drawn, 1 - above)) if above else math.inf
    return Estimate(_name(measure), value, n, Interval(low, high, level, "bootstrap-percentile"))


def _clustered(found: OutOfSample, fit: Fit, measure: AnyMeasure, level: float, alternative: Alternative) -> Estimate:
    from scipy.special import stdtrit

    value, n = _value(found, [fit], measure), len(fit.test)
    assert found.groups is not None
    groups = np.unique(found.groups[fit.test], return_inverse=True)[1]
    many = int(groups.max()) + 1
    mean_loss = measure.judged_as == "accuracy" if isinstance(measure, Measure) else measure is mse
    if not mean_loss or many < 2:
        why = "rows of a group are not independent; repeat the split, or use folds by group"
        return Estimate(_name(measure), value, n, undefined=f"no interval: {why}")
    losses = found.data.losses(fit.test, np.asarray(fit.answers))
    summed = np.bincount(groups, losses - losses.mean())
    spread = math.sqrt(many / (many - 1) * float((summed**2).sum())) / n
    below, above = (
        float(stdtrit(many - 1, 1 - tail)) if tail else math.inf for tail in tail_levels(level, alternative)
    )
    bounds = measure.bounds if isinstance(measure, Measure) else (0.0, math.inf)
    ends = Interval(value - below * spread, value + above * spread, level, "student-clustered", bounds)
    return Estimate(_name(measure), value, n, ends)


def _over_folds(
    found: OutOfSample, fits: Sequence[Fit], measure: AnyMeasure, level: float, alternative: Alternative
) -> tuple[Estimate, float]:
    ratio = overlap_ratio(found, fits)
    values = [value for value in scores_of(found, fits, measure) if math.isfinite(value)]
    if len(values) < 2:
        value = values[0] if values else math.nan
        return Estimate(_name(measure), value, len(values), undefined="fewer than two folds have a value"), ratio
    made = student(values, level=level, alternative=alternative, test_over_train=ratio)
    bounds = measure.bounds if isinstance(measure, Measure) else (-math.inf, math.inf)
    interval = made.interval and replace(made.interval, bounds=bounds)
    return replace(made, name=_name(measure), interval=interval), ratio


def overlap_ratio(found: OutOfSample, fits: Sequence[Fit]) -> float:
    """Give n_test/n_train, on average; after a bootstrap rows that were drawn several times count once."""
    drawn = isinstance(found.procedure, Bootstrap)
    known = [found.n * (1 - math.exp(-1)) if drawn else fit.trained for fit in fits]
    tested = [len(np.unique(fit.test)) for fit in fits]
    return float(np.mean([one / other for one, other in zip(tested, known, strict=True)]))
