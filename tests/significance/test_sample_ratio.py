"""The sequential test of the traffic split."""

import math

import numpy as np
import pytest

from justesse.core.errors import OptionError
from justesse.significance.sample_ratio import EVIDENCE, sample_ratio, sample_ratio_log_odds


def test_odds_are_the_product_of_predictions():
    """Lindon and Malek (2022): each event's posterior predictive chance over its planned one, event by event."""
    planned = np.array([0.5, 0.3, 0.2])
    rng = np.random.default_rng(0)
    counts, odds, rows, products = np.zeros(3), 0.0, [], []
    for variant in rng.choice(3, 200, p=[0.6, 0.2, 0.2]):
        odds += math.log((EVIDENCE * planned[variant] + counts[variant]) / (EVIDENCE + counts.sum()) / planned[variant])
        counts[variant] += 1
        rows.append(counts.copy())
        products.append(odds)
    np.testing.assert_allclose(sample_ratio_log_odds(np.array(rows), planned), products, atol=1e-9)
    assert sample_ratio(rows, planned).pvalue == pytest.approx(min(1.0, math.exp(-max(products))))


def test_a_mismatch_stays_found():
    bad = np.array([[5500, 4500]])
    mended = np.vstack([bad, [[55_000, 54_900]]])
    assert sample_ratio(mended, [1, 1]).pvalue == sample_ratio(bad, [1, 1]).pvalue < 1e-6
    assert sample_ratio([55_000, 54_900], [1, 1]).pvalue > 0.5


def test_shares_need_not_add_up_to_one():
    assert sample_ratio([900, 100], [9, 1]).pvalue == sample_ratio([900, 100], [0.9, 0.1]).pvalue == pytest.approx(1.0)


@pytest.mark.parametrize("shares", [[1], [1, 0], [1, -1], [1, 1, 1]])
def test_bad_shares_are_refused(shares):
    with pytest.raises(OptionError, match="planned share"):
        sample_ratio([10, 10], shares)
