"""An audit about the population in which all rows are disputed: the chance of a wrong verdict, by exact sums."""

import numpy as np
import pytest
from scipy.stats import binom

from justesse.judges.audit_plan import plan_audit


@pytest.mark.parametrize("n", [33, 52, 200])
@pytest.mark.parametrize("above", [0.5, 0.9, 0.95, 0.99, 0.995])
def test_a_wrong_verdict_about_the_population_is_rare_when_all_rows_are_answered(n, above):
    margin = round(2 * above - 1, 12)
    plan = plan_audit([1] * n, [0] * n, [1] * n, margin=margin, question="population", budget=n)
    won = np.arange(n + 1)
    total = 2.0 * won - n
    low, high = plan.ends("population", total, total)
    chance = binom.pmf(won, n, above)
    assert chance[low > margin].sum() <= 0.02
    assert chance[high < margin].sum() <= 0.02
    goal = plan.targets["population"]
    assert np.array_equal(total > goal.lower, low > margin)
    assert np.array_equal(total < goal.upper, high < margin)


@pytest.mark.parametrize("tie", [0.005, 0.02, 0.1, 0.5])
@pytest.mark.parametrize(("n", "above"), [(33, 0.5), (33, 0.9), (52, 0.99), (100, 0.95)])
def test_ties_do_not_make_a_wrong_verdict_more_likely(n, above, tie):
    tie = min(tie, 2 * (1 - above))  # the win rate is `above`, ties count as half
    margin = round(2 * above - 1, 12)
    plan = plan_audit([1] * n, [0] * n, [1] * n, margin=margin, question="population", budget=n)
    one = np.array([1 - above - tie / 2, tie, above - tie / 2])
    chance = np.ones(1)
    for _ in range(n):
        chance = np.convolve(chance, one)
    total = np.arange(-n, n + 1.0)
    low, high = plan.ends("population", total, total)
    assert chance[low > margin].sum() <= 0.025
    assert chance[high < margin].sum() <= 0.025
