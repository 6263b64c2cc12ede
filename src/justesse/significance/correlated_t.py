"""The Bayesian correlated t test of Corani and Benavoli, over folds of one data set."""

import math
from collections.abc import Sequence

from justesse.intervals.student import all_equal
from justesse.significance.folds import EQUAL, NORMAL, SHARED, fold_differences, overlap, standard_error
from justesse.significance.posterior import Posterior, checked_rope


def correlated_t(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    *,
    test_over_train: float,
    rope: float = 0.0,
) -> Posterior:
    """Compute the probability that the mean difference of fold scores is above rope, within ±rope, or below -rope.

        δ ~ Student's t, k-1 degrees of freedom, around d̄, scale² = s²·(1/k + ρ/(1-ρ)),   ρ = n_test/n

    ρ/(1-ρ) is `test_over_train`, 1/(K-1) for K-fold cross-validation, repeated or not. The correlation ρ is not
    learnt, it is the rule of thumb of Nadeau and Bengio, and the prior on mean and spread is flat: without a rope the
    answer is the one-sided corrected t test in other words. Wrong over several data sets. Corani and Benavoli (2015).

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
    test_over_train
        Size of a test set over that of its training set, 1/(k-1) for k folds; `None` for folds that share no
        training rows.
    rope
        Largest difference that does not matter (region of practical equivalence).

    Returns
    -------
    Posterior
        The three probabilities, which add up to 1.

    Examples
    --------
    >>> incumbent, candidate = [0.80, 0.84, 0.79, 0.83, 0.82], [0.83, 0.86, 0.84, 0.85, 0.83]
    >>> result = correlated_t(incumbent, candidate, test_over_train=1 / 4, rope=0.01)
    >>> round(result.candidate_better, 3), round(result.equivalent, 3), round(result.incumbent_better, 3)
    (0.905, 0.083, 0.012)
    """
    from scipy.special import stdtr

    checked_rope(rope)
    differences = fold_differences(incumbent, candidate)
    k, mean, scale = len(differences), float(differences.mean()), standard_error(differences, test_over_train)
    undefined = EQUAL if all_equal(differences) else None
    above = within = below = math.nan
    if not undefined:
        above, below, not_above = (float(stdtr(k - 1, end / scale)) for end in (mean - rope, -rope - mean, rope - mean))
        within = not_above - below
    return Posterior(
        "correlated-t",
        candidate_better=above,
        equivalent=within,
        incumbent_better=below,
        rope=rope,
        n=k,
        assumptions=(
            SHARED,
            overlap(test_over_train),
            NORMAL,
            "the prior on mean and spread is flat",
        ),
        undefined=undefined,
    )
