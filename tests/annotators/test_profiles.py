"""Items with equal counts are counted once, and every coefficient stays what it is."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from justesse.annotators.agreement import TITLES, agreement, by_class
from justesse.annotators.alpha_counts import alpha_of_counts
from justesse.annotators.distances import alpha
from justesse.annotators.profiles import WEIGHTS, counted_alike, table_profiles
from justesse.core.annotations import Annotations


@pytest.mark.parametrize("size", WEIGHTS)
def test_weights_tell_all_rows_of_counts_apart(size):
    weights = WEIGHTS[size][: 8 if size <= 3 else None]
    sums = [sum(chosen) for chosen in combinations_with_replacement((0, *weights), size)]
    assert len(set(sums)) == len(sums)
    assert size * max(WEIGHTS[size]) < 2**20


def sparse(n, k, each, seed=0):
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(n), each)
    kept = rng.random(len(item)) < 0.8
    truth = rng.integers(0, k, n)
    answers = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, k, len(item)))
    who = np.tile(np.arange(each), n)
    return Annotations.sorted(range(n), range(each), tuple(range(k)), item[kept], who[kept], answers[kept])


@pytest.mark.parametrize(("k", "each"), [(2, 3), (10, 5), (7, 8), (11, 5)])
def test_profiles_are_the_distinct_rows(k, each):
    table = sparse(300_000 if k == 2 else 30_000, k, each).vote_table()
    profiles = table_profiles(table)
    rows, times = np.unique(table, axis=0, return_counts=True)
    order = np.lexsort(profiles.counts.T[::-1])
    assert (profiles.counts[order] == rows).all()
    assert (profiles.times[order] == times).all()


def test_a_rare_row_late_in_the_table_is_found():
    table = np.tile([[2, 1]], (300_000, 1))
    table[-1] = [0, 3]
    assert table_profiles(table).times.tolist() == [299_999, 1]


def test_an_item_with_more_answers_than_the_first_is_not_mixed_up():
    """6 answers of class 0 have the sum of one answer of class 1 where weights are for 5 answers."""
    table = np.tile([[5, 0], [0, 1]], (20_000, 1))
    table[-1] = [6, 0]
    assert table_profiles(table) is None
    table[0] = [6, 0]
    assert sorted(table_profiles(table).times.tolist()) == [2, 19_999, 19_999]
    assert table_profiles(np.full((30_000, 2), 50)) is None
    assert np.isfinite(alpha_of_counts(np.tile([[50, 0], [1, 40]], (20_000, 1))).value)


@pytest.mark.parametrize("each", [1, 4])
def test_coefficients_are_those_of_single_items(each):
    notes = sparse(25_000, 5, each)
    votes, alike = notes.votes(), counted_alike(notes)
    assert alike.times is not None
    assert alike.n == votes.n
    pairs = [(agreement(votes, name), agreement(alike, name)) for name in TITLES]
    pairs += [(alpha(votes, scale), alpha(alike, scale)) for scale in ("ordinal", "interval", "ratio")]
    pairs += zip(by_class(votes), by_class(alike), strict=True)
    for expected, value in pairs:
        assert (value.n, value.undefined) == (expected.n, expected.undefined)
        assert value.value == pytest.approx(expected.value, abs=1e-9, nan_ok=True)
        assert (value.interval is None) == (expected.interval is None)
        if value.interval:
            assert value.interval.low == pytest.approx(expected.interval.low, abs=1e-9)
            assert value.interval.high == pytest.approx(expected.interval.high, abs=1e-9)
