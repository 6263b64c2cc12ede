"""Each procedure has its own standard error."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from justesse.core.errors import OptionError
from justesse.intervals import wilson
from justesse.intervals.clustered import clustered_share
from justesse.measures import accuracy, averaged, balanced_accuracy, recall
from justesse.measures.regression import mae, mse, r2
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.folds import Folds, LeaveOneOut, five_by_two
from justesse.procedures.gap import gap_in_words
from justesse.procedures.holdout import Holdout
from justesse.procedures.run import run
from justesse.procedures.score import score

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:200, :4], Y[:200]
BAYES = {"bayes": GaussianNB()}


def losses(found, model="bayes"):
    table = found.table()
    return np.array([label != given for label, given in zip(table["label"], table[model], strict=True)], dtype=float)


def test_one_holdout_is_a_share_of_its_rows():
    found = run(BAYES, X, Y, Holdout(0.3))
    made = score(found, "bayes")
    ends = wilson(losses(found).sum(), 60)
    assert made.estimate.n == 60
    assert (made.estimate.interval.low, made.estimate.interval.high) == (float(ends.low), float(ends.high))
    assert "not for other training sets" in made.assumptions[0]


def test_leave_one_out_pools_its_rows():
    found = run(BAYES, X[:40], Y[:40], LeaveOneOut())
    made = score(found, "bayes")
    assert made.estimate.value == losses(found).mean()
    assert made.estimate.interval.method == "wilson"
    assert len(made.scores) == 40
    assert not np.isnan(score(found, "bayes", balanced_accuracy).estimate.value)  # undefined in each fold alone


@pytest.mark.parametrize(
    ("procedure", "ratio"),
    [
        (Folds(5), 1 / 4),
        (Folds(5, repeats=3), 1 / 4),
        (five_by_two(), 1.0),
        (Holdout(0.2, repeats=8), 1 / 4),
        (RepeatedKFold(n_splits=4, n_repeats=2, random_state=0), 1 / 3),
    ],
)
def test_resampling_is_corrected(procedure, ratio):
    from scipy.stats import t

    found = run(BAYES, X, Y, procedure)
    made = score(found, "bayes", level=0.9)
    values = np.array(made.scores)
    half = t.ppf(0.95, len(values) - 1) * np.sqrt(values.var(ddof=1) * (1 / len(values) + ratio))
    assert made.estimate.value == pytest.approx(values.mean())
    assert made.estimate.interval.unclipped_high == pytest.approx(values.mean() + half, rel=0.002)
    assert made.estimate.interval.method == "student-nadeau-bengio"


def test_one_holdout_by_group_has_the_error_of_clusters():
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(40), 5)
    y = rng.integers(2, size=40)[groups]
    x = rng.normal(size=(40, 2))[groups] + y[:, None] * 0.5
    found = run(BAYES, x, y, Holdout(0.5, kind="grouped"), groups=groups)
    made = score(found, "bayes")
    tested = groups[found.fits["bayes"][0].test]
    wrong, sizes = (np.unique(tested, return_inverse=True)[1], losses(found)), np.unique(tested, return_counts=True)[1]
    ends = clustered_share(np.bincount(*wrong), sizes)
    assert made.estimate.interval.method == "wilson-cr2"
    assert (made.estimate.interval.low, made.estimate.interval.high) == pytest.approx((ends.low[0], ends.high[0]))
    right = score(found, "bayes", accuracy).estimate
    assert right.interval.low == pytest.approx(1 - ends.high[0])
    assert made.estimate.interval.half_width > wilson(losses(found).sum(), len(tested)).intervals()[0].half_width * 1.3
    assert score(found, "bayes", balanced_accuracy).estimate.undefined.startswith("no interval: rows of one group")


def test_time_is_said():
    made = score(run(BAYES, X, Y, Folds(4, kind="by-time")), "bayes")
    assert "the future resembles the past" in made.assumptions[-1]


def test_other_measures_and_one_side():
    found = run(BAYES, X, Y, Folds(5))
    assert score(found, "bayes", accuracy).estimate.value == pytest.approx(1 - score(found, "bayes").estimate.value)
    assert score(found, "bayes", averaged(recall, "macro")).estimate.name == "recall"
    assert score(found, "bayes", alternative="less").estimate.interval.low == 0.0
    for wrong, words in ((recall, "averaged"), (mse, "use a measure of counts")):
        with pytest.raises(OptionError, match=words):
            score(found, "bayes", wrong)
    with pytest.raises(OptionError, match="no model 'forest'"):
        score(found, "forest")


def test_numbers():
    x, y = load_diabetes(return_X_y=True)
    found = run({"line": LinearRegression()}, x, y, Folds(5, kind="plain"))
    table = found.table()
    off = (np.array(table["label"]) - np.array(table["line"])) ** 2
    assert score(found, "line").estimate.value == pytest.approx(off.mean(), rel=0.002)
    assert 0.3 < score(found, "line", r2).estimate.value < 0.6
    one = score(run({"line": LinearRegression()}, x, y, Holdout(0.5, kind="plain")), "line", mae)
    assert one.estimate.interval.low < one.estimate.value < one.estimate.interval.high
    assert one.estimate.interval.method == "log-t, one larger row"  # as `evaluate --regression` has it
    assert "Mean squared error" in one.words
    own = score(run({"line": LinearRegression()}, x, y, Holdout(0.5, kind="plain")), "line", lambda sums: mae(sums))
    assert own.estimate.value == one.estimate.value
    assert own.estimate.interval.method == "bootstrap-percentile"
    assert score(found, "line", mae).estimate.interval.low > 0


def test_out_of_bag_scores_are_corrected_for_what_draws_share():
    made = score(run(BAYES, X, Y, Bootstrap(20)), "bayes")
    assert made.estimate.interval.half_width > 4 * np.std(made.scores) / np.sqrt(20)


def test_a_class_that_could_not_be_learnt_is_said():
    groups = np.arange(200) // 20
    y = np.where(groups == 3, 2, Y)  # a class of one group only
    made = score(run(BAYES, X, y, Folds(5, kind="grouped"), groups=groups), "bayes")
    assert made.warnings == (
        "In 1 of 5 splits the test rows had a class that the training rows lacked (20 rows): no model can predict it. "
        "Use stratified folds, or add rows of that class or of more groups.",
    )
    assert "models that memorise" in score(run(BAYES, X, Y, Bootstrap(3, second_draw=True)), "bayes").warnings[0]
    assert not score(run(BAYES, X, Y, Folds(5)), "bayes").warnings


def test_the_gap_is_explained():
    made = score(run({"nearest": KNeighborsClassifier(1)}, X, Y, Folds(5)), "nearest")
    assert made.train_error == 0.0
    assert "it over-fits and memorises" in made.words
    assert "happened to be easier" in gap_in_words(0.3, 0.2)
    assert "simpler model" in gap_in_words(0.1, 0.2)
    json.dumps(made.to_dict(), allow_nan=False)
