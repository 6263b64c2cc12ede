"""Intervals of shares of pairs: coverage where pairs share members, and what they come to in plain cases."""

import itertools

import numpy as np
import pytest
from studies.validity.pairs import pair_coverage

from justesse.intervals import wilson
from justesse.intervals.shared_members import shared_members


def every(size):
    return ~np.eye(size, dtype=bool)


def test_nothing_counts_nothing_is_said():
    none = np.zeros((4, 4), dtype=bool)
    assert shared_members(none, none) is None


def test_the_variance_is_that_of_pairs_that_share_a_member():
    rng = np.random.default_rng(0)
    among = np.triu(every(7))
    hits = (rng.random((7, 7)) < 0.4) & among
    pairs = list(zip(*np.nonzero(among), strict=True))
    share = hits.sum() / len(pairs)
    apart = {pair: hits[pair] - share for pair in pairs}
    # every two pairs with a member in common, a pair with itself counted for both of its members
    total = sum(apart[one] * apart[two] * len(set(one) & set(two)) for one, two in itertools.product(pairs, pairs))
    variance = total / len(pairs) ** 2 + 1 / 49
    near = (share * 7 + 1) / 9
    n = near * (1 - near) / variance
    ends = wilson(share * n, n)
    found = shared_members(hits, among)
    assert (found.low, found.high) == pytest.approx((float(ends.low), float(ends.high)))


def test_it_is_never_sharper_than_independent_pairs():
    rng = np.random.default_rng(1)
    for size in (3, 10, 40):
        hits = (rng.random((size, size)) < 0.3) & every(size)
        alone = wilson(hits.sum(), every(size).sum())
        found = shared_members(hits, every(size))
        assert found.low <= alone.low + 1e-12
        assert found.high >= alone.high - 1e-12


def test_no_hits_do_not_pass_for_certainty_and_more_members_say_more():
    ends = [shared_members(np.zeros((size, size), dtype=bool), every(size)).high for size in (2, 10, 30, 100)]
    assert ends == sorted(ends, reverse=True)
    assert 0.02 < ends[-1] < 0.05


def test_one_hit_hardly_differs_from_none():
    none = np.zeros((30, 30), dtype=bool)
    one = none.copy()
    one[3, 4] = True
    assert shared_members(one, every(30)).high == pytest.approx(shared_members(none, every(30)).high, abs=0.01)


@pytest.mark.parametrize("members", [10, 40])
@pytest.mark.parametrize(("base", "spread"), [(-3.0, 0.0), (-3.0, 2.0), (-1.0, 1.0)])
def test_it_covers_the_rate_of_other_pools(members, base, spread):
    _, ours, plain = pair_coverage(members, base, spread, repetitions=300)
    assert ours >= 0.92
    if spread:
        assert plain < 0.9  # what it is there for
