import json
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from justesse.core.errors import OptionError
from justesse.significance.friedman import friedman
from justesse.significance.mean_ranks import ranks_within

# table 6 of Demšar (2006): ranks of four variants of C4.5 on 14 data sets, as printed
DEMSAR = np.array(
    [
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [4, 1, 2, 3],
        [4, 1, 3, 2],
        [4, 2, 3, 1],
        [1, 2.5, 4, 2.5],
        [3, 2, 4, 1],
        [2.5, 2.5, 4, 1],
        [4, 3, 2, 1],
        [2.5, 2.5, 2.5, 2.5],
        [4, 2.5, 1, 2.5],
        [3, 2, 4, 1],
        [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
)
COARSE = arrays(float, (6, 4), elements=st.integers(0, 5).map(lambda x: x / 10))


@given(COARSE)
def test_scipy_agrees_with_ties_and_without(scores):
    assume(np.any(np.ptp(scores, axis=1) > 0))
    peer = stats.friedmanchisquare(*scores.T)
    found = friedman(scores)
    assert (found.statistic, found.pvalue) == pytest.approx((peer.statistic, peer.pvalue))
    assert found.ranks == pytest.approx(stats.rankdata(-scores, axis=1).mean(axis=0))


@given(COARSE, st.permutations(range(4)))
def test_the_order_of_columns_and_the_scale_of_scores_do_not_matter(scores, order):
    found, turned = friedman(scores), friedman(np.exp(3 * scores[:, order]))
    assert turned.statistic == pytest.approx(found.statistic)
    assert turned.f_pvalue == pytest.approx(found.f_pvalue)
    assert turned.ranks == pytest.approx(np.array(found.ranks)[order])


def test_the_example_of_demsar():
    """He prints χ² = 9.28 and F = 3.69, without the correction for ties; both are larger with it."""
    found = friedman(DEMSAR, higher_is_better=False)
    assert np.round(found.ranks, 3).tolist() == [3.143, 2.000, 2.893, 1.964]
    n, many, tied = 14, 4, 3 * (2**3 - 2) + (4**3 - 4)
    plain = found.statistic * (1 - tied / (n * (many**3 - many)))
    assert plain == pytest.approx(9.28, abs=0.01)
    assert (n - 1) * plain / (n * (many - 1) - plain) == pytest.approx(3.69, abs=0.01)
    assert found.f_statistic == pytest.approx((n - 1) * found.statistic / (n * 3 - found.statistic))
    assert found.f_pvalue == pytest.approx(stats.f.sf(found.f_statistic, 3, 39))
    assert found.f_df == (3.0, 39.0)
    assert found.f_pvalue < found.pvalue < 0.05


def test_f_is_the_analysis_of_variance_of_the_ranks():
    from justesse.significance.anova import anova

    found, peer = friedman(DEMSAR, higher_is_better=False), anova(DEMSAR)
    assert (found.f_statistic, found.f_pvalue) == pytest.approx((peer.statistic, peer.pvalue))


def test_the_best_has_rank_one_either_way():
    scores = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]]
    assert friedman(scores).ranks == (1.5, 1.5, 3.0)
    assert friedman(scores, higher_is_better=False).ranks == (2.5, 2.5, 1.0)
    assert ranks_within(np.array([[1.0, 1.0, 1.0]])).tolist() == [[2.0, 2.0, 2.0]]


@pytest.mark.parametrize("row", [(1, 2, 3), (1, 2, 2)])
@pytest.mark.parametrize("n", [2, 3])
def test_the_same_order_everywhere_has_an_exact_p_value(row, n):
    """The formula's F is infinite and its p-value 0; so many orders alike are not impossible, only rare."""
    found = friedman([row] * n)
    tables = list(product(permutations(row), repeat=n))
    assert found.f_statistic == np.inf
    assert found.f_pvalue == pytest.approx(np.mean([len(set(table)) == 1 for table in tables]))
    assert found.to_dict()["f_statistic"] is None
    assert found.to_dict()["f_undefined"].startswith("F is infinite: every data set gives the same order.")
    if row == (1, 2, 3):
        assert found.f_pvalue == pytest.approx(factorial(3) ** -(n - 1))


def test_ties_everywhere_are_no_evidence():
    found = friedman([[0.5] * 3] * 4)
    assert (found.statistic, found.pvalue, found.f_statistic, found.f_pvalue) == (0, 1, 0, 1)


def test_names_and_json():
    found = friedman([[0.9, 0.8], [0.7, 0.8], [0.6, 0.5]], names=["tree", "forest"])
    written = json.loads(json.dumps(found.to_dict()))
    assert written["ranks"] == {"tree": pytest.approx(4 / 3), "forest": pytest.approx(5 / 3)}
    assert written["test"] == "friedman"
    assert friedman([[0.9, 0.8], [0.7, 0.8]]).names == ("classifier 1", "classifier 2")


@pytest.mark.parametrize("names", [["one"], ["one", "one"], ["one", "two", "three"]])
def test_wrong_names_are_refused(names):
    with pytest.raises(OptionError, match="different names"):
        friedman([[0.9, 0.8], [0.7, 0.8]], names=names)


@pytest.mark.parametrize("scores", [[[0.5, 0.6]], [0.5, 0.6], [[0.5], [0.6]], [[0.5, np.nan], [0.5, 0.6]]])
def test_wrong_shapes_are_refused(scores):
    with pytest.raises(OptionError, match="full table|finite"):
        friedman(scores)


def test_with_few_data_sets_f_has_the_share_of_random_orders():
    """Enumerated with ties, and drawn: F itself would reject in 7.6 % of cases of five data sets at level 5 %."""
    scores = np.array([[0.8, 0.83, 0.81], [0.84, 0.86, 0.84], [0.79, 0.84, 0.85], [0.83, 0.85, 0.84]])
    reached = friedman(scores).statistic
    orders = list(permutations(range(3)))
    shuffled = [
        friedman([row[list(order)] for row, order in zip(scores, chosen, strict=True)]).statistic
        for chosen in product(orders, repeat=4)
    ]
    assert friedman(scores).f_pvalue == pytest.approx(np.mean(np.array(shuffled) >= reached - 1e-9))
    rng = np.random.default_rng(8)
    rejected = [friedman(rng.normal(size=(5, 4))).f_pvalue <= 0.05 for _ in range(400)]
    assert np.mean(rejected) < 0.06
