"""A short, seeded look at how often comparisons on the same rows find what is not there."""

import numpy as np
import pytest
from studies.validity.count_sizes import count_sizes
from studies.validity.trinomial import tables


@pytest.fixture(scope="module")
def found():
    return count_sizes(repetitions=60)


def rows(found, room, start, n=None):
    picked = [row for row in found[room] if row["what"].startswith(start) and n in (None, row["n"])]
    assert picked, start
    return np.array([row["measured"] for row in picked])


def test_mcnemar_keeps_its_level(found):
    exact, mid, plain = (rows(found, "size", f"mcnemar {method}") for method in ("exact", "mid-p", "chi-square"))
    assert exact.max() < 0.05
    assert mid.max() < 0.0525
    assert plain.max() < 0.055
    assert np.all(exact <= mid)
    assert np.all(mid <= plain + 1e-12)
    # with dozens of disagreements mid-p is at its level, and the exact test still timid
    assert rows(found, "size", "mcnemar mid-p", 1000)[1:] == pytest.approx(0.05, abs=0.002)
    assert rows(found, "size", "mcnemar exact", 1000)[1] < 0.04


def test_equivalence_is_not_found_at_the_margin(found):
    assert rows(found, "size", "paired_equivalence").max() < 0.0525
    assert rows(found, "size", "paired_equivalence", 1000) == pytest.approx(0.05, abs=0.004)


@pytest.mark.parametrize("start", ["permutation", "two_areas", "max_t"])
def test_simulated_sizes_are_near_their_level(found, start):
    """Sixty repetitions each: a wide look that a broken test would not pass."""
    sizes = rows(found, "size", start)
    assert sizes.max() <= 0.18
    assert 0 < sizes.mean() < 0.14


def test_tango_covers(found):
    for row in found["coverage"]:
        if row["what"] == "tango":
            assert 0.95 <= row["measured"] < 0.99
            assert row["lowest"] > 0.925


def test_other_intervals_cover(found):
    for start in ("paired_bootstrap", "paired_delta"):
        assert rows(found, "coverage", start).min() > 0.8
        assert rows(found, "coverage", start, 500).mean() > 0.9
    assert all(row["none"] == 0 for row in found["coverage"] if "none" in row)


def test_a_candidate_that_is_no_better_seldom_replaces(found):
    shares = rows(found, "judges", "paired replaces")
    assert shares.max() < 0.0285
    assert rows(found, "judges", "paired replaces", 1000)[1:4] == pytest.approx(0.025, abs=0.001)


def test_overlap_is_timid_for_classifiers_that_err_together(found):
    alone, half, most = rows(found, "judges", "classical")
    assert alone == pytest.approx(0.05, abs=0.025)
    assert half < 0.02
    assert most < 0.005


def test_the_seed_decides():
    assert count_sizes(repetitions=3, seed=1) == count_sizes(repetitions=3, seed=1)


def test_tables_have_the_shares_they_were_asked_for():
    every = tables(60, difference=0.1, disagreement=0.3)
    assert every.chance.sum() == pytest.approx(1)
    assert (every.chance * (every.c - every.b)).sum() / 60 == pytest.approx(0.1)
    assert (every.chance * (every.c + every.b)).sum() / 60 == pytest.approx(0.3)
    assert every.share(every.b + every.c == 0) == pytest.approx(0.7**60)
