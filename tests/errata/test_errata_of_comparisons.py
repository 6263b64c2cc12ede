"""What docs/errata.md says of comparing classifiers, item by item."""

import warnings

import numpy as np
import pytest
from mlxtend.evaluate import mcnemar as mlxtend_mcnemar
from scipy import stats

from justesse import Tally, compare_folds, evaluate
from justesse.core.case import Case
from justesse.intervals import wilson
from justesse.judges import classical, paired
from justesse.significance.equivalence_t import equivalence_t
from justesse.significance.mcnemar import mcnemar
from justesse.significance.one_sample_t import one_sample_t
from justesse.significance.overlap import overlap_level
from justesse.significance.paired_t import paired_t


def case(both: int, only_incumbent: int, only_candidate: int, neither: int) -> Case:
    cells = [(1, 1, 1, both), (1, 1, 0, only_incumbent), (1, 0, 1, only_candidate), (1, 0, 0, neither)]
    return Case(Tally.of(("label", "incumbent", "candidate"), cells))


@pytest.mark.parametrize("alone", [0, 60])
def test_4_the_example_of_6_5_4_is_decided_alike_at_a_true_95_percent(alone):
    """Who was right where is not said, and overlap does not ask: `alone` rows only the incumbent has right."""
    ends = wilson([720, 780], 1000)
    assert ends.low.round(3).tolist() == [0.691, 0.753]
    assert ends.high.round(3).tolist() == [0.747, 0.805]
    each_of_95 = {"level": overlap_level(stats.norm.isf(0.025))}
    found = classical(case(720 - alone, alone, 60 + alone, 220 - alone), **each_of_95)
    assert found.decision == "replace"
    assert [one.interval.level for one in (found.incumbent, found.candidate)] == pytest.approx([0.95, 0.95])
    # the reference shifts by what the noise did, prudent v1 by the most it could: both then overlap, as printed
    for up, down in ((0.015, 0.005), (0.05, 0.05)):
        assert ends.low[1] - down < ends.high[0] + up
    printed = wilson([720, 780], 1000, level=0.90)
    assert printed.low[1] - 0.005 < printed.high[0] + 0.015


def test_10_the_p_value_is_compared_with_the_risk_not_the_statistic():
    """30 against 28 rows is no evidence, yet the statistic, 0.069, is above 0.05 as almost any is."""
    found = mcnemar(28, 30, method="chi-square")
    assert found.statistic == pytest.approx(4 / 58)
    assert found.statistic > 0.05
    assert found.pvalue == pytest.approx(stats.chi2.sf(4 / 58, 1))
    assert paired(case(900, 28, 30, 42)).decision == "cannot_tell"
    by_luck = [mcnemar(b, 60 - b, method="chi-square") for b in stats.binom.rvs(60, 0.5, size=300, random_state=0)]
    assert np.mean([one.statistic > 0.05 for one in by_luck]) > 0.8
    assert np.mean([one.pvalue < 0.05 for one in by_luck]) < 0.08


def test_12_an_error_that_is_the_target_is_not_below_it():
    """With t < t_α as printed even an error above the target would count as below it."""
    above = [0.19, 0.22, 0.21, 0.20, 0.20]
    found = one_sample_t(above, 0.2, alternative="less")
    assert 0 < found.statistic < stats.t.isf(0.05, 4)
    assert found.pvalue > 0.5
    below = one_sample_t(above, 0.23, alternative="less")
    assert below.statistic < -stats.t.isf(0.05, 4)
    assert below.pvalue < 0.05


def test_12_inside_the_interval_is_not_ruled_out_which_is_not_identical():
    """Scores that scatter widely are 'statistically identical' by 002's rule whatever they are."""
    incumbent, candidate = [0.70, 0.90, 0.60, 0.95, 0.65], [0.92, 0.70, 0.93, 0.72, 0.80]
    found = paired_t(incumbent, candidate)
    assert abs(found.statistic) < stats.t.isf(0.025, 4)
    assert compare_folds({"old": incumbent, "new": candidate}, margin=0.05).verdict.decision == "cannot_tell"
    assert equivalence_t(incumbent, candidate, 0.05).pvalue > 0.3
    close = [score + 0.001 * (-1) ** at for at, score in enumerate(incumbent)]
    assert equivalence_t(incumbent, close, 0.05).pvalue < 0.001
    assert compare_folds({"old": incumbent, "new": close}, margin=0.05).verdict.decision == "equivalent"


def test_12_a_fold_s_error_is_a_share_of_its_own_rows_and_s_a_standard_deviation():
    label = [0] * 10
    answer = [0, 0, 1, 1, 0, 0, 0, 0, 0, 1]  # two errors in a fold of four rows, one in a fold of six
    found = evaluate(y_true=label, y_pred=answer, by={"fold": [1] * 4 + [2] * 6})
    errors = [1 - part.estimates[0].value for part in found.slices]
    assert errors == pytest.approx([2 / 4, 1 / 6])
    scores = np.array([0.18, 0.21, 0.17, 0.24])
    t = one_sample_t(scores, 0.22).statistic
    assert t == pytest.approx(2 * (scores.mean() - 0.22) / scores.std(ddof=1))


def test_15_the_mean_difference_is_standardised_before_it_meets_a_quantile_of_student():
    """As 2.3.5 has it no difference of accuracies could ever be found: it is at most 1, and the quantile 2.8."""
    found = paired_t([0.10, 0.12, 0.11, 0.10, 0.13], [0.95, 0.96, 0.97, 0.95, 0.96])
    assert found.difference.value < stats.t.isf(0.025, 4)
    assert found.statistic == pytest.approx(
        found.difference.value / np.sqrt(np.var([0.85, 0.84, 0.86, 0.85, 0.83], ddof=1) / 5)
    )
    assert found.pvalue < 1e-6


def test_mlxtend_takes_no_disagreement_for_certainty():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert mlxtend_mcnemar(np.array([[10, 0], [0, 5]]))[1] == 0
    assert mcnemar(0, 0).pvalue == 1
