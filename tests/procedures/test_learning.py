"""Learning curves, bias and variance, costs and rare classes."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.evaluate import bias_variance_decomp
from scipy.optimize import nnls
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from justesse.core.errors import OptionError
from justesse.procedures.bias_variance import bias_variance, squared_parts, zero_one_parts
from justesse.procedures.folds import Folds
from justesse.procedures.holdout import Holdout
from justesse.procedures.imbalance import Balanced, balanced_rows
from justesse.procedures.learning_curve import learning_curve
from justesse.procedures.power_laws import fit_power_laws
from justesse.procedures.responses import responses
from justesse.procedures.run import run
from justesse.procedures.shared_limit import shared_limit

SIZES = np.array([20, 40, 80, 160, 320, 640.0])


@given(st.floats(0.0, 0.3), st.floats(0.3, 2.0), st.floats(0.3, 1.5), st.floats(0.1, 1.0), st.floats(0.3, 1.5))
@settings(max_examples=15)
def test_the_laws_are_found_where_they_hold(limit, a, alpha, b, beta):
    found = fit_power_laws(SIZES, limit + a * SIZES**-alpha, limit - b * SIZES**-beta, np.ones(12))
    assert found.limit[0] == pytest.approx(limit, abs=0.002 * (1 + a))  # exponents are on a grid
    np.testing.assert_allclose(found.test(SIZES), limit + a * SIZES**-alpha, atol=0.003)
    np.testing.assert_allclose(found.train(SIZES), limit - b * SIZES**-beta, atol=0.003)


def test_no_fit_is_better_than_the_one_found():
    rng = np.random.default_rng(0)
    for _ in range(5):
        test, train = rng.uniform(0.1, 0.5, 6), rng.uniform(0, 0.2, 6)
        found = fit_power_laws(SIZES, test, train, np.ones(12))
        left = np.sum((found.test(SIZES) - test) ** 2) + np.sum((found.train(SIZES) - train) ** 2)
        assert min(found.limit[0], found.a[0], found.b[0]) >= 0
        others = []
        for alpha in np.geomspace(0.06, 2.5, 12):
            for beta in np.geomspace(0.06, 2.5, 12):
                zero = np.zeros(6)
                table = np.vstack(
                    [
                        np.column_stack([np.ones(6), SIZES**-alpha, zero]),
                        np.column_stack([np.ones(6), zero, -(SIZES**-beta)]),
                    ]
                )
                others.append(nnls(table, np.concatenate([test, train]))[1] ** 2)
        assert left <= min(others) * 1.01


class Centre(ClassifierMixin, BaseEstimator):
    """Nearest centroid, quick."""

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.centres_ = np.array([x[y == name].mean(axis=0) for name in self.classes_])
        return self

    def predict(self, x):
        return self.classes_[((x[:, None] - self.centres_) ** 2).sum(axis=2).argmin(axis=1)]


def two_classes(n, seed, features=20, shift=0.45):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, features)) + shift * (2 * y[:, None] - 1) / np.sqrt(features / 4), y


def test_a_learning_curve_finds_the_bayes_error():
    """Two normal classes 2·0.45·2 = 1.8 standard deviations apart: the Bayes error is Φ(-0.9) = .184."""
    found = learning_curve(Centre(), *two_classes(400, 100), Holdout(0.25, repeats=12), sizes=[20, 40, 80, 150, 300])
    assert found.limit.interval.low <= 0.1841 <= found.limit.interval.high
    assert found.limit.value == pytest.approx(0.184, abs=0.04)
    test = [point.test.value for point in found.points]
    train = [point.train.value for point in found.points]
    assert test[0] > test[-1]
    assert train[0] < train[-1]
    assert found.more_data in ("no", "cannot tell")
    assert "extrapolated" in found.words
    assert any("the power laws hold beyond the largest t" in one for one in found.assumptions)
    json.dumps(found.to_dict(), allow_nan=False)


def test_more_data_help_where_the_curve_is_steep():
    x, y = two_classes(100, 1, features=200, shift=0.9)
    found = learning_curve(Centre(), x, y, Holdout(0.2, repeats=20), sizes=[10, 20, 40, 80])
    assert found.gain.value > 0.01
    assert found.more_data in ("yes", "cannot tell")
    assert learning_curve(Centre(), x, y, Holdout(0.2, repeats=20), sizes=[10, 20, 40, 80], worth=0.9).more_data == "no"
    assert found.doubled.value <= found.points[-1].test.value + 0.02
    assert found.tenfold.value <= found.doubled.value


def true_error(model, rows):
    """Measure the error with so many training rows of `two_classes`, on new ones."""
    new, truth = two_classes(4000, 999)
    return np.mean([np.mean(model.fit(*two_classes(rows, seed)).predict(new) != truth) for seed in (901, 902, 903)])


@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(random_state=0), KNeighborsClassifier(1)], ids=["tree", "1-NN"]
)
def test_learners_that_remember_their_rows_have_a_limit_of_their_own(model):
    """Training errors are 0: a shared limit would be 0, where .184 is the least that any learner can reach."""
    tenfold, covered = true_error(model, 3000), 0
    for seed in range(6):
        x, y = two_classes(400, 200 + seed)
        found = learning_curve(
            model, x, y, Holdout(0.25, repeats=10, random_state=seed), sizes=[20, 40, 80, 150, 300], seed=seed
        )
        assert not found.shared
        assert not found.shared.rises
        assert found.limit.name == "asymptote of this learner (extrapolated)"
        assert "not the Bayes error" in found.words
        assert any("asymptote of this learner" in one for one in found.assumptions)
        assert found.limit.interval.high > 0.184
        covered += found.tenfold.interval.low <= tenfold <= found.tenfold.interval.high
    assert covered >= 5
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_joint_fit_that_does_not_fit_is_rejected():
    """Training errors rise, but to another limit than test errors fall to."""
    rng, sizes = np.random.default_rng(0), np.array([20, 40, 80, 160, 320, 640.0])
    deviations = 0.002 * rng.normal(size=(300, 12))
    splits = 0.02 - 0.3 / sizes + 0.001 * rng.normal(size=(10, 6))
    apart = np.append(0.3 + 2 / sizes, splits.mean(axis=0))
    found = shared_limit(sizes, apart, np.full(12, 1 / 0.002**2), deviations, splits)
    assert found.rises
    assert not found
    assert found.pvalue < 0.01
    assert "Training and test error do not approach one limit" in found.reason
    few = shared_limit(sizes[:3], apart[[0, 1, 2, 6, 7, 8]], np.ones(6), deviations[:, :6], splits[:, :3])
    assert (few.rises, few.pvalue) == (True, None)
    assert "needs 4 training set sizes or more; got 3" in few.reason


def test_one_limit_is_seldom_rejected_where_it_holds():
    """25 data sets: more than 4 rejections at 5 % would have a chance of 1 in 100."""
    sizes, rejected = np.array([20, 40, 80, 160, 320, 640.0]), 0
    law = np.append(0.2 + 2 / sizes, 0.2 - 1.5 / sizes)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        # errors at neighbouring sizes move together
        steps = rng.normal(size=(301, 2, 6)).cumsum(axis=2).reshape(301, 12) * 0.003
        mean = law + steps[0]
        splits = mean[6:] + 0.001 * rng.normal(size=(10, 6))
        rejected += not shared_limit(sizes, mean, np.full(12, 1e5), steps[1:], splits)
    assert rejected <= 4


@pytest.mark.parametrize(("gap", "fewest", "most"), [(0.0, 0, 2), (0.006, 7, 8)])
def test_precise_curves_tell_one_limit_from_two(gap, fewest, most):
    """Draws fitted on the coarse grid alone left more than the errors did, and a gap of 20 standard errors passed."""
    sizes, rejected = np.geomspace(50, 1000, 8).round(), 0
    law = np.append(0.2 + 2 * sizes**-0.7, 0.2 - gap - 1.5 * sizes**-0.9)
    apart = np.abs(np.subtract.outer(np.arange(16), np.arange(16)))
    root = np.linalg.cholesky(0.5**apart) * 0.0003  # errors at neighbouring sizes move together
    for seed in range(8):
        rng = np.random.default_rng(seed)
        mean, deviations = law + root @ rng.normal(size=16), rng.normal(size=(200, 16)) @ root.T
        splits = law[8:] + 0.0005 * rng.normal(size=(20, 8))
        rejected += not shared_limit(sizes, mean, np.full(16, 1 / 0.0003**2), deviations, splits)
    assert fewest <= rejected <= most


def test_many_curves_are_fitted_as_one_is():
    rng = np.random.default_rng(0)
    test, train = (law + 0.003 * rng.normal(size=(5, 6)) for law in (0.2 + 2 / SIZES, 0.2 - 1.5 * SIZES**-0.8))
    for shared in (True, False):
        together = fit_power_laws(SIZES, test, train, np.ones(12), shared=shared, refine=True)
        for at in range(5):
            alone = fit_power_laws(SIZES, test[at], train[at], np.ones(12), shared=shared)
            assert together.left[at] == pytest.approx(alone.left[0], rel=1e-9)
            assert together.limit[at] == pytest.approx(alone.limit[0], abs=1e-9)


def test_curves_of_numbers_and_refusals():
    x, y = load_diabetes(return_X_y=True)
    found = learning_curve(LinearRegression(), x, y, Holdout(0.3, repeats=6, kind="plain"), sizes=[30, 80, 150, 300])
    assert 1500 < found.limit.value < 3500
    with pytest.raises(OptionError, match="three sizes"):
        learning_curve(LinearRegression(), x, y, Holdout(0.3, repeats=3, kind="plain"), sizes=[30, 80])
    with pytest.raises(OptionError, match="from 2 to 309 training rows"):
        learning_curve(LinearRegression(), x, y, Holdout(0.3, repeats=3, kind="plain"), sizes=[30, 80, 4000])
    with pytest.raises(OptionError, match="at least two splits"):
        learning_curve(LinearRegression(), x, y, Holdout(0.3, kind="plain"), sizes=[30, 80, 300])


answers = st.integers(2, 6).flatmap(
    lambda sets: st.lists(st.lists(st.integers(0, 2), min_size=5, max_size=5), min_size=sets, max_size=sets)
)
labels = st.lists(st.integers(0, 2), min_size=5, max_size=5)


@given(answers, labels, labels)
def test_the_parts_of_the_error_add_up(given_answers, y, truth):
    f = np.array(given_answers)
    for own in (None, truth):
        found = zero_one_parts(y, f, truth=own)
        assert found.total == pytest.approx(np.mean(f != np.array(y)))
        assert found.bias + found.variance + found.noise == pytest.approx(found.total)
        squared = squared_parts(y, f, truth=own)
        assert squared.total == pytest.approx(np.mean((f - np.array(y)) ** 2))
        assert squared.bias + squared.variance + squared.noise == pytest.approx(squared.total)


def test_domingos_for_two_classes():
    """With two classes and no noise the error is bias + variance where unbiased - variance where biased."""
    rng = np.random.default_rng(0)
    f, y = rng.integers(2, size=(7, 50)), rng.integers(2, size=50)
    main = (f.mean(axis=0) > 0.5).astype(int)
    varies = (f != main).mean(axis=0)
    found = zero_one_parts(y, f)
    assert found.bias == np.mean(main != y)
    assert found.unbiased == pytest.approx(np.mean(varies * (main == y)))
    assert found.biased == pytest.approx(np.mean(varies * (main != y)))


def test_known_bias_variance_and_noise_are_found():
    """Answers 0.5 off with variance 4, labels with noise 1, on many rows."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=20_000)
    f = truth + 0.5 + 2 * rng.normal(size=(30, 20_000))
    found = squared_parts(truth + rng.normal(size=20_000), f, truth=truth)
    assert found.bias == pytest.approx(0.25, abs=0.02)
    assert found.variance == pytest.approx(4, rel=0.02)
    assert found.noise == pytest.approx(1, rel=0.05)


