"""Two models on the same test rows: the error rate is compared exactly as the accuracy is."""

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from justesse.measures import accuracy, balanced_accuracy, error
from justesse.procedures.holdout import Holdout
from justesse.procedures.model_pairs import model_pairs
from justesse.procedures.run import run


@pytest.fixture(scope="module")
def runs():
    models = {"stump": DecisionTreeClassifier(max_depth=1, random_state=0), "bayes": GaussianNB()}
    return run(models, *load_breast_cancer(return_X_y=True), Holdout(0.5))


def test_errors_are_compared_as_accuracies_are(runs):
    (by_accuracy,), (by_error,) = (model_pairs(runs, ["bayes", "stump"], measure) for measure in (accuracy, error))
    assert by_error.outcome.test == by_accuracy.outcome.test != "none"
    assert by_error.outcome.pvalue == by_accuracy.outcome.pvalue
    assert by_error.difference.value == by_accuracy.difference.value > 0
    assert by_error.difference.interval == by_accuracy.difference.interval


def test_a_measure_that_is_no_share_of_all_rows_has_no_test(runs):
    (pair,) = model_pairs(runs, ["bayes", "stump"], balanced_accuracy)
    assert pair.outcome.test == "none"
    assert pair.difference.interval.low < pair.difference.value < pair.difference.interval.high
