"""pass@k and the majority of k samples, against every subset of the samples, and the coverage of no question at all."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.repeated_samples import estimate_samples, majority_at, pass_at

AXES = ("label", "prediction", "cluster")


def by_subsets(right, samples, k, rule):
    """Try every subset of k samples."""
    outcomes = [1] * right + [0] * (samples - right)
    wins = [sum(subset) for subset in combinations(outcomes, k)]
    if rule == "pass":
        return np.mean([won > 0 for won in wins])
    return np.mean([1.0 if 2 * won > k else 0.5 if 2 * won == k else 0.0 for won in wins])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.data())
def test_values_are_those_of_all_subsets(samples, data):
    right, k = data.draw(st.integers(0, samples)), data.draw(st.integers(1, samples))
    assert pass_at([right], [samples], k)[0] == pytest.approx(by_subsets(right, samples, k, "pass"))
    assert majority_at([right], [samples], k)[0] == pytest.approx(by_subsets(right, samples, k, "majority"))


def test_estimates_are_unbiased():
    """1 - (1 - c/n)^k is not."""
    rng = np.random.default_rng(0)
    right = rng.binomial(6, 0.3, 200_000)
    assert pass_at(right, 6, 4).mean() == pytest.approx(1 - 0.7**4, abs=0.003)
    assert majority_at(right, 6, 3).mean() == pytest.approx(3 * 0.3**2 * 0.7 + 0.3**3, abs=0.003)


def test_thousands_of_samples_are_no_problem():
    assert pass_at([10], [10_000], 1000)[0] == pytest.approx(1 - np.prod((9990 - np.arange(1000)) / (10_000 - np.arange(1000))))  # fmt: skip
    assert majority_at([6000], [10_000], 1000)[0] == pytest.approx(1, abs=1e-6)


def asked(rights, samples):
    cells = [("a", "a", at, right) for at, right in enumerate(rights) if right]
    cells += [("a", "b", at, n - right) for at, (right, n) in enumerate(zip(rights, samples, strict=True)) if n > right]
    return Tally.of(AXES, cells)


def test_intervals_are_over_questions():
    rng = np.random.default_rng(1)
    rights = rng.binomial(8, rng.beta(1, 1, 100))
    result = estimate_samples(asked(rights, [8] * 100), "pass", 3)
    values = pass_at(rights, 8, 3)
    assert result.estimate.value == pytest.approx(values.mean())
    assert result.estimate.n == 100
    half = 1.98 * values.std(ddof=1) / 10
    assert result.estimate.interval.half_width == pytest.approx(half, rel=0.1)
    once = estimate_samples(asked([1] * 70 + [0] * 30, [1] * 100), "pass", 1).estimate.interval
    assert once.low == pytest.approx(0.604, abs=0.01)  # Wilson's


def test_questions_with_too_few_samples_and_bad_numbers():
    result = estimate_samples(asked([2, 1, 0], [5, 5, 3]), "pass", 4)
    assert result.to_dict()["value"] is None
    assert result.estimate.undefined == "1 of 3 questions have fewer than 4 samples"
    for k in (0, 1.5, True):
        with pytest.raises(OptionError, match="whole number"):
            pass_at([1], [2], k)
    with pytest.raises(OptionError, match="between 0 and"):
        pass_at([3], [2], 1)
