"""The fit of agreements with few errors: compared with simulated classifiers instead of χ²."""

import numpy as np
import pytest
from scipy.stats import chi2

from justesse.core.answer_patterns import AnswerPatterns
from justesse.significance.agreement_fit import SIMULATED, agreement_fit, independent_agreements

PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def drawn(n, errors, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(classes, size=n)
    wrong = [(true + 1 + rng.integers(classes - 1, size=n)) % classes for _ in errors]
    answers = [np.where(rng.random(n) < e, other, true) for e, other in zip(errors, wrong, strict=True)]
    return AnswerPatterns.from_codes(["a", "b", "c", "d"], tuple(range(classes)), np.stack(answers, axis=1))


def test_many_errors_are_compared_with_chi_square():
    result = agreement_fit(drawn(2000, (0.1, 0.2, 0.2, 0.3)))
    assert result.pvalue == pytest.approx(chi2.sf(result.statistic, result.df[0]))
    assert SIMULATED not in result.assumptions


def test_few_errors_are_compared_with_simulated_classifiers():
    patterns = drawn(200, (0.02,) * 4, seed=3)
    result = agreement_fit(patterns, draws=199)
    assert SIMULATED in result.assumptions
    assert result.pvalue * 200 == pytest.approx(round(result.pvalue * 200))
    assert agreement_fit(patterns, draws=199) == result
    assert agreement_fit(patterns, draws=199, seed=1).pvalue == pytest.approx(result.pvalue, abs=0.15)


def test_few_errors_are_not_rejected_too_often():
    """χ² rejects about 13 % of such data; of 120 data sets more than 13 would be a surprise at 5 %."""
    sets = [drawn(1000, (0.005,) * 4, seed=seed) for seed in range(120)]
    by_chi2 = [agreement_fit(patterns, draws=1) for patterns in sets]
    assert sum(chi2.sf(result.statistic, result.df[0]) <= 0.05 for result in by_chi2) >= 12
    assert sum(agreement_fit(patterns, draws=99).pvalue <= 0.05 for patterns in sets) <= 13


def test_shared_mistakes_are_found_in_spite_of_few_errors():
    rng = np.random.default_rng(1)
    true = rng.integers(2, size=500)
    answers = np.stack([np.where(rng.random(500) < 0.04, 1 - true, true) for _ in range(4)])
    answers[3] = np.where(rng.random(500) < 0.8, answers[2], answers[3])
    patterns = AnswerPatterns.from_codes(["a", "b", "c", "d"], (0, 1), answers.T)
    assert agreement_fit(patterns, draws=199).pvalue <= 0.01


@pytest.mark.parametrize("coincidence", [1.0, 1 / 9, 0.3])
def test_simulated_pairs_agree_as_often_as_the_formula_says(coincidence):
    errors = np.array([0.1, 0.2, 0.3, 0.05])
    rng = np.random.default_rng(0)
    means = np.mean(list(independent_agreements(errors, PAIRS, 400, coincidence, 400, rng)), axis=0)
    expected = [(1 - errors[a]) * (1 - errors[b]) + coincidence * errors[a] * errors[b] for a, b in PAIRS]
    assert means == pytest.approx(expected, abs=0.005)
