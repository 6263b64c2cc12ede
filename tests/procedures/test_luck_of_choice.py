"""The luck of the best of several: by brute force, and on models that are all alike."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

from justesse.core.errors import OptionError
from justesse.core.seeds import stream
from justesse.procedures.class_scores import class_scores
from justesse.procedures.folds import Folds, LeaveOneOut
from justesse.procedures.holdout import Holdout
from justesse.procedures.luck_of_choice import corrected_choice, luck_of_choice
from justesse.procedures.run import run
from justesse.significance.selection import as_good_by_luck, best_by_luck


def test_by_brute_force_row_after_row():
    rng = np.random.default_rng(0)
    right = {name: (rng.random(30) < 0.6).astype(float) for name in "abc"}
    found = corrected_choice(right, draws=50, seed=7)
    generator, scores, wins = stream(7, "luck of choice"), [], dict.fromkeys("abc", 0.0)
    for _ in range(50):
        drawn = generator.integers(30, size=30).tolist()
        inside = {name: sum(values[row] for row in drawn) for name, values in right.items()}
        best = [name for name, many in inside.items() if many == max(inside.values())]
        out = [row for row in range(30) if row not in drawn]
        scores.append(np.mean([right[name][out].mean() for name in best]))
        for name in best:
            wins[name] += 1 / len(best) / 50
    assert found.corrected.value == pytest.approx(np.mean(scores))
    assert found.wins == pytest.approx(wins)


def test_groups_are_drawn_whole():
    right = {"a": np.repeat([1.0, 0.0, 1.0, 0.0], 5), "b": np.repeat([0.0, 1.0, 0.0, 1.0], 5)}
    found = corrected_choice(right, units=np.repeat(range(4), 5), draws=200)
    assert found.apparent == 0.5
    assert found.corrected.value < 0.4  # the group a model wins by is never among those left out


def test_the_best_of_many_coins_is_a_coin_again():
    """Twenty models that guess: the best looks good, and what is left after correction is one half."""
    values, apparent = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = corrected_choice({str(at): rng.random(100) < 0.5 for at in range(20)}, draws=200, seed=seed)
        values.append(found.corrected.value)
        apparent.append(found.apparent)
    assert np.mean(apparent) > 0.58
    assert np.mean(values) == pytest.approx(0.5, abs=0.025)


class Fixed(ClassifierMixin, BaseEstimator):
    def __init__(self, answer=0):
        self.answer = answer

    def fit(self, x, y):
        if self.answer is None:
            raise ValueError("none")
        return self

    def predict(self, x):
        return np.full(len(x), self.answer)


X, Y = np.zeros((40, 1)), np.array([0] * 25 + [1] * 15)


def test_the_chance_of_doing_as_well_is_that_of_the_most_frequent_class():
    found = luck_of_choice(run({"zero": Fixed(0), "one": Fixed(1)}, X, Y, Folds(5, repeats=2)))
    assert (found.best, found.apparent, found.majority) == ("zero", 25 / 40, 0)
    assert found.by_luck == pytest.approx(best_by_luck(as_good_by_luck(25, 40, chance=25 / 40), 2))
    assert found.n == 40
    assert "best of 2" in found.words


def test_models_that_failed_take_no_part_but_count_as_tried():
    models = {"zero": Fixed(0), "one": Fixed(1), "none": Fixed(None)}
    found = luck_of_choice(run(models, X, Y, Folds(5)))
    assert (list(found.wins), found.tried) == (["zero", "one"], 3)
    with pytest.raises(OptionError, match="at least two models"):
        luck_of_choice(run({"zero": Fixed(0), "none": Fixed(None)}, X, Y, Folds(5)))


def test_class_scores_over_folds_and_over_rows():
    rng = np.random.default_rng(3)
    x = np.r_[rng.normal(size=(30, 1)), rng.normal(size=(30, 1)) + 1.5]
    y = np.repeat(["a", "b"], 30)
    found = run({"bayes": GaussianNB()}, x, y, Folds(5))
    table = found.table()
    by_fold = [
        np.mean([said == "a" for said, label, at in zip(table["bayes"], table["label"], table["fold"], strict=True) if (label, at) == ("a", fold)])
        for fold in range(5)
    ]  # fmt: skip
    recall = next(one for one in class_scores(found, "bayes") if (one.name, one.class_name) == ("recall", "a"))
    assert recall.value == pytest.approx(np.mean(by_fold))
    assert recall.interval.method == "student-nadeau-bengio"
    rows = class_scores(run({"bayes": GaussianNB()}, x, y, LeaveOneOut()), "bayes")
    assert {one.interval.method for one in rows if one.name == "recall"} == {"wilson"}
    grouped = run({"bayes": GaussianNB()}, x, y, Holdout(0.4, kind="grouped"), groups=np.tile(range(6), 10))
    assert all("not independent" in one.undefined for one in class_scores(grouped, "bayes") if one.value == one.value)
