import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from justesse.annotators.artificial import artificial_annotators
from justesse.annotators.one_model import one_model
from justesse.core.errors import ClassError, OptionError
from justesse.core.results import finite_or_none
from justesse.intervals import wilson
from justesse.intervals.student import student
from justesse.noise.models import Uniform, pair_flip
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking
from justesse.procedures.noisy_training import ONE_SPLIT, noisy_training, share_over_repeats
from justesse.procedures.realism import realism
from justesse.procedures.resist import resist

X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]
LEARNERS = {"1 neighbour": KNeighborsClassifier(1), "15 neighbours": KNeighborsClassifier(15)}


@pytest.fixture(scope="module")
def digits():
    x, y = load_digits(return_X_y=True)
    x, y = x[:900], y[:900]
    answers = artificial_annotators(x, y, n=12)
    return x, Ranking.from_answers(answers.answers, y, classes=answers.classes).noisy(y, 0.1)


def test_one_neighbour_suffers_from_noise_and_many_resist():
    found = resist(X, NAMES, learners=LEARNERS, rates=[0, 0.2, 0.4], noise=Uniform(0), repeats=5)
    error = {(row.learner, row.rate): row.error.value for row in found.rows}
    assert error["1 neighbour", 0.4] > error["1 neighbour", 0.2] > error["1 neighbour", 0]
    assert error["1 neighbour", 0.4] > error["15 neighbours", 0.4] + 0.1
    for row in found.rows:
        assert row.realised == pytest.approx(row.rate, abs=0.05)
        assert row.error.interval.method == "student-nadeau-bengio"
        assert 0 <= row.error.interval.low <= row.error.value <= row.error.interval.high
    assert found.noise == "uniform noise"
    assert found.to_dict()["rows"][0]["error"]["value"] == finite_or_none(error["1 neighbour", 0])


class Parrot(ClassifierMixin, BaseEstimator):
    """Says what it was taught for the nearest row, and tells what it saw."""

    seen = []

    def fit(self, x, y):
        self.known_ = dict(zip(x[:, 0].tolist(), y.tolist(), strict=True))
        return self

    def predict(self, x):
        tested = x[:, 0]
        answers = np.array([self.known_[min(self.known_, key=lambda row: abs(row - one))] for one in tested])
        Parrot.seen.append((self.known_, tested, answers))
        return answers


def test_training_is_on_noisy_labels_and_testing_on_other_rows_with_clean_ones():
    Parrot.seen.clear()
    rows = np.arange(150)[:, None]
    options = {"learners": {"parrot": Parrot()}, "rates": [0.2], "noise": Uniform(0), "repeats": 3, "test_share": 0.3}
    [row] = resist(rows, NAMES, **options).rows
    errors, rates = [], []
    for taught, tested, answers in Parrot.seen:
        assert sorted([*taught, *tested]) == list(range(150))
        assert np.unique(NAMES[tested], return_counts=True)[1].tolist() == [15, 15, 15]
        errors.append(np.mean(answers != NAMES[tested]))
        rates.append(np.mean([label != NAMES[row] for row, label in taught.items()]))
    by_hand = student(errors, test_over_train=3 / 7)
    assert row.error.value == pytest.approx(by_hand.value)
    assert row.error.interval.unclipped_high == pytest.approx(by_hand.interval.unclipped_high)
    assert row.realised == pytest.approx(np.mean(rates))
    assert len({tuple(tested) for _, tested, _ in Parrot.seen}) == len(set(rates)) == 3


def test_answers_can_be_held_against_other_labels():
    made = {"clean": Noisy(Y, Y, (0, 1, 2), "clean", 0), "other": Noisy(Y, (Y + 1) % 3, (0, 1, 2), "all wrong", 0.9)}
    options = {"test_share": 0.2, "repeats": 2, "seed": 0, "n_jobs": None}
    seeds = []
    for run in noisy_training(X, Y, lambda own_seed: seeds.append(own_seed) or made, LEARNERS, **options):
        tally = run.tally.marginal("label", "prediction").dense()
        assert np.trace(tally) == np.sum(made[run.version].label[run.test] == run.prediction)
        assert len(run.test) == len(set(run.test.tolist())) == 30
    assert len(set(seeds)) == 2


