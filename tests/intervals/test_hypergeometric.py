"""The exact interval of a share of a known number of rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from justesse.core.errors import OptionError
from justesse.intervals.clopper_pearson import clopper_pearson
from justesse.intervals.hypergeometric import hypergeometric


def by_trying_all(k, n, population, tails):
    totals = np.arange(k, population - n + k + 1)
    fits = (hypergeom.sf(k - 1, population, totals, n) > tails[0]) & (
        hypergeom.cdf(k, population, totals, n) > tails[1]
    )
    return totals[fits][[0, -1]] / population


@settings(max_examples=80, deadline=None)
@given(data=st.data(), population=st.integers(2, 60), level=st.floats(0.5, 0.999))
def test_the_ends_are_those_of_all_totals_tried(data, population, level):
    n = data.draw(st.integers(1, population))
    k = data.draw(st.integers(0, n))
    ends = hypergeometric(k, n, population, level=level)
    tail = (1 - level) / 2
    low, high = by_trying_all(k, n, population, (tail, tail))
    assert [float(ends.low), float(ends.high)] == pytest.approx([min(low, k / n), max(high, k / n)])


@pytest.mark.parametrize(("population", "sample"), [(40, 10), (40, 30), (7, 3)])
def test_it_covers_every_total_as_often_as_it_says(population, sample):
    for total in range(population + 1):
        chance = 0.0
        for k in range(max(0, sample - population + total), min(total, sample) + 1):
            ends = hypergeometric(k, sample, population, level=0.9)
            chance += hypergeom.pmf(k, population, total, sample) * (ends.low <= total / population <= ends.high)
        assert chance >= 0.9


def test_a_huge_population_is_like_an_endless_one():
    ends, endless = hypergeometric(3, 50, 10**7), clopper_pearson(3, 50)
    assert float(ends.low) == pytest.approx(float(endless.low), abs=1e-4)
    assert float(ends.high) == pytest.approx(float(endless.high), abs=1e-4)


def test_one_side_is_open_and_impossible_samples_are_refused():
    assert hypergeometric(0, 5, 20, alternative="less").low == -np.inf
    assert hypergeometric(0, 5, 20, alternative="greater").high == np.inf
    with pytest.raises(OptionError, match="impossible"):
        hypergeometric(3, 2, 10)