def test_mlxtend_splits_the_same_way():
    """Other draws, so that the parts agree to what 25 draws can tell."""
    x, y = load_diabetes(return_X_y=True)
    found = bias_variance(DecisionTreeRegressor(max_depth=3), x, y, draws=25)
    cut = next(Holdout(kind="plain").split(x))
    total, bias, variance = bias_variance_decomp(
        DecisionTreeRegressor(max_depth=3, random_state=0),
        *(x[cut[0]], y[cut[0]], x[cut[1]], y[cut[1]]),
        loss="mse",
        num_rounds=25,
        random_seed=0,
    )
    assert found.total == pytest.approx(total, rel=0.1)
    assert found.variance == pytest.approx(variance, rel=0.25)
    assert found.bias == pytest.approx(bias, rel=0.15)
    assert "noise cannot be separated" in found.assumptions[0]


def test_mlxtend_does_not_add_up_for_classes():
    """It counts as harm also the variance of rows whose main answer is wrong, where varying can only help."""
    x, y = two_classes(200, 4, features=4, shift=0.3)
    total, bias, variance = bias_variance_decomp(
        KNeighborsClassifier(1), x[:100], y[:100], x[100:], y[100:], loss="0-1_loss", num_rounds=20, random_seed=0
    )
    assert bias + variance > total + 0.05


