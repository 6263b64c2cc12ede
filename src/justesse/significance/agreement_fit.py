"""Whether four or more classifiers agree as often as they would if they erred independently."""

import math
from collections.abc import Iterator

import numpy as np

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.arrays import Array, FloatArray
from justesse.core.results import TestResult
from justesse.core.seeds import stream
from justesse.intervals.agreement_model import abilities, check_coincidence, contrasts

NAME = "agreement-fit"
ASSUMPTIONS: tuple[str, ...] = (
    "the rows are independent draws",
    "two wrong answers are the same equally often in every pair of classifiers",
)
THREE = "three classifiers fit any agreement: with four or more, or labels for some rows, independence can be tested"
SMALL = 1e-9
FEW, MANY = 50, 8  # errors of a classifier below which χ² rejects too often; classifiers for which that is mended
DRAWS = 499
SIMULATED = "few errors: compared with simulated answers of classifiers that err independently"


def agreement_fit(
    patterns: AnswerPatterns, *, coincidence: float | None = None, draws: int = DRAWS, seed: int = 0
) -> TestResult:
    """Test that classifiers err independently, from how often each pair agrees.

        T = n · r′ D (D′ Γ D)⁻¹ D′ r        r: agreement minus what the best abilities explain

    D is orthogonal to the derivatives of the model, Γ the covariance of the agreements if errors are independent. T is
    compared with χ² with M(M-1)/2 - M degrees of freedom. If a classifier makes fewer than 50 errors, and there are no
    more than eight classifiers, T is compared with its values for simulated classifiers that err independently.

    A small p-value shows that some classifiers err together more than others. A large one does not show that they err
    independently: classifiers that all share their mistakes to the same degree fit well. Browne (1984).

    Parameters
    ----------
    patterns
        Answers of the classifiers to the same rows.
    coincidence
        How often two wrong answers are the same. Default: 1 / (classes - 1), as if they were spread evenly.
    draws
        Number of simulated data sets, if there are few errors. Default: 499.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

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
    if len(pairs) - size <= 0:
        return _untested(n, THREE)
    fitted = abilities(contrasts(patterns.agreement, share), pairs)
    if not np.isfinite(fitted).all():
        return _untested(n, "two classifiers agree no more often than chance would explain")
    statistic, degrees = fit_statistic(patterns.agreement, pairs, n, share)
    if not degrees:
        return _untested(n, "the classifiers hardly ever differ")
    errors = np.maximum((1 - np.minimum(fitted, 1.0)) / (1 + share), 0.5 / n)
    if n * errors.min() >= FEW or size > MANY:
        from scipy.special import chdtrc

        pvalue, assumptions = float(chdtrc(degrees, statistic)), ASSUMPTIONS
    else:
        rng = stream(seed, "agreement fit")
        simulated = [
            fit_statistic(drawn, pairs, n, share)[0]
            for drawn in independent_agreements(errors, pairs, n, share, draws, rng)
        ]
        # data in which nothing can be fitted give NaN, which counts as a larger value
        pvalue, assumptions = (
            (1 + float((~(np.array(simulated) < statistic)).sum())) / (1 + draws),
            (*ASSUMPTIONS, SIMULATED),
        )
    return TestResult(NAME, statistic, pvalue, n, "two-sided", assumptions, df=(float(degrees),))


def fit_statistic(
    agreement: Array, pairs: tuple[tuple[int, int], ...], n: int, coincidence: float
) -> tuple[float, int]:
    """Return the statistic and its degrees of freedom; NaN and 0 if nothing can be fitted."""
    seen = contrasts(agreement, coincidence)
    fitted = abilities(seen, pairs)
    if not np.isfinite(fitted).all():
        return math.nan, 0
    first, other = np.array(pairs).T
    derivative = np.zeros((len(pairs), len(fitted)))
    derivative[np.arange(len(pairs)), first] = fitted[other]
    derivative[np.arange(len(pairs)), other] = fitted[first]
    outside = np.linalg.qr(derivative, mode="complete")[0][:, len(fitted) :]
    residual = outside.T @ (seen - fitted[first] * fitted[other])
    spread = outside.T @ independent_spread(fitted, pairs, coincidence) @ outside
    values, vectors = np.linalg.eigh(spread)
    varies = values > SMALL
    return float(n * (((vectors.T @ residual)[varies]) ** 2 / values[varies]).sum()), int(varies.sum())


def independent_agreements(
    errors: Array,
    pairs: tuple[tuple[int, int], ...],
    n: int,
    coincidence: float,
    draws: int,
    rng: np.random.Generator,
) -> Iterator[FloatArray]:
    """Simulate how often pairs agree if classifiers err independently with these error rates.

    Parameters
    ----------
    errors
        Error rate of each classifier.
    pairs
        The pairs of classifiers.
    n
        Number of rows.
    coincidence
        How often two wrong answers are the same.
    draws
        Number of simulated data sets.
    rng
        Random numbers.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drawn = list(independent_agreements(np.array([0.1, 0.2]), ((0, 1),), 10_000, 1.0, 50, rng))
    >>> round(float(np.mean(drawn)), 2)  # 0.9 · 0.8 + 0.1 · 0.2
    0.74
    """
    for _ in range(draws):
        answers: list[dict[int, int]] = []
        for count in rng.binomial(n, errors):
            rows = rng.choice(n, count, replace=False, shuffle=False)
            answers.append(dict(zip(rows.tolist(), _wrong_answers(count, coincidence, rng), strict=True)))
        agreeing = []
        for first, other in pairs:
            left, right = answers[first], answers[other]
            both = left.keys() & right.keys()
            same = sum(left[row] == right[row] for row in both)
            agreeing.append(1 - (len(left) + len(right) - len(both) - same) / n)
        yield np.array(agreeing)


def _wrong_answers(count: int, coincidence: float, rng: np.random.Generator) -> list[int]:
    """Draw wrong answers, two of which are the same with the chance `coincidence`."""
    kinds = round(1 / coincidence) if coincidence > 0 else 0
    if kinds and abs(kinds * coincidence - 1) < SMALL:
        return list(map(int, rng.integers(0, kinds, count)))
    usual = rng.random(count) < math.sqrt(coincidence)  # one answer that many give, and others that nobody repeats
    return [
        0 if common else number for common, number in zip(usual, rng.integers(1, 1 << 60, count).tolist(), strict=True)
    ]


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
    members = np.zeros((len(pairs), len(ability)), dtype=bool)
    members[np.arange(len(pairs)), first] = members[np.arange(len(pairs)), other] = True
    shared = members.astype(int) @ members.T.astype(int)
    union = members[:, None, :] | members[None, :, :]  # the three members of two pairs that share one
    both_right = np.where(union, 1 - error, 1.0).prod(axis=2)
    both_wrong = np.where(union, error, 1.0).prod(axis=2)
    together = np.where(shared == 1, both_right + coincidence**2 * both_wrong, np.outer(agree, agree))
    together[np.diag_indices(len(pairs))] = agree
    return np.asarray((1 + coincidence) ** 2 * (together - np.outer(agree, agree)))


def _untested(n: int, reason: str) -> TestResult:
    return TestResult(NAME, math.nan, math.nan, n, "two-sided", ASSUMPTIONS, undefined=reason)
