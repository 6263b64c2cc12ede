import warnings
from collections import Counter

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from justesse.annotators import training
from justesse.annotators.artificial import artificial_annotators, elected
from justesse.annotators.checkpoint import read_snapshots, write_snapshots
from justesse.annotators.depths import answers_by_depth
from justesse.annotators.one_model import one_model
from justesse.annotators.pool import FAMILIES, NEIGHBOURS_KNOWN, Recipe, draw_recipe, standardised
from justesse.annotators.seeded import seeded
from justesse.annotators.snapshots import Snapshot, snapshots
from justesse.core.checkpoint import Checkpoint
from justesse.core.errors import ClassError, OptionError
from justesse.noise.difficulty import legitimacy
from justesse.noise.ranking import Ranking

X, Y = load_iris(return_X_y=True)
FLOWERS = load_iris().target_names[Y]


@pytest.fixture(scope="module")
def iris():
    return artificial_annotators(X, FLOWERS, n=12)


def same(one, other):
    return (
        np.array_equal(one.answers, other.answers)
        and one.names == other.names
        and np.array_equal(one.errors, other.errors)
        and (one.trained, one.eligible) == (other.trained, other.eligible)
    )


def test_annotators_err_as_asked_and_say_how_much(iris):
    assert iris.answers.shape == (150, 12)
    assert iris.answers.dtype == np.int16
    assert iris.classes == ("setosa", "versicolor", "virginica")
    assert np.all((iris.errors > 0) & (iris.errors < 0.4))
    np.testing.assert_allclose(iris.errors, (iris.answers != Y[:, None]).mean(0))
    np.testing.assert_allclose(legitimacy(iris.answers, Y), 1 - iris.errors)
    assert len(set(iris.names)) == 12


def test_their_errors_and_their_families_spread():
    x, y = load_digits(return_X_y=True)
    found = artificial_annotators(x[:500], y[:500], n=18, seed=1)
    multiples = Counter(np.floor(found.errors / 0.05 + 0.5).astype(int).tolist())
    assert set(multiples) == set(range(9))
    assert set(multiples.values()) == {2}
    assert len({name.split()[1] for name in found.names}) >= 5


def test_the_noise_they_make_falls_on_what_is_hard(iris):
    """Setosa stands apart from the other two flowers, which are hard to tell from each other."""
    noisy = Ranking.from_answers(iris.answers, FLOWERS, classes=iris.classes).noisy(FLOWERS, 0.1)
    assert noisy.realised == 0.1
    assert not np.any(noisy.wrong[FLOWERS == "setosa"])
    assert set(noisy.label[noisy.wrong].tolist()) <= {"versicolor", "virginica"}


def test_a_seed_decides_and_side_by_side_changes_nothing(iris):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert same(iris, artificial_annotators(X, FLOWERS, n=12))
    assert not same(iris, artificial_annotators(X, FLOWERS, n=12, seed=1))


def test_other_processes_change_nothing(iris):
    assert same(iris, artificial_annotators(X, FLOWERS, n=12, n_jobs=2))


def test_a_stopped_run_goes_on_where_it_was(iris, tmp_path, monkeypatch):
    class StoppedError(Exception):
        pass

    def stop(done, total):
        if done == 5:
            raise StoppedError

    with pytest.raises(StoppedError):
        artificial_annotators(X, FLOWERS, n=12, checkpoint=tmp_path / "new", progress=stop)
    kept = sorted((tmp_path / "new").iterdir())
    assert 5 <= len(kept) < 12
    times = [path.stat().st_mtime_ns for path in kept]
    trained = []
    plain = training.snapshots
    monkeypatch.setattr(
        training, "snapshots", lambda recipe, *rest, **more: trained.append(1) or plain(recipe, *rest, **more)
    )
    seen = []
    again = artificial_annotators(X, FLOWERS, n=12, checkpoint=tmp_path / "new", progress=lambda *two: seen.append(two))
    assert same(iris, again)
    assert len(trained) == 12 - len(kept)
    assert [path.stat().st_mtime_ns for path in kept] == times
    assert seen == [(done, 12) for done in range(1, 13)]
    assert not [path for path in (tmp_path / "new").iterdir() if path.suffix != ".npz"]


@pytest.mark.parametrize("damage", [b"", b"not a file of numbers", None, "other", "another model's"])
def test_a_damaged_checkpoint_is_made_again(iris, tmp_path, damage):
    artificial_annotators(X, FLOWERS, n=12, checkpoint=tmp_path)
    path = max(tmp_path.iterdir(), key=lambda file: file.stat().st_size)
    whole = path.read_bytes()
    if damage is None:
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "another model's":
        path.write_bytes(min(tmp_path.iterdir(), key=lambda file: file.stat().st_size).read_bytes())
    elif damage == "other":
        np.savez(path, names=np.array(["a"]), errors=np.array([0.1]), answers=np.zeros((1, 3), np.int16))
    else:
        path.write_bytes(damage)
    assert same(iris, artificial_annotators(X, FLOWERS, n=12, checkpoint=tmp_path))
    assert path.read_bytes() == whole


