"""Student's interval for the mean of fold scores, corrected when the folds share training data."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval, tail_levels


def student(
    scores: Sequence[float],
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    test_over_train: float | None = None,
) -> Estimate:
    """Compute Student's interval of the mean of fold scores.

        mean ± t_{k-1}·sqrt(s²/k), or s²·(1/k + n_test/n_train) for overlapping training sets

    Fold scores are not independent: their training sets overlap, so the plain interval is too narrow. Give
    `test_over_train` (1/(k-1) for k-fold cross-validation) for the correction of Nadeau and Bengio (2003), a
    rule of thumb that is good, not exact.

    Parameters
    ----------
    scores
        One score per fold.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    test_over_train
        Size of a test set over that of its training set, 1/(k-1) for k folds; `None` for folds that share no
        training rows.

    Returns
    -------
    Estimate
        Value with its interval, or the reason why there is none.

    Examples
    --------
    >>> result = student([0.80, 0.84, 0.79, 0.83, 0.82])
    >>> round(result.value, 4), str(result.interval)
    (0.816, '[0.7903, 0.8417]')
    >>> str(student([0.80, 0.84, 0.79, 0.83, 0.82], test_over_train=1 / 4).interval)
    '[0.7774, 0.8546]'
    """
    from scipy.special import stdtrit

    values = checked_scores(scores)
    k, mean, spread = len(values), float(values.mean()), float(values.var(ddof=1))
    if test_over_train is not None and test_over_train <= 0:
        raise OptionError(
            f"test_over_train (test rows divided by training rows) must be above 0; got {test_over_train!r}."
        )
    error = np.sqrt(spread * (1 / k + (test_over_train or 0.0)))
    below, above = (float(stdtrit(k - 1, 1 - tail)) if tail else np.inf for tail in tail_levels(level, alternative))
    method = "student" if test_over_train is None else "student-nadeau-bengio"
    if all_equal(values):
        return Estimate("mean", mean, k, undefined="no interval: all scores are equal, so their spread is unknown")
    ends = Interval(mean - below * error, mean + above * error, level, method, alternative=alternative)
    return Estimate("mean", mean, k, ends)


def checked_scores(scores: Sequence[float]) -> Array:
    """Check fold scores: at least two, all finite."""
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or len(values) < 2:
        raise OptionError(f"A t interval needs at least two fold scores; got {values.size}.")
    if not np.all(np.isfinite(values)):
        raise OptionError(f"Fold scores must be finite numbers; got {scores!r}.")
    return values


def all_equal(values: Array) -> bool:
    """Return whether numbers differ by no more than rounding.

    >>> all_equal(np.array([0.84 - 0.80, 0.83 - 0.79])), all_equal(np.array([0.04, 0.041]))
    (True, False)
    """
    return bool(np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())))
