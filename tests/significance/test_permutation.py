import itertools
import math
import sys

import numpy as np
import pytest
from sklearn.metrics import f1_score

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.measures import accuracy, averaged, cost, error, f1, mcc, precision
from justesse.significance.mcnemar import mcnemar
from justesse.significance.paired_measure import Compared
from justesse.significance.permutation import permutation

AXES = ("label", "incumbent", "candidate")
SIDES = ("two-sided", "greater", "less")
MACRO_F1 = Compared(averaged(f1, "macro"))


def tally_of(rows: np.ndarray) -> Tally:
    return Tally.of(AXES, [(*map(int, row), 1) for row in rows], classes=[0, 1, 2])


def every_swap(rows: np.ndarray, measure: object) -> tuple[float, np.ndarray]:
    """Compute the difference under all ways to let the two change places on rows where they disagree."""
    label, one, other = rows.T
    apart = np.flatnonzero(one != other)
    values = []
    for swapped in itertools.product([False, True], repeat=len(apart)):
        first, second = one.copy(), other.copy()
        turned = apart[list(swapped)]
        first[turned], second[turned] = other[turned], one[turned]
        values.append(measure(label, second) - measure(label, first))
    return values[0], np.array(values)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("side", SIDES)
def test_all_swaps_of_a_tiny_table(seed, side):
    rng = np.random.default_rng(seed)
    label = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 1])
    one = np.where(rng.random(10) < 0.5, label, rng.integers(3, size=10))
    other = np.where(rng.random(10) < 0.8, label, rng.integers(3, size=10))
    rows = np.column_stack([label, one, other])
    observed, values = every_swap(rows, lambda y, p: f1_score(y, p, average="macro", labels=np.unique([*y, *p])))
    far = {"two-sided": np.abs(values) >= abs(observed) - 1e-12, "greater": values >= observed - 1e-12,
           "less": values <= observed + 1e-12}[side]  # fmt: skip
    draws = 20_000
    found = permutation(tally_of(rows), MACRO_F1, alternative=side, draws=draws)
    assert found.statistic == pytest.approx(observed)
    assert found.pvalue == pytest.approx(far.mean(), abs=4 * math.sqrt(0.25 / draws))


def test_all_swaps_for_mcc():
    rng = np.random.default_rng(9)
    label = np.repeat([0, 1], 8)
    rows = np.column_stack([label, *(np.where(rng.random(16) < p, label, 1 - label) for p in (0.5, 0.9))])
    observed, values = every_swap(rows, lambda y, p: np.corrcoef(y, p)[0, 1])  # of two classes: the same
    found = permutation(tally_of(rows), Compared(mcc), draws=20_000)
    assert found.pvalue == pytest.approx(np.mean(np.abs(values) >= abs(observed) - 1e-12), abs=0.015)


@pytest.mark.parametrize(("b", "c"), [(15, 5), (3, 9), (6, 6), (0, 4)])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("compared", [Compared(accuracy), Compared(error)])
def test_for_accuracy_it_is_mcnemars_exact_test(b, c, side, compared):
    tally = Tally.of(AXES, [(1, 1, 1, 60), (1, 0, 1, c), (1, 1, 0, b), (0, 0, 0, 80)])
    draws = 20_000
    found = permutation(tally, compared, alternative=side, draws=draws)
    exact = mcnemar(b, c, method="exact", alternative=side).pvalue
    assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(0.25 / draws))
    assert found.difference.value == pytest.approx((c - b) / tally.n)


def test_costs_too():
    costs = np.array([[0.0, 10.0], [1.0, 0.0]])
    cells = [(0, 0, 0, 50), (0, 1, 0, 8), (0, 0, 1, 1), (1, 0, 1, 2), (1, 1, 0, 9), (1, 1, 1, 50)]
    found = permutation(Tally.of(AXES, cells), Compared(cost(costs)))
    assert found.statistic == pytest.approx((8 * 10 - 10 + 2 - 9) / 120)
    assert found.pvalue < 0.05


@pytest.mark.parametrize("side", SIDES)
def test_two_that_never_disagree(side):
    tally = Tally.of(AXES, [(1, 1, 1, 5), (0, 1, 1, 3), (0, 0, 0, 4)])
    assert permutation(tally, MACRO_F1, alternative=side, draws=100).pvalue == 1


def test_an_undefined_measure_says_so():
    tally = Tally.of(AXES, [(1, 1, 1, 5), (0, 1, 1, 3)])
    found = permutation(tally, Compared(precision, 0), draws=100)
    assert math.isnan(found.pvalue)
    assert found.undefined == found.difference.undefined is not None


def test_the_smallest_p_value_is_never_0():
    tally = Tally.of(AXES, [(1, 0, 1, 500), (0, 1, 0, 500)])
    assert permutation(tally, MACRO_F1, draws=99).pvalue == pytest.approx(0.01)


def test_seeded_and_the_same_for_any_size_of_chunk(monkeypatch):
    tally = Tally.of(AXES, [(1, 1, 1, 60), (1, 0, 1, 15), (0, 0, 1, 5), (0, 0, 0, 80)])
    first, again, other = (permutation(tally, MACRO_F1, seed=seed, draws=500).pvalue for seed in (1, 1, 2))
    assert first == again != other
    monkeypatch.setattr(sys.modules["justesse.significance.permutation"], "CHUNK", 40)
    assert permutation(tally, MACRO_F1, seed=1, draws=500).pvalue == first


def test_a_billion_rows_cost_no_more():
    cells = [(1, 1, 1, 10**9), (1, 0, 1, 10**6), (0, 0, 1, 10**6 + 4000), (0, 0, 0, 10**9)]
    found = permutation(Tally.of(AXES, cells), Compared(accuracy), draws=2000)
    assert found.pvalue == pytest.approx(mcnemar(10**6 + 4000, 10**6).pvalue, abs=0.01)


def test_bad_options_are_refused():
    tally = Tally.of(AXES, [(1, 1, 0, 5)])
    with pytest.raises(OptionError, match="draws"):
        permutation(tally, MACRO_F1, draws=0)
    with pytest.raises(OptionError, match="alternative"):
        permutation(tally, MACRO_F1, alternative="better")
