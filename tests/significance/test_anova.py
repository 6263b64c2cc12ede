import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import AnovaRM, anova_lm

from justesse.core.errors import OptionError
from justesse.significance.anova import anova
from justesse.significance.corrected_t import corrected_t
from justesse.significance.paired_t import paired_t

SCORES = np.random.default_rng(1).normal(0.8, 0.03, size=(7, 4)).round(3)


def long(scores):
    fold, classifier = np.indices(scores.shape)
    return pd.DataFrame({"score": scores.ravel(), "fold": fold.ravel(), "classifier": classifier.ravel()})


def test_scipy_agrees_on_one_way():
    peer = stats.f_oneway(*SCORES.T)
    found = anova(SCORES, blocked=False)
    assert (found.statistic, found.pvalue) == pytest.approx((peer.statistic, peer.pvalue))
    assert found.df == (3.0, 24.0)


def test_statsmodels_agrees_on_blocks():
    repeated = AnovaRM(long(SCORES), "score", "fold", within=["classifier"]).fit().anova_table.iloc[0]
    linear = anova_lm(ols("score ~ C(fold) + C(classifier)", long(SCORES)).fit()).loc["C(classifier)"]
    found = anova(SCORES)
    assert (found.statistic, found.pvalue) == pytest.approx((repeated["F Value"], repeated["Pr > F"]))
    assert (found.statistic, found.pvalue) == pytest.approx((linear["F"], linear["PR(>F)"]))
    assert found.df == (repeated["Num DF"], repeated["Den DF"]) == (3.0, 18.0)
    assert found.n == 7


@given(arrays(float, (6, 2), elements=st.floats(0, 1).map(lambda x: round(x, 3))))
def test_two_classifiers_give_the_square_of_the_paired_t(scores):
    assume(np.ptp(scores[:, 1] - scores[:, 0]) > 1e-6)
    t, f = paired_t(*scores.T), anova(scores)
    assert f.statistic == pytest.approx(t.statistic**2, abs=1e-9)
    assert f.pvalue == pytest.approx(t.pvalue)


@given(arrays(float, (5, 1), elements=st.floats(-10, 10)))
def test_what_folds_have_in_common_does_not_matter_to_blocks(hardness):
    assert anova(SCORES[:5] + hardness).statistic == pytest.approx(anova(SCORES[:5]).statistic, rel=1e-6)


def test_shared_folds_hide_differences_from_the_one_way_form():
    """The specification's trial: size .0002 and power .03 one-way, .049 and .69 blocked."""
    rng = np.random.default_rng(0)
    equal = 1.5 * rng.normal(size=(1500, 10, 1)) + rng.normal(size=(1500, 10, 3))
    unequal = equal + np.array([0.0, 0.0, 1.25])
    rates = {
        blocked: [np.mean([anova(one, blocked=blocked).pvalue < 0.05 for one in tables]) for tables in (equal, unequal)]
        for blocked in (True, False)
    }
    assert rates[True] == [pytest.approx(0.05, abs=0.017), pytest.approx(0.75, abs=0.1)]
    assert rates[False][0] < 0.005
    assert rates[False][1] < 0.25


def test_what_it_warns_of():
    one_way, blocked = anova(SCORES, blocked=False), anova(SCORES)
    assert "hardly ever" in one_way.warnings[0]
    assert "Repeated splits" in blocked.warnings[0]
    assert (one_way.test, blocked.test) == ("anova-one-way", "anova-blocked")


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("size", [0.3, 3e6])
def test_no_difference_at_all(blocked, size):
    found = anova(np.full((4, 3), size), blocked=blocked)
    assert (found.statistic, found.pvalue, found.undefined) == (0, 1, None)


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("size", [1, 1e7])
def test_differences_without_any_noise_leave_it_undefined(blocked, size):
    folds = np.array([[0.1], [0.23], [0.37]]) if blocked else np.zeros((3, 1))
    found = anova(size * (folds + np.array([0.7, 0.8, 0.85])), blocked=blocked)
    assert np.isnan(found.pvalue)
    assert "spread" in found.undefined


@pytest.mark.parametrize(
    "scores",
    [[0.5, 0.6], [[0.5, 0.6]], [[0.5], [0.6]], [[0.5, 0.6], [0.5]], [[0.5, np.nan], [0.5, 0.6]], "scores", None],
)
def test_wrong_shapes_are_refused(scores):
    with pytest.raises(OptionError, match="full table|finite"):
        anova(scores)


def test_corrected_for_training_sets_that_overlap_it_is_the_square_of_the_corrected_t():
    rng = np.random.default_rng(8)
    scores = rng.normal(0.8, 0.02, size=(10, 2))
    found = anova(scores, test_over_train=1 / 9)
    expected = corrected_t(*scores.T, test_over_train=1 / 9)
    assert found.statistic == pytest.approx(expected.statistic**2)
    assert found.pvalue == pytest.approx(expected.pvalue)
    assert found.warnings == ()
    assert found.pvalue > anova(scores).pvalue
    with pytest.raises(OptionError, match="Leave out test_over_train"):
        anova(scores, blocked=False, test_over_train=1 / 9)
