"""Differences of every class at once agree with those of one class at a time."""

import numpy as np
import pytest

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.judges.evidence import Rule
from justesse.judges.paired import paired_interval
from justesse.judges.quantity import Quantity
from justesse.measures import precision, recall, specificity
from justesse.significance.class_differences import class_differences
from justesse.significance.mcnemar import mcnemar


@pytest.fixture
def case() -> Case:
    rng = np.random.default_rng(3)
    label = rng.integers(3, size=600)
    answers = [np.where(rng.random(600) < skill, label, rng.integers(3, size=600)) for skill in (0.6, 0.75)]
    cells, counts = np.unique(np.column_stack([label, *answers]), axis=0, return_counts=True)
    rows = [tuple(row) for row in np.column_stack([cells, counts]).tolist()]
    return Case(Tally.of(("label", "incumbent", "candidate"), rows))


@pytest.mark.parametrize("measure", [recall, specificity, precision], ids=lambda measure: measure.name)
def test_a_class_has_the_interval_of_a_verdict_about_it(case, measure):
    compared = class_differences(case, measure, level=0.99)
    for k, difference in enumerate(compared.differences):
        alone = paired_interval(case, Quantity(measure.name, measure, case.tally.classes[k], k), Rule(level=0.99))
        assert difference.value == pytest.approx(compared.candidate[k] - compared.incumbent[k])
        assert (difference.interval.low, difference.interval.high) == pytest.approx((alone.low, alone.high))
        assert difference.interval.method == alone.method


def test_the_pvalue_of_a_recall_is_that_of_mcnemar_on_the_rows_of_the_class(case):
    compared = class_differences(case, recall)
    tally = case.tally.select(label=1).marginal("incumbent", "candidate")
    right = tally.codes == 1
    only_incumbent = int(tally.counts[right[:, 0] & ~right[:, 1]].sum())
    only_candidate = int(tally.counts[~right[:, 0] & right[:, 1]].sum())
    assert compared.pvalues[1] == pytest.approx(mcnemar(only_incumbent, only_candidate, method="exact").pvalue)
    assert class_differences(case, precision).pvalues == (None, None, None)


def test_too_few_rows_that_tell_the_two_apart_give_no_interval():
    cells = [("a", "a", "a", 50), ("b", "b", "b", 50), ("b", "a", "b", 1)]
    compared = class_differences(Case(Tally.of(("label", "incumbent", "candidate"), cells)), precision)
    assert [difference.interval for difference in compared.differences] == [None, None]
    assert compared.differences[0].undefined == "only 1 row tells the two apart"