def test_no_flipped_bit_gives_other_answers(tmp_path):
    rng = np.random.default_rng(0)
    states = [Snapshot(f"state {error}", rng.integers(0, 9, 30).astype(np.int16), error) for error in (0.1, 0.2)]
    path = tmp_path / "a.npz"
    kept = Checkpoint(path, "key")
    write_snapshots(kept, states, 30)
    whole, noticed = path.read_bytes(), 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        found = read_snapshots(kept, 30)
        noticed += found is None
        for one, state in zip(found or states, states, strict=True):
            assert (one.name, one.error) == (state.name, state.error)
            assert np.array_equal(one.answers, state.answers)
    assert noticed > len(whole) / 2


def test_a_checkpoint_of_other_data_seed_or_settings_is_left_alone(tmp_path):
    artificial_annotators(X, FLOWERS, n=3, checkpoint=tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other = X[::-1]
    assert same(artificial_annotators(other, Y, n=3), artificial_annotators(other, Y, n=3, checkpoint=tmp_path))
    assert same(artificial_annotators(X, Y, n=3, seed=4), artificial_annotators(X, Y, n=3, seed=4, checkpoint=tmp_path))
    assert len(list(tmp_path.iterdir())) >= 9
    assert all((tmp_path / name).read_bytes() == content for name, content in first.items())


class Recording(ClassifierMixin, BaseEstimator):
    """Errs on fewer instances after each pass, as told; breaks off when there are no more passes."""

    def __init__(self, wrong=(60, 30, 28, 5, 0)):
        self.wrong = wrong

    def partial_fit(self, x, y, classes=None):
        self.passes_ = getattr(self, "passes_", -1) + 1
        if self.passes_ >= len(self.wrong):
            raise ValueError("the loss exploded")
        return self

    def predict(self, x):
        found = x[:, 0].astype(int)
        found[: self.wrong[self.passes_]] = 1 - found[: self.wrong[self.passes_]]
        return found


def kept(*wrong, rate=None):
    x = np.arange(100)[:, None] % 2
    recipe = Recipe("told", Recording(wrong))
    found = snapshots(recipe, x, x[:, 0], 2, np.random.default_rng(0), below=0.4, rate=rate)
    return [round(100 * one.error) for one in found]


def test_of_each_model_the_last_state_near_each_multiple_of_five_per_cent_is_kept():
    assert kept(60, 41, 40, 39, 31, 29, 28, 12, 13) == [12, 13, 28, 39]
    assert kept(31, 29) == [29]
    assert kept(29, 31) == [31]
    assert kept(60, 50) == []
    assert kept(20, 0) == [20]


def test_the_state_nearest_to_a_rate_is_kept():
    assert kept(60, 41, 31, 29, 12, rate=0.30) == [31]
    assert kept(60, 39, 12, 0, rate=0.5) == [60]
    assert kept(60, 0, rate=0.01) == [0]


def test_a_model_that_cannot_be_trained_at_all_says_so():
    with pytest.raises(ValueError, match="exploded"):
        kept()


def test_predictions_of_the_wrong_shape_are_refused():
    class Column(Recording):
        def predict(self, x):
            return super().predict(x)[:, None]

    with pytest.raises(OptionError, match="got shape"):
        artificial_annotators(np.arange(100)[:, None] % 2, np.arange(100) % 2, estimators=[Column((20, 10))], n=1)


def test_training_stops_when_it_no_longer_improves():
    assert kept(*[30] * 7, *[20] * 6, 5) == [20, 30]


def test_states_are_chosen_evenly_and_from_different_models():
    eligible = [(0, 0.01), (0, 0.10), (0, 0.2), (1, 0.01), (1, 0.1), (2, 0.1), (2, 0.2)]
    assert elected(eligible, 3) == [0, 4, 6]
    assert elected(eligible, 7) == list(range(7))
    many = [(model, 0.05 * step + 0.001) for model in range(10) for step in range(8)]
    chosen = elected(many, 16)
    assert set(Counter(round(many[at][1] / 0.05) for at in chosen).values()) == {2}
    assert set(Counter(many[at][0] for at in chosen).values()) == {1, 2}


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_features="sqrt", random_state=0),
        DecisionTreeClassifier(min_samples_leaf=10),
        RandomForestClassifier(7, random_state=0),
    ],
)
def test_the_greatest_depth_is_the_whole_model_and_depth_one_a_stump(model):
    x, y = load_digits(return_X_y=True)
    x = standardised(x)
    states = dict(answers_by_depth(model.fit(x, y), x))
    assert np.array_equal(states[max(states)], model.predict(x))
    errors = [np.mean(states[depth] != y) for depth in sorted(states)]
    assert errors[0] > 0.4
    assert errors[-1] < 0.2
    if isinstance(model, DecisionTreeClassifier) and model.max_features is None:
        for depth in (1, 4, 6):
            cut = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=10, random_state=0).fit(x, y)
            assert np.mean(states[depth] != y) == pytest.approx(np.mean(cut.predict(x) != y), abs=0.01)