def test_one_neighbour_varies_more_than_many():
    x, y = two_classes(300, 2, features=4, shift=0.6)
    rich, plain = (bias_variance(KNeighborsClassifier(k), x, y, draws=25) for k in (1, 51))
    assert rich.unbiased > 1.5 * plain.unbiased
    truth = y.copy()
    noisy = np.where(np.random.default_rng(3).random(300) < 0.2, 1 - y, y)
    assert bias_variance(DecisionTreeClassifier(max_depth=1), x, noisy, truth=truth, draws=10).noise > 0
    json.dumps(rich.to_dict(), allow_nan=False)
    with pytest.raises(OptionError, match="two or more training sets"):
        squared_parts([1, 2], [[1, 2]])
    with pytest.raises(OptionError, match="true value for each"):
        squared_parts([1, 2], [[1, 2], [2, 1]], truth=[1])


def test_time_and_memory_are_responses():
    x, y = two_classes(200, 3)
    found = run({"near": KNeighborsClassifier(), "centre": Centre()}, x, y, Folds(5), want=["memory"])
    near, centre = (responses(found, name) for name in found.models)
    assert min(near.predict_seconds_per_row.value, centre.predict_seconds_per_row.value) > 0
    assert near.model_bytes.value > 160 * 20 * 8 > centre.model_bytes.value
    assert near.peak_bytes.value > 0
    assert near.fit_seconds.interval.low < near.fit_seconds.value
    one = responses(run({"centre": Centre()}, x, y, Holdout()), "centre")
    assert one.fit_seconds.undefined.startswith("no interval: one split")
    json.dumps(one.to_dict(), allow_nan=False)


