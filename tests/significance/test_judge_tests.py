"""Tests of a judge's error rates and of what it favours: against Fisher's exact test and brute force."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from justesse.significance.constant_rates import constant_rates
from justesse.significance.exchange import Exchange
from justesse.significance.rating_gap import rating_gap


def test_two_groups_without_clusters_are_fishers_exact_test():
    verdicts, groups = [1] * 17 + [0] * 3 + [1] * 9 + [0] * 11, [0] * 20 + [1] * 20
    exact = fisher_exact([[17, 3], [9, 11]]).pvalue
    assert constant_rates(verdicts, [1] * 40, groups, draws=20_000).pvalue == pytest.approx(exact, abs=0.003)
    gap = rating_gap(verdicts, np.array(groups) == 0, [1] * 40, draws=20_000)
    assert gap.pvalue == pytest.approx(exact, abs=0.003)
    assert gap.difference.value == pytest.approx(17 / 20 - 9 / 20)


def test_the_gap_is_that_of_mantel_and_haenszel():
    rng = np.random.default_rng(2)
    rating, kind = rng.integers(0, 2, 200), rng.random(200) < 0.4
    verdict = (rng.random(200) < 0.3 + 0.4 * rating + 0.1 * kind).astype(float)
    top = bottom = 0.0
    for level in (0, 1):
        a, b = verdict[(rating == level) & kind], verdict[(rating == level) & ~kind]
        weight = len(a) * len(b) / (len(a) + len(b))
        top, bottom = top + weight * (a.mean() - b.mean()), bottom + weight
    assert rating_gap(verdict, kind, rating).difference.value == pytest.approx(top / bottom)


def test_exchanges_within_a_cluster_by_brute_force():
    verdicts = np.array([1, 0, 0, 1, 0, 1.0])
    models, items, ratings = np.array([0, 1, 2] * 2), np.repeat([0, 1], 3), np.ones(6)
    result = constant_rates(verdicts, ratings, models, items, draws=20_000)

    def statistic(labels):
        return sum((verdicts[labels == m].sum() - 1) ** 2 for m in range(3))

    ways = [statistic(np.array([*one, *two])) for one in permutations(range(3)) for two in permutations(range(3))]
    share = np.mean(np.array(ways) >= statistic(models) - 1e-9)
    assert result.pvalue == pytest.approx(share, abs=0.01)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_exchanged_labels_keep_their_number_in_every_block(seed, nested):
    rng = np.random.default_rng(seed)
    cluster = np.sort(rng.integers(0, 8, 30))
    label = rng.integers(0, 3, 8)[cluster] if nested else rng.integers(0, 3, 30)
    rating = rng.integers(0, 2, 30)
    exchange = Exchange.of(label, rating, cluster)
    for drawn in next(exchange.draws(5, rng)):
        for code in np.unique(exchange.blocks):
            first = np.unique(exchange.carrier, return_index=True)[1]
            own = exchange.blocks == code
            assert sorted(drawn[first][own]) == sorted(exchange.labels[own])


def test_what_cannot_be_tested_says_why():
    alone = constant_rates([1, 0], [1, 1], ["a", "a"])
    assert math.isnan(alone.pvalue)
    assert alone.undefined == "there is only one group"
    assert "exchanged" in constant_rates([1, 1], [1, 0], ["a", "b"]).undefined
    nobody = rating_gap([1, 0], [True, False], [1, 0])
    assert nobody.undefined == "people rate no two units of different kinds alike"
    assert nobody.difference.interval is None
