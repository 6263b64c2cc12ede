import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from justesse.cleaning.row_filter import OracleFilter
from justesse.intervals.student import student
from justesse.noise.models import Uniform
from justesse.procedures.cleaned_training import paired_accuracies
from justesse.procedures.resist import resist
from justesse.procedures.training_arms import ARMS, Flags, NotPossible, fitted_arm, weight_keyword
from justesse.significance.paired_difference import paired_difference

X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]
LEARNERS = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


class Nothing:
    """A filter that flags no row."""

    def __call__(self, rows, labels, *, seed):
        return Flags(np.zeros(len(rows), dtype=bool), labels, np.zeros(len(rows)))


class Everything:
    """A filter that flags all rows but those of one class."""

    def __call__(self, rows, labels, *, seed):
        return Flags(labels != labels[0], None, None)


def rows_of(filters, *, rates=(0.3,), arms=tuple(ARMS), repeats=3, learners=LEARNERS, y=NAMES):
    return resist(
        X, y, learners=learners, rates=rates, noise=Uniform(0), repeats=repeats, filters=filters, arms=arms, seed=5
    )


def test_a_filter_that_flags_nothing_changes_nothing():
    found = rows_of({"nothing": Nothing()}, rates=(0, 0.3))
    plain = {(row.learner, row.rate): row.error.value for row in found.rows}
    assert len(found.cleaned) == 2 * 2 * 4
    for row in found.cleaned:
        assert row.error.value == plain[row.learner, row.rate]
        assert row.difference.value == 0
        assert row.flagged == 0


def test_without_noise_an_oracle_changes_nothing():
    for row in rows_of({"oracle": OracleFilter(NAMES)}, rates=(0,)).cleaned:
        assert row.difference.value == 0
        assert np.isnan(row.detected)


@pytest.mark.parametrize("repeats", [1, 3])
def test_an_oracle_that_corrects_gives_the_error_of_clean_training(repeats):
    found = rows_of({"oracle": OracleFilter(NAMES)}, rates=(0, 0.4), arms=("correct",), repeats=repeats)
    clean = {row.learner: row.error.value for row in found.rows if row.rate == 0}
    noisy = {row.learner: row.error.value for row in found.rows if row.rate == 0.4}
    for row in found.cleaned:
        if row.rate == 0.4:
            assert row.error.value == clean[row.learner]
            assert row.difference.value == pytest.approx(noisy[row.learner] - clean[row.learner])
            assert (row.detected, row.false_detected) == (1, 0)
    assert noisy["tree"] > clean["tree"] + 0.1


def test_an_oracle_s_weights_are_removal_for_learners_that_take_weights_as_counts():
    found = rows_of({"oracle": OracleFilter(NAMES)}, arms=("remove", "weight"), learners={"bayes": GaussianNB()})
    remove, weight = found.cleaned
    assert remove.error.value == pytest.approx(weight.error.value)


def test_arms_that_do_not_exist_say_why():
    learners = {"neighbours": KNeighborsClassifier(), "svm": LinearSVC()}
    found = rows_of({"oracle": OracleFilter(NAMES), "all": Everything()}, learners=learners, repeats=2)
    reasons = {(row.learner, row.filter, row.arm): row.difference.undefined for row in found.cleaned}
    assert reasons["neighbours", "oracle", "weight"] == "the learner takes no weights"
    assert reasons["svm", "oracle", "drop-label"] == "the learner gives no probabilities, which self-training needs"
    assert reasons["svm", "all", "correct"] == "the filter names no other class"
    assert reasons["svm", "all", "weight"] == "the filter gives no probability that a label is wrong"
    assert reasons["svm", "all", "remove"] == "the filter leaves fewer than two classes"
    assert reasons["svm", "oracle", "remove"] is None


def test_self_training_is_scikit_learn_s():
    x, y = load_digits(return_X_y=True)
    flagged = np.random.default_rng(1).random(len(y)) < 0.6
    own = fitted_arm("drop-label", GaussianNB(), x, y, Flags(flagged, None, None))
    peer = SelfTrainingClassifier(GaussianNB(), threshold=0.75, max_iter=10).fit(x, np.where(flagged, -1, y))
    assert (own.predict(x) == peer.predict(x)).all()


def test_weights_reach_models_in_nested_pipelines():
    nested = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), LogisticRegression()))
    assert weight_keyword(nested) == "pipeline__logisticregression__sample_weight"
    flags = Flags(Y == 2, None, np.ones(150))
    model = fitted_arm("weight", nested, X, Y, flags)
    assert not (model.predict(X) == 2).any()  # weight 0


def test_differences_are_paired():
    rng = np.random.default_rng(2)
    before, after = ([rng.random(40) < share for _ in range(4)] for share in (0.7, 0.8))
    result = paired_accuracies(before, after, level=0.9, test_share=0.2)
    scores = [new.mean() - old.mean() for old, new in zip(before, after, strict=True)]
    expected = student(scores, level=0.9, test_over_train=0.25)
    assert (result.value, result.interval.low) == pytest.approx((expected.value, expected.interval.low))
    one = paired_accuracies(before[:1], after[:1], level=0.9, test_share=0.2)
    b, c = (before[0] & ~after[0]).sum(), (after[0] & ~before[0]).sum()
    ends = paired_difference(b, c, 40, level=0.9)
    assert (one.interval.low, one.interval.high) == (float(ends.low), float(ends.high))
    assert one.interval.method == "tango"


def test_an_arm_of_a_filter_without_classes_is_refused_by_name():
    with pytest.raises(NotPossible, match="names no other class"):
        fitted_arm("correct", GaussianNB(), X, Y, Flags(Y == 0, None, None))
