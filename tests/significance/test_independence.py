"""Tests that classifiers err independently: from the agreement of four or more, or on labelled rows."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.errors import OptionError
from justesse.intervals.agreement_model import abilities, check_coincidence, contrasts, errors_of
from justesse.significance.agreement_fit import agreement_fit, independent_spread
from justesse.significance.reference_independence import reference_independence


def exact_patterns(errors, classes=2, n=10**7):
    """Count every pattern of answers as often as it is expected, for independent errors spread evenly."""
    cells, counts = [], []
    for answers in itertools.product(range(classes), repeat=len(errors)):
        chance = 0.0
        for true in range(classes):
            chance += math.prod(
                1 - e if answer == true else e / (classes - 1) for answer, e in zip(answers, errors, strict=True)
            )
        cells.append(answers)
        counts.append(round(n * chance / classes))
    names = [str(at) for at in range(len(errors))]
    return AnswerPatterns.from_codes(names, range(classes), np.array(cells), np.array(counts))


@pytest.mark.parametrize(("errors", "classes"), [((0.1, 0.2, 0.3, 0.15), 2), ((0.1, 0.2, 0.3, 0.25, 0.05), 3)])
def test_independent_classifiers_fit_and_give_their_error_rates(errors, classes):
    patterns = exact_patterns(errors, classes)
    share = 1 / (classes - 1)
    fitted = errors_of(abilities(contrasts(patterns.agreement, share), patterns.pairs), share)
    assert fitted == pytest.approx(errors, abs=1e-4)
    assert agreement_fit(patterns).pvalue > 0.99


def test_the_covariance_is_that_of_all_patterns():
    errors = (0.1, 0.2, 0.3, 0.25)
    for classes in (2, 3):
        patterns, share = exact_patterns(errors, classes), 1 / (classes - 1)
        weights = patterns.counts / patterns.n
        centred = (1 + share) * (patterns.agrees - weights @ patterns.agrees)
        expected = (centred.T * weights) @ centred
        assert independent_spread(1 - (1 + share) * np.array(errors), patterns.pairs, share) == pytest.approx(
            expected, abs=1e-5
        )


def test_three_always_fit_and_one_class_is_refused():
    result = agreement_fit(exact_patterns((0.1, 0.2, 0.3)))
    assert math.isnan(result.pvalue)
    assert "three classifiers" in result.undefined
    with pytest.raises(OptionError, match="one class"):
        check_coincidence(None, 1)
    with pytest.raises(OptionError, match="between 0 and 1"):
        check_coincidence(1.5, 3)
    with pytest.raises(OptionError, match="always the same"):
        check_coincidence(0.5, 2)


def test_it_finds_two_that_copy_each_other_and_misses_a_fault_that_all_share():
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=4000)
    answers = np.stack([np.where(rng.random(4000) < 0.15, 1 - true, true) for _ in range(4)])
    copied = answers.copy()
    copied[3] = np.where(rng.random(4000) < 0.3, copied[2], copied[3])
    names = list("abcd")
    assert agreement_fit(AnswerPatterns.from_codes(names, (0, 1), copied.T)).pvalue < 0.001
    shared = answers.copy()
    hard = rng.random(4000) < 0.05
    shared[:, hard] = 1 - true[hard]
    assert agreement_fit(AnswerPatterns.from_codes(names, (0, 1), shared.T)).pvalue > 0.01


def test_least_squares_is_no_worse_than_its_neighbours():
    rng = np.random.default_rng(3)
    pairs = tuple(itertools.combinations(range(5), 2))
    first, other = np.array(pairs).T
    for _ in range(20):
        seen = rng.uniform(0.3, 0.9, size=len(pairs))
        best = abilities(seen, pairs)

        def loss(b, seen=seen):
            return ((seen - b[first] * b[other]) ** 2).sum()

        assert all(loss(best) <= loss(best + rng.normal(0, 0.01, size=5)) + 1e-12 for _ in range(50))
    batch = rng.uniform(0.3, 0.9, size=(7, len(pairs)))
    batch[2, 0] = -0.1
    together = abilities(batch, pairs)
    assert np.isnan(together[2]).all()
    assert together[4] == pytest.approx(abilities(batch[4], pairs))


def test_labelled_rows_give_the_chi_square_of_a_two_by_two_table():
    """With two classes the test for trend is Pearson's χ² times (N - 1)/N."""
    result = reference_independence((80, 0, 20), (60, 0, 40))
    pearson = chi2_contingency([[80, 20], [60, 40]], correction=False)
    z_square = pearson.statistic * 199 / 200
    assert result.pvalue == pytest.approx(math.erfc(math.sqrt(z_square / 2)), rel=1e-9)
    assert result.statistic == pytest.approx((0.8 - 0.2 - (0.6 - 0.4)) / 2)


def test_labelled_rows_without_evidence_are_no_test():
    assert math.isnan(reference_independence((0, 0, 0), (3, 1, 2)).pvalue)
    assert reference_independence((5, 0, 0), (5, 0, 0)).pvalue == 1.0
    assert reference_independence((5, 1, 2), (5, 1, 2), (30, 0, 2)).pvalue < 0.001
    with pytest.raises(OptionError, match="three whole numbers"):
        reference_independence((5, 1), (5, 1))
