import numpy as np
import pytest
from scipy.stats import hypergeom

from justesse.significance.two_shares import share_gaps


@pytest.mark.parametrize(("n", "all_hits"), [(500, 490), (60, 30), (20_000, 18_000), (40, 0), (3_000, 17)])
def test_pvalues_are_twice_the_smaller_hypergeometric_tail(n, all_hits):
    rng = np.random.default_rng(0)
    for size in rng.integers(1, n, 8):
        fewest, most = max(0, size - n + all_hits), min(size, all_hits)
        for hits in {fewest, most, int(rng.hypergeometric(all_hits, n - all_hits, size))}:
            tails = hypergeom.cdf(hits, n, all_hits, size), hypergeom.sf(hits - 1, n, all_hits, size)
            gaps = share_gaps([hits], [size], all_hits=all_hits, n=n, level=0.95, tried=1)
            assert gaps.pvalues[0] == pytest.approx(min(1, 2 * min(tails)), rel=1e-6, abs=1e-300)


def test_small_parts_do_not_differ_by_a_score_interval_alone():
    gaps = share_gaps([8], [10], all_hits=490, n=500, level=0.95, tried=50)
    assert not gaps.differ[0]
    assert gaps.pvalues[0] > 0.7


def test_a_part_of_all_rows_or_of_none_has_no_pvalue():
    gaps = share_gaps([9, 0], [10, 0], all_hits=9, n=10, level=0.95, tried=2)
    assert np.isnan(gaps.pvalues).all()
    assert not gaps.differ.any()
