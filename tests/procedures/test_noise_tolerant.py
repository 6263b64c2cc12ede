import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from justesse.core.errors import OptionError
from justesse.procedures.learners import ALL, TOLERANT, learner
from justesse.procedures.noise_tolerant import NoiseTolerant, answered_table

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
TABLE = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.3, 0.7]])


@pytest.mark.parametrize("loss", ["forward", "backward"])
def test_without_noise_both_corrections_are_logistic_regression(loss):
    """An independent implementation: scikit-learn's, with the same penalty."""
    plain = LogisticRegression(C=1.0, tol=1e-8, max_iter=10_000).fit(X, Y)
    own = NoiseTolerant(loss, transition=np.eye(3)).fit(X, Y)
    assert own.predict_proba(X) == pytest.approx(plain.predict_proba(X), abs=2e-3)


@pytest.mark.parametrize("loss", ["forward", "backward", "bounded"])
def test_slopes_are_those_of_the_losses(loss, monkeypatch):
    kept = {}

    def minimize(value, start, **_):
        kept["value"] = value
        raise InterruptedError

    monkeypatch.setattr("scipy.optimize.minimize", minimize)
    with pytest.raises(InterruptedError):
        NoiseTolerant(loss)._minimised(X, Y, np.linspace(0.5, 1.5, 150), TABLE, loss, np.zeros((5, 3)))
    point = np.random.default_rng(0).normal(size=15)
    value = kept["value"]
    assert check_grad(lambda at: value(at)[0], lambda at: value(at)[1], point) < 1e-3


def test_the_backward_loss_is_unbiased():
    """Σ_y T_iy · loss(y) is the log loss on the true class i: the definition of the correction."""
    p = np.array([0.5, 0.3, 0.2])
    corrected = -np.linalg.inv(TABLE) @ np.log(p)
    assert TABLE @ corrected == pytest.approx(-np.log(p))


def test_a_known_table_undoes_noise_by_class():
    x, y = load_breast_cancer(return_X_y=True)
    x = StandardScaler().fit_transform(x)
    rng = np.random.default_rng(3)
    noisy = np.where((y == 1) & (rng.random(len(y)) < 0.4), 0, y)
    table = [[1.0, 0.0], [0.4, 0.6]]
    errors = {
        name: np.mean(model.fit(x, noisy).predict(x) != y)
        for name, model in {
            "plain": NoiseTolerant("forward", transition=np.eye(2)),
            "forward": NoiseTolerant("forward", transition=table),
            "estimated": NoiseTolerant("forward"),
        }.items()
    }
    assert errors["plain"] > 0.1
    assert errors["forward"] < errors["plain"] / 2
    assert errors["estimated"] < errors["plain"]


def test_weights_count_as_rows():
    twice = np.r_[np.arange(150), np.arange(0, 150, 2)]
    weights = np.where(np.arange(150) % 2 == 0, 2.0, 1.0)
    model = NoiseTolerant("bounded")
    repeated = model.fit(X[twice], Y[twice]).predict_proba(X)
    assert model.fit(X, Y, sample_weight=weights).predict_proba(X) == pytest.approx(repeated, abs=1e-2)


def test_a_table_from_answers_keeps_one_right_row_of_each_class():
    table = answered_table(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0]), 3)
    assert table == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [1 / 4, 3 / 4, 0], [0, 0, 1]]))


@pytest.mark.parametrize("name", TOLERANT)
def test_learners_for_wrong_labels_have_names(name):
    assert name in ALL
    assert learner(name).fit(X, Y).score(X, Y) > 0.9


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"loss": "huber"}, "loss must be one of forward, backward, bounded"),
        ({"transition": [[0.5, 0.5], [0.5, 0.5]]}, "transition needs 3 rows"),
        ({"loss": "backward", "transition": np.full((3, 3), 1 / 3)}, "cannot be inverted"),
        ({"q": 0}, "q must lie"),
        ({"C": -1.0}, "C above 0"),
    ],
)
def test_what_cannot_be_fitted(options, reason):
    with pytest.raises(OptionError, match=reason):
        NoiseTolerant(**options).fit(X, Y)


def test_one_class_cannot_be_learnt():
    with pytest.raises(ValueError, match="one class"):
        NoiseTolerant().fit(X, np.zeros(150))
