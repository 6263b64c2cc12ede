"""A short, seeded look at procedures where the true error is known."""

import pytest
from studies.validity.procedures import BAYES_ERROR, bayes_errors, bias_and_spread, false_positives


@pytest.fixture(scope="module")
def noise():
    return {one["procedure"]: one for one in bias_and_spread("one neighbour, pure noise", repetitions=5)}


def test_a_model_that_remembers_is_flattered_by_632_and_by_a_second_draw(noise):
    assert noise["bootstrap, .632"]["bias"] < -0.12
    assert noise["bootstrap, second draw"]["bias"] < -0.25
    for fair in ("10-fold", "10-fold, 3 times", "leave-one-out", "bootstrap, out of bag", "bootstrap, .632+"):
        assert abs(noise[fair]["bias"]) < 0.12  # five data sets of 60 rows: a standard error of about .03


def test_naive_tests_are_surer_the_more_often_rows_are_split():
    found = false_positives(repetitions=25)
    once, often = found["10-fold, once"], found["10-fold, 30 times"]
    assert often["naive"] > 0.4
    assert often["corrected"] < often["naive"] / 2
    assert once["corrected"] <= 0.2


def test_the_bayes_error_is_recovered():
    found = bayes_errors("nearest centroid", 200, repetitions=4)
    assert found["shared"] >= 0.75
    assert found["mean"] == pytest.approx(BAYES_ERROR, abs=0.06)
    assert found["bayes"] >= 0.5


@pytest.mark.parametrize("learner", ["one neighbour", "tree"])
def test_a_learner_that_remembers_has_no_shared_limit(learner):
    found = bayes_errors(learner, 200, repetitions=3)
    assert found["shared"] == 0
    assert found["tenfold"] == pytest.approx(found["tenfold true"], abs=0.06)
