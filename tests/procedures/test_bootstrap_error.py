"""The .632+ bootstrap, where it is known what must come out."""

import json

import numpy as np
import pytest
from mlxtend.evaluate import bootstrap_point632_score
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from justesse.core.errors import OptionError
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.bootstrap_error import bootstrap_errors, no_information
from justesse.procedures.fitting import Data
from justesse.procedures.run import run


class Nearest(ClassifierMixin, BaseEstimator):
    """One nearest neighbour, quick on few rows."""

    def fit(self, x, y):
        self.x_, self.y_ = x, y
        return self

    def predict(self, x):
        return self.y_[((x[:, None] - self.x_) ** 2).sum(axis=2).argmin(axis=1)]


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(3)
    return [(rng.normal(size=(100, 5)), rng.permutation(np.arange(100) % 2)) for _ in range(6)]


@pytest.fixture(scope="module")
def ours(noise):
    return [bootstrap_errors({"nearest": Nearest()}, x, y, draws=50)["nearest"] for x, y in noise]


def test_one_neighbour_on_pure_noise(ours):
    """The true error is one half, whatever is learnt. Textbook .632 gives .316 as the model remembers every row."""
    for one in ours:
        assert one.resubstitution == 0.0
        assert one.no_information == 0.5
        assert one.e632.value == pytest.approx(0.632 * one.out_of_bag.value)
        assert one.overfitting > 0.85
    # six samples of 100 rows: the standard error of their mean is about .02 out of bag
    assert np.mean([one.e632.value for one in ours]) == pytest.approx(0.316, abs=0.04)
    assert np.mean([one.e632_plus.value for one in ours]) == pytest.approx(0.5, abs=0.04)


def test_an_error_above_the_no_information_rate_is_capped_and_stated():
    """One neighbour on rows that come in pairs of opposite labels: worse than guessing on new rows."""
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(40, 3)), 2, axis=0) + 1e-3 * rng.normal(size=(80, 3))
    y = np.arange(80) % 2
    found = bootstrap_errors({"nearest": KNeighborsClassifier(1)}, x, y, draws=60)["nearest"]
    assert found.out_of_bag.value > found.no_information == 0.5
    assert found.e632_plus.value == pytest.approx(found.no_information)
    assert any("never exceeds that rate" in one for one in found.to_dict()["assumptions"])
    plain = bootstrap_errors({"nearest": KNeighborsClassifier(1)}, x, (x[:, 0] > 0).astype(int), draws=60)["nearest"]
    assert not any("never exceeds that rate" in one for one in plain.assumptions)


def test_mlxtend_is_wrong_there(noise, ours):
    """It takes as training error that on *all* rows of a model trained on a draw: a third of those are out of bag.

    .632·.5 + .368·(.368·.5) = .384 where the textbook says .316, and its .632+ then passes one half.
    """
    theirs = {
        method: np.mean(
            [
                1 - bootstrap_point632_score(Nearest(), x, y, n_splits=50, method=method, random_seed=0).mean()
                for x, y in noise
            ]
        )
        for method in (".632", ".632+")
    }
    right = np.mean([one.e632.value for one in ours])
    assert theirs[".632"] / right == pytest.approx((0.632 + 0.368**2) / 0.632, rel=0.02)
    assert theirs[".632+"] > np.mean([one.e632_plus.value for one in ours]) + 0.02 > 0.5


def test_the_formula_by_hand():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [50, 30])
    x = rng.normal(size=(80, 2)) + y[:, None]
    found = bootstrap_errors({"bayes": GaussianNB()}, x, y, draws=30)["bayes"]
    wrong, tested = np.zeros(80), np.zeros(80)
    for train, test in Bootstrap(30).split(x):
        wrong[test] += GaussianNB().fit(x[train], y[train]).predict(x[test]) != y[test]
        tested[test] += 1
    one = np.mean(wrong[tested > 0] / tested[tested > 0])
    answers = GaussianNB().fit(x, y).predict(x)
    resubstitution, p, q = np.mean(answers != y), np.mean(y), np.mean(answers)
    gamma = p * (1 - q) + (1 - p) * q
    rate = (one - resubstitution) / (gamma - resubstitution)
    weight = 0.632 / (1 - 0.368 * rate)
    assert found.out_of_bag.value == pytest.approx(one)
    assert found.resubstitution == resubstitution
    assert found.no_information == pytest.approx(gamma)
    assert found.overfitting == pytest.approx(rate)
    assert found.e632.value == pytest.approx(0.632 * one + 0.368 * resubstitution)
    assert found.e632_plus.value == pytest.approx((1 - weight) * resubstitution + weight * one)
    assert found.e632.value < found.e632_plus.value < one
    assert found.get() is found.e632_plus
    assert found.e632_plus.interval.high == pytest.approx(found.out_of_bag.interval.high)  # it is optimistic, too
    assert found.e632.interval.high < found.out_of_bag.interval.high
    assert found.get(".632") is found.e632
    with pytest.raises(OptionError, match="method must be"):
        found.get("632")
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_model_that_does_not_over_fit_keeps_the_plain_weights():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    x = rng.normal(size=(60, 1)) + 9 * y[:, None]
    found = bootstrap_errors({"bayes": GaussianNB()}, x, y, draws=20)["bayes"]
    assert found.e632_plus.value == found.e632.value == 0.0
    assert found.e632_plus.interval is None
    assert "do not vary" in found.e632_plus.undefined


def test_numbers_have_a_no_information_rate_too():
    y, f = np.array([1.0, 2.0, 4.0]), np.array([0.0, 3.0, 3.5])
    assert no_information(Data(None, y, None), f) == pytest.approx(np.mean((y[:, None] - f) ** 2))
    x, y = load_diabetes(return_X_y=True)
    found = bootstrap_errors({"line": LinearRegression()}, x[:120], y[:120], draws=20)["line"]
    assert found.resubstitution < found.e632.value <= found.e632_plus.value <= found.out_of_bag.value


def test_the_standard_error_is_that_of_repeated_samples():
    """Forty samples: the spread of the error over them against what each says of itself."""
    values, said = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = rng.integers(2, size=40)
        found = bootstrap_errors({"n": Nearest()}, rng.normal(size=(40, 2)) + y[:, None], y, draws=40, seed=seed)["n"]
        values.append(found.out_of_bag.value)
        said.append(found.out_of_bag.interval.half_width / 1.96)
    assert 0.7 < np.mean(said) / np.std(values, ddof=1) < 1.5


def test_the_second_draw_flatters_what_remembers(noise):
    x, y = noise[0]
    found = run({"nearest": Nearest()}, x, y, Bootstrap(30, second_draw=True))
    wrong = np.mean([found.data.error(fit.test, fit.answers) for fit in found.answered("nearest")])
    assert wrong == pytest.approx(0.368 * 0.5, abs=0.03)


def test_copies_of_rows_drawn_as_groups_know_no_more_than_the_rows():
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    x = y[:, None] + rng.normal(size=(40, 2))
    rows = bootstrap_errors({"bayes": GaussianNB()}, x, y, draws=50)["bayes"]
    for copies in (1, 3):
        again = np.repeat(np.arange(40), copies)
        found = bootstrap_errors({"bayes": GaussianNB()}, x[again], y[again], draws=50, kind="grouped", groups=again)
        for method in ("out-of-bag", ".632", ".632+"):
            one, other = rows.get(method), found["bayes"].get(method)
            assert other.value == pytest.approx(one.value)
            assert other.interval.unclipped_low == pytest.approx(one.interval.unclipped_low)
