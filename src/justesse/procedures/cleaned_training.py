"""What cleaning training labels is worth: errors after training on cleaned labels, and on labels as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.choices import CleaningArm
from justesse.core.parallel_map import Progress, parallel_map
from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream
from justesse.intervals.student import student
from justesse.noise.noisy import Noisy
from justesse.procedures.fitting import one_thread, patiently
from justesse.procedures.noisy_training import NoisySplit, Run, noisy_splits, seeded_learner, share_over_repeats
from justesse.procedures.training_arms import LabelFilter, NotPossible, fitted_arm
from justesse.significance.paired_difference import paired_difference

Key = tuple[str, Any, str, CleaningArm]


@dataclass(frozen=True)
class CleanedLearner:
    """A learner trained on the labels that one filter and one arm leave.

    Parameters
    ----------
    learner, rate, filter, arm
        What was trained on what.
    error
        Share of wrong answers on clean test labels.
    difference
        Accuracy less that of the same learner without cleaning; above 0 if cleaning helps.
    flagged
        Mean share of training rows that the filter flagged.
    detected
        Mean share of the wrong training labels that it flagged, NaN without wrong labels.
    false_detected
        Mean share of the right training labels that it flagged.
    """

    learner: str
    rate: float
    filter: str
    arm: CleaningArm
    error: Estimate
    difference: Estimate
    flagged: float
    detected: float
    false_detected: float


@dataclass(frozen=True, eq=False)
class _Outcome:
    """What one learner answered on the test rows after one arm, or why it could not be trained."""

    key: Key
    repeat: int
    answers: Array | None
    failure: str | None
    rates: tuple[float, float, float]


def cleaned_training(
    x: Any,
    y: ArrayLike,
    versions: Callable[[int], Mapping[Any, Noisy]],
    learners: Mapping[str, Any],
    filters: Mapping[str, LabelFilter],
    arms: Sequence[CleaningArm],
    plain: Sequence[Run],
    *,
    test_share: float,
    repeats: int,
    level: float,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None = None,
) -> tuple[CleanedLearner, ...]:
    """Clean the training labels by each filter, train every learner by every arm, and test on the true classes.

        difference = accuracy after cleaning - accuracy without, on the same test rows, mean over the splits

    with Nadeau and Bengio's interval of the paired differences, or Tango's for one split. A filter sees the training
    rows alone, once for all arms and learners. Learners have the same random numbers as without cleaning, so that a
    filter that flags nothing changes nothing. Each interval is for one row of the table: the best of many rows looks
    better than it is. Brodley and Friedl (1999); Nadeau and Bengio (2003); Benjelloun (2021), 3.4.2.

    Parameters
    ----------
    x
        Features, one row per example.
    y
        True class of each row.
    versions
        Function that returns the noisy labels of all rows, by rate, from a seed.
    learners
        Models to train, by name.
    filters
        Filters, by name.
    arms
        What is done with flagged rows.
    plain
        Runs without cleaning, of `noisy_training` with the same versions, learners, splits and seed.
    test_share, repeats, seed
        As for the runs without cleaning.
    level
        Confidence level.
    n_jobs
        Number of processes. Default: one.
    progress
        Function that is called with the number of filters done and the total.
    """
    jobs = [
        (part, rate, noisy, x, learners, name, own, tuple(arms), seed)
        for part in noisy_splits(y, test_share=test_share, repeats=repeats, seed=seed)
        for rate, noisy in versions(part.noise_seed).items()
        for name, own in filters.items()
    ]
    outcomes: dict[Key, list[_Outcome]] = {}
    for batch in parallel_map(_cleaned, jobs, total=len(jobs), n_jobs=n_jobs, progress=progress):
        for outcome in batch:
            outcomes.setdefault(outcome.key, []).append(outcome)
    truth = np.asarray(y)
    before = {(run.learner, run.version, run.repeat): run for run in plain}
    rates = dict.fromkeys(rate for _, rate, _, _ in outcomes)
    keys: list[Key] = [
        (learner, rate, name, arm) for learner in learners for rate in rates for name in filters for arm in arms
    ]
    return tuple(_row(key, outcomes[key], before, truth, level, test_share) for key in keys)


def _cleaned(
    part: NoisySplit, rate: float, noisy: Noisy, x: Any, learners: Mapping[str, Any], name: str, own: LabelFilter,
    arms: tuple[CleaningArm, ...], seed: int,
) -> list[_Outcome]:  # fmt: skip
    from sklearn.utils import _safe_indexing

    learnt = noisy.part(part.train)
    made = []
    with patiently(), one_thread():
        flags = own(part.train, learnt.label, seed=int(stream(seed, "filter", str(part.repeat)).integers(1 << 31)))
        wrong = learnt.wrong
        among = [float(flags.flagged[rows].mean()) if rows.any() else np.nan for rows in (wrong, ~wrong)]
        shares = (float(flags.flagged.mean()), among[0], among[1])
        rows, asked = _safe_indexing(x, part.train), _safe_indexing(x, part.test)
        for learner, model in learners.items():
            for arm in arms:
                answers, failure = None, None
                try:
                    fresh = seeded_learner(learner, model, seed, part.repeat)
                    answers = np.asarray(fitted_arm(arm, fresh, rows, learnt.label, flags).predict(asked))
                except NotPossible as reason:
                    failure = str(reason)
                made.append(_Outcome((learner, rate, name, arm), part.repeat, answers, failure, shares))
    return made


def _row(
    key: Key, outcomes: Sequence[_Outcome], before: Mapping[tuple[str, Any, int], Run], truth: Array, level: float,
    test_share: float,
) -> CleanedLearner:  # fmt: skip
    learner, rate, name, arm = key
    rates = np.array([outcome.rates for outcome in outcomes])
    with np.errstate(invalid="ignore"):
        flagged, detected, false = (
            float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in rates.T
        )
    if reasons := [outcome.failure for outcome in outcomes if outcome.failure]:
        nothing = Estimate("error", np.nan, 0, undefined=reasons[0], is_share=True)
        absent = Estimate("difference", np.nan, 0, undefined=reasons[0], is_share=True)
        return CleanedLearner(learner, rate, name, arm, nothing, absent, flagged, detected, false)
    runs = [before[learner, rate, outcome.repeat] for outcome in outcomes]
    right = [np.asarray(outcome.answers == truth[run.test]) for outcome, run in zip(outcomes, runs, strict=True)]
    plain = [np.asarray(run.prediction == truth[run.test]) for run in runs]
    wrong, tested = [float((~own).sum()) for own in right], [float(len(own)) for own in right]
    error = share_over_repeats("error", wrong, tested, level=level, test_share=test_share)
    difference = paired_accuracies(plain, right, level=level, test_share=test_share)
    return CleanedLearner(learner, rate, name, arm, error, difference, flagged, detected, false)


def paired_accuracies(before: Sequence[Array], after: Sequence[Array], *, level: float, test_share: float) -> Estimate:
    """Give the mean difference of two accuracies over random splits, each pair on the same test rows.

    Parameters
    ----------
    before, after
        Whether each test row was answered right, for each split.
    level
        Confidence level.
    test_share
        Share of rows that are tested.

    >>> before = [np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0])]
    >>> after = [np.array([1, 1, 1, 0]), np.array([1, 1, 1, 0])]
    >>> paired_accuracies(before, after, level=0.95, test_share=0.2).value
    0.375
    """
    # from whole numbers, so that no difference is exactly 0
    differences = [float((np.sum(new) - np.sum(old)) / len(old)) for old, new in zip(before, after, strict=True)]
    if len(differences) > 1:
        mean = student(differences, level=level, test_over_train=test_share / (1 - test_share))
        interval = None if mean.interval is None else replace(mean.interval, bounds=(-1.0, 1.0))
        return replace(mean, name="difference", interval=interval, is_share=True)
    old, new = (np.asarray(part[0], dtype=bool) for part in (before, after))
    ends = paired_difference((old & ~new).sum(), (new & ~old).sum(), len(old), level=level)
    own = Interval(float(ends.low), float(ends.high), level, "tango", (-1.0, 1.0))
    return Estimate("difference", differences[0], len(old), own, is_share=True)