def test_your_own_estimators():
    models = [
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5),
        SGDClassifier(),
        make_pipeline(StandardScaler(), LogisticRegression(C=0.01)),
        GaussianNB(),
        DecisionTreeClassifier(max_depth=1),
    ]
    found = artificial_annotators(X, Y, estimators=models, n=5)
    assert found.trained == 5
    assert found.eligible >= 8
    assert any("AdaBoostClassifier, stage" in name for name in found.names)
    assert any("SGDClassifier, step" in name for name in found.names)
    assert same(found, artificial_annotators(X, Y, estimators=models, n=5))
    with pytest.raises(OptionError, match="1 models gave"):
        artificial_annotators(X, Y, estimators=[LogisticRegression(C=0.01)], n=5)


def test_a_function_that_draws_estimators():
    def draw(generator):
        return DecisionTreeClassifier(
            max_depth=int(generator.integers(1, 4)), max_features=int(generator.integers(1, 5))
        )

    found = artificial_annotators(X, Y, estimators=draw, n=7)
    assert found.answers.shape == (150, 7)
    assert found.trained % 7 == 0
    assert len(set(found.errors.tolist())) > 3


def test_images_and_frames_go_to_your_own_estimators_as_they_are():
    import pandas as pd

    class Brightness(ClassifierMixin, BaseEstimator):
        def fit(self, x, y):
            assert x.shape[1:] == (2, 2)
            return self

        def predict(self, x):
            return (x.mean(axis=(1, 2)) > 0.55).astype(int)

    rng = np.random.default_rng(0)
    images = rng.random((80, 2, 2))
    found = artificial_annotators(images, images.mean(axis=(1, 2)) > 0.5, estimators=[Brightness()], n=1)
    assert found.classes == (False, True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    assert artificial_annotators(frame, Y, estimators=[SGDClassifier()], n=2).trained == 1


def test_their_warnings_are_kept_quiet_and_others_are_not():
    shy = LogisticRegression(max_iter=5)
    with pytest.warns(ConvergenceWarning):
        shy.fit(X, Y)
    artificial_annotators(X, Y, estimators=[shy], n=1)
    with pytest.warns(UserWarning, match="after"):
        warnings.warn("after", stacklevel=1)


def test_nothing_that_can_serve():
    noise = np.random.default_rng(0).random((300, 2))
    with pytest.raises(OptionError, match="10 models gave 0"):
        artificial_annotators(noise, np.arange(300) % 10, estimators=lambda generator: GaussianNB(), n=2)
    for features, reason in (
        ([["a"], ["b"]], "finite numbers"),
        ([[np.nan], [1.0]], "finite numbers"),
        ([1, 2], "finite"),
    ):
        with pytest.raises(OptionError, match=reason):
            artificial_annotators(features, [0, 1], n=2)
    with pytest.raises(OptionError, match="same instances; got 150 and 2"):
        artificial_annotators(X, [0, 1], n=2)
    with pytest.raises(OptionError, match="list of models"):
        artificial_annotators(X, Y, estimators=GaussianNB(), n=2)
    with pytest.raises(ClassError, match="at least two classes"):
        artificial_annotators(X, np.zeros(150, int), n=2)
    with pytest.raises(OptionError, match="n=0"):
        artificial_annotators(X, Y, n=0)


def test_ready_made_models_cover_all_families_and_cap_what_neighbours_remember():
    recipes = [draw_recipe(np.random.default_rng(at), at, (10_000, 300)) for at in range(24)]
    assert [recipe.name.split()[0] for recipe in recipes] == list(FAMILIES) * 4
    assert all(len(np.unique(recipe.columns)) == len(recipe.columns) >= 17 for recipe in recipes)
    assert {len(recipe.rows) for recipe in recipes if recipe.rows is not None} == {NEIGHBOURS_KNOWN}
    tiny = [draw_recipe(np.random.default_rng(at), at, (2, 1)) for at in range(6)]
    assert [recipe.columns.tolist() for recipe in tiny] == [[0]] * 6
    assert tiny[3].stages == ({"n_neighbors": 1},)


def test_a_pipeline_is_seeded_inside():
    model = seeded(make_pipeline(StandardScaler(), DecisionTreeClassifier()), np.random.default_rng(0))
    assert isinstance(model[1].random_state, int)


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_one_model(rate):
    found = one_model(X, FLOWERS, rate, n=12)
    assert found.realised == np.mean(found.label != FLOWERS) == pytest.approx(rate, abs=0.02)
    assert found.rate == rate
    assert np.array_equal(found.true, FLOWERS)
    own = one_model(X, FLOWERS, rate, estimators=[LogisticRegression(C=0.01)])
    assert own.label.tolist() == LogisticRegression(C=0.01).fit(X, FLOWERS).predict(X).tolist()
    assert own.trained == 1


def test_one_model_says_what_it_needs():
    with pytest.raises(OptionError, match="rate=0"):
        one_model(X, Y, 0)
    with pytest.raises(OptionError, match="At least one estimator"):
        one_model(X, Y, 0.1, estimators=[])
