"""What docs/errata.md says of procedures."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from justesse.procedures.bootstrap_error import bootstrap_errors
from justesse.procedures.folds import Folds, LeaveOneOut
from justesse.procedures.power_laws import fit_power_laws
from justesse.procedures.refit import choose_and_refit


def test_9_exponents_below_one_are_found():
    n = np.array([20, 50, 100, 300, 1000.0])
    found = fit_power_laws(n, 0.1 + n**-0.5, 0.1 - 0.4 * n**-0.4, np.ones(10))
    assert found.alpha[0] == pytest.approx(0.5, abs=0.01)
    assert found.beta[0] == pytest.approx(0.4, abs=0.01)


def test_15_the_larger_weight_is_that_of_rows_not_drawn():
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    x = rng.normal(size=(50, 8)) + 0.3 * y[:, None]
    found = bootstrap_errors({"bayes": GaussianNB()}, x, y, draws=20)["bayes"]
    one, again = found.out_of_bag.value, found.resubstitution
    assert found.e632.value == pytest.approx(0.632 * one + 0.368 * again)
    assert found.e632.value != pytest.approx(0.368 * one + 0.632 * again, abs=0.01)


def test_16_the_model_kept_has_seen_every_row():
    x, y = np.arange(30.0)[:, None], np.arange(30) % 3
    found = choose_and_refit({"bayes": GaussianNB()}, x, y, Folds(3))
    assert found.model.class_count_.sum() == 30


@pytest.mark.parametrize("k", [4, 10, 20])
def test_17_what_the_slide_calls_test_size_is_the_size_of_training(k):
    n = 20
    procedure = LeaveOneOut() if k == n else Folds(k, kind="plain")
    for train, test in procedure.split(range(n)):
        assert len(train) == (k - 1) * n / k
        assert len(test) == n / k