@pytest.mark.parametrize("how", ["weights", "fewer", "more"])
def test_balancing_finds_the_rare_class_and_leaves_test_rows_alone(how):
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [380, 20])
    x = rng.normal(size=(400, 2)) + 1.5 * y[:, None]
    found = run(
        {"plain": GaussianNB(), "balanced": Balanced(GaussianNB(), how)}, x, y, Folds(5), want=["probabilities"]
    )
    table = found.table()
    rare = np.array(table["label"]) == 1
    caught = {name: np.mean(np.array(table[name])[rare] == 1) for name in ("plain", "balanced")}
    assert caught["balanced"] > caught["plain"] + 0.2
    assert len(table["row"]) == 400
    assert sum(rare) == 20  # as many rare rows are tested as there are


def test_balanced_rows_and_refusals():
    labels = np.array(["a"] * 5 + ["b"] * 2)
    assert np.unique(labels[balanced_rows(labels, "fewer")], return_counts=True)[1].tolist() == [2, 2]
    more = balanced_rows(labels, "more")
    assert np.unique(labels[more], return_counts=True)[1].tolist() == [5, 5]
    assert set(range(7)) <= set(more.tolist())
    with pytest.raises(OptionError, match="takes no weights"):
        Balanced(KNeighborsClassifier()).fit(np.zeros((7, 1)), labels)
    with pytest.raises(OptionError, match="how must be"):
        Balanced(GaussianNB(), "equal").fit(np.zeros((7, 1)), labels)
    piped = make_pipeline(StandardScaler(), Balanced(GaussianNB(), "more"))
    assert not run({"piped": piped}, np.arange(70.0)[:, None], np.repeat(["a", "b"], [50, 20]), Folds(5)).failures
