"""Whether four or more classifiers agree as often as they would if they erred independently."""

import math

import numpy as np

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.arrays import Array, FloatArray
from justesse.core.results import TestResult
from justesse.intervals.agreement_model import abilities, check_coincidence, contrasts

NAME = "agreement-fit"
ASSUMPTIONS = (
    "the rows are independent draws",
    "two wrong answers are the same equally often in every pair of classifiers",
)
THREE = "three classifiers fit any agreement: with four or more, or labels for some rows, independence can be tested"
SMALL = 1e-9


def agreement_fit(patterns: AnswerPatterns, *, coincidence: float | None = None) -> TestResult:
    """Test that classifiers err independently, from how often each pair agrees.

        T = n · r′ D (D′ Γ D)⁻¹ D′ r        r: agreement minus what the best abilities explain

    D is orthogonal to the derivatives of the model, Γ the covariance of the agreements if errors are independent. T is
    compared with χ² with M(M-1)/2 - M degrees of freedom. A small p-value shows that some classifiers err together more
    than others. A large one does not show that they err independently: classifiers that all share their mistakes to
    the same degree fit well. If a classifier errs on fewer than about 10 rows, T is not distributed as χ²: at level
    5 %, 9 to 16 % of independent classifiers are then rejected (docs/validity.md). Browne (1984).

    Parameters
    ----------
    patterns
        Answers of the classifiers to the same rows.
    coincidence
        How often two wrong answers are the same. Default: 1 / (classes - 1), as if they were spread evenly.

    Returns
    -------
    TestResult
        Statistic, p-value and assumptions; no p-value for three classifiers, whose agreement always fits.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(2, size=2000)
    >>> answers = np.stack([np.where(rng.random(2000) < error, 1 - true, true) for error in (0.1, 0.2, 0.2, 0.3)])
    >>> names = ["a", "b", "c", "d"]
    >>> agreement_fit(AnswerPatterns.from_codes(names, (0, 1), answers.T)).pvalue > 0.05
    True
    >>> answers[3] = np.where(rng.random(2000) < 0.5, answers[2], answers[3])
    >>> agreement_fit(AnswerPatterns.from_codes(names, (0, 1), answers.T)).pvalue < 0.0001
    True
    """
    size, pairs, n = patterns.size, patterns.pairs, patterns.n
    share = check_coincidence(coincidence, len(patterns.classes))
    degrees = len(pairs) - size
    if degrees <= 0:
        return _untested(n, THREE)
    seen = contrasts(patterns.agreement, share)
    fitted = abilities(seen, pairs)
    if not np.isfinite(fitted).all():
        return _untested(n, "two classifiers agree no more often than chance would explain")
    first, other = np.array(pairs).T
    derivative = np.zeros((len(pairs), size))
    derivative[np.arange(len(pairs)), first] = fitted[other]
    derivative[np.arange(len(pairs)), other] = fitted[first]
    outside = np.linalg.qr(derivative, mode="complete")[0][:, size:]
    residual = outside.T @ (seen - fitted[first] * fitted[other])
    spread = outside.T @ independent_spread(fitted, pairs, share) @ outside
    values, vectors = np.linalg.eigh(spread)
    varies = values > SMALL
    degrees = int(varies.sum())
    if not degrees:
        return _untested(n, "the classifiers hardly ever differ")
    statistic = float(n * (((vectors.T @ residual)[varies]) ** 2 / values[varies]).sum())
    from scipy.special import chdtrc

    return TestResult(
        NAME, statistic, float(chdtrc(degrees, statistic)), n, "two-sided", ASSUMPTIONS, df=(float(degrees),)
    )


def independent_spread(ability: Array, pairs: tuple[tuple[int, int], ...], coincidence: float) -> FloatArray:
    """Return the covariance of the contrasts of all pairs, for one row, if classifiers err independently.

    Pairs without a common member are uncorrelated. Pairs with one are all alike in the share of rows where the three
    agree: (1-e)(1-f)(1-g) + s²·e·f·g.

    >>> independent_spread(np.array([0.8, 0.6, 0.4]), ((0, 1), (0, 2), (1, 2)), 1.0).round(4).tolist()
    [[0.7696, 0.0864, 0.2048], [0.0864, 0.8976, 0.4032], [0.2048, 0.4032, 0.9424]]
    """
    ability = np.minimum(np.asarray(ability, dtype=float), 1.0)
    error = (1 - ability) / (1 + coincidence)
    first, other = np.array(pairs).T
    agree = (1 - error[first]) * (1 - error[other]) + coincidence * error[first] * error[other]
    members = np.array([np.isin(np.arange(len(ability)), pair) for pair in pairs])
    shared = members.astype(int) @ members.T.astype(int)
    union = members[:, None, :] | members[None, :, :]  # the three members of two pairs that share one
    both_right = np.where(union, 1 - error, 1.0).prod(axis=2)
    both_wrong = np.where(union, error, 1.0).prod(axis=2)
    together = np.where(shared == 1, both_right + coincidence**2 * both_wrong, np.outer(agree, agree))
    together[np.diag_indices(len(pairs))] = agree
    return np.asarray((1 + coincidence) ** 2 * (together - np.outer(agree, agree)))


def _untested(n: int, reason: str) -> TestResult:
    return TestResult(NAME, math.nan, math.nan, n, "two-sided", ASSUMPTIONS, undefined=reason)
