"""A short, seeded look at procedures where the true error is known."""

import numpy as np
import pytest
from studies.validity.procedures import BAYES_ERROR, one_curve, one_data_set, true_error


@pytest.fixture(scope="module")
def biases():
    """Mean difference from the true error, over five data sets whose labels are pure noise."""
    tried = [one_data_set("one neighbour, pure noise", at) for at in range(5)]
    return {name: np.mean([item.said[name].value - item.true for item in tried]) for name in tried[0].said}


def test_a_model_that_remembers_is_flattered_by_632_and_by_a_second_draw(biases):
    assert biases["bootstrap, .632"] < -0.12
    assert biases["bootstrap, second draw"] < -0.25
    for fair in ("10-fold", "10-fold, 3 times", "leave-one-out", "bootstrap, out of bag", "bootstrap, .632+"):
        assert abs(biases[fair]) < 0.12  # five data sets of 60 rows: a standard error of about .03


def test_the_bayes_error_is_recovered():
    curves = [one_curve("nearest centroid", at, 200) for at in range(4)]
    shared = [curve for curve in curves if curve.shared]
    assert len(shared) >= 3
    assert np.mean([curve.limit.value for curve in curves]) == pytest.approx(BAYES_ERROR, abs=0.06)
    covered = [curve.limit.interval.low <= BAYES_ERROR <= curve.limit.interval.high for curve in shared]
    assert np.mean(covered) >= 0.5


@pytest.mark.parametrize("learner", ["one neighbour", "tree"])
def test_a_learner_that_remembers_has_no_shared_limit(learner):
    curves = [one_curve(learner, at, 200) for at in range(3)]
    assert not any(curve.shared for curve in curves)
    forecast = np.mean([curve.tenfold.value for curve in curves])
    assert forecast == pytest.approx(true_error(learner, 10 * curves[0].points[-1].rows), abs=0.06)