def test_one_split_has_wilson_s_interval():
    found = resist(X, NAMES, learners=LEARNERS, rates=[0.3], noise=pair_flip(0.3, np.unique(NAMES).tolist()), repeats=1)
    row = found.rows[0]
    assert row.error.n == 30
    ends = wilson(row.error.value * 30, 30)
    assert [row.error.interval.low, row.error.interval.high] == pytest.approx([float(ends.low), float(ends.high)])
    assert ONE_SPLIT in found.assumptions


def test_a_seed_decides_whatever_runs_side_by_side(digits):
    x, noisy = digits
    forest = {"forest": RandomForestClassifier(3)}
    options = {"learners": forest, "rates": [0.1], "noise": Uniform(0), "repeats": 2}
    first = resist(x, noisy.true, **options)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert resist(x, noisy.true, **options) == first
    assert resist(x, noisy.true, **options, seed=1) != first


def test_a_ranking_s_noise_in_the_training_part_is_said():
    votes = np.full((150, 3), 1)
    votes[np.arange(150), Y] = np.where(np.arange(150) % 3 == 0, 2, 9)
    found = resist(X, Y, learners=LEARNERS, rates=[0.2], noise=Ranking.from_votes(votes, labels=Y), repeats=3)
    assert "votes" in found.noise
    assert found.rows[0].realised != 0.2
    assert found.rows[0].realised == pytest.approx(0.2, abs=0.05)


def test_learners_see_data_frames_as_they_are():
    import pandas as pd
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline

    frame = pd.DataFrame(X, columns=list("abcd"))
    chosen = make_pipeline(make_column_transformer(("passthrough", make_column_selector("[cd]"))), GaussianNB())
    found = resist(frame, NAMES, learners={"cd": chosen}, rates=[0], noise=Uniform(0), repeats=2)
    assert found.rows[0].error.value < 0.1


def test_models_repeat_feature_noise_but_not_noise_without_features(digits):
    """The thesis' finding of 7.8.1, on digits."""
    x, noisy = digits
    found = realism(
        x, noisy, learners={"forest": RandomForestClassifier(20), "neighbours": KNeighborsClassifier(5)}, repeats=3
    )
    f_n = {(row.noise, row.learner): row.f_n.value for row in found.rows}
    for learner in ("forest", "neighbours"):
        assert f_n["given", learner] > f_n["by class", learner] + 0.1
        assert f_n["given", learner] > f_n["uniform", learner] + 0.1
    for row in found.rows:
        assert row.realised == pytest.approx(0.1, abs=0.04)
        assert row.f_n.interval is not None or "all scores are equal" in row.f_n.undefined
    assert found.to_dict()["rows"][0]["f_n"]["name"] == "f_n"


def test_labels_of_one_model_are_repeated_too(digits):
    x, noisy = digits
    made = one_model(x, noisy.true, 0.1, n=6, seed=3)
    given = Noisy(made.true, made.label, made.classes, made.name, made.rate)
    rows = realism(x, given, learners={"forest": RandomForestClassifier(20)}, repeats=2).rows
    assert rows[0].f_n.value > max(rows[1].f_n.value, rows[2].f_n.value)


def test_shares_over_splits():
    one = share_over_repeats("f_n", [1, 0, 2], [4, 0, 4], level=0.9, test_share=0.2)
    two = student([0.25, 0.5], level=0.9, test_over_train=0.25)
    assert (one.value, one.n, one.interval.unclipped_low) == (two.value, 2, two.interval.unclipped_low)
    alone = share_over_repeats("f_n", [0, 3], [0, 4], level=0.95, test_share=0.2)
    assert (alone.value, alone.n, alone.interval.method) == (0.75, 4, "wilson")
    assert "equal" in share_over_repeats("error", [1, 1], [4, 4], level=0.95, test_share=0.2).undefined


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"repeats": 0}, "repeats=0"),
        ({"test_share": 1.0}, "test_share=1.0"),
        ({"learners": {}}, "0 learners"),
        ({"level": 95}, "level must lie"),
        ({"rates": [1.5]}, "noise rate"),
    ],
)
def test_what_cannot_be_asked(options, reason):
    with pytest.raises(OptionError, match=reason):
        resist(X, Y, **{"learners": LEARNERS, "rates": [0.1], "noise": Uniform(0), **options})


def test_a_class_of_one_row_cannot_be_split():
    with pytest.raises(ClassError, match="Class 7 needs at least two rows"):
        resist(X, np.append(Y[:-1], 7), learners=LEARNERS, rates=[0.1], noise=Uniform(0))
