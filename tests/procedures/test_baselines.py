import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from statsmodels.stats.proportion import proportion_confint

from conftest import random_table, rows_of
from justesse import Tally, count
from justesse.intervals.estimate import Confidence
from justesse.measures import OVERALL, averaged, cost, f1
from justesse.procedures.baselines import EXACT, baselines

TABLE = random_table(np.random.default_rng(2), 4, 5000)
COSTS = np.random.default_rng(0).random((4, 4))
MEASURES = [*OVERALL, averaged(f1, "macro"), cost(COSTS)]


def scores(tally):
    return {
        naive.name: {(one.name, one.average): one for one in naive.measures} for naive in baselines(tally, MEASURES)
    }


@pytest.mark.parametrize(
    ("name", "strategy"), [("majority", "most_frequent"), ("frequency", "stratified"), ("uniform", "uniform")]
)
def test_scikit_learn_s_dummy_classifier_agrees_on_average(name, strategy):
    y, _ = rows_of(TABLE)
    found = scores(Tally.from_dense(TABLE))[name]
    answers = [DummyClassifier(strategy=strategy, random_state=s).fit(y, y).predict(y) for s in range(20)]
    dummy = np.mean([metrics.accuracy_score(y, p) for p in answers])
    assert found["accuracy", None].value == pytest.approx(dummy, abs=0.005)
    assert found["error", None].value == pytest.approx(1 - dummy, abs=0.005)
    macro = np.mean([metrics.f1_score(y, p, average="macro", zero_division=0) for p in answers])
    assert found["f1", "macro"].value == pytest.approx(macro, abs=0.005)
    paid = np.mean([COSTS[y, p].mean() for p in answers])
    assert found["cost", None].value == pytest.approx(paid, abs=0.005)
    assert found["balanced_accuracy", None].value == pytest.approx(0.25)


def test_the_constant_answer_has_the_interval_of_a_share_and_the_others_are_exact():
    found = scores(Tally.from_dense(TABLE))
    most = TABLE.sum(1).max()
    interval = found["majority"]["accuracy", None].interval
    assert [interval.low, interval.high] == pytest.approx(proportion_confint(most, TABLE.sum(), method="wilson"))
    assert found["frequency"]["accuracy", None].interval is None
    assert found["frequency"]["accuracy", None].value == pytest.approx(((TABLE.sum(1) / TABLE.sum()) ** 2).sum())


def test_what_does_not_depend_on_the_rows_has_no_interval_and_says_so():
    accuracy = scores(Tally.from_dense(TABLE))["uniform"]["accuracy", None]
    assert accuracy.value == 0.25
    assert accuracy.interval is None
    assert accuracy.undefined == EXACT


def test_a_constant_answer_has_no_correlation():
    assert np.isnan(scores(Tally.from_dense(TABLE))["majority"]["mcc", None].value)


def test_weights_make_the_majority():
    tally = count(label=["a", "a", "b"], prediction=["a", "a", "b"], weight=[1.0, 1.0, 5.0])
    naive = baselines(tally, [OVERALL[0]], Confidence())[0]
    assert naive.class_name == "b"
    assert naive.measures[0].value == pytest.approx(5 / 7)
    assert naive.measures[0].n == pytest.approx(49 / 27)
